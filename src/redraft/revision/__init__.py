"""Revising a text under constraints: tools, plans, a search over revisions, and repair that is verified.

The package can be called: `redraft.revise(text, "Under 100 words.")` is `redraft.revision.revising.revise`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Any:
        from redraft.revision.revising import revise  # noqa: PLC0415 - most parts do without

        return revise(*args, **options)


sys.modules[__name__].__class__ = _Callable
