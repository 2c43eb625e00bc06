"""The forward pass of a Llama or a Qwen2 over the caches of a batch."""

from __future__ import annotations

import math
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn.functional import embedding, linear, rms_norm, scaled_dot_product_attention, silu

from redraft.models import LLAMA, Heads, family_of
from redraft.train.planning.batch_state import LONGEST, Cache, State


class Net:
    """A model of transformers' whose weights it takes over."""

    def __init__(self, model: Any, device: str, kind: torch.dtype) -> None:
        config = model.config
        self.device, self.type = device, kind
        family = family_of(config.model_type) or LLAMA
        self.heads = Heads(config.num_attention_heads, config.num_key_value_heads, family)
        self.depth = config.num_hidden_layers
        self.size = config.hidden_size // self.heads.queries
        self._epsilon = config.rms_norm_eps
        self._layers = [_Layer(layer, device, kind) for layer in model.model.layers]
        self._words, self._norm, self._out = (
            weight.detach().to(device, kind)
            for weight in (model.model.embed_tokens.weight, model.model.norm.weight, model.lm_head.weight)
        )
        theta = config.rope_parameters["rope_theta"]
        powers = torch.arange(0, self.size, 2, device=device).float() / self.size
        angles = torch.outer(torch.arange(LONGEST, device=device).float(), theta**-powers)
        both = torch.cat([angles, angles], -1)
        self._cos, self._sin = both.cos().to(kind), both.sin().to(kind)

    def cache(self, tokens: int) -> Cache:
        """Room for the keys and values of so many tokens."""
        return Cache(tokens, self.depth, self.heads.groups, self.size, self.device, self.type)

    def merge(self, pairs: Any, scale: float) -> None:
        """Put what an adapter adds into the weights, in their places."""
        for number, layer in enumerate(self._layers):
            layer.merge({name: pairs[number, name] for name in _PARTS if (number, name) in pairs}, scale)

    def read(self, ids: Tensor, past: Cache, places: Tensor, last: Tensor) -> Tensor:
        """Read prompts, padded at their ends, into these rows of a cache; the logits at their last tokens."""
        rows, width = ids.shape
        queries, groups = self.heads.queries, self.heads.groups
        x = embedding(ids, self._words)
        cos, sin = self._cos[None, None, :width], self._sin[None, None, :width]
        lines = (places[:, None] * groups + torch.arange(groups, device=ids.device)).flatten()
        for number, layer in enumerate(self._layers):
            heads = linear(self._normed(x, layer.first), layer.qkv, layer.bias)
            heads = heads.view(rows, width, -1, self.size).transpose(1, 2)
            q, k, v = heads.split([queries, groups, groups], 1)  # type: ignore[no-untyped-call]
            q, k = _turned(q, cos, sin), _turned(k, cos, sin)
            for cache, new in zip(past.layer(number), (k, v), strict=True):
                cache[lines, :width] = new.reshape(-1, width, self.size)
            mixed = scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
            x = self._rest(x, mixed.transpose(1, 2).reshape(rows, width, -1), layer)
        at_last = x[torch.arange(rows, device=x.device), last]
        return linear(self._normed(at_last, self._norm), self._out)

    def step(self, state: State, groups: int, count: int, past: Cache, own: Cache, width: int) -> Tensor:
        """The logits of the next token of each row; `count` rows share a prompt."""
        rows, each = groups * count, self.heads.queries // self.heads.groups
        kinds = self.heads.groups
        lengths = state.length[:groups]
        # The token taken last stands at n - 1; where a row has ended, what is written there is never read.
        at = (state.n[:rows] - 1).clamp(min=0)
        place = lengths.repeat_interleave(count, output_size=rows) + at
        x = embedding(state.token[:rows], self._words)
        cos, sin = self._cos[place][:, None], self._sin[place][:, None]
        before = self._mask(state.slots[: past.width] < lengths[:, None], count * each, kinds)
        now = self._mask(state.slots[:width] <= at[:, None], each, kinds)
        line = (state.every[:rows, None] * kinds + state.every[None, :kinds]).flatten()
        for number, layer in enumerate(self._layers):
            heads = linear(self._normed(x, layer.first), layer.qkv, layer.bias).view(rows, -1, self.size)
            q, k, v = heads.split([self.heads.queries, kinds, kinds], 1)  # type: ignore[no-untyped-call]
            q, k = _turned(q, cos, sin) / math.sqrt(self.size), _turned(k, cos, sin)
            old_keys, old_values = (part[: groups * kinds] for part in past.layer(number))
            keys, values = own.layer(number)
            slot = at.repeat_interleave(kinds, output_size=rows * kinds)
            keys[line, slot], values[line, slot] = k.flatten(0, 1), v.flatten(0, 1)
            keys, values = keys[: rows * kinds, :width], values[: rows * kinds, :width]
            # By prompts: all queries of its rows at once; then row by row over what each has written.
            by_row = q.view(rows, kinds, each, self.size)
            by_group = by_row.view(groups, count, kinds, each, self.size).transpose(1, 2)
            of_past = torch.baddbmm(
                before, by_group.reshape(groups * kinds, count * each, self.size), old_keys.transpose(1, 2)
            ).view(groups, kinds, count, each, -1)
            of_own = torch.baddbmm(now, by_row.reshape(rows * kinds, each, self.size), keys.transpose(1, 2))
            of_own = of_own.view(groups, count, kinds, each, -1).transpose(1, 2)
            shares = torch.cat([of_past, of_own], -1).float().softmax(-1).to(self.type)
            from_past = torch.bmm(
                shares[..., : past.width].reshape(groups * kinds, count * each, -1), old_values
            ).view(groups, kinds, count, each, self.size)
            own_shares = shares[..., past.width :].transpose(1, 2).reshape(rows * kinds, each, -1)
            mixed = torch.bmm(own_shares, values).view(groups, count, kinds, each, self.size)
            mixed = mixed + from_past.transpose(1, 2)
            x = self._rest(x, mixed.reshape(rows, -1), layer)
        return linear(self._normed(x, self._norm), self._out)

    def _rest(self, x: Tensor, mixed: Tensor, layer: _Layer) -> Tensor:
        x = x + linear(mixed, layer.o)
        gate, up = linear(self._normed(x, layer.second), layer.gate_up).chunk(2, -1)
        return x + linear(silu(gate) * up, layer.down)

    def _normed(self, x: Tensor, weight: Tensor) -> Tensor:
        return rms_norm(x, (x.shape[-1],), weight, self._epsilon)

    def _mask(self, seen: Tensor, queries: int, kinds: int) -> Tensor:
        hidden = torch.zeros(seen.shape, dtype=self.type, device=seen.device).masked_fill_(~seen, -1e9)
        return hidden[:, None].expand(-1, kinds, -1).reshape(-1, 1, seen.shape[1]).expand(-1, queries, -1)


_PARTS: Final = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


class _Layer:
    """The weights of a layer, joined where they read the same; what an adapter changes is kept as it was."""

    def __init__(self, layer: Any, device: str, kind: torch.dtype) -> None:
        attention, dense = layer.self_attn, layer.mlp
        self.first, self.second = (
            norm.weight.detach().to(device, kind)
            for norm in (layer.input_layernorm, layer.post_attention_layernorm)
        )
        parts = {name: getattr(attention if name[0] in "qkvo" else dense, name).weight for name in _PARTS}
        self._plain = {name: weight.detach().to(device) for name, weight in parts.items()}
        biases = [getattr(attention, name).bias for name in _JOINED[0]]
        self.bias = (
            None if biases[0] is None else torch.cat([one.detach() for one in biases]).to(device, kind)
        )
        self.qkv, self.o, self.gate_up, self.down = (
            torch.cat([self._plain[name] for name in names]).to(kind) for names in _JOINED
        )
        self._changed: frozenset[str] = frozenset()

    def merge(self, pairs: Any, scale: float) -> None:
        if not pairs and not self._changed:
            return
        for own, names in zip((self.qkv, self.o, self.gate_up, self.down), _JOINED, strict=True):
            made = []
            for name in names:
                plain = self._plain[name].float()
                if name in pairs:
                    a, b = (torch.from_numpy(half).to(plain.device) for half in pairs[name])
                    plain = plain + scale * (b @ a)
                made.append(plain)
            own.copy_(torch.cat(made))
        self._changed = frozenset(pairs)


_JOINED: Final = (("q_proj", "k_proj", "v_proj"), ("o_proj",), ("gate_proj", "up_proj"), ("down_proj",))


def _turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary positions."""
    half = x.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin
