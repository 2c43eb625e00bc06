"""Word lists that packages carry as data."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files


def lines(package: str, name: str) -> Iterator[str]:
    """The lines of a list in a package's data folder, without comments."""
    for line in (files(package) / "data" / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line
