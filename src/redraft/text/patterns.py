"""Patterns of tags: regular expressions over names, for a line of words that has one tag a word.

Each tag is one character, so that a line is a string of tags; a pattern names the tags, and is compiled to an
ordinary regular expression over those characters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_SYNTAX: Final = re.compile(
    r"(?P<set>\[\^?[A-Z_\s]+\])|(?P<name>[A-Z][A-Z_]+)|\((?P<group>[a-z_]+):|(?P<plain>(?<!\?)\((?!\?))|\s+"
)


class TagPatterns:
    """A notation with tags of its own: the attributes of a class; `sets` are names for several of them."""

    def __init__(self, tags: type, sets: Mapping[str, str] | None = None) -> None:
        self._tags = tags
        self._sets = sets or {}

    def tags(self, names: str) -> frozenset[str]:
        """The tags, and those of the sets, that are named: `AND OR`."""
        found = (
            self.tags(self._sets[name]) if name in self._sets else {getattr(self._tags, name)}
            for name in names.split()
        )
        return frozenset().union(*found)

    def compile(self, text: str, **parts: str) -> re.Pattern[str]:
        """A pattern, ready to match a string of tags.

        `NOT` is a tag or a set of tags, `[AND OR]` one of several, `[^AND OR]` any other. `(verb: KEEP |
        CHANGE)` is a group with a name; other parentheses only hold together. `parts` are patterns that the
        text names like a tag.
        """

        def compiled(match: re.Match[str]) -> str:
            if match["set"]:
                inverse = "^" if match["set"].startswith("[^") else ""
                return f"[{inverse}{''.join(self.tags(match['set'].strip('[^]')))}]"
            if match["name"] in parts:
                return f"(?:{_SYNTAX.sub(compiled, parts[match['name']])})"
            if match["name"]:
                return f"[{''.join(self.tags(match['name']))}]"
            if match["group"]:
                return f"(?P<{match['group']}>"
            return "(?:" if match["plain"] else ""

        return re.compile(_SYNTAX.sub(compiled, text))
