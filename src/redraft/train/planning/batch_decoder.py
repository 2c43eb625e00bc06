"""Goes on with thousands of prompts at once, several times with each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

import torch
from torch import Tensor

from redraft.models import Heads, Lora
from redraft.train.planning.batch_net import Net
from redraft.train.planning.batch_state import LONGEST, Ids, State

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
_READ: Final = {"cuda": 32_768, "cpu": 4096}
"""Tokens of requests that are read at once."""


@dataclass(frozen=True, slots=True)
class Written:
    """The tokens of an answer, and whether it came to its end."""

    tokens: Ids
    stopped: bool
    likelihood: float = field(default=0.0, compare=False)
    """The mean log-probability of its tokens, the one that ended it among them."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """Prompts, how long each answer may be, how many there are to each, and how they are drawn and ended."""

    prompts: Sequence[Ids]
    limits: Sequence[int]
    count: int
    temperature: float
    ends: Callable[[Ids], bool] | None


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
        kind = torch.bfloat16 if self._device == "cuda" else torch.float32
        self._net = Net(model, self._device, kind)
        requests, answers = self._room
        self._past = self._net.cache(requests)
        self._own = self._net.cache(answers)
        self._graphs: dict[tuple[int, ...], Any] = {}
        self._pool: Any = None
        self._state = State(self._rows, self._device, ends)

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
            if len(prompt) + limit <= LONGEST and self._most(asked.count, width, _rounded(limit, _ANSWER)):
                by_width.setdefault(width, []).append(place)
        yield from by_width.values()

    def _most(self, count: int, width: int, limit: int) -> int:
        """How many prompts are answered at once."""
        room, own = self._room
        return min(self._rows // count, room // width, own // (count * limit))

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
        rows = self._rows_of(groups, asked.count)
        prompts = [asked.prompts[place] for place in places]
        limits = [asked.limits[place] for place in places]
        places_of = torch.tensor(groups, device=self._device)
        logits = self._read(prompts, places_of, width)
        self._state.start(places_of, rows, prompts, limits)
        self._state.take(rows, logits.repeat_interleave(asked.count, 0))

    def _rows_of(self, groups: Sequence[int], count: int) -> Tensor:
        first = torch.tensor(groups, dtype=torch.long, device=self._device)[:, None] * count
        return (first + torch.arange(count, device=self._device)).flatten()

    def _collected(self, groups: Sequence[int], count: int) -> Iterator[list[Written]]:
        """The answers of groups that have ended."""
        if not groups:
            return
        state, rows = self._state, self._rows_of(groups, count)
        parts = (state.n, state.ended, state.likelihood)
        all_of = zip(state.out[rows].cpu(), *(part[rows].tolist() for part in parts), strict=True)
        written = [
            Written(tokens[:n].tolist(), stopped, likely / max(1, n + stopped))
            for tokens, n, stopped, likely in all_of
        ]
        for first in range(0, len(written), count):
            yield written[first : first + count]

    def _keep(self, left: Sequence[int], count: int) -> None:
        """Move what is not done to the front."""
        groups, rows = torch.tensor(left, device=self._device), self._rows_of(left, count)
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
            self._state.take(slice(groups * count), logits)

        if self._device == "cpu":
            for _ in range(_STEPS):
                step()
            return
        key = (groups, count, width, self._own.width, own)
        if key not in self._graphs:
            self._graphs[key] = self._captured(step)
        for _ in range(_STEPS):
            self._graphs[key].replay()

    def _captured(self, step: Callable[[], None]) -> Any:
        """A step as a CUDA graph. The try before it changes but the last tokens: all rows are done then."""
        state = self._state
        token, done = state.token.clone(), state.done.clone()
        state.done.fill_(True)
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
        state.token.copy_(token)
        state.done.copy_(done)
        return graph


def _rounded(width: int, unit: int) -> int:
    return -(-width // unit) * unit
