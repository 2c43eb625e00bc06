"""From a name such as `rubric`, `metric:lens_salsa` or a model's spec to a judge, and to its parser."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.errors import FATAL, InputError, ModelError
from redraft.judge import wrap_in_tags
from redraft.models import Message, Model, Models, Prompts, Request, run_all
from redraft.quality import JUDGE
from redraft.simplification.judging import link_grammar
from redraft.simplification.judging.alignment import Aligner
from redraft.simplification.judging.link_grammar import LinkParser
from redraft.simplification.judging.metric import AgreementJudge, MetricJudge, check_metric
from redraft.simplification.judging.model import ModelJudge
from redraft.simplification.judging.rubric import RubricJudge
from redraft.simplification.judging.shallow import ShallowParser
from redraft.simplification.judging.trees import Parsed, Parser, Tree, difference, read_tree
from redraft.simplification.policy import JudgedExample
from redraft.simplification.verdicts import Judge

prompt = Prompts(__package__)

REPAIRS: Final = 2
EXAMPLE: Final = "Although it was raining, the children didn't want to leave the garden of their aunt."
_FENCED: Final = re.compile(r"\A```[\w-]*\n(.*?)\n?```\Z", re.DOTALL)
_LONGEST_QUOTE: Final = 8_000
VALID_PARSERS: Final = "shallow · link · a model, such as openai:MODEL"


@dataclass(frozen=True)
class PromptedParser:
    """Parses with a model; all sentences are asked for at once, within the limits of the model's settings."""

    model: Model
    repairs: int = REPAIRS

    @property
    def name(self) -> str:
        return self.model.spec

    async def parse(self, sentences: Sequence[str]) -> tuple[Parsed, ...]:
        found = dict.fromkeys(sentences, Parsed(None))

        async def one(sentence: str) -> None:
            found[sentence] = await self._parse(sentence)

        await run_all([one(sentence) for sentence in found])
        return tuple(found[sentence] for sentence in sentences)

    async def _parse(self, sentence: str) -> Parsed:
        asked = (
            Message("system", prompt("parse")),
            Message("user", wrap_in_tags("text", EXAMPLE)),
            Message("assistant", prompt("parse_example")),
            Message("user", wrap_in_tags("text", sentence)),
        )
        # A tree takes five to ten tokens a word; a model may think first.
        room = 512 + 32 * len(sentence.split())
        turns: tuple[Message, ...] = asked
        problem = ""
        for _ in range(self.repairs + 1):
            try:
                (completion,) = await self.model.complete(Request(turns, max_tokens=room))
            except FATAL:
                raise
            except ModelError as error:
                return Parsed(None, f"{type(error).__name__}: {error}")
            try:
                return Parsed(read_answer(completion.text, sentence))
            except ValueError as error:
                problem = str(error)
            if completion.finish == "length":
                problem += f" (it was cut off after {room} tokens)"
            again = Message("user", prompt("parse_again", problem=problem))
            turns = (*asked, Message("assistant", completion.text[:_LONGEST_QUOTE]), again)
        return Parsed(None, f"no usable tree in {self.repairs + 1} tries; the last: {problem}")


def read_answer(text: str, sentence: str) -> Tree:
    """The tree in an answer, bare or fenced, that has the words of the sentence; ValueError says why not."""
    fenced = _FENCED.match(text.strip())
    tree = read_tree(fenced[1] if fenced else text)
    if (problem := difference(tree, sentence)) is not None:
        raise ValueError(problem)
    return tree


def check_parser(spec: str) -> None:
    """InputError where a parser cannot be had; a model is only looked for when it is opened."""
    if not spec.strip():
        raise InputError(f"a parser has no name; valid are: {VALID_PARSERS}")
    if spec == "link" and link_grammar.program() is None:
        raise InputError(
            f"the parser link needs Link Grammar, and {link_grammar.PROGRAM} is not installed"
            " (Debian: apt install link-grammar); valid without it are: shallow · a model"
        )


def open_parser(spec: str, models: Models) -> Parser:
    """`shallow` (our own, the same on every machine), `link` (Link Grammar), or a model that is asked."""
    check_parser(spec)
    if spec == "link":
        return LinkParser()
    return ShallowParser() if spec == "shallow" else PromptedParser(models.open(spec, role="parser"))


RUBRIC: Final = "rubric"
AGREEMENT: Final = "agreement"
METRIC: Final = "metric:"
VALID_JUDGES: Final = (
    "rubric · agreement · metric:NAME · a model, such as openai:MODEL or http://HOST:PORT/v1#MODEL"
)


def check_judge(spec: str) -> None:
    """InputError where no judge can have that name; whether a model is there, its first question tells."""
    if spec.startswith(METRIC):
        check_metric(spec.removeprefix(METRIC))
        return
    if spec in (RUBRIC, AGREEMENT):
        return
    scheme, colon, _ = spec.partition(":")
    close = difflib.get_close_matches(spec, [RUBRIC, AGREEMENT, "metric"], n=1, cutoff=0.7)
    if close or not spec.strip() or (not colon and scheme not in ("embedded", "torch")):
        hint = (
            "" if not close else f'did you mean "{METRIC + "NAME" if close[0] == "metric" else close[0]}"? '
        )
        raise InputError(f'there is no judge "{spec}"; {hint}valid are: {VALID_JUDGES}')


def open_judge(
    spec: str,
    models: Models,
    *,
    thinking: bool | None = None,
    rounds: int = 1,
    seed: int = 0,
    parser: str = "shallow",
    examples: tuple[JudgedExample, ...] | None = None,
    kept: float = 0.0,
    doubted: float = 0.0,
) -> Judge:
    """The judge of a spec.

    Thinking, rounds, seed and the policy's examples for judges are for models: the others say the same every
    time. `kept` and `doubted`, points off for kept words and for the trained judge's doubt, are of agreement.
    """
    check_judge(spec)
    if rounds < 1:
        raise InputError(f"{rounds} rounds are none: at least 1")
    if spec.startswith(METRIC):
        return MetricJudge(spec.removeprefix(METRIC), models)
    if spec == AGREEMENT:
        return AgreementJudge(kept, doubted, models.yes_or_no(JUDGE) if doubted else None)
    if spec == RUBRIC:
        return RubricJudge(models.scorer(), models.embedder(), open_parser(parser, models))
    return ModelJudge(
        models.open(spec, role="judge"),
        Aligner(models.embedder()),
        open_parser(parser, models),
        thinking=thinking,
        rounds=rounds,
        seed=seed,
        examples=examples,
    )
