"""What is answered at once, without a model: what an instruction says, and whether a text obeys it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from redraft.constraints import (
    Constraint,
    Finding,
    Findings,
    all_kinds,
    check,
    house_constraints,
    infeasible,
    looks_like_call,
    parse_call,
    read,
)
from redraft.errors import InputError
from redraft.metrics import score
from redraft.revision import SMALL, Understanding, understood_by
from redraft.settings import Settings
from redraft.text import is_english, list_lines
from redraft.workspace import requests
from redraft.workspace.requests import format_of


@dataclass(frozen=True)
class Wanted:
    """All that is asked of a text: what was read from the instruction, further constraints, the house's."""

    understood: Understanding
    own: tuple[Constraint, ...]
    house: tuple[Constraint, ...] = ()

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """All of them, each once."""
        return (*self.own, *self.house)

    def told(self, text: str, settings: Settings) -> dict[str, Any]:
        """What `--json` says beside the findings."""
        english_only: list[str] = []
        if not is_english(text):
            english_only = [one.call for one in self.constraints if one.english_only]
            if settings.spec_for("reviser") in SMALL:
                english_only += self.understood.wishes
        return {**self.understood.to_dict(), "english_only": english_only}

    def marked(self, report: dict[str, Any], findings: Findings) -> dict[str, Any]:
        """A report whose findings say whether they come from the house style."""
        rows = [{**finding_row(one), "house": one.constraint in self.house} for one in findings]
        return {**report, "findings": rows}


def wanted_of(instruction: str, calls: Iterable[str], settings: Settings, *, house: bool = False) -> Wanted:
    """What an instruction, calls and the house style ask for."""
    if looks_like_call(instruction):
        raise InputError("this is a call, not plain English: give it among the calls")
    understood = understood_by(settings, instruction)
    own = tuple(dict.fromkeys((*understood.instruction.constraints, *map(parse_call, calls))))
    found = house_constraints(settings.house, settings.origin("house")) if house else ()
    return Wanted(understood, own, tuple(one for one in found if one not in own))


def finding_row(finding: Finding) -> dict[str, Any]:
    """A finding for JSON; its places have names, and it says in English what is asked."""
    spans = [{"start": span.start, "end": span.end} for span in finding.spans]
    return {**finding.to_dict(), "spans": spans, "says": str(finding.constraint)}


def constraint_row(constraint: Constraint) -> dict[str, Any]:
    """A constraint for JSON."""
    return {**constraint.to_dict(), "says": str(constraint)}


def understood_row(understood: Understanding) -> dict[str, Any]:
    """What was read from an instruction, for JSON."""
    rows = [constraint_row(one) for one in understood.instruction.constraints]
    return {"constraints": rows, **understood.to_dict()}


def _by_rules(settings: Settings) -> Settings:
    """For what is answered at once: the process that answers loads no model."""
    return settings.model_copy(update={"reading": "rules"})


def parse_instruction(request: requests.Parse, settings: Settings) -> dict[str, Any]:
    """What is in an instruction."""
    return understood_row(
        wanted_of(request.instruction, (), _by_rules(request.settings(settings))).understood
    )


def check_text(request: requests.Check, settings: Settings) -> dict[str, Any]:
    """Whether a text obeys: what `redraft check --json` prints."""
    settings = _by_rules(request.settings(settings))
    wanted = wanted_of(request.instruction, request.calls, settings, house=request.house)
    constraints = [*wanted.own]
    constraints += [one for one in wanted.house if request.original is not None or not one.needs_original]
    if not constraints:
        raise InputError("nothing to check: there is no constraint in the instruction, and no call")
    counting, marked = settings.counting, format_of(settings, request.text)
    findings = check(request.text, constraints, original=request.original, counting=counting, format=marked)
    conflict = None
    if not findings.met:
        conflict = infeasible(constraints, original=request.original, counting=counting, format=marked)
    return {
        **wanted.marked(findings.to_dict(), findings),
        "infeasible": [conflict.to_dict()] if conflict else [],
        **wanted.told(request.text, settings),
    }


def find_conflicts(request: requests.Conflicts, settings: Settings) -> dict[str, Any]:
    """The constraints that no revision of a text can meet together."""
    settings = request.settings(settings)
    calls = (*request.calls, *requests.keeping(request.locked))
    wanted = wanted_of(request.instruction, calls, settings, house=request.house)
    conflict = infeasible(
        wanted.constraints,
        original=request.text,
        counting=settings.counting,
        format=format_of(settings, request.text),
    )
    return {"infeasible": [conflict.to_dict()] if conflict else []}


def list_sentences(request: requests.Sentences, settings: Settings) -> list[dict[str, Any]]:
    """The sentences of a text, as every command numbers them."""
    settings = request.settings(settings)
    reading = read(request.text, settings.counting, format_of(settings, request.text))
    return [
        {
            "number": sentence.counted,
            "start": sentence.start,
            "end": sentence.end,
            "text": sentence.text,
            "words": words,
            "paragraph": sentence.paragraph,
            "aside": sentence.aside,
        }
        for sentence, words in zip(reading.sentences, reading.sentence_words, strict=True)
    ]


def score_texts(request: requests.Score) -> dict[str, Any]:
    """Metrics of edited texts: what `redraft score --json` prints."""
    found = score(
        list(request.metrics),
        None if request.sources is None else list(request.sources),
        list(request.predictions),
        None if request.references is None else [list(row) for row in request.references],
        calls=None if request.calls is None else [list(row) for row in request.calls],
        counting=request.counting,
        resamples=request.resamples,
    )
    return {name: result.to_dict() for name, result in found.items()}


@cache
def list_kinds() -> tuple[dict[str, Any], ...]:
    """Every kind of constraint, for a menu: what it is, an example, and its arguments."""
    examples: dict[str, str] = {}
    for line in list_lines("redraft.constraints", "examples.txt"):
        examples.setdefault(line.partition("(")[0].strip(), line.strip())
    return tuple(_kind_row(name, kind, examples.get(name)) for name, kind in all_kinds().items())


def _kind_row(name: str, kind: type[Constraint], example: str | None) -> dict[str, Any]:
    summary = (kind.__doc__ or "").strip().partition("\n")[0]
    shown = parse_call(example) if example else None
    return {
        "kind": name,
        "summary": summary,
        "example": shown.call if shown else None,
        "says": str(shown) if shown else None,
        "arguments": _arguments(kind),
    }


def _arguments(kind: type[Constraint]) -> list[dict[str, Any]]:
    hints = get_type_hints(kind)
    found = []
    for one in fields(kind):
        hint = hints[one.name]
        choices = [each for each in get_args(hint) if isinstance(each, str)]
        row: dict[str, Any] = {"name": one.name, "type": _type_name(hint)}
        if get_origin(hint) is Literal:
            row["choices"] = choices
        if one.default is not MISSING:
            row["default"] = one.default
        found.append(row)
    return found


def _type_name(hint: Any) -> str:
    """How an argument is written: int, float, bool, str, or a list of one of them."""
    if get_origin(hint) is Literal:
        return "str"
    if get_origin(hint) is tuple:
        return f"list[{_type_name(get_args(hint)[0])}]"
    return hint.__name__ if isinstance(hint, type) else str(hint)
