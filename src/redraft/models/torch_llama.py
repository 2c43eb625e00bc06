"""A Llama in plain torch: fused weights, a cache that grows, and many left-padded rows at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from redraft.errors import ModelError
from redraft.models.lora import Heads, Lora

if TYPE_CHECKING:
    from transformers import LlamaForCausalLM

GROWTH = 64
"""Places added to a cache at a time, at the least."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """The weights of one layer; q, k and v are one matrix, and so are gate and up."""

    before_attention: Tensor
    qkv: Tensor
    output: Tensor
    before_mlp: Tensor
    gate_up: Tensor
    down: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Llama:
    """The weights of a model, and how it reads; changed copies share what they do not change."""

    embedding: Tensor
    layers: tuple[Layer, ...]
    norm: Tensor
    head: Tensor
    frequencies: Tensor
    heads: Heads
    epsilon: float

    @classmethod
    def of(cls, model: LlamaForCausalLM, device: torch.device, dtype: torch.dtype) -> Llama:
        """The same model, for inference only."""

        def moved(*parts: Tensor) -> Tensor:
            return torch.cat([part.detach() for part in parts]).to(device, dtype)

        layers = tuple(
            Layer(
                moved(layer.input_layernorm.weight),
                moved(
                    layer.self_attn.q_proj.weight,
                    layer.self_attn.k_proj.weight,
                    layer.self_attn.v_proj.weight,
                ),
                moved(layer.self_attn.o_proj.weight),
                moved(layer.post_attention_layernorm.weight),
                moved(layer.mlp.gate_proj.weight, layer.mlp.up_proj.weight),
                moved(layer.mlp.down_proj.weight),
            )
            for layer in model.model.layers
        )
        config = model.config
        embedding = moved(model.model.embed_tokens.weight)
        return cls(
            embedding,
            layers,
            moved(model.model.norm.weight),
            embedding if config.tie_word_embeddings else moved(model.lm_head.weight),
            model.model.rotary_emb.inv_freq.to(device, torch.float32),
            Heads(config.num_attention_heads, config.num_key_value_heads or config.num_attention_heads),
            config.rms_norm_eps,
        )

    @property
    def head_size(self) -> int:
        """Numbers of a key."""
        return 2 * len(self.frequencies)

    @property
    def bytes_a_token(self) -> int:
        """What a token takes in a cache."""
        return 2 * len(self.layers) * self.heads.groups * self.head_size * self.embedding.element_size()

    def with_lora(self, lora: Lora) -> Llama:
        """The model with an adapter merged in."""
        layers = list(self.layers)
        for (number, projection), (a, b) in lora.pairs.items():
            if number >= len(layers):
                raise ModelError(f"the adapter changes layer {number}, and the model has {len(layers)}")
            name, start, stop = self._rows(layers[number], projection)
            weight: Tensor = getattr(layers[number], name)
            if (stop - start, weight.shape[1]) != (len(b), a.shape[1]):
                raise ModelError(
                    f"the adapter was trained for another model: its {projection} is {len(b)} × {a.shape[1]}"
                    f", the model's {stop - start} × {weight.shape[1]}"
                )
            if weight is getattr(self.layers[number], name):
                weight = weight.clone()
            down, up = (torch.from_numpy(half).to(weight.device) for half in (a, b))
            changed = weight[start:stop].float() + lora.scale * (up @ down)
            weight[start:stop] = changed.to(weight.dtype)
            layers[number] = replace(layers[number], **{name: weight})
        return replace(self, layers=tuple(layers))

    def _rows(self, layer: Layer, projection: str) -> tuple[str, int, int]:
        """The matrix that a projection is a part of, and which rows of it."""
        q = self.heads.queries * self.head_size
        kv = self.heads.groups * self.head_size
        half = len(layer.gate_up) // 2
        return {
            "q_proj": ("qkv", 0, q),
            "k_proj": ("qkv", q, q + kv),
            "v_proj": ("qkv", q + kv, q + 2 * kv),
            "o_proj": ("output", 0, len(layer.output)),
            "gate_proj": ("gate_up", 0, half),
            "up_proj": ("gate_up", half, 2 * half),
            "down_proj": ("down", 0, len(layer.down)),
        }[projection]

    def read(self, tokens: Tensor, pads: Tensor, cache: Cache, rows: slice) -> Tensor:
        """The logits of what follows the last token of each row, in float32.

        `tokens` come after what the cache holds; `pads` counts the padding at the left of each row.
        """
        start, length = cache.length, tokens.shape[1]
        columns = torch.arange(start + length, device=tokens.device)
        places = columns[start:] - pads[:, None]
        angles = places.clamp(min=0)[..., None] * self.frequencies
        turn = (angles.cos()[:, :, None], angles.sin()[:, :, None])
        mask = self._mask(columns, pads, length)
        x = functional.embedding(tokens, self.embedding)
        for number, layer in enumerate(self.layers):
            h = self._normed(x, layer.before_attention)
            x = x + self._attend(h, layer, turn, mask, cache, number, rows)
            gate, up = functional.linear(self._normed(x, layer.before_mlp), layer.gate_up).chunk(2, -1)
            x = x + functional.linear(functional.silu(gate) * up, layer.down)
        return functional.linear(self._normed(x[:, -1], self.norm), self.head).float()

    def _mask(self, columns: Tensor, pads: Tensor, length: int) -> Tensor:
        """True where a token may look, for each head of a group; padding sees itself, or it would see NaN."""
        own = columns[-length:]
        causal = columns <= own[:, None]
        real = columns >= pads[:, None, None]
        mask = causal & (real | (columns == own[:, None]))
        if length == 1:
            return mask[:, None]
        share = self.heads.queries // self.heads.groups
        return mask[:, None].repeat(1, 1, share, 1)

    def _attend(
        self,
        h: Tensor,
        layer: Layer,
        turn: tuple[Tensor, Tensor],
        mask: Tensor,
        cache: Cache,
        number: int,
        rows: slice,
    ) -> Tensor:
        batch, length, _ = h.shape
        queries, groups, size = self.heads.queries, self.heads.groups, self.head_size
        mixed = functional.linear(h, layer.qkv).view(batch, length, queries + 2 * groups, size)
        turned = _turned(mixed[:, :, : queries + groups], turn)
        keys, values = cache.add(
            number,
            turned[:, :, queries:].transpose(1, 2),
            mixed[:, :, queries + groups :].transpose(1, 2),
            rows,
        )
        # The heads of a group share its keys: as more queries of one head they need no copies of them.
        q = turned[:, :, :queries].reshape(batch, length, groups, queries // groups, size)
        q = q.permute(0, 2, 3, 1, 4).reshape(batch, groups, queries // groups * length, size)
        found = functional.scaled_dot_product_attention(q, keys, values, attn_mask=mask)
        found = found.view(batch, groups, queries // groups, length, size).permute(0, 3, 1, 2, 4)
        return functional.linear(found.reshape(batch, length, queries * size), layer.output)

    def _normed(self, x: Tensor, weight: Tensor) -> Tensor:
        return functional.rms_norm(x, (x.shape[-1],), weight, self.epsilon)


class Cache:
    """Keys and values of the tokens that were read, for every layer and row."""

    def __init__(self, llama: Llama, rows: int, capacity: int) -> None:
        shape = (rows, llama.heads.groups, capacity, llama.head_size)
        self._stores = [
            [llama.embedding.new_empty(shape) for _ in ("keys", "values")] for _ in range(len(llama.layers))
        ]
        self.length = 0

    def add(self, layer: int, keys: Tensor, values: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        """Keep those of some rows, and give all that these rows have."""
        stop = self.length + keys.shape[2]
        for index, new in enumerate((keys, values)):
            store = self._stores[layer][index]
            if stop > store.shape[2]:
                more = max(GROWTH, store.shape[2] // 4, stop - store.shape[2])
                store = self._stores[layer][index] = functional.pad(store, (0, 0, 0, more))
            store[rows, :, self.length : stop] = new
        first, second = self._stores[layer]
        return first[rows, :, :stop], second[rows, :, :stop]

    def keep(self, rows: Tensor) -> None:
        """Drop every row but these."""
        for pair in self._stores:
            pair[:] = [store.index_select(0, rows) for store in pair]


def _turned(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """Rotary positions: the first half of a head against its second."""
    cos, sin = turn
    first, second = x.float().chunk(2, -1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), -1).to(x.dtype)
