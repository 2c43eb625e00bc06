"""What went wrong at a service, in our words: which error it is, whether to try again, and after how long."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

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
from redraft.models.replies import Unreadable, error_fields, read_json

_CONTEXT = re.compile(
    r"context.{0,20}(length|size|window)|maximum context|too many tokens|prompt is too long", re.IGNORECASE
)
_REFUSAL = re.compile(
    r"unsupported|not support|unknown|unrecogni|not permitted|not allowed|unexpected|invalid|must be|extra",
    re.IGNORECASE,
)
_OPTIONAL = ("response_format", "max_tokens", "temperature", "top_p", "stop", "seed", "n")
"""What a request can do without, or word otherwise."""


class AttemptError(Exception):
    """A failed attempt: the error to raise, and what the server refused; `charged` if it may be paid for."""

    def __init__(
        self, error: ModelError, *, parameter: str = "", status: int = 0, charged: bool = False
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.parameter = parameter
        self.status = status
        self.charged = charged


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
        return told_failure(response.status_code, _told(response.content), url, model, key, response.headers)
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
    named = [name for name in _OPTIONAL if name == failure.parameter.split(".")[0]]
    if not named and _REFUSAL.search(message):
        named = [name for name in _OPTIONAL if re.search(rf"(?<!\w){name}(?!\w)", message)]
        if "json_schema" in message:
            named.insert(0, "response_format")
    return next((name for name in named if name in sent), None)


def told_failure(
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
    return AttemptError(failed, parameter=parameter, status=status)


def _told(body: bytes) -> Mapping[str, Any]:
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
