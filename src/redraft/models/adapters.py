"""LoRA adapters of the embedded models: by path, or by the name of a file in one of two folders.

Those for a larger model lie in a folder of its name in each.
"""

from __future__ import annotations

import difflib
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from redraft.errors import FileError, InputError, ModelError, UnknownModel
from redraft.models import weights
from redraft.models.larger import larger_file, larger_model
from redraft.text import make_private

SHIPPED = Path(__file__).parent / "adapters"
"""Adapters that come with the package; those that a user adds lie in `adapters` beside the weights."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class Adapter:
    """An adapter that can be asked for by name."""

    name: str
    path: Path
    added: bool
    outranks: bool
    """Whether it was added under the name of a shipped one, which it hides."""

    @property
    def bytes(self) -> int:
        """Its size."""
        return self.path.stat().st_size


def find_adapter(adapter: str, weights_root: Path, base: str = "") -> Path:
    """The file of an adapter; `base` is a larger model that it is for."""
    if adapter.endswith(".gguf"):
        path = Path(adapter).expanduser().resolve()
        if not path.is_file():
            raise UnknownModel(f"there is no adapter file {path}", provider="embedded")
        return path
    known = known_adapters(weights_root, base)
    if adapter in known:
        return known[adapter]
    close = difflib.get_close_matches(adapter, known, n=1)
    listed = ", ".join(sorted(known)) or "none"
    raise UnknownModel(
        f"there is no adapter {adapter!r}",
        provider="embedded",
        hint=f"did you mean {close[0]!r}?" if close else f"give the path of a .gguf, or one of: {listed}",
    )


def known_adapters(weights_root: Path, base: str = "") -> dict[str, Path]:
    """Adapters by name; one that a user added outranks a shipped one of the same name."""
    return {adapter.name: adapter.path for adapter in list_adapters(weights_root, base)}


def list_adapters(weights_root: Path, base: str = "") -> tuple[Adapter, ...]:
    """Every adapter that a name leads to, in the order of the names: for the embedded model, or a larger."""
    folders = (SHIPPED / base, _added(weights_root) / base)
    shipped, added = ({path.stem: path for path in folder.glob("*.gguf")} for folder in folders)
    return tuple(
        Adapter(name, path, name in added, name in added and name in shipped)
        for name, path in sorted((shipped | added).items())
    )


def add_adapter(
    source: Path, name: str | None, weights_root: Path, *, replace: bool = False, base: str = ""
) -> Adapter:
    """Keep an adapter under a name: a GGUF, a folder of peft's, or a training's.

    It is for the embedded model, or for a larger one, `base`, that was fetched.
    """
    from redraft.models.lora import (  # noqa: PLC0415 - slow to import
        Base,
        entries_beside,
        find_peft,
        read_lora,
        write_lora,
    )

    name = _checked(name if name is not None else _own_name(source.resolve()))
    target = _added(weights_root) / base / f"{name}.gguf"
    if target.exists() and not replace:
        raise InputError(f"there is an adapter {name!r} already; --replace it, or give another --name")
    found = find_peft(source) if source.is_dir() else source
    if found is None:
        raise InputError(f"{source} holds no adapter: name a .gguf, a folder of peft's or that of a training")
    model = (
        larger_file(base, weights_root)
        if base
        else weights.ensure(weights.CHAT, weights_root) / weights.MODEL_FILE
    )
    frame = Base.of(model)
    try:
        lora = read_lora(found, frame.heads)
        frame.check(lora, found)
    except ModelError as error:  # no model was run: it is the file that is of no use
        raise InputError(str(error)) from None
    try:
        make_private(target.parent)
        if found.is_dir():
            write_lora(target, lora, frame.heads, name, entries=entries_beside(found))
        else:
            _copy(found, target)
        target.chmod(0o600)
    except OSError as error:
        raise FileError(f"the adapter cannot be kept as {target}: {error.strerror or error}") from None
    return next(adapter for adapter in list_adapters(weights_root, base) if adapter.name == name)


def remove_adapter(name: str, weights_root: Path, base: str = "") -> Path | None:
    """Delete an adapter that was added; gives the shipped one that the name means again, if any."""
    if base:
        larger_model(base)  # a name, and no path
    known = {adapter.name: adapter for adapter in list_adapters(weights_root, base)}
    if name not in known:
        added = [adapter.name for adapter in known.values() if adapter.added]
        raise InputError(f"there is no adapter {name!r}; added are: {', '.join(added) or 'none'}")
    if not known[name].added:
        raise InputError(f"{name!r} comes with redraft and cannot be removed; one that is added outranks it")
    try:
        known[name].path.unlink()
    except OSError as error:
        raise FileError(f"{known[name].path} cannot be deleted: {error.strerror}") from None
    return known_adapters(weights_root, base).get(name)


def _added(weights_root: Path) -> Path:
    return weights_root / "adapters"


def _own_name(source: Path) -> str:
    if not source.is_dir():
        return source.stem
    # In the folder of a training every adapter is called so.
    return source.parent.name if source.name == "adapter" else source.name


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} is no name for an adapter: give a --name of letters, digits, - and _, at most 64"
        )
    return name


def _copy(source: Path, target: Path) -> None:
    """Copy a file whole or not at all."""
    with tempfile.TemporaryDirectory(prefix=".", dir=target.parent) as folder:
        os.replace(shutil.copyfile(source, Path(folder) / target.name), target)
