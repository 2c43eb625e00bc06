"""A judge that is a model: shown candidates with their alignments and parses, asked for best and worst."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from redraft.errors import InputError
from redraft.judge import Answer, Choice, Note, Question, ask_judge, escape_tags, short_hash, wrap_in_tags
from redraft.models import Model, Prompts, Usage
from redraft.simplification.judge_examples import LABELS
from redraft.simplification.judging.alignment import Aligner, Alignment, Link, words_to_align
from redraft.simplification.judging.trees import Parser
from redraft.simplification.policy import ASPECTS, Aspect, JudgedExample, Policy, Principle
from redraft.simplification.policy_files import our_judged_examples
from redraft.simplification.verdicts import Judge, Judged, Verdict, merged
from redraft.text import Document

prompt = Prompts(__package__)

MAX_TOKENS = 2048
MAX_TOKENS_THINKING = 16384
"""Room for an answer, and for what is thought before it."""

_ANALYSED: tuple[Aspect, ...] = ("lexical", "structural")


@dataclass(frozen=True)
class ModelJudge(Judge):
    """Asks a model about all aspects at once, in a fresh order of the candidates each round.

    With thinking, answers are drawn as Qwen3's makers advise (temperature 0.6, top-p 0.95, top-k
    20), else greedily; `Judged.thought` says in how many rounds it did think.
    Rounds after the first are drawn with other seeds; a round without a valid answer does not count.
    """

    model: Model
    aligner: Aligner
    parser: Parser
    thinking: bool | None = None
    rounds: int = 1
    seed: int = 0
    examples: tuple[JudgedExample, ...] | None = None
    """Of the policy, for judges; ours where there are none."""

    @cached_property
    def name(self) -> str:
        """Who judges, and how; `prompt` is a hash of the wording, examples and all, without the policy."""
        think = {None: "as it likes", True: "yes", False: "no"}[self.thinking]
        wording = short_hash(prompt.template("judge"), prompt.template("request"), self._examples)
        drawn = f"thinking:{think}|rounds:{self.rounds}|seed:{self.seed}|parser:{self.parser.name}"
        return f"{self.model.spec}|{drawn}|prompt:{wording}"

    @cached_property
    def _examples(self) -> str:
        examples = our_judged_examples() if self.examples is None else self.examples
        return prompt("examples", examples="\n\n".join(map(show_example, examples))) if examples else ""

    async def _compare(
        self, source: str, candidates: Sequence[str], places: Sequence[int], policy: Policy
    ) -> Judged:
        """The verdicts of all rounds together, with each."""
        if len(places) > len(LABELS):
            raise InputError(f"{len(places)} candidates cannot be judged at once: give at most {len(LABELS)}")
        evidence = await self._evidence(source, candidates, places)
        answers = [
            await self._round(number, source, candidates, places, evidence, policy)
            for number in range(self.rounds)
        ]
        return self._judged(answers, len(candidates))

    async def _evidence(
        self, source: str, candidates: Sequence[str], places: Sequence[int]
    ) -> Mapping[int, tuple[str, str]]:
        """The alignment and the parse of each candidate; those of the source are at -1."""
        texts = [candidates[place] for place in places]
        aligned = await self.aligner.align([(source, text) for text in texts])
        alignments = ["", *(alignment.shown() for alignment in aligned)]
        parses = [await self._parses(text) for text in (source, *texts)]
        return dict(zip((-1, *places), zip(alignments, parses, strict=True), strict=True))

    async def _parses(self, text: str) -> str:
        parsed = await self.parser.parse([sentence.text for sentence in Document(text).sentences])
        return "\n".join("(no parse)" if found.tree is None else found.tree.brackets() for found in parsed)

    async def _round(
        self,
        number: int,
        source: str,
        candidates: Sequence[str],
        places: Sequence[int],
        evidence: Mapping[int, tuple[str, str]],
        policy: Policy,
    ) -> tuple[tuple[int, ...], Answer]:
        """The order in which the candidates were shown, and the answer."""
        order = list(places)
        random.Random(f"{self.seed}\0{number}\0{source}").shuffle(order)
        question = _question(source, candidates, order, evidence, policy, self._examples)
        request = question.request(
            seed=self.seed + number,
            temperature=0.6 if self.thinking else 0.0,
            top_p=0.95 if self.thinking else 1.0,
            top_k=20 if self.thinking else 0,
            max_tokens=MAX_TOKENS_THINKING if self.thinking else MAX_TOKENS,
            thinking=self.thinking,
        )
        return tuple(order), await ask_judge(self.model, question, request)

    def _judged(self, answers: Sequence[tuple[tuple[int, ...], Answer]], count: int) -> Judged:
        raw = tuple(text for _, answer in answers for text in answer.raw)
        usage = sum((answer.usage for _, answer in answers), Usage())
        thought = fmean(answer.thought for _, answer in answers) if self.thinking else None
        found = [_verdicts(order, answer, count) for order, answer in answers if answer.error is None]
        if not found:
            error = answers[-1][1].error
            return Judged(self.name, raw=raw, usage=usage, error=error, thought=thought)
        verdicts, agreement = merged(found)
        rounds = tuple(found) if self.rounds > 1 else ()
        return Judged(self.name, verdicts, agreement, rounds, raw, usage, thought=thought)


def _question(
    source: str,
    candidates: Sequence[str],
    order: Sequence[int],
    evidence: Mapping[int, tuple[str, str]],
    policy: Policy,
    examples: str,
) -> Question:
    labels = LABELS[: len(order)]
    shown = list(zip(labels, order, strict=True))
    blocks = [wrap_in_tags("source", source)]
    blocks += (wrap_in_tags(f"candidate_{label}", candidates[place]) for label, place in shown)
    blocks += (wrap_in_tags(f"alignment_{label}", evidence[place][0]) for label, place in shown)
    blocks.append(wrap_in_tags("parse_source", evidence[-1][1]))
    blocks += (wrap_in_tags(f"parse_{label}", evidence[place][1]) for label, place in shown)
    parts = _parts(labels)
    keys = ", ".join(part.name for part in parts)
    system = prompt(
        "judge",
        instruction=wrap_in_tags("instruction", policy.instruction),
        operations=", ".join(sorted(policy.operations)),
        principles=wrap_in_tags("principles", _principles(policy)),
        examples=examples,
    ).rstrip()
    user = prompt("request", material="\n\n".join(blocks), keys=keys)
    return Question(system, user, parts, "\n".join((prompt.template("request"), keys)))


def show_example(example: JudgedExample) -> str:
    """An example as a judge sees it: the texts, their alignments and parses, and the answer."""
    labelled = list(zip(LABELS, example.candidates, strict=False))
    lines = [f"Source: {example.source}", *(f"{label}: {one.text}" for label, one in labelled)]
    words = words_to_align(example.source)
    for label, one in labelled:
        if one.links:
            links = tuple(Link(source, target, 1.0) for source, target in one.links)
            alignment = Alignment(words, words_to_align(one.text), links)
            lines.append(f"Alignment {label}:\n{alignment.shown()}")
    texts = [("source", example.parses), *((label, one.parses) for label, one in labelled)]
    lines += ("\n".join((f"Parse {name}:", *parses)) for name, parses in texts if parses)
    answer: dict[str, str] = {}
    for aspect, best, worst in example.verdicts:
        if aspect in _ANALYSED:
            answer |= {f"{aspect}_analysis_{label}": getattr(one, aspect) for label, one in labelled}
        answer |= {f"{aspect}_best": LABELS[best], f"{aspect}_worst": LABELS[worst]}
    return escape_tags("\n".join((*lines, json.dumps(answer, ensure_ascii=False))))


def _parts(labels: str) -> tuple[Choice | Note, ...]:
    parts: list[Choice | Note] = []
    for aspect in ASPECTS:
        if aspect in _ANALYSED:
            parts += (Note(f"{aspect}_analysis_{label}") for label in labels)
        best, worst = f"{aspect}_best", f"{aspect}_worst"
        parts += (Choice(best, tuple(labels)), Choice(worst, tuple(labels), unlike=best))
    return tuple(parts)


def _principles(policy: Policy) -> str:
    return "\n".join(
        "\n".join([f"{aspect}:", *(f"- {escape_tags(one.says)} ({reward(one)})" for one in principles)])
        for aspect, principles in policy.principles
        if principles
    )


def reward(principle: Principle) -> str:
    """The points of a principle in words."""
    size = "high" if abs(principle.points) >= 2 else "moderate" if abs(principle.points) >= 1 else "light"
    return f"{size} {'reward' if principle.points > 0 else 'penalty'}"


def _verdicts(order: Sequence[int], answer: Answer, count: int) -> dict[Aspect, Verdict]:
    """The answer with places for labels, and nothing notes of candidates that were not shown."""
    found: dict[Aspect, Verdict] = {}
    places = dict(zip(LABELS, order, strict=False))
    for aspect in ASPECTS:
        notes = [""] * count
        for label, place in places.items():
            notes[place] = answer.notes.get(f"{aspect}_analysis_{label}", "")
        best, worst = (places[str(answer.marks[f"{aspect}_{which}"])] for which in ("best", "worst"))
        found[aspect] = Verdict(aspect, best, worst, tuple(notes) if any(notes) else ())
    return found
