"""What the tests of the parts that ask a model share."""

from __future__ import annotations

from collections.abc import Callable

from redraft.constraints import Findings
from redraft.errors import ContextOverflow
from redraft.models import Completion, Request, Usage
from redraft.quality import Quality
from redraft.revision.records import Action, Feedback, Improvement, Node, Reward


class Answering:
    """A Model that answers by a function of the request; `limit` is its context, in characters."""

    spec = "fake"

    def __init__(self, answer: Callable[[Request], str | Completion], limit: int | None = None) -> None:
        self._answer = answer
        self._limit = limit
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        if self._limit is not None and sum(len(m.content) for m in request.messages) > self._limit:
            raise ContextOverflow("too long")
        self.requests.append(request)
        answer = self._answer(request)
        one = answer if isinstance(answer, Completion) else Completion(answer, usage=Usage(1, 10, 5))
        return (one,) * request.n


def asked(request: Request) -> str:
    """The last thing that a request says."""
    return request.messages[-1].content


def node(
    text: str,
    parent: Node | None = None,
    *,
    thought: str = "",
    plan: tuple[Improvement, ...] = (),
    calls: tuple[str, ...] = (),
    feedback: tuple[Feedback, ...] = (),
) -> Node:
    """A node of a search."""
    action = Action(thought, calls, plan) if parent is not None else None
    return Node(
        id=0 if parent is None else parent.id + 1,
        parent=parent,
        action=action,
        text=text,
        feedback=feedback,
        findings=Findings((), "default"),
        quality=Quality(20.0, None, 0.0, (), None, None),
        reward=Reward(0.5, 0.5),
    )
