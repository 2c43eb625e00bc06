"""A Llama of random numbers that reads bytes, and adapters for it, as files."""

from __future__ import annotations

import json
from pathlib import Path

import gguf
import numpy as np
from safetensors.numpy import save_file

from redraft.models.families import PROJECTIONS
from redraft.models.lora import Heads, to_gguf_rows
from redraft.models.tokenization import _VISIBLE

WIDTH, INNER, LAYERS, HEADS, GROUPS, SIZE = 64, 96, 2, 4, 2, 16
SHAPES = {
    "q_proj": (HEADS * SIZE, WIDTH),
    "k_proj": (GROUPS * SIZE, WIDTH),
    "v_proj": (GROUPS * SIZE, WIDTH),
    "o_proj": (WIDTH, HEADS * SIZE),
    "gate_proj": (INNER, WIDTH),
    "up_proj": (INNER, WIDTH),
    "down_proj": (WIDTH, INNER),
}


def write_model(
    path: Path,
    template: str = "",
    architecture: str = "llama",
    words: str = "",
    more: tuple[str, ...] = (),
) -> Path:
    """A Llama of random numbers that reads bytes; `more` tokens, and a chat template, if they are given."""
    numbers = np.random.default_rng(0)
    tokens = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *_VISIBLE, "ab", *more]
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_block_count(LAYERS)
    writer.add_context_length(2048)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(GROUPS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10000.0)
    writer.add_tokenizer_model("gpt2")
    if words:
        writer.add_tokenizer_pre(words)
    writer.add_token_list(tokens)
    writer.add_token_types([gguf.TokenType.CONTROL] * 3 + [gguf.TokenType.NORMAL] * (len(tokens) - 3))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(False)
    writer.add_token_merges(["a b"])
    if template:
        writer.add_chat_template(template)

    def add(name: str, *shape: int) -> None:
        writer.add_tensor(name, (2 * numbers.normal(size=shape) / shape[-1] ** 0.5).astype(np.float32))

    add("token_embd.weight", len(tokens), WIDTH)
    writer.add_tensor("output_norm.weight", np.full(WIDTH, 3.0, np.float32))
    for layer in range(LAYERS):
        for name in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{layer}.{name}.weight", np.ones(WIDTH, np.float32))
        for ours, shape in SHAPES.items():
            add(f"blk.{layer}.{PROJECTIONS[ours]}.weight", *shape)
            if architecture == "qwen2" and ours in ("q_proj", "k_proj", "v_proj"):
                add(f"blk.{layer}.{PROJECTIONS[ours]}.bias", shape[0])
    finish(writer)
    return path


def random_pairs(seed: int, rank: int = 4) -> dict[tuple[int, str], tuple[np.ndarray, np.ndarray]]:
    numbers = np.random.default_rng(seed)
    return {
        (layer, name): (
            numbers.normal(size=(rank, shape[1])).astype(np.float32) / 4,
            numbers.normal(size=(shape[0], rank)).astype(np.float32) / 4,
        )
        for layer in range(LAYERS)
        for name, shape in SHAPES.items()
    }


def write_peft(folder: Path, seed: int, **config: object) -> Path:
    folder.mkdir(parents=True)
    tensors = {}
    for (layer, name), (a, b) in random_pairs(seed).items():
        part = "mlp" if name in ("gate_proj", "up_proj", "down_proj") else "self_attn"
        stem = f"base_model.model.model.layers.{layer}.{part}.{name}"
        tensors |= {f"{stem}.lora_A.weight": a, f"{stem}.lora_B.weight": b}
    save_file(tensors, folder / "adapter_model.safetensors")
    settings = {"peft_type": "LORA", "r": 4, "lora_alpha": 8, **config}
    (folder / "adapter_config.json").write_text(json.dumps(settings))
    return folder


def write_lora(path: Path, seed: int) -> Path:
    """The same adapter as `write_peft` has, as llama.cpp reads it."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", 8.0)
    for (layer, name), (a, b) in random_pairs(seed).items():
        heads = Heads(HEADS, GROUPS).of(name)
        writer.add_tensor(f"blk.{layer}.{PROJECTIONS[name]}.weight.lora_a", a)
        rows = np.ascontiguousarray(to_gguf_rows(b, heads) if heads else b)
        writer.add_tensor(f"blk.{layer}.{PROJECTIONS[name]}.weight.lora_b", rows)
    finish(writer)
    return path


def finish(writer: gguf.GGUFWriter) -> None:
    """Write the file."""
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_folder(folder: Path, architecture: str, template: str) -> Path:
    """A model of random numbers that reads bytes, of any architecture that transformers has, as on the hub."""
    import torch  # noqa: PLC0415
    import transformers  # noqa: PLC0415
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors  # noqa: PLC0415

    special = ["<s>", "</s>", "<pad>"]
    words = {token: place for place, token in enumerate([*special, *_VISIBLE])}
    tokenizer = Tokenizer(models.BPE(vocab=words, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    is_pair = architecture in {"T5", "Bart"}
    if is_pair:
        tokenizer.post_processor = processors.TemplateProcessing("$A </s>", special_tokens=[("</s>", 1)])
    names = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)
    fast.chat_template = None if is_pair else template
    fast.save_pretrained(folder)
    sizes = {
        "vocab_size": len(words),
        "hidden_size": WIDTH,
        "intermediate_size": INNER,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": GROUPS,
        "bos_token_id": 0,
        "eos_token_id": 1,
        "pad_token_id": 2,
    }
    if is_pair:
        sizes = {
            "vocab_size": len(words),
            "d_model": WIDTH,
            "d_ff": INNER,
            "d_kv": SIZE,
            "num_layers": LAYERS,
            "num_heads": HEADS,
            "eos_token_id": 1,
            "pad_token_id": 2,
            "decoder_start_token_id": 2,
        }
    if architecture == "Bart":
        halves = ("encoder", "decoder")
        sizes = {
            **{name: value for name, value in sizes.items() if "num" not in name and name[:2] != "d_"},
            "d_model": WIDTH,
            **{f"{half}_layers": LAYERS for half in halves},
            **{f"{half}_attention_heads": HEADS for half in halves},
            **{f"{half}_ffn_dim": INNER for half in halves},
            "max_position_embeddings": 256,
            "bos_token_id": 0,
            "forced_eos_token_id": None,
        }
    torch.manual_seed(3)
    spread = {"init_std": 0.3} if architecture == "Bart" else {"initializer_range": 0.3}
    config = getattr(transformers, f"{architecture}Config")(**sizes, **spread)
    kind = "ForConditionalGeneration" if is_pair else "ForCausalLM"
    getattr(transformers, f"{architecture}{kind}")(config).save_pretrained(folder)
    return folder
