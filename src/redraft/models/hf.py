"""Models in transformers (`hf:PATH`), on a GPU where there is one: many requests at once are one batch.

A path is a Hugging Face folder, what a training of ours wrote, or the GGUF of a Llama such as SmolLM2.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from redraft.errors import MissingExtra, ModelError, UnknownModel
from redraft.models import weights
from redraft.models.adapters import find_adapter
from redraft.models.base import Completion, Request, Usage
from redraft.models.engines import check_context
from redraft.models.gguf_file import check_llama
from redraft.models.lora import CONFIG_FILE, RECORD_FILE, WEIGHTS_FILE, find_peft, is_peft
from redraft.notation import parse_json
from redraft.settings import FREE, Settings

if TYPE_CHECKING:
    from redraft.models.hf_engine import Engine

WHOLE_FILE = "model.safetensors"
CONFIG = "config.json"
TOKENIZERS = ("tokenizer.json", "tokenizer_config.json", "vocab.json", "vocab.txt", "tokenizer.model")

DTYPE = "float32"
"""With it greedy answers are those of llama.cpp; `bfloat16` is faster on a GPU and a little off."""


class HuggingFace:
    """A Backend on transformers. Weights are looked for, and loaded, at the first request.

    `path` is a model's folder or GGUF; without one it is the embedded model. `trained` is what a training of
    that left, an adapter or a whole model: it is used where a request names no adapter, and in the place of
    any that a request asks for by name.
    """

    price = FREE

    def __init__(
        self,
        spec: str,
        settings: Settings,
        path: Path | None = None,
        trained: Path | None = None,
    ) -> None:
        self.spec = spec
        self._settings = settings
        self._path = path
        self._trained = trained
        self._whole = trained if trained is not None and not is_peft(trained) else None

    def identity(self, request: Request) -> str:
        adapter = self._adapter(request)
        changed = _adapter_hash(adapter) if adapter else "no adapter"
        kind = "own template" if self._path is not None and self._path.is_dir() else "chatml"
        return f"torch {self._dtype} {self._weights_hash} {kind} {changed}"

    async def sample(self, request: Request, first: int, count: int) -> tuple[Completion, ...]:
        if request.schema is not None:
            raise ModelError(
                f"{self.spec} cannot write by a JSON schema",
                provider="torch",
                hint="use an embedded model, or a service that has structured output",
            )
        engine = await asyncio.to_thread(self._engine)
        prompt = await asyncio.to_thread(engine.prompt, request)
        check_context(len(prompt), request.max_tokens, self._settings.context, self.spec)
        adapter = self._adapter(request)
        # Greedy decoding does not depend on the seed: one answer is all of them.
        seeds = range(first, first + (count if request.temperature > 0 else 1))
        answers = [
            asyncio.wrap_future(engine.submit(request, prompt, adapter, (request.seed + index) % 2**63))
            for index in seeds
        ]
        try:
            one, *others = await asyncio.gather(*answers)
        except BaseException:
            for answer in answers:
                answer.cancel()
            raise
        if len(others) < count - 1:
            others = [replace(one, usage=Usage())] * (count - 1)
        # The call is one call, and its prompt is counted once for all samples.
        return (replace(one, usage=replace(one.usage, calls=1, prompt_tokens=len(prompt))), *others)

    async def aclose(self) -> None:
        """Nothing: the engine is shared by the process, and freed at its end."""

    def _engine(self) -> Engine:
        try:
            from redraft.models.hf_engine import EngineConfig, shared_engine  # noqa: PLC0415 - optional
        except ImportError:
            raise MissingExtra("a model in torch", "train") from None
        config = EngineConfig(self._model_file(), self._whole, self._dtype, self._settings.threads)
        return shared_engine(config)

    def _model_file(self) -> Path:
        if self._path is not None:
            return self._path
        folder = weights.ensure(weights.CHAT, self._settings.weights())
        if self._trained is not None:
            _check_base(self._trained, folder)
        return folder / weights.MODEL_FILE

    @functools.cached_property
    def _dtype(self) -> str:
        """On a GPU the weights of a folder stay as they are: in float32 a large model would not fit."""
        if self._path is None or not self._path.is_dir():
            return DTYPE
        try:
            import torch  # noqa: PLC0415 - an optional part
        except ImportError:
            raise MissingExtra("a model in torch", "train") from None
        return "auto" if torch.cuda.is_available() else DTYPE

    @functools.cached_property
    def _weights_hash(self) -> str:
        if self._whole is not None:
            return weights.sha256_of(self._whole / WHOLE_FILE)[:16]
        if self._path is not None and self._path.is_dir():
            return weights.folder_fingerprint(self._path)
        if self._path is not None:
            check_llama(self._path)
            return weights.sha256_of(self._path)[:16]
        return weights.fingerprint(weights.ensure(weights.CHAT, self._settings.weights()))

    def _adapter(self, request: Request) -> Path | None:
        own = None if self._whole else self._trained
        name = request.adapter
        if name is None:
            return own
        folder = Path(name).expanduser()
        if is_peft(folder):
            return folder.resolve()
        if self._trained is not None and not name.endswith(".gguf"):
            return own
        return find_adapter(name, self._settings.weights())


def open_hf(spec: str, settings: Settings) -> HuggingFace:
    """`hf:FOLDER` (a model, or what a training wrote), `hf:PATH.gguf`, `torch` (the embedded weights).

    What follows `torch:` is read in the same way; specs were written so before `hf:`.
    """
    scheme, _, rest = spec.partition(":")
    if not rest and scheme == "torch":
        return HuggingFace(spec, settings)
    if not rest:
        raise UnknownModel(f"{spec!r} names no folder", provider="torch", hint="write hf:FOLDER")
    path = Path(rest).expanduser().resolve()
    if not path.is_dir():
        check_llama(path)
        return HuggingFace(spec, settings, path)
    if _has_tokenizer(path):
        return HuggingFace(spec, settings, path)
    return HuggingFace(spec, settings, trained=trained_in(path))


def is_trained(spec: str) -> bool:
    """Whether a spec names what a training of ours wrote: `hf:DIR`, or `torch:DIR`, as it was written before.

    A folder with a tokenizer of its own is another's.
    """
    scheme, _, rest = spec.partition(":")
    folder = Path(rest).expanduser()
    if scheme == "torch":
        return bool(rest) and folder.suffix != ".gguf"
    return scheme == "hf" and not _has_tokenizer(folder) and _find_trained(folder) is not None


def _has_tokenizer(folder: Path) -> bool:
    return (folder / CONFIG).is_file() and any((folder / name).is_file() for name in TOKENIZERS)


def _find_trained(folder: Path) -> Path | None:
    if adapter := find_peft(folder):
        return adapter
    return next((found for found in (folder / "model", folder) if (found / WHOLE_FILE).is_file()), None)


def trained_in(folder: Path) -> Path:
    """The adapter or the whole model in the output folder of a training, or the folder where it is one."""
    if found := _find_trained(folder):
        return found
    raise UnknownModel(
        f"{folder} holds no trained adapter or model, and no model with its tokenizer",
        provider="torch",
        hint=f"expected is adapter/ with {CONFIG_FILE} and {WEIGHTS_FILE}, model/ with {WHOLE_FILE}, or "
        f"{CONFIG}, a tokenizer and weights in safetensors, as on the Hugging Face hub",
    )


def _check_base(trained: Path, folder: Path) -> None:
    """Raise if the record beside what was trained names another base than the embedded model."""
    try:
        base = parse_json((trained.parent / RECORD_FILE).read_text(encoding="utf-8"))["base"]
        name, wanted = base["file"], base["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        return  # no record is no reason to refuse
    files = json.loads((folder / weights.MANIFEST).read_text(encoding="utf-8"))["files"]
    if wanted != files[weights.MODEL_FILE]["sha256"]:
        raise ModelError(
            f"{trained} was trained on another base, {name}", provider="torch", hint=f"SHA-256 {wanted}"
        )


def _adapter_hash(path: Path) -> str:
    files = [path / CONFIG_FILE, path / WEIGHTS_FILE] if path.is_dir() else [path]
    return hashlib.sha256("".join(map(weights.current_sha256, files)).encode()).hexdigest()[:16]
