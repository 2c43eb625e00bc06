"""JSON and TOML that somebody else wrote, read without trusting how they are nested.

Python's own readers raise a RecursionError where that is too deep, at a depth that differs between versions,
and what they do read may still be too deep for those who walk through it. Here it is a ValueError, like
everything else that can be wrong with such a text.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any, Final

DEEPEST: Final = 100
"""How deep lists and tables may be nested; nothing that redraft reads needs ten."""

_TOO_DEEP: Final = f"it is nested more than {DEEPEST} deep"
# A string that nothing closes reaches to the end, so that no other one is looked for inside it.
_JSON: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|(?P<opens>[\[{])|(?P<closes>[\]}])', re.DOTALL)
_TOML: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?' + r"|'''(?:[^']|'(?!''))*+(?:''')?"
    r'|"(?:[^"\\\n]|\\.)*+"?' + r"|'[^'\n]*+'?|#[^\n]*+|(?P<dot>\.)|(?P<ends>[=,\[\]{}\n])",
    re.DOTALL,
)


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text; a ValueError where it is none, or is nested too deeply."""
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    # Most texts have too few brackets for it: they need no closer look.
    if text.count("[") + text.count("{") > DEEPEST:
        depth = 0
        for match in _JSON.finditer(text):
            depth += (match.lastgroup == "opens") - (match.lastgroup == "closes")
            if depth > DEEPEST:
                raise ValueError(_TOO_DEEP)
    return json.loads(text)


def parse_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text; a ValueError where it is none, or is nested too deeply."""
    dots = 0  # of one key: tomllib takes time and memory by their square
    for match in _TOML.finditer(text):
        dots = 0 if match.lastgroup == "ends" else dots + (match.lastgroup == "dot")
        if dots > DEEPEST:
            raise ValueError(_TOO_DEEP)
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    values: list[Any] = [table]
    for _ in range(DEEPEST + 1):
        if not values:
            return table
        inner = [list(value.values() if isinstance(value, dict) else value) for value in values]
        values = [value for among in inner for value in among if isinstance(value, dict | list)]
    raise ValueError(_TOO_DEEP)
