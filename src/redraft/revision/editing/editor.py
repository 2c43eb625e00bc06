"""The embedded editor at work: proposals for the units of a draft, and the best edit of one short text."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from redraft.editor import (
    WEIGHTS,
    Edit,
    Editor,
    EditorAnswer,
    Kind,
    Weights,
    best,
    control_instruction,
    features,
    kind_of,
)
from redraft.errors import ContextOverflow
from redraft.models import Model, Scorer
from redraft.quality import Meaning, Quality, QualityScorer, grammar_findings, grammar_score, meaning_changes
from redraft.revision.corrections.accepting import Sifter
from redraft.revision.corrections.suggestions import corrected
from redraft.revision.draft import Draft, Option
from redraft.revision.editing.answers import (
    changes_numbers,
    ended_like,
    helps,
    is_doubtful,
    only_rewords,
    wish_value,
    with_capitals,
)
from redraft.revision.editing.controls import ControlRequest, control_requests
from redraft.revision.editing.correcting import Corrector, written_out
from redraft.revision.editing.split_chances import split_chances
from redraft.revision.judging.verdicts import Verdict, Verdicts
from redraft.revision.records import Action, Candidate, Reason
from redraft.revision.rewriting.cuts.compressions import tightened
from redraft.revision.task import Task
from redraft.revision.tuning import (
    BOUND,
    CLEAR_IMPROVEMENT,
    GOAL,
    GOOD_SPLIT,
    LIKELY_SPLIT,
    LONG_SENTENCE,
    MENDED,
    NEARLY_SPLIT,
    SPLIT_ROUNDS,
    SPLIT_WAYS,
    SPLITS_FOLLOWED,
    SPLITS_OFFERED,
    SURELY_SOUND,
    WISHED_ANSWERS,
)
from redraft.text import Document, list_mark, mask

SAMPLES: Final = 8
_SHORTEST_SPLIT: Final = 6
"""Words to which a sentence is asked to be split at the least."""
CAUTION: Final = 0.6
"""Who asks for corrections has made errors: less evidence is enough than in any text."""
CORRECTING: Final = Weights(
    overlap=10.0, sari=0.0, greedy=0.0, shorter=0.0, copy=0.5,
    perplexity=1.0, likelihood=0.0, grammar=0.02, similarity=0.0, changes=3.0,
)  # fmt: skip
"""Of answers to a corrected text: what most of them say, and what is likelier; `benchmarks/polish.py`."""


class EditorProposer:
    """The embedded editor, asked about one unit at a time, all at once; a sifter looks at each edit."""

    def __init__(
        self, task: Task, model: Model, *, samples: int, value: float, sifter: Sifter | None = None
    ) -> None:
        self._task = task
        self._model = model
        self._samples = samples
        self._value = value
        self._sifter = sifter
        self._corrector: Corrector | None = None

    async def propose(self, draft: Draft, action: Action, *, seed: int) -> list[Option]:
        """The editor's answers to what the plan asks of it."""
        editor = Editor(self._model, seed=seed)
        asked = [
            (one.sentence - 1, one.edit)
            for one in action.plan
            if one.edit and draft.units[one.sentence - 1].free and draft.units[one.sentence - 1].text
        ]
        corrector = self._corrects(draft, editor)

        async def answer(place: int, edit: str) -> list[str]:
            if corrector is not None:
                return await corrector.answers(place, edit)
            text = draft.units[place].text
            found = await edits_of(editor, text, edit, self._task, self._task.documents, count=self._samples)
            return [one for one in found if not changes_numbers(text, one)]

        answers = await asyncio.gather(*(answer(place, edit) for place, edit in asked))
        return [
            # A sentence that must change is rewritten for its own sake.
            Option(
                place,
                place + 1,
                Candidate(text, "editor", (Reason("request", detail=edit.lower()),)),
                GOAL if draft.units[place].altered else value,
            )
            for (place, edit), texts in zip(asked, answers, strict=True)
            for text, value in zip(texts, self._values(len(texts)), strict=True)
        ]

    def _values(self, count: int) -> list[float]:
        """What the answers for one place are worth; of corrections the second is the rules' own."""
        return [self._value, MENDED][:count] if self._sifter else [self._value] * count

    def _corrects(self, draft: Draft, editor: Editor) -> Corrector | None:
        """Who corrects a draft, which is asked about unit by unit; nobody where there is no sifter."""
        if self._sifter is None:
            return None
        if self._corrector is None or self._corrector.draft is not draft:
            self._corrector = Corrector(self._task, draft, editor, self._sifter)
        return self._corrector


class ControlProposer:
    """The embedded editor, asked by its controls for what the bounds and the wishes of a task call for.

    Where there are verdicts, and one of the `samples` is enough, nothing more is asked about a sentence once
    there is a good split of it; whether `several` are asked for can be said beforehand. With `closely`, an
    answer to a wish for a tone may put one word for another, and no more.
    """

    def __init__(
        self,
        task: Task,
        model: Model,
        *,
        samples: int,
        verdicts: Verdicts | None = None,
        closely: bool = False,
        several: bool | None = None,
    ) -> None:
        self._task = task
        self._model = model
        self._samples = samples
        self._verdicts = verdicts
        self._several = several
        self._closely = closely
        self._split_well: set[str] = set()

    async def propose(self, draft: Draft, *, seed: int, wishes: bool = True) -> list[Option]:
        """The answers that do what they were asked for, all asked at once; the same seed asks the same.

        Without `wishes` only the bounds count: a person's plan says what else is to be done.
        """
        return await self.answer(draft, control_requests(self._task, draft, wishes=wishes), seed=seed)

    async def answer(self, draft: Draft, requests: Sequence[ControlRequest], *, seed: int) -> list[Option]:
        """The same for requests that are given."""
        editor = Editor(self._model, seed=seed)
        later = self._later(requests)
        asked = [one for one in requests if one not in later]
        answers = await asyncio.gather(*(self._ask(editor, draft, request) for request in asked))
        left = [one for one in later if draft.passage(one.start, one.stop) not in self._split_well]
        answers += await asyncio.gather(*(self._ask(editor, draft, request) for request in left))
        asked += left
        useful = await asyncio.gather(
            *(self._useful(draft, request, texts) for request, texts in zip(asked, answers, strict=True))
        )
        return [
            option
            for request, texts in zip(asked, useful, strict=True)
            for option in _options(draft, request, texts)
        ]

    @property
    def _is_one_enough(self) -> bool:
        """Whether one answer will do, if the judge finds it good."""
        return self._samples == 1 and self._verdicts is not None

    def _later(self, requests: Sequence[ControlRequest]) -> list[ControlRequest]:
        """Those for a shorter sentence where it may as well be split: a good split loses nothing."""
        if not self._is_one_enough:
            return []
        splits = {(one.start, one.stop, one.values) for one in requests if one.control == "split"}
        shorter = (one for one in requests if one.control == "shorten")
        return [one for one in shorter if (one.start, one.stop, one.values) in splits]

    async def _ask(self, editor: Editor, draft: Draft, request: ControlRequest) -> list[str]:
        text = draft.passage(request.start, request.stop)
        if request.control == "shorten" and not request.wished:
            return await self._shortened(editor, text, request)
        if request.splits:
            return await self._splits(editor, text, request)
        found = await self._answers(editor, text, request)
        if request.control == "split":
            return await self._split_further(editor, request, found)
        return found

    async def _splits(self, editor: Editor, text: str, request: ControlRequest) -> list[str]:
        """Splits of a sentence for a bound: the likeliest, and where that is not good, others.

        What is still too long is split in turn where none is good.
        """
        found = await self._edited_once(editor, text, request)
        if self._is_one_enough and self._several is not True:
            if await self._has_good_split(text, found, request):
                self._split_well.add(text)
                return found
            if self._several is False:
                return found
        if self._verdicts is None and any(self._obeys(text, one, request) for one in found):
            return found
        for ways in SPLIT_WAYS if self._verdicts else SPLIT_WAYS[:1]:
            found = list(dict.fromkeys((*found, *await self._asked_otherwise(editor, text, request, ways))))
            if await self._has_good_split(text, found, request):
                self._split_well.add(text)
                return found
        return await self._split_further(editor, request, found)

    async def _asked_otherwise(
        self, editor: Editor, text: str, request: ControlRequest, ways: Sequence[tuple[int, float]]
    ) -> list[str]:
        asked = _other_ways(request, ways)
        found = await asyncio.gather(*(edits_of(editor, text, one, self._task, count=1) for one in asked))
        return [_like_source(text, one) for some in found for one in some]

    async def _split_again(self, editor: Editor, text: str, request: ControlRequest) -> list[str]:
        """Splits of what is left too long, those that are short enough first."""
        found = await self._edited_once(editor, text, request)
        if all(self._too_long(one, request.most) for one in found):
            found += await self._asked_otherwise(editor, text, request, SPLIT_WAYS[0])
        return sorted(dict.fromkeys(found), key=lambda one: len(self._too_long(one, request.most)))

    async def _answers(self, editor: Editor, text: str, request: ControlRequest) -> list[str]:
        """What the editor answers about a text; of cuts there are several anyway, one for each length,
        and of what is long a second one takes seconds."""
        one = request.control == "shorten" or _is_long(text)
        return await self._edited(
            editor, text, request, self._samples if one else max(self._samples, WISHED_ANSWERS)
        )

    async def _shortened(self, editor: Editor, text: str, request: ControlRequest) -> list[str]:
        """Cuts of a text from which our rules have taken what says nothing, before the editor and after it.

        It takes out a little at a time, so what is still too long is given to it once more.
        """
        most = request.most
        found = await self._answers(editor, _tight(text), request)
        made = [_tight(one) for one in found]
        long = [one for one in made if self._task.read(one).words > most and not _is_long(one)]
        again = await asyncio.gather(*(self._edited_once(editor, one, request) for one in long[:1]))
        return list(dict.fromkeys((*found, *made, *(_tight(one) for some in again for one in some))))

    async def _edited_once(self, editor: Editor, text: str, request: ControlRequest) -> list[str]:
        return await self._edited(editor, text, request, 1)

    async def _edited(self, editor: Editor, text: str, request: ControlRequest, count: int) -> list[str]:
        found = await edits_of(editor, text, request.instruction, self._task, count=count)
        return list(dict.fromkeys(_like_source(text, one) for one in found))

    async def _has_good_split(self, text: str, splits: Sequence[str], request: ControlRequest) -> bool:
        """Whether one of the splits obeys, and is one that a careful editor would let pass."""
        if self._verdicts is None:
            return False
        obeying = [one for one in splits if self._obeys(text, one, request)]
        return max(await split_chances(self._verdicts, text, obeying), default=0.0) >= GOOD_SPLIT

    def _obeys(self, text: str, split: str, request: ControlRequest) -> bool:
        return not self._too_long(split, request.most) and helps(self._task, request, text, split)

    async def _split_further(
        self, editor: Editor, request: ControlRequest, texts: Sequence[str]
    ) -> list[str]:
        """The texts, and what comes of them where what is still too long is split in turn.

        The editor was taught to make two sentences of one, or three. What it did not split it will not split
        the next time either.
        """
        most = request.most
        found = list(texts)
        latest = [text for text in texts if len(self._task.read(text).sentences) > 1]
        ways: dict[str, list[str]] = {}
        for _ in range(SPLIT_ROUNDS):
            long = {text: self._too_long(text, most) for text in latest}
            latest = [text for text in latest if long[text]][:SPLITS_FOLLOWED]
            pieces = dict.fromkeys(one for text in latest for one in long[text])
            asked = [one for one in pieces if one not in ways]
            answers = await asyncio.gather(*(self._split_again(editor, one, request) for one in asked))
            for one, given in zip(asked, answers, strict=True):
                ways[one] = [text for text in given if helps(self._task, request, one, text)]
            made = (
                _with_splits(text, long[text], ways, choice)
                for text in latest
                for choice in range(SPLITS_FOLLOWED)
            )
            latest = [text for text in dict.fromkeys(made) if text not in found]
            found = [*found, *latest]
        return [*found, *await self._fitted(editor, request, found)]

    async def _fitted(self, editor: Editor, request: ControlRequest, texts: Sequence[str]) -> list[str]:
        """Splits of which a few sentences are still a little too long, with these made shorter."""
        most = request.most
        shorter = replace(request, control="shorten")
        near = {text: long for text in texts if (long := self._nearly_short(text, most))}
        near = dict(list(near.items())[-SPLITS_FOLLOWED:])
        asked = list(dict.fromkeys(one for long in near.values() for one in long))
        answers = await asyncio.gather(*(self._edited_once(editor, one, shorter) for one in asked))
        ways = {
            one: [
                new for new in given if not self._too_long(new, most) and helps(self._task, shorter, one, new)
            ]
            for one, given in zip(asked, answers, strict=True)
        }
        return [
            _with_splits(text, long, ways, 0) for text, long in near.items() if all(ways[one] for one in long)
        ]

    def _nearly_short(self, text: str, most: int) -> list[str]:
        """The sentences of a text that are a little too long, where not all are, and none is far too long."""
        long = self._too_long(text, most)
        far = any(max(self._task.read(one).sentence_words) > most + NEARLY_SPLIT for one in long)
        return [] if far or len(long) == len(self._task.read(text).sentences) else long

    def _too_long(self, text: str, most: int) -> list[str]:
        """The sentences of a text that have too many words."""
        sentences = self._task.read(text).sentences
        return [
            one.text for one in sentences if max(self._task.read(one.text).sentence_words, default=0) > most
        ]

    async def _useful(self, draft: Draft, request: ControlRequest, texts: Sequence[str]) -> list[str]:
        """The answers that do what was asked for and are likely to be good.

        One that may say something else is left to a judge; of splits that obey, the best few are given.
        """
        before = draft.passage(request.start, request.stop)
        useful = [
            one
            for one in texts
            if (not self._closely or only_rewords(request, before, one))
            and helps(self._task, request, before, one)
        ]
        doubtful = {one for one in useful if is_doubtful(self._task, request, before, one)}
        if self._verdicts is None:
            return [one for one in useful if one not in doubtful]
        if request.splits and (obeying := [one for one in useful if not self._too_long(one, request.most)]):
            chances = await split_chances(self._verdicts, before, obeying)
            chance = dict(zip(obeying, chances, strict=True))
            likely = [one for one in obeying if chance[one] >= LIKELY_SPLIT]
            offered = likely or [one for one in obeying if one not in doubtful]
            if offered:
                return sorted(offered, key=lambda one: -chance[one])[:SPLITS_OFFERED]
            useful = [one for one in useful if one not in chance]
        asked = [one for one in dict.fromkeys(useful) if one in doubtful]
        found = await self._verdicts.of([(before, one) for one in asked], complete=True)
        sure = {one for one, verdict in zip(asked, found, strict=True) if _is_sure(verdict)}
        return [one for one in useful if one not in doubtful or one in sure]


def _options(draft: Draft, request: ControlRequest, texts: Sequence[str]) -> Iterator[Option]:
    before = draft.passage(request.start, request.stop)
    why = (Reason("request", detail=request.instruction.lower()),)
    for text in texts:
        value = wish_value(request, before, text) if request.wished else BOUND
        yield Option(request.start, request.stop, Candidate(text, "editor", why), value)


def _is_sure(verdict: Verdict) -> bool:
    """Whether the judge is sure that a text reads well and says the same."""
    return (
        verdict.soundness >= SURELY_SOUND
        and verdict.sameness >= CLEAR_IMPROVEMENT
        and not (verdict.broken or verdict.reversed)
    )


def _other_ways(request: ControlRequest, ways: Iterable[tuple[int, float]]) -> list[str]:
    """Other words by which the editor may be asked for a split, each once."""
    least = min(_SHORTEST_SPLIT, request.most)
    bounds = ((wording, max(round(share * request.most), least)) for wording, share in ways)
    asked = (control_instruction(request.control, wording, n=bound) for wording, bound in bounds)
    return [one for one in dict.fromkeys(asked) if one != request.instruction]


def _like_source(source: str, text: str) -> str:
    """An answer with the capitals and the end of its source."""
    return ended_like(source, with_capitals(source, text))


def _tight(text: str) -> str:
    """A text without what says nothing."""
    made = tightened(text)
    return made.text if made else text


def _is_long(text: str) -> bool:
    return len(text.split()) > LONG_SENTENCE


def _with_splits(text: str, long: Sequence[str], ways: Mapping[str, Sequence[str]], choice: int) -> str:
    """A text with its long sentences split, each in the way of this number, or in the last there is."""
    for one in long:
        if ways[one]:
            text = text.replace(one, ways[one][min(choice, len(ways[one]) - 1)], 1)
    return text


async def edits_of(
    editor: Editor,
    text: str,
    instruction: str,
    task: Task,
    documents: Sequence[str] = (),
    *,
    count: int,
) -> list[str]:
    """What the editor makes of a text, its mark-up out of reach; nothing where it does not fit the model."""
    first = list_mark(text)
    hidden = mask(text.removeprefix(first), task.format)
    plain = written_out(hidden.text)
    try:
        found = await editor.candidates(plain, instruction, documents, count=count, temperature=0.0)
    except ContextOverflow:
        return []
    texts = (hidden.tried(candidate.text) for candidate in found)
    return [f"{first}{one}" for one in texts if one is not None and f"{first}{one}" != text]


class Polisher:
    """Edits short texts with a model: the best of several `samples`, the same for the same seed.

    Where errors are to be corrected, the model is given the text as Harper and the language model correct it:
    it then has fewer to find, and words that it can read. Other edits are the editor's own choice.
    """

    def __init__(
        self,
        model: Model,
        scorer: Scorer,
        quality: QualityScorer | None = None,
        *,
        samples: int = SAMPLES,
        seed: int = 0,
        weights: Mapping[Kind, Weights] = WEIGHTS,
        correcting: Weights = CORRECTING,
    ) -> None:
        self._scorer = scorer
        self._correcting = correcting
        self._drawing = Editor(model, samples=samples, seed=seed, weights=weights)
        self._editor = Editor(model, quality, samples=samples, seed=seed, weights=weights)

    async def polish(self, text: str, instruction: str, documents: Sequence[str] = ()) -> Edit:
        """The edited text; the text itself, where it has no words or the model gave nothing of use."""
        if kind_of(instruction) != "correct":
            return await self._editor.edit(text, instruction, documents)
        start = await self._corrected(text)
        drawn = await self._drawing.edit(start, instruction, documents)
        found = drawn.candidates or (EditorAnswer(start, 1),)
        chosen = await self._chosen(text, found)
        return Edit(chosen.text, drawn.usage, found)

    async def _corrected(self, text: str) -> str:
        """The text with each of its sentences corrected."""
        parts, end = [], 0
        for sentence in Document(text, "text").sentences:
            found = await corrected(sentence.text, self._scorer, caution=CAUTION)
            parts += [text[end : sentence.start], found[0].text if found else sentence.text]
            end = sentence.end
        return "".join([*parts, text[end:]])

    async def _chosen(self, text: str, found: Sequence[EditorAnswer]) -> EditorAnswer:
        if len(found) == 1:
            return found[0]
        texts = list(dict.fromkeys([text, *(candidate.text for candidate in found)]))
        scores = await self._scorer.log_probs([each.strip() for each in texts])
        perplexities = [each.perplexity for each in scores]
        qualities = await asyncio.to_thread(_qualities, text, texts, perplexities)
        return found[best(features(text, found, qualities, "correct"), self._correcting)]


def _qualities(source: str, texts: Sequence[str], perplexities: Sequence[float]) -> dict[str, Quality]:
    """What the choice among corrections asks of each text."""
    return {
        text: Quality(
            perplexity,
            None,
            grammar_score(text, "text"),
            grammar_findings(text, "text"),
            Meaning(0.0, meaning_changes(source, text)),
            None,
        )
        for text, perplexity in zip(texts, perplexities, strict=True)
    }
