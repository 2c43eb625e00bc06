"""Families of models that adapters are made for: what each calls its matrices, and how a GGUF keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_APART: Final = {
    "q_proj": "attn_q",
    "k_proj": "attn_k",
    "v_proj": "attn_v",
    "o_proj": "attn_output",
    "gate_proj": "ffn_gate",
    "up_proj": "ffn_up",
    "down_proj": "ffn_down",
}
_FUSED: Final = {
    "qkv_proj": "attn_qkv",
    "o_proj": "attn_output",
    "gate_up_proj": "ffn_up",
    "down_proj": "ffn_down",
}


@dataclass(frozen=True, slots=True)
class Family:
    """Models that are built alike."""

    architecture: str
    """What llama.cpp calls it, and a GGUF with it."""
    types: tuple[str, ...]
    """What the configs of transformers call it."""
    projections: Mapping[str, str]
    """What transformers and llama.cpp call the matrices that an adapter may change."""
    interleaved: bool = False
    """Whether a GGUF has the rows of q and k in another order than transformers."""
    biased: tuple[str, ...] = ()
    """The projections that also add a bias, which no adapter changes."""


LLAMA: Final = Family("llama", ("llama", "mistral"), _APART, interleaved=True)
FAMILIES: Final = (
    LLAMA,
    Family("qwen2", ("qwen2",), _APART, biased=("q_proj", "k_proj", "v_proj")),
    Family("phi3", ("phi3",), _FUSED),
)
PROJECTIONS: Final = LLAMA.projections


def family_of(name: str) -> Family | None:
    """The family of an architecture, by llama.cpp's name for it or by that of transformers."""
    return next((one for one in FAMILIES if name in (one.architecture, *one.types)), None)


def known_families() -> str:
    """The architectures, for a message."""
    return ", ".join(dict.fromkeys(name for one in FAMILIES for name in (one.architecture, *one.types)))
