"""Published models of random numbers: GPT-2, BART and BERT regressors with a few letters and words, as folders."""

from __future__ import annotations

from pathlib import Path
from string import ascii_letters
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    BertConfig,
    BertForSequenceClassification,
    GPT2Config,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
)

CONTEXT = 32
"""Tokens that GPT-2 and BART see at once."""

LETTERS = sorted(pre_tokenizers.ByteLevel.alphabet())


def write_published(root: Path) -> Path:
    """All that the provider needs, under one folder."""
    write_gpt2(root / "gpt2-large")
    write_bart(root / "bart-large-cnn")
    for seed, part in enumerate(("grammar", "fluency", "meaning")):
        write_regressor(root / "some" / part, seed)
    return root


def write_gpt2(folder: Path) -> None:
    tokens = ["<|endoftext|>", *LETTERS]
    _save_tokenizer(folder, _bytes(tokens), bos_token=tokens[0], eos_token=tokens[0])
    torch.manual_seed(1)
    config = GPT2Config(
        vocab_size=len(tokens), n_positions=CONTEXT, n_embd=16, n_layer=2, n_head=2,
        bos_token_id=0, eos_token_id=0, initializer_range=0.5,
    )  # fmt: skip
    GPT2LMHeadModel(config).save_pretrained(folder)


def write_bart(folder: Path) -> None:
    tokens = ["<s>", "<pad>", "</s>", *LETTERS]
    tokenizer = _bytes(tokens)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    _save_tokenizer(folder, tokenizer, bos_token="<s>", eos_token="</s>", pad_token="<pad>")
    torch.manual_seed(2)
    config = BartConfig(
        vocab_size=len(tokens), max_position_embeddings=CONTEXT, d_model=16, encoder_layers=1,
        decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=16,
        decoder_ffn_dim=16, bos_token_id=0, pad_token_id=1, eos_token_id=2, decoder_start_token_id=2,
        forced_eos_token_id=2, init_std=0.5,
    )  # fmt: skip
    BartForConditionalGeneration(config).save_pretrained(folder)


def write_regressor(folder: Path, seed: int, labels: int = 1) -> None:
    tokens = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        *ascii_letters,
        *(f"##{letter}" for letter in ascii_letters),
    ]
    tokenizer = Tokenizer(models.WordPiece({token: i for i, token in enumerate(tokens)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    _save_tokenizer(
        folder, tokenizer, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]"
    )
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(tokens), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=128, num_labels=labels, initializer_range=0.5,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)


def _bytes(tokens: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def _save_tokenizer(folder: Path, tokenizer: Tokenizer, **special: Any) -> None:
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(folder)
