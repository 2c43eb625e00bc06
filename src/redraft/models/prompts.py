"""Prompts that stand in files beside the code that uses them."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


class Prompts:
    """The prompts of a package: `prompts/NAME.md` in it, each with blanks such as {text}."""

    def __init__(self, package: str) -> None:
        self._package = package

    def __call__(self, name: str, /, **values: object) -> str:
        """A prompt with its blanks filled in; what is filled in is not looked at for blanks."""
        return self.template(name).format(**values)

    def template(self, name: str) -> str:
        """A prompt as it stands in its file, without empty lines at either end."""
        return _template(self._package, name)


@lru_cache(maxsize=128)
def _template(package: str, name: str) -> str:
    return files(package).joinpath("prompts", f"{name}.md").read_text(encoding="utf-8").strip()
