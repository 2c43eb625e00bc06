"""YAML that users write: plain values alone, and every problem with its line and its place."""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

MOST: Final = 100_000
"""Characters that a file may have."""
_DEEPEST: Final = 10
_TAG: Final = "tag:yaml.org,2002:"
_KINDS: Final = {
    "int": "a number",
    "float": "a number",
    "bool": "yes or no",
    "null": "empty",
    "timestamp": "a date",
}


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something that is wrong with a file, and where."""

    line: int
    place: str
    says: str

    def __str__(self) -> str:
        return (
            f"line {self.line}: {self.place}: {self.says}" if self.place else f"line {self.line}: {self.says}"
        )


@dataclass(frozen=True)
class YamlValue:
    """A value of the file, and where it stands; what is wrong goes into one list for the whole file."""

    node: yaml.Node
    place: str = ""
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, says: str) -> None:
        """Note a problem with this value."""
        line = self.node.start_mark.line + 1
        self.problems.append(Problem(line, _printable(self.place), _printable(says)))

    def table(self, needed: Collection[str], others: Collection[str] = ()) -> dict[str, YamlValue]:
        """The values by their keys; a key that is unknown, doubled or missing is a problem."""
        if not isinstance(self.node, yaml.MappingNode):
            self.wrong(f"should be a table with {', '.join([*needed, *others])}, not {_kind(self.node)}")
            return {}
        found: dict[str, YamlValue] = {}
        for key_node, node in self.node.value:
            key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else "?"
            part = YamlValue(node, f"{self.place}.{key}".lstrip("."), self.problems)
            if key in found:
                YamlValue(key_node, part.place, self.problems).wrong("is there twice")
            elif key not in needed and key not in others:
                says = f"is not known{nearest(key, [*needed, *others])}"
                YamlValue(key_node, part.place, self.problems).wrong(says)
            else:
                found[key] = part
        for key in needed:
            if key not in found:
                self.wrong(f"{key} is missing")
        return found

    def items(self) -> list[YamlValue]:
        """The values of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            self.wrong(f"should be a list, not {_kind(self.node)}")
            return []
        return [
            YamlValue(node, f"{self.place}[{n}]", self.problems) for n, node in enumerate(self.node.value, 1)
        ]

    def string(self, most: int) -> str:
        """A text with at least one letter in it; empty where there is a problem."""
        if not isinstance(self.node, yaml.ScalarNode) or self.node.tag != f"{_TAG}str":
            says = f"should be a text, not {_kind(self.node)}"
            self.wrong(f"{says}: put it between quotes" if isinstance(self.node, yaml.ScalarNode) else says)
            return ""
        text = str(self.node.value).strip()
        if not text:
            self.wrong("is empty")
        elif len(text) > most:
            self.wrong(f"has {len(text)} characters; {most} are the most")
        return text

    def number(self, least: float, most: float) -> float:
        """A number within bounds; not a number where there is a problem."""
        value = math.nan
        if isinstance(self.node, yaml.ScalarNode) and self.node.tag in (f"{_TAG}int", f"{_TAG}float"):
            try:
                value = float(self.node.value)
            except ValueError:  # YAML has more ways to write a number than anyone needs
                value = math.nan
        if not least <= value <= most:
            self.wrong(f"should be a number from {least:g} to {most:g}, not {_shown(self.node)}")
            return math.nan
        return value

    def choice(self, known: Sequence[str]) -> str:
        """One of several words; the first of them where there is a problem."""
        value = str(self.node.value) if isinstance(self.node, yaml.ScalarNode) else ""
        if value in known:
            return value
        self.wrong(f"{_shown(self.node)} is not known{nearest(value, known)}")
        return known[0]


def _line(mark: Any) -> int:
    """The line of a place in the file; the first where the parser does not say."""
    return mark.line + 1 if mark else 1


def read_yaml(text: str) -> YamlValue:
    """The file's outermost value; one that is no YAML, or more than plain values, has its problem alone."""
    if len(text) > MOST:
        return _refused(1, f"the file has {len(text)} characters; {MOST} are the most")
    try:
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            says = _too_much(event, depth)
            if says:
                return _refused(_line(event.start_mark), says)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = _line(error.problem_mark or error.context_mark)
        return _refused(line, f"this is no valid YAML: {error.problem or error.context}")
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        return _refused(line, f"the character U+{ord(text[error.position]):04X} may not stand in YAML")
    return YamlValue(node) if node is not None else _refused(1, "the file is empty")


def nearest(name: str, known: Sequence[str]) -> str:
    """What was likely meant, or all that there is."""
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]}?" if close else f"; there are {', '.join(known)}"


def _printable(text: str) -> str:
    """The text with escapes for what a terminal would obey: a file may come from anywhere."""
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


def _too_much(event: yaml.Event, depth: int) -> str:
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        return "anchors (&) and aliases (*) are not read: write the value out"
    if getattr(event, "tag", None):
        return f"tags such as {event.tag} are not read: leave it out"  # type: ignore[attr-defined]
    return "lists and tables stand too deep in one another" if depth > _DEEPEST else ""


def _refused(line: int, says: str) -> YamlValue:
    return YamlValue(yaml.ScalarNode("", ""), "", [Problem(line, "", says)])


def _kind(node: yaml.Node) -> str:
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    return (
        "a table" if isinstance(node, yaml.MappingNode) else _KINDS.get(node.tag.removeprefix(_TAG), "a text")
    )


def _shown(node: yaml.Node) -> str:
    return repr(node.value[:60]) if isinstance(node, yaml.ScalarNode) else _kind(node)
