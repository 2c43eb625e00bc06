"""A plan without a model: what each sentence suffers from, said in words, and what to ask of the editor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from redraft.constraints import render
from redraft.editor import Kind
from redraft.quality import grammar_findings
from redraft.revision.appraisal import Appraiser
from redraft.revision.base import Action, Improvement
from redraft.revision.draft import Draft, Unit
from redraft.revision.task import Task
from redraft.text import spellings

# What to ask of the editor, by what the instruction asks for: the first plan of a node asks the first, and so
# on. The words are those that the editor was trained on.
EDITS: Final[Mapping[Kind, tuple[str, ...]]] = {
    "correct": ("Correct the spelling, grammar and punctuation", "Fix the grammar", "Proofread this"),
    "simplify": ("Rewrite this in simple English", "Use easier words", "Split this long sentence"),
    "paraphrase": ("Rephrase the sentence below", "Say it differently", "Put this in different words"),
    "neutralise": ("Make it neutral", "Remove biased language", "Rewrite from a neutral point of view"),
    "update": (
        "Update this text using the references",
        "Add the information from the references",
        "Update this",
    ),
    "improve": ("Fix the grammar", "Make it clearer", "Improve the fluency of this sentence"),
}
_SHORTER: Final = "Make this more concise"
_AWKWARD: Final = 1.15
"""A passage is awkward from so many times the usual surprise on."""
_LONG: Final = 35
_SHORT_STYLE: Final = 12
"""Words of a style that the editor is told as it is."""
_REPEATED: Final = 3


def diagnosis(task: Task, unit: Unit, surprise: float, usual: float) -> Iterator[str]:
    """What a unit suffers from, the constraints first."""
    reading = task.read(unit.text)
    for keyword in task.banned:
        if reading.uses(keyword):
            yield f"replace or cut “{keyword}”"
    for count in reading.sentence_words:
        if count > task.lengths.high:
            yield f"bring {count} words down to at most {task.lengths.high:g}, by a split or a cut"
        elif count < task.lengths.low:
            yield f"bring {count} words up to at least {task.lengths.low:g}, or join it with its neighbour"
    if unit.altered:
        yield "say it in another way"
    for found in grammar_findings(unit.text, task.format)[:3]:
        instead = f"; perhaps “{found.suggestions[0]}”" if found.suggestions else ""
        yield f"mend “{unit.text[found.start : found.end]}”{instead}"
    repeated = [
        word
        for word, count in Counter(word.lower() for word in spellings(unit.text)).items()
        if count >= _REPEATED and len(word) > 4
    ]
    if repeated:
        yield f"say “{repeated[0]}” less often"
    if surprise > _AWKWARD * usual:
        yield "make it read more naturally"
    if max(reading.sentence_words, default=0) > _LONG and task.lengths.high > _LONG:
        yield "shorten it"


def needy(task: Task, draft: Draft, appraiser: Appraiser, share: float) -> set[int]:
    """The places to work on: those with errors, then the most awkward, up to a share of the words."""
    free = [place for place, unit in enumerate(draft.units) if unit.free and _worth_asking(unit)]
    if share >= 1:
        return set(free)

    def need(place: int) -> tuple[bool, float]:
        text = draft.units[place].text
        return bool(grammar_findings(text, task.format)), appraiser.surprise(text)

    most = share * sum(len(unit.text.split()) for unit in draft.units)
    chosen: set[int] = set()
    taken = 0
    for place in sorted(free, key=need, reverse=True):
        size = len(draft.units[place].text.split())
        if taken + size <= most or not chosen:
            chosen.add(place)
            taken += size
    return chosen


def _worth_asking(unit: Unit) -> bool:
    return 4 <= len(unit.text.split()) <= 120


def rule_plan(
    task: Task, draft: Draft, appraiser: Appraiser, *, variant: int, share: float, depth: int = 0
) -> Action:
    """The plan of the rules; `variant` is how many other plans the same draft has."""
    ways = EDITS[task.kind]
    if task.kind != "improve" and 0 < len(task.style.split()) <= _SHORT_STYLE:
        ways = (task.style, *ways)
    way = ways[(variant + depth) % len(ways)]
    shorter = len(task.read(draft.text).sentences) and _too_long(task, draft)
    chosen = needy(task, draft, appraiser, share)
    plan: list[Improvement] = []
    for place, unit in enumerate(draft.units):
        surprise = appraiser.surprise(unit.text) if unit.text.strip() else 0.0
        found = [] if unit.kept or not unit.text else list(diagnosis(task, unit, surprise, appraiser.usual))
        edit = way if place in chosen else ""
        if unit.altered and unit.free:
            edit = EDITS["paraphrase"][variant % 3]
        if edit and shorter and variant % 2:
            edit = _SHORTER
        plan.append(Improvement(place + 1, unit.text, "; ".join(found) or edit, edit))
    return Action(_thought(task, draft, plan), _calls(task), tuple(plan))


def _too_long(task: Task, draft: Draft) -> bool:
    return task.read(draft.text).words > task.bounds("words").high


def _calls(task: Task) -> tuple[str, ...]:
    return ("text_eval()", "detect_keyword()", *(constraint.call for constraint in task.constraints))


def _thought(task: Task, draft: Draft, plan: Sequence[Improvement]) -> str:
    findings = task.check(draft.text)
    wrong = [finding.message for finding in findings if not finding.met]
    asked = f"Asked for: {render(task.constraints)} " if task.constraints else ""
    state = f"Not met yet: {'; '.join(wrong)}." if wrong else "Every constraint is met."
    busy = sum(bool(one.advice) for one in plan)
    stay = sum(unit.kept != () for unit in draft.units)
    kept = f" {stay} must stay as they are." if stay else ""
    return f"{asked}{state} {busy} of {len(plan)} sentences can be improved.{kept}"
