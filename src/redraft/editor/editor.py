"""The embedded editor: how it is asked, and how its answers are read.

The same prompts are used in training and in use.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from redraft.editor.choice import WEIGHTS, EditorAnswer, Kind, Weights, choose, kind_of
from redraft.models import Completion, Message, Model, Request, Usage, is_pulled, known_adapters
from redraft.quality import QualityScorer

ADAPTER = "editor"
"""The adapter that was trained on these prompts."""


def editor_messages(instruction: str, text: str, documents: Sequence[str] = ()) -> tuple[Message, ...]:
    """One user message: what to do, the text, and any source material after it."""
    references = "".join(f"\nReference [{number}]: {document}" for number, document in enumerate(documents))
    return (Message("user", f"{instruction.strip().rstrip('.:')}:\n{text}{references}"),)


def room(text: str) -> int:
    """Tokens that an edit of a text may take: a token is some four characters, and edits seldom double it."""
    return 48 + len(text) // 2


_RUN = 4
_TURNS = 3
_LONGEST_RATIO = 3
_SLACK = 100
"""An edit has at most so many times the characters of its source, and so many more."""
TEMPERATURE = 0.8


@dataclass(frozen=True, slots=True)
class Edit:
    """An edited text, what it took, and the candidates that it was chosen from, the greedy one first."""

    text: str
    usage: Usage
    candidates: tuple[EditorAnswer, ...] = ()


class Editor:
    """Edits texts with a model: its one greedy answer, or the best of several `samples`.

    Without a quality scorer the choice rests on what the candidates say of one another. A text that does not
    fit the model raises what the model raises. `adapter` is one that was trained as the editor was.
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
        adapter: str = ADAPTER,
    ) -> None:
        if samples < 1:
            raise ValueError(f"samples must be at least 1, not {samples}")
        self._model = model
        self._quality = quality
        self._samples = samples
        self._temperature = temperature
        self._seed = seed
        self._weights = weights
        self._adapter = adapter

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
    ) -> tuple[EditorAnswer, ...]:
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
            adapter=self._adapter,
        )
        return await _draw(self._model, request, count, temperature)


def is_trained_editor(spec: str, weights: Path) -> bool:
    """Whether a larger model that is named has learnt to edit: there is an adapter for it."""
    return is_pulled(spec) and ADAPTER in known_adapters(weights, spec.partition(":")[2])


async def answers(
    model: Model, request: Request, source: str, *, count: int, temperature: float = TEMPERATURE
) -> tuple[EditorAnswer, ...]:
    """The distinct usable answers among `count` to a request that asks for an edit of a source."""
    return _candidates(source, *await _draw(model, request, count, temperature))


async def _draw(
    model: Model, request: Request, count: int, temperature: float
) -> tuple[Completion, tuple[Completion, ...]]:
    """The greedy answer, and `count` - 1 that are sampled; at no temperature the next likely ones."""
    if count == 1 or temperature == 0:
        first, *others = await model.complete(replace(request, n=count))
        return first, tuple(others)
    sampled = replace(request, temperature=temperature, n=count - 1)
    (first,), drawn = await asyncio.gather(model.complete(request), model.complete(sampled))
    return first, drawn


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _candidates(source: str, greedy: Completion, sampled: Sequence[Completion]) -> tuple[EditorAnswer, ...]:
    texts = (usable(completion, source) for completion in sampled)
    return gathered(usable(greedy, source), (text for text in texts if text is not None))


def gathered(greedy: str | None, sampled: Iterable[str]) -> tuple[EditorAnswer, ...]:
    """The distinct texts as candidates, the greedy one first, the others in the order they were drawn."""
    drawn = Counter(sampled)
    texts = dict.fromkeys(drawn) if greedy is None else dict.fromkeys([greedy, *drawn])
    return tuple(EditorAnswer(text, drawn[text], text == greedy) for text in texts)


def tidied(answer: str, source: str) -> str:
    """The answer without what small models add to it: a label, quotation marks, further lines."""
    text = answer.strip()
    if text.lower().startswith("output:"):
        text = text[len("output:") :].strip()
    if "\n" not in source.strip():
        text = text.split("\n", 1)[0].strip()
    if len(text) > 1 and text[0] == text[-1] == '"' and not source.startswith('"'):
        text = text[1:-1].strip()
    return text


def usable(completion: Completion, source: str) -> str | None:
    """The tidied text of an answer; None where it is empty, cut off, far too long, or repeats itself."""
    text = tidied(completion.text, source)
    whole = completion.finish == "stop"
    fits = len(text) <= _LONGEST_RATIO * len(source.strip()) + _SLACK
    return text if text and whole and fits and not runs_away(text, source) else None


def runs_away(text: str, source: str) -> bool:
    """Whether some four words in a row stand in the text three times, and more often than in the source."""
    known = _runs(source)
    return any(count >= _TURNS and count > known[run] for run, count in _runs(text).items())


def _runs(text: str) -> Counter[tuple[str, ...]]:
    words = text.lower().split()
    return Counter(zip(*(words[start:] for start in range(_RUN)), strict=False))
