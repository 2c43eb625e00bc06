"""Write a long piece by outline, draft, review, refine and finish, and keep the whole trajectory.

The package can be called: `redraft.compose(topic, style)` is `redraft.composition.composing.compose`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Any:
        from redraft.composition.composing import compose  # noqa: PLC0415 - most parts do without

        return compose(*args, **options)


sys.modules[__name__].__class__ = _Callable
