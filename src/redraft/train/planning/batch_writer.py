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
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import torch
from torch import Tensor
from torch.nn.functional import embedding, linear, rms_norm, scaled_dot_product_attention, silu

from redraft.models import (
    END,
    START,
    Completion,
    Heads,
    Lora,
    Message,
    Request,
    Usage,
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
_PROMPT, _ANSWER = 512, 128
"""Caches are read in multiples of so many tokens: few widths need few graphs."""
_LEAST: Final = {"cuda": 16, "cpu": 4}
"""So many prompts are answered at once, at the least."""
_REFILL: Final = 8
"""Prompts are read as soon as this part of the places is free."""
GRAPHS: Final = True
"""Whether a step is replayed as a CUDA graph on a GPU."""
_LONGEST: Final = 8192
"""Tokens of a prompt and its answer."""
_READ: Final = {"cuda": 32_768, "cpu": 4096}
"""Tokens of requests that are read at once."""

Ids = list[int]


def can_batch(base: Path) -> bool:
    """Whether a base is written with here: a GGUF that is built like a Llama, without biases."""
    return base.is_file() and read_frame(base).architecture == "llama"


class BatchWriter:
    """Writes with a Llama's GGUF and one adapter at a time."""

    def __init__(self, base: Path) -> None:
        self.spec = f"batch:{base.name}"
        loaded = load_gguf(base)
        self._tokenizer = loaded.tokenizer
        self._chat = chat_format(base)
        words = loaded.tokenizer.get_vocab()
        self._decoder = BatchDecoder(loaded.model, (words[END], words[START]))
        self._adapter: tuple[Path, int] | None = None

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


@dataclass(frozen=True, slots=True)
class _Asked:
    """Prompts, how long each answer may be, how many there are to each, and how they are drawn and ended."""

    prompts: Sequence[Ids]
    limits: Sequence[int]
    count: int
    temperature: float
    ends: Callable[[Ids], bool] | None


class BatchDecoder:
    """Goes on with rows of tokens, with a Llama of transformers' whose weights it takes over."""

    def __init__(self, model: Any, ends: tuple[int, int]) -> None:
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._ends = ends
        kind = torch.bfloat16 if self._device == "cuda" else torch.float32
        self._net = _Net(model, self._device, kind)
        requests, answers = ROOM[self._device]
        self._past = _Cache(self._net, requests)
        self._own = _Cache(self._net, answers)
        self._graphs: dict[tuple[int, ...], Any] = {}
        self._pool: Any = None
        self._state = _State(ROWS[self._device], self._device)

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
        asked = _Asked(prompts, limits, count, temperature, ends)
        for queue in self._queues(asked):
            for place, own in self._run(queue, asked):
                found[place] = own
        return found

    def _queues(self, asked: _Asked) -> Iterator[list[int]]:
        """The places of the prompts that fit, those of one width together."""
        by_width: dict[int, list[int]] = {}
        for place, prompt in enumerate(asked.prompts):
            width, limit = _rounded(len(prompt), _PROMPT), asked.limits[place]
            if len(prompt) + limit <= _LONGEST and self._most(asked.count, width, _rounded(limit, _ANSWER)):
                by_width.setdefault(width, []).append(place)
        yield from by_width.values()

    def _most(self, count: int, width: int, limit: int) -> int:
        """How many prompts are answered at once."""
        room, own = ROOM[self._device]
        return min(ROWS[self._device] // count, room // width, own // (count * limit))

    @torch.inference_mode()
    def _run(self, queue: Sequence[int], asked: _Asked) -> Iterator[tuple[int, list[Written]]]:
        """The answers to prompts of one width, as they end; the next prompt takes the place of what ended."""
        count, state, waiting = asked.count, self._state, list(queue)
        width = _rounded(max(len(asked.prompts[place]) for place in queue), _PROMPT)
        longest = _rounded(max(asked.limits[place] for place in queue), _ANSWER)
        most = self._most(count, width, longest)
        size = self._size(most, len(waiting))
        self._past.shape(size, width)
        self._own.shape(size * count, longest)
        state.begin(asked.temperature)
        places: list[int | None] = [None] * size  # which prompt each group of rows answers
        while True:
            free = [group for group, place in enumerate(places) if place is None]
            going = len(places) - len(free)
            if waiting and (not going or len(free) >= min(len(waiting), size // _REFILL)):
                taken, waiting = waiting[: len(free)], waiting[len(free) :]
                self._begin(free[: len(taken)], taken, asked, width)
                for group, place in zip(free, taken, strict=False):
                    places[group] = place
            elif not waiting:
                if not going:
                    return
                smaller = self._size(most, going)
                if smaller < len(places):
                    left = [group for group, place in enumerate(places) if place is not None]
                    self._keep(left, count)
                    places = [*(places[group] for group in left), *([None] * (smaller - going))]
            self._steps(len(places), count, width, min(_rounded(state.furthest() + _STEPS, _ANSWER), longest))
            if asked.ends is not None:
                self._stop_at(len(places) * count, asked.ends)
            over = state.done[: len(places) * count].view(-1, count).all(1).tolist()
            ended = [group for group, place in enumerate(places) if place is not None and over[group]]
            for group, own in zip(ended, self._collected(ended, count), strict=True):
                yield cast("int", places[group]), own
                places[group] = None

    def _size(self, most: int, needed: int) -> int:
        """Few sizes need few graphs: the most, or half of it, and so on; rows that nobody needs are done."""
        found = most
        while found // 2 >= max(needed, _LEAST[self._device]):
            found //= 2
        return found

    def _begin(self, groups: Sequence[int], places: Sequence[int], asked: _Asked, width: int) -> None:
        """Read prompts, and take the first token of each of their answers."""
        rows = self._rows(groups, asked.count)
        prompts = [asked.prompts[place] for place in places]
        limits = [asked.limits[place] for place in places]
        logits = self._read(prompts, torch.tensor(groups, device=self._device), width)
        self._state.start(torch.tensor(groups, device=self._device), rows, prompts, limits, asked.count)
        chosen = _chosen(logits.repeat_interleave(asked.count, 0), self._state.heat[rows])
        self._state.take_first(rows, chosen, self._ends)

    def _rows(self, groups: Sequence[int], count: int) -> Tensor:
        first = torch.tensor(groups, dtype=torch.long, device=self._device)[:, None] * count
        return (first + torch.arange(count, device=self._device)).flatten()

    def _collected(self, groups: Sequence[int], count: int) -> Iterator[list[Written]]:
        """The answers of groups that have ended."""
        if not groups:
            return
        state, rows = self._state, self._rows(groups, count)
        tokens, lengths, stopped = state.out[rows].cpu(), state.n[rows].tolist(), state.ended[rows].tolist()
        for first in range(0, len(lengths), count):
            yield [
                Written(tokens[row, : lengths[row]].tolist(), stopped[row])
                for row in range(first, first + count)
            ]

    def _keep(self, left: Sequence[int], count: int) -> None:
        """Move what is not done to the front."""
        groups, rows = torch.tensor(left, device=self._device), self._rows(left, count)
        self._past.keep(groups)
        self._own.keep(rows)
        self._state.keep(groups, rows)

    def _stop_at(self, rows: int, ends: Callable[[Ids], bool]) -> None:
        """End the rows that have written enough."""
        state = self._state
        going = (~state.done[:rows]).nonzero()[:, 0]
        tokens, lengths = state.out[going].cpu(), state.n[going].tolist()
        over = [ends(own[:n].tolist()) for own, n in zip(tokens, lengths, strict=True)]
        state.done[going] = torch.tensor(over, dtype=torch.bool, device=self._device)

    def _read(self, prompts: Sequence[Ids], groups: Tensor, width: int) -> Tensor:
        """Read prompts into these rows of their cache; the logits after each."""
        found = []
        size = max(1, _READ[self._device] // width)
        for start in range(0, len(prompts), size):
            part = prompts[start : start + size]
            ids = torch.zeros(len(part), width, dtype=torch.long)
            for row, prompt in enumerate(part):
                ids[row, : len(prompt)] = torch.tensor(prompt)
            last = torch.tensor([len(prompt) - 1 for prompt in part], device=self._device)
            own = groups[start : start + size]
            found.append(self._net.read(ids.to(self._device), self._past, own, last))
        return torch.cat(found)

    def _steps(self, groups: int, count: int, width: int, own: int) -> None:
        """Some more tokens for every row."""

        def step() -> None:
            logits = self._net.step(self._state, groups, count, self._past, self._own, own)
            rows = groups * count
            self._state.take(rows, _chosen(logits, self._state.heat[:rows]), self._ends)

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
        self.done = torch.ones(rows, dtype=torch.bool, device=device)
        self.ended = torch.zeros(rows, dtype=torch.bool, device=device)
        self.every = torch.arange(rows, device=device)
        self.slots = torch.arange(_LONGEST, device=device)

    def begin(self, temperature: float) -> None:
        """Nothing is written yet, and nothing asked for."""
        self.length.fill_(1)
        self.n.zero_()
        self.token.zero_()
        self.heat.fill_(temperature)
        self.done.fill_(True)

    def start(
        self, groups: Tensor, rows: Tensor, prompts: Sequence[Ids], limits: Sequence[int], count: int
    ) -> None:
        """Prompts for these groups, and rows that have written nothing yet."""
        device = self.n.device
        self.length[groups] = torch.tensor([len(prompt) for prompt in prompts], device=device)
        self.limit[rows] = torch.tensor(limits, device=device).clamp(max=2047).repeat_interleave(count)

    def take_first(self, rows: Tensor, chosen: Tensor, ends: tuple[int, int]) -> None:
        """The first token of these rows, which may end them."""
        end = (chosen == ends[0]) | (chosen == ends[1])
        self.out[rows, 0] = self.token[rows] = chosen
        self.n[rows] = (~end).long()
        self.ended[rows] = end
        self.done[rows] = end | (self.n[rows] >= self.limit[rows])

    def furthest(self) -> int:
        """The tokens of the longest answer that goes on."""
        return int(torch.where(self.done, 0, self.n).max())

    def take(self, rows: int, chosen: Tensor, ends: tuple[int, int]) -> None:
        """The next token of each row, which may end it."""
        n, done = self.n[:rows], self.done[:rows]
        end = (chosen == ends[0]) | (chosen == ends[1])
        self.out[self.every[:rows], n] = torch.where(done | end, self.out[self.every[:rows], n], chosen)
        self.ended[:rows] |= end & ~done
        n += (~done & ~end).long()
        done |= end | (n >= self.limit[:rows])
        self.token[:rows] = chosen

    def keep(self, groups: Tensor, rows: Tensor) -> None:
        self.length[: len(groups)] = self.length[groups]
        count = len(rows)
        for own in (self.token, self.n, self.limit, self.out, self.done, self.ended):
            own[:count] = own[rows]
        self.done[count:] = True

    def saved(self) -> list[Tensor]:
        return [own.clone() for own in (self.token, self.n, self.done, self.ended)]

    def restore(self, saved: Sequence[Tensor]) -> None:
        for own, before in zip((self.token, self.n, self.done, self.ended), saved, strict=True):
            own.copy_(before)


class _Net:
    """A Llama's forward pass over our caches."""

    def __init__(self, model: Any, device: str, kind: torch.dtype) -> None:
        config = model.config
        self.device, self.type = device, kind
        self.heads = Heads(config.num_attention_heads, config.num_key_value_heads)
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
        angles = torch.outer(torch.arange(_LONGEST, device=device).float(), theta**-powers)
        both = torch.cat([angles, angles], -1)
        self._cos, self._sin = both.cos().to(kind), both.sin().to(kind)

    def merge(self, pairs: Any, scale: float) -> None:
        """Put what an adapter adds into the weights, in their places."""
        for number, layer in enumerate(self._layers):
            layer.merge({name: pairs[number, name] for name in _PARTS if (number, name) in pairs}, scale)

    def read(self, ids: Tensor, past: _Cache, places: Tensor, last: Tensor) -> Tensor:
        """Read prompts, padded at their ends, into these rows of a cache; the logits at their last tokens."""
        rows, width = ids.shape
        queries, groups = self.heads.queries, self.heads.groups
        x = embedding(ids, self._words)
        cos, sin = self._cos[None, None, :width], self._sin[None, None, :width]
        lines = (places[:, None] * groups + torch.arange(groups, device=ids.device)).flatten()
        for number, layer in enumerate(self._layers):
            heads = linear(self._normed(x, layer.first), layer.qkv).view(rows, width, -1, self.size)
            q, k, v = heads.transpose(1, 2).split([queries, groups, groups], 1)  # type: ignore[no-untyped-call]
            q, k = _turned(q, cos, sin), _turned(k, cos, sin)
            for cache, new in zip(past.layer(number), (k, v), strict=True):
                cache[lines, :width] = new.reshape(-1, width, self.size)
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
            heads = linear(self._normed(x, layer.first), layer.qkv).view(rows, -1, self.size)
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
        self._plain = {name: weight.detach().float().to(device) for name, weight in parts.items()}
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
                plain = self._plain[name]
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
