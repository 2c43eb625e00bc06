"""What a service sent back, answers and failures: bounded in size, and nothing in it taken for granted."""

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

from redraft.errors import (
    BadAnswer,
    ConnectionFailed,
    ContextOverflow,
    MissingKey,
    ModelError,
    RateLimited,
    UnknownModel,
)
from redraft.models.base import Completion, Finish

MOST_BYTES: Final = 16 * 1024**2
"""Of a reply, unpacked: a whole context of a large model, with room to spare."""
MOST_TOKENS: Final = 10**8
"""A service that claims to have read or written more than this does not count, it makes up."""

_CUT = ("length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded")
_BROKEN_OFF = ("error", "abort", "insufficient_system_resource")
_FILTERED = ("content_filter", "safety", "recitation", "blocklist", "prohibited_content", "spii")
_FINISHES: dict[str, Finish] = {
    **dict.fromkeys(_CUT, "length"),
    **dict.fromkeys(_FILTERED, "filtered"),
    "refusal": "refused",
}
"""How services call an end that is none; by any other name the answer is whole."""

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
    if choice.get("error") or choice.get("finish_reason") in _BROKEN_OFF:
        raise Unreadable("a choice is an error")
    text, thoughts, refused = _content(message.get("content"))
    told = message.get("refusal")
    refused = refused or (isinstance(told, str) and bool(told or not text))
    beside = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(beside, str):
        thoughts = beside
    finish = "refused" if refused else _finish(choice.get("finish_reason"))
    if text is None and finish == "stop" and not thoughts:
        called = message.get("tool_calls") or message.get("function_call")
        raise Unreadable(f"a choice has no text{', but calls of tools' if called else ''}")
    return Completion(_whole(text or ""), finish, thoughts=_whole(thoughts))


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


def _finish(value: object) -> Finish:
    return _FINISHES.get(value.lower(), "stop") if isinstance(value, str) else "stop"


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
    told = {name: value for name, value in error.items() if isinstance(value, str | int)}
    inner = error.get("message")
    details = inner.get("detail") if isinstance(inner, dict) else error.get("detail")
    if isinstance(details, list):  # one for each field that is wrong, as FastAPI has it
        told["message"] = "; ".join(map(_detail, details))
    return told


def _detail(one: object) -> str:
    if not isinstance(one, dict):
        return str(one)[:200]
    return f"{'.'.join(map(str, _listed(one.get('loc'))))}: {one.get('msg')}"[:200]


_CONTEXT = re.compile(
    r"context.{0,20}(length|size|window)|maximum context|too many tokens|prompt is too long", re.IGNORECASE
)
_FLAGGED = re.compile(
    r"content.?(filter|policy|management)|flagged|moderation|prohibited.?content|safety system|usage polic",
    re.IGNORECASE,
)
_UNSUPPORTED = re.compile(
    r"unsupported|not support|unknown|unrecogni|not permitted|not allowed|not enabled|unexpected|extra"
    r"|unavailable|only the default",
    re.IGNORECASE,
)
_UNFIT = re.compile(r"invalid|must be", re.IGNORECASE)
_OUR_SCHEMA = re.compile(r"invalid.{0,20}schema", re.IGNORECASE)
_SYSTEM = re.compile(
    r"\bsystem.{0,20}(role|message|prompt)|role\b.{0,40}\bsystem|developer instr", re.IGNORECASE
)
SYSTEM: Final = "system"
OPTIONAL: Final = (
    *("response_format", "max_tokens", "temperature", "top_p", "top_k", "stop", "seed", "n"),
    SYSTEM,
)
"""What a request can do without, or word otherwise: its parameters, and a message of the system's."""


class AttemptError(Exception):
    """A failed attempt: the error to raise, and what the server refused; `charged` if it may be paid for.

    Where the server's filter stopped the request itself, it is `filtered`: an answer that is none.
    """

    def __init__(
        self,
        error: ModelError,
        *,
        parameter: str = "",
        status: int = 0,
        charged: bool = False,
        filtered: bool = False,
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.parameter = parameter
        self.status = status
        self.charged = charged
        self.filtered = filtered

    @property
    def is_lasting(self) -> bool:
        """Whether the server takes what it refused in no request, and not just this value in this one."""
        message = str(self.error)
        return bool(_UNSUPPORTED.search(message)) and not _OUR_SCHEMA.search(message)


def as_failure(error: Exception, url: str, model: str, timeout: float, key: str) -> AttemptError:
    """The SDK's exception as one of ours. The key is struck out: some services repeat it in their message."""
    if isinstance(error, Unreadable):
        return unreadable(str(error), url)
    if isinstance(error, (openai.APITimeoutError, TimeoutError)):
        return AttemptError(
            ConnectionFailed(
                f"{url} did not answer within {timeout:g} seconds",
                provider=url,
                retryable=True,
                hint="the model may be slow: raise the setting timeout, or ask for fewer tokens",
            ),
            charged=not isinstance(error.__cause__, httpx2.ConnectTimeout | httpx2.PoolTimeout),
        )
    if isinstance(error, openai.APIStatusError):
        response = error.response
        return reported_failure(
            response.status_code, _reported(response.content), url, model, key, response.headers
        )
    if isinstance(error, openai.APIConnectionError):
        reason = str(error.__cause__ or error) or type(error.__cause__ or error).__name__
        return AttemptError(
            ConnectionFailed(
                f"no connection to {url}: {_without(key, reason)}",
                provider=url,
                retryable=True,
                hint="check the address, and that the server is running",
            ),
            charged=not isinstance(error.__cause__, httpx2.ConnectError),
        )
    return AttemptError(
        ModelError(
            f"the request to {url} cannot be sent: {_without(key, str(error))[:200]}",
            provider=url,
            hint="check the address, the key, and the text for characters that are none",
        )
    )


def unreadable(why: str, url: str, body: bytes = b"") -> AttemptError:
    """The failure where a reply is no answer."""
    shown = f": {body[:200].decode('utf-8', 'replace')!r}" if body else ""
    return AttemptError(
        BadAnswer(
            f"{url} sent an answer that cannot be read: {why}{shown}",
            provider=url,
            retryable=True,
            hint="check that the address is that of an OpenAI-compatible service, and ends where"
            " /chat/completions begins, often in /v1",
        ),
        charged=True,
    )


def rejected_parameter(failure: AttemptError, sent: Mapping[str, Any]) -> str | None:
    """The optional parameter that the server would not take, if that is what it says."""
    if failure.status not in (400, 422, 501) or isinstance(failure.error, ContextOverflow):
        return None
    message = str(failure.error)
    named = [name for name in OPTIONAL if name == failure.parameter.split(".")[0]]
    if not named and (failure.is_lasting or _UNFIT.search(message)):
        if _SYSTEM.search(message) and sent["messages"][0]["role"] == SYSTEM:
            return SYSTEM
        named = [name for name in OPTIONAL if re.search(rf"(?<!\w){name}(?!\w)", message)]
        if "json_schema" in message:
            named.insert(0, "response_format")
    return next((name for name in named if name in sent), None)


def reported_failure(
    status: int, told: Mapping[str, Any], url: str, model: str, key: str, headers: Mapping[str, str]
) -> AttemptError:
    """The failure that a service tells of itself, by its status, or by an error in the place of an answer."""
    code, parameter = str(told.get("code") or ""), str(told.get("param") or "")
    if status < 300 and code.isdecimal() and 400 <= int(code) < 600:
        status = int(code)
    said = _without(key, str(told.get("message") or told.get("detail") or "it does not say why"))[:500]
    wait = _retry_after(headers)
    if status == 429:
        spent = code == "insufficient_quota"
        limited = RateLimited(
            f"{url} asks to slow down: {said}",
            provider=url,
            retryable=not spent,
            hint="lower the setting concurrency" if not spent else "the account's quota is spent",
        )
        limited.wait = wait
        return AttemptError(limited)
    if status >= 500 and status != 501:
        failed = ModelError(f"{url} failed with status {status}: {said}", provider=url, retryable=True)
        failed.wait = wait
        return AttemptError(failed)
    filtered = status in (400, 403, 422, 451) and bool(code == "content_filter" or _FLAGGED.search(said))
    if 300 <= status < 400:
        to = headers.get("location", "nowhere")[:200]
        failed = ModelError(
            f"{url} refers to another address (status {status}): {to!r}",
            provider=url,
            hint="your text is not sent there unasked: if you trust it, name that address",
        )
    elif status in (401, 403):
        failed = MissingKey(
            f"{url} refused the key (status {status}): {said}",
            provider=url,
            hint="set OPENAI_API_KEY to a key of this service",
        )
    elif code == "context_length_exceeded" or _CONTEXT.search(said):
        failed = ContextOverflow(
            f"the request does not fit the model's context: {said}",
            provider=url,
            hint="shorten the text or ask for fewer tokens",
        )
    elif status == 404 or code == "model_not_found":
        failed = UnknownModel(
            f"{url} does not know the model {model!r}: {said}",
            provider=url,
            hint="check the name and the address",
        )
    else:
        hint = (
            "it has no switch for thinking: leave that to the model" if "chat_template_kwargs" in said else ""
        )
        failed = ModelError(f"{url} refused the request (status {status}): {said}", provider=url, hint=hint)
    return AttemptError(failed, parameter=parameter, status=status, filtered=filtered)


def _reported(body: bytes) -> Mapping[str, Any]:
    """What the body of an error tells; its first words where it is no JSON."""
    try:
        return error_fields(read_json(body))
    except Unreadable:
        return {"message": body[:500].decode("utf-8", "replace").strip()}


def _retry_after(headers: Mapping[str, str]) -> float | None:
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None


def _without(key: str, text: str) -> str:
    return text.replace(key, "…") if len(key) > 4 else text
