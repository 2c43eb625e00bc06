"""LoRA adapters as numbers: read from a GGUF or from a folder that peft wrote, in transformers' order."""

from __future__ import annotations

import math
import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, deserialize

from redraft.errors import ModelError
from redraft.models.families import LLAMA, Family, family_of, known_families
from redraft.models.gguf_file import INSTRUCTION, JUDGES, is_adapter, read_frame
from redraft.notation import parse_json

FloatArray = NDArray[np.float32]

CONFIG_FILE = "adapter_config.json"
WEIGHTS_FILE = "adapter_model.safetensors"
RECORD_FILE = "train.json"
"""Beside an adapter of peft's, how it was trained."""

_GGUF_NAME = re.compile(r"blk\.(\d+)\.(\w+)\.weight\.lora_([ab])")
_GGUF_WEIGHT = re.compile(r"blk\.(\d+)\.(\w+)\.weight")
_PEFT_NAME = re.compile(
    r"(?:.*\.)?layers\.(\d+)\.(?:self_attn|mlp)\.(\w+)\.lora_([AB])(?:\.default)?\.weight"
)

_IN_MLP = ("gate_proj", "up_proj", "gate_up_proj", "down_proj")

BLOCK = 32
"""Numbers that share a scale in 8 bits: a row must have a multiple of it."""

Place = tuple[int, str]
"""A layer, and the name of a projection."""


@dataclass(frozen=True, slots=True)
class Heads:
    """A model's heads, the groups of them that share keys, and its family.

    A GGUF of some families has their rows in another order.
    """

    queries: int
    groups: int
    family: Family = LLAMA

    def of(self, projection: str) -> int | None:
        """Into how many heads a projection's rows are to be split, where the two orders differ."""
        if not self.family.interleaved:
            return None
        return {"q_proj": self.queries, "k_proj": self.groups}.get(projection)


@dataclass(frozen=True, slots=True, eq=False)
class Lora:
    """What is added to each projection: `scale · b @ a`, with r rows in a and r columns in b."""

    scale: float
    pairs: dict[Place, tuple[FloatArray, FloatArray]]

    @property
    def rank(self) -> int:
        """r, the same everywhere."""
        return len(next(iter(self.pairs.values()))[0])


def reduce_rank(lora: Lora, rank: int) -> tuple[Lora, float]:
    """The nearest adapter of a lower rank, and how far off it is, as a share of the whole.

    Of each projection's product the largest singular values are kept (Eckart and Young), half of each in a
    and half in b.
    """
    pairs: dict[Place, tuple[FloatArray, FloatArray]] = {}
    lost = whole = 0.0
    for place, (a, b) in lora.pairs.items():
        # The product is large, and has no more to it than the two small factors.
        left, upper = np.linalg.qr(b.astype(np.float64))
        right, lower = np.linalg.qr(a.T.astype(np.float64))
        u, values, v = np.linalg.svd(upper @ lower.T)
        root = np.sqrt(values[:rank])
        pairs[place] = (
            (root[:, None] * (v[:rank] @ right.T)).astype(np.float32),
            (left @ u[:, :rank] * root).astype(np.float32),
        )
        lost += float(np.square(values[rank:]).sum())
        whole += float(np.square(values).sum())
    return Lora(lora.scale, pairs), math.sqrt(lost / whole) if whole else 0.0


def average_adapters(first: Lora, second: Lora, share: float) -> Lora:
    """An adapter that changes a model by `share` of what the first does, and the rest of the second.

    Its rank is that of both together: `reduce_rank` makes it lower.
    """
    parts = [(first.scale * share, first), (second.scale * (1 - share), second)]
    pairs: dict[Place, tuple[FloatArray, FloatArray]] = {}
    for place in first.pairs | second.pairs:
        own = [(scale, *lora.pairs[place]) for scale, lora in parts if place in lora.pairs]
        pairs[place] = (
            np.concatenate([a for _, a, _ in own]),
            np.concatenate([np.float32(scale) * b for scale, _, b in own], axis=1),
        )
    return Lora(1.0, pairs)


def peft_stem(place: Place) -> str:
    """What the names of a projection's two matrices begin with in peft."""
    layer, projection = place
    part = "mlp" if projection in _IN_MLP else "self_attn"
    return f"base_model.model.model.layers.{layer}.{part}.{projection}"


def is_peft(folder: Path) -> bool:
    """Whether a folder is an adapter as peft writes it."""
    return (folder / CONFIG_FILE).is_file() and (folder / WEIGHTS_FILE).is_file()


def find_peft(folder: Path) -> Path | None:
    """The adapter of peft's in the output folder of a training, or the folder itself where it is one."""
    return next((found for found in (folder / "adapter", folder) if is_peft(found)), None)


def entries_beside(adapter: Path) -> dict[str, str]:
    """What an adapter's file is to say of its training, from the record beside it: of most nothing."""
    try:
        record = parse_json((adapter.parent / RECORD_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    entries = {}
    with suppress(KeyError, TypeError):
        entries[INSTRUCTION] = str(record["policy"]["instruction"])
    with suppress(KeyError, TypeError):
        entries[JUDGES] = ",".join(record["judges"])
    return {key: said for key, said in entries.items() if said}


def read_lora(path: Path, heads: Heads) -> Lora:
    """The adapter in a GGUF or in a folder of peft's."""
    return _read_peft(path, heads.family) if path.is_dir() else _read_gguf(path, heads)


def to_gguf_rows(matrix: FloatArray, heads: int) -> FloatArray:
    """Rows of q or k: of a head, the two halves of transformers in turn, as llama.cpp turns neighbours."""
    return matrix.reshape(heads, 2, -1, matrix.shape[1]).swapaxes(1, 2).reshape(matrix.shape)


def from_gguf_rows(matrix: FloatArray, heads: int) -> FloatArray:
    """The inverse of `to_gguf_rows`."""
    return matrix.reshape(heads, -1, 2, matrix.shape[1]).swapaxes(1, 2).reshape(matrix.shape)


@dataclass(frozen=True, slots=True)
class Base:
    """What an adapter must fit: the model's heads, and rows and columns of each projection."""

    name: str
    heads: Heads
    shapes: dict[Place, tuple[int, int]]

    @classmethod
    def of(cls, path: Path) -> Base:
        """That of a GGUF; only its directory is read."""
        frame = read_frame(path)
        family = family_of(frame.architecture)
        if family is None:
            raise ModelError(
                f"{path} is a {frame.architecture!r}, for which no adapter can be made",
                provider="embedded",
                hint=f"adapters are for: {known_families()}",
            )
        shapes, ours = {}, _of_gguf(family)
        for name, lengths in frame.tensors.items():
            found = _GGUF_WEIGHT.fullmatch(name)
            if found is not None and found[2] in ours and len(lengths) == 2:
                columns, rows = lengths
                shapes[int(found[1]), ours[found[2]]] = (rows, columns)
        return cls(frame.name or path.stem, Heads(frame.heads, frame.groups, family), shapes)

    def check(self, lora: Lora, path: Path) -> None:
        """Raise unless the adapter fits, and holds numbers."""
        for (layer, projection), (a, b) in lora.pairs.items():
            place = f"{projection} of layer {layer}"
            shape = self.shapes.get((layer, projection))
            if shape is None:
                raise _unusable(path, f"it changes {place}, which {self.name} has not")
            if shape != (len(b), a.shape[1]):
                sizes = f"{len(b)} × {a.shape[1]}, and that of {self.name} {shape[0]} × {shape[1]}"
                raise _unusable(path, f"it was trained for another model: its {place} is {sizes}")
            if not (np.isfinite(a).all() and np.isfinite(b).all()):
                raise _unusable(path, f"{place} holds infinity or no number")


def write_lora(
    path: Path,
    lora: Lora,
    heads: Heads,
    name: str,
    *,
    entries: Mapping[str, str] | None = None,
    precise: bool = False,
) -> None:
    """Write an adapter as llama.cpp reads it: a in 8 bits, b in 16.

    A precise one has both in 16 bits; then greedy answers depend a little on what else is in the batch. The
    entries say what it was trained for.
    """
    half, eight = gguf.GGMLQuantizationType.F16, gguf.GGMLQuantizationType.Q8_0
    writer = gguf.GGUFWriter(None, heads.family.architecture)
    writer.add_string("general.type", "adapter")
    writer.add_string("general.name", name)
    writer.add_string("adapter.type", "lora")
    for key, said in (entries or {}).items():
        writer.add_string(key, said)
    writer.add_float32("adapter.lora.alpha", lora.scale * lora.rank)
    for (layer, projection), (a, b) in sorted(lora.pairs.items()):
        stem = f"blk.{layer}.{heads.family.projections[projection]}.weight"
        split = heads.of(projection)
        rows = b if split is None else to_gguf_rows(b, split)
        for letter, matrix, small in (("a", a, not precise), ("b", rows, False)):
            kind = eight if small and matrix.shape[1] % BLOCK == 0 else half
            values = gguf.quants.quantize(np.ascontiguousarray(matrix), kind)
            writer.add_tensor(f"{stem}.lora_{letter}", values, raw_dtype=kind)
    with tempfile.TemporaryDirectory(prefix=".", dir=path.parent) as folder:
        scratch = Path(folder) / "adapter.gguf"
        writer.write_header_to_file(scratch)
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        os.replace(scratch, path)  # whole, or not at all


def _read_gguf(path: Path, heads: Heads) -> Lora:
    # Asked first, as a reader takes seconds over the words of a whole model.
    reader = gguf.GGUFReader(path) if is_adapter(path) else None
    if reader is None or _text(reader, "adapter.type") != "lora":
        raise _unusable(path, "it is no LoRA adapter, but a model or something else")
    own, wanted = _text(reader, "general.architecture"), heads.family.architecture
    if own != wanted:
        raise _unusable(path, f"it was trained for another model: that is a {own}, and this a {wanted}")
    halves: dict[Place, dict[str, FloatArray]] = {}
    ours = _of_gguf(heads.family)
    for tensor in reader.tensors:
        found = _GGUF_NAME.fullmatch(tensor.name)
        if found is None or found[2] not in ours:
            called = wanted.capitalize()
            raise _unusable(path, f"it changes {tensor.name}, which no adapter of a {called} may")
        values = gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        projection = ours[found[2]]
        split = heads.of(projection)
        if found[3] == "b" and split is not None and len(values) % (2 * split) == 0:
            values = from_gguf_rows(values, split)
        halves.setdefault((int(found[1]), projection), {})[found[3]] = values
    alpha = reader.fields.get("adapter.lora.alpha")
    pairs = _paired(path, halves)
    rank = _one_rank(path, pairs)
    # llama.cpp takes an alpha that is missing or zero as: unscaled.
    given = float(alpha.contents()) if alpha is not None else 0.0
    return Lora(given / rank if given else 1.0, pairs)


def _read_peft(folder: Path, family: Family) -> Lora:
    try:
        config = parse_json((folder / CONFIG_FILE).read_text(encoding="utf-8"))
        tensors = dict(deserialize((folder / WEIGHTS_FILE).read_bytes()))  # type: ignore[no-untyped-call]
        rank, alpha = int(config["r"]), float(config["lora_alpha"])
    except OSError as error:
        raise _unusable(folder, f"{error.filename} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, SafetensorError) as error:
        raise _unusable(folder, f"it is damaged: {error}") from None
    for option in ("use_dora", "rank_pattern", "alpha_pattern", "modules_to_save", "fan_in_fan_out"):
        if config.get(option):
            raise _unusable(folder, f"it uses {option}, which a plain LoRA has not")
    if config.get("bias", "none") != "none":
        raise _unusable(folder, "it changes biases, which no adapter of ours may")
    halves: dict[Place, dict[str, FloatArray]] = {}
    for name, tensor in tensors.items():
        found = _PEFT_NAME.fullmatch(name)
        if found is None or found[2] not in family.projections:
            raise _unusable(folder, f"it changes {name}, which the model has not, or no adapter may")
        halves.setdefault((int(found[1]), found[2]), {})[found[3].lower()] = _floats(folder, name, tensor)
    pairs = _paired(folder, halves)
    if _one_rank(folder, pairs) != rank:
        raise _unusable(folder, f"{CONFIG_FILE} says r = {rank}, but its matrices have another")
    return Lora(alpha / (math.sqrt(rank) if config.get("use_rslora") else rank), pairs)


def _floats(folder: Path, name: str, tensor: Mapping[str, Any]) -> FloatArray:
    kind, data = tensor["dtype"], tensor["data"]
    if kind == "BF16":  # the upper half of a float32; numpy has no such type
        values = (np.frombuffer(data, "<u2").astype(np.uint32) << 16).view(np.float32)
    elif kind in ("F32", "F16"):
        values = np.frombuffer(data, {"F32": "<f4", "F16": "<f2"}[kind]).astype(np.float32)
    else:
        raise _unusable(folder, f"{name} holds {kind}, not floats")
    return values.reshape(tensor["shape"])


def _paired(
    path: Path, halves: Mapping[Place, Mapping[str, FloatArray]]
) -> dict[Place, tuple[FloatArray, FloatArray]]:
    if not halves:
        raise _unusable(path, "it changes nothing")
    pairs = {}
    for place, found in sorted(halves.items()):
        if len(found) != 2 or any(half.ndim != 2 for half in found.values()):
            raise _unusable(path, f"layer {place[0]}, {place[1]} needs two matrices, a and b")
        pairs[place] = (found["a"], found["b"])
    return pairs


def _one_rank(path: Path, pairs: Mapping[Place, tuple[FloatArray, FloatArray]]) -> int:
    ranks = {size for a, b in pairs.values() for size in (len(a), b.shape[1])}
    if len(ranks) != 1:
        raise _unusable(path, f"its matrices have several ranks: {sorted(ranks)}")
    return ranks.pop()


def _of_gguf(family: Family) -> dict[str, str]:
    """What transformers calls each matrix that an adapter may change, by llama.cpp's name."""
    return {theirs: ours for ours, theirs in family.projections.items()}


def _text(reader: Any, key: str) -> str:
    return str(reader.fields[key].contents()) if key in reader.fields else ""


def _unusable(path: Path, reason: str) -> ModelError:
    return ModelError(f"{path} cannot be used as an adapter: {reason}", provider="embedded")
