"""LoRA adapters of the embedded model: by path, or by the name of a file in one of two folders."""

from __future__ import annotations

import difflib
from pathlib import Path

from redraft.errors import UnknownModel

SHIPPED = Path(__file__).parent / "adapters"
"""Adapters that come with the package; those that a user adds lie in `adapters` beside the weights."""


def find_adapter(adapter: str, weights_root: Path) -> Path:
    """The file of an adapter."""
    if adapter.endswith(".gguf"):
        path = Path(adapter).expanduser().resolve()
        if not path.is_file():
            raise UnknownModel(f"there is no adapter file {path}", provider="embedded")
        return path
    known = known_adapters(weights_root)
    if adapter in known:
        return known[adapter]
    close = difflib.get_close_matches(adapter, known, n=1)
    listed = ", ".join(sorted(known)) or "none"
    raise UnknownModel(
        f"there is no adapter {adapter!r}",
        provider="embedded",
        hint=f"did you mean {close[0]!r}?" if close else f"give the path of a .gguf, or one of: {listed}",
    )


def known_adapters(weights_root: Path) -> dict[str, Path]:
    """Adapters by name; one that a user added outranks a shipped one of the same name."""
    folders = (SHIPPED, weights_root / "adapters")
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.gguf"))}
