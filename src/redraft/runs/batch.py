"""Revising or simplifying many texts: each line of a file is a job.

In:  {"id": "a", "text": "…"}, and where wanted "instruction", "calls", "format" (to revise: "documents")
     of its own
Out: {"id": "a", "text": "…" or null, "status": 0, …what `redraft revise --json` says…, "error": null or "…",
      "input_hash": "…"}

The lines come out in the order in which the texts are finished. The status is what the command would exit
with for the text alone: 0 met, 1 not met, 3 conflicting, 4 failed. The hash is of what the line in said: it
tells whether a result is still that of its line.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from redraft.constraints import looks_like_call, parse, parse_call
from redraft.errors import BudgetExceeded, FileError, InputError
from redraft.models import Models
from redraft.notation import parse_json
from redraft.revision import Effort, ReviseOptions, Revision, arevise
from redraft.runs.jobs import Answer, Job, ModelsWorker, Worker
from redraft.runs.results import Record, Results
from redraft.settings import Settings
from redraft.simplification import Policy, Simplification, asimplify
from redraft.text import Format

BatchKind = Literal["revised", "simplified"]

_FIELDS: Final[Mapping[BatchKind, tuple[str, ...]]] = {
    "revised": ("id", "text", "instruction", "calls", "documents", "format"),
    "simplified": ("id", "text", "instruction", "calls", "format"),
}
"""What is read of a line; whatever else it says is let be."""
_FORMATS = ("auto", *get_args(Format))
_HASH = "input_hash"


@dataclass(frozen=True)
class BatchText:
    """A text, and what is asked for; without a format, the settings say."""

    text: str
    instruction: str
    calls: tuple[str, ...]
    documents: tuple[str, ...] = ()
    format: Format | None = None


@dataclass(frozen=True)
class Batch:
    """A file of texts; the instruction is for lines without one, the calls are added to all."""

    path: Path
    instruction: str = ""
    calls: tuple[str, ...] = ()
    kind: BatchKind = "revised"
    """What becomes of the texts."""

    def survey(self, done: Mapping[str, str] | None = None) -> int:
        """How many texts there are.

        InputError where a line cannot be used, where an id stands there twice, or where a line has changed
        since it was `done`: by id, the hash of what was.
        """
        done = done or {}
        seen: set[str] = set()
        for number, job in self._numbered():
            if job.key in seen:
                raise InputError(f"{self.path}, line {number}: the id {job.key!r} stands there twice")
            seen.add(job.key)
            if done.get(job.key, job.facts[_HASH]) != job.facts[_HASH]:
                raise InputError(
                    f"{self.path}, line {number}: {job.key!r} has changed since it was {self.kind}: restore"
                    f" it, give it another id, or delete its lines from --out to have it {self.kind} again"
                )
        if not seen:
            raise InputError(f"{self.path} has no texts")
        return len(seen)

    def jobs(self) -> Iterator[Job]:
        """The texts as jobs, read one by one."""
        return (job for _, job in self._numbered())

    def _numbered(self) -> Iterator[tuple[int, Job]]:
        try:
            with self.path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    if line.strip():
                        try:
                            yield number, self._job(line)
                        except InputError as error:
                            raise InputError(f"{self.path}, line {number}: {error}") from None
        except OSError as error:
            raise FileError(f"{self.path} cannot be read: {error.strerror}") from None

    def _job(self, line: bytes) -> Job:
        try:
            row = parse_json(line.decode("utf-8-sig"))
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise InputError('not a JSON object in UTF-8, such as {"id": "a", "text": "…"}')
        fields = _FIELDS[self.kind]
        _check_fields(row, fields)
        instruction = _string(row, "instruction") or self.instruction
        if looks_like_call(instruction):
            raise InputError('the instruction is a call, not plain English: put it into "calls"')
        if self.kind == "simplified" and (style := parse(instruction).style):
            raise InputError(f"not a constraint, and a policy says how to simplify: {style}")
        calls = (*_strings(row, "calls"), *self.calls)
        for call in calls:
            parse_call(call)
        documents = _strings(row, "documents") if "documents" in fields else ()
        work = BatchText(row["text"], instruction, calls, documents, _format(row))
        return Job(str(row["id"]), work, {"text": None, "status": 4, _HASH: _hash(row, fields)})


def _check_fields(row: Record, fields: Sequence[str]) -> None:
    for name in row.keys() - set(fields):
        if close := difflib.get_close_matches(name, fields, n=1, cutoff=0.8):
            raise InputError(f"there is no field {name!r}; did you mean {close[0]!r}?")
    if not isinstance(row.get("id"), str | int) or isinstance(row["id"], bool) or row["id"] == "":
        raise InputError('it needs an "id", a string or a whole number')
    if not isinstance(row.get("text"), str) or not any(character.isalnum() for character in row["text"]):
        raise InputError('it needs a "text" with words')


def _string(row: Record, name: str) -> str:
    value = row.get(name) or ""
    if not isinstance(value, str):
        raise InputError(f'"{name}" should be a string')
    return value


def _strings(row: Record, name: str) -> tuple[str, ...]:
    value = row.get(name) or []
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InputError(f'"{name}" should be a list of strings')
    return tuple(value)


def _format(row: Record) -> Format | None:
    value: Any = row.get("format") or "auto"
    if value not in _FORMATS:
        raise InputError(f'"format" should be {", ".join(_FORMATS)}, not {value!r}')
    return None if value == "auto" else value


def _hash(row: Record, fields: Sequence[str]) -> str:
    """Of the fields that are read; those of the options are guarded by what the run was begun with."""
    content = json.dumps([row.get(name) or None for name in fields if name != "id"])
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def finished_inputs(results: Results) -> dict[str, str]:
    """For each text that is finished the hash of its line, where that was recorded."""
    found: dict[str, str] = {}
    for record in results.records():
        if record["error"]:
            found.pop(record[results.key], None)
        elif _HASH in record:
            found[record[results.key]] = record[_HASH]
    return found


TextFunction = Callable[[BatchText, Models], Awaitable[Revision | Simplification]]
"""What is done to a text: a partial of a function of a module, for it is pickled."""


async def open_batch_worker(function: TextFunction, settings: Settings) -> Worker:
    """A worker that does one thing to texts, with models of its own."""
    return _BatchWorker(Models(settings), function)


class _BatchWorker(ModelsWorker):
    def __init__(self, models: Models, function: TextFunction) -> None:
        super().__init__(models)
        self._function = function

    async def do(self, work: BatchText) -> Answer:
        """What became of the text; where the model failed half-way, an error with the best so far.

        BudgetExceeded where that ended it half-way: it is to be done again, and not to be taken for done.
        """
        found = await self._function(work, self._models)
        ended = found.spent if isinstance(found, Revision) else found.failure
        if isinstance(ended, BudgetExceeded):
            raise ended
        error = None if found.failure is None else f"{type(found.failure).__name__}: {found.failure}"
        return Answer({**found.to_dict(), "status": found.status}, found.usage, error)


async def revise_text(how: ReviseOptions, work: BatchText, models: Models) -> Revision:
    """The text, revised."""
    return await arevise(
        work.text,
        work.instruction,
        work.calls,
        models=models,
        options=how,
        documents=work.documents,
        format=work.format,
    )


@dataclass(frozen=True)
class SimplifyOptions:
    """How every text is simplified."""

    policy: Policy
    effort: Effort = "medium"
    best_effort: bool = False
    seed: int = 0


async def simplify_text(how: SimplifyOptions, work: BatchText, models: Models) -> Simplification:
    """The text, simplified."""
    return await asimplify(
        work.text,
        constraints=work.calls,
        models=models,
        instruction=work.instruction,
        format=work.format,
        **vars(how),
    )


def count_statuses(results: Results) -> Counter[int]:
    """How many texts ended with each status."""
    return Counter({record[results.key]: record["status"] for record in results.records()}.values())
