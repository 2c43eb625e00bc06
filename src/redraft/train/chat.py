"""Conversations as tokens, with the tokens that are to be learnt marked."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from redraft.errors import InputError
from redraft.models import Message
from redraft.models.pretrained import END, START
from redraft.models.weights import sha256_of
from redraft.train.guard import Guard
from redraft.train.rows import Row

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOGETHER = 4096
"""Conversations that are tokenised in one call."""


@dataclass(frozen=True, slots=True)
class Turns:
    """A conversation and the numbers of the messages that are to be learnt: by default the assistant's.

    Where an answer edits a source, its tokens that are no copy of the source count `emphasis` times.
    """

    messages: tuple[Message, ...]
    learnt: Collection[int] | None = None
    source: str = ""
    emphasis: float = 1.0

    def is_learnt(self, number: int) -> bool:
        """Whether a message's content, and the token that ends it, count in the loss."""
        if self.learnt is None:
            return self.messages[number].role == "assistant"
        return number in self.learnt


class TrainingData(Protocol):
    """What a model learns from."""

    @property
    def dev(self) -> Sequence[Turns]:
        """Conversations that say when to stop."""

    @property
    def refused(self) -> Mapping[str, int]:
        """How many rows of each file were kept out, since they are a test set's."""

    @property
    def record(self) -> dict[str, Any]:
        """What there was, for the record of the training."""

    def epoch(self, number: int) -> Iterable[Turns]:
        """The conversations of an epoch: the same for the same number."""


@dataclass(frozen=True, slots=True)
class ChatData:
    """Conversations from files, the same in every epoch."""

    turns: tuple[Turns, ...]
    dev: tuple[Turns, ...]
    refused: Mapping[str, int]
    record: dict[str, Any]

    def epoch(self, number: int) -> Iterable[Turns]:
        """All of them; the order is the loop's matter."""
        return self.turns


def chat_data(files: Sequence[Path], dev: Sequence[Path], guard: Guard | None) -> ChatData:
    """Read the files; a conversation with a message that is a test set's, or nearly, is kept out."""
    kept: list[Turns] = []
    refused: dict[str, int] = {}
    for path in files:
        found = list(read_turns(path))
        clean = [turns for turns in found if not (guard and _is_refused(turns, guard))]
        refused[path.stem] = len(found) - len(clean)
        kept += clean
    held_out = tuple(turns for path in dev for turns in read_turns(path))
    data = [{"file": path.name, "sha256": sha256_of(path)} for path in files]
    return ChatData(
        tuple(kept), held_out, refused, {"data": data, "refused": refused, "guarded": bool(guard)}
    )


def _is_refused(turns: Turns, guard: Guard) -> bool:
    contents = (message.content for message in turns.messages)
    return any(guard.refuses(Row("chat", content, content)) for content in contents)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """The tokens of one conversation, and how much each counts in the loss: those not learnt, nothing."""

    tokens: NDArray[np.int64]
    weights: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.tokens)


class ChatFormat:
    """ChatML as the embedded model reads it: no system message unless there is one."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._start, self._end = (_id(tokenizer, token) for token in (START, END))

    def examples(self, conversations: Iterable[Turns]) -> Iterator[Example]:
        """Each conversation as tokens; many are tokenised together."""
        remaining = iter(conversations)
        while group := list(islice(remaining, TOGETHER)):
            pieces = [piece for turns in group for piece in _pieces(turns)]
            encoded = self._tokenizer.encode_batch(pieces, add_special_tokens=False)
            ids = iter(entry.ids for entry in encoded)
            for turns in group:
                yield self._example(turns, ids)

    def _example(self, turns: Turns, pieces: Iterator[list[int]]) -> Example:
        source = next(pieces)
        tokens: list[int] = []
        weights: list[float] = []
        for number in range(len(turns.messages)):
            head, content, gap = next(pieces), next(pieces), next(pieces)
            answer = [*content, self._end]
            if not turns.is_learnt(number):
                counts = [0.0] * len(answer)
            elif source and turns.emphasis != 1:
                counts = edit_weights([*source, self._end], answer, turns.emphasis)
            else:
                counts = [1.0] * len(answer)
            tokens += (self._start, *head, *answer, *gap)
            weights += [0.0] * (1 + len(head)) + counts + [0.0] * len(gap)
        # The line feed after the last message would be read and never used.
        last = len(gap)
        return Example(np.array(tokens[:-last], np.int64), np.array(weights[:-last], np.float32))

    def table(self, example: Example) -> str:
        """One line a token: its number, its id, how much it counts in the loss, and the token; for people."""
        name = self._tokenizer.id_to_token
        lines = [
            f"{place:4} {token:6} {f'{weight:g}' if weight else '':>4} {name(int(token))}"
            for place, (token, weight) in enumerate(zip(example.tokens, example.weights, strict=True))
        ]
        return "\n".join(lines)


def edit_weights(source: Sequence[int], target: Sequence[int], emphasis: float) -> list[float]:
    """The weight of each token of a target: `emphasis` where it is new, or follows on something left out.

    A model that is right to copy nine tokens of ten learns to copy all ten. Weighing what it must not copy
    moves the point at which it dares an edit (Junczys-Dowmunt et al. 2018, section 4.2).
    """
    start, shorter = 0, min(len(source), len(target))
    while start < shorter and source[start] == target[start]:
        start += 1
    end = 0
    while end < shorter - start and source[-1 - end] == target[-1 - end]:
        end += 1
    weights = [1.0] * len(target)
    middle = SequenceMatcher(
        None, source[start : len(source) - end], target[start : len(target) - end], autojunk=False
    )
    for tag, _, _, first, last in middle.get_opcodes():
        if tag == "delete" and start + first < len(target):
            weights[start + first] = emphasis
        elif tag in ("insert", "replace"):
            weights[start + first : start + last] = [emphasis] * (last - first)
    return weights


def _id(tokenizer: Tokenizer, token: str) -> int:
    found = tokenizer.token_to_id(token)
    if found is None:
        raise InputError(f"the model has no token {token}: it was not made for conversations in ChatML")
    return found


def _pieces(turns: Turns) -> Iterator[str]:
    """What is tokenised apart: a learnt message begins where the model begins to write."""
    yield turns.source if turns.emphasis != 1 else ""
    for number, message in enumerate(turns.messages):
        if turns.is_learnt(number):
            yield f"{message.role}\n"
            yield message.content
        else:
            yield f"{message.role}\n{message.content}"
            yield ""
        yield "\n"


def read_turns(path: Path) -> Iterator[Turns]:
    """Conversations from JSONL: `{"messages": [{"role", "content", "learn"?}, …]}`."""
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _turns(line, f"{path}, line {number}")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the training data {path} cannot be read: {error}") from None


def _turns(line: str, place: str) -> Turns:
    try:
        rows: Sequence[dict[str, object]] = json.loads(line)["messages"]
        messages = tuple(Message(row["role"], row["content"]) for row in rows)  # type: ignore[arg-type]
        chosen = [number for number, row in enumerate(rows) if row.get("learn")]
        named = any("learn" in row for row in rows)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f'{place}: needs {{"messages": [{{"role": …, "content": …}}, …]}}') from None
    for message in messages:
        if message.role not in ("system", "user", "assistant") or not isinstance(message.content, str):
            raise InputError(f"{place}: a role is system, user or assistant, and a content is a string")
    turns = Turns(messages, tuple(chosen) if named else None)
    if not any(map(turns.is_learnt, range(len(messages)))):
        raise InputError(f"{place}: no message is to be learnt (an assistant's, or one with learn: true)")
    return turns
