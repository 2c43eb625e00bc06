"""The tools: each calls what the command of its name calls, and answers what that prints with `--json`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from redraft.constraints import (
    Constraint,
    Findings,
    check,
    house_constraints,
    infeasible,
    looks_like_call,
    parse_call,
)
from redraft.errors import InputError, ModelError, RedraftError
from redraft.mcp.shapes import Checked, MetricScore, Parsed, QualityScores, Revised, Simplified
from redraft.mcp.working import telling, work_until_cancelled
from redraft.metrics import score as score_texts
from redraft.models import Models
from redraft.quality import open_quality
from redraft.revision import LONGEST, Effort, Node, ReviseOptions, Understanding, arevise, understood_by
from redraft.settings import Settings
from redraft.simplification import asimplify, policy_names
from redraft.text import Format, guess_format, is_english

LONGEST_INSTRUCTION = 10_000
MOST_CALLS = 100
MOST_TEXTS = 10_000
"""What a tool takes, beside `LONGEST` characters of a text."""

FormatName = Literal["auto", "text", "markdown", "latex"]

Text = Annotated[str, Field(description=f"The whole text, at most {LONGEST:,} characters.")]
Original = Annotated[
    str | None, Field(description="The text before revision; needed where sentences, numbers … are to stay.")
]
Instruction = Annotated[
    str, Field(description="Constraints in plain English: “Under 200 words, keep sentence 3.”")
]
Calls = Annotated[
    list[str] | None, Field(description='Exact calls: word_count_check(200, "at most"); `parse` shows them.')
]
MarkUp = Annotated[FormatName, Field(description="The mark-up of the text; auto finds out.")]
Opened = Context[Models, Any]


class Tools:
    """The tools of a server with these settings, whose house style always counts."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def parse(self, instruction: Instruction) -> Parsed:
        """Read the constraints in a writing instruction, before you write or revise anything.

        Use it to see which demands can be verified (word counts, kept or forbidden words, sentences that must
        stay, spelling, no passives …), in exact form, which are only wishes, and what is not understood. What
        the rules do not understand the embedded model reads, in a second.
        """
        with _plain_errors():
            found = self._understood(instruction)
            rows = [{**one.to_dict(), "says": str(one)} for one in found.instruction.constraints]
            return Parsed.model_validate({"constraints": rows, **found.to_dict()})

    def check(
        self,
        text: Text,
        instruction: Instruction = "",
        calls: Calls = None,
        original: Original = None,
        format: MarkUp = "auto",
    ) -> Checked:
        """Verify whether a text meets constraints; use it instead of counting or guessing yourself.

        Call it on your own draft before you present it, and again after each change: `met` says whether all
        holds, `findings` what was measured and where it fails. Constraints that contradict each other are in
        `infeasible`. No model is asked about the text.
        """
        with _plain_errors():
            found, constraints = self._asked(instruction, calls)
            if not constraints:
                raise InputError("there is nothing to check: neither instruction nor calls have a constraint")
            _fits(text=text, original=original)
            how: dict[str, Any] = {"original": original, "counting": self._settings.counting}
            how["format"] = _format_of(text, format)
            findings = check(text, constraints, **how)
            conflict = None if findings.met else infeasible(constraints, **how)
            foreign = [] if is_english(text) else [one.call for one in constraints if one.english_only]
            told = {"infeasible": [conflict.to_dict()] if conflict else [], "english_only": foreign}
            report = self._marked(findings.to_dict(), findings)
            return Checked.model_validate({**report, **told, **found.to_dict()})

    async def revise(
        self,
        text: Text,
        ctx: Opened,
        instruction: Instruction = "",
        calls: Calls = None,
        effort: Annotated[Effort, Field(description="How hard to search.")] = "medium",
        best_effort: Annotated[
            bool, Field(description="Where constraints conflict, meet as many as can be.")
        ] = False,
        sound: Annotated[
            bool, Field(description="Rather leave a constraint unmet than a sentence broken.")
        ] = False,
        format: MarkUp = "auto",
        max_seconds: Annotated[float | None, Field(gt=0, description="End then, with the best text.")] = None,
        seed: int = 0,
    ) -> Revised:
        """Revise a text so that it meets constraints, with proof; sentences that need no change stay.

        Use it for what is hard to get exactly right by hand: length limits, forbidden or required words, a
        house style, sentences that must stay word for word. It takes seconds to minutes, tells its progress,
        and may be cancelled. Read `met`, `findings` and `concerns` before you pass the text on; `infeasible`
        names constraints that no text can meet.
        """
        with _plain_errors():
            found, constraints = await asyncio.to_thread(self._asked, instruction, calls)
            _fits(text=text)
            if found.is_in_vain and not constraints:
                raise InputError(f"nothing of the instruction is understood:\n{found.told()}")
            if not (constraints or found.wishes):
                raise InputError("there is nothing to do: say in the instruction or the calls what to change")
            options = ReviseOptions(
                effort=effort, best_effort=best_effort, sound=sound, seed=seed, max_seconds=max_seconds
            )
            async with telling(ctx) as tell:

                def reached(node: Node) -> None:
                    met = sum(one.met for one in node.findings)
                    tell(f"a text with {met} of {len(node.findings)} constraints met")

                tell(f"constraints to meet: {len(constraints)}")
                revision = await work_until_cancelled(
                    lambda stop: arevise(
                        text,
                        instruction,
                        constraints,
                        models=ctx.request_context.lifespan_context,
                        options=options,
                        format=_format_of(text, format),
                        reached=reached,
                        stop=stop,
                    )
                )
            _raise_failure(revision.failure)
            report = self._marked(revision.to_dict(), revision.findings)
            return Revised.model_validate({**report, **found.to_dict()})

    async def simplify(
        self,
        text: Text,
        ctx: Opened,
        policy: Annotated[str, Field(description="A name that redraft://policies lists.")] = "lexical",
        instruction: Annotated[str, Field(description="Constraints in plain English, besides.")] = "",
        calls: Calls = None,
        effort: Effort = "medium",
        format: MarkUp = "auto",
    ) -> Simplified:
        """Make a text easier to read by a policy: easier words alone (lexical), or whole sentences (rewrite).

        Use it for readers who are learners or no experts. Names, numbers and quotations stay. It takes
        seconds to minutes, tells its progress, and may be cancelled.
        """
        with _plain_errors():
            _fits(text=text)
            if policy not in policy_names():  # a name, and never a file
                raise InputError(f"there is no policy {policy!r}; there are: {', '.join(policy_names())}")
            async with telling(ctx) as tell:
                simplification = await work_until_cancelled(
                    lambda stop: asimplify(
                        text,
                        policy,
                        _calls(calls),
                        models=ctx.request_context.lifespan_context,
                        instruction=_instruction(instruction),
                        effort=effort,
                        format=_format_of(text, format),
                        done=lambda done, all: tell(f"{done} of {all} sentences"),
                        stop=stop,
                    )
                )
            _raise_failure(simplification.failure)
            return Simplified.model_validate(simplification.to_dict())

    def score(
        self,
        metrics: Annotated[list[str], Field(description="sari, gleu, bleu, em, rouge1, …")],
        predictions: Annotated[list[str], Field(description="The edited texts.")],
        sources: Annotated[list[str] | None, Field(description="The texts before editing.")] = None,
        references: Annotated[
            list[list[str]] | None, Field(description="For each text, how people edited it.")
        ] = None,
    ) -> dict[str, MetricScore]:
        """Score edited texts against references that people wrote, with published metrics and intervals.

        Use it to compare systems or prompts on many texts; for one text without a reference, use `quality`.
        """
        with _plain_errors():
            if len(predictions) > MOST_TEXTS:
                raise InputError(
                    f"there are {len(predictions):,} texts, and at most {MOST_TEXTS:,} are scored"
                )
            _fits(10 * LONGEST, predictions="".join(predictions))
            found = score_texts(metrics, sources, predictions, references, counting=self._settings.counting)
            return {name: MetricScore.model_validate(one.to_dict()) for name, one in found.items()}

    async def quality(
        self, text: Text, ctx: Opened, original: Original = None, format: MarkUp = "auto"
    ) -> QualityScores:
        """Score one text without a reference: fluency, grammar errors with places and suggestions.

        With `original` it also says how much of its meaning, names, dates and numbers is still there: use
        that to see whether a rewrite lost or changed something.
        """
        with _plain_errors():
            _fits(text=text, original=original)
            models = ctx.request_context.lifespan_context
            scorer = open_quality(models, format=_format_of(text, format))
            before = None if original is None else [original]
            (found,) = await work_until_cancelled(lambda _: scorer.score([text], before))
            return QualityScores.model_validate(found.to_dict())

    def _understood(self, instruction: str) -> Understanding:
        return understood_by(self._settings, _instruction(instruction))

    def _asked(
        self, instruction: str, calls: Sequence[str] | None
    ) -> tuple[Understanding, tuple[Constraint, ...]]:
        """An instruction as it is understood, and all the constraints, each once."""
        found = self._understood(instruction)
        own = (*found.instruction.constraints, *_calls(calls))
        return found, tuple(dict.fromkeys((*own, *self._house)))

    @cached_property
    def _house(self) -> tuple[Constraint, ...]:
        return house_constraints(self._settings.house, self._settings.origin("house"))

    def _marked(self, report: dict[str, Any], findings: Findings) -> dict[str, Any]:
        """A report whose findings say whether it is the house style that asks for them."""
        rows = zip(report["findings"], findings, strict=True)
        return {**report, "findings": [{**row, "house": one.constraint in self._house} for row, one in rows]}


@contextlib.contextmanager
def _plain_errors() -> Iterator[None]:
    """Errors that we raise on purpose are for the assistant to read; any other is a bug, and stays here."""
    try:
        yield
    except RedraftError as error:
        raise ToolError(str(error)) from error


def _raise_failure(failure: ModelError | None) -> None:
    if failure is not None:
        raise failure


def _fits(most: int = LONGEST, **texts: str | None) -> None:
    """Raises InputError where a text, by the name of its argument, is too long."""
    for name, text in texts.items():
        if text is not None and len(text) > most:
            raise InputError(
                f"{name} has {len(text):,} characters, and at most {most:,} can be taken at once"
            )


def _instruction(instruction: str) -> str:
    _fits(LONGEST_INSTRUCTION, instruction=instruction)
    if looks_like_call(instruction):
        raise InputError("this is a call, not plain English: give it in `calls`")
    return instruction


def _calls(calls: Sequence[str] | None) -> list[Constraint]:
    if calls and len(calls) > MOST_CALLS:
        raise InputError(f"there are {len(calls)} calls, and at most {MOST_CALLS} can be taken at once")
    return [parse_call(call) for call in calls or ()]


def _format_of(text: str, format: FormatName) -> Format:
    return guess_format(text) if format == "auto" else format
