"""Weights from one format into another, with numpy alone: no torch, nothing executed from the source."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from safetensors.numpy import load_file

from redraft.models.base import FloatArray
from redraft.models.lora import Base, read_lora, to_gguf_rows
from redraft.models.onnx_file import BLOCK, block_names, dense_tensors
from redraft.models.tokenization import QWEN2, QWEN2_PIECES


def requantize(source: Path, target: Path, *, sixteen_bits: bool = False) -> None:
    """The same GGUF with its matrices as Q8_0: larger, as exact, and much faster at reading a prompt.

    Or as F16, with which llama.cpp rounds activations less.
    """
    reader = gguf.GGUFReader(source)
    writer = gguf.GGUFWriter(target, reader.fields["general.architecture"].contents())
    for key, field in reader.fields.items():
        if key.startswith("GGUF.") or key in ("general.architecture", "general.file_type"):
            continue
        if field.types[0] == gguf.GGUFValueType.ARRAY:
            writer.add_key_value(key, field.contents(), field.types[0], sub_type=field.types[-1])
        else:
            writer.add_key_value(key, field.contents(), field.types[0])
    kinds, files = gguf.GGMLQuantizationType, gguf.LlamaFileType
    writer.add_file_type(files.MOSTLY_F16 if sixteen_bits else files.MOSTLY_Q8_0)
    wanted = kinds.F16 if sixteen_bits else kinds.Q8_0
    for tensor in reader.tensors:
        if len(tensor.shape) == 1 or tensor.tensor_type in (gguf.GGMLQuantizationType.F32, wanted):
            writer.add_tensor(tensor.name, np.array(tensor.data), raw_dtype=tensor.tensor_type)
        else:
            writer.add_tensor(tensor.name, gguf.quants.quantize(_dense(tensor), wanted), raw_dtype=wanted)
    _write(writer)


def minilm_to_ctranslate2(source: Path, folder: Path) -> None:
    """all-MiniLM-L6-v2 (a BERT in safetensors, with its vocabulary) as a CTranslate2 model of 16 bits."""
    from ctranslate2.specs import common_spec, transformer_spec  # noqa: PLC0415 - the others do without

    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    tensors = load_file(source / "model.safetensors")

    def rows(*names: str) -> FloatArray:
        return np.concatenate([tensors[name].astype(np.float32) for name in names])

    def set_linear(layer: Any, *names: str) -> None:
        layer.weight = rows(*(f"{name}.weight" for name in names))
        layer.bias = rows(*(f"{name}.bias" for name in names))

    def set_norm(layer: Any, name: str) -> None:
        layer.gamma, layer.beta = rows(f"{name}.weight"), rows(f"{name}.bias")

    encoder = transformer_spec.TransformerEncoderSpec(
        config["num_hidden_layers"],
        config["num_attention_heads"],
        pre_norm=False,
        activation=common_spec.Activation.GELU,
        layernorm_embedding=True,
        num_source_embeddings=2,
        embeddings_merge=common_spec.EmbeddingsMerge.ADD,
    )
    encoder.scale_embeddings = False
    encoder.embeddings[0].weight = rows("embeddings.word_embeddings.weight")
    encoder.embeddings[1].weight = rows("embeddings.token_type_embeddings.weight")
    encoder.position_encodings.encodings = rows("embeddings.position_embeddings.weight")
    set_norm(encoder.layernorm_embedding, "embeddings.LayerNorm")
    for index, layer in enumerate(encoder.layer):
        block = f"encoder.layer.{index}"
        own = layer.self_attention
        set_linear(own.linear[0], *(f"{block}.attention.self.{part}" for part in ("query", "key", "value")))
        set_linear(own.linear[1], f"{block}.attention.output.dense")
        set_norm(own.layer_norm, f"{block}.attention.output.LayerNorm")
        set_linear(layer.ffn.linear_0, f"{block}.intermediate.dense")
        set_linear(layer.ffn.linear_1, f"{block}.output.dense")
        set_norm(layer.ffn.layer_norm, f"{block}.output.LayerNorm")
    spec = transformer_spec.TransformerEncoderModelSpec(encoder)
    spec.register_vocabulary((source / "vocab.txt").read_text(encoding="utf-8").rstrip("\n").split("\n"))
    spec.config.unk_token = "[UNK]"
    spec.config.layer_norm_epsilon = config["layer_norm_eps"]
    spec.validate()
    spec.optimize(quantization="float16")
    spec.save(str(folder))


def tagger_to_ctranslate2(source: Path, adapter: Path, folder: Path) -> None:
    """A DistilBERT from an ONNX file, with what an adapter changes in it, as an int8 CTranslate2 model."""
    from ctranslate2.specs import common_spec, transformer_spec  # noqa: PLC0415 - the others do without

    tensors = dense_tensors(source / "tagger.onnx")
    own = load_file(adapter)
    numbered = sorted(
        (name for name in tensors if name.startswith("onnx::MatMul_")), key=lambda name: int(name[13:])
    )
    layers = len(numbered) // len(BLOCK)
    matrices = {name: tensors[number].T for name, number in zip(block_names(layers), numbered, strict=False)}

    def vector(name: str) -> FloatArray:
        changed = own.get(name)
        return tensors[f"distilbert.{name}"] if changed is None else changed.astype(np.float32)

    def matrix(name: str) -> FloatArray:
        change = own[f"{name}.b"].astype(np.float32) @ own[f"{name}.a"].astype(np.float32)
        return matrices[name] + change

    def set_linear(layer: Any, *names: str) -> None:
        layer.weight = np.concatenate([matrix(name) for name in names])
        layer.bias = np.concatenate([vector(f"{name}.bias") for name in names])

    def set_norm(layer: Any, name: str) -> None:
        layer.gamma, layer.beta = vector(f"{name}.weight"), vector(f"{name}.bias")

    encoder = transformer_spec.TransformerEncoderSpec(
        layers,
        12,
        pre_norm=False,
        activation=common_spec.Activation.GELU,
        layernorm_embedding=True,
    )
    encoder.scale_embeddings = False
    encoder.embeddings[0].weight = tensors["distilbert.embeddings.word_embeddings.weight"]
    encoder.position_encodings.encodings = tensors["distilbert.embeddings.position_embeddings.weight"]
    set_norm(encoder.layernorm_embedding, "embeddings.LayerNorm")
    for index, layer in enumerate(encoder.layer):
        block = f"transformer.layer.{index}"
        set_linear(layer.self_attention.linear[0], *(f"{block}.{part}" for part in BLOCK[:3]))
        set_linear(layer.self_attention.linear[1], f"{block}.{BLOCK[3]}")
        set_norm(layer.self_attention.layer_norm, f"{block}.sa_layer_norm")
        set_linear(layer.ffn.linear_0, f"{block}.{BLOCK[4]}")
        set_linear(layer.ffn.linear_1, f"{block}.{BLOCK[5]}")
        set_norm(layer.ffn.layer_norm, f"{block}.output_layer_norm")
    spec = transformer_spec.TransformerEncoderModelSpec(encoder)
    vocabulary = json.loads((source / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    spec.register_vocabulary(sorted(vocabulary, key=vocabulary.__getitem__))
    spec.config.unk_token = "[UNK]"
    spec.config.layer_norm_epsilon = 1e-12
    spec.validate()
    spec.optimize(quantization="int8")
    spec.save(str(folder))


def to_ctranslate2(
    source: Path, folder: Path, tokenizer: Path, adapter: Path | None = None, answers: Sequence[str] = ()
) -> None:
    """The GGUF of a Llama or a Qwen2 as an int8 CTranslate2 model, and its tokenizer as a `tokenizers` file.

    An adapter is added to the weights before they are rounded. Where `answers` are named, no other words have
    a score, and theirs stand in this order.
    """
    from ctranslate2.specs import common_spec, transformer_spec  # noqa: PLC0415 - the others do without

    reader = gguf.GGUFReader(source)
    tensors = {tensor.name: tensor for tensor in reader.tensors}
    added = {} if adapter is None else _adapter_products(adapter, Base.of(source))

    def one(name: str) -> FloatArray:
        found = _dense(tensors[name])
        return found + added[name]() if name in added else found

    def dense(*names: str) -> FloatArray:
        """Tensors one below the other; each is taken when it is wanted, for all at once are large."""
        return np.concatenate([one(name) for name in names])

    architecture = reader.fields["general.architecture"].contents()
    meta = {key.removeprefix(f"{architecture}."): field for key, field in reader.fields.items()}
    spec = transformer_spec.TransformerDecoderModelSpec.from_config(
        meta["block_count"].contents(),
        meta["attention.head_count"].contents(),
        activation=common_spec.Activation.SWISH,
        pre_norm=True,
        ffn_glu=True,
        rms_norm=True,
        rotary_dim=0,
        rotary_interleave=architecture == "llama",  # whose q and k GGUF keeps permuted for that
        rotary_base=meta["rope.freq_base"].contents(),
        num_heads_kv=meta["attention.head_count_kv"].contents(),
    )
    decoder = spec.decoder
    decoder.scale_embeddings = False
    _set_rounded(decoder.embeddings, dense("token_embd.weight"))
    decoder.layer_norm.gamma = dense("output_norm.weight")
    head = dense("output.weight" if "output.weight" in tensors else "token_embd.weight")
    tokens = _strings(reader, "tokenizer.ggml.tokens")
    _set_rounded(decoder.projection, head[[tokens.index(one) for one in answers]] if answers else head)
    del head
    for index, layer in enumerate(decoder.layer):
        block = f"blk.{index}."
        layer.self_attention.layer_norm.gamma = dense(f"{block}attn_norm.weight")
        _set_rounded(layer.self_attention.linear[0], dense(*(f"{block}attn_{part}.weight" for part in "qkv")))
        if f"{block}attn_q.bias" in tensors:
            layer.self_attention.linear[0].bias = dense(*(f"{block}attn_{part}.bias" for part in "qkv"))
        _set_rounded(layer.self_attention.linear[1], dense(f"{block}attn_output.weight"))
        layer.ffn.layer_norm.gamma = dense(f"{block}ffn_norm.weight")
        _set_rounded(layer.ffn.linear_0, dense(f"{block}ffn_gate.weight"))
        _set_rounded(layer.ffn.linear_0_noact, dense(f"{block}ffn_up.weight"))
        _set_rounded(layer.ffn.linear_1, dense(f"{block}ffn_down.weight"))
    spec.register_vocabulary(tokens)
    spec.config.bos_token = "<|im_start|>"
    spec.config.eos_token = "<|im_end|>"
    spec.config.unk_token = "<|endoftext|>"
    spec.config.layer_norm_epsilon = meta["attention.layer_norm_rms_epsilon"].contents()
    spec.validate()
    spec.optimize()
    spec.save(str(folder))
    splits = reader.fields.get("tokenizer.ggml.pre")
    is_qwen2 = splits is not None and splits.contents() == QWEN2
    _save_byte_level_bpe(tokens, _strings(reader, "tokenizer.ggml.merges"), tokenizer, is_qwen2=is_qwen2)


def _set_rounded(layer: Any, matrix: FloatArray) -> None:
    """Give a layer its matrix in 8 bits, each row with a scale of its own.

    As CTranslate2 rounds it, but at once: whole, a larger model takes four times as much memory.
    """
    largest = np.abs(matrix).max(axis=1)
    largest[largest == 0] = 127.0
    scale = 127.0 / np.maximum(largest, np.float32(127) / np.finfo(np.float32).max)
    matrix *= scale[:, None]
    layer.weight, layer.weight_scale = np.rint(matrix, out=matrix).astype(np.int8), scale


def _adapter_products(adapter: Path, base: Base) -> dict[str, Callable[[], FloatArray]]:
    """What gives what an adapter adds to each tensor, in the order of the GGUF's rows."""
    lora = read_lora(adapter, base.heads)
    base.check(lora, adapter)

    def product(projection: str, a: FloatArray, b: FloatArray) -> FloatArray:
        whole: FloatArray = np.float32(lora.scale) * (b @ a)
        heads = base.heads.of(projection)
        return whole if heads is None else to_gguf_rows(whole, heads)

    return {
        f"blk.{layer}.{base.heads.family.projections[projection]}.weight": partial(product, projection, *pair)
        for (layer, projection), pair in lora.pairs.items()
    }


def _save_byte_level_bpe(tokens: list[str], merges: list[str], target: Path, *, is_qwen2: bool) -> None:
    """Write the file that the `tokenizers` library writes, byte for byte.

    Its hash is part of the identity under which scores are kept. A text is split as a Qwen2 does it, or as
    SmolLM2 does.
    """
    options = {"trim_offsets": True, "use_regex": not is_qwen2}
    first: dict[str, Any] = {"type": "Digits", "individual_digits": True}
    if is_qwen2:
        pattern = {"Regex": QWEN2_PIECES}
        first = {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}
    content: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [first, {"type": "ByteLevel", "add_prefix_space": False, **options}],
        },
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, **options},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {token: index for index, token in enumerate(tokens)},
            "merges": [merge.split(" ") for merge in merges],
        },
    }
    target.write_text(json.dumps(content, ensure_ascii=False, indent=2), encoding="utf-8", newline="\n")


def _dense(tensor: Any) -> FloatArray:
    dense: FloatArray = gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
    return dense


def _strings(reader: Any, key: str) -> list[str]:
    field = reader.fields[key]
    return [bytes(field.parts[index]).decode("utf-8") for index in field.data]


def _write(writer: Any) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
