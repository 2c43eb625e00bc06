"""Simplify a text by a policy, under constraints: every sentence in several versions, the best text of them.

What may stand for a sentence comes from the engine with the embedded editor, or from a model that is told the
policy. Which of it does is chosen as in a revision, so constraints hold here too.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from redraft.constraints import Conflict, Constraint, Findings, infeasible, parse_call
from redraft.errors import FATAL, InputError, ModelError
from redraft.models import Models, run_all, run_until
from redraft.quality import EmbeddedQuality
from redraft.revision import (
    GOAL,
    LONGEST,
    SMALL,
    WRITER,
    Appraiser,
    Candidate,
    Draft,
    Effort,
    Option,
    Reason,
    Repair,
    Task,
    Unit,
    explained,
    read_instruction,
    relax_constraints,
)
from redraft.settings import Settings, load_settings
from redraft.simplification import tuning
from redraft.simplification.engine import Engine
from redraft.simplification.policy import Policy
from redraft.simplification.policy_files import load_policy, policy_names, policy_text
from redraft.simplification.simplification import Passage, Replaced, Simplification, read_simplification
from redraft.simplification.simplifiers import EngineSimplifier, ModelSimplifier, request_maker
from redraft.text import Document, Format, guess_format, mask

ANSWERS: Final[Mapping[Effort, int]] = {"low": 0, "medium": 8, "high": 16}
"""How many answers of the editor add to what the engine knows."""


def simplify(
    text: str,
    policy: Policy | str = "lexical",
    constraints: Iterable[Constraint | str] = (),
    *,
    instruction: str = "",
    settings: Settings | None = None,
    effort: Effort = "medium",
    format: Format | None = None,
    best_effort: bool = False,
) -> Simplification:
    """Simplify a text by a policy, given as such, by its name, or by the path of its YAML file."""
    chosen = settings or load_settings()
    if chosen.server:
        from redraft.remote import model_of, run_on_server  # noqa: PLC0415  few ask a server

        body = {
            "text": text,
            "instruction": instruction,
            "calls": [one.call for one in _constraints(constraints)],
            "effort": effort,
            "best_effort": best_effort,
            "counting": chosen.counting,
            "format": format or (None if chosen.format == "auto" else chosen.format),
            "model": model_of(chosen),
        }
        if isinstance(policy, Policy):
            raise InputError("a server is told a policy by its name or its file, not as an object")
        named = {"policy": policy} if policy in policy_names() else {"own_policy": policy_text(policy)}
        return read_simplification(*run_on_server(chosen, "/v1/simplify", {**body, **named}))

    async def run() -> Simplification:
        async with Models(chosen) as models:
            return await asimplify(
                text,
                policy,
                constraints,
                models=models,
                instruction=instruction,
                effort=effort,
                format=format,
                best_effort=best_effort,
            )

    return asyncio.run(run())


async def asimplify(
    text: str,
    policy: Policy | str = "lexical",
    constraints: Iterable[Constraint | str] = (),
    *,
    models: Models,
    instruction: str = "",
    effort: Effort = "medium",
    format: Format | None = None,
    best_effort: bool = False,
    scored: bool = True,
    seed: int = 0,
    done: Callable[[int, int], None] = lambda _done, _all: None,
    stop: asyncio.Event | None = None,
) -> Simplification:
    """The same with models that are open; `done` hears how many sentences are, `stop` ends the work early."""
    if effort not in ANSWERS:
        raise InputError(f"unknown effort {effort!r}; use {', '.join(ANSWERS)}")
    if len(text) > LONGEST:
        raise InputError(
            f"the text has {len(text):,} characters, and at most {LONGEST:,} can be simplified at once; "
            "simplify it in parts, such as chapter by chapter"
        )
    if not any(character.isalnum() for character in text):
        raise InputError("there is nothing to simplify: the text has no words")
    by = load_policy(policy) if isinstance(policy, str) else policy
    settings = models.settings
    asked = await asyncio.to_thread(read_instruction, instruction, settings) if instruction.strip() else None
    if asked is not None and asked.style:
        raise InputError(f"not a constraint, and a policy says how to simplify: {asked.style}")
    task = Task.of(
        text,
        asked,
        [*_constraints(constraints), *_constraints(by.calls)],
        counting=settings.counting,
        format=format or (guess_format(text) if settings.format == "auto" else settings.format),
    )
    run = SimplifyRun(task, by, models.with_own_ledger(), effort, seed)
    started = time.monotonic()
    found = await run.simplification(best_effort, scored, done, stop or asyncio.Event())
    usage = replace(run.models.ledger.total, seconds=time.monotonic() - started)
    return replace(found, usage=usage)


def _constraints(given: Iterable[Constraint | str]) -> list[Constraint]:
    return [parse_call(one) if isinstance(one, str) else one for one in given]


class SimplifyRun:
    """One simplification under way."""

    def __init__(self, task: Task, policy: Policy, models: Models, effort: Effort, seed: int) -> None:
        self.models = models
        self._task = task
        self._policy = policy
        model = models.for_role("reviser")
        self._simplifier: EngineSimplifier | ModelSimplifier = ModelSimplifier(model, policy, seed)
        if model.spec in SMALL:
            engine = Engine(models.scorer(), models.embedder(), policy)
            ask = request_maker(policy, models.settings, seed)
            self._simplifier = EngineSimplifier(engine, model, ANSWERS[effort], ask)
        self._versions: dict[int, list[Candidate]] = {}
        self._replaced: dict[Reason, Replaced] = {}
        self._failure: ModelError | None = None

    async def simplification(
        self, best_effort: bool, scored: bool, done: Callable[[int, int], None], stop: asyncio.Event
    ) -> Simplification:
        """Simplify."""
        task, giving = self._task, False
        conflict = infeasible(
            task.constraints, original=task.original, counting=task.counting, format=task.format
        )
        if conflict is not None:
            if not best_effort:
                return self._found(Draft.of(task), (conflict,), refused=True)
            self._task, giving = relax_constraints(task), True
        draft = Draft.of(self._task)
        await self._gather(draft, done, stop)
        appraiser = Appraiser(self.models.scorer(), self.models.embedder(), self._task.format)
        await appraiser.open([unit.source for unit in draft.units])
        await self._keep_sound(draft, appraiser)
        simpler = await self._simpler(draft, appraiser, self._versions)
        repair = Repair(self._task, appraiser, may_break_met=giving)
        if self._task.check(simpler.text).met:
            best = simpler
        else:
            repaired = (await repair.repaired(draft, self._options())).draft
            best = await self._again(draft, repaired, appraiser, stop)
        found = self._found(best, (conflict,) if conflict else ())
        found = replace(
            found,
            findings=task.check(found.text),
            failure=self._failure,
            interrupted=stop.is_set() and len(self._versions) < len(_free(draft)),
        )
        if scored and not found.interrupted:
            quality = EmbeddedQuality(self.models.scorer(), self.models.embedder(), format=task.format)
            before, after = await quality.score([task.original, found.text], [task.original] * 2)
            found = replace(found, before=before, after=after)
        return found

    async def _gather(self, draft: Draft, done: Callable[[int, int], None], stop: asyncio.Event) -> None:
        """The versions of every sentence that may change, several at once; those that were made stay.

        A model that fails for one sentence leaves it as it is; what would fail for all ends the work there.
        """
        free = _free(draft)
        done(0, len(free))

        async def one(place: int) -> None:
            try:
                self._versions[place] = await self._for_unit(draft.units[place])
            except FATAL:
                raise
            except ModelError as error:
                self._failure = error
            done(len(self._versions), len(free))

        working = await run_until(run_all(one(place) for place in free), stop)
        try:
            await working
        except asyncio.CancelledError:
            pass
        except FATAL as error:
            if not any(self._versions.values()):
                raise
            self._failure = error

    async def _keep_sound(self, draft: Draft, appraiser: Appraiser) -> None:
        """Forget the versions that say something else: no constraint is met by one."""
        for place, versions in self._versions.items():
            source = draft.units[place].text
            scores = await appraiser.score([(source, version.text) for version in versions])
            self._versions[place] = [
                version for version, score in zip(versions, scores, strict=True) if score.sound
            ]

    async def _for_unit(self, unit: Unit) -> list[Candidate]:
        """Versions of a passage: of its one sentence, or of all its sentences together."""
        format = self._task.format
        sentences = Document(unit.text, format).sentences
        made = [await self._for_sentence(unit.text[one.start : one.end]) for one in sentences]
        if len(sentences) == 1 and unit.text.strip() == sentences[0].text:
            return made[0]
        if not any(made):
            return []
        text, at = "", 0
        for sentence, versions in zip(sentences, made, strict=True):
            text += unit.text[at : sentence.start] + (versions[0].text if versions else sentence.text)
            at = sentence.end
        best = [versions[0] for versions in made if versions]
        why = tuple(reason for version in best for reason in version.why)
        return [Candidate(text + unit.text[at:], best[0].by, why)]

    async def _for_sentence(self, sentence: str) -> list[Candidate]:
        hidden = mask(sentence, self._task.format)
        found = await self._simplifier.versions(hidden.text)
        for version in found:
            self._replaced |= version.replaced
        restored = ((hidden.tried(one.text), one) for one in found)
        return [Candidate(whole, one.by, one.why) for whole, one in restored if whole is not None]

    async def _simpler(
        self, draft: Draft, appraiser: Appraiser, versions: Mapping[int, list[Candidate]]
    ) -> Draft:
        """The draft with the first version of each passage that says the same, with no more errors."""
        asked = [(place, version) for place, own in versions.items() for version in own]
        pairs = [(draft.units[place].text, version.text) for place, version in asked]
        chosen: dict[int, Candidate] = {}
        for (place, version), score in zip(asked, await appraiser.score(pairs), strict=True):
            if score.sound:
                chosen.setdefault(place, version)
        return draft.chosen(
            Option(place, place + 1, chosen.get(place, Candidate(unit.text, WRITER)))
            for place, unit in enumerate(draft.units)
        )

    def _options(self) -> list[Option]:
        return [
            Option(place, place + 1, version, GOAL + tuning.VERSION_STEP * (len(versions) - rank))
            for place, versions in sorted(self._versions.items())
            for rank, version in enumerate(versions)
        ]

    async def _again(self, start: Draft, draft: Draft, appraiser: Appraiser, stop: asyncio.Event) -> Draft:
        """What constraints made of passages, or left as they were, simplified as far as they allow."""
        known = {start.units[place].text: versions for place, versions in self._versions.items()}
        made = {version.text for versions in known.values() for version in versions}
        for place in _free(draft):
            unit = draft.units[place]
            if unit.text in made:
                continue
            before = self._task.check(draft.text)
            versions = known[unit.text] if unit.text in known else await self._anew(unit, stop)
            for version in versions:
                tried = await self._simpler(draft, appraiser, {place: [version]})
                if _as_good(self._task.check(tried.text), before):
                    draft = tried
                    break
        return draft

    async def _anew(self, unit: Unit, stop: asyncio.Event) -> list[Candidate]:
        """Versions of what a constraint made of a passage; none once the work was stopped, or has failed."""
        if stop.is_set() or self._failure is not None:
            return []
        try:
            return await self._for_unit(unit)
        except ModelError as error:
            self._failure = error
            return []

    def _found(
        self, draft: Draft, conflicts: tuple[Conflict, ...], *, refused: bool = False
    ) -> Simplification:
        passages = [
            Passage(
                unit.source,
                unit.text,
                unit.by,
                explained(unit.why),
                tuple(self._replaced[reason] for reason in unit.why if reason in self._replaced),
            )
            for unit in draft.units
        ]
        return Simplification(
            draft.text,
            self._policy.name,
            tuple(passages),
            self._task.check(draft.text),
            conflicts,
            refused=refused,
        )


def _as_good(found: Findings, before: Findings) -> bool:
    """Whether constraints are no further off, and those that were met still are."""
    kept = all(now.met or not old.met for now, old in zip(found, before, strict=True))
    return kept and found.distance <= before.distance


def _free(draft: Draft) -> list[int]:
    """The places of the passages that may change, and have words."""
    return [
        place
        for place, unit in enumerate(draft.units)
        if unit.free and any(character.isalnum() for character in unit.text)
    ]
