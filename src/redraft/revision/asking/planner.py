"""The planner: asks a model for a thought, calls of tools, and advice on each sentence.

A planner that was trained for it is asked in a brief form, which training uses too, so that the two cannot
drift apart.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Final

from redraft.constraints import all_kinds, read_call
from redraft.errors import ContextOverflow
from redraft.models import Completion, Message, Model, Request, is_trained, known_adapters
from redraft.revision.asking.answers import TOOLS, PlanAnswer, read_plan, whole_lines
from redraft.revision.asking.requests import (
    ROOM,
    TOKENS,
    Past,
    each_section,
    history_text,
    messages,
    numbered,
    part,
    prompt,
    request_text,
    sections,
    shown,
)
from redraft.revision.records import Action, Improvement
from redraft.text import Document, Format

PLANNER: Final = "planner"
"""The adapter that is trained for this form."""
BRIEF_ROOM: Final = 2400
"""Characters of text that one request works on."""
PAST_TOKENS: Final = 240
"""Tokens that what was done before may take."""
NOTHING: Final = "none"
Fallback = Callable[[str], Action]
"""From the text as it is now to the plan of the rules."""
TEMPERATURE = 0.7
_AGAIN = "Revise the following text."
_CALLS = 256
"""Tokens that a thought and calls take at most."""
MOST_LEARNT: Final = 3
"""Constraints that a request has at the most in training."""
_MOST_READ: Final = 12
"""Sentences of a request that are read alone."""
_EXAMPLE: Final = ("planner_example", "planner_answer")
_UNCHECKED: Final = frozenset(f"{name}()" for name in TOOLS)
_FLAGS: Final = frozenset({"less than", "more than", "equal", "keep", "remove", "change", "unchange"})


def is_trained_planner(spec: str, weights: Path) -> bool:
    """Whether a model has learnt to plan: the embedded one with its adapter, or what a training left."""
    if spec in ("embedded", "torch"):
        return PLANNER in known_adapters(weights)
    return is_trained(spec)


class ModelPlanner:
    """Plans with a model; where its answer cannot be used, the fallback plans.

    A planner that was trained for it is asked by its `brief` form, with its adapter; any other model is told
    at length what a plan is, in up to `past_tokens` what was done before, and asked once more where its
    answer is none. Calls speak of the original; `most_sentences` says how many it has.
    """

    def __init__(
        self,
        model: Model,
        fallback: Fallback,
        *,
        format: Format = "text",
        room: int | None = None,
        brief: bool = False,
        past_tokens: int = TOKENS,
        most_sentences: int | None = None,
    ) -> None:
        self._model = model
        self._fallback = fallback
        self._format = format
        self.brief = brief
        self._room = room or (BRIEF_ROOM if brief else ROOM)
        self._adapter = PLANNER if brief else None
        self._past_tokens = past_tokens
        self._most_sentences = most_sentences

    async def plan(
        self,
        instruction: str,
        text: str,
        history: Sequence[Past] = (),
        *,
        count: int = 1,
        temperature: float = TEMPERATURE,
        seed: int = 0,
    ) -> list[Action]:
        """Up to `count` different plans for a text, given the way to it from the root.

        All are sampled by one request for each section of the text. Plans that say the same count once.
        """
        document = Document(text, self._format)
        fallback = cache(lambda: self._fallback(text))

        async def section(numbers: range) -> list[PlanAnswer]:
            asked = self._messages(instruction, document, numbers, history)
            return await self._answers(asked, document, numbers, count, temperature, seed)

        try:
            parts = await each_section(document, self._room, section)
        except ContextOverflow:
            parts = []
        # A service may give fewer answers than it was asked for.
        plans = [
            [(numbers, found[min(i, len(found) - 1)] if found else None) for numbers, found in parts]
            for i in range(count)
        ]
        return list(dict.fromkeys(self._action(document, plan, fallback) for plan in plans))

    async def calls(self, instruction: str, text: str) -> tuple[str, ...]:
        """The tools for a text alone, with no plan: all that a first answer says before it, read again."""
        document = Document(text, self._format)
        numbers = next(iter(sections(document, self._room)), None)
        if numbers is None:
            return ()
        return await self.read_again(instruction, text, await self._read(instruction, document, numbers))

    async def read_again(self, instruction: str, text: str, found: tuple[str, ...]) -> tuple[str, ...]:
        """The tools that were found in a request; those of a long one are looked for again.

        A planner that was trained has met so many checks in a request and no more; of a longer one it leaves
        some out, or gives one's number to another. Then the request is read sentence by sentence, and what
        was found in it whole counts for what no sentence says alone.
        """
        document = Document(text, self._format)
        numbers = next(iter(sections(document, self._room)), None)
        if numbers is None or not self.brief or len(set(found) - _UNCHECKED) < MOST_LEARNT:
            return found
        alone = _alone(instruction)[:_MOST_READ]
        said = await asyncio.gather(*(self._read(one, document, numbers[:2]) for one in alone))
        sure = dict.fromkeys(call for calls in said for call in calls)
        known = {value for call in sure for value in _values(call)}
        return tuple(dict.fromkeys((*sure, *(call for call in found if not _values(call) & known))))

    async def _read(self, instruction: str, document: Document, numbers: range) -> tuple[str, ...]:
        asked = self._messages(instruction, document, numbers, ())
        request = Request(asked, max_tokens=_CALLS, stop=("PLAN:",), adapter=self._adapter)
        (completion,) = await self._model.complete(request)
        return read_plan(whole_lines(completion), {}).calls

    def _messages(
        self, instruction: str, document: Document, numbers: range, history: Sequence[Past]
    ) -> tuple[Message, ...]:
        if self.brief:
            return brief_messages(instruction, document, numbers, history)
        return _messages(instruction, document, numbers, history_text(history, self._past_tokens))

    async def _answers(
        self,
        asked: tuple[Message, ...],
        document: Document,
        numbers: range,
        count: int,
        temperature: float,
        seed: int,
    ) -> list[PlanAnswer]:
        """The plans for one section; a malformed one is asked for once more, with what was wrong."""
        sentences = {number: document.sentence(number).text for number in numbers}
        most = _CALLS + 24 * len(numbers) if self.brief else 320 + 48 * len(numbers)

        total = self._most_sentences or len(document.sentences)

        def read(completion: Completion) -> PlanAnswer:
            said = whole_lines(completion)
            for one in _EXAMPLE:
                said = said.replace(prompt(one), "")  # an echo is no plan
            return read_plan(said, sentences, total)

        async def again(place: int, completion: Completion, answer: PlanAnswer) -> PlanAnswer:
            if self.brief or not answer.problem:
                return answer
            problem = answer.problem
            if completion.finish == "length":
                problem += "; it was cut off: be shorter"
            said = Message("assistant", shown(completion.text, 1500) or "(nothing)")
            request_text = Message(
                "user", prompt("plan_again", problem=problem, first=numbers[0], last=numbers[-1])
            )
            request = Request(
                (*asked, said, request_text), max_tokens=most, temperature=temperature, seed=seed + place
            )
            try:
                return read((await self._model.complete(request))[0])
            except ContextOverflow:
                return answer

        request = Request(
            asked, max_tokens=most, temperature=temperature, n=count, seed=seed, adapter=self._adapter
        )
        completions = await self._model.complete(request)
        tried = (again(place, one, read(one)) for place, one in enumerate(completions))
        return list(await asyncio.gather(*tried))

    def _action(
        self,
        document: Document,
        parts: Sequence[tuple[range, PlanAnswer | None]],
        fallback: Callable[[], Action],
    ) -> Action:
        """The plans of the sections as one; sections without a plan have that of the fallback."""
        good = {numbers: answer for numbers, answer in parts if answer is not None and not answer.problem}
        if not good:
            return fallback()
        plan: list[Improvement] = []
        for numbers, _ in parts:
            if numbers in good:
                advice = good[numbers].advice
                plan += (
                    Improvement(number, document.sentence(number).text, advice.get(number, ""))
                    for number in numbers
                )
            else:
                plan += (one for one in fallback().plan if one.sentence in numbers)
        thought = " ".join(answer.thought for answer in good.values() if answer.thought)
        # Every section was told the same request: what most of them read in it, the first of equals.
        (((calls, unread), _),) = Counter(
            (answer.calls, answer.unread) for answer in good.values()
        ).most_common(1)
        return Action(thought, calls, tuple(plan), self._model.spec, unread)


def _alone(instruction: str) -> list[str]:
    """The sentences of a request, each as one of its own; none where it has one alone."""
    first, *others = [sentence.text for sentence in Document(instruction, "text").sentences] or [""]
    return [first, *(f"{_AGAIN} {sentence}" for sentence in others)] if others else []


def _values(call: str) -> frozenset[str]:
    """The numbers and words that a call speaks of, or its name where there are none."""
    found = read_call(call)
    said = {str(argument.value) for argument in found.arguments} - _FLAGS
    return frozenset(said or {found.name})


def _tools() -> str:
    """The tools, those of other kinds of constraints after the paper's."""
    described = prompt("tools")
    others = (
        f"{name}({', '.join(field.name.upper() for field in fields(kind))})"
        for name, kind in all_kinds().items()
        if name not in described
    )
    return "\n".join((described, *others))


def _messages(instruction: str, document: Document, numbers: range, steps: str) -> tuple[Message, ...]:
    request = prompt(
        "plan_request",
        instruction=request_text(instruction),
        history=f"\nWhat was done so far:\n{steps}\n" if steps else "",
        total=len(document.sentences),
        part=part(document, numbers),
        sentences=numbered(document, numbers),
        first=numbers[0],
        last=numbers[-1],
    )
    # A conversation before this one: shown among the rules, small models take its numbers for their own.
    question, answer = map(prompt, _EXAMPLE)
    rules, asked = messages(prompt("planner", tools=_tools()), request)
    return rules, Message("user", question), Message("assistant", answer), asked


def brief_messages(
    instruction: str, document: Document, numbers: range, history: Sequence[Past] = ()
) -> tuple[Message, ...]:
    """The request for a plan of some sentences of a text, given the way to it; a root says nothing here."""
    past = history_text([one for one in history if one.action is not None], PAST_TOKENS)
    parts = (f"Request: {request_text(instruction)}", past, numbered(document, numbers))
    return messages(prompt("brief").strip(), "\n\n".join(filter(None, parts)))


def brief_answer(thought: str, calls: Sequence[str], advice: Mapping[int, str]) -> str:
    """A plan in the form that is learnt; advice is by the number of the sentence."""
    lines = [f"THOUGHT: {thought}", "CALLS:", *calls, "PLAN:"]
    lines += [f"{number}: {text}" for number, text in sorted(advice.items())] or [NOTHING]
    return "\n".join(lines)
