"""Simplify a text by a stated policy, judge simplifications by it, and make preference data of that.

The package can be called: `redraft.simplify(text, "lexical")` is `redraft.simplification.simplifying.simplify`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Any:
        from redraft.simplification.simplifying import simplify  # noqa: PLC0415 - most parts do without

        return simplify(*args, **options)


sys.modules[__name__].__class__ = _Callable
