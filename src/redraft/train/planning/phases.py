"""Phases of a long run: what each is at, told now and then, and what each took, written down."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from redraft.errors import FileError

Say = Callable[[str], None]
"""Is told in words how a run goes."""

FILE: Final = "phases.jsonl"
_EVERY_S: Final = 10.0


@dataclass(slots=True)
class Phase:
    """One phase, while it runs."""

    name: str
    total: int
    say: Say
    done: int = 0
    tokens: int = 0
    started: float = field(default_factory=time.monotonic)
    told: float = field(default_factory=time.monotonic)

    def add(self, done: int, tokens: int = 0) -> None:
        """So many are done, and took so many tokens."""
        self.done += done
        self.tokens += tokens
        if time.monotonic() - self.told > _EVERY_S:
            self.told = time.monotonic()
            self.say(f"{self.name}: {self.done:,} of {self.total:,}{self.speed}")

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self.started

    @property
    def speed(self) -> str:
        """Tokens a second, in words; nothing where none were counted."""
        return f", {self.tokens / max(self.seconds, 1e-9):,.0f} tokens/s" if self.tokens else ""


class Phases:
    """The phases of a run; with a folder, they are written down in it."""

    def __init__(self, out: Path | None, say: Say) -> None:
        self._path = None if out is None else out / FILE
        self._say = say

    @contextmanager
    def phase(self, name: str, total: int) -> Iterator[Phase]:
        """A phase of so many parts; it is written down when it has ended well."""
        phase = Phase(name, total, self._say)
        yield phase
        seconds = round(phase.seconds, 2)
        self._say(f"{name}: {total:,} in {seconds:.1f} s{phase.speed}")
        if self._path is None:
            return
        line = {"phase": name, "items": total, "seconds": seconds, "tokens": phase.tokens}
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            raise FileError(f"{self._path} cannot be written: {error.strerror}") from None
