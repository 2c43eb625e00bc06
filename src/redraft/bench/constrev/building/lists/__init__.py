"""Words and beginnings that a build draws on, as files that can be read and changed."""

from __future__ import annotations

from importlib.resources import files


def listed(name: str) -> list[str]:
    """The words of a list."""
    return _text(name).split()


def lines(name: str) -> list[str]:
    """The lines of a list."""
    return _text(name).splitlines()


def _text(name: str) -> str:
    return files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
