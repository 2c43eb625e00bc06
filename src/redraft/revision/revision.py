"""The options of a revision, and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import repeat
from pathlib import Path
from typing import Any, Final, Literal, get_args

from redraft.constraints import Conflict, Findings, read_conflicts, read_findings
from redraft.errors import BudgetExceeded, FileError, InputError, ModelError
from redraft.models import Usage
from redraft.quality import Quality, read_quality
from redraft.revision.asking.baselines import ROUNDS
from redraft.revision.judging.facts import Support
from redraft.revision.records import Action, Change, Concern
from redraft.revision.search.evaluation import Switches
from redraft.revision.search.search import SearchLimits
from redraft.revision.showing.details import Detail, read_detail
from redraft.settings import Trust

Strategy = Literal["search", "trips", "repair", "direct", "cot", "plan", "iter", "sentence"]
Effort = Literal["low", "medium", "high"]
STRATEGIES: Final[tuple[Strategy, ...]] = get_args(Strategy)
EFFORTS: Final[tuple[Effort, ...]] = get_args(Effort)


@dataclass(frozen=True, slots=True)
class EffortSettings:
    """How hard to try: the search, the share of the words that the editor is asked about, its samples."""

    limits: SearchLimits
    share: float = 1.0
    samples: int = 1
    requests: int = 90
    """To a model that is trusted, for each section of the text; two more ask it to compare."""


EFFORT_SETTINGS: Final[Mapping[Effort, EffortSettings]] = {
    "low": EffortSettings(SearchLimits(children=1, iterations=1, patience=1), share=0.33, requests=3),
    "medium": EffortSettings(
        SearchLimits(children=2, iterations=2, patience=1), share=0.5, samples=4, requests=10
    ),
    "high": EffortSettings(SearchLimits(), samples=4),
}
TRIPS: Final = EffortSettings(SearchLimits(patience=3, as_published=True, enough=85.0))
"""The paper's schedule (D.6); how long it waits for a gain, and that 85 of 100 is enough, is its code's."""


def exit_status(findings: Findings, failure: ModelError | None, *, interrupted: bool, refused: bool) -> int:
    """What a command ends with that made a text under constraints."""
    if interrupted:
        return 130
    if failure is not None:
        return 4
    if findings.met:
        return 0
    return 3 if refused else 1


@dataclass(frozen=True)
class Revision:
    """A revised text, the proof that it obeys, and what it took."""

    text: str
    findings: Findings
    infeasible: tuple[Conflict, ...] = ()
    before: Quality | None = None
    after: Quality | None = None
    usage: Usage = field(default_factory=Usage)
    changes: tuple[Change, ...] = ()
    stopped: str = ""
    nodes: int = 1
    failure: ModelError | None = None
    interrupted: bool = False
    spent: BudgetExceeded | None = None
    """The budget, where that ended it: what it could pay for is done, and that is no failure."""
    refused: bool = False
    """Whether nothing was done, since the constraints conflict."""
    in_vain: bool = False
    """Whether nothing of the instruction was understood, so that whatever was done is not what was asked."""
    calls: tuple[str, ...] = ()
    """The tools that the planner chose first; none where nothing was planned."""
    rounds: tuple[str, ...] = ()
    """The text after each round; of a search, the best one within so many steps."""
    perhaps: tuple[str, ...] = ()
    """Calls that only a model read in the instruction: they are not enforced, for the user to add."""
    trust: Trust = "low"
    """How far the model that revised is taken at its word."""
    by_rules: int = 0
    """Passages that a rule changed in the text of a model that is trusted, since nothing else obeyed."""
    objections: tuple[str, ...] = ()
    """Facts that the text changes, though nothing calls for it: no other text met as many constraints."""
    support: tuple[Support, ...] = ()
    """The facts that only the documents have, each with the passage that says so."""
    concerns: tuple[Concern, ...] = ()
    """What a reader should know of the text though it may obey: what reads badly, or was left out."""
    unkept: FileError | None = None
    """Why the trace that was asked for is not whole, where it is not."""
    scored_by: str = ""
    """What gave the scores."""
    prompts: str = ""
    """The hash of the prompts that were in use."""
    details: tuple[Detail, ...] = ()
    """What there is to know of each change: its sentences, what else was tried, what is wrong with it."""
    stayed: tuple[Detail, ...] = ()
    """The sentences that stayed as they were though something else was tried."""
    tree: tuple[Mapping[str, Any], ...] = ()
    """The nodes of the search, in the order in which they were reached, as a drawing needs them."""

    @property
    def met(self) -> bool:
        """Whether the text is what was asked for, as far as that can be checked."""
        return self.findings.met and not self.in_vain

    @property
    def status(self) -> int:
        """The exit status of the command."""
        found = exit_status(self.findings, self.failure, interrupted=self.interrupted, refused=self.refused)
        return found or int(self.in_vain)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `redraft revise --json`."""
        return {
            **self.findings.to_dict(),
            "met": self.met,
            "in_vain": self.in_vain,
            "text": self.text,
            "infeasible": [conflict.to_dict() for conflict in self.infeasible],
            "quality": {
                "before": None if self.before is None else self.before.to_dict(),
                "after": None if self.after is None else self.after.to_dict(),
            },
            "usage": self.usage.to_dict(),
            "changes": [
                {"before": one.before, "after": one.after, "by": one.by, "why": one.why, **detail.to_dict()}
                for one, detail in zip(self.changes, self.details or repeat(Detail("")), strict=False)
            ],
            "stayed": [{"text": one.text, **one.to_dict()} for one in self.stayed],
            "tree": [dict(node) for node in self.tree],
            "stopped": self.stopped,
            "nodes": self.nodes,
            "perhaps": list(self.perhaps),
            "scored_by": self.scored_by,
            "prompts": self.prompts,
            "trust": self.trust,
            "by_rules": self.by_rules,
            "objections": list(self.objections),
            "concerns": [one.to_dict() for one in self.concerns],
            "support": [asdict(one) for one in self.support],
        }


def read_revision(value: Mapping[str, Any], failure: ModelError | None = None) -> Revision:
    """The revision that `to_dict` described, as a server tells of it."""
    changes = value["changes"]
    details = [read_detail(row["before"], row) for row in changes]
    return Revision(
        value["text"],
        read_findings(value),
        read_conflicts(value["infeasible"]),
        read_quality(value["quality"]["before"]),
        read_quality(value["quality"]["after"]),
        Usage(**value["usage"]),
        tuple(Change(row["before"], row["after"], row["by"], row["why"]) for row in changes),
        value["stopped"],
        value["nodes"],
        failure,
        refused=value["refused"],
        in_vain=value["in_vain"],
        perhaps=tuple(value["perhaps"]),
        trust=value["trust"],
        by_rules=value["by_rules"],
        objections=tuple(value["objections"]),
        support=tuple(Support(**row) for row in value["support"]),
        concerns=tuple(Concern(**row) for row in value["concerns"]),
        scored_by=value["scored_by"],
        prompts=value["prompts"],
        details=tuple(details) if any(one.before or one.after for one in details) else (),
        stayed=tuple(read_detail(row["text"], row) for row in value["stayed"]),
        tree=tuple(value["tree"]),
    )


@dataclass(frozen=True, slots=True)
class ReviseOptions:
    """How to revise, and when to stop."""

    strategy: Strategy = "search"
    effort: Effort = "medium"
    best_effort: bool = False
    switches: Switches = field(default_factory=Switches)
    plan: Action | None = None
    seed: int = 0
    max_seconds: float | None = None
    rounds: int = ROUNDS
    """Of the strategy `iter`."""
    iterations: int | None = None
    """Of a search, at the most; where it is not given, the effort decides."""
    prompts: Path | None = None
    """A folder of files that stand in the place of our prompts of the same names."""
    scored: bool = True
    """Whether the quality before and after is wanted, where the choice does not need it, and the concerns."""
    sound: bool | None = None
    """Whether a sentence that would obey only by being broken stays as it was; else the setting decides."""

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise InputError(f"unknown strategy {self.strategy!r}; use {', '.join(STRATEGIES)}")
        if self.effort not in EFFORTS:
            raise InputError(f"unknown effort {self.effort!r}; use {', '.join(EFFORTS)}")
        if self.iterations is not None and self.iterations < 1:
            raise InputError(f"a search has at least one iteration, not {self.iterations}")

    @property
    def effort_settings(self) -> EffortSettings:
        """How hard to try: as the effort says, or as published, with the iterations that were asked for."""
        found = TRIPS if self.strategy == "trips" else EFFORT_SETTINGS[self.effort]
        if self.iterations is None:
            return found
        return replace(found, limits=replace(found.limits, iterations=self.iterations))
