"""What a command is asked for: an instruction, calls, a house style; what is not understood is said first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from redraft.cli.console import note
from redraft.cli.options import warn_unless_english
from redraft.constraints import Constraint, Findings, house_constraints, looks_like_call, parse_call
from redraft.errors import InputError
from redraft.revision import SMALL, Understanding, understood_by
from redraft.settings import Settings
from redraft.text import is_english, language


def check_instruction(instruction: str) -> None:
    """Raise where a call stands in the place of an instruction."""
    if looks_like_call(instruction):
        raise InputError("this is a call, not plain English: give it with -c")


def understood(instruction: str, settings: Settings) -> Understanding:
    """An instruction as it is understood; what is not is said, or with `strict` raised, before any work."""
    check_instruction(instruction)
    warn_unless_english(instruction, "the instruction does not look English, the one language that is read")
    found = understood_by(settings, instruction)
    if settings.strict:
        found.require()
    for one in found.not_understood:
        note(f"not understood, so nothing acts on it: {one}", "yellow")
    return found


@dataclass(frozen=True)
class Asked:
    """All that is asked of one text."""

    instruction: Understanding
    calls: tuple[Constraint, ...]
    settings: Settings

    @classmethod
    def of(cls, instruction: str, calls: Sequence[str], settings: Settings) -> Asked:
        """The instruction and the calls of a command, with the house style of its settings."""
        return cls(understood(instruction, settings), tuple(map(parse_call, calls)), settings)

    @cached_property
    def own(self) -> tuple[Constraint, ...]:
        """The constraints of the command itself, each once."""
        return tuple(dict.fromkeys((*self.instruction.instruction.constraints, *self.calls)))

    @cached_property
    def house(self) -> tuple[Constraint, ...]:
        """Those that the house style adds."""
        found = house_constraints(self.settings.house, self.settings.origin("house"))
        return tuple(constraint for constraint in found if constraint not in self.own)

    def english_only(self, text: str, file: str = "") -> list[str]:
        """What is for English alone, where a text is in another language: said, or with `strict` raised.

        A `file` that is one of many is named.
        """
        if is_english(text):
            return []
        found = [one.call for one in (*self.own, *self.house) if one.english_only]
        if self.settings.spec_for("reviser") in SMALL:
            found += self.instruction.wishes
        told = f"{file}: " * bool(file)
        told += f"for English alone, and the text looks like {language(text) or 'another language'}"
        if found and self.settings.strict:
            raise InputError(f"{told}, and strict, so nothing was done: {'; '.join(found)}")
        for one in found:
            note(f"{told}: {one}", "yellow")
        return found

    def warn_of_rules(self, text: str) -> None:
        """Say that no sentence is rewritten where neither rules nor editor know the language of a text."""
        if not is_english(text) and self.settings.spec_for("reviser") in SMALL:
            note(
                "the embedded editor and the rules that cut, divide and join sentences are for English alone:"
                " what needs them stays unmet, unless --model names another model",
                "yellow",
            )

    def told(self, english_only: Sequence[str] = ()) -> dict[str, Any]:
        """What `--json` says beside the findings."""
        return {
            **self.instruction.to_dict(),
            "english_only": list(english_only),
        }

    def marked(self, report: dict[str, Any], findings: Findings) -> dict[str, Any]:
        """A report whose findings say whether they come from the house style."""
        rows = zip(report["findings"], findings, strict=True)
        return {**report, "findings": [{**row, "house": one.constraint in self.house} for row, one in rows]}
