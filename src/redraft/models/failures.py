"""What went wrong at a service, in our words: which error it is, whether to try again, and after how long."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

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
    """A failed attempt: the error to raise if it was the last, and how long the server asks us to wait."""

    def __init__(
        self, error: ModelError, *, wait: float | None = None, parameter: str = "", status: int = 0
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.wait = wait
        self.parameter = parameter
        self.status = status


def as_failure(error: Exception, url: str, model: str, timeout: float, key: str) -> AttemptError:
    """The SDK's exception as one of ours. The key is struck out: some services repeat it in their message."""
    if isinstance(error, (openai.APITimeoutError, TimeoutError)):
        return AttemptError(
            ConnectionFailed(
                f"{url} did not answer within {timeout:g} seconds",
                provider=url,
                retryable=True,
                hint="the model may be slow: raise the setting timeout, or ask for fewer tokens",
            )
        )
    if isinstance(error, openai.APIStatusError):
        return _status_failure(error, url, model, key)
    if isinstance(error, openai.APIConnectionError):
        reason = str(error.__cause__ or error) or type(error.__cause__ or error).__name__
        return AttemptError(
            ConnectionFailed(
                f"no connection to {url}: {_without(key, reason)}",
                provider=url,
                retryable=True,
                hint="check the address, and that the server is running",
            )
        )
    return AttemptError(
        BadAnswer(
            f"{url} sent an answer that cannot be read: {_without(key, str(error))[:200]}",
            provider=url,
            retryable=True,
            hint="check that the address is that of an OpenAI-compatible service",
        )
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


def _status_failure(error: openai.APIStatusError, url: str, model: str, key: str) -> AttemptError:
    body = error.body if isinstance(error.body, dict) else {}
    code, parameter = str(body.get("code") or ""), str(body.get("param") or "")
    said = _without(key, str(body.get("message") or error.message))[:500]
    status = error.status_code
    if status == 429:
        spent = code == "insufficient_quota"
        return AttemptError(
            RateLimited(
                f"{url} asks to slow down: {said}",
                provider=url,
                retryable=not spent,
                hint="lower the setting concurrency" if not spent else "the account's quota is spent",
            ),
            wait=_retry_after(error),
        )
    if status >= 500 and status != 501:
        return AttemptError(
            ModelError(f"{url} failed with status {status}: {said}", provider=url, retryable=True),
            wait=_retry_after(error),
        )
    if status in (401, 403):
        failed: ModelError = MissingKey(
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


def _retry_after(error: openai.APIStatusError) -> float | None:
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None


def _without(key: str, text: str) -> str:
    return text.replace(key, "…") if len(key) > 4 else text
