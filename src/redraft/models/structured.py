"""Answers with a shape: asked for by JSON schema, validated by pydantic, repaired a few times at most."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from redraft.errors import BadAnswer
from redraft.models.base import Message, Model, Request, schema_text

Shape = TypeVar("Shape", bound=BaseModel)

MOST_WASTED: Final = 1_000_000
"""Characters read in vain, after which no more JSON is looked for."""
A_TRY: Final = 1_000
DEEP: Final = 5_000
"""What each try in vain counts for beside them, and what one does that was nested too deeply."""

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

    An answer that does not validate goes back to the model with what is wrong with it, at most `repairs`
    times; then BadAnswer. `read` takes the place of `read_answer` where that is too kind.
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
        try:
            return reading(completion.text, shape)
        except ValueError as error:
            problem = _explain(error)
            if completion.finish_reason == "length":
                problem += f"\nThe answer was cut off after {max_tokens} tokens: make it shorter."
        conversation = (
            *messages,
            Message("assistant", completion.text),
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
