"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, cast


class _Late:
    """Stands for a pattern: whatever is asked of it is asked of the pattern."""

    def __init__(self, wording: str, flags: int) -> None:
        self._wording = wording
        self._flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._wording, self._flags)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._compiled, name)


def late_pattern(wording: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern for a wording that few texts have: a long one takes a tenth of a second to compile.

    It has the methods of a pattern; functions of `re` do not take it.
    """
    return cast("re.Pattern[str]", _Late(wording, flags))
