"""The embedded model in transformers, for training and for batches on a GPU (`redraft[train]`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gguf
import numpy as np

from redraft.errors import MissingExtra
from redraft.models.gguf_file import check_gguf, read_words

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import LlamaForCausalLM

START, END = "<|im_start|>", "<|im_end|>"


@dataclass(frozen=True, slots=True)
class Pretrained:
    """A Llama in float32 on the CPU, and its tokenizer, which knows the two tokens of ChatML."""

    model: LlamaForCausalLM
    tokenizer: Tokenizer


def load_gguf(path: Path) -> Pretrained:
    """A Llama from a GGUF, its weights just as llama.cpp has them."""
    try:
        import torch  # noqa: PLC0415 - an optional part
        from transformers import LlamaConfig, LlamaForCausalLM  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("a model in torch", "train") from None
    check_gguf(path)
    reader = gguf.GGUFReader(path)
    meta = {key.removeprefix("llama."): field for key, field in reader.fields.items()}
    heads = meta["attention.head_count"].contents()
    groups = meta["attention.head_count_kv"].contents()
    tensors = {tensor.name: tensor for tensor in reader.tensors}
    tied = "output.weight" not in tensors
    config = LlamaConfig(
        hidden_size=meta["embedding_length"].contents(),
        intermediate_size=meta["feed_forward_length"].contents(),
        num_hidden_layers=meta["block_count"].contents(),
        num_attention_heads=heads,
        num_key_value_heads=groups,
        vocab_size=len(meta["tokenizer.ggml.tokens"].data),
        rms_norm_eps=meta["attention.layer_norm_rms_epsilon"].contents(),
        rope_parameters={"rope_type": "default", "rope_theta": meta["rope.freq_base"].contents()},
        max_position_embeddings=meta["context_length"].contents(),
        tie_word_embeddings=tied,
        bos_token_id=1,
        eos_token_id=2,
        pad_token_id=2,
    )
    with torch.device("meta"):
        model = LlamaForCausalLM(config)  # type: ignore[no-untyped-call]
    state = {
        ours: torch.from_numpy(_dense(tensors[name], heads if "attn_q" in name else groups))
        for ours, name in _names(config.num_hidden_layers, tied)
    }
    if tied:
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
    model.load_state_dict(state, assign=True)
    model.tie_weights()
    model.model.rotary_emb = type(model.model.rotary_emb)(config)  # a buffer, and so still on `meta`
    model.train(False)
    return Pretrained(model, load_tokenizer(path))


def load_tokenizer(path: Path) -> Tokenizer:
    """The byte-level BPE of a GGUF, in the library that transformers uses."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers  # noqa: PLC0415

    words = read_words(path)
    pairs = [(first, second) for first, second in (merge.split(" ") for merge in words.merges)]
    vocabulary = {token: index for index, token in enumerate(words.tokens)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in (START, END)])
    tokenizer.encode_special_tokens = True  # those in a text are text
    return tokenizer


_BLOCK = {
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
"""What transformers and llama.cpp call the parts of a layer."""


def _names(layers: int, tied: bool) -> list[tuple[str, str]]:
    names = [("model.embed_tokens.weight", "token_embd.weight"), ("model.norm.weight", "output_norm.weight")]
    if not tied:
        names.append(("lm_head.weight", "output.weight"))
    for layer in range(layers):
        names += [
            (f"model.layers.{layer}.{ours}.weight", f"blk.{layer}.{theirs}.weight")
            for ours, theirs in _BLOCK.items()
        ]
    return names


def _dense(tensor: Any, heads: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A tensor as float32; the rows of q and k in the order of transformers, half after half."""
    dense = gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
    if ".attn_q." in tensor.name or ".attn_k." in tensor.name:
        dense = dense.reshape(heads, dense.shape[0] // heads // 2, 2, -1).swapaxes(1, 2).reshape(dense.shape)
    return np.ascontiguousarray(dense)
