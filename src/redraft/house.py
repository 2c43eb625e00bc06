"""The house style of a project: constraints that always hold for its texts, as a file has them.

It stands under `[house]` in redraft.toml (or `[tool.redraft.house]` in pyproject.toml), or in a file of its
own that is named with `--house`:

    [house]
    spelling = "british"
    constraints = ["Avoid em dashes.", 'sentence_length_check(40, "at most")']

    [house.terms]                       # what is written, and in the place of what
    use = ["utilise", "make use of"]

    [house.limits]                      # at most
    sentence_words = 40

What its sentences and calls mean, `redraft.constraints.house_constraints` says.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from redraft.errors import SettingsError
from redraft.project import NAMES, read_project_file


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


_Words = Annotated[tuple[str, ...], BeforeValidator(_listed)]
_Most = Annotated[int | None, Field(ge=1)]


class Limits(BaseModel):
    """The most that a text, a sentence or a paragraph may have."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    words: _Most = None
    sentences: _Most = None
    paragraphs: _Most = None
    characters: _Most = None
    sentence_words: _Most = None
    paragraph_words: _Most = None
    paragraph_sentences: _Most = None
    reading_grade: _Most = None


class House(BaseModel):
    """A house style as it is written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    constraints: _Words = ()
    """Calls, or sentences in English."""
    terms: dict[str, _Words] = Field(default_factory=dict)
    """What is written, and the words in whose place it stands."""
    spelling: Literal["british", "american", "oxford"] | None = None
    limits: Limits = Limits()

    def __str__(self) -> str:
        given = {name: getattr(self, name) for name in type(self).model_fields}
        return ", ".join(name for name, value in given.items() if value and value != Limits()) or "none"


def read_house(path: Path) -> House:
    """The house style in a file: its table `[house]`, or all of it where there is none."""
    file = read_project_file(path)
    table = file.table if file else {}
    try:
        return House.model_validate(table.get("house", {} if path.name in NAMES else table))
    except ValidationError as error:
        raise SettingsError("\n".join(f"{path}: {line}" for line in explain_house(error))) from None


def explain_house(error: ValidationError, *, is_within: bool = False) -> list[str]:
    """What is wrong with a house style, a line each; `is_within` where it is a field of what was read."""
    lines = []
    for problem in error.errors(include_url=False):
        if is_within and problem["loc"][0] != "house":
            continue
        *above, name = [str(part) for part in problem["loc"][is_within:]] or [""]
        key = ".".join(["house", *above, name]).rstrip(".")
        if problem["type"] == "extra_forbidden":
            known = (Limits if above == ["limits"] else House).model_fields
            lines.append(f"there is no {key}; there are: {', '.join(known)}")
        else:
            lines.append(f"{key}: {problem['msg']}, not {problem['input']!r}")
    return lines
