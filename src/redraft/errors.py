"""Every error that redraft raises on purpose.

RedraftError
├── InputError            the text, a file, a call or an option is not usable      exit 2
│   ├── FileError         a file that cannot be read or written as text
│   ├── CallError         a constraint call that does not parse or validate (has a position)
│   ├── SettingsError     a setting with an impossible value (says where it came from)
│   ├── NotFound          nothing is kept under that id
│   ├── Stale             a document was changed by somebody else (has the current one)
│   └── MissingExtra      an optional part is not installed (says how to install it)
├── InfeasibleError       no text can satisfy the constraints (has the conflict)   exit 3
├── QueueFull             too many jobs wait already (has the seconds to wait)      exit 4
├── StoreFailed           documents and jobs cannot be read or written now           exit 4
├── MaskError             a rewrite lost or doubled a placeholder                   exit 4
└── ModelError            a model or its service failed (provider, retryable, hint) exit 4
    ├── WeightsMissing    embedded weights are not in the cache and cannot be had
    ├── UnknownModel      the spec or the service does not know the model
    ├── MissingKey        the service wants a key
    ├── ConnectionFailed  refused, dropped or timed out
    ├── RateLimited       still told to slow down after the last retry
    ├── ContextOverflow   the request does not fit the model's context
    ├── BadAnswer         the answer cannot be read, or stayed malformed after the last repair
    ├── BudgetExceeded    the budget is spent; what was finished is kept
    └── WorkersLost       a cluster has no worker that can do the work
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from redraft.models import Usage


class RedraftError(Exception):
    """Base of all; `exit_status` is what the command line returns for it."""

    exit_status: ClassVar[int] = 2


class InputError(RedraftError):
    """The text, a file, a call or an option is not usable."""


class FileError(InputError):
    """A file that cannot be read or written as text."""


class CallError(InputError):
    """A constraint call that does not parse or validate; `position` is an offset into the call."""

    def __init__(self, message: str, *, call: str = "", position: int = 0) -> None:
        super().__init__(message)
        self.call = call
        self.position = position


class SettingsError(InputError):
    """A setting with an impossible value."""


class NotFound(InputError):
    """Nothing is kept under that id."""


class Stale(InputError):
    """A document was changed by somebody else since it was read; `current` is what it is now."""

    def __init__(self, message: str, current: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.current = current


class MissingExtra(InputError):
    """An optional part of redraft is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an optional part: pip install 'redraft[{extra}]'")
        self.extra = extra


class InfeasibleError(RedraftError):
    """No text can satisfy the constraints together; the message names the conflict."""

    exit_status = 3


class QueueFull(RedraftError):
    """Too many jobs wait already; `wait` is after how many seconds to try again."""

    exit_status = 4

    def __init__(self, message: str, *, wait: int) -> None:
        super().__init__(message)
        self.wait = wait


class StoreFailed(RedraftError):
    """Documents and jobs cannot be read or written now: the database does not answer."""

    exit_status = 4


class MaskError(RedraftError):
    """A rewrite lost or doubled a placeholder for something that must not be touched."""

    exit_status = 4

    def __init__(self, message: str, *, lost: tuple[str, ...] = (), doubled: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.lost = lost
        self.doubled = doubled


class ModelError(RedraftError):
    """A model or its service failed; `hint` says what to do about it.

    `wait` is how many seconds the service asks to be left alone; `spent` what the call took that failed.
    """

    exit_status = 4
    wait: float | None = None
    spent: Usage | None = None

    def __init__(self, message: str, *, provider: str = "", retryable: bool = False, hint: str = "") -> None:
        super().__init__(f"{message}\n  {hint}" if hint else message)
        self.provider = provider
        self.retryable = retryable
        self.hint = hint


class WeightsMissing(ModelError):
    """Embedded weights are not in the cache and cannot be had."""


class UnknownModel(ModelError):
    """The spec or the service does not know the model."""


class MissingKey(ModelError):
    """The service wants a key and none is set."""


class ConnectionFailed(ModelError):
    """The service refused, dropped or did not answer in time."""


class RateLimited(ModelError):
    """The service still asks to slow down after the last retry."""


class ContextOverflow(ModelError):
    """The request does not fit into the model's context."""


class BadAnswer(ModelError):
    """The answer cannot be read, or stayed malformed after the last repair."""


class BudgetExceeded(ModelError):
    """The budget is spent; what was finished is kept."""


class WorkersLost(ModelError):
    """A cluster has no worker that can do the work."""


FATAL = (BudgetExceeded, MissingKey, UnknownModel, WeightsMissing, WorkersLost)
"""These concern every piece of work alike, so that going on would only fail again and again."""
