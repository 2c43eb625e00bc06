"""The candidate pool: several systems, each of which simplifies every source in its own way.

A system is `engine` (the rules), `editor` (the embedded editor), `told` (the editor, told the policy), `both`
(the engine over what the editor wrote), `trained` (the adapter that was trained for the policy), or the spec
of a model that is told the policy's instruction and shown its examples. After it may stand a temperature
(`editor@0.5`, `openai:gpt-4o@1`), how often to draw at it (`trained@0.9x8`: eight systems, `trained@0.9#1` to
`#8`), and `#zero` for a model that is shown no examples. The first five take another policy than the pool's,
`engine:rewrite`: it shows a judge what the pool's is not.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Final

from redraft.addresses import take_login
from redraft.editor import ADAPTER, editor_messages, overlap, room
from redraft.errors import FATAL, InputError, ModelError, RedraftError
from redraft.metrics import levenshtein
from redraft.models import Message, Models, Request, Usage, run_all
from redraft.settings import Settings
from redraft.simplification.engine import Engine
from redraft.simplification.policy import Policy
from redraft.simplification.policy_files import load_policy, policy_names
from redraft.simplification.simplifiers import adapter_hash, messages, simplified, trained_adapter
from redraft.simplification.verdicts import Candidate
from redraft.text import Document

_OWN: Final = ("engine", "editor", "told", "both", "trained")
_MODELS: Final = ("embedded", "torch")
"""Specs of models that are one word."""
OFFLINE: Final = ("engine", "editor", "editor@0.7", "both@0.7")
"""Systems that differ, cost little, need neither a key nor a network, and are preferred about as often."""
_ZERO: Final = "#zero"
_TEMPERATURE: Final = re.compile(r"@(\d(?:\.\d+)?)(?:x(\d+)|#(\d+))?$")
_MOST_DRAWS: Final = 64
_WHOLE: Final = "Rewrite this in simple English"
_WORDS: Final = "Paraphrase this sentence"
"""What the editor is asked for where a policy lets sentences be split, and where not.

Asked for anything simple it splits nine sentences of ten; asked to paraphrase it replaces words alone.
"""

_Simplify = Callable[[str, int], Awaitable[tuple[str, Usage]]]
"""A source and a seed in, the simplification out, and what it took."""


@dataclass(frozen=True, slots=True)
class PoolSystem:
    """A member of a pool, as its spec has it."""

    spec: str
    name: str
    """Of a system of ours, or the spec of a model."""
    policy: str | None = None
    """Another than that of the pool."""
    temperature: float = 0.0
    examples: bool = True
    draws: int = 1
    """How often it is asked, each time with another seed."""

    @classmethod
    def of(cls, spec: str) -> PoolSystem:
        """Read a spec; an option that the system has no use for is an error."""
        spec = take_login(spec)
        name = spec.removesuffix(_ZERO)
        if name.startswith(("http:", "https:")) and "#" not in name:
            name = spec  # the model at this address is called zero
        examples = name == spec
        temperature, draws = 0.0, 1
        if found := _TEMPERATURE.search(name):
            temperature, draws, name = float(found[1]), int(found[2] or 1), name[: found.start()]
            if temperature > 2:
                raise InputError(f"{spec}: a temperature is at most 2")
            if not 1 <= draws <= _MOST_DRAWS or (found[2] and not temperature):
                raise InputError(
                    f"{spec}: draw 1 to {_MOST_DRAWS} times, at a temperature above 0 (at 0 all are alike)"
                )
        own, colon, policy = name.partition(":")
        if policy not in ("", *policy_names()) if own in _OWN else not colon and name not in _MODELS:
            raise InputError(
                f"{spec!r} names no system: a pool takes {', '.join(_OWN)}, these with another policy, as in "
                f"engine:{policy_names()[0]}, or a model, as in openai:gpt-4o@1"
            )
        if own not in _OWN:
            return cls(spec, name, None, temperature, examples, draws)
        if not examples:
            raise InputError(f"{spec}: only a model is shown examples; leave {_ZERO} out")
        if own == "engine" and temperature:
            raise InputError(f"{spec}: the engine has no temperature")
        return cls(spec, own, policy or None, temperature, draws=draws)

    def each(self) -> tuple[PoolSystem, ...]:
        """The system as often as it is drawn, each under a spec of its own."""
        if self.draws == 1:
            return (self,)
        name, _, rest = self.spec.rpartition(f"x{self.draws}")
        specs = (f"{name}#{number}{rest}" for number in range(1, self.draws + 1))
        return tuple(replace(self, spec=spec, draws=1) for spec in specs)


@dataclass(frozen=True)
class PoolResult:
    """The candidates for one source, why a system gave none, and what all took."""

    candidates: tuple[Candidate, ...]
    failed: Mapping[str, str] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    again: str | None = None
    """Why another try may give more: what failed for the moment only."""


@dataclass(frozen=True)
class Pool:
    """Systems that are open, by their specs."""

    systems: Mapping[str, _Simplify]
    seed: int

    async def candidates(self, source: str) -> PoolResult:
        """What each system makes of a source, in the order of the pool.

        A system that fails for this source is left out, and named; what would fail for all is raised.
        """
        found: dict[str, tuple[str, Usage]] = {}
        failed: dict[str, str] = {}
        again: list[str] = []

        async def ask(spec: str, simplify: _Simplify) -> None:
            try:
                found[spec] = await simplify(source, _seed(self.seed, spec, source))
            except FATAL:
                raise
            except RedraftError as error:
                failed[spec] = f"{type(error).__name__}: {error}"
                if isinstance(error, ModelError) and error.retryable:
                    again.append(f"{spec}: {failed[spec]}")

        await run_all(ask(spec, simplify) for spec, simplify in self.systems.items())
        return PoolResult(
            tuple(Candidate(found[spec][0], spec) for spec in self.systems if spec in found),
            {spec: failed[spec] for spec in self.systems if spec in failed},
            sum((usage for _, usage in found.values()), Usage()),
            min(again, default=None),
        )


def read_systems(specs: Sequence[str]) -> tuple[PoolSystem, ...]:
    """The systems that the specs name; a pool has two at least, and none of them twice."""
    systems = tuple(one for spec in specs for one in PoolSystem.of(spec).each())
    specs = [system.spec for system in systems]
    for number, spec in enumerate(specs):
        if spec in specs[:number]:
            raise InputError(f"the system {spec} is named twice: give one of them another temperature")
    if len(systems) < 2:
        raise InputError("a pool needs two systems at least: name another with --system")
    return systems


@dataclass(frozen=True, slots=True)
class Own:
    """What our own systems write with."""

    model: str = "embedded"
    """The embedded weights in llama.cpp, or with `torch` in batches on a GPU."""
    adapter: str | None = None
    """The .gguf that `trained` is, in the place of the one that was added for the policy."""

    def trained(self, policy: Policy, settings: Settings) -> str:
        """The adapter of the policy."""
        return self.adapter or trained_adapter(policy, settings)


def open_pool(
    specs: Sequence[str], models: Models, policy: Policy, seed: int = 0, own: Own | None = None
) -> Pool:
    """Open the systems; the models stay their owner's."""
    own = own or Own()
    return Pool({system.spec: _open(system, models, policy, own) for system in read_systems(specs)}, seed)


def trained_adapters(
    specs: Sequence[str], policy: Policy, settings: Settings, own: Own | None = None
) -> dict[str, str]:
    """The adapters of `trained` systems, each with its hash: every round of training adds another."""
    own = own or Own()
    trained = [system for system in map(PoolSystem.of, specs) if system.name == "trained"]
    policies = (load_policy(system.policy) if system.policy else policy for system in trained)
    names = dict.fromkeys(own.trained(one, settings) for one in policies)
    return {Path(name).name: adapter_hash(name, settings) for name in names}


def _open(system: PoolSystem, models: Models, policy: Policy, own: Own) -> _Simplify:
    policy = load_policy(system.policy) if system.policy else policy
    if system.name == "engine":
        return _rules(models, policy)
    ask = _asking(system, models, policy, own)
    if system.name != "both":
        return ask
    simplify = _rules(models, policy)

    async def by_both(source: str, seed: int) -> tuple[str, Usage]:
        text, usage = await ask(source, seed)
        return (await simplify(text, seed))[0], usage

    return by_both


def _rules(models: Models, policy: Policy) -> _Simplify:
    engine = Engine(models.scorer(), models.embedder(), policy)

    async def by_rules(source: str, seed: int) -> tuple[str, Usage]:
        text, at = "", 0
        for sentence in Document(source, "text").sentences:
            text += source[at : sentence.start] + (await engine.simplify(sentence.text)).text
            at = sentence.end
        return text + source[at:], Usage()

    return by_rules


def _asking(system: PoolSystem, models: Models, policy: Policy, own: Own) -> _Simplify:
    """A model that is told the policy, or one of the embedded model's adapters."""
    adapter = None
    prompt: Callable[[str], tuple[Message, ...]] = partial(messages, policy, examples=system.examples)
    if system.name in ("editor", "both"):
        adapter = ADAPTER
        prompt = partial(editor_messages, _WHOLE if policy.allows("split") else _WORDS)
    elif system.name in ("told", "trained"):
        adapter = ADAPTER if system.name == "told" else own.trained(policy, models.settings)
        prompt = partial(messages, policy)
    model = models.open(own.model if adapter else system.name, role="reviser")

    async def ask(source: str, seed: int) -> tuple[str, Usage]:
        request = Request(
            prompt(source),
            max_tokens=room(source),
            temperature=system.temperature,
            seed=seed,
            adapter=adapter,
        )
        return await simplified(model, request, source)

    return ask


def _seed(seed: int, spec: str, source: str) -> int:
    """The same for the same source and system, whatever else is in the pool."""
    return int.from_bytes(hashlib.sha256(f"{seed}\0{spec}\0{source}".encode()).digest()[:4]) % 2**31


@dataclass(frozen=True, slots=True)
class Habits:
    """What one system does to a source, on average."""

    candidates: int
    copies: float
    """The share of its candidates that are the source itself."""
    words: float
    """Words of the candidate over words of the source."""
    compression: float
    """The same in characters, as EASSE reports it."""
    levenshtein: float
    """How alike candidate and source are: 1 less the characters to change over those of the longer."""


@dataclass(frozen=True, slots=True)
class Diversity:
    """What a pool has to choose from."""

    sources: int
    distinct: float
    """The mean share of a source's candidates that no other repeats; 1 where all differ."""
    alike: float
    """The share of sources whose candidates are all one text."""
    copies: float
    dissimilarity: float
    """The mean of 1 less the overlap (words, pairs of words, 4-grams) of any two candidates of a source."""
    systems: dict[str, Habits]


def plain(text: str) -> str:
    """What makes a text the same as another: case and spaces do not count."""
    return " ".join(text.lower().split())


def diversity(pools: Iterable[tuple[str, Sequence[Candidate]]]) -> Diversity:
    """Measure what systems made of sources; those without two candidates say nothing of the pool."""
    distinct: list[float] = []
    alike: list[float] = []
    apart: list[float] = []
    pairs: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for source, candidates in pools:
        texts = [candidate.text for candidate in candidates]
        for candidate in candidates:
            pairs[candidate.by].append((source, candidate.text))
        if len(texts) > 1:
            different = len(set(map(plain, texts)))
            distinct.append(different / len(texts))
            alike.append(float(different == 1))
            apart.append(1 - float(overlap(texts, [1] * len(texts)).mean()))
    every = [pair for found in pairs.values() for pair in found]
    return Diversity(
        sources=len(distinct),
        distinct=_mean(distinct),
        alike=_mean(alike),
        copies=_mean([float(plain(one) == plain(other)) for one, other in every]),
        dissimilarity=_mean(apart),
        systems={name: _habits(found) for name, found in sorted(pairs.items())},
    )


def _habits(pairs: Sequence[tuple[str, str]]) -> Habits:
    return Habits(
        candidates=len(pairs),
        copies=_mean([float(plain(source) == plain(text)) for source, text in pairs]),
        words=_mean([len(text.split()) / max(1, len(source.split())) for source, text in pairs]),
        compression=_mean([len(text) / max(1, len(source)) for source, text in pairs]),
        levenshtein=_mean(
            [1 - levenshtein(source, text) / max(len(source), len(text), 1) for source, text in pairs]
        ),
    )


def _mean(values: Sequence[float]) -> float:
    return round(fmean(values), 4) if values else 0.0
