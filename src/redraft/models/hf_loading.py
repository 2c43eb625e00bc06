"""Models in transformers: from a Hugging Face folder, or the GGUF of a Llama or a Qwen2 (`redraft[train]`).

Nothing of a folder is run, and nothing is fetched: weights in safetensors, no code of its own, no network.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gguf
import numpy as np

from redraft.errors import MissingExtra, ModelError
from redraft.models.engines import CHATML, END, SMOLLM2, START
from redraft.models.families import Family, family_of
from redraft.models.gguf_file import check_llama, read_chat, read_words
from redraft.models.lora import from_gguf_rows, peft_stem
from redraft.models.tokenization import QWEN2, QWEN2_PIECES

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_SAFE = {"trust_remote_code": False, "local_files_only": True}


@dataclass(frozen=True, slots=True)
class Pretrained:
    """A model of transformers', ready to be asked, and its tokenizer, which has its chat template."""

    model: Any
    tokenizer: Any


def load_model(path: Path, dtype: str = "float32") -> Pretrained:
    """The model of a Hugging Face folder or of a Llama's GGUF, on the CPU."""
    return load_folder(path, dtype) if path.is_dir() else load_gguf(path)


def load_folder(
    folder: Path,
    dtype: str = "float32",
    *,
    architecture: str = "",
    tokenizer: Any = None,
    pickles: bool = False,
    **options: Any,
) -> Pretrained:
    """The model of a folder: a decoder, or an encoder with a decoder, as its config says.

    Another `architecture` is named as transformers names its class; a `tokenizer` takes the place of one that
    the folder has not; `options` go to the tokenizer that it has. With `pickles` weights may also be a pickle
    of tensors, which is read without running anything.
    """
    transformers = _transformers()
    try:
        with _quiet(transformers):
            if not architecture:
                config = transformers.AutoConfig.from_pretrained(folder, **_SAFE)
                kind = "Seq2Seq" if config.is_encoder_decoder else "Causal"
                architecture = f"AutoModelFor{kind}LM"
            if tokenizer is None:
                tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **options, **_SAFE)
            model, info = getattr(transformers, architecture).from_pretrained(
                folder,
                dtype=dtype,
                weights_only=True,
                use_safetensors=None if pickles else True,
                output_loading_info=True,
                **_SAFE,
            )
    except Exception as error:  # a damaged file raises whatever its reader raises
        raise ModelError(
            f"{folder} could not be loaded as {architecture or 'a model'}: {error}", provider="torch"
        ) from error
    if missing := sorted(info["missing_keys"]):
        raise ModelError(
            f"{folder} is no whole {architecture}: it has no weights for {', '.join(missing[:3])}",
            provider="torch",
            hint="is it the folder of another model?",
        )
    return Pretrained(model.train(False), tokenizer)


def load_gguf(path: Path, dtype: str = "float32") -> Pretrained:
    """A Llama or a Qwen2 from a GGUF, its weights just as llama.cpp has them where `dtype` is float32."""
    transformers = _transformers()
    import torch  # noqa: PLC0415 - an optional part, as transformers is

    check_llama(path)
    reader = gguf.GGUFReader(path)
    kind = reader.fields["general.architecture"].contents()
    family = family_of(kind)
    assert family is not None  # or the check would have raised
    meta = {key.removeprefix(f"{kind}."): field for key, field in reader.fields.items()}
    heads = meta["attention.head_count"].contents()
    groups = meta["attention.head_count_kv"].contents()
    tensors = {tensor.name: tensor for tensor in reader.tensors}
    tied = "output.weight" not in tensors
    config = getattr(transformers, f"{kind.capitalize()}Config")(
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
        bos_token_id=meta["tokenizer.ggml.bos_token_id"].contents(),
        eos_token_id=meta["tokenizer.ggml.eos_token_id"].contents(),
        pad_token_id=meta["tokenizer.ggml.eos_token_id"].contents(),
    )
    with torch.device("meta"):
        model = getattr(transformers, f"{kind.capitalize()}ForCausalLM")(config)

    def weight(name: str) -> Any:
        split = (heads if ".attn_q." in name else groups) if family.interleaved else None
        return torch.from_numpy(_dense(tensors[name], split)).to(getattr(torch, dtype))

    state = {ours: weight(name) for ours, name in _names(config.num_hidden_layers, tied, family)}
    if tied:
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
    model.load_state_dict(state, assign=True)
    model.tie_weights()
    model.model.rotary_emb = type(model.model.rotary_emb)(config)  # a buffer, and so still on `meta`
    return Pretrained(model.train(False), gguf_tokenizer(path))


def gguf_tokenizer(path: Path) -> Any:
    """The tokenizer of a GGUF as transformers has it, with the file's chat template.

    In the place of SmolLM2's template, and of none, stands plain ChatML, as for the embedded model.
    """
    template = read_chat(path).template
    return _transformers().PreTrainedTokenizerFast(
        tokenizer_object=load_tokenizer(path),
        bos_token=START,
        eos_token=END,
        pad_token=END,
        chat_template=CHATML if template in ("", SMOLLM2) else template,
        clean_up_tokenization_spaces=False,
    )


def load_chat_tokenizer(path: Path) -> Any:
    """The tokenizer of a GGUF or a folder as transformers has it, with its chat template.

    In the place of none stands plain ChatML, if the model has its tokens.
    """
    if not path.is_dir():
        return gguf_tokenizer(path)
    transformers = _transformers()
    try:
        with _quiet(transformers):
            found = transformers.AutoTokenizer.from_pretrained(path, **_SAFE)
    except Exception as error:  # a damaged file raises whatever its reader raises
        raise ModelError(f"{path} has no tokenizer that can be loaded: {error}", provider="torch") from error
    if not found.chat_template and {START, END} <= found.get_vocab().keys():
        found.chat_template = CHATML
    return found


def load_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer of a GGUF or a folder, in the library that transformers uses; control tokens are text."""
    from tokenizers import AddedToken, Tokenizer, decoders, models  # noqa: PLC0415

    if path.is_dir():
        tokenizer = Tokenizer.from_file(str(path / "tokenizer.json"))
    else:
        words = read_words(path)
        pairs = [(first, second) for first, second in (merge.split(" ") for merge in words.merges)]
        vocabulary = {token: index for index, token in enumerate(words.tokens)}
        tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=pairs))
        tokenizer.pre_tokenizer = _pre_tokenizer(words.splitting)
        tokenizer.decoder = decoders.ByteLevel()
        control = read_chat(path).control if words.splitting == QWEN2 else (START, END)
        tokenizer.add_special_tokens([AddedToken(token, special=True) for token in control])
    tokenizer.encode_special_tokens = True
    return tokenizer


def _pre_tokenizer(splitting: str) -> Any:
    """How a text is split before its bytes are merged: as a Qwen2 does it, or as SmolLM2."""
    from tokenizers import Regex, pre_tokenizers  # noqa: PLC0415 - an optional part

    if splitting == QWEN2:
        pieces = pre_tokenizers.Split(Regex(QWEN2_PIECES), "isolated")
        return pre_tokenizers.Sequence(
            [pieces, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
        )
    digits = pre_tokenizers.Digits(individual_digits=True)
    return pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False)])


def _transformers() -> Any:
    try:
        import torch  # noqa: F401, PLC0415 - optional parts, and slow to import
        import transformers  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("a model in torch", "train") from None
    return transformers


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """Without the bars and reports of transformers: what is wrong is said in an error."""
    logging = transformers.utils.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


def _names(layers: int, tied: bool, family: Family) -> Iterator[tuple[str, str]]:
    """What transformers and llama.cpp call each weight of a Llama or a Qwen2."""
    yield "model.embed_tokens.weight", "token_embd.weight"
    yield "model.norm.weight", "output_norm.weight"
    if not tied:
        yield "lm_head.weight", "output.weight"
    for layer in range(layers):
        block = f"model.layers.{layer}."
        yield f"{block}input_layernorm.weight", f"blk.{layer}.attn_norm.weight"
        yield f"{block}post_attention_layernorm.weight", f"blk.{layer}.ffn_norm.weight"
        for ours, theirs in family.projections.items():
            for part in ("weight", "bias") if ours in family.biased else ("weight",):
                yield f"{module_name((layer, ours))}.{part}", f"blk.{layer}.{theirs}.{part}"


def module_name(place: tuple[int, str]) -> str:
    """What transformers calls a projection of a Llama."""
    return peft_stem(place).removeprefix("base_model.model.")


def _dense(tensor: Any, heads: int | None) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A tensor as float32; the rows of q and k in the order of transformers, half after half."""
    dense = gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
    if heads is not None and (".attn_q." in tensor.name or ".attn_k." in tensor.name):
        dense = from_gguf_rows(dense, heads)
    return np.ascontiguousarray(dense)
