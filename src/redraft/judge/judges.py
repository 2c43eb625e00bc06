"""Judges: a model with a rubric, which scores single texts or compares two in both orders.

Many questions are asked concurrently, and recorded in a log from which an interrupted run goes on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from redraft.errors import FATAL, InputError
from redraft.judge.item import Context, Item, Pair
from redraft.judge.judgement import Judgement, Key
from redraft.judge.questions import (
    MAX_TOKENS,
    Choice,
    Question,
    ask_judge,
    describe_rubric,
    prompt,
    short_hash,
    show_texts,
)
from redraft.judge.rubric import REASON, Rubric
from redraft.models import Model, Request, Usage, run_all
from redraft.notation import parse_json
from redraft.text import Appender, complete_lines

Order = Literal["ab", "ba"]
"""Which text of a pair is shown as candidate A: the first, or the second."""

Orders = Literal["both", "random"]

PREFERENCES = ("A", "B", "tie")


@dataclass(frozen=True)
class Inquiry:
    """One question to one judge about one text or pair; what is asked and paid for once."""

    id: str
    kind: str
    rubric: str
    model: Model
    question: Question
    order: str = ""
    repeat: int = 0
    seed: int = 0
    temperature: float = 0.0
    max_tokens: int = MAX_TOKENS

    @cached_property
    def request(self) -> Request:
        """What the model is asked first."""
        return self.question.request(seed=self.seed, temperature=self.temperature, max_tokens=self.max_tokens)

    @cached_property
    def key(self) -> Key:
        """What the judgement will be known by."""
        hashed = short_hash(self.model.spec, self.rubric, repr(self.request))
        return Key(self.id, self.model.spec, self.order, self.repeat, hashed)

    async def judgement(self) -> Judgement:
        """Ask, and read the answer."""
        answer = await ask_judge(self.model, self.question, self.request)
        return Judgement(
            id=self.id,
            kind=self.kind,
            judge=self.model.spec,
            rubric=self.rubric,
            order=self.order,
            repeat=self.repeat,
            seed=self.seed,
            temperature=self.temperature,
            prompt_hash=self.question.prompt_hash,
            request_hash=self.key.request_hash,
            marks=answer.marks,
            reason=answer.reason,
            raw=answer.raw,
            usage=answer.usage,
            error=answer.error,
        )


@dataclass(frozen=True)
class PointwiseJudge:
    """Gives a text a mark for each aspect of a rubric. Repeat i is drawn with `seed + i`."""

    model: Model
    rubric: Rubric
    seed: int = 0
    temperature: float = 0.0
    max_tokens: int = MAX_TOKENS

    def __post_init__(self) -> None:
        for aspect in self.rubric.aspects:
            if aspect.scale is None:
                raise InputError(
                    f"the aspect {aspect.name} of {self.rubric.name} has no scale: it can be compared,"
                    " but not scored"
                )

    def inquiry(self, item: Item, repeat: int = 0) -> Inquiry:
        """The question about a text."""
        return _inquiry(self, item.id, "score", score_question(self.rubric, item), "", repeat)

    async def judge(self, item: Item, repeat: int = 0) -> Judgement:
        """Score a text."""
        return await self.inquiry(item, repeat).judgement()


@dataclass(frozen=True)
class PairwiseJudge:
    """Says for each aspect of a rubric which of two texts is better.

    With `both` orders each pair is asked twice, the second time with the texts exchanged: a preference that
    follows the place and not the text shows, and counts for nothing. With `random` it is asked once, in an
    order that the seed decides (as in TRIPS / ConsTRev, D.7): cheaper, but a bias of place only averages out.
    """

    model: Model
    rubric: Rubric
    orders: Orders = "both"
    seed: int = 0
    temperature: float = 0.0
    max_tokens: int = MAX_TOKENS

    def inquiries(self, pair: Pair, repeat: int = 0) -> tuple[Inquiry, ...]:
        """The questions about a pair, one an order."""
        orders: tuple[Order, ...] = ("ab", "ba")
        if self.orders == "random":
            orders = (_drawn(self.seed + repeat, self.model.spec, pair.id),)
        return tuple(self._inquiry(pair, order, repeat) for order in orders)

    async def judge(self, pair: Pair, repeat: int = 0) -> tuple[Judgement, ...]:
        """Compare two texts; `redraft.judge.judgement` reads what was found."""
        return tuple([await inquiry.judgement() for inquiry in self.inquiries(pair, repeat)])

    def _inquiry(self, pair: Pair, order: Order, repeat: int) -> Inquiry:
        system = self.rubric.wording or prompt(
            "compare",
            instructions=self.rubric.instructions,
            aspects=describe_rubric(self.rubric, scales=False),
        )
        choices = tuple(Choice(aspect.name, PREFERENCES) for aspect in self.rubric.aspects)
        one, other = (pair.first, pair.second) if order == "ab" else (pair.second, pair.first)
        texts = (("candidate_a", one), ("candidate_b", other))
        question = _question(self.rubric, system, choices, pair.context, "compare", texts)
        return _inquiry(self, pair.id, "compare", question, order, repeat)


def score_question(rubric: Rubric, item: Item) -> Question:
    """How a text is put to a judge that is to score it."""
    system = rubric.wording or prompt(
        "score", instructions=rubric.instructions, aspects=describe_rubric(rubric, scales=True)
    )
    choices = tuple(
        Choice(aspect.name, aspect.scale.labels) for aspect in rubric.aspects if aspect.scale is not None
    )
    return _question(rubric, system, choices, item.context, "score", (("text", item.text),))


def _question(
    rubric: Rubric,
    system: str,
    choices: tuple[Choice, ...],
    context: Context,
    kind: str,
    texts: tuple[tuple[str, str], ...],
) -> Question:
    criteria, reason = f"{prompt.template('criteria')}\n", f"{prompt.template('reason')} "
    keys = ", ".join([*([REASON] if rubric.reason else []), *(choice.name for choice in choices)])
    user = prompt(
        f"{kind}_request",
        material=show_texts(context, rubric.shows, texts),
        criteria=criteria if context.traits else "",
        reason=reason if rubric.reason else "",
        keys=keys,
    )
    frame = "\n".join((prompt.template(f"{kind}_request"), criteria, reason, keys, *rubric.shows))
    return Question(system, user, choices, frame, rubric.reason)


def _inquiry(
    judge: PointwiseJudge | PairwiseJudge, name: str, kind: str, question: Question, order: str, repeat: int
) -> Inquiry:
    return Inquiry(
        id=name,
        kind=kind,
        rubric=judge.rubric.name,
        model=judge.model,
        question=question,
        order=order,
        repeat=repeat,
        seed=judge.seed + repeat,
        temperature=judge.temperature,
        max_tokens=judge.max_tokens,
    )


def _drawn(seed: int, spec: str, name: str) -> Order:
    """An order that is the same whenever the pair is asked again, whatever else is asked."""
    drawn = hashlib.sha256(f"{seed}\0{spec}\0{name}".encode("utf-8", "surrogatepass")).digest()[0]
    return "ab" if drawn % 2 == 0 else "ba"


@dataclass(frozen=True)
class JudgingProgress:
    """How far the work is; what was there already counts as done."""

    done: int
    failed: int
    usage: Usage


class JudgementLog(Appender):
    """An append-only file of judgements, one a line, each on disk before it counts; use it as a context."""

    def check_contents(self) -> None:
        """Raise where the file is there, and is no journal."""
        is_filled = self.path.is_file() and self.path.stat().st_size
        if is_filled and next(read_judgements(self.path), None) is None:
            raise InputError(
                f"{self.path} is there already, and has no judgements: choose another --out, or delete it"
            )

    def finished(self) -> dict[Key, Judgement]:
        """The valid judgements; those that failed are asked for again."""
        found = (judgement for judgement in read_judgements(self.path) if judgement.error is None)
        return {judgement.key: judgement for judgement in found}


def read_judgements(path: Path) -> Iterator[Judgement]:
    """Every judgement of a journal, in the order of writing, repeats included."""
    for number, line in enumerate(complete_lines(path), 1):
        try:
            yield Judgement.from_dict(parse_json(line))
        except (ValueError, InputError):
            raise InputError(
                f"{path}, line {number}, is no judgement: choose another --out, or delete that line"
            ) from None


async def judge_all(
    inquiries: Iterable[Inquiry],
    *,
    journal: JudgementLog | None = None,
    concurrency: int = 8,
    progress: Callable[[JudgingProgress], None] = lambda _: None,
) -> tuple[Judgement, ...]:
    """The judgements of all inquiries, in their order; those that the journal has are not asked for again.

    A failure is recorded and stops nothing. What would fail for all alike (no key, no such model, the budget
    spent) ends the work, once the questions under way have been answered and recorded.
    """
    work = _JudgingRun(inquiries, journal, progress)
    await run_all(work.go() for _ in range(concurrency))
    if work.fatal is not None:
        raise work.fatal
    return tuple(work.found[place] for place in sorted(work.found))


class _JudgingRun:
    """What the workers share."""

    def __init__(
        self,
        inquiries: Iterable[Inquiry],
        journal: JudgementLog | None,
        report: Callable[[JudgingProgress], None],
    ) -> None:
        self.found: dict[int, Judgement] = {}
        self.fatal: Exception | None = None
        self._known = journal.finished() if journal is not None else {}
        self._todo = enumerate(inquiries)
        self._journal = journal
        self._report = report
        self._progress = JudgingProgress(0, 0, Usage())

    async def go(self) -> None:
        """Take inquiries until there are none."""
        for place, inquiry in self._todo:
            if (known := self._known.get(inquiry.key)) is not None:
                self._add(place, known, Usage())
                continue
            try:
                judgement = await inquiry.judgement()
            except FATAL as fatal:
                self.fatal = fatal
            else:
                if self._journal is not None:
                    await self._journal.append(judgement.to_dict())
                self._add(place, judgement, judgement.usage)
            if self.fatal is not None:
                return

    def _add(self, place: int, judgement: Judgement, spent: Usage) -> None:
        self.found[place] = judgement
        failed = judgement.error is not None
        before = self._progress
        self._progress = JudgingProgress(
            before.done + (not failed), before.failed + failed, before.usage + spent
        )
        self._report(self._progress)
