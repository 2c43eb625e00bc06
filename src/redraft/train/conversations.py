"""Conversations and preference pairs to learn from, and how they are read and filtered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Generic, TypeVar

from redraft.errors import InputError
from redraft.models import Message, sha256_of
from redraft.train.guard import Guard, normalised_words
from redraft.train.rows import TrainingRow, read_objects, read_some

_FORM = '{"messages": [{"role": …, "content": …}, …]}'
_PAIR_FORM = '{"prompt": [message, …], "chosen": [message, …], "rejected": [message, …]}'

T = TypeVar("T")
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Conversation:
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


@dataclass(frozen=True, slots=True)
class TrainingData(Generic[T]):
    """What is learnt from, the same in every epoch, and the dev set, which says when to stop."""

    kept: tuple[T, ...]
    dev: tuple[T, ...]
    refused: Mapping[str, int]
    """How many rows of each file were kept out, since they are a test set's."""
    in_dev: Mapping[str, int]
    """How many rows of each file were kept out, since the dev set has them."""
    record: dict[str, Any]
    """What there was, for the record of the training."""

    def epoch(self, number: int) -> tuple[T, ...]:
        """All of them; the order is the loop's matter."""
        return self.kept

    def converted(self, convert: Callable[[T], S], **record: Any) -> TrainingData[S]:
        """The same in another form, with more in its record."""
        kept, dev = (tuple(map(convert, some)) for some in (self.kept, self.dev))
        return TrainingData(kept, dev, self.refused, self.in_dev, {**self.record, **record})


def read_filtered(
    what: str,
    files: Sequence[Path],
    dev: Sequence[Path],
    guard: Guard | None,
    read: Callable[[Path], Iterable[T]],
    texts: Callable[[T], Iterable[str]],
    key: Callable[[T], Hashable],
    limit: int | None = None,
) -> TrainingData[T]:
    """Read the files, without what the guard knows and what the dev set has; the first `limit` of the rest.

    A file that holds nothing is an error, and so it is if nothing is left, or less than `limit`.
    """
    held_out = tuple(one for path in dev for one in read_some(path, read, what))
    known = {key(one) for one in held_out}
    kept: list[T] = []
    refused: Counter[str] = Counter()
    in_dev: Counter[str] = Counter()
    for path in files:
        found = read_some(path, read, what)
        clean = [one for one in found if not (guard and any(map(guard.knows, texts(one))))]
        new = [one for one in clean if key(one) not in known]
        refused[path.stem] += len(found) - len(clean)
        in_dev[path.stem] += len(clean) - len(new)
        kept += new
    if not kept:
        raise InputError(
            f"there is nothing to train on: every {what} is kept out, as the test sets' or the dev set's"
        )
    if limit is not None and len(kept) < limit:
        raise InputError(f"there are only {len(kept):,} to learn from, fewer than {limit:,} (--limit)")
    record: dict[str, Any] = {
        "data": fingerprints(files),
        "refused": dict(refused),
        "guarded": guard is not None,
    }
    if limit is not None:
        record["limit"] = limit
    if dev:
        record |= {"dev": fingerprints(dev), "in_dev": dict(in_dev)}
    return TrainingData(tuple(kept[:limit]), held_out, refused, in_dev, record)


def normalise_text(text: str) -> str:
    """A text without case, punctuation and white space, so that equal ones are found; one of signs as is."""
    return " ".join(normalised_words(text)) or text.strip()


def row_texts(row: TrainingRow) -> tuple[str, str]:
    """What of a row may be a test set's."""
    return row.input, row.target


def row_key(row: TrainingRow) -> tuple[str, str]:
    """Input and target of a row, so that rows that differ in case or marks alone are equal."""
    return normalise_text(row.input), normalise_text(row.target)


def conversation_key(turns: Conversation) -> tuple[tuple[str, str], ...]:
    """Who says what, so that conversations that differ in case or marks alone are equal."""
    return tuple((message.role, normalise_text(message.content)) for message in turns.messages)


def fingerprints(files: Sequence[Path]) -> list[dict[str, Any]]:
    """The names and hashes of data files, for the record of a training."""
    return [{"file": path.name, "sha256": sha256_of(path)} for path in files]


def read_chat_data(
    files: Sequence[Path], dev: Sequence[Path], guard: Guard | None
) -> TrainingData[Conversation]:
    """Read the files; a conversation with a message that is a test set's, or nearly, is kept out.

    So is one that the dev set has.
    """
    return read_filtered("conversation", files, dev, guard, read_conversations, _contents, conversation_key)


def read_conversations(path: Path) -> Iterator[Conversation]:
    """Conversations from JSONL: `{"messages": [{"role", "content", "learn"?}, …]}`."""
    for where, row in read_objects(path, _FORM):
        turns = _read_messages(row.get("messages"), where)
        if not any(map(turns.is_learnt, range(len(turns.messages)))):
            raise InputError(f"{where}: no message is to be learnt (an assistant's, or one with learn: true)")
        yield turns


def _read_messages(rows: Any, place: str) -> Conversation:
    """A conversation from its JSON: what is learnt is the assistant's, or what is marked if anything is."""
    try:
        messages = tuple(Message(row["role"], row["content"]) for row in rows)
        chosen = tuple(number for number, row in enumerate(rows) if row.get("learn"))
        named = any("learn" in row for row in rows)
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"{place}: needs {_FORM}") from None
    for message in messages:
        if message.role not in ("system", "user", "assistant") or not isinstance(message.content, str):
            raise InputError(f"{place}: a role is system, user or assistant, and a content is a string")
    return Conversation(messages, chosen if named else None)


def _contents(turns: Conversation) -> Iterator[str]:
    return (message.content for message in turns.messages)


@dataclass(frozen=True, slots=True)
class PreferencePair:
    """Two conversations with the same beginning. What is learnt of either comes after it."""

    preferred: Conversation
    dispreferred: Conversation


def read_preference_data(
    files: Sequence[Path], dev: Sequence[Path], guard: Guard | None, limit: int | None = None
) -> TrainingData[PreferencePair]:
    """Read the files; a pair with a message that is a test set's, or nearly, is kept out.

    So is one whose request the dev set has. Of what is left the first `limit` pairs are taken.
    """
    return read_filtered(
        "pair",
        files,
        dev,
        guard,
        read_preferences,
        lambda pair: chain(_contents(pair.preferred), _contents(pair.dispreferred)),
        lambda pair: conversation_key(pair.preferred)[: min(pair.preferred.learnt or ())],
        limit,
    )


def read_preferences(path: Path) -> Iterator[PreferencePair]:
    """Pairs from JSONL, a line `{"prompt": […], "chosen": […], "rejected": […]}`; other keys are for others.

    Of the prompt nothing is learnt, of the answers what the assistant says, or what has `learn: true`.
    """
    for place, row in read_objects(path, _PAIR_FORM):
        try:
            prompt = row["prompt"]
            sides = [_read_messages([*prompt, *row[side]], place) for side in ("chosen", "rejected")]
        except (KeyError, TypeError):
            raise InputError(f"{place}: needs {_PAIR_FORM}") from None
        yield PreferencePair(*(_after(turns, len(prompt), place) for turns in sides))


def _after(turns: Conversation, asked: int, place: str) -> Conversation:
    """The same with nothing learnt of the first messages."""
    numbers = range(asked, len(turns.messages))
    learnt = tuple(number for number in numbers if turns.is_learnt(number))
    if not learnt:
        raise InputError(f"{place}: an answer holds nothing to learn: no message of the assistant's")
    return Conversation(turns.messages, learnt)
