"""Plans: what to do about each sentence, and what to ask of the embedded editor.

A plan comes from rules that need no model, from a user's file, or from a model; two plans can be merged, and
what a model read in the instruction that the parser did not is offered as further constraints.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Final, get_type_hints

from redraft.constraints import Constraint, figure, infeasible, parse_call, render, spelled
from redraft.editor import Kind, kind_of, read_phrasings
from redraft.errors import CallError, InputError
from redraft.quality import grammar_findings
from redraft.revision.draft import Draft, Unit
from redraft.revision.judging.scoring import Appraiser
from redraft.revision.records import Action, Candidate, Improvement, Reason
from redraft.revision.rewriting.edits import Edit, applied, sound
from redraft.revision.task import Task
from redraft.revision.tuning import AWKWARD, LONG_SENTENCE, REPEATED_WORD, SHORT_STYLE
from redraft.text import Document, Format, spellings

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
_ANY_ERROR: Final = re.compile(r"(?i)gramma|error|mistake|proofread")
"""What asks for all that can be corrected: the editor knows that by its own words best."""
_SHORTER: Final = "Make this more concise"
_QUOTED: Final = r"[“\"]([^“”\"]{1,200})[”\"]"
_INSTEAD: Final = re.compile(rf"{_QUOTED}\s*(?:→|->)\s*[“\"]([^“”\"]{{0,200}})[”\"]")
_WITHOUT: Final = re.compile(rf"\b(?:remove|cut|delete|drop|take out|leave out)\s+{_QUOTED}", re.I)
_MOST_REPLACEMENTS: Final = 6
"""Replacements that one advice may name."""
_LINE: Final = re.compile(r"\s*(?:sentence\s+)?\[?(\d{1,6})\]?\s*[:.)-]\s*(\S.*)", re.IGNORECASE)
_FIGURE: Final = re.compile(r"\d[\d,]*")
_WORD: Final = re.compile(r"[a-z]+")
_QUOTED_WORD: Final = re.compile(r"“([^”]+)”|\"([^\"]+)\"|(?<!\w)[‘']([^’']+)[’'](?!\w)")
_CALLED: Final = r"\b(?:words?|terms?|phrases?|expressions?|names?|keywords?)\s+"
"""What says that a word which follows is meant as such, though not quoted."""
_TIMES: Final = {"never": 0, "once": 1, "twice": 2, "thrice": 3}
_READ_CHARACTERS: Final = 600
"""Characters that are looked at: behind an instruction somebody may have pasted a text."""


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
        if count >= REPEATED_WORD and len(word) > 4
    ]
    if repeated:
        yield f"say “{repeated[0]}” less often"
    if surprise > AWKWARD * usual:
        yield "make it read more naturally"
    if max(reading.sentence_words, default=0) > LONG_SENTENCE and task.lengths.high > LONG_SENTENCE:
        yield "shorten it"


def places_to_improve(
    task: Task, draft: Draft, appraiser: Appraiser, share: float, sound: Collection[int] = ()
) -> set[int]:
    """The places to work on: those with errors, then the most awkward, up to a share of the words.

    The places of sentences that are `sound` are none of them. Who asks for corrections means every sentence,
    and who asks for bounds alone none that keeps them.
    """
    if task.is_bounds_alone:
        return set()
    units = enumerate(draft.units)
    free = [place for place, unit in units if unit.free and _worth_asking(unit) and place not in sound]
    if share >= 1 or task.kind == "correct":
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
    task: Task,
    draft: Draft,
    appraiser: Appraiser,
    *,
    variant: int,
    share: float,
    depth: int = 0,
    sound: Collection[int] = (),
) -> Action:
    """The plan of the rules; `variant` is how many other plans the same draft has."""
    ways = EDITS[task.kind]
    told = task.kind == "improve" or (task.kind == "correct" and _ANY_ERROR.search(task.style))
    if not told and 0 < len(task.style.split()) <= SHORT_STYLE:
        ways = (task.style, *ways)
    way = ways[(variant + depth) % len(ways)]
    shorter = len(task.read(draft.text).sentences) and _too_long(task, draft)
    chosen = places_to_improve(task, draft, appraiser, share, sound)
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
    return Action(_thought(task, draft, plan), planned_calls(task), tuple(plan))


def _too_long(task: Task, draft: Draft) -> bool:
    return task.read(draft.text).words > task.bounds("words").high


def planned_calls(task: Task) -> tuple[str, ...]:
    """The checks that the rules plan, as calls."""
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


def read_user_plan(plan: str, text: str, format: Format) -> Action:
    """A plan of lines like `3: say it shorter`; sentences without a line stay as they are."""
    document = Document(text, format)
    advice: dict[int, str] = {}
    for number, line in enumerate(plan.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise InputError(
                f"the plan, line {number}: write a sentence's number and advice, as in 3: say it shorter"
            )
        sentence = document.named(int(match[1]))
        advice[sentence.number] = match[2].strip()
    if not advice:
        raise InputError("the plan is empty: write lines like 3: say it shorter")
    improvements = (
        Improvement(one.number, one.text, advice.get(one.number, ""), advice.get(one.number, ""))
        for one in document.sentences
    )
    return Action("A person's plan.", (), tuple(improvements), "person")


def plan_for_units(
    action: Action, draft: Draft, document: Document, edit: Callable[[str], str] = lambda advice: advice
) -> Action:
    """A plan, which speaks of sentences, for the units that the sentences stand in."""
    places = units_of_sentences(draft, document)
    plan: list[Improvement] = []
    for place, unit in enumerate(draft.units):
        own = [one.advice for one in action.plan if one.advice and places.get(one.sentence) == place]
        advice = "; ".join(own)
        plan.append(Improvement(place + 1, unit.text, advice, edit(advice) if own else ""))
    return replace(action, plan=tuple(plan))


def units_of_sentences(draft: Draft, document: Document) -> dict[int, int]:
    """Which unit of a draft holds each sentence of its text."""
    standing = [(start, place) for place, start in enumerate(draft.starts) if start is not None]
    starts = [start for start, _ in standing]
    found = ((sentence.number, bisect_right(starts, sentence.start) - 1) for sentence in document.sentences)
    return {number: standing[index][1] for number, index in found if index >= 0}


def merge_plans(rules: Action, said: Action, draft: Draft, document: Document, *, leading: bool) -> Action:
    """The plan of the rules with a model's advice, which adds to it; the calls are those of the rules.

    Where both ask something of the editor, the model is followed if it is `leading`; but what a constraint
    needs is for the rules to say.
    """
    if not any(one.advice for one in said.plan):
        return rules
    plan: list[Improvement] = []
    told = plan_for_units(said, draft, document, editor_request).plan
    for unit, one, other in zip(draft.units, rules.plan, told, strict=True):
        if unit.free and other.advice:
            edit = other.edit if leading and not unit.altered else one.edit or other.edit
            needs = one.advice if one.advice != one.edit else ""
            plan.append(replace(one, advice="; ".join(filter(None, (needs, other.advice))), edit=edit))
        else:
            plan.append(one)
    return replace(rules, plan=tuple(plan), by=f"{rules.by} and {said.by}")


def editor_request(advice: str) -> str:
    """What to ask of the editor for an advice: the words it begins with, or what it seems to be about."""
    low = advice.casefold()
    for request in _requests():
        if low.startswith(request) and not low[len(request) : len(request) + 1].isalnum():
            return advice[: len(request)]
    return EDITS[kind_of(advice)][0]


@cache
def _requests() -> tuple[str, ...]:
    """What the editor knows to do, the longest wordings first."""
    trained = (line for parts in read_phrasings().values() for line in parts["training"])
    ours = (line for lines in EDITS.values() for line in lines)
    return tuple(sorted({line.casefold() for line in (*ours, *trained)}, key=lambda line: (-len(line), line)))


def apply_advice(text: str, advice: str, by: str) -> list[Candidate]:
    """A sentence after the replacements that an advice names: all of them, then each alone.

    One is only made where what it replaces stands in the sentence once; and what is left must be a sentence.
    """
    named = [*_INSTEAD.findall(advice), *((found, "") for found in _WITHOUT.findall(advice))]
    edits: list[Edit] = []
    for old, new in named[:_MOST_REPLACEMENTS]:
        found = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", text)]
        if len(found) == 1 and not any(edit.start < found[0][1] and found[0][0] < edit.end for edit in edits):
            edits.append(Edit(*found[0], new))
    tried = [edits, *([edit] for edit in edits)] if len(edits) > 1 else [edits]
    made = dict.fromkeys(applied(text, some) for some in tried if some)
    whole = (new for new in made if new != text and len(new.split()) > 1 and sound(text, new))
    return [Candidate(new, by, (Reason("request", detail=advice),)) for new in whole]


def suggested_constraints(task: Task, calls: Iterable[str]) -> tuple[Constraint, ...]:
    """The constraints of a model's calls that say what the rules found no sense in.

    The rules' reading stands. A call counts only where each of its numbers and words is one that the rules
    left over, and where it goes with all that they read.
    """
    left = task.style[:_READ_CHARACTERS]
    numbers = _numbers(left)
    found: list[Constraint] = []
    for call in calls:
        try:
            constraint = parse_call(call, len(task.before.counted))
        except CallError:
            continue  # a tool that checks nothing
        known = (*task.constraints, *found)
        if constraint not in known and _says_only(constraint, numbers, left):
            conflict = infeasible(
                (*known, constraint), original=task.original, counting=task.counting, format=task.format
            )
            if conflict is None:
                found.append(constraint)
    return tuple(found)


def leaves_over(task: Task) -> bool:
    """Whether the rules left a number or a word over, of which a model's calls might make sense."""
    left = task.style[:_READ_CHARACTERS]
    named = _QUOTED_WORD.search(left) or re.search(rf"{_CALLED}\w", left, re.I)
    return bool(_numbers(left)) or named is not None


def _numbers(left: str) -> set[float]:
    """The numbers in the part that is no constraint, in figures or words."""
    rest = _QUOTED_WORD.sub(" ", left)
    numbers = {value for match in _FIGURE.findall(rest) if (value := figure(match.strip(","))) is not None}
    spoken = _WORD.findall(rest.casefold())
    numbers |= {_TIMES[word] for word in spoken if word in _TIMES}
    place = 0
    while place < len(spoken):
        number = spelled(spoken[place:])
        if number is not None:
            numbers.add(number[0])
        place += number[1] if number is not None else 1
    return numbers


def _named(keyword: str, left: str) -> bool:
    """Whether a word is quoted there, or called a word."""
    quoted = {next(filter(None, match.groups())).casefold() for match in _QUOTED_WORD.finditer(left)}
    called = re.search(rf"{_CALLED}{re.escape(keyword)}(?!\w)", left, re.I)
    return keyword.casefold() in quoted or called is not None


def _says_only(constraint: Constraint, numbers: set[float], left: str) -> bool:
    """Whether a constraint says something, and only with these: a count may be one off, as in "at most 9"."""
    hints = get_type_hints(type(constraint))
    near = {number + off for number in numbers for off in (-1, 0, 1)}
    said: list[bool] = []
    for field in fields(constraint):
        value = getattr(constraint, field.name)
        if isinstance(value, tuple):
            said += [each in numbers for each in value]
        elif isinstance(value, int | float):
            said.append(value in near)
        elif hints[field.name] is str:
            said.append(_named(value, left))
    return bool(said) and all(said)
