"""The embedded model with an adapter, in plain torch: many answers at once, and many yes or no.

Quick where there is a GPU: rows share one static cache, a step is one CUDA graph, and another adapter is
written into the same weights, so that graphs last. Numbers are float32 (TF32 in products).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import embedding, linear, rms_norm, scaled_dot_product_attention, silu

from redraft.models import (
    CHAT,
    END,
    MODEL_FILE,
    START,
    Heads,
    Message,
    ensure,
    find_peft,
    load_gguf,
    load_tokenizer,
    read_lora,
)
from redraft.settings import load_settings

LENGTHS = 128
"""Slots of a row are a multiple of it: each number of rows and slots is a graph of its own."""
CHECKED = 8
"""Steps between looks at which rows have ended."""
FEWEST_ROWS = 32 if torch.cuda.is_available() else 1
"""On a GPU fewer rows take as long."""
LIKELY = 3.5
"""Sampled tokens have a logit at most so far below the likeliest one's (a fixed min-p of 3 %)."""
READ = 65_536
"""Tokens that are read at once."""
LONGEST_QUESTION = 380

Answer = tuple[str, bool]
"""What was written, and whether it had come to its end."""


def base_file() -> Path:
    """The GGUF of the embedded model."""
    return ensure(CHAT, load_settings().weights()) / MODEL_FILE


class Writer:
    """A Llama from a GGUF, and at any time one adapter in its weights."""

    def __init__(self, base: Path, rows: int = 256, slots: int = 384) -> None:
        torch.backends.cuda.matmul.allow_tf32 = True
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        model = load_gguf(base).model.to(self.device)
        config = model.config
        self.heads, self.groups = config.num_attention_heads, config.num_key_value_heads
        self.size = config.hidden_size // self.heads
        self.eps = config.rms_norm_eps
        self.embedded: Tensor = model.model.embed_tokens.weight.data
        self.norm: Tensor = model.model.norm.weight.data
        self.base = [_layer(layer) for layer in model.model.layers]
        self.layers = [_fused({name: weight.clone() for name, weight in one.items()}) for one in self.base]
        self.adapter: Path | None = None
        self.tokenizer = load_tokenizer(base)
        self.start, self.end = (self.tokenizer.token_to_id(token) for token in (START, END))
        self.gap: list[int] = self.tokenizer.encode("\n", add_special_tokens=False).ids
        self.head: list[int] = self.tokenizer.encode("assistant\n", add_special_tokens=False).ids
        self.yes_id: int = self.tokenizer.encode("yes", add_special_tokens=False).ids[0]
        theta = config.rope_parameters["rope_theta"]
        steps = torch.arange(0, self.size, 2, device=self.device).float() / self.size
        angles = torch.outer(torch.arange(2048, device=self.device).float(), theta**-steps)
        angles = torch.cat([angles, angles], -1)
        self.cos, self.sin = angles.cos(), angles.sin()
        self.rows, self.tokens = rows, max(rows * slots, FEWEST_ROWS * len(self.cos))
        self.cache: list[tuple[Tensor, Tensor]] = []
        self.state: dict[str, Tensor] = {}
        self.graphs: dict[tuple[int, int], Any] = {}
        self.shared = torch.cuda.graph_pool_handle() if self.device.type == "cuda" else None

    def use(self, adapter: Path | None) -> None:
        """Put an adapter (a GGUF, or a folder of peft's) into the weights, or none."""
        if adapter == self.adapter:
            return
        pairs, scale = {}, 0.0
        if adapter is not None:
            lora = read_lora(find_peft(adapter) or adapter, Heads(self.heads, self.groups))
            pairs, scale = lora.pairs, lora.scale
        for number, (own, used) in enumerate(zip(self.base, self.layers, strict=True)):
            weights = dict(own)
            for name in own:
                if (number, name) in pairs:
                    a, b = (torch.from_numpy(each).to(self.device) for each in pairs[number, name])
                    weights[name] = own[name] + scale * (b @ a)
            for name, weight in _fused(weights).items():
                used[name].copy_(weight)
        self.adapter = adapter

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        """A conversation up to where the model is to answer."""
        return self.prompts([messages])[0]

    def prompts(self, conversations: Sequence[Sequence[Message]]) -> list[list[int]]:
        """The same of many, tokenised together."""
        said = [f"{turn.role}\n{turn.content}" for turns in conversations for turn in turns]
        ids = iter(one.ids for one in self.tokenizer.encode_batch(said, add_special_tokens=False))
        found = []
        for turns in conversations:
            tokens: list[int] = []
            for _ in turns:
                tokens += [self.start, *next(ids), self.end, *self.gap]
            found.append([*tokens, self.start, *self.head])
        return found

    @torch.inference_mode()
    def write(
        self,
        conversations: Sequence[Sequence[Message]],
        rooms: Sequence[int],
        temperatures: Sequence[float],
        seed: int = 0,
    ) -> list[Answer]:
        """An answer to each, of so many tokens at most; at no temperature the likeliest."""
        torch.manual_seed(seed)
        prompts = self.prompts(conversations)
        order = sorted(range(len(prompts)), key=lambda one: (rooms[one], len(prompts[one])))
        found: list[tuple[list[int], bool]] = [([], False)] * len(prompts)
        for numbers in self._shares(order, prompts, rooms):
            chosen = [prompts[one] for one in numbers]
            answers = self._batch(
                chosen, [rooms[one] for one in numbers], [temperatures[one] for one in numbers]
            )
            for number, answer in zip(numbers, answers, strict=True):
                found[number] = answer
        texts = self.tokenizer.decode_batch([tokens for tokens, _ in found], skip_special_tokens=True)
        return [(text, ended) for text, (_, ended) in zip(texts, found, strict=True)]

    @torch.inference_mode()
    def yes(self, questions: Sequence[str]) -> list[float]:
        """How sure the model is that each question is to be answered with yes, as the judge is asked."""
        encoded = self.tokenizer.encode_batch([f"user\n{one}" for one in questions], add_special_tokens=False)
        answer = [self.end, *self.gap, self.start, *self.head]
        prompts = [[self.start, *one.ids[:LONGEST_QUESTION], *answer] for one in encoded]
        order = sorted(range(len(prompts)), key=lambda one: len(prompts[one]))
        found = [0.0] * len(prompts)
        while order:
            width = max(1, READ // len(prompts[order[min(len(order), 512) - 1]]))
            numbers, order = order[:width], order[width:]
            logits = self._read([prompts[one] for one in numbers], None)
            for number, value in zip(
                numbers, logits.float().softmax(-1)[:, self.yes_id].tolist(), strict=True
            ):
                found[number] = value
        return found

    def _shares(
        self, order: list[int], prompts: Sequence[list[int]], rooms: Sequence[int]
    ) -> Iterator[list[int]]:
        """Rows that are written together, with room for the longest of them in every row."""
        while order:
            numbers = order[: self.rows]
            while _doubled(len(numbers)) * self._slots(numbers, prompts, rooms) > self.tokens:
                numbers = numbers[: len(numbers) // 2]
            order = order[len(numbers) :]
            yield numbers

    def _slots(self, numbers: Sequence[int], prompts: Sequence[list[int]], rooms: Sequence[int]) -> int:
        longest = max(len(prompts[one]) for one in numbers) + max(rooms[one] for one in numbers) + 1
        return math.ceil(longest / LENGTHS) * LENGTHS

    def _batch(
        self, prompts: Sequence[list[int]], rooms: Sequence[int], temperatures: Sequence[float]
    ) -> list[tuple[list[int], bool]]:
        count = len(prompts)
        slots = self._slots(range(count), prompts, rooms)
        size = _doubled(count)
        self._make_room(_doubled(self.rows))
        state, device = self.state, self.device
        logits = torch.cat(
            [
                self._read(prompts[first : first + self._width(prompts)], (first, slots))
                for first in range(0, count, self._width(prompts))
            ]
        )
        state["done"][:] = True
        state["position"][:] = 0
        for name, values in (
            ("position", [len(prompt) - 1 for prompt in prompts]),
            ("room", list(rooms)),
            ("temperature", list(temperatures)),
        ):
            state[name][:count] = torch.tensor(values, device=device, dtype=state[name].dtype)
        state["made"][:count] = 0
        state["ended"][:count] = False
        state["done"][:count] = False
        self._take(state, count, self._pick(logits, state["temperature"][:count]))
        places = list(range(count))
        found: list[tuple[list[int], bool]] = [([], False)] * count
        while places:
            done = state["done"][: len(places)].tolist()
            live = [row for row, over in enumerate(done) if not over]
            if not live or (len(live) <= size // 2 and size > FEWEST_ROWS):
                written = state["out"][: len(places)].tolist()
                made, ended = (state[name][: len(places)].tolist() for name in ("made", "ended"))
                for row, place in enumerate(places):
                    found[place] = (written[row][: made[row]], ended[row])
                while len(live) <= size // 2 and size > FEWEST_ROWS:
                    size //= 2
                places = [places[row] for row in live]
                self._move(torch.tensor(live, device=device, dtype=torch.long), slots)
                if not places:
                    break
            self._run(size, slots)
        return found

    def _width(self, prompts: Sequence[list[int]]) -> int:
        return max(1, READ // max(map(len, prompts)))

    def _make_room(self, rows: int) -> None:
        """The cache, and what is known of each row."""
        if self.cache:
            return
        shape = self.tokens * self.groups * self.size
        self.cache = [
            (torch.zeros(shape, device=self.device), torch.zeros(shape, device=self.device))
            for _ in self.layers
        ]
        kinds = {"temperature": torch.float, "done": torch.bool, "ended": torch.bool}
        self.state = {
            name: torch.zeros(rows, device=self.device, dtype=kinds.get(name, torch.long))
            for name in ("position", "current", "made", "room", "temperature", "done", "ended")
        }
        self.state["row"] = torch.arange(rows, device=self.device)
        self.state["slot"] = torch.arange(4096, device=self.device)
        self.state["out"] = torch.zeros(rows, 1024, device=self.device, dtype=torch.long)

    def _cached(self, number: int, rows: int, slots: int) -> tuple[Tensor, Tensor]:
        key, value = self.cache[number]
        size = rows * self.groups * slots * self.size
        shape = (rows, self.groups, slots, self.size)
        return key[:size].view(shape), value[:size].view(shape)

    def _turned(self, vectors: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        half = self.size // 2
        return vectors * cos + torch.cat([-vectors[..., half:], vectors[..., :half]], -1) * sin

    def _read(self, prompts: Sequence[list[int]], into: tuple[int, int] | None) -> Tensor:
        """The logits after each prompt; keys and values go into the rows of the cache from a first one on."""
        count, width = len(prompts), max(map(len, prompts))
        ids = torch.zeros(count, width, dtype=torch.long)
        for row, prompt in enumerate(prompts):
            ids[row, : len(prompt)] = torch.tensor(prompt)
        hidden = embedding(ids.to(self.device), self.embedded)
        cos, sin = self.cos[:width], self.sin[:width]
        for number, weights in enumerate(self.layers):
            query, key, value = self._attending(hidden, weights, (count, width))
            query, key = self._turned(query, cos, sin), self._turned(key, cos, sin)
            if into is not None:
                first, slots = into
                keys, values = self._cached(number, first + count, slots)
                keys[first:, :, :width], values[first:, :, :width] = key, value
            mixed = scaled_dot_product_attention(query, key, value, is_causal=True, enable_gqa=True)
            hidden = self._after(hidden, mixed.transpose(1, 2).reshape(count, width, -1), weights)
        last = torch.tensor([len(prompt) - 1 for prompt in prompts], device=self.device)
        return self._logits(hidden[torch.arange(count, device=self.device), last])

    def _attending(
        self, hidden: Tensor, weights: dict[str, Tensor], shape: tuple[int, ...]
    ) -> tuple[Tensor, ...]:
        normed = rms_norm(hidden, (hidden.shape[-1],), weights["before"], self.eps)
        all_heads = linear(normed, weights["qkv"]).view(*shape, self.heads + 2 * self.groups, self.size)
        if len(shape) > 1:
            all_heads = all_heads.transpose(1, 2)
        return all_heads.split([self.heads, self.groups, self.groups], dim=1)

    def _after(self, hidden: Tensor, mixed: Tensor, weights: dict[str, Tensor]) -> Tensor:
        hidden = hidden + linear(mixed, weights["o"])
        normed = rms_norm(hidden, (hidden.shape[-1],), weights["between"], self.eps)
        gate, up = linear(normed, weights["gate_up"]).chunk(2, -1)
        return hidden + linear(silu(gate) * up, weights["down"])

    def _logits(self, hidden: Tensor) -> Tensor:
        return linear(rms_norm(hidden, (hidden.shape[-1],), self.norm, self.eps), self.embedded)

    def _pick(self, logits: Tensor, temperatures: Tensor) -> Tensor:
        """The likeliest token, or one drawn by its likelihood: adding Gumbel's noise to logits draws so."""
        logits = logits.masked_fill(logits < logits.amax(-1, keepdim=True) - LIKELY, -1e9)
        noise = -torch.log(-torch.log(torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)))
        return (logits + temperatures[:, None] * noise).argmax(-1)

    def _step(self, rows: int, slots: int) -> None:
        """One more token in each row, wholly on the device."""
        state = self.state
        position, row = state["position"][:rows], state["row"][:rows]
        hidden = embedding(state["current"][:rows], self.embedded)
        cos, sin = self.cos[position][:, None], self.sin[position][:, None]
        seen = torch.where(state["slot"][None, :slots] <= position[:, None], 0.0, -1e9)[:, None, None]
        for number, weights in enumerate(self.layers):
            query, key, value = self._attending(hidden, weights, (rows,))
            keys, values = self._cached(number, rows, slots)
            keys[row, :, position], values[row, :, position] = self._turned(key, cos, sin), value
            asked = self._turned(query, cos, sin).view(rows, self.groups, -1, self.size) / math.sqrt(
                self.size
            )
            mixed = (asked @ keys.transpose(2, 3) + seen).softmax(-1) @ values
            hidden = self._after(hidden, mixed.reshape(rows, -1), weights)
        self._take(state, rows, self._pick(self._logits(hidden), state["temperature"][:rows]))

    def _take(self, state: dict[str, Tensor], rows: int, token: Tensor) -> None:
        made, done = state["made"][:rows], state["done"][:rows]
        end = token == self.end
        state["out"][state["row"][:rows], made.clamp(max=state["out"].shape[1] - 1)] = token
        state["ended"][:rows] |= end & ~done
        made += (~done & ~end).long()
        done |= end | (made >= state["room"][:rows])
        state["position"][:rows] += (~done).long()
        state["current"][:rows] = token

    def _move(self, live: Tensor, slots: int) -> None:
        """The rows that go on come first."""
        count = len(live)
        for number in range(len(self.layers)):
            rows = int(live.max()) + 1 if count else 0
            for cached in self._cached(number, rows, slots):
                cached[:count] = cached[live]
        for name in ("position", "current", "made", "room", "temperature", "ended", "out"):
            self.state[name][:count] = self.state[name][live]
        self.state["done"][:] = True
        self.state["done"][:count] = False

    def _run(self, rows: int, slots: int) -> None:
        graph = self._graph(rows, slots) if self.device.type == "cuda" else None
        for _ in range(CHECKED):
            self._step(rows, slots) if graph is None else graph.replay()

    def _graph(self, rows: int, slots: int) -> Any:
        """A step as a graph; None where it cannot be had, which is slower and no worse."""
        if (rows, slots) not in self.graphs:
            kept = {name: tensor.clone() for name, tensor in self.state.items()}
            self.state["done"][:] = True  # a trial that counts for nothing: its slots are written again
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                self._step(rows, slots)
            torch.cuda.current_stream().wait_stream(side)
            graph: Any = torch.cuda.CUDAGraph()
            try:
                with torch.cuda.graph(graph, pool=self.shared):
                    self._step(rows, slots)
            except RuntimeError as error:
                print(f"no graph for {rows} rows: {error}", flush=True)
                graph = None
            self.graphs[rows, slots] = graph
            for name, tensor in kept.items():
                self.state[name].copy_(tensor)
        return self.graphs[rows, slots]


def _doubled(count: int) -> int:
    """The least number of rows that a graph is made for, and that holds so many."""
    return max(FEWEST_ROWS, 1 << (count - 1).bit_length())


def _layer(layer: Any) -> dict[str, Tensor]:
    """The weights of a layer, the projections by their names."""
    attention, mlp = layer.self_attn, layer.mlp
    return {
        **{name: getattr(attention, name).weight.data for name in ("q_proj", "k_proj", "v_proj", "o_proj")},
        **{name: getattr(mlp, name).weight.data for name in ("gate_proj", "up_proj", "down_proj")},
        "before": layer.input_layernorm.weight.data,
        "between": layer.post_attention_layernorm.weight.data,
    }


def _fused(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """What is multiplied by the same thing is one matrix."""
    return {
        "qkv": torch.cat([weights[name] for name in ("q_proj", "k_proj", "v_proj")]),
        "gate_up": torch.cat([weights[name] for name in ("gate_proj", "up_proj")]),
        "o": weights["o_proj"],
        "down": weights["down_proj"],
        "before": weights["before"],
        "between": weights["between"],
    }
