"""What models in this process share: chat templates, threads, a bounded context, and engines."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import os
import re
import threading
import time
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Generic, ParamSpec, Protocol, TypeVar

from redraft.errors import ContextOverflow
from redraft.models.base import Request

SMOLLM2 = (
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
    "{{ '<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>"
    "\n' }}{% endif %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
"""The template in the files of SmolLM2."""

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""The same less the system message that it puts before a conversation that has none.

With that the model answers worse ("What is the capital of France?": "L'Étoile, la Cité, …").
"""

START, END = "<|im_start|>", "<|im_end|>"
"""The control tokens around a message."""
ENDS = (END, "<|endoftext|>")
"""Those after which llama.cpp, too, takes an answer as finished, whatever else a model's config names."""

MARKS = (0x2060, *range(0xE000, 0xF900))
"""Code points that split a control token in a text: the word joiner, else one for private use."""


SAMPLE_SECONDS = 0.1


def thread_count(wanted: int) -> int:
    """`wanted`, or for 0 as many as there are cores that no other process uses now, and at least one.

    The number changes how long an answer takes, and never the answer: no sum is shared out among threads.

    It is for threads that wait for one another several times a layer, as llama.cpp's do: with one more than
    there are free cores, generation was seen to fall from 70 tokens a second to 2, where one less costs half.
    Threads that work side by side, each on a text of its own, lose nothing: `core_count` is for these.
    """
    if wanted:
        return wanted
    cores = core_count()
    return max(1, min(cores, round(cores * _idle_share())))


@functools.cache
def save_memory() -> None:
    """Have the C library keep no freed memory for each thread; nothing where it is another than glibc."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_MOST_ARENAS, 1)


def give_back_memory() -> None:
    """Have the C library return what is free: the distributions of one batch are not the room of the next."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


_MOST_ARENAS = -8
"""M_ARENA_MAX, as malloc.h has it."""


def core_count() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory_mb() -> int:
    """The memory of this machine, or what a container leaves of it; 0 where it cannot be known."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 0
    try:
        limit = int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii"))
    except (OSError, ValueError):  # there is none, or it says `max`
        limit = whole
    return min(whole, limit) // 1_000_000


def _idle_share() -> float:
    """The share of processor time that no other process used in a short moment; 1 where it cannot be known.

    What this process uses is free: it is loading another model at the same time, say.
    """
    before, own = _processor_times(), time.process_time()
    if before is None:
        return 1.0
    time.sleep(SAMPLE_SECONDS)
    after, own = _processor_times(), time.process_time() - own
    if after is None or after[1] <= before[1]:
        return 1.0
    return min(1.0, (after[0] - before[0] + own * os.sysconf("SC_CLK_TCK")) / (after[1] - before[1]))


def _processor_times() -> tuple[int, int] | None:
    """Idle and total ticks since boot, as Linux counts them."""
    try:
        first = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0]
        ticks = [int(field) for field in first.split()[1:9]]
    except (OSError, ValueError, IndexError):
        return None
    return ticks[3] + ticks[4], sum(ticks)


def check_context(prompt: int, max_tokens: int, context: int, spec: str) -> None:
    """Raise where a request does not fit the context of a model in this process."""
    if prompt + max_tokens > context:
        raise ContextOverflow(
            f"the request has {prompt} tokens and asks for up to {max_tokens} more, "
            f"but {spec} has a context of {context}",
            provider=spec.partition(":")[0],
            hint="shorten the text, ask for fewer tokens, or raise the setting context",
        )


class Plain:
    """Makes control tokens in what people wrote plain text: a mark inside each, which the answer loses again.

    llama.cpp looks for control tokens once a conversation is one string, and would take these for its own.
    """

    def __init__(self, control: Iterable[str], request: Request) -> None:
        texts = [*(message.content for message in request.messages), *request.stop]
        self._pattern = _any_of(tuple(control))
        self.mark = ""
        if any(self._pattern.search(text) for text in texts):
            self.mark = next(chr(code) for code in MARKS if not any(chr(code) in text for text in texts))

    def __call__(self, text: str) -> str:
        """The text without control tokens."""
        while self.mark and self._pattern.search(text):  # again, for one that overlaps with another
            text = self._pattern.sub(lambda found: found[0][0] + self.mark + found[0][1:], text)
        return text

    def split(self, text: str) -> list[str]:
        """A conversation cut before and after its own control tokens, which are pieces by themselves."""
        return re.split(f"({self._pattern.pattern})", text)

    def undo(self, text: str) -> str:
        """An answer without marks."""
        return text.replace(self.mark, "") if self.mark else text


@functools.lru_cache(maxsize=16)
def _any_of(control: tuple[str, ...]) -> re.Pattern[str]:
    # A token of one character cannot be split; no model has one that delimits anything.
    tokens = sorted({token for token in control if len(token) > 1}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, tokens)) or r"(?!)")


P = ParamSpec("P")
T = TypeVar("T")


def loaded_once(count: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep what a function loaded, the latest `count`; two threads that ask for it at once load it once."""

    def keep(load: Callable[P, T]) -> Callable[P, T]:
        loading = threading.Lock()
        kept: Callable[..., T] = functools.lru_cache(maxsize=count)(load)

        @functools.wraps(load)
        def loaded(*args: P.args, **kwargs: P.kwargs) -> T:
            with loading:
                return kept(*args, **kwargs)

        return loaded

    return keep


class Closes(Protocol):
    """What can be closed."""

    def close(self) -> None:
        """Stop what is running and free what is held."""


C = TypeVar("C", bound=Hashable)
E = TypeVar("E", bound=Closes)


class Shared(Generic[C, E]):
    """The engines by configuration.

    They are closed before the interpreter goes: one that still computes then ends the process with a fault.
    """

    def __init__(self, load: Callable[[C], E]) -> None:
        self._load = load
        self._engines: dict[C, E] = {}
        self._opening = threading.Lock()
        atexit.register(self.close)

    def get(self, config: C) -> E:
        """The engine for a configuration."""
        with self._opening:
            if config not in self._engines:
                self._engines[config] = self._load(config)
            return self._engines[config]

    def close(self) -> None:
        """Free every engine."""
        with self._opening:
            for engine in self._engines.values():
                engine.close()
            self._engines.clear()
