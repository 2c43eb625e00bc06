"""Other ways to say one sentence of a text, for a person to choose from."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from redraft.constraints import (
    Bounds,
    Constraint,
    Exact,
    Finding,
    Instruction,
    Lacks,
    Marks,
    Occurs,
    Reading,
    house_constraints,
    parse,
    parse_call,
    read,
    render,
)
from redraft.editor import tidied
from redraft.errors import InputError
from redraft.models import Message, Model, Models, Prompts, Request, trust_of
from redraft.revision import running
from redraft.revision.asking.answers import LONGEST_ANSWER, is_revision, numbered_lines, restore_line_breaks
from redraft.revision.asking.requests import request_text, shown
from redraft.revision.asking.reviser import is_usable, room_for
from redraft.revision.choosing.candidates import OptionMaker
from redraft.revision.choosing.needs import Needs
from redraft.revision.corrections.suggestions import corrections
from redraft.revision.draft import WRITER, Draft, Option, Unit, conform_candidate
from redraft.revision.editing.answers import shorter_value
from redraft.revision.editing.editor import ControlProposer, EditorProposer
from redraft.revision.first.replacing import BY as REPLACEMENT, Replaced
from redraft.revision.judging.facts import FactCheck
from redraft.revision.judging.verdicts import Verdict, Verdicts
from redraft.revision.records import Action, Candidate, Improvement, Reason, explained
from redraft.revision.rewriting.cuts.compressions import trims
from redraft.revision.search.plans import EDITS, apply_advice
from redraft.revision.strategies.guard import Guard
from redraft.revision.task import GOALS, Task
from redraft.revision.tuning import BOUND, GOAL, PROPOSED, SHORT_STYLE, TRIMS_TRIED
from redraft.revision.wishes.understanding import SMALL, read_instruction
from redraft.settings import Settings, load_settings
from redraft.text import Format, Sentence, guess_format, mask, similarity

MOST: Final = 10
"""Alternatives that can be asked for."""
_OTHER_WORDS: Final = "other words for the same"
_PLAIN_WAYS: Final = ("Rephrase the sentence below", "Make it clearer", "Make this more concise")
"""What the editor is asked where nobody says what the sentence lacks."""
_SAMPLES: Final = 2
_TEMPERATURE: Final = 0.7
_ALIKE: Final = 0.9
"""The share of words in common from which on two alternatives are no choice."""
_NEIGHBOUR: Final = 400
"""Characters of the sentence before and of the one after that a model is shown."""
_prompt: Final = Prompts(__package__)


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another way to say a sentence, what the judge says of it, and what it does to the whole text."""

    text: str
    by: str
    """`editor`, the spec of a model, or the rule that made it."""
    why: str
    sound: float
    """That it is good English, 0 to 1."""
    same: float
    """That it says what the sentence says, 0 to 1."""
    met: bool
    """Whether the whole text with it meets every constraint."""
    findings: tuple[Finding, ...] = ()
    """The constraints that the text meets now, and would not with it."""
    unfollowed: tuple[Finding, ...] = ()
    """What the advice asks of the sentence that can be checked, and is not so."""
    broken: bool = False
    """Whether it reads badly or says something else: such a one is given only where there is no other."""

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "text": self.text,
            "by": self.by,
            "why": self.why,
            "sound": self.sound,
            "same": self.same,
            "met": self.met,
            "findings": [finding.to_dict() for finding in self.findings],
            "unfollowed": [finding.to_dict() for finding in self.unfollowed],
            "broken": self.broken,
        }


def find_alternatives(
    text: str,
    number: int,
    *,
    settings: Settings | None = None,
    advice: str = "",
    constraints: Iterable[Constraint | str] = (),
    instruction: str = "",
    original: str | None = None,
    n: int = 3,
    format: Format | None = None,
) -> tuple[Alternative, ...]:
    """What `alternatives` gives, with the models and the house style of the settings."""
    chosen = settings or load_settings()
    house = house_constraints(chosen.house, chosen.origin("house"))

    async def run() -> tuple[Alternative, ...]:
        async with Models(chosen) as models:
            return await alternatives(
                text,
                number,
                models=models,
                advice=advice,
                constraints=[*constraints, *house],
                instruction=instruction,
                original=original,
                n=n,
                format=format,
            )

    return asyncio.run(run())


async def alternatives(
    text: str,
    number: int,
    *,
    models: Models,
    advice: str = "",
    constraints: Iterable[Constraint | str] = (),
    instruction: str = "",
    original: str | None = None,
    n: int = 3,
    format: Format | None = None,
) -> tuple[Alternative, ...]:
    """Up to `n` other ways to say a sentence, which is numbered as `redraft sentences` does, best first.

    `advice` is an instruction for this sentence alone ("shorter", "without 'leverage'"); where there is none,
    the style of the instruction is. The constraints, and those of the instruction, are for the whole text,
    which is compared with the `original` where they compare. What the judge calls broken is left out unless
    there is nothing else; a model that is trusted is refused for facts alone. The embedded editor and the
    rules know English: for a sentence in another language there are alternatives of another model only.
    """
    if not 1 <= n <= MOST:
        raise InputError(f"from 1 to {MOST} alternatives can be asked for, not {n}")
    settings = models.settings
    marked = format or (guess_format(text) if settings.format == "auto" else settings.format)
    asked = await asyncio.to_thread(read_instruction, instruction, settings) if instruction.strip() else None
    given = [parse_call(one) if isinstance(one, str) else one for one in constraints]
    whole = Task.of(original or text, asked, given, counting=settings.counting, format=marked)
    reading = read(text, settings.counting, marked)
    place = Place(whole, reading, _named(reading, number))
    task = place.task(advice, asked)
    reviser = models.for_role("reviser")
    if reviser.spec not in SMALL:
        made = await _by_model(place, task, reviser, n)
    else:
        made = await _by_editor(task, reviser) if task.is_english else []
    made = place.distinct(made)
    verdicts = Verdicts(running.open_judge(models), text, marked)
    facts = FactCheck(task) if trust_of(reviser.spec, settings.trust) == "high" else None
    found = [
        (place.alternative(option.candidate, task, verdict, same, facts), option)
        for option, verdict, same in zip(made, *await _judged(verdicts, place.own, made), strict=True)
    ]
    unbroken = [pair for pair in found if not pair[0].broken]
    ranked = sorted(unbroken or found, key=lambda pair: _rank(*pair, is_trusted=facts is not None))
    return tuple(_apart([one for one, _ in ranked])[:n])


def _rank(one: Alternative, option: Option, *, is_trusted: bool) -> tuple[bool, int, float, bool, float]:
    """What keeps the constraints comes first, then what was asked for, then what reads best.

    Those of a model that is trusted stand in its own order.
    """
    merit = 0.0 if is_trusted else one.sound * one.same
    distance = sum(finding.distance for finding in one.unfollowed)
    return not one.met, len(one.findings), distance, option.value < BOUND, -merit


def _named(reading: Reading, number: int) -> Sentence:
    sentences = reading.counted
    if not 1 <= number <= len(sentences):
        raise InputError(f"sentence {number} is named, but the text has {len(sentences)} sentences")
    return sentences[number - 1]


class Place:
    """A sentence where it stands, in a text that has constraints."""

    def __init__(self, whole: Task, reading: Reading, sentence: Sentence) -> None:
        self.whole = whole
        self._text = reading.text
        self._sentences = reading.sentences
        self._sentence = sentence
        self.own = reading.text[sentence.start : sentence.end]
        self._now = whole.check(reading.text)

    def task(self, advice: str, asked: Instruction | None) -> Task:
        """What is asked of the sentence: the advice, and what every sentence of the text must be."""
        whole = self.whole
        told = parse(advice) if advice.strip() else None
        style = told.style if told else asked.style if asked else ""
        bounds = [one for one in whole.constraints if _is_for_each(one, whole.before)]
        return Task(
            self.own,
            [*(told.constraints if told else ()), *bounds],
            instruction=advice,
            style=style,
            counting=whole.counting,
            format=whole.format,
        )

    def distinct(self, options: Iterable[Option]) -> list[Option]:
        """The options as the conventions want them, each text once, without the sentence itself."""
        found: dict[str, Option] = {}
        for option in options:
            made = conform_candidate(self.whole, option.candidate)
            if made.text.strip() and made.text.split() != self.own.split():
                found.setdefault(made.text, replace(option, candidate=made))
        return list(found.values())

    def neighbour(self, step: int) -> str:
        """The sentence before (-1) or after (1) it."""
        index = self._sentence.number - 1 + step
        if not 0 <= index < len(self._sentences):
            return ""
        return shown(self._sentences[index].text, _NEIGHBOUR)

    def alternative(
        self, made: Candidate, task: Task, verdict: Verdict, same: float, facts: FactCheck | None
    ) -> Alternative:
        """A candidate with what is said of it; whether it is broken by the facts, where these decide."""
        text, sentence = self._text, self._sentence
        findings = self.whole.check(text[: sentence.start] + made.text + text[sentence.end :])
        lost = (new for old, new in zip(self._now, findings, strict=True) if old.met and not new.met)
        told = (one for one in task.check(made.text) if one.constraint not in self.whole.constraints)
        if facts is None:
            broken = verdict.broken or verdict.reversed
        else:
            broken = bool(facts.objections_to(self.own, made.text))
        return Alternative(
            made.text,
            made.by,
            explained(made.why),
            verdict.soundness,
            same,
            findings.met,
            tuple(lost),
            tuple(one for one in told if not one.met),
            broken,
        )


def _is_for_each(constraint: Constraint, original: Reading) -> bool:
    """Whether a constraint of a text holds for each of its sentences as well."""
    if isinstance(constraint, Exact):
        return True
    demands = list(constraint.demands(original))
    return bool(demands) and all(
        isinstance(demand, Lacks)
        or (isinstance(demand, Marks | Occurs) and demand.allowed.high <= 0)
        or (isinstance(demand, Bounds) and demand.quantity == "words in a sentence")
        for demand in demands
    )


async def _judged(verdicts: Verdicts, own: str, made: Sequence[Option]) -> tuple[list[Verdict], list[float]]:
    """What the judge says of each candidate, and how surely it says the same, what is broken too."""
    pairs = [(own, one.candidate.text) for one in made]
    return await verdicts.of(pairs, complete=True), await verdicts.sameness(pairs)


def _apart(ranked: Sequence[Alternative]) -> list[Alternative]:
    """The same, those that are hardly another choice after the others."""
    first: list[Alternative] = []
    for one in ranked:
        if all(similarity(one.text, other.text) < _ALIKE for other in first):
            first.append(one)
    return [*first, *(one for one in ranked if one not in first)]


async def _by_editor(task: Task, model: Model) -> list[Option]:
    """What the editor and the rules make of a sentence."""
    draft = Draft((Unit(task.original, "", task.original),), "")
    controls = ControlProposer(task, model, samples=_SAMPLES)
    proposer = EditorProposer(task, model, samples=_SAMPLES, value=PROPOSED)
    proposed = await asyncio.gather(
        controls.propose(draft, seed=0),
        *(proposer.propose(draft, _plan(task, way), seed=0) for way in _ways(task)),
    )
    ruled = await asyncio.to_thread(lambda: list(_by_rule(task, draft)))
    made = [*(option for options in proposed for option in options), *ruled]
    found = Guard(task, draft).sure(made, quoted=True)
    if "concise" in task.wishes:
        found = [one for one in found if task.read(one.candidate.text).words < task.before.words]
    return found


def _ways(task: Task) -> tuple[str, ...]:
    """What the editor is asked in words, beside its controls."""
    if task.wishes:
        return ()
    if task.kind in (*GOALS, "correct"):
        own = (task.style,) if 0 < len(task.style.split()) <= SHORT_STYLE else ()
        return (*own, *EDITS[task.kind])
    return () if task.is_bounds_alone else _PLAIN_WAYS


def _plan(task: Task, way: str) -> Action:
    return Action("", (), (Improvement(1, task.original, way, way),))


def _by_rule(task: Task, draft: Draft) -> Iterator[Option]:
    """What needs no model: what the bounds call for, corrections, and what wordy phrases leave."""
    own = task.original
    replaced = Replaced(task).text
    if replaced != own:
        yield Option(
            0, 1, Candidate(replaced, REPLACEMENT, (Reason("request", detail=task.instruction),)), GOAL
        )
    for option in OptionMaker(task).options(draft, Needs.of(task, own)):
        if option.candidate.by != WRITER and option.candidate.text:
            yield option
    if mask(own, task.format).pieces:
        return
    for one in apply_advice(own, task.instruction, "person"):
        yield Option(0, 1, one, GOAL)
    for one in trims(own)[:TRIMS_TRIED]:
        yield Option(0, 1, one, shorter_value(own, one.text) if "concise" in task.wishes else PROPOSED)
    if not task.is_bounds_alone:
        yield from (Option(0, 1, one, PROPOSED) for one in corrections(own))


async def _by_model(place: Place, task: Task, model: Model, count: int) -> list[Option]:
    """What a model answers that can be told what to do: it is asked once, for all."""
    whole = place.whole
    rules = whole.instruction or render(whole.constraints)
    before, after = place.neighbour(-1), place.neighbour(1)
    request = _prompt(
        "alternatives",
        count=count,
        advice=request_text(task.instruction or task.style or _OTHER_WORDS),
        rules=f"What the whole text must be: {shown(rules)}\n" if rules else "",
        before=f"Before it stands: {before}\n" if before else "",
        text=shown(place.own),
        after=f"After it stands: {after}\n" if after else "",
    )
    size = count * len(place.own)
    (completion,) = await model.complete(
        Request((Message("user", request),), max_tokens=room_for(size), temperature=_TEMPERATURE)
    )
    if not is_revision(completion, place.own):
        return []
    held = Counter(mask(place.own, task.format).pieces)
    why = (Reason("request", detail=task.instruction.strip() or task.style or _OTHER_WORDS),)
    made: list[Option] = []
    for _, line in numbered_lines(completion.text[:LONGEST_ANSWER]):
        new = restore_line_breaks(tidied(line, place.own), place.own)
        if is_usable(new, place.own) and Counter(mask(new, task.format).pieces) == held:
            made.append(Option(0, 1, Candidate(new, model.spec, why), GOAL))
    return made
