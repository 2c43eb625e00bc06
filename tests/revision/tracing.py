"""Searches to write traces of: small ones with known texts, and large ones by chance."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from redraft.constraints import check
from redraft.models import Usage
from redraft.quality import GrammarFinding, Meaning, Quality
from redraft.revision.records import Action, Change, Feedback, Improvement, Node, Reward
from redraft.revision.showing.trace import Trace

ORIGINAL = (
    "We leverages the data of many people. The result, which we found in March, are good and it holds. "
    "It is worth noting that nothing else matters here. Dr. Lee agreed."
)
REVISED = (
    "We use the data of many people. The result, which we found in March, is good. It holds. Dr. Lee agreed."
)
CALLS = (
    'word_count_check(25, "less than")',
    'keyword_keep_removal_check("leverages", "remove")',
    'sentence_modification_check([4], "unchange")',
)
CHANGES = (
    Change(
        "We leverages the data of many people.",
        "We use the data of many people.",
        "repair",
        "'leverages' must not be said",
    ),
    Change(
        "The result, which we found in March, are good and it holds.",
        "The result, which we found in March, is good. It holds.",
        "embedded",
        "the verb does not agree",
    ),
    Change("It is worth noting that nothing else matters here.", "", "repair", "it says the least"),
)


def quality(perplexity: float, grammar: float, findings: Sequence[GrammarFinding] = ()) -> Quality:
    return Quality(perplexity, -1.5, grammar, tuple(findings), Meaning(0.9, ("a number is gone",)), 1.0)


def node(
    id: int,
    parent: Node | None,
    text: str,
    *,
    original: str = ORIGINAL,
    calls: Sequence[str] = CALLS,
    scores: Quality | None = None,
    action: Action | None = None,
    changes: Sequence[Change] = (),
) -> Node:
    findings = check(text, calls, original=original)
    made = Node(
        id=id,
        parent=parent,
        action=action,
        text=text,
        feedback=(Feedback("grammar", 1, "2 errors in <sentence> 2"), Feedback("coherence", None, "fine")),
        findings=findings,
        quality=scores or quality(40.0 - id, 2.0),
        reward=Reward(0.5 + id / 1000, sum(f.met for f in findings) / max(1, len(findings)), 1.0),
        changes=tuple(changes),
        usage=Usage(calls=2, prompt_tokens=100, completion_tokens=20, seconds=0.5),
        visits=1 + id,
        value=0.75,
    )
    if parent is not None:
        parent.children.append(made)
    return made


def start(trace: Trace, text: str = ORIGINAL, calls: Sequence[str] = CALLS, **others: str) -> None:
    given = {
        "counting": "default",
        "format": "text",
        "instruction": "Cut this & never say 'leverages'.",
    } | others
    trace.task(
        text=text,
        calls=calls,
        strategy="search",
        effort="medium",
        seed=7,
        planner="rules",
        reviser="embedded",
        **given,
    )


AGREEMENT = GrammarFinding(83, 86, "Agreement", "Use “is” with one result.", ("is",))
ORIGINAL_QUALITY = quality(
    44.5, 8.0, [GrammarFinding(3, 12, "Agreement", "The verb must agree.", ("leverage",)), AGREEMENT]
)
REVISED_QUALITY = quality(30.25, 0.0)


def small_search() -> list[Node]:
    """The original, a copy that changes nothing, and the text that meets all."""
    root = node(0, None, ORIGINAL, scores=ORIGINAL_QUALITY)
    action = Action(
        "The first sentence says a forbidden word.",
        ("grammar_check()", CALLS[0]),
        (
            Improvement(1, "We leverages the data of many people.", "Say it without 'leverages'."),
            Improvement(4, "Dr. Lee agreed."),
        ),
        "rules",
    )
    copy = node(1, root, ORIGINAL, action=action)
    best = node(2, root, REVISED, action=action, scores=REVISED_QUALITY, changes=CHANGES)
    return [root, copy, best]


def finish(trace: Trace, nodes: Sequence[Node], best: int = 2, changes: Sequence[Change] = CHANGES) -> None:
    chosen = next(one for one in nodes if one.id == best)
    trace.result(
        best=best,
        text=chosen.text,
        findings=chosen.findings,
        before=nodes[0].quality,
        after=chosen.quality,
        nodes=nodes,
        stopped="no further change made it better",
        usage=Usage(calls=4, prompt_tokens=1200, completion_tokens=34, seconds=2.5),
        changes=changes,
    )


def write_small(folder: Path) -> Path:
    """A folder with the trace of the small search."""
    with Trace(folder) as trace:
        start(trace)
        nodes = small_search()
        for one in nodes:
            trace.node(one)
        finish(trace, nodes)
    return folder


def large_search(count: int, text: str, seed: int = 0) -> list[Node]:
    """A tree of any size, each text with some of its words swapped."""
    chance = random.Random(seed)
    nodes = [node(0, None, text, original=text, calls=CALLS[:2])]
    for id in range(1, count):
        parent = chance.choice([one for one in nodes if one.depth < 6 and len(one.children) < 3])
        words = parent.text.split(" ")
        words[chance.randrange(len(words))] = f"<b>{id}</b>"
        nodes.append(node(id, parent, " ".join(words), original=text, calls=CALLS[:2]))
    return nodes
