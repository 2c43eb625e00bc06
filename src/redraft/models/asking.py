"""Asking a model: prompts from files, answers validated by a pydantic type, and several requests at once."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Formatter
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from redraft.errors import BadAnswer, FileError, InputError
from redraft.models.base import Message, Model, Request, schema_text
from redraft.text import read_text

Shape = TypeVar("Shape", bound=BaseModel)

MOST_WASTED: Final = 1_000_000
"""Characters read in vain, after which no more JSON is looked for."""
A_TRY: Final = 1_000
DEEP: Final = 5_000
"""What each try in vain counts for beside them, and what one does that was nested too deeply."""

A_GLIMPSE: Final = 200
"""Characters of an answer that was cut off which the model is shown again."""

# Models write line ends into strings as they are.
_DECODER = json.JSONDecoder(strict=False)
_OPENING = re.compile(r"[{\[]")


async def ask(
    model: Model,
    messages: Sequence[Message],
    shape: type[Shape],
    *,
    repairs: int = 2,
    max_tokens: int = 512,
    temperature: float = 0.0,
    seed: int = 0,
    adapter: str | None = None,
    read: Callable[[str, type[Shape]], Shape] | None = None,
) -> Shape:
    """An answer of the given shape.

    An answer that does not validate, or was cut off, goes back to the model with what is wrong with it, at
    most `repairs` times; then BadAnswer, as for one that was filtered or refused. `read` takes the place of
    `read_answer` where that is too kind.
    """
    reading = read or read_answer
    schema = schema_text(shape.model_json_schema())
    conversation = tuple(messages)
    problem = ""
    for number in range(repairs + 1):
        request = Request(
            conversation,
            max_tokens=max_tokens,
            temperature=temperature,
            seed=seed + number,  # one that says the same again would be asked the same again
            adapter=adapter,
            schema=schema,
        )
        (completion,) = await model.complete(request)
        if completion.finish in ("filtered", "refused"):
            raise BadAnswer(
                f"{model.spec} gave no {shape.__name__}: {completion.problem}",
                provider=model.spec,
                hint="another model may answer; see --model",
            )
        try:
            if completion.problem:  # what is whole in it may be a part of what was to come
                raise ValueError(f"it was cut off after {max_tokens} tokens: make it shorter")
            return reading(completion.text, shape)
        except ValueError as error:
            problem = _explain(error)
        # One that never came to an end would only lead on to the next.
        said = f"{completion.text[:A_GLIMPSE]}…" if completion.problem else completion.text
        conversation = (
            *messages,
            Message("assistant", said),
            Message(
                "user",
                f"That answer is not valid:\n{problem}\nAnswer with JSON alone, by this schema:\n{schema}",
            ),
        )
    raise BadAnswer(
        f"{model.spec} gave no valid {shape.__name__} in {repairs + 1} tries; the last: {problem}",
        provider=model.spec,
        hint="a larger model may do better; see --model",
    )


def read_answer(text: str, shape: type[Shape]) -> Shape:
    """The first JSON value in a text (bare, fenced or amid prose) that validates; ValueError if none."""
    failure: ValueError | None = None
    for value in json_values(text):
        try:
            return shape.model_validate(value)
        except ValidationError as error:
            failure = failure or error
    raise failure or ValueError("there is no JSON object in it")


def json_values(text: str, decoder: json.JSONDecoder = _DECODER) -> Iterator[object]:
    """JSON objects and arrays in a text, from the left, each as large as it goes.

    It gives up in time: a text of brackets that are never closed would be read anew from each of them.
    """
    position = wasted = 0
    while wasted < MOST_WASTED and (opening := _OPENING.search(text, position)):
        start = opening.start()
        try:
            value, position = decoder.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            position = start + 1
            read = error.pos - start if isinstance(error, json.JSONDecodeError) else DEEP
            wasted += A_TRY + read
            continue
        yield value


def _explain(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    lines = [
        f"{'.'.join(str(part) for part in problem['loc']) or 'the whole'}: {problem['msg']}"
        for problem in error.errors(include_url=False)[:10]
    ]
    return "\n".join(lines)


class Prompts:
    """The prompts of a package: `prompts/NAME.md` in it, each with blanks such as {text}.

    `with prompts.replaced_from(folder):` puts a user's own in the place of some, for the work within alone.
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._replaced: ContextVar[Mapping[str, str] | None] = ContextVar(f"{package} prompts", default=None)

    def __call__(self, name: str, /, **values: object) -> str:
        """A prompt with its blanks filled in; what is filled in is not looked at for blanks."""
        return self.template(name).format(**values)

    def template(self, name: str) -> str:
        """A prompt as it stands in its file, without empty lines at either end."""
        found = (self._replaced.get() or {}).get(name)
        return _template(self._package, name) if found is None else found

    @property
    def names(self) -> tuple[str, ...]:
        """Every prompt there is; those of a folder within as `FOLDER/NAME`."""
        return _names(self._package)

    @property
    def hash(self) -> str:
        """A short hash of all that are in use."""
        parts = (f"{name}\0{self.template(name)}" for name in self.names)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @contextmanager
    def replaced_from(self, folder: Path | None) -> Iterator[None]:
        """Within it, a folder's files stand in the place of ours of their names; None changes nothing."""
        token = self._replaced.set(self._read(folder) if folder is not None else self._replaced.get())
        try:
            yield
        finally:
            self._replaced.reset(token)

    def _read(self, folder: Path) -> dict[str, str]:
        if not folder.is_dir():
            raise FileError(f"{folder} is no folder: prompts are NAME.md files in one")
        found = {}
        for file in sorted(folder.rglob("*")):
            place = file.relative_to(folder)
            if file.is_dir() or any(part.startswith(".") for part in place.parts):
                continue
            name = place.with_suffix("").as_posix()
            if file.suffix != ".md" or name not in self.names:
                raise InputError(f"{file} is no prompt; known are {', '.join(self.names)}, each with .md")
            found[name] = read_text(file).strip()
            _check_blanks(file, found[name], _template(self._package, name))
        return found


@lru_cache(maxsize=128)
def _template(package: str, name: str) -> str:
    return files(package).joinpath("prompts", f"{name}.md").read_text(encoding="utf-8").strip()


@lru_cache(maxsize=16)
def _names(package: str) -> tuple[str, ...]:
    def within(folder: Traversable, before: str) -> Iterator[str]:
        for one in folder.iterdir():
            if one.is_dir():
                yield from within(one, f"{before}{one.name}/")
            elif one.name.endswith(".md"):
                yield before + one.name.removesuffix(".md")

    return tuple(sorted(within(files(package).joinpath("prompts"), "")))


def _check_blanks(file: Path, own: str, ours: str) -> None:
    """Raise where a user's prompt has other blanks than ours."""
    try:
        there, wanted = _blanks(own), _blanks(ours)
    except ValueError as error:
        raise InputError(f"{file}: {error}; a brace that is no blank is doubled, as in {{{{") from None
    if unknown := sorted(there - wanted):
        raise InputError(f"{file}: nothing fills in {{{unknown[0]}}}; a brace that is no blank is doubled")
    if missing := sorted(wanted - there):
        raise InputError(f"{file}: {{{missing[0]}}} is missing, and what it stands for would not be shown")


def _blanks(template: str) -> set[str]:
    found = set()
    for _, name, form, conversion in Formatter().parse(template):
        if form or conversion:
            raise ValueError(f"write {{{name}}} alone, with nothing after the name")
        if name is not None:
            found.add(name)
    return found


Result = TypeVar("Result")


async def run_all(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Do all of these at once; where one fails, or the whole is cancelled, the others have ended too."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def run_until(
    work: Coroutine[Any, Any, Result], stop: asyncio.Event, seconds: float | None = None
) -> asyncio.Task[Result]:
    """The work when it is done, or cancelled since it was told to stop or its time was up: await it again."""
    working = asyncio.create_task(work)
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({working, stopping}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        if not working.done():
            working.cancel()
    return working
