"""Conversations as tokens, with how much each token counts in the loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from redraft.errors import InputError
from redraft.models import (
    CHAT,
    MODEL_FILE,
    Plain,
    Request,
    ensure,
    is_peft,
    load_chat_tokenizer,
    trained_in,
)
from redraft.settings import load_settings
from redraft.train.conversations import Conversation

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

TOGETHER = 4096
"""Conversations that are tokenised in one call."""
_MARK: Final = "\ue123"
_SPACE: Final = "\u2003"
"""What no template writes: a mark in the place of a message, and a space that is seen to be trimmed."""


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


@dataclass(frozen=True, slots=True)
class Frame:
    """What a template writes before, between and after the messages of some roles."""

    pieces: tuple[str, ...]
    trimmed: tuple[tuple[bool, bool], ...]
    """Of each message, whether it loses the white space at its beginning, and at its end."""


class ChatFormat:
    """Conversations in a model's own template; `tokenizer` is one of transformers', which has it."""

    def __init__(self, tokenizer: Any) -> None:
        if not tokenizer.chat_template:
            raise InputError("the model has no chat template: it was not made for conversations")
        self._chat = tokenizer
        self._tokenizer: Tokenizer = tokenizer.backend_tokenizer
        self._tokenizer.encode_special_tokens = False  # the template's are meant; others are split below
        self._control = [token.content for token in tokenizer.added_tokens_decoder.values() if token.special]
        self._ends = frozenset(tokenizer.convert_tokens_to_ids(self._control))
        self._frames: dict[tuple[str, ...], Frame] = {}

    def examples(self, conversations: Iterable[Conversation]) -> Iterator[Example]:
        """Each conversation as tokens; many are tokenised together."""
        remaining = iter(conversations)
        while group := list(islice(remaining, TOGETHER)):
            written = [self._written(turns) for turns in group]
            texts = [text for text, _, _ in written]
            texts += [source for _, _, source in written if source]
            encoded = self._tokenizer.encode_batch(texts, add_special_tokens=False)
            sources = iter(encoded[len(group) :])
            for turns, (_, spans, source), found in zip(group, written, encoded, strict=False):
                yield self._example(turns, found, spans, next(sources).ids if source else [])

    def _written(self, turns: Conversation) -> tuple[str, list[tuple[int, int]], str]:
        """The conversation as one text, where in it each message stands, and its source."""
        plain = Plain(self._control, Request(turns.messages))
        frame = self._frame(tuple(message.role for message in turns.messages))
        text, spans = frame.pieces[0], []
        rest = zip(turns.messages, frame.trimmed, frame.pieces[1:], strict=True)
        for message, (left, right), after in rest:
            content = plain(message.content)
            content = content.lstrip() if left else content
            content = content.rstrip() if right else content
            spans.append((len(text), len(text) + len(content)))
            text += content + after
        return text, spans, plain(turns.source) if turns.emphasis != 1 else ""

    def _frame(self, roles: tuple[str, ...]) -> Frame:
        """What the template writes around messages of these roles, whatever they say."""
        if roles in self._frames:
            return self._frames[roles]
        marks = [f"{_MARK}{number}{_MARK}" for number in range(len(roles))]
        messages = [
            {"role": role, "content": f"{_SPACE}{mark}{_SPACE}"}
            for role, mark in zip(roles, marks, strict=True)
        ]
        try:
            text = str(self._chat.apply_chat_template(messages, tokenize=False))
        except Exception as error:  # a template raises whatever it likes
            raise InputError(f"the model's chat template does not take {', '.join(roles)}: {error}") from None
        pieces, trimmed = [], []
        for mark in marks:
            before, found, text = text.partition(mark)
            if not found:
                raise InputError("the model's chat template leaves out a message, or turns it into another")
            trimmed.append((not before.endswith(_SPACE), not text.startswith(_SPACE)))
            pieces.append(before.removesuffix(_SPACE))
            text = text.removeprefix(_SPACE)
        self._frames[roles] = Frame((*pieces, text), tuple(trimmed))
        return self._frames[roles]

    def _example(
        self, turns: Conversation, found: Encoding, spans: Sequence[tuple[int, int]], source: list[int]
    ) -> Example:
        tokens = found.ids
        weights = [0.0] * len(tokens)
        last = len(tokens)
        for number, (start, end) in enumerate(spans):
            if not turns.is_learnt(number):
                continue
            after = found.char_to_token(end)
            if after is None or tokens[after] not in self._ends:
                said = turns.messages[number].role
                raise InputError(
                    f"the model's chat template has no token that ends what the {said} says: "
                    "a model could not learn where to stop"
                )
            # White space may belong to no token, or to the next.
            places = (found.char_to_token(place) for place in range(start, end))
            first = next((place for place in places if place is not None), after)
            last = after + 1
            answer = tokens[first:last]
            if source:
                weights[first:last] = edit_weights([*source, answer[-1]], answer, turns.emphasis)
            else:
                weights[first:last] = [1.0] * len(answer)
        # What comes after the last that is learnt would be read and never used.
        return Example(np.array(tokens[:last], np.int64), np.array(weights[:last], np.float32))

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
    return ChatFormat(load_chat_tokenizer(find_base(base)[1]))


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
