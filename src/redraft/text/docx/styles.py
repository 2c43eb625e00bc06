"""What kind a paragraph is: by its style and its numbering, which stand in parts of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from redraft.text.docx.package import Element, Package, W

_HEADING: Final = re.compile(r"heading ([1-9])")
_TITLES: Final = {"title": 1, "subtitle": 2}
_CONTENTS: Final = re.compile(r"toc \d|table of figures|index \d")
_DEEPEST: Final = 6  # heading of Markdown
_LONGEST_CHAIN: Final = 20  # of styles that are based on one another; a damaged file may go in circles


@dataclass(frozen=True, slots=True)
class Kind:
    """What a paragraph is: body, heading1 to heading6, bullet or number, and the list that it is in."""

    name: str = "body"
    number: str = ""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Styles:
    """The styles of paragraphs by their ids, and the formats of numberings by number and depth."""

    styles: dict[str, Element]
    default: str
    formats: dict[tuple[str, str], str]

    @classmethod
    def of(cls, package: Package) -> Styles:
        """Those of a package."""
        styles: dict[str, Element] = {}
        default = ""
        root = package.beside("styles.xml")
        for style in () if root is None else root.iter(f"{W}style"):
            if style.get(f"{W}type") == "paragraph":
                styles[style.get(f"{W}styleId", "")] = style
                if style.get(f"{W}default") in ("1", "true"):
                    default = style.get(f"{W}styleId", "")
        return cls(styles, default, _formats(package.beside("numbering.xml")))

    def kind(self, paragraph: Element) -> Kind | None:
        """What a paragraph is; None for a line of a table of contents, which nobody wrote."""
        levels = [paragraph.find(f"{W}pPr"), *self._chain(paragraph)]
        names = [value(style, "name").lower() for style in self._chain(paragraph)]
        if any(_CONTENTS.fullmatch(name) for name in names):
            return None
        outline = next((found for one in levels if (found := _outline(one))), "")
        if outline.isdecimal() and int(outline) < 9:
            return Kind(f"heading{min(int(outline) + 1, _DEEPEST)}")
        for name in names:
            if name in _TITLES or (_HEADING.fullmatch(name) and not outline):
                level = _TITLES.get(name) or int(name[-1])
                return Kind(f"heading{min(level, _DEEPEST)}")
        return self._in_list(levels)

    def _in_list(self, levels: list[Element | None]) -> Kind:
        """Whether it is an item: the nearest level that names a numbering decides."""
        for one in levels:
            numbering = None if one is None else one.find(f".//{W}numPr")
            if numbering is not None and (number := value(numbering, "numId")):
                depth = value(numbering, "ilvl") or "0"
                form = self.formats.get((number, depth), "none" if number == "0" else "bullet")
                if number == "0" or form == "none":
                    return Kind()
                return Kind("bullet" if form == "bullet" else "number", number, _whole(depth))
        return Kind()

    def _chain(self, paragraph: Element) -> list[Element]:
        """The style of a paragraph, and those that it is based on."""
        own = paragraph.find(f"{W}pPr/{W}pStyle")
        name = self.default if own is None else own.get(f"{W}val", "")
        found: list[Element] = []
        while name in self.styles and len(found) < _LONGEST_CHAIN:
            found.append(self.styles[name])
            name = value(self.styles[name], "basedOn")
        return found


def value(element: Element, name: str) -> str:
    """What a property says, `w:name/@w:val`; nothing where it is not there."""
    found = element.find(f"{W}{name}")
    return "" if found is None else found.get(f"{W}val", "")


def _outline(element: Element | None) -> str:
    """The level in the outline, of a paragraph's properties or of a style."""
    if element is None:
        return ""
    return value(element, "outlineLvl") or (
        "" if (inner := element.find(f"{W}pPr")) is None else value(inner, "outlineLvl")
    )


def _formats(root: Element | None) -> dict[tuple[str, str], str]:
    if root is None:
        return {}
    abstract = {
        one.get(f"{W}abstractNumId", ""): {
            level.get(f"{W}ilvl", ""): value(level, "numFmt") for level in one.iter(f"{W}lvl")
        }
        for one in root.iter(f"{W}abstractNum")
    }
    return {
        (number.get(f"{W}numId", ""), depth): form
        for number in root.iter(f"{W}num")
        for depth, form in abstract.get(value(number, "abstractNumId"), {}).items()
    }


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() else 0
