"""Questions whose answers are choices: their prompts, asked by JSON schema, read strictly, repaired at times.

This is all that a kind of judging needs: say what is asked and which answers there are. Scoring and comparing
are built on it, and so is naming the best and the worst of several.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from redraft.errors import FATAL, ModelError
from redraft.judge.item import Context
from redraft.judge.rubric import REASON, Aspect, Label, Rubric
from redraft.models import Completion, Message, Model, Prompts, Request, Usage, json_values, schema_text

prompt = Prompts(__package__)

TAGS = (
    *("source", "instruction", "reference", "criteria", "text"),
    *(r"candidate_\w+", r"alignment_\w+", r"parse_\w+", "principles", "examples"),
    *("topic", "style_guide", "headings", "outline", "points", "before", "critique", "state", "steps"),
)
"""What texts stand between, as patterns."""

# A bracket and the name behind it, however a judge may spell a tag; or the mark of a chat template.
_UNSEEN = r"\u200b-\u200f\u2060\ufeff\xad"
_OPENING = re.compile(rf"[<＜﹤](?=[\s{_UNSEEN}]*(\||[/／]?[\s{_UNSEEN}]*([\w{_UNSEEN}]+)))")
_OURS = re.compile(rf"(?:{'|'.join(TAGS)})\b", re.IGNORECASE)


def wrap_in_tags(tag: str, text: str) -> str:
    """A text between tags. Tags of ours inside it lose their bracket, so that it ends where its tag ends."""
    return f"<{tag}>\n{escape_tags(text)}\n</{tag}>"


def escape_tags(text: str) -> str:
    """The text with ‹ where a tag of ours, or a mark of a chat template, would open."""

    def escape(opening: re.Match[str]) -> str:
        name = unicodedata.normalize("NFKC", re.sub(f"[{_UNSEEN}]", "", opening[2] or ""))
        return "‹" if opening[1] == "|" or _OURS.match(name) else opening[0]

    return _OPENING.sub(escape, text)


def show_texts(context: Context, shows: Sequence[str], texts: Sequence[tuple[str, str]]) -> str:
    """Everything that is shown: the context, criteria of the item's own, then the texts under judgement."""
    blocks = [wrap_in_tags(name, text) for name in shows for text in context.texts(name)]
    if context.traits:
        blocks.append(wrap_in_tags("criteria", "\n".join(f"- {trait}" for trait in context.traits)))
    blocks += (wrap_in_tags(tag, text) for tag, text in texts)
    return "\n\n".join(blocks)


def describe_rubric(rubric: Rubric, *, scales: bool) -> str:
    """The aspects of a rubric with their questions, their scales where those are wanted, and the traits."""
    blocks = [_describe_aspect(aspect, scales) for aspect in rubric.aspects]
    if rubric.traits:
        blocks.append(prompt("traits", traits="\n".join(f"- {trait}" for trait in rubric.traits)))
    if scales and rubric.baseline is not None:
        blocks.append(prompt("baseline", baseline=rubric.baseline))
    return "\n\n".join(blocks)


def _describe_aspect(aspect: Aspect, scales: bool) -> str:
    lines = [f"## {aspect.name}", aspect.question]
    if scales and (scale := aspect.scale) is not None:
        # Few readers take a low mark for a good one unless they are told.
        good = " (the highest is best)" if scale.best == "high" else " (the lowest is best)"
        lines.append(f"Marks{good}: " + " · ".join(str(label) for label in scale.labels))
        lines += (f"- {step}: {meaning}" for step, meaning in scale.steps)
    return "\n".join(lines)


REPAIRS = 2
"""How often a judge is told what is wrong with its answer."""

MAX_TOKENS = 600
"""Room for an answer; models that think before they write need more."""

_LONGEST_REASON = 600
_LONGEST_QUOTE = 2000


@dataclass(frozen=True)
class Choice:
    """A part of the answer, and what it may be."""

    name: str
    values: tuple[Label, ...]
    unlike: str = ""
    """Another choice, which may not be the same as this one."""


@dataclass(frozen=True)
class Note:
    """A part of the answer in free words."""

    name: str


@dataclass(frozen=True)
class Question:
    """What a judge is asked, and which answers there are; the parts are written in their order."""

    system: str
    user: str
    parts: tuple[Choice | Note, ...]
    frame: str
    """The wording without the texts under judgement: what `prompt_hash` is of, with the choices."""
    reason: bool = False

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The parts that are choices."""
        return tuple(part for part in self.parts if isinstance(part, Choice))

    @property
    def schema(self) -> str:
        """The JSON schema of an answer; the reason comes first, so that the choices follow from it."""
        parts = (*([Note(REASON)] if self.reason else []), *self.parts)
        properties = {part.name: _schema(part) for part in parts}
        return schema_text(
            {
                "type": "object",
                "properties": properties,
                "required": list(properties),
                "additionalProperties": False,
            }
        )

    @property
    def prompt_hash(self) -> str:
        """The same for all that is asked in the same words."""
        return short_hash(self.system, self.frame, self.schema)

    def request(
        self,
        *,
        seed: int = 0,
        temperature: float = 0.0,
        top_p: float = 1.0,
        max_tokens: int = MAX_TOKENS,
        thinking: bool | None = None,
        top_k: int = 0,
    ) -> Request:
        """The question as a model is first asked it."""
        return Request(
            (Message("system", self.system), Message("user", self.user)),
            max_tokens=max_tokens,
            temperature=temperature,
            top_p=top_p,
            seed=seed,
            schema=self.schema,
            thinking=thinking,
            top_k=top_k,
        )


@dataclass(frozen=True)
class Answer:
    """What came of a question: the choices made, or why there are none."""

    marks: Mapping[str, Label] = field(default_factory=dict)
    reason: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)
    raw: tuple[str, ...] = ()
    """Every answer as it came, with what the model thought before it; the last one last."""
    usage: Usage = field(default_factory=Usage)
    error: str | None = None
    thought: bool = False
    """Whether the model thought before any of its answers."""


def short_hash(*parts: str) -> str:
    """A short hash of texts."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


async def ask_judge(model: Model, question: Question, request: Request, *, repairs: int = REPAIRS) -> Answer:
    """Ask, and ask again with what is wrong while the answer is not valid; then the failure is the answer.

    What would fail for every question (no key, no such model, the budget spent) is raised.
    """
    raw: list[str] = []
    usage = Usage()
    thought = False
    problem = ""
    turn = request
    for _ in range(repairs + 1):
        try:
            (completion,) = await model.complete(turn)
        except FATAL:
            raise
        except ModelError as error:
            told = f"{type(error).__name__}: {error}"
            return Answer(raw=tuple(raw), usage=usage, error=told, thought=thought)
        raw.append(completion.whole)
        usage += completion.usage
        thought = thought or bool(completion.thoughts)
        try:
            _check_whole(completion, request.max_tokens)
            marks, reason, notes = read_marks(completion.text, question)
        except ValueError as error:
            problem = str(error)
            turn = _again(request, completion.text, problem)
        else:
            return Answer(marks, reason, notes, tuple(raw), usage, thought=thought)
    failure = f"no valid answer in {repairs + 1} tries; the last: {problem}"
    return Answer(raw=tuple(raw), usage=usage, error=failure, thought=thought)


def _check_whole(completion: Completion, max_tokens: int) -> None:
    """ValueError where an answer was cut off, filtered or refused: its choices may not be the last word."""
    if completion.finish == "length":
        thinking = " while still thinking" if completion.thoughts and not completion.text else ""
        raise ValueError(f"{completion.problem}{thinking} after {max_tokens} tokens")
    if completion.problem:
        raise ValueError(completion.problem)


def read_marks(text: str, question: Question) -> tuple[dict[str, Label], str, dict[str, str]]:
    """The choices in an answer, the reason and the notes; ValueError says what is wrong.

    Prose around the JSON object is passed over, but where several objects answer the question in different
    ways (a judge may quote one from the text under judgement), none of them is believed.
    """
    found: list[tuple[dict[str, Label], str, dict[str, str]]] = []
    problem: str | None = None
    for value in json_values(text, _STRICT):
        if not isinstance(value, dict):
            continue
        try:
            marks = {choice.name: _choice(value, choice) for choice in question.choices}
            notes = {part.name: _note(value, part) for part in question.parts if isinstance(part, Note)}
        except ValueError as error:
            problem = problem or str(error)
            continue
        reason = value.get(REASON)
        found.append((marks, reason if isinstance(reason, str) else "", notes))
    if not found:
        raise ValueError(problem or "there is no JSON object in it with each key once")
    if any(marks != found[0][0] for marks, *_ in found):
        raise ValueError("it has several JSON objects that differ: give one")
    return found[-1]


def _schema(part: Choice | Note) -> dict[str, Any]:
    if isinstance(part, Note):
        return {"type": "string", "maxLength": _LONGEST_REASON}
    kind = "integer" if isinstance(part.values[0], int) else "string"
    return {"type": kind, "enum": list(part.values)}


def _note(value: Mapping[str, Any], note: Note) -> str:
    given = value.get(note.name)
    if not isinstance(given, str) or not given.strip():
        raise ValueError(f"{note.name} is missing, or not said in words")
    return given.strip()


def _choice(value: Mapping[str, Any], choice: Choice) -> Label:
    if choice.name not in value:
        raise ValueError(f"{choice.name} is missing")
    given = value[choice.name]
    # `True == 1 == 1.0` in Python, but a judge that says one of the others has not answered.
    if not any(type(given) is type(allowed) and given == allowed for allowed in choice.values):
        listed = ", ".join(json.dumps(allowed, ensure_ascii=False) for allowed in choice.values)
        shown = json.dumps(given, ensure_ascii=False)[:100]
        raise ValueError(f"{choice.name}: {shown} is not one of {listed}")
    if choice.unlike and given == value.get(choice.unlike):
        raise ValueError(f"{choice.name} and {choice.unlike} are the same: choose two that differ")
    allowed: Label = given
    return allowed


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


_STRICT = json.JSONDecoder(object_pairs_hook=_once)


def _again(request: Request, answer: str, problem: str) -> Request:
    correction = prompt("again", problem=problem, schema=request.schema)
    messages = (*request.messages, Message("assistant", answer[:_LONGEST_QUOTE]), Message("user", correction))
    return replace(request, messages=messages)
