"""The model that is trained, whole or through a low-rank adapter (peft), and what is minimised."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import torch
from peft import LoraConfig, get_peft_model
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, linear, scaled_dot_product_attention
from transformers import AttentionInterface, PreTrainedModel

from redraft.errors import InputError, ModelError
from redraft.models import (
    Base,
    Heads,
    family_of,
    find_peft,
    known_families,
    load_folder,
    load_gguf,
    load_tokenizer,
    peft_stem,
    read_lora,
)
from redraft.train.batches import Batch
from redraft.train.chat import find_base
from redraft.train.config import Loss


@dataclass(frozen=True, slots=True)
class Lora:
    """A low-rank adapter on every projection: `scale` is alpha over rank."""

    rank: int = 16
    scale: float = 2.0
    dropout: float = 0.0


def trainable(base: Path, lora: Lora | None, seed: int, start: Path | None = None) -> nn.Module:
    """The model of a GGUF or a folder: all of its weights, or those of an adapter alone, are to be trained.

    An adapter may start from another one, of the same rank or a lower one.
    """
    weights, words = find_base(base)
    # What is frozen is multiplied in bfloat16 anyway, on a GPU.
    dtype = "bfloat16" if lora is not None and torch.cuda.is_available() else "float32"
    loaded = (
        load_folder(weights, dtype, tokenizer=load_tokenizer(words))
        if weights.is_dir()
        else load_gguf(weights, dtype)
    )
    model: Any = loaded.model
    family = family_of(model.config.model_type)
    shapes = _shapes(model, family.projections) if family else {}
    if family is None or {projection for _, projection in shapes} != set(family.projections):
        raise InputError(
            f"{base} is a {model.config.model_type!r}, and cannot be trained: known are {known_families()}"
        )
    if lora is None:
        model.requires_grad_(True)
        trained: nn.Module = model
        return trained
    torch.manual_seed(seed)
    config = LoraConfig(
        r=lora.rank,
        lora_alpha=round(lora.rank * lora.scale),
        lora_dropout=lora.dropout,
        target_modules=list(family.projections),
        task_type="CAUSAL_LM",
    )
    adapted = get_peft_model(model, config)
    if start is not None:
        heads = Heads(model.config.num_attention_heads, model.config.num_key_value_heads, family)
        _start_from(adapted, find_start(start), Base(base.name, heads, shapes), lora)
    return adapted


def _shapes(model: Any, projections: Collection[str]) -> dict[tuple[int, str], tuple[int, int]]:
    """Rows and columns of each projection, by its layer and name."""
    found = {}
    for name, module in model.named_modules():
        _, _, place = name.rpartition("layers.")
        if (projection := name.rpartition(".")[2]) in projections:
            found[int(place.partition(".")[0]), projection] = tuple(module.weight.shape)
    return found


def find_start(start: Path) -> Path:
    """The adapter to start from: a GGUF, a folder of peft's, or that of a training."""
    found = find_peft(start) if start.is_dir() else start
    if found is None:
        raise InputError(f"{start} holds no adapter to start from")
    return found


def _start_from(model: Any, start: Path, base: Base, lora: Lora) -> None:
    try:
        given = read_lora(start, base.heads)
        base.check(given, start)
    except ModelError as error:
        raise InputError(str(error)) from None
    if given.rank > lora.rank:
        raise InputError(
            f"{start} has rank {given.rank}, the new adapter only {lora.rank}: raise --rank to {given.rank}, "
            "or start from another one (--start)"
        )
    weights = dict(model.named_parameters())
    with torch.no_grad():
        for place, (a, b) in given.pairs.items():
            stem = peft_stem(place)
            first, second = (weights[f"{stem}.lora_{letter}.default.weight"] for letter in "AB")
            # Rows beyond the other's rank stay as drawn, with columns of zeros: they add nothing yet.
            first[: given.rank] = torch.from_numpy(a)
            second[:, : given.rank] = torch.from_numpy(b * (given.scale / lora.scale))


ATTENTION = "redraft_packed"


def packed_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    *,
    bounds: Tensor | None = None,
    longest: int = 0,
    **_: Any,
) -> tuple[Tensor, None]:
    """Causal attention over [row, head, token, channel]; within `bounds`, no token sees its neighbours.

    On a GPU packed rows go through the variable-length kernel, elsewhere example by example.
    """
    if bounds is None:
        output = scaled_dot_product_attention(
            query, key, value, dropout_p=dropout, is_causal=True, scale=scaling, enable_gqa=True
        )
        return output.transpose(1, 2), None
    if query.device.type == "cuda":
        return _variable_length(query, key, value, bounds, longest, scaling), None
    pieces = [
        scaled_dot_product_attention(
            query[:, :, start:end],
            key[:, :, start:end],
            value[:, :, start:end],
            dropout_p=dropout,
            is_causal=True,
            scale=scaling,
            enable_gqa=True,
        )
        for start, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
        if end > start
    ]
    return torch.cat(pieces, dim=2).transpose(1, 2), None


def _variable_length(
    query: Tensor, key: Tensor, value: Tensor, bounds: Tensor, longest: int, scaling: float | None
) -> Tensor:
    from torch.nn.attention.varlen import varlen_attn  # noqa: PLC0415 - needs a recent torch, and a GPU

    groups = query.shape[1] // key.shape[1]
    q, k, v = (part.squeeze(0).transpose(0, 1).to(torch.bfloat16) for part in (query, key, value))
    k, v = k.repeat_interleave(groups, dim=1), v.repeat_interleave(groups, dim=1)
    before_and_after = (-1, 0)  # all tokens before, none after: causal
    output = varlen_attn(
        q, k, v, bounds, bounds, longest, longest, scale=scaling, window_size=before_and_after
    )
    return cast("Tensor", output).unsqueeze(0).to(query.dtype)


AttentionInterface.register(ATTENTION, packed_attention)


class Objective(nn.Module):
    """What a batch asks of a model; only positions that are learnt go through the vocabulary."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model
        causal = causal_of(model)
        causal.set_attn_implementation(ATTENTION)
        # In a tuple, since they are registered through `model`.
        self._parts: tuple[Any, Any] = (causal.model, causal.lm_head)
        self._head = token_losses

    def compile(self, *_: Any, **__: Any) -> None:
        """Compile each layer, which all share one graph, and the losses over the vocabulary."""
        for layer in self._parts[0].layers:
            layer.compile(dynamic=False)
        self._head = torch.compile(token_losses, dynamic=True)

    def losses(self, batch: Batch) -> Tensor:
        """The cross-entropy of each label, times its weight."""
        decoder, head = self._parts
        hidden = decoder(
            input_ids=batch.tokens,
            position_ids=batch.positions,
            use_cache=False,
            bounds=batch.bounds,
            longest=batch.longest,
        ).last_hidden_state
        return self._head(hidden.flatten(0, 1), head.weight, batch.index, batch.labels, batch.weights)


class CrossEntropy(Objective):
    """The weighted cross-entropy of a batch's labels, summed: divide by the weight of the whole step."""

    def forward(self, batch: Batch) -> Tensor:
        """The weighted sum over the batch."""
        return self.losses(batch).sum()


class PreferenceObjective(Objective):
    """A loss on preferences, summed over the pairs of a batch."""

    def __init__(self, model: nn.Module, loss: Loss) -> None:
        super().__init__(model)
        self.loss = loss
        self._seen: list[Tensor] = []

    def forward(self, batch: Batch) -> Tensor:
        """The sum over the pairs: divide by their number in the whole step."""
        sums, lengths = self.log_probabilities(batch)
        reference = None if batch.reference is None else batch.reference.view(-1, 2)
        if self.training:
            self._seen.append((sums / lengths).detach())
        return self.loss.of(sums, lengths, reference).sum()

    def log_probabilities(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The log-probability of each answer, and its length; a row a pair, the preferred first."""
        losses = self.losses(batch).float()
        zeros = torch.zeros(batch.examples, device=losses.device)
        # What fills a row up weighs nothing.
        sums = zeros.index_add(0, batch.owners, -losses)
        lengths = zeros.index_add(0, batch.owners, batch.weights)
        return sums.view(-1, 2), lengths.view(-1, 2)

    def measures(self) -> dict[str, float]:
        """Of the pairs since the last call: how many the model has right, and by how much for a token."""
        if not self._seen:
            return {}
        means = torch.cat(self._seen)
        self._seen.clear()
        margins = means[:, 0] - means[:, 1]
        return {"right": (margins > 0).float().mean().item(), "margin": margins.mean().item()}


def token_losses(hidden: Tensor, weight: Tensor, index: Tensor, labels: Tensor, weights: Tensor) -> Tensor:
    """The weighted cross-entropy of each label."""
    logits = linear(hidden[index], weight.to(hidden.dtype))
    return cross_entropy(logits.float(), labels, reduction="none") * weights


def causal_of(model: nn.Module) -> PreTrainedModel:
    """The causal language model inside of adapters, or the model itself."""
    inside = cast("Any", model).get_base_model() if hasattr(model, "get_base_model") else model
    if not isinstance(inside, PreTrainedModel):
        raise TypeError(f"{type(inside).__name__} is no model of transformers")
    return inside
