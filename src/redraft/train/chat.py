"""Conversations as tokens, with how much each token counts in the loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from redraft.errors import InputError
from redraft.models import CHAT, END, MODEL_FILE, START, ensure, is_peft, load_tokenizer, trained_in
from redraft.settings import load_settings
from redraft.train.conversations import Conversation

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOGETHER = 4096
"""Conversations that are tokenised in one call."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """The tokens of one conversation, and how much each counts in the loss: those not learnt, nothing."""

    tokens: NDArray[np.int64]
    weights: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """The tokens of a preferred and of a dispreferred conversation.

    `reference` are the log-probabilities of both before training, where they are needed.
    """

    preferred: Example
    dispreferred: Example
    reference: tuple[float, float] | None = None

    def __len__(self) -> int:
        return len(self.preferred) + len(self.dispreferred)


class ChatFormat:
    """ChatML as the embedded model reads it: no system message unless there is one."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._start, self._end = (_id(tokenizer, token) for token in (START, END))
        self._gap: list[int] = tokenizer.encode("\n", add_special_tokens=False).ids

    def examples(self, conversations: Iterable[Conversation]) -> Iterator[Example]:
        """Each conversation as tokens; many are tokenised together."""
        remaining = iter(conversations)
        while group := list(islice(remaining, TOGETHER)):
            pieces = [piece for turns in group for piece in _pieces(turns)]
            encoded = self._tokenizer.encode_batch(pieces, add_special_tokens=False)
            ids = iter(entry.ids for entry in encoded)
            for turns in group:
                yield self._example(turns, ids)

    def _example(self, turns: Conversation, pieces: Iterator[list[int]]) -> Example:
        source = next(pieces)
        tokens: list[int] = []
        weights: list[float] = []
        for number in range(len(turns.messages)):
            head, content = next(pieces), next(pieces)
            # After the last message a line feed would be read and never used.
            before = [*(self._gap if number else ()), self._start, *head]
            answer = [*content, self._end]
            if not turns.is_learnt(number):
                counts = [0.0] * len(answer)
            elif source and turns.emphasis != 1:
                counts = edit_weights([*source, self._end], answer, turns.emphasis)
            else:
                counts = [1.0] * len(answer)
            tokens += before + answer
            weights += [0.0] * len(before) + counts
        return Example(np.array(tokens, np.int64), np.array(weights, np.float32))

    def table(self, example: Example) -> str:
        """One line a token: its number, its id, how much it counts in the loss, and the token; for people."""
        name = self._tokenizer.id_to_token
        lines = [
            f"{place:4} {token:6} {f'{weight:g}' if weight else '':>4} {name(int(token))}"
            for place, (token, weight) in enumerate(zip(example.tokens, example.weights, strict=True))
        ]
        return "\n".join(lines)


def chat_format(base: Path) -> ChatFormat:
    """How a base reads conversations, from its files alone."""
    return ChatFormat(load_tokenizer(find_base(base)[1]))


def find_base(base: Path) -> tuple[Path, Path]:
    """Where a base's weights are, and its tokenizer: that of a model we trained is the embedded one's."""
    if not base.is_dir() or (base / "tokenizer.json").is_file():
        return base, base
    weights = trained_in(base)
    if is_peft(weights):
        raise InputError(f"{base} holds an adapter, which is no base; a training can start from it (--start)")
    return weights, ensure(CHAT, load_settings().weights()) / MODEL_FILE


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


def _pieces(turns: Conversation) -> Iterator[str]:
    """What is tokenised apart: a learnt message begins where the model begins to write."""
    yield turns.source if turns.emphasis != 1 else ""
    for number, message in enumerate(turns.messages):
        if turns.is_learnt(number):
            yield f"{message.role}\n"
            yield message.content
        else:
            yield f"{message.role}\n{message.content}"
            yield ""
