"""What comes of writing a piece: its text, how it came about, and what it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from redraft.composition.actions import Limits
from redraft.composition.brief import Brief
from redraft.composition.dynamics import Dynamics, dynamics
from redraft.composition.rendering import Markup, convert
from redraft.composition.state import State
from redraft.composition.trajectory import Step
from redraft.constraints import Conflict, Findings
from redraft.errors import FileError, ModelError
from redraft.models import Usage
from redraft.revision import exit_status


@dataclass(frozen=True)
class Composition:
    """A piece: finished, or as far as it came."""

    brief: Brief
    limits: Limits
    state: State
    steps: tuple[Step, ...]
    text: str
    """In Markdown, under the constraints where there are any."""
    findings: Findings
    infeasible: tuple[Conflict, ...]
    usage: Usage
    stopped: str
    """Why the work ended."""
    failure: ModelError | None = None
    interrupted: bool = False
    waiting: bool = False
    """Whether the outline is to be approved before anything else is done."""
    write_error: FileError | None = None
    """Why not all of it is in the folder that keeps the work, where it is not."""
    protocol: str = "fixed"
    prompts: str = ""
    """The hash of the prompts, where they can be replaced."""

    @property
    def title(self) -> str:
        """The title of the piece."""
        return self.state.title

    @property
    def finished(self) -> bool:
        """Whether the agent said that the piece is done."""
        return self.state.finished

    @property
    def notes(self) -> tuple[str, ...]:
        """What the loop did that nobody asked for, such as ending a loop, by step."""
        return tuple(f"step {step.number}: {step.note}" for step in self.steps if step.note)

    @property
    def dynamics(self) -> Dynamics:
        """How the work went, in figures."""
        return dynamics([self.steps], self.limits)

    @property
    def status(self) -> int:
        """The exit status of the command."""
        if self.waiting:
            return 0
        refused = bool(self.infeasible) and not self.steps
        status = exit_status(self.findings, self.failure, interrupted=self.interrupted, refused=refused)
        return status or int(not self.finished or not self.text)

    def rendered(self, markup: Markup) -> str:
        """The text in a mark-up."""
        return convert(self.text, markup, self.brief.language)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `redraft compose --json`."""
        return {
            "title": self.title,
            "text": self.text,
            "finished": self.finished,
            "stopped": self.stopped,
            "protocol": self.protocol,
            **({"prompts": self.prompts} if self.prompts else {}),
            "outline": [section.to_dict() for section in self.state.sections],
            "trajectory": [step.to_dict() for step in self.steps],
            "dynamics": self.dynamics.to_dict(),
            **self.findings.to_dict(),
            "infeasible": [conflict.to_dict() for conflict in self.infeasible],
            "usage": self.usage.to_dict(),
        }
