"""The editor: a text and an instruction in, the edited text out."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from redraft.editor.choice import WEIGHTS, Candidate, Weights, choose
from redraft.editor.kinds import Kind, kind_of
from redraft.editor.prompt import ADAPTER, editor_messages, room
from redraft.editor.tidying import usable
from redraft.models import Completion, Model, Request, Usage
from redraft.quality import QualityScorer

TEMPERATURE = 0.8


@dataclass(frozen=True, slots=True)
class Edit:
    """An edited text, what it took, and the candidates that it was chosen from, the greedy one first."""

    text: str
    usage: Usage
    candidates: tuple[Candidate, ...] = ()


class Editor:
    """Edits texts with a model: its one greedy answer, or the best of several `samples`.

    Without a quality scorer the choice rests on what the candidates say of one another. A text that does not
    fit the model raises what the model raises.
    """

    def __init__(
        self,
        model: Model,
        quality: QualityScorer | None = None,
        *,
        samples: int = 1,
        temperature: float = TEMPERATURE,
        seed: int = 0,
        weights: Mapping[Kind, Weights] = WEIGHTS,
    ) -> None:
        if samples < 1:
            raise ValueError(f"samples must be at least 1, not {samples}")
        self._model = model
        self._quality = quality
        self._samples = samples
        self._temperature = temperature
        self._seed = seed
        self._weights = weights

    async def edit(self, text: str, instruction: str, documents: Sequence[str] = ()) -> Edit:
        """The edited text; the text itself, where it has no words or the model gave nothing of use."""
        if not _has_words(text):
            return Edit(text, Usage())
        greedy, sampled = await self._draw(text, instruction, documents, self._samples, self._temperature)
        usage = sum((completion.usage for completion in (greedy, *sampled)), Usage())
        found = _candidates(text, greedy, sampled)
        if not found:
            return Edit(text, usage)
        kind = kind_of(instruction)
        chosen = await choose(text, found, self._quality, self._weights[kind], kind)
        return Edit(chosen.text, usage, found)

    async def candidates(
        self,
        text: str,
        instruction: str,
        documents: Sequence[str] = (),
        *,
        count: int,
        temperature: float = TEMPERATURE,
    ) -> tuple[Candidate, ...]:
        """The distinct usable answers among `count`: the greedy one, then the sampled ones as they came."""
        if not _has_words(text):
            return ()
        return _candidates(text, *await self._draw(text, instruction, documents, count, temperature))

    async def _draw(
        self, text: str, instruction: str, documents: Sequence[str], count: int, temperature: float
    ) -> tuple[Completion, tuple[Completion, ...]]:
        request = Request(
            editor_messages(instruction, text, documents),
            max_tokens=room(text),
            seed=self._seed,
            adapter=ADAPTER,
        )
        return await _draw(self._model, request, count, temperature)


async def answers(
    model: Model, request: Request, source: str, *, count: int, temperature: float = TEMPERATURE
) -> tuple[Candidate, ...]:
    """The distinct usable answers among `count` to a request that asks for an edit of a source."""
    return _candidates(source, *await _draw(model, request, count, temperature))


async def _draw(
    model: Model, request: Request, count: int, temperature: float
) -> tuple[Completion, tuple[Completion, ...]]:
    """The greedy answer, and `count` - 1 that are sampled."""
    if count == 1:
        return (await model.complete(request))[0], ()
    sampled = replace(request, temperature=temperature, n=count - 1)
    (first,), others = await asyncio.gather(model.complete(request), model.complete(sampled))
    return first, others


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _candidates(source: str, greedy: Completion, sampled: Sequence[Completion]) -> tuple[Candidate, ...]:
    texts = (usable(completion, source) for completion in sampled)
    return gathered(usable(greedy, source), (text for text in texts if text is not None))


def gathered(greedy: str | None, sampled: Iterable[str]) -> tuple[Candidate, ...]:
    """The distinct texts as candidates, the greedy one first, the others in the order they were drawn."""
    drawn = Counter(sampled)
    texts = dict.fromkeys(drawn) if greedy is None else dict.fromkeys([greedy, *drawn])
    return tuple(Candidate(text, drawn[text], text == greedy) for text in texts)
