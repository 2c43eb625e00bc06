"""What a service sent back: no more of it than is bounded, and nothing in it taken for granted."""

from __future__ import annotations

import functools
import json
import re
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import httpx2
import openai

from redraft.models.base import Completion, FinishReason

MOST_BYTES: Final = 16 * 1024**2
"""Of a reply, unpacked: a whole context of a large model, with room to spare."""
MOST_TOKENS: Final = 10**8
"""A service that claims to have read or written more than this does not count, it makes up."""

_REASONS: dict[str, FinishReason] = {
    "length": "length",
    "max_tokens": "length",
    "content_filter": "filter",
    "safety": "filter",
}
_HALVES = re.compile("[\ud800-\udfff]")
_DROPPED = ("content-encoding", "content-length", "content-type", "transfer-encoding")
"""Headers that say how a body was sent, and not what it says."""


class Unreadable(ValueError):
    """A reply that cannot be made sense of; it says why."""


class BoundedClient(openai.DefaultAsyncHttpxClient):
    """The SDK's client, which reads a body as far as it may go, whatever the status, and follows nobody.

    A redirection would take the user's text to a host that nobody chose.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(follow_redirects=False, verify=_trusted(), **options)

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request, and read the reply."""
        response = await super().send(request, **{**options, "stream": True})
        body = bytearray()
        try:
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > MOST_BYTES:
                    raise Unreadable(f"it is longer than {MOST_BYTES:,} bytes")
        except httpx2.DecodingError as error:
            raise Unreadable(f"it cannot be unpacked: {error}") from None
        finally:
            await response.aclose()
        headers = [(name, value) for name, value in response.headers.multi_items() if name not in _DROPPED]
        return httpx2.Response(response.status_code, headers=headers, content=bytes(body), request=request)


@functools.cache
def _trusted() -> ssl.SSLContext:
    """Whom to trust, read once: it takes a tenth of a second."""
    return httpx2.create_ssl_context()


@dataclass(frozen=True, slots=True)
class Reply:
    """The answers in a reply, and the counts that can be believed; without answers, why there are none."""

    answers: tuple[Completion, ...] = ()
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    problem: str = ""
    error: object = None
    """What the service calls an error."""


def read_reply(body: bytes) -> Reply:
    """What a body holds of a chat completion."""
    try:
        value = read_json(body)
    except Unreadable as problem:
        return Reply(problem=str(problem))
    if not isinstance(value, dict):
        return Reply(problem="it is no JSON object")
    usage = value.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    answers, problems = _answers(value.get("choices"))
    return Reply(
        answers,
        _count(counts.get("prompt_tokens")),
        _count(counts.get("completion_tokens")),
        "" if answers else problems[0],
        None if answers else value.get("error"),
    )


def read_json(body: bytes) -> object:
    """The JSON value of a body; Unreadable where it is none, or could mean two things."""
    try:
        return json.loads(body, object_pairs_hook=_once)
    except RecursionError:
        raise Unreadable("it is nested too deeply") from None
    except ValueError as error:
        raise Unreadable(f"it is no JSON: {error}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs) and any(found[name] != value for name, value in pairs):
        raise ValueError("a key is there twice, with different values")
    return found


def _answers(choices: object) -> tuple[tuple[Completion, ...], list[str]]:
    """The answers that can be read, by their indexes, and what is wrong with the others."""
    if not isinstance(choices, list) or not choices:
        return (), ["it has no choices"]
    answers: list[Completion] = []
    problems: list[str] = []
    for choice in _in_order(choices):
        try:
            answers.append(_answer(choice))
        except Unreadable as problem:
            problems.append(str(problem))
    return tuple(answers), problems


def _in_order(choices: Sequence[Any]) -> Sequence[Any]:
    """By their indexes; as they are, where these are no numbers, or not all different."""
    indexes = [choice.get("index") if isinstance(choice, dict) else None for choice in choices]
    if not all(type(index) is int for index in indexes) or len(set(indexes)) < len(indexes):
        return choices
    return sorted(choices, key=lambda choice: choice["index"])


def _answer(choice: object) -> Completion:
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise Unreadable("a choice has no message")
    if choice.get("error") or choice.get("finish_reason") == "error":
        raise Unreadable("a choice is an error")
    text, thoughts, refused = _content(message.get("content"))
    refused = refused or (isinstance(message.get("refusal"), str) and not text)
    beside = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(beside, str):
        thoughts = beside
    reason = "filter" if refused else _reason(choice.get("finish_reason"))
    if text is None and reason == "stop" and not thoughts:
        called = message.get("tool_calls") or message.get("function_call")
        raise Unreadable(f"a choice has no text{', but calls of tools' if called else ''}")
    return Completion(_whole(text or ""), reason, thoughts=_whole(thoughts))


def _content(content: object) -> tuple[str | None, str, bool]:
    """The text of a message, which may come in parts, the thoughts among these, and whether it refuses."""
    if content is None or isinstance(content, str):
        return content, "", False
    texts: list[str] = []
    thoughts: list[str] = []
    refused = False
    for part in _listed(content):
        kind = part.get("type") if isinstance(part, dict) else "text"
        if kind == "thinking":
            thoughts += _texts(part.get("thinking"))
        elif kind == "refusal":
            refused = True
        elif not isinstance(part, dict) or "text" in part:
            text = part.get("text") if isinstance(part, dict) else part
            if not isinstance(text, str):
                raise Unreadable("a part of a text is no text")
            texts.append(text)
    return "".join(texts) if texts else None, "".join(thoughts), refused and not texts


def _texts(parts: object) -> list[str]:
    found = [part.get("text") if isinstance(part, dict) else part for part in _listed(parts)]
    return [text for text in found if isinstance(text, str)]


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _reason(value: object) -> FinishReason:
    return _REASONS.get(value.lower(), "stop") if isinstance(value, str) else "stop"


def _whole(text: str) -> str:
    """A text without halves of characters, which nothing could write."""
    return _HALVES.sub("\ufffd", text)


def _count(value: object) -> int | None:
    """A number of tokens; None where it is none that can be believed."""
    if isinstance(value, str) and len(value) < 10 and value.isascii() and value.isdecimal():
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= MOST_TOKENS:
        return None
    return value


def error_fields(error: object) -> Mapping[str, Any]:
    """What a service tells of an error, whatever shape it gives it; nothing where that is none."""
    while isinstance(error, list) and len(error) == 1:
        (error,) = error
    if isinstance(error, dict) and isinstance(error.get("error"), dict | str):
        error = error["error"]
    if isinstance(error, str):
        return {"message": error}
    if not isinstance(error, dict):
        return {}
    return {name: value for name, value in error.items() if isinstance(value, str | int)}
