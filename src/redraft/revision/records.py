"""The data that the parts of a revision share: reasons, candidates, plans, feedback, rewards, nodes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from redraft.constraints import Findings
from redraft.models import Usage
from redraft.quality import Quality

_SENTENCES: Final = {
    "add": 'with "{after}"',
    "close": "closes with “{after}”",
    "contract": "contracted",
    "correct": "“{before}” to “{after}”",
    "cut": 'without {detail} "{before}"',
    "divide": "split",
    "drop": "left out",
    "end mark": "the end mark set after the quotation",
    "form": "without the {before}",
    "expand": "the contraction opened",
    "insert": '"{after}" {detail}',
    "list": "put as a list",
    "ligatures": "joined letters written out",
    "mark": "without the {before}",
    "merge": "joined {detail}",
    "move": "“{before}” moved",
    "omit": 'without "{before}"',
    "open": 'opened with "{after}"',
    "order": 'an order for "{before}"',
    "paragraphs": "parted into paragraphs",
    "place": "moved {detail}",
    "plan": "revised by the plan",
    "replace": '"{after}" for "{before}"',
    "request": "{detail}",
    "restore": "restored",
    "rewrite": "rewritten",
    "split": "split {detail}",
    "start": "opens with “{after}”",
    "swap": "changed places with {detail}",
    "truncate": "all after its beginning cut",
}
_LONGEST_QUOTATION: Final = 40


@dataclass(frozen=True, slots=True, order=True)
class Reason:
    """What was done to a passage: the kind of change, the words before and after it, and a detail.

    `names` are the names and numbers that a cut takes along. The sentence for a reader is `str(reason)`:
    programs compare and look at the fields, never at the sentence.
    """

    kind: str
    before: str = ""
    after: str = ""
    detail: str = ""
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        kind, before = self.kind, self.before
        if kind == "cut":
            kind = "cut" if self.detail else "omit"
            if len(before) > _LONGEST_QUOTATION:
                before = f"{before[:18]}…{before[-18:]}"
        said = _SENTENCES[kind].format(before=before, after=self.after, detail=self.detail)
        if kind == "replace" and self.detail:
            said += f" ({self.detail})"
        return f"{said} with {', '.join(self.names)}" if self.names else said


def explained(why: Iterable[Reason]) -> str:
    """The reasons for a change in one sentence."""
    return "; ".join(map(str, why))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may stand in the place of another: who made it, and why."""

    text: str
    by: str
    why: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """A passage of the original and what stands there now; `after` is empty where it was left out."""

    before: str
    after: str
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class Considered:
    """A candidate that was tried for a passage: what it is worth, and why it was out of the question.

    The worth is in nats, beside that of the passage as it was, which is 0; none where it was refused before
    it was weighed, or came whole with another text. `sound` and `same` are the judge's, where it was asked.
    """

    text: str
    by: str
    why: str
    worth: float | None = None
    sound: float | None = None
    same: float | None = None
    refused: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a sentence of the original, so far; `after` is empty where it was left out.

    `number` is as `redraft sentences` counts, 0 for a greeting or a signature; a passage of several sentences
    is told by its first. What is not `final` is the best that is known: the choice for the whole text, or a
    later step of a search, may change it, and then it is told again.
    """

    number: int
    before: str
    after: str
    final: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Concern:
    """Something that a reader of a revision should know, though it may obey.

    `sentence` is its number in the result, None for one that has none or is not there any more; `text` is
    the sentence, or what was left out. A sentence that was `kept` stands as it was, since all that obeyed was
    broken. One that `points back` opens with a word that may have meant a sentence that was to go.
    """

    kind: Literal["reads badly", "changed meaning", "left out", "new", "kept", "points back"]
    sentence: int | None
    text: str
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        where = f"sentence {self.sentence}" if self.sentence else "a sentence"
        match self.kind:
            case "reads badly":
                return f"{where} reads badly: “{self.text}”"
            case "changed meaning":
                return f"{where} may say something else ({self.why}): “{self.text}”"
            case "left out":
                return f"left out: “{self.text}”"
            case "new":
                return f"{where} says something new: “{self.text}”"
            case "kept":
                return f"{where} stays as it was: {self.why}"
            case "points back":
                return f"{where} may point back to nothing: {self.why}"


@dataclass(frozen=True, slots=True)
class Improvement:
    """What to do about one sentence of a text; no advice means: leave it as it is.

    `edit` is what to ask of the embedded editor, in words that it was trained on; a planner may leave it
    empty.
    """

    sentence: int
    text: str
    advice: str = ""
    edit: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """What a planner decided: its thought, the tools to call, an improvement for each sentence."""

    thought: str
    calls: tuple[str, ...]
    plan: tuple[Improvement, ...]
    by: str = "rules"
    """`rules`, `person`, the spec of a model, or `rules and` such a spec."""
    unread: tuple[str, ...] = ()
    """Calls that could not be read, and why."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a tool said of a text: the label (0 met, 1 not met, None for no verdict), and words."""

    tool: str
    label: int | None
    words: str


@dataclass(frozen=True, slots=True)
class Reward:
    """R_g and R_c, each on 0 to 1 (TRIPS as published: of 50); `preserved` is the share of names within R_c.

    In LaTeX, of keywords.
    """

    quality: float
    constraints: float
    preserved: float | None = None

    @property
    def total(self) -> float:
        """R = R_g + R_c."""
        return self.quality + self.constraints


@dataclass(slots=True)
class Node:
    """A text that the search has reached: the action that led there, what the tools say, N and V."""

    id: int
    parent: Node | None
    action: Action | None
    text: str
    feedback: tuple[Feedback, ...]
    findings: Findings
    quality: Quality
    reward: Reward
    changes: tuple[Change, ...] = ()
    usage: Usage = field(default_factory=Usage)
    visits: int = 0
    value: float = 0.0
    children: list[Node] = field(default_factory=list)

    @property
    def depth(self) -> int:
        """Steps from the root."""
        return 0 if self.parent is None else self.parent.depth + 1

    def summary(self) -> dict[str, Any]:
        """What a drawing of the search needs: no texts, and of the plan what it has to say."""
        action = self.action or Action("", (), (), "")
        return {
            "id": self.id,
            "parent": None if self.parent is None else self.parent.id,
            "depth": self.depth,
            "by": action.by,
            "thought": action.thought,
            "plan": [{"sentence": one.sentence, "advice": one.advice} for one in action.plan if one.advice],
            "met": self.findings.met,
            "unmet": [finding.constraint.call for finding in self.findings if not finding.met],
            "reward": self.reward.total,
            "visits": self.visits,
            "value": self.value,
            "changes": len(self.changes),
        }

    def to_dict(self) -> dict[str, Any]:
        """A line of the trajectory."""
        action = self.action or Action("", (), (), "")
        return {
            "event": "node",
            "id": self.id,
            "parent": None if self.parent is None else self.parent.id,
            "depth": self.depth,
            "by": action.by,
            "thought": action.thought,
            "calls": list(action.calls),
            "plan": [
                {"sentence": one.sentence, "text": one.text, "advice": one.advice} for one in action.plan
            ],
            "text": self.text,
            "feedback": [asdict(one) for one in self.feedback],
            "findings": [finding.to_dict() for finding in self.findings],
            "quality": self.quality.to_dict(),
            "reward": {**asdict(self.reward), "total": self.reward.total},
            "changes": [asdict(one) for one in self.changes],
            "usage": asdict(self.usage),
        }
