"""Classes of characters that the tokenizers go by, the same whatever Python is installed."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Mapping
from importlib.resources import files
from typing import Literal

CharacterClass = Literal["letter", "number", "space", "control", "mark", "punctuation", "ideograph"]


def members(name: CharacterClass, last: int = 0x10FFFF) -> str:
    """The members of a class up to the code point `last`, to be put between the brackets of a pattern."""
    return "".join(
        f"\\U{start:08x}-\\U{min(end, last):08x}" for start, end in _classes()[name] if start <= last
    )


@functools.cache
def _classes() -> Mapping[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    text = files("redraft.models").joinpath("characters.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, *ranges = line.split()
        for part in ranges:
            start, _, end = part.partition("-")
            found[name].append((int(start, 16), int(end or start, 16)))
    return found
