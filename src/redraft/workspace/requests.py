"""What can be asked for, checked: the same for the web, and for the worker that reads it from the queue."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from redraft.errors import InputError
from redraft.revision import LONGEST, Strategy
from redraft.settings import OPENAI_URL, ROLES, Settings, needs_trust
from redraft.text import Format, guess_format

Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Instruction = Annotated[str, Field(max_length=20_000)]
Calls = Annotated[tuple[Annotated[str, Field(max_length=5_000)], ...], Field(max_length=200)]
Text = Annotated[str, Field(max_length=1_000_000)]
Revisable = Annotated[str, Field(max_length=LONGEST)]
Spec = Annotated[str, Field(max_length=500)]
Number = Annotated[int, Field(ge=1, le=1_000_000)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Seed = Annotated[int, Field(ge=0, lt=2**31)]
Counting = Literal["default", "constrev"]
Effort = Literal["low", "medium", "high"]

SECONDS: Final = 1800.0
"""How long a job may take where the request does not say."""


class Asked(BaseModel):
    """What every request has in common: nothing in it that is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    def settings(self, settings: Settings) -> Settings:
        """The settings with what the request says; InputError where it names a model that it may not."""
        given = {
            name: value
            for name in ("model", "counting", "format", "sound")
            if (value := getattr(self, name, None)) is not None
        }
        if spec := given.get("model"):
            check_model(spec, settings)
        return settings.model_copy(update=given)


def check_model(spec: str, settings: Settings) -> None:
    """Raise for a model that a request may not name: an address, a file or a folder that is not configured.

    Whoever may ask the server could otherwise have it read any file, or send texts anywhere.
    """
    configured = {settings.spec_for(role) for role in ("model", *ROLES)}
    asks_service = any(one.startswith("openai:") for one in configured) or settings.base_url != OPENAI_URL
    is_strange = spec.startswith("openai:") and not asks_service
    if spec not in configured and (is_strange or needs_trust("model", spec)):
        raise InputError(
            f"the model {spec!r} is of a service, an address or a path that the server was not started with;"
            f" it has {', '.join(sorted(configured))}"
        )


def format_of(settings: Settings, text: str) -> Format:
    """The format that was asked for, or the one that the text looks like."""
    return guess_format(text) if settings.format == "auto" else settings.format


class Parse(Asked):
    """An instruction to be read."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"instruction": "At most 250 words, and never say 'synergy'."}]}
    )

    instruction: Instruction
    model: Spec | None = None


class Check(Asked):
    """A text to be checked."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": "Synergy is back.", "instruction": "Never say 'synergy'."}]}
    )

    text: Text
    original: Text | None = None
    instruction: Instruction = ""
    calls: Calls = ()
    counting: Counting | None = None
    format: Format | None = None
    house: bool = False


class Conflicts(Asked):
    """Constraints that may contradict one another, of a text that is to be revised."""

    text: Text
    instruction: Instruction = ""
    calls: Calls = ()
    locked: tuple[Number, ...] = Field(default=(), max_length=10_000)
    counting: Counting | None = None
    format: Format | None = None
    house: bool = True


class Sentences(Asked):
    """A text whose sentences are wanted."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "One. Two, e.g. this."}]})

    text: Text
    counting: Counting | None = None
    format: Format | None = None


class Compare(Asked):
    """Two texts, one made from the other."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"before": "It is big. It is red.", "after": "It is large and red."}]}
    )

    before: Text
    after: Text
    format: Format | None = None


class Score(Asked):
    """Edited texts to be scored with metrics."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "metrics": ["sari"],
                    "sources": ["About 95 species are currently accepted."],
                    "predictions": ["About 95 species are now accepted."],
                    "references": [["About 95 species are currently known."]],
                }
            ]
        }
    )

    metrics: tuple[Annotated[str, Field(max_length=50)], ...] = Field(min_length=1, max_length=20)
    predictions: tuple[Text, ...] = Field(min_length=1, max_length=1000)
    sources: tuple[Text, ...] | None = Field(default=None, max_length=1000)
    references: tuple[tuple[Text, ...], ...] | None = Field(default=None, max_length=1000)
    calls: tuple[Calls, ...] | None = Field(default=None, max_length=1000)
    counting: Counting = "default"
    resamples: int = Field(default=0, ge=0, le=10_000)


class Timed(Asked):
    """What a job has: how long it may take, and to which document it belongs."""

    max_seconds: Seconds = SECONDS
    document: Id | None = None


class Revise(Timed):
    """A text to be revised."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "text": "The committee utilised all of the funds. It was a organised effort.",
                    "instruction": "At most 10 words. American spelling.",
                }
            ]
        }
    )

    text: Revisable
    instruction: Instruction = ""
    calls: Calls = ()
    locked: tuple[Number, ...] = Field(default=(), max_length=10_000)
    strategy: Strategy = "search"
    sources: tuple[Revisable, ...] = Field(default=(), max_length=20)
    """Material for updating: what is new comes from there."""
    effort: Effort = "medium"
    sound: bool | None = None
    best_effort: bool = False
    seed: Seed = 0
    counting: Counting | None = None
    format: Format | None = None
    model: Spec | None = None
    house: bool = True

    @property
    def all_calls(self) -> tuple[str, ...]:
        """The calls, with the one that keeps the locked sentences."""
        return (*self.calls, *keeping(self.locked))


def keeping(locked: tuple[int, ...]) -> tuple[str, ...]:
    """The call that keeps sentences as they are."""
    if not locked:
        return ()
    return (f'sentence_modification_check([{", ".join(map(str, sorted(set(locked))))}], "unchange")',)


class Simplify(Timed):
    """A text to be simplified."""

    text: Revisable
    policy: Annotated[str, Field(max_length=100)] = "lexical"
    own_policy: Annotated[str, Field(max_length=20_000)] | None = None
    """A policy of the user's own, as a YAML file has it."""
    instruction: Instruction = ""
    calls: Calls = ()
    effort: Effort = "medium"
    best_effort: bool = False
    seed: Seed = 0
    counting: Counting | None = None
    format: Format | None = None
    model: Spec | None = None


class Compose(Timed):
    """A piece to be written."""

    topic: Annotated[str, Field(max_length=5_000)]
    style: Annotated[str, Field(max_length=5_000)] = ""
    calls: Calls = ()
    protocol: Literal["autonomous", "fixed", "no_review", "no_refine"] = "fixed"
    tau: Annotated[float, Field(ge=1, le=10)] = 8.0
    max_steps: Annotated[int, Field(ge=3, le=200)] = 50
    seed: Seed = 0
    model: Spec | None = None
    outline: Annotated[str, Field(max_length=50_000)] | None = None
    """The outline as it is to be: its title after #, a section after ##, a point after -."""
    outline_only: bool = False
    """Whether to end with the outline, for a person to change."""


class QualityOf(Timed):
    """A text to be scored without a reference."""

    text: Revisable
    original: Revisable | None = None
    format: Format | None = None


class Alternatives(Timed):
    """A sentence of a text, for which others are wanted."""

    text: Revisable
    number: Number
    advice: Instruction = ""
    calls: Calls = ()
    instruction: Instruction = ""
    original: Revisable | None = None
    format: Format | None = None
    model: Spec | None = None
    house: bool = True
    n: Annotated[int, Field(ge=1, le=10)] = 3


class Pull(Timed):
    """A larger model to be fetched by its name."""

    name: Annotated[str, Field(max_length=50)]


class TestModel(Timed):
    """A model to be asked one thing."""

    model: Spec | None = None
    prompt: Instruction = "What is the capital of France?"
