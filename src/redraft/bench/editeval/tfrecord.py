"""TFRecord files of tf.train.Example messages, read without TensorFlow.

A record is its length (eight bytes), a checksum of that (four), the message, and a checksum of it (four). The
message is Protocol Buffers: Example{1: Features{1: entry{1: name, 2: Feature{1: bytes | 3: integers}}}}.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from redraft.errors import InputError

_LENGTH_AND_CHECKSUM = 12
_CHECKSUM = 4

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5

Example = dict[str, list[bytes] | list[int]]


def examples(path: Path) -> Iterator[Example]:
    """The features of each example by name; features of floats are left out."""
    with path.open("rb") as file:
        number = 0
        while head := file.read(_LENGTH_AND_CHECKSUM):
            number += 1
            (length,) = struct.unpack_from("<Q", head.ljust(_LENGTH_AND_CHECKSUM, b"\xff"))
            rest = path.stat().st_size - file.tell()
            if length + _CHECKSUM > rest:
                raise InputError(f"{path}, record {number}: the file ends inside it; download it again")
            data = file.read(length)
            file.read(_CHECKSUM)
            try:
                yield _example(data)
            except (IndexError, ValueError):
                raise InputError(f"{path}, record {number}: not a tf.train.Example") from None


def _example(data: bytes) -> Example:
    found: Example = {}
    for features in _of(1, data):
        for entry in _of(1, features):
            (name,) = _of(1, entry)
            for feature in _of(2, entry):
                for values in _of(1, feature):
                    found[name.decode()] = list(_of(1, values))
                for values in _of(3, feature):
                    found[name.decode()] = list(_integers(values))
    return found


def _of(wanted: int, data: bytes) -> Iterator[bytes]:
    """The values of one field that are bytes."""
    for number, value in _fields(data):
        if number == wanted and isinstance(value, bytes):
            yield value


def _integers(data: bytes) -> Iterator[int]:
    for number, value in _fields(data):
        if number == 1 and isinstance(value, int):
            yield value
        elif number == 1 and isinstance(value, bytes):
            at = 0
            while at < len(value):
                integer, at = _varint(value, at)
                yield integer


def _fields(data: bytes) -> Iterator[tuple[int, bytes | int]]:
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, at = _varint(data, at)
            yield number, value
            continue
        if kind == _BYTES:
            length, at = _varint(data, at)
        elif kind in {_FIXED64, _FIXED32}:
            length = 8 if kind == _FIXED64 else 4
        else:
            raise ValueError(f"wire type {kind}")
        if at + length > len(data):
            raise ValueError("cut off")
        yield number, data[at : at + length]
        at += length


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        shift += 7
        at += 1
        if byte < 0x80:
            return value, at
