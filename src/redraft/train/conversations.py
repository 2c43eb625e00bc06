"""Conversations to learn from: what is learnt of each, and how they are read from files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from redraft.errors import InputError
from redraft.models import Message, sha256_of
from redraft.notation import parse_json
from redraft.train.guard import Guard, normalised_words
from redraft.train.rows import Row, read_lines

_FORM = '{"messages": [{"role": …, "content": …}, …]}'

T = TypeVar("T")


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
    def in_dev(self) -> Mapping[str, int]:
        """How many rows of each file were kept out, since the dev set has them."""

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
    in_dev: Mapping[str, int] = field(default_factory=dict)

    def epoch(self, number: int) -> Iterable[Turns]:
        """All of them; the order is the loop's matter."""
        return self.turns


def chat_data(files: Sequence[Path], dev: Sequence[Path], guard: Guard | None) -> ChatData:
    """Read the files; a conversation with a message that is a test set's, or nearly, is kept out.

    So is one that the dev set has.
    """
    found = sifted("conversation", files, dev, guard, read_turns, kept_out, spelled)
    return ChatData(found.kept, found.dev, found.refused, found.record, found.in_dev)


@dataclass(frozen=True, slots=True)
class Sifted(Generic[T]):
    """What is left to learn from, the dev set, and how much of each file was kept out for which of them."""

    kept: tuple[T, ...]
    dev: tuple[T, ...]
    refused: dict[str, int]
    in_dev: dict[str, int]
    record: dict[str, Any]


def sifted(
    what: str,
    files: Sequence[Path],
    dev: Sequence[Path],
    guard: Guard | None,
    read: Callable[[Path], Iterable[T]],
    refused_by: Callable[[T, Guard], bool],
    key: Callable[[T], Hashable],
    limit: int | None = None,
) -> Sifted[T]:
    """Read the files, without what the guard refuses and what the dev set has; the first `limit` of the rest.

    A file that holds nothing is an error, and so it is if nothing is left.
    """

    def some(path: Path) -> list[T]:
        found = list(read(path))
        if not found:
            raise InputError(f"{path} is empty: it holds no {what}")
        return found

    held_out = tuple(one for path in dev for one in some(path))
    known = {key(one) for one in held_out}
    kept: list[T] = []
    refused: dict[str, int] = {}
    in_dev: dict[str, int] = {}
    for path in files:
        found = some(path)
        clean = [one for one in found if not (guard and refused_by(one, guard))]
        new = [one for one in clean if key(one) not in known]
        refused[path.stem] = refused.get(path.stem, 0) + len(found) - len(clean)
        in_dev[path.stem] = in_dev.get(path.stem, 0) + len(clean) - len(new)
        kept += new
    if not kept:
        raise InputError(
            f"there is nothing to train on: every {what} is kept out, as the test sets' or the dev set's"
        )
    record: dict[str, Any] = {"data": fingerprints(files), "refused": refused, "guarded": guard is not None}
    if limit is not None:
        record["limit"] = limit
    if dev:
        record |= {"dev": fingerprints(dev), "in_dev": in_dev}
    return Sifted(tuple(kept[:limit]), held_out, refused, in_dev, record)


def plain(text: str) -> str:
    """A text without case, punctuation and white space, so that equal ones are found; one of signs as is."""
    return " ".join(normalised_words(text)) or text.strip()


def spelled(turns: Turns) -> tuple[tuple[str, str], ...]:
    """Who says what, so that conversations that differ in case or marks alone are equal."""
    return tuple((message.role, plain(message.content)) for message in turns.messages)


def fingerprints(files: Sequence[Path]) -> list[dict[str, Any]]:
    """The names and hashes of data files, for the record of a training."""
    return [{"file": path.name, "sha256": sha256_of(path)} for path in files]


def kept_out(turns: Turns, guard: Guard) -> bool:
    """Whether a message is a test set's, or nearly."""
    return any(guard.refuses(Row("chat", message.content, "")) for message in turns.messages)


def read_turns(path: Path) -> Iterator[Turns]:
    """Conversations from JSONL: `{"messages": [{"role", "content", "learn"?}, …]}`."""
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            yield _turns(line, f"{path}, line {number}")


def _turns(line: str, place: str) -> Turns:
    try:
        rows = parse_json(line)["messages"]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{place}: needs {_FORM}") from None
    turns = read_messages(rows, place)
    if not any(map(turns.is_learnt, range(len(turns.messages)))):
        raise InputError(f"{place}: no message is to be learnt (an assistant's, or one with learn: true)")
    return turns


def read_messages(rows: Sequence[Mapping[str, object]], place: str) -> Turns:
    """A conversation from its JSON: what is learnt is the assistant's, or what is marked if anything is."""
    try:
        messages = tuple(Message(row["role"], row["content"]) for row in rows)  # type: ignore[arg-type]
        chosen = [number for number, row in enumerate(rows) if row.get("learn")]
        named = any("learn" in row for row in rows)
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"{place}: needs {_FORM}") from None
    for message in messages:
        if message.role not in ("system", "user", "assistant") or not isinstance(message.content, str):
            raise InputError(f"{place}: a role is system, user or assistant, and a content is a string")
    return Turns(messages, tuple(chosen) if named else None)


FORM = '{"prompt": [message, …], "chosen": [message, …], "rejected": [message, …]}'


@dataclass(frozen=True, slots=True)
class Preference:
    """Two conversations with the same beginning. What is learnt of either comes after it."""

    preferred: Turns
    dispreferred: Turns


@dataclass(frozen=True, slots=True)
class PreferenceData:
    """Preferences from files, the same in every epoch."""

    pairs: tuple[Preference, ...]
    dev: tuple[Preference, ...]
    refused: Mapping[str, int]
    record: dict[str, Any]
    in_dev: Mapping[str, int] = field(default_factory=dict)

    def epoch(self, number: int) -> Iterable[Preference]:
        """All of them; the order is the loop's matter."""
        return self.pairs


def preference_data(
    files: Sequence[Path], dev: Sequence[Path], guard: Guard | None, limit: int | None = None
) -> PreferenceData:
    """Read the files; a pair with a message that is a test set's, or nearly, is kept out.

    So is one whose request the dev set has. Of what is left the first `limit` pairs are taken.
    """
    found = sifted("pair", files, dev, guard, read_preferences, _is_refused, _request, limit)
    return PreferenceData(found.kept, found.dev, found.refused, found.record, found.in_dev)


def preferred_only(data: PreferenceData) -> ChatData:
    """What is preferred, to be imitated."""
    turns, dev = (tuple(pair.preferred for pair in pairs) for pairs in (data.pairs, data.dev))
    return ChatData(turns, dev, data.refused, data.record, data.in_dev)


def read_preferences(path: Path) -> Iterator[Preference]:
    """Pairs from JSONL, a line `{"prompt": […], "chosen": […], "rejected": […]}`; other keys are for others.

    Of the prompt nothing is learnt, of the answers what the assistant says, or what has `learn: true`.
    """
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            place = f"{path}, line {number}"
            try:
                row = parse_json(line)
                prompt, better, worse = row["prompt"], row["chosen"], row["rejected"]
                sides = [(read_messages([*prompt, *side], place), len(prompt)) for side in (better, worse)]
            except (ValueError, KeyError, TypeError):
                raise InputError(f"{place}: needs {FORM}") from None
            yield Preference(*(_after(turns, asked, place) for turns, asked in sides))


def _after(turns: Turns, asked: int, place: str) -> Turns:
    """The same with nothing learnt of the first messages."""
    numbers = range(asked, len(turns.messages))
    learnt = tuple(number for number in numbers if turns.is_learnt(number))
    if not learnt:
        raise InputError(f"{place}: an answer holds nothing to learn: no message of the assistant's")
    return Turns(turns.messages, learnt)


def _request(pair: Preference) -> tuple[tuple[str, str], ...]:
    learnt = pair.preferred.learnt or ()
    return spelled(pair.preferred)[: min(learnt)]


def _is_refused(pair: Preference, guard: Guard) -> bool:
    return any(kept_out(turns, guard) for turns in (pair.preferred, pair.dispreferred))
