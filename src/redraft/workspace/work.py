"""The work of each kind of job: it says how far it is, can be stopped, and gives what `--json` prints."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from redraft.composition import (
    ComposeOptions,
    Limits,
    Outline,
    State,
    Step,
    acompose,
    read_brief,
    read_outline,
)
from redraft.errors import InputError, RedraftError
from redraft.models import (
    CHAT,
    EMBEDDED,
    EMBEDDING,
    SCORING,
    TAGGER,
    Models,
    Request,
    ensure,
    is_pulled,
    known_adapters,
    larger_file,
    pull_larger,
    run_until,
)
from redraft.quality import open_quality
from redraft.revision import (
    Alternative,
    Node,
    ReviseOptions,
    alternatives as find_alternatives,
    arevise,
)
from redraft.settings import Settings
from redraft.simplification import Policy, asimplify, load_policy, policy_names, read_policy
from redraft.workspace import requests
from redraft.workspace.checking import Wanted, constraint_row, finding_row, understood_row, wanted_of
from redraft.workspace.jobs import Job, Kind, Limits as QueueLimits, add_job
from redraft.workspace.requests import format_of
from redraft.workspace.store import Store

Say = Callable[[str, object], None]


@dataclass(frozen=True)
class Desk:
    """What a worker has on its desk for a job: the models, how to say something, and whether to stop."""

    models: Models
    say: Say
    stop: asyncio.Event
    folder: Path
    """Where it may keep what a second try goes on with."""


@dataclass(frozen=True)
class Outcome:
    """What came of a job: what it gives, and the failure that ended it early."""

    result: dict[str, Any]
    failure: RedraftError | None = None


async def revise(asked: requests.Revise, desk: Desk) -> Outcome:
    """Revise a text; the best so far is told as it is found."""
    settings = desk.models.settings
    wanted = await asyncio.to_thread(
        wanted_of, asked.instruction, asked.all_calls, settings, house=asked.house
    )
    desk.say("understood", {**understood_row(wanted.understood), **_further(wanted)})
    await _ready(desk)
    found = await arevise(
        asked.text,
        asked.instruction,
        [*wanted.own, *wanted.house],
        models=desk.models,
        options=ReviseOptions(
            asked.strategy,
            asked.effort,
            asked.best_effort,
            seed=asked.seed,
            max_seconds=asked.max_seconds,
            sound=asked.sound,
        ),
        format=format_of(settings, asked.text),
        documents=asked.sources,
        reached=Best(desk.say),
        settled=lambda one: desk.say("sentence", one.to_dict()),
        stop=desk.stop,
    )
    report = {
        **wanted.marked(found.to_dict(), found.findings),
        **wanted.told(asked.text, settings),
        "refused": found.refused,
    }
    return Outcome(report, found.failure)


def _further(wanted: Wanted) -> dict[str, Any]:
    """The constraints that are not the instruction's."""
    read = set(wanted.understood.instruction.constraints)
    return {"further": [constraint_row(one) for one in wanted.constraints if one not in read]}


class Best:
    """Tells of every text of a search, and of the best as it is found."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._best: tuple[float, float] | None = None

    def __call__(self, node: Node) -> None:
        """Hear of a text."""
        self._say("node", node.to_dict())
        rank = (-node.findings.distance, round(node.reward.total, 9))
        if self._best is not None and rank <= self._best:
            return
        self._best = rank
        rows = [finding_row(one) for one in node.findings]
        self._say("findings", {"met": node.findings.met, "findings": rows})
        self._say("text", {"text": node.text, "value": node.reward.total})


async def simplify(asked: requests.Simplify, desk: Desk) -> Outcome:
    """Simplify a text by a policy."""
    policy = policy_of(asked)
    await _ready(desk)
    found = await asimplify(
        asked.text,
        policy,
        asked.calls,
        models=desk.models,
        instruction=asked.instruction,
        effort=asked.effort,
        format=format_of(desk.models.settings, asked.text),
        best_effort=asked.best_effort,
        seed=asked.seed,
        done=lambda done, of: desk.say("done", {"done": done, "of": of}),
        stop=desk.stop,
    )
    rows = [finding_row(one) for one in found.findings]
    return Outcome({**found.to_dict(), "findings": rows, "refused": found.refused}, found.failure)


async def quality(asked: requests.QualityOf, desk: Desk) -> Outcome:
    """Score a text without a reference, and beside its original."""
    await _ready(desk)
    return await (await run_until(_scored(asked, desk.models), desk.stop))


async def _scored(asked: requests.QualityOf, models: Models) -> Outcome:
    scorer = open_quality(models, format=format_of(models.settings, asked.text))
    if asked.original is None:
        (found,) = await scorer.score([asked.text])
        return Outcome(found.to_dict())
    (found,) = await scorer.score([asked.text], [asked.original])
    alone = open_quality(models, format=format_of(models.settings, asked.original))
    (before,) = await alone.score([asked.original])
    return Outcome({**found.to_dict(), "original": before.to_dict()})


def policy_of(asked: requests.Simplify) -> Policy:
    """The policy of a request: one of ours by its name, or the user's own; never a file of the server's."""
    if asked.own_policy is None:
        if asked.policy not in policy_names():
            raise InputError(f"there is no policy {asked.policy!r}; there are: {', '.join(policy_names())}")
        return load_policy(asked.policy)
    policy, problems = read_policy(asked.own_policy)
    if policy is None:
        raise InputError("the policy cannot be used:\n" + "\n".join(f"  {one}" for one in problems))
    return policy


async def compose(asked: requests.Compose, desk: Desk) -> Outcome:
    """Write a piece; each step and section is told as it is done."""

    async def approve(own: Outline) -> Outline | None:
        if asked.outline is None:
            return None if asked.outline_only else own
        return read_outline(asked.outline)

    await _ready(desk)
    found = await acompose(
        read_brief(asked.topic, asked.style),
        asked.calls,
        models=desk.models,
        options=ComposeOptions(
            asked.protocol, Limits(tau=asked.tau, max_steps=asked.max_steps), seed=asked.seed
        ),
        folder=desk.folder,
        on_step=partial(_tell_step, desk.say),
        stop=desk.stop,
        approve=approve,
    )
    rows = [finding_row(one) for one in found.findings]
    report = {
        **found.to_dict(),
        "findings": rows,
        "waiting": found.waiting,
        "sections": [_section_row(found.state, one) for one in found.state.manuscript],
    }
    return Outcome(report, found.failure)


def _section_row(state: State, number: int) -> dict[str, Any]:
    """What the piece takes of a section."""
    passage = state.manuscript[number]
    score = passage.score if passage.best is None else passage.best[1]
    title = state.section(number).title
    return {
        "id": number,
        "title": title,
        "content": passage.final,
        "score": score,
        "critique": passage.critique,
    }


def _tell_step(say: Say, step: Step, state: State) -> None:
    say("step", step.to_dict())
    say("outline", {"title": state.title, "sections": [one.to_dict() for one in state.sections]})
    section = None if step.action is None else step.action.section
    if section is not None and (passage := state.manuscript.get(section)) is not None:
        told = {"content": passage.content, "score": passage.score, "critique": passage.critique}
        say("section", {"id": section, **told})


async def alternatives(asked: requests.Alternatives, desk: Desk) -> Outcome:
    """Other ways to say a sentence."""
    settings = desk.models.settings
    wanted = wanted_of("", asked.calls, settings, house=asked.house)
    await _ready(desk)
    finding = find_alternatives(
        asked.text,
        asked.number,
        models=desk.models,
        advice=asked.advice,
        constraints=wanted.constraints,
        instruction=asked.instruction,
        original=asked.original,
        n=asked.n,
        format=format_of(settings, asked.text),
    )
    found = await (await run_until(finding, desk.stop))
    return Outcome({"alternatives": [_alternative_row(one) for one in found]})


def _alternative_row(one: Alternative) -> dict[str, Any]:
    findings = [finding_row(each) for each in one.findings]
    unfollowed = [finding_row(each) for each in one.unfollowed]
    return {**one.to_dict(), "findings": findings, "unfollowed": unfollowed}


async def pull(asked: requests.Pull, desk: Desk) -> Outcome:
    """Fetch a larger model."""
    loop = asyncio.get_running_loop()

    def tell(message: str) -> None:
        loop.call_soon_threadsafe(desk.say, "progress", {"message": message})

    root = desk.models.settings.weights()
    adapters = known_adapters(root, asked.name).values()
    found = await asyncio.to_thread(pull_larger, asked.name, root, tell, adapters=adapters)
    return Outcome({"name": found.name, "bytes": found.bytes, "state": found.state})


async def test(asked: requests.TestModel, desk: Desk) -> Outcome:
    """Ask a model one thing."""
    await _ready(desk)
    asking = desk.models.for_role("model").complete(Request.of(asked.prompt, max_tokens=200))
    (found,) = await (await run_until(asking, desk.stop))
    return Outcome({"text": found.text, "problem": found.problem or None, "usage": found.usage.to_dict()})


async def _ready(desk: Desk) -> None:
    """Have the weights of the models before they are asked: a wait has a reason, and it is told."""
    settings, loop = desk.models.settings, asyncio.get_running_loop()
    spec = settings.spec_for("reviser")
    if is_pulled(spec):
        larger_file(spec.partition(":")[2], settings.weights())

    def tell(message: str) -> None:
        loop.call_soon_threadsafe(desk.say, "progress", {"message": message})

    for weights in (SCORING, EMBEDDING, TAGGER, *([CHAT] if spec in EMBEDDED else [])):
        await asyncio.to_thread(ensure, weights, settings.weights(), tell)


Work = Callable[[Any, Desk], Awaitable[Outcome]]
WORK: Final[Mapping[str, tuple[type[requests.Timed], Work]]] = {
    "revise": (requests.Revise, revise),
    "simplify": (requests.Simplify, simplify),
    "compose": (requests.Compose, compose),
    "quality": (requests.QualityOf, quality),
    "alternatives": (requests.Alternatives, alternatives),
    "pull": (requests.Pull, pull),
    "test": (requests.TestModel, test),
}
"""By the kind of job, what it is asked with and who does it."""


def start_job(
    store: Store,
    kind: Kind,
    asked: requests.Timed,
    settings: Settings,
    *,
    client: str = "local",
    key: str | None = None,
    limits: QueueLimits | None = None,
) -> Job:
    """Put a job into the queue; what is wrong with the request is said now, and not by a worker later."""
    chosen = asked.settings(settings)
    wanted_of(getattr(asked, "instruction", ""), getattr(asked, "calls", ()), chosen)
    if isinstance(asked, requests.Simplify):
        policy_of(asked)
    if isinstance(asked, requests.Compose) and asked.outline is not None:
        read_outline(asked.outline)
    request = asked.model_dump(exclude_defaults=True, mode="json")
    return add_job(store, kind, request, client=client, document=asked.document, key=key, limits=limits)
