"""An embedded model with an adapter merged into its weights, which answers many requests at once.

An edit is short, and a text asks for dozens of them. Read and written one after another they take several
times the processor time that they take together: on two cores 32 edits took 63 s in llama.cpp, 9 s here.
A larger model gains as much: most of its time goes into fetching its weights, once for all who ask.
"""

from __future__ import annotations

import functools
import math
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import ctranslate2
from jinja2 import Template
from jinja2.sandbox import ImmutableSandboxedEnvironment

from redraft.errors import ModelError
from redraft.models import weights
from redraft.models.base import Message, Request
from redraft.models.engines import CHATML, ENDS, START, Plain, Shared, give_back_memory
from redraft.models.gguf_file import Chat
from redraft.models.scoring import chat_tokens, load_generator
from redraft.models.tokenization import BytePairEncoding
from redraft.settings import Settings

ENGINE = f"ctranslate2 {ctranslate2.__version__}, in batches"
"""What computes, as a cached answer names it."""
_ENDS = (*ENDS, START)
"""A model that begins another message has ended its own."""
BATCH = 8
"""Requests written together by one thread, at most: with more of them a step takes as much longer. Sixteen
take a tenth less of the processor, and 100 MB more: what is remembered of a token takes 46 kB, twice over."""
BEAMS = 4
"""Answers that are followed at once where several are asked for."""
GATHER_SECONDS = 0.01
"""How long the first request waits for others that are asked at the same time."""
LOOK_SECONDS = 0.02
"""How often answers are looked for that are finished."""
MOST_ONCE = 200
"""Tokens of an answer that is not waited for in an event loop."""
REMEMBERED = 256
"""Likeliest answers that are remembered: who asks for several has often had that one."""


@dataclass(frozen=True, slots=True)
class Written:
    """The tokens of an answer, whether the model ended it, and its share of the seconds that a batch took."""

    tokens: tuple[str, ...]
    ended: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class _Asked:
    prompt: list[str]
    most: int
    several: bool
    cancelled: threading.Event
    found: Future[list[Written]]


@dataclass(frozen=True, slots=True)
class WriterConfig:
    """What a writer is made from; equal configurations share one.

    A larger model has a chat of its own; SmolLM2's is ours.
    """

    folder: Path
    threads: int = 0
    chat: Chat | None = None


class Writer:
    """One loaded model. What is asked while it works is answered together afterwards.

    Sums of whole numbers are exact, and each answer has its own: what stands beside it in a batch can change
    the last bits of the few other sums with some processors, and so, very rarely, a word.
    """

    def __init__(self, config: WriterConfig) -> None:
        self._generator, self.tokenizer = load_generator(
            config.folder, config.threads, together=config.chat is not None
        )
        self._chat = config.chat
        self._workers = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._waiting: list[_Asked] = []
        self._known: dict[tuple[tuple[str, ...], int], Written] = {}
        self._lock = threading.Lock()
        self._closing = threading.Event()

    def prompt(self, messages: Sequence[Message]) -> list[str]:
        """The tokens of a conversation, up to where the answer begins."""
        if self._chat is None:
            return chat_tokens(self.tokenizer, messages)
        return templated_tokens(self.tokenizer, self._chat, messages)

    def write(
        self, prompt: list[str], most: int, cancelled: threading.Event, *, several: bool = False
    ) -> Future[list[Written]]:
        """The likeliest answer, word by word; with `several` those of a wider search, the best first."""
        asked = _Asked(prompt, most, several, cancelled, Future())
        with self._lock:
            known = None if several else self._known.get((tuple(prompt), most))
            if known is not None:
                asked.found.set_result([known])
                return asked.found
            self._waiting.append(asked)
        self._workers.submit(self._work)
        return asked.found

    def yes(self, questions: Sequence[str]) -> list[float]:
        """How sure the model is of yes, of each question; those with one first line are read together.

        What their prompts have in common is read once, and the rest one by one: in a batch all would be read
        as far as the shortest goes, and then token by token.
        """
        sure: dict[str, float] = {}
        for first in dict.fromkeys(one.partition("\n")[0] for one in questions):
            own = [one for one in dict.fromkeys(questions) if one.partition("\n")[0] == first]
            prompts = [self.prompt([Message("user", one)]) for one in (f"{first}\nA", f"{first}\nB", *own)]
            alike = takewhile(lambda tokens: len(set(tokens)) == 1, zip(*prompts, strict=False))
            head = [token for token, *_ in alike]
            found = self._generator.generate_batch(
                [prompt[len(head) :] for prompt in prompts[2:]],
                static_prompt=head,
                max_batch_size=1,
                max_length=1,
                return_scores=True,
                include_prompt_in_result=False,
            )
            for one, answer in zip(own, found, strict=True):
                said = self.tokenizer.decode("".join(answer.sequences[0]))
                likely = math.exp(answer.scores[0])
                sure[one] = {"yes": likely, "no": 1 - likely}.get(said, 0.0)
        return [sure[one] for one in questions]

    def likely(self, prompt: Sequence[str], written: Written) -> tuple[float, ...]:
        """How likely each line of an answer is."""
        tokens = list(written.tokens)
        if not tokens:
            return ()
        (found,) = self._generator.score_batch([[*prompt, *tokens]], max_batch_size=1, max_input_length=0)
        lines = [0.0]
        for token, value in zip(tokens, found.log_probs[-len(tokens) :], strict=True):
            lines[-1] += value
            lines += [0.0] * self.tokenizer.decode(token).count("\n")
        return tuple(map(math.exp, lines))

    def text(self, written: Written) -> str:
        """An answer as text."""
        return self.tokenizer.decode("".join(written.tokens))

    def close(self) -> None:
        """End what is under way."""
        self._closing.set()
        self._workers.shutdown(wait=True, cancel_futures=True)

    def _work(self) -> None:
        """Answer all that waits."""
        if not self._waiting:
            return  # it was answered together with another
        time.sleep(GATHER_SECONDS)
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for several in (False, True):
            group = [one for one in waiting if one.several is several]
            if group:
                self._answer(group, several)
                give_back_memory()

    def _answer(self, group: list[_Asked], several: bool) -> None:
        """Answer requests, each as soon as its answer is there; what several ask is written once."""
        last = time.monotonic()
        alike: dict[tuple[tuple[str, ...], int], list[_Asked]] = {}
        for one in group:
            alike.setdefault((tuple(one.prompt), one.most), []).append(one)
        try:
            coming = list(zip(alike.values(), self._generate(list(alike.values()), several), strict=True))
            while coming:
                ready = [pair for pair in coming if pair[1].done()]
                coming = [pair for pair in coming if pair not in ready]
                seconds = (time.monotonic() - last) / max(len(ready), 1)
                last = time.monotonic() if ready else last
                for own, result in ready:
                    for place, one in enumerate(own):
                        self._give(one, result.result().sequences, 0.0 if place else seconds)
                time.sleep(LOOK_SECONDS if coming else 0)
        except Exception as error:  # whatever it is, those who wait must hear of it
            for one in group:
                if not one.found.done():
                    one.found.set_exception(ModelError(f"ctranslate2: {error}", provider="embedded"))

    def _give(self, one: _Asked, sequences: Sequence[Sequence[str]], seconds: float) -> None:
        if one.cancelled.is_set() or self._closing.is_set():
            one.found.set_exception(ModelError("the request was cancelled", provider="embedded"))
        else:
            found = [_written(tokens, one.most, seconds) for tokens in sequences]
            if not one.several:
                self._remember(one, replace(found[0], seconds=0.0))
            one.found.set_result(found)

    def _remember(self, one: _Asked, written: Written) -> None:
        with self._lock:
            self._known[tuple(one.prompt), one.most] = written
            if len(self._known) > REMEMBERED:
                del self._known[next(iter(self._known))]

    def _generate(self, groups: list[list[_Asked]], several: bool) -> list[Any]:
        """The answers to come, one for each group that asks the same."""

        def is_over(_: object) -> bool:
            return self._closing.is_set() or all(one.cancelled.is_set() for own in groups for one in own)

        each = math.ceil(len(groups) / self._generator.num_generators)  # none is idle while another has two
        search = {"beam_size": BEAMS, "num_hypotheses": BEAMS} if several else {"callback": is_over}
        found: list[Any] = self._generator.generate_batch(
            [own[0].prompt for own in groups],
            max_batch_size=min(each, BATCH // BEAMS if several else BATCH),
            max_length=max(own[0].most for own in groups) + 1,
            end_token=list(_ENDS),
            return_end_token=True,
            include_prompt_in_result=False,
            asynchronous=True,
            **search,
        )
        return found


def _written(tokens: Sequence[str], most: int, seconds: float) -> Written:
    ended = bool(tokens) and tokens[-1] in _ENDS
    own = tokens[:-1] if ended else tokens
    return Written(tuple(own[:most]), ended and len(own) <= most, seconds)


def templated_tokens(tokenizer: BytePairEncoding, chat: Chat, messages: Sequence[Message]) -> list[str]:
    """The tokens of a conversation in a model's own template; control tokens in its texts are text."""
    plain = Plain(chat.control, Request(tuple(messages)))
    said = [{"role": one.role, "content": plain(one.content)} for one in messages]
    whole = _template(chat.template or CHATML).render(messages=said, add_generation_prompt=True)
    tokens: list[str] = []
    for piece in plain.split(whole):
        if piece in chat.control:
            tokens.append(piece)
        else:
            tokens += tokenizer.encode(plain.undo(piece))
    return tokens


@functools.lru_cache(4)
def _template(source: str) -> Template:
    """A chat template as transformers reads it, which may compute and do nothing else."""
    return ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True).from_string(source)


_shared: Shared[WriterConfig, Writer] = Shared(Writer)
shared_writer = _shared.get
"""The writer of a configuration; it is loaded at the first request."""


def answer_once(adapter: Path, question: str, settings: Settings) -> tuple[str, tuple[float, ...]]:
    """The greedy answer of the embedded model with an adapter, and how likely each line of it is.

    For whoever has no event loop; of an answer that does not end the last line is left out.
    """
    root = settings.weights()
    folder = weights.ensure(weights.adapted_scoring(adapter), root)
    writer = shared_writer(WriterConfig(folder, settings.threads))
    prompt = writer.prompt([Message("user", question)])
    (written,) = writer.write(prompt, MOST_ONCE, threading.Event()).result()
    text, sure = writer.text(written), writer.likely(prompt, written)
    if written.ended:
        return text, sure
    whole = text.rpartition("\n")[0]
    return whole, sure[: whole.count("\n") + 1] if whole else ()
