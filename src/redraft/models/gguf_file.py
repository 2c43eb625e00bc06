"""A look at a GGUF file before llama.cpp gets it: a damaged one can make its loader abort or never return.

Not by gguf's reader: it takes seconds over the words of a model, where this takes 0.1 s, and trusts the file.
"""

from __future__ import annotations

import math
import mmap
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from redraft.errors import ModelError

T = TypeVar("T")

_ALIGNMENT = 32
_MOST_ENTRIES = 100_000
_UINT32, _INT32, _STRING, _ARRAY = 4, 5, 8, 9
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of each metadata type of fixed size."""

_F32, _F16, _Q4_0, _Q4_1, _Q8_0 = 0, 1, 2, 3, 8
_BLOCKS = {_F32: (1, 4), _F16: (1, 2), _Q4_0: (32, 18), _Q4_1: (32, 20), _Q8_0: (32, 34)}
"""Elements and bytes of a block, by tensor type; types not listed are taken at one bit a weight."""


INSTRUCTION = "redraft.instruction"
"""The entry of an adapter that was trained for one instruction alone."""
JUDGES = "redraft.judges"
"""The entry of an editor that has also learnt to give verdicts on edits: which, with commas between."""
_SPLITTING = {"llama": ("", "default", "smollm"), "qwen2": ("qwen2",)}
"""Architectures that we read in transformers, and the tokenizers of each that we know."""
_UNKNOWN, _CONTROL = 2, 3
"""Types of token that llama.cpp reads as one wherever a prompt spells them."""


@dataclass(frozen=True, slots=True)
class Chat:
    """What a GGUF says of conversations: its template, and the control tokens that delimit them."""

    template: str
    control: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """The outside of a model: its name and kind, its heads, how many share keys, each tensor's lengths."""

    name: str
    architecture: str
    heads: int
    groups: int
    tensors: dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Words:
    """What a byte-level tokenizer is made of: its tokens by their numbers, and its merges, best first.

    `splitting` names how a text is split before that.
    """

    tokens: tuple[str, ...]
    merges: tuple[str, ...]
    splitting: str


def check_gguf(path: Path) -> None:
    """Raise ModelError unless the file's directory is sound and all that it promises is there."""
    _walked(path, _Walk.check)


def is_adapter(path: Path) -> bool:
    """Whether a file, which is checked on the way, calls itself an adapter and not a model."""
    return _walked(path, _Walk.kind) == b"adapter"


def trained_for(path: Path) -> str:
    """The instruction that an adapter was trained for, where its file says so."""
    return _walked(path, _Walk.instruction)


def verdicts_learnt(path: Path) -> tuple[str, ...]:
    """The verdicts on edits that an adapter has learnt to give, where its file says so."""
    return _walked(path, _Walk.verdicts)


def read_chat(path: Path) -> Chat:
    """The chat template and the control tokens, of a file that is checked on the way."""
    return _walked(path, _Walk.chat)


def read_frame(path: Path) -> Frame:
    """The outside of a model, of a file that is checked on the way; its weights are not read."""
    return _walked(path, _Walk.frame)


def read_words(path: Path) -> Words:
    """The words of the tokenizer, of a file that is checked on the way."""
    check_llama(path)
    return _walked(path, _Walk.words)


def check_llama(path: Path) -> None:
    """Raise ModelError unless the file is sound, and a Llama or a Qwen2 whose tokenizer we know.

    llama.cpp reads many more. Read with another tokenizer, a model would answer, and badly.
    """
    if odd := _walked(path, _Walk.oddity):
        raise ModelError(
            f"{path} cannot be read in torch: {odd}",
            provider="torch",
            hint=f"use embedded:{path}, or hf:FOLDER with the folder that the file was made from",
        )


def _walked(path: Path, walk: Callable[[_Walk], T]) -> T:
    try:
        with path.open("rb") as stream:
            if stream.read(4) != b"GGUF":
                stream.seek(0)
                raise ModelError(
                    f"{path} is no GGUF file: it begins with {stream.read(4)!r}",
                    provider="embedded",
                    hint="convert the model to GGUF first, or check that the download is complete",
                )
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
                return walk(_Walk(content))
    except OSError as error:
        raise ModelError(
            f"{path} cannot be read: {error.strerror}",
            provider="embedded",
            hint="check the path of the model",
        ) from None
    except (ValueError, struct.error) as error:
        raise ModelError(
            f"{path} is a damaged GGUF file: {error}",
            provider="embedded",
            hint="copy or download the file again",
        ) from None


class _Walk:
    """Reads a GGUF's directory from front to back, never past the end."""

    def __init__(self, content: mmap.mmap) -> None:
        self._content = content
        self._at = 4
        self._entries: dict[bytes, int] = {}
        self._tensors: dict[bytes, tuple[int, ...]] = {}

    def check(self) -> None:
        version, tensors, entries = self._unpack("<IQQ")
        if version not in (2, 3):
            raise ValueError(f"version {version} is not known")
        if tensors > _MOST_ENTRIES or entries > _MOST_ENTRIES:
            raise ValueError(f"{tensors} tensors and {entries} entries are too many")
        for _ in range(entries):
            key = self._string()
            self._entries[key] = self._at
            self._value(*self._unpack("<I"))
        if b"general.architecture" not in self._entries:
            raise ValueError("it does not name its architecture")
        ends = [self._tensor() for _ in range(tensors)]
        start = math.ceil(self._at / _ALIGNMENT) * _ALIGNMENT
        missing = start + max(ends, default=0) - len(self._content)
        if missing > 0:
            raise ValueError(f"it ends {missing:,} bytes too early")

    def kind(self) -> bytes:
        self.check()
        return self._string() if self._enter(b"general.type", _STRING) else b""

    def instruction(self) -> str:
        self.check()
        return self._text(INSTRUCTION.encode())

    def verdicts(self) -> tuple[str, ...]:
        self.check()
        return tuple(filter(None, self._text(JUDGES.encode()).split(",")))

    def frame(self) -> Frame:
        self.check()
        tensors = {name.decode("utf-8", "replace"): lengths for name, lengths in self._tensors.items()}
        kind = self._text(b"general.architecture")
        heads, groups = (
            self._number(f"{kind}.attention.{key}".encode()) for key in ("head_count", "head_count_kv")
        )
        return Frame(self._text(b"general.name"), kind, heads, groups, tensors)

    def oddity(self) -> str:
        """What we could not read in transformers; empty for a Llama such as SmolLM2, and for a Qwen2."""
        self.check()
        architecture, model, words = (
            self._text(key)
            for key in (b"general.architecture", b"tokenizer.ggml.model", b"tokenizer.ggml.pre")
        )
        if architecture not in _SPLITTING:
            return f"its architecture is {architecture!r}, not 'llama' or 'qwen2'"
        known = _SPLITTING[architecture]
        if model != "gpt2" or words not in known:
            return f"its tokenizer is {model!r} {words!r}, not 'gpt2' {known[-1]!r}"
        scaling = self._text(f"{architecture}.rope.scaling.type".encode()) or "none"
        is_scaled = scaling != "none" or b"rope_freqs.weight" in self._tensors
        return "its positions are scaled (rope scaling)" if is_scaled else ""

    def words(self) -> Words:
        self.check()
        tokens, merges = (self._list(b"tokenizer.ggml." + key) for key in (b"tokens", b"merges"))
        return Words(tokens, merges, self._text(b"tokenizer.ggml.pre"))

    def chat(self) -> Chat:
        self.check()
        template = self._text(b"tokenizer.chat_template")
        types: tuple[int, ...] = ()
        if self._enter(b"tokenizer.ggml.token_type", _ARRAY):
            inner, count = self._unpack("<IQ")
            types = self._unpack(f"<{count}i") if inner == _INT32 else ()
        control = []
        if self._enter(b"tokenizer.ggml.tokens", _ARRAY):
            inner, count = self._unpack("<IQ")
            kinds = types if len(types) == count else (0,) * count
            for kind in kinds if inner == _STRING else ():
                token = self._string()
                # llama.cpp takes some tokens of this look for control tokens, whatever their type.
                if kind in (_UNKNOWN, _CONTROL) or (token.startswith(b"<|") and token.endswith(b"|>")):
                    control.append(token.decode("utf-8", "replace"))
        return Chat(template, tuple(control))

    def _enter(self, key: bytes, kind: int) -> bool:
        """Go to the value of an entry, if there is one of this type."""
        if key not in self._entries:
            return False
        self._at = self._entries[key]
        return self._unpack("<I") == (kind,)

    def _text(self, key: bytes) -> str:
        """The text of an entry; empty where there is none."""
        return self._string().decode("utf-8", "replace") if self._enter(key, _STRING) else ""

    def _number(self, key: bytes) -> int:
        if not self._enter(key, _UINT32):
            raise ValueError(f"it has no number {key.decode()}")
        return self._unpack("<I")[0]

    def _list(self, key: bytes) -> tuple[str, ...]:
        if self._enter(key, _ARRAY):
            inner, count = self._unpack("<IQ")
            if inner == _STRING:
                return tuple(self._string().decode("utf-8") for _ in range(count))
        raise ValueError(f"it has no list of words {key.decode()}")

    def _unpack(self, form: str) -> tuple[int, ...]:
        size = struct.calcsize(form)
        self._skip(size)
        return struct.unpack(form, self._content[self._at - size : self._at])

    def _skip(self, size: int) -> None:
        if self._at + size > len(self._content):
            raise ValueError("its directory runs past its end")
        self._at += size

    def _string(self) -> bytes:
        (length,) = self._unpack("<Q")
        self._skip(length)
        return self._content[self._at - length : self._at]

    def _value(self, kind: int) -> None:
        if kind in _SIZES:
            self._skip(_SIZES[kind])
        elif kind == _STRING:
            self._string()
        elif kind == _ARRAY:
            inner, count = self._unpack("<IQ")
            if inner in _SIZES:
                self._skip(_SIZES[inner] * count)
            elif inner == _STRING:
                for _ in range(count):
                    self._string()
            else:
                raise ValueError(f"metadata type {inner} is not known")
        else:
            raise ValueError(f"metadata type {kind} is not known")

    def _tensor(self) -> int:
        """Where, in the data, a tensor ends at the least."""
        name = self._string()
        (dimensions,) = self._unpack("<I")
        if not 1 <= dimensions <= 4:
            raise ValueError(f"a tensor has {dimensions} dimensions")
        self._tensors[name] = self._unpack(f"<{dimensions}Q")
        elements = math.prod(self._tensors[name])
        kind, offset = self._unpack("<IQ")
        block, size = _BLOCKS.get(kind, (8, 1))
        return offset + elements // block * size
