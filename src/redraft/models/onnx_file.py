"""The tensors of an ONNX file, read as the plain data they are: nothing of its graph is run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from redraft.errors import ModelError
from redraft.models.base import FloatArray

_GRAPH: Final = 7
_INITIALIZER: Final = 5
_DIMS, _TYPE, _FLOATS, _INTS, _NAME, _RAW = 1, 2, 4, 5, 8, 9
"""The numbers of fields that onnx.proto gives the graph, its tensors, and what a tensor consists of."""
_TYPES: Final = {1: np.float32, 2: np.uint8, 3: np.int8}
_QUANTIZED: Final = "_quantized"
BLOCK: Final = (
    *("attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin"),
    *("ffn.lin1", "ffn.lin2"),
)
"""The matrices of a layer of DistilBERT, in the order in which an ONNX file numbers them."""


def block_names(layers: int) -> list[str]:
    """Those of all layers."""
    return [f"transformer.layer.{layer}.{part}" for layer in range(layers) for part in BLOCK]


def dense_tensors(path: Path) -> dict[str, FloatArray]:
    """The tensors of a file by their names; those of eight bits are scaled back, and lose that ending."""
    found = _tensors(path)
    dense: dict[str, FloatArray] = {}
    for name, values in found.items():
        if name.endswith(_QUANTIZED):
            base = name.removesuffix(_QUANTIZED)
            zero = found[f"{base}_zero_point"].astype(np.float32)
            dense[base] = (values.astype(np.float32) - zero) * found[f"{base}_scale"]
        elif values.dtype == np.float32 and not name.endswith("_scale"):
            dense[name] = values
    return dense


def _tensors(path: Path) -> dict[str, NDArray[Any]]:
    whole = memoryview(path.read_bytes())
    try:
        graphs = [value for number, value in _fields(whole) if number == _GRAPH]
        tensors = [
            _tensor(value) for graph in graphs for number, value in _fields(graph) if number == _INITIALIZER
        ]
    except (IndexError, ValueError, TypeError) as error:
        raise ModelError(f"{path} is no ONNX file that can be read: {error}", provider="embedded") from error
    return {name: values for name, values in tensors if values is not None}


def _tensor(part: memoryview) -> tuple[str, NDArray[Any] | None]:
    """The name of a tensor and its values; none where they are of a kind that weights do not have."""
    dims: list[int] = []
    kind, name, raw = 0, "", None
    ints: list[int] = []
    for number, value in _fields(part):
        if number == _DIMS:
            dims += _numbers(value)
        elif number == _TYPE:
            kind = value
        elif number == _INTS:
            ints += _numbers(value)
        elif number == _NAME:
            name = bytes(value).decode()
        elif number in (_RAW, _FLOATS):
            raw = value
    if kind not in _TYPES:
        return name, None
    values = np.array(ints, _TYPES[kind]) if raw is None else np.frombuffer(raw, _TYPES[kind])
    return name, values.reshape(dims)


def _numbers(value: Any) -> list[int]:
    """One number, or several that were packed."""
    if isinstance(value, int):
        return [_signed(value)]
    found, at = [], 0
    while at < len(value):
        one, at = _varint(value, at)
        found.append(_signed(one))
    return found


def _fields(part: memoryview) -> Iterator[tuple[int, Any]]:
    """The fields of a protobuf message: the number of each, and a number or bytes."""
    at = 0
    while at < len(part):
        key, at = _varint(part, at)
        kind = key & 7
        if kind == 0:
            value, at = _varint(part, at)
            yield key >> 3, value
            continue
        size = {1: 8, 5: 4}.get(kind)
        if kind == 2:
            size, at = _varint(part, at)
        if size is None:
            raise ValueError(f"a field of kind {kind}")
        yield key >> 3, part[at : at + size]
        at += size


def _varint(part: memoryview, at: int) -> tuple[int, int]:
    """A number in sevens of bits, the lowest first, and where it ends."""
    value = shift = 0
    while True:
        byte = part[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
