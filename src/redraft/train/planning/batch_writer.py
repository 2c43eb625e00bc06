"""A planner's answers to thousands of requests: one batch, one reading of each request, one graph a step.

`hf:` and `torch:` models answer whatever comes, when it comes. Self-training asks for everything at once, and
for several answers to each request; so here the keys and values of a request are kept once for all of its
answers, the caches never move, and on a GPU a step is replayed as one CUDA graph.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn.functional import embedding, linear, rms_norm, scaled_dot_product_attention, silu

from redraft.models import (
    END,
    LLAMA,
    START,
    Completion,
    Heads,
    Lora,
    Message,
    Pretrained,
    Request,
    Usage,
    family_of,
    load_gguf,
    read_frame,
    read_lora,
)
from redraft.train.chat import chat_format
from redraft.train.conversations import Conversation

ROWS: Final = {"cuda": 1024, "cpu": 32}
"""Answers that are written at once, at the most."""
ROOM: Final = {"cuda": (200_000, 400_000), "cpu": (12_000, 12_000)}
"""Tokens that the caches hold: of requests, and of answers."""
_STEPS: Final = 16
"""Tokens that are written between two looks at what has ended."""
_PROMPT, _ANSWER = 256, 128
"""Caches are read in multiples of so many tokens: few widths need few graphs."""
_LEAST: Final = {"cuda": 32, "cpu": 4}
"""Rows are written at so many prompts at the least, and at powers of two of it."""
GRAPHS: Final = True
"""Whether a step is replayed as a CUDA graph on a GPU."""
_READ: Final = {"cuda": 32_768, "cpu": 4096}
"""Tokens of requests that are read at once."""

Ids = list[int]


def can_batch(base: Path) -> bool:
    """Whether a base is written with here: the GGUF of a Llama, or of a Qwen2."""
    return base.is_file() and read_frame(base).architecture in ("llama", "qwen2")


class BatchWriter:
    """Writes with the GGUF of a Llama or a Qwen2 and one adapter at a time.

    `loaded` is what is in the GGUF, where someone has read it; `rows` and `room` are those of the decoder.
    """

    def __init__(
        self,
        base: Path,
        loaded: Pretrained | None = None,
        rows: int | None = None,
        room: tuple[int, int] | None = None,
    ) -> None:
        self.spec = f"batch:{base.name}"
        loaded = loaded or load_gguf(base)
        self._tokenizer = loaded.tokenizer
        self._chat = chat_format(base)
        words = loaded.tokenizer.get_vocab()
        self._decoder = BatchDecoder(loaded.model, (words[END], words[START]), rows, room)
        self._adapter: tuple[Path, int] | None = None
        self.likelihoods: list[tuple[float, ...]] = []
        """Of the answers that were written last: the mean log-probability of a token."""

    async def complete_all(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """The answers to each request, all of which ask alike; none where one is too long."""
        return await asyncio.to_thread(self._write, requests)

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        """The answers to one request."""
        return (await self.complete_all([request]))[0]

    def _write(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        if not requests:
            return []
        first = requests[0]
        self._use(Path(first.adapter) if first.adapter else None)
        torch.manual_seed(first.seed)
        prompts = self._prompts(requests)
        limits = [request.max_tokens for request in requests]

        def ends(tokens: Ids) -> bool:
            text = self._text(tokens)
            return any(stop in text for stop in first.stop)

        started = time.monotonic()
        written = self._decoder.write(
            prompts, limits, first.n, first.temperature, ends if first.stop else None
        )
        seconds = (time.monotonic() - started) / max(1, sum(map(len, written)))
        self.likelihoods = [tuple(one.likelihood for one in own) for own in written]
        return [tuple(self._completion(one, first.stop, seconds) for one in own) for own in written]

    def _prompts(self, requests: Sequence[Request]) -> list[Ids]:
        asked = (Conversation((*one.messages, Message("assistant", ""))) for one in requests)
        return [[int(token) for token in example.tokens[:-1]] for example in self._chat.examples(asked)]

    def _completion(self, written: Written, stops: Sequence[str], seconds: float) -> Completion:
        text = self._text(written.tokens)
        ends = [at for stop in stops if (at := text.find(stop)) >= 0]
        usage = Usage(completion_tokens=len(written.tokens), seconds=seconds)
        whole = written.stopped or bool(ends)
        return Completion(text[: min(ends, default=None)], "stop" if whole else "length", usage)

    def _text(self, tokens: Ids) -> str:
        decoded = self._tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return str(decoded)

    def _use(self, adapter: Path | None) -> None:
        """Put an adapter into the weights; a file that has changed is read again."""
        known = None
        if adapter is not None:
            files = sorted(adapter.iterdir()) if adapter.is_dir() else [adapter]
            known = adapter, max(path.stat().st_mtime_ns for path in files)
        if known != self._adapter:
            self._decoder.merge(None if adapter is None else read_lora(adapter, self._decoder.heads))
            self._adapter = known


@dataclass(frozen=True, slots=True)
class Written:
    """The tokens of an answer, and whether it came to its end."""

    tokens: Ids
    stopped: bool
    likelihood: float = field(default=0.0, compare=False)
    """The mean log-probability of its tokens, the one that ended it among them."""


class BatchDecoder:
    """Goes on with rows of tokens, with a Llama or a Qwen2 of transformers' whose weights it takes over.

    It writes so many `rows` at once, and has `room` for so many tokens: of requests, and of answers.
    """

    def __init__(
        self,
        model: Any,
        ends: tuple[int, int],
        rows: int | None = None,
        room: tuple[int, int] | None = None,
    ) -> None:
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._rows, self._room = rows or ROWS[self._device], room or ROOM[self._device]
        self._ends = ends
        kind = torch.bfloat16 if self._device == "cuda" else torch.float32
        self._net = _Net(model, self._device, kind)
        requests, answers = self._room
        self._past = _Cache(self._net, requests)
        self._own = _Cache(self._net, answers)
        self._graphs: dict[tuple[int, ...], Any] = {}
        self._pool: Any = None
        self._state = _State(self._rows, self._device)

    @property
    def heads(self) -> Heads:
        """The model's heads."""
        return self._net.heads

    def merge(self, lora: Lora | None) -> None:
        """Put what an adapter adds into the weights, or take it out again."""
        self._net.merge({} if lora is None else lora.pairs, 0.0 if lora is None else lora.scale)

    def write(
        self,
        prompts: Sequence[Ids],
        limits: Sequence[int],
        count: int = 1,
        temperature: float = 0.0,
        ends: Callable[[Ids], bool] | None = None,
    ) -> list[list[Written]]:
        """What is written after each prompt, `count` times; nothing where one is too long.

        `ends` says of what was written whether that is enough.
        """
        found: list[list[Written]] = [[] for _ in prompts]
        for batch in self._batches(prompts, limits, count):
            asked, own = [prompts[place] for place in batch], [limits[place] for place in batch]
            written = iter(self._run(asked, own, count, temperature, ends))
            for place in batch:
                found[place] = [next(written) for _ in range(count)]
        return found

    def _batches(self, prompts: Sequence[Ids], limits: Sequence[int], count: int) -> Iterator[list[int]]:
        """The places of prompts of similar length, as many as the caches and the rows hold."""
        room, own = self._room
        order = sorted(range(len(prompts)), key=lambda place: len(prompts[place]))
        batch: list[int] = []
        most = 0
        for place in order:
            width, limit = _rounded(len(prompts[place]), _PROMPT), _rounded(limits[place], _ANSWER)

            def full(size: int, width: int, most: int) -> bool:
                rows = self._capacity(size, count) * count
                return rows > self._rows or rows // count * width > room or rows * most > own

            if full(1, width, limit):
                continue
            most = max(most, limit)
            if batch and full(len(batch) + 1, width, most):
                yield batch
                batch, most = [], limit
            batch.append(place)
        if batch:
            yield batch

    @torch.inference_mode()
    def _run(
        self,
        prompts: Sequence[Ids],
        limits: Sequence[int],
        count: int,
        temperature: float,
        ends: Callable[[Ids], bool] | None,
    ) -> list[Written]:
        """One batch, to its end."""
        groups = len(prompts)
        rows = groups * count
        width, most = _rounded(max(map(len, prompts)), _PROMPT), _rounded(max(limits), _ANSWER)
        self._past.shape(self._capacity(groups, count), width)
        self._own.shape(self._capacity(groups, count) * count, most)
        state = self._state
        state.begin(prompts, limits, count, temperature)
        logits = self._read(prompts, width)
        logits = logits.repeat_interleave(count, 0)
        state.take(rows, _chosen(logits, state.heat[:rows]), logits, self._ends)
        results: list[Written | None] = [None] * rows
        places = list(range(groups))  # which prompt each group of rows belongs to
        written = 1
        while True:
            if ends is not None:
                self._stop_at(len(places) * count, ends)
            done = state.done[: len(places) * count].view(-1, count)
            left = (~done).any(1).nonzero()[:, 0].tolist()
            if len(left) <= len(places) // 2 or not left:
                self._collect(places, set(left), count, results)
                if not left:
                    break
                self._keep(left, count)
                places = [places[place] for place in left]
            size = self._capacity(len(places), count)
            self._steps(size, count, width, min(_rounded(written + _STEPS, _ANSWER), most))
            written += _STEPS
        return [one for one in results if one is not None]

    def _capacity(self, size: int, count: int) -> int:
        """Few sizes need few graphs; the rows beyond those that are asked for are done."""
        found = max(1, min(_LEAST[self._device], self._rows // (2 * count)))
        while found < size:
            found *= 2
        return found

    def _collect(
        self, places: Sequence[int], left: set[int], count: int, results: list[Written | None]
    ) -> None:
        """Take down the answers of the groups that are not among those left."""
        state = self._state
        rows = len(places) * count
        tokens, lengths, stopped = (
            state.out[:rows].cpu(),
            state.n[:rows].tolist(),
            state.ended[:rows].tolist(),
        )
        sums = state.likelihood[:rows].tolist()
        for group, place in enumerate(places):
            if group in left:
                continue
            for sample in range(count):
                row = group * count + sample
                mean = sums[row] / max(1, lengths[row] + stopped[row])
                own = tokens[row, : lengths[row]].tolist()
                results[place * count + sample] = Written(own, stopped[row], mean)

    def _keep(self, left: Sequence[int], count: int) -> None:
        """Move what is not done to the front."""
        groups = torch.tensor(left, device=self._device)
        rows = (groups[:, None] * count + torch.arange(count, device=self._device)).flatten()
        self._past.keep(groups)
        self._own.keep(rows)
        self._state.keep(groups, rows)

    def _stop_at(self, rows: int, ends: Callable[[Ids], bool]) -> None:
        """End the rows that have written enough."""
        state = self._state
        tokens, lengths = state.out[:rows].cpu(), state.n[:rows].tolist()
        over = [ends(own[:n].tolist()) for own, n in zip(tokens, lengths, strict=True)]
        state.done[:rows] |= torch.tensor(over, device=self._device)

    def _read(self, prompts: Sequence[Ids], width: int) -> Tensor:
        """Read the prompts into their cache; the logits after each."""
        found = []
        size = max(1, _READ[self._device] // width)
        for start in range(0, len(prompts), size):
            part = prompts[start : start + size]
            ids = torch.zeros(len(part), width, dtype=torch.long)
            for row, prompt in enumerate(part):
                ids[row, : len(prompt)] = torch.tensor(prompt)
            last = torch.tensor([len(prompt) - 1 for prompt in part], device=self._device)
            found.append(self._net.read(ids.to(self._device), self._past, start, last))
        return torch.cat(found)

    def _steps(self, groups: int, count: int, width: int, own: int) -> None:
        """Some more tokens for every row."""

        def step() -> None:
            logits = self._net.step(self._state, groups, count, self._past, self._own, own)
            rows = groups * count
            self._state.take(rows, _chosen(logits, self._state.heat[:rows]), logits, self._ends)

        if self._device == "cpu" or not GRAPHS:
            for _ in range(_STEPS):
                step()
            return
        key = (groups, count, width, self._own.width, own)
        if key not in self._graphs:
            self._graphs[key] = self._captured(step)
        for _ in range(_STEPS):
            self._graphs[key].replay()

    def _captured(self, step: Any) -> Any:
        """A step as a CUDA graph. The tries before it write nothing that counts: all rows are done then."""
        saved = self._state.saved()
        self._state.done.fill_(True)
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            step()
        torch.cuda.current_stream().wait_stream(side)
        if self._pool is None:
            self._pool = torch.cuda.graph_pool_handle()
        graph = torch.cuda.CUDAGraph()
        # Graphs are replayed one after the other, and leave what counts in tensors that are not theirs.
        with torch.cuda.graph(graph, pool=self._pool, capture_error_mode="thread_local"):
            step()
        self._state.restore(saved)
        return graph


class _Cache:
    """Keys and values of every layer, in so many rows of so many tokens."""

    def __init__(self, net: _Net, tokens: int) -> None:
        self._groups, self._size = net.heads.groups, net.size
        shape = (net.depth, tokens * self._groups * self._size)
        self._flat = [torch.zeros(shape, device=net.device, dtype=net.type) for _ in "kv"]
        self.rows = self.width = 0

    def shape(self, rows: int, width: int) -> None:
        """Begin anew with so many rows of a width."""
        self.rows, self.width = rows, width

    def layer(self, number: int) -> list[Tensor]:
        """Keys and values of a layer: row · group, token, value."""
        shape = self.rows * self._groups, self.width, self._size
        return [flat[number, : math.prod(shape)].view(shape) for flat in self._flat]

    def keep(self, rows: Tensor) -> None:
        """Move these rows, in rising order, to the front."""
        count = len(rows)
        for flat in self._flat:
            for layer in flat:
                shape = self.rows, self._groups * self.width * self._size
                own = layer[: math.prod(shape)].view(shape)
                own[:count] = own[rows]


class _State:
    """What is known of each row while it is written; its tensors never move."""

    def __init__(self, rows: int, device: str) -> None:
        def numbers(*shape: int) -> Tensor:
            return torch.zeros(shape, dtype=torch.long, device=device)

        self.length = numbers(rows)
        """Tokens of the prompt of each group."""
        self.token, self.n, self.limit = numbers(rows), numbers(rows), numbers(rows)
        self.out = numbers(rows, 2048)
        self.heat = torch.zeros(rows, device=device)
        self.likelihood = torch.zeros(rows, device=device)
        """The log-probability of what was written, without a temperature."""
        self.done = torch.ones(rows, dtype=torch.bool, device=device)
        self.ended = torch.zeros(rows, dtype=torch.bool, device=device)
        self.every = torch.arange(rows, device=device)
        self.slots = torch.arange(8192, device=device)

    def begin(self, prompts: Sequence[Ids], limits: Sequence[int], count: int, temperature: float) -> None:
        rows = len(prompts) * count
        device = self.n.device
        self.length[: len(prompts)] = torch.tensor([len(prompt) for prompt in prompts], device=device)
        self.limit[:rows] = torch.tensor(limits, device=device).clamp(max=2047).repeat_interleave(count)
        self.n.zero_()
        self.likelihood.zero_()
        self.token.zero_()
        self.heat.fill_(temperature)
        self.done.fill_(True)
        self.done[:rows] = False
        self.ended.fill_(False)

    def take(self, rows: int, chosen: Tensor, logits: Tensor, ends: tuple[int, int]) -> None:
        """The next token of each row, which may end it."""
        n, done = self.n[:rows], self.done[:rows]
        logits = logits.float()
        of_chosen = logits.gather(1, chosen[:, None])[:, 0] - logits.logsumexp(-1)
        self.likelihood[:rows] += torch.where(done, 0.0, of_chosen)
        end = (chosen == ends[0]) | (chosen == ends[1])
        self.out[self.every[:rows], n] = torch.where(done | end, self.out[self.every[:rows], n], chosen)
        self.ended[:rows] |= end & ~done
        n += (~done & ~end).long()
        done |= end | (n >= self.limit[:rows])
        self.token[:rows] = chosen

    def keep(self, groups: Tensor, rows: Tensor) -> None:
        self.length[: len(groups)] = self.length[groups]
        count = len(rows)
        for own in (self.token, self.n, self.limit, self.out, self.done, self.ended, self.likelihood):
            own[:count] = own[rows]
        self.done[count:] = True

    def saved(self) -> list[Tensor]:
        return [own.clone() for own in (self.token, self.n, self.done, self.ended, self.likelihood)]

    def restore(self, saved: Sequence[Tensor]) -> None:
        for own, before in zip(
            (self.token, self.n, self.done, self.ended, self.likelihood), saved, strict=True
        ):
            own.copy_(before)


class _Net:
    """The forward pass of a Llama or a Qwen2 over our caches."""

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
        angles = torch.outer(torch.arange(8192, device=device).float(), theta**-powers)
        both = torch.cat([angles, angles], -1)
        self._cos, self._sin = both.cos().to(kind), both.sin().to(kind)

    def merge(self, pairs: Any, scale: float) -> None:
        """Put what an adapter adds into the weights, in their places."""
        for number, layer in enumerate(self._layers):
            layer.merge({name: pairs[number, name] for name in _PARTS if (number, name) in pairs}, scale)

    def read(self, ids: Tensor, past: _Cache, start: int, last: Tensor) -> Tensor:
        """Read prompts, padded at their ends, into rows of a cache; the logits at their last tokens."""
        rows, width = ids.shape
        queries, groups = self.heads.queries, self.heads.groups
        x = embedding(ids, self._words)
        cos, sin = self._cos[None, None, :width], self._sin[None, None, :width]
        for number, layer in enumerate(self._layers):
            heads = linear(self._normed(x, layer.first), layer.qkv, layer.bias).view(
                rows, width, -1, self.size
            )
            q, k, v = heads.transpose(1, 2).split([queries, groups, groups], 1)  # type: ignore[no-untyped-call]
            q, k = _turned(q, cos, sin), _turned(k, cos, sin)
            for cache, new in zip(past.layer(number), (k, v), strict=True):
                cache[start * groups : (start + rows) * groups, :width] = new.reshape(-1, width, self.size)
            mixed = scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
            x = self._rest(x, mixed.transpose(1, 2).reshape(rows, width, -1), layer)
        at_last = x[torch.arange(rows, device=x.device), last]
        return linear(self._normed(at_last, self._norm), self._out)

    def step(self, state: _State, groups: int, count: int, past: _Cache, own: _Cache, width: int) -> Tensor:
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


def _chosen(logits: Tensor, heat: Tensor) -> Tensor:
    """One token a row, drawn at its temperature (Gumbel's way); the likeliest where that is zero."""
    noise = -torch.log(-torch.log(torch.rand_like(logits, dtype=torch.float32).clamp_(1e-9, 1 - 1e-7)))
    return (logits.float() + heat[:, None] * noise).argmax(-1)


def _rounded(width: int, unit: int) -> int:
    return -(-width // unit) * unit
