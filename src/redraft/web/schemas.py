"""The answers of the API, for its description; and the requests that the web alone has."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from redraft.text import Format
from redraft.workspace import Id

Title = Annotated[str, Field(max_length=500)]
Words = Annotated[str, Field(max_length=20_000)]
Whole = Annotated[str, Field(max_length=1_000_000)]
Calls = Annotated[list[Annotated[str, Field(max_length=5_000)]], Field(max_length=200)]
Locked = Annotated[list[Annotated[int, Field(ge=1, le=1_000_000)]], Field(max_length=10_000)]


class Problem(BaseModel):
    """What went wrong (RFC 9457)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str


class Constraint(BaseModel):
    """A constraint: its call, its kind, how it is said in English, and its arguments."""

    model_config = ConfigDict(extra="allow")

    call: str
    kind: str
    says: str


class NotUnderstood(BaseModel):
    """Words of an instruction that nothing acts on."""

    words: str
    nearest: str | None


class Understood(BaseModel):
    """What was read from an instruction."""

    constraints: list[Constraint]
    wishes: list[str]
    not_understood: list[NotUnderstood]


class Argument(BaseModel):
    """An argument of a kind of constraint."""

    name: str
    type: str
    choices: list[str] | None = None
    default: Any = None


class ConstraintKind(BaseModel):
    """A kind of constraint."""

    kind: str
    summary: str
    example: str | None
    says: str | None
    arguments: list[Argument]


class Place(BaseModel):
    """A place in a text, in characters (Unicode code points)."""

    start: int
    end: int


class Finding(BaseModel):
    """Whether a constraint is met."""

    model_config = ConfigDict(extra="allow")

    call: str
    says: str
    met: bool
    measured: Any
    message: str
    spans: list[Place]


class Conflict(BaseModel):
    """Constraints that no text can meet together."""

    calls: list[str]
    reason: str


class Checked(BaseModel):
    """What checking a text gave."""

    model_config = ConfigDict(extra="allow")

    met: bool
    counting: str
    findings: list[Finding]
    infeasible: list[Conflict]


class Infeasible(BaseModel):
    """Conflicts, at most one: the smallest that was found."""

    infeasible: list[Conflict]


class Sentence(BaseModel):
    """A sentence of a text; its number is 0 for a greeting and a signature."""

    number: int
    start: int
    end: int
    text: str
    words: int
    paragraph: int
    aside: str | None


class ComparedWords(BaseModel):
    """Words that stayed, were cut, or are new."""

    op: Literal["same", "cut", "new"]
    text: str


class ComparedPassage(BaseModel):
    """A passage of two texts."""

    before: str
    after: str
    same: bool
    number_before: list[int]
    number_after: list[int]
    words: list[ComparedWords]


class Compared(BaseModel):
    """Two texts side by side."""

    passages: list[ComparedPassage]


class Opened(BaseModel):
    """What a file holds; `file` is the id of one that is kept, for a document that is made of it."""

    title: str
    format: str
    text: str
    file: Id | None = None


class Job(BaseModel):
    """A job as it is now."""

    model_config = ConfigDict(extra="allow")

    id: Id
    kind: str
    state: Literal["queued", "running", "done", "stopped", "failed"]
    place: int | None = None
    document: Id | None = None
    created: str
    started: str | None = None
    ended: str | None = None
    progress: dict[str, float]
    result: Any = None
    problem: Problem | None = None


class Jobs(BaseModel):
    """Jobs, the newest first; `next` is what `after` is for the next page."""

    jobs: list[Job]
    next: str | None


class NewDocument(BaseModel):
    """A document to be kept."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"text": "A text that I work on.", "instruction": "Shorter."}]},
    )

    text: Whole
    title: Title = ""
    format: Format | None = None
    instruction: Words = ""
    calls: Calls = Field(default_factory=list)
    file: Id | None = None


class ChangedDocument(BaseModel):
    """What is to change of a document; what is not given stays."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "A better text.", "note": "typed"}]}
    )

    title: Title | None = None
    format: Format | None = None
    original: Whole | None = None
    text: Whole | None = None
    instruction: Words | None = None
    calls: Calls | None = None
    locked: Locked | None = None
    state: dict[str, Any] | None = None
    note: Title = ""


class Document(BaseModel):
    """A document; in a list, without its texts."""

    model_config = ConfigDict(extra="allow")

    id: Id
    title: str
    format: str
    version: int
    created: str
    updated: str
    original: str | None = None
    text: str | None = None
    instruction: str | None = None
    calls: list[str] | None = None
    locked: list[int] | None = None
    state: dict[str, Any] | None = None
    file: Id | None = None
    job: Id | None = None


class Documents(BaseModel):
    """Documents, those changed last first; `next` is what `after` is for the next page."""

    documents: list[Document]
    next: str | None


class Version(BaseModel):
    """A version of a document; in a list, without its texts."""

    model_config = ConfigDict(extra="allow")

    version: int
    note: str
    created: str


class History(BaseModel):
    """The versions of a document, the newest first."""

    versions: list[Version]
    next: int | None
