"""The outline and the next action with the embedded model.

The outline follows from the brief: its headings and points, or the genre where it names none. To choose an
action, the model is asked a short question whose answer is one of a few words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from redraft.composition.actions import Action, Choice, Limits
from redraft.composition.asking import prompt
from redraft.composition.brief import Brief, subject
from redraft.composition.form import Genre
from redraft.composition.model_roles import read_choice
from redraft.composition.state import Outline, State, numbered
from redraft.composition.trajectory import Step
from redraft.models import Embedder, Model, Request, schema_text
from redraft.quality import listed

MOST: Final = 10
"""Sections: so many can be drafted, reviewed and some of them refined within the usual steps."""
WORDS: Final = 220
"""Of a section, where there is a choice."""
STANZA: Final = 28
_HEADING_WORDS: Final = 8
"""Of a heading that is made out of a point; a title is never cut."""
_SMALL: Final = listed("and or of the a an in on to for with by at from as vs")
"""Words that have no capital in a heading, and do not end one."""
_SOURCES = re.compile(
    r"\b(?:references?|reference list|works cited|bibliography|citations?|sources)\b", re.IGNORECASE
)
_VERB = re.compile(
    r"^(?:(?:open|begin|start|conclude|close|end|finish)\s+(?:with|by|on)|argue that|tell)\s+", re.IGNORECASE
)
"""What is said of a point, and not part of it."""
_OPENS: Final = ("Introduction", "{subject}: what it is about, and why it matters")
_CLOSES: Final = ("Conclusion", "{subject}: what follows from all this")

Facets = tuple[tuple[str, str], ...]
_EXPLAINED: Final[Facets] = (
    ("Background", "{subject}: how it came about"),
    ("How It Works", "{subject}: the main parts, and how they work together"),
    ("Causes and Reasons", "{subject}: the reasons behind it"),
    ("Effects", "{subject}: what it does to people and to the places where they live"),
    ("Difficulties", "{subject}: the problems and limits that come with it"),
    ("What Can Be Done", "{subject}: what people and communities can do"),
    ("Different Views", "{subject}: how people disagree about it"),
    ("Looking Ahead", "{subject}: how it may change in the future"),
)
_WHY = re.compile(r"why\b", re.IGNORECASE)
_OF_WHY: Final = ("Causes and Reasons", "Effects", "What Can Be Done")
"""What comes first where the question is why."""
_FACETS: Final[dict[Genre, Facets]] = {
    "story": (
        ("The Beginning", "the main character and the place, on an ordinary day"),
        ("Something Happens", "something happens that changes the day"),
        ("Trouble", "things become harder, and there is a choice to make"),
        ("The Turning Point", "the main character decides, and acts"),
        ("The End", "how it ends, and what is different now"),
    ),
    "speech": (
        ("Welcome", "a warm welcome, and why we are here today"),
        ("Where We Stand", "{subject}: how things are today"),
        ("What Is at Stake", "what we may lose, and what we may win"),
        ("What We Can Do", "what each of us can do"),
        ("Closing Words", "hope for the future, and thanks"),
    ),
    "letter": (
        ("Opening", "a friendly greeting, and the reason for writing"),
        ("The Matter", "{subject}: what has happened, and what is asked for"),
        ("Closing", "a wish, and thanks"),
    ),
    "guide": (
        ("Before You Start", "{subject}: what you need"),
        ("First Steps", "{subject}: how to begin"),
        ("Doing It Well", "how to do it well"),
        ("Common Mistakes", "mistakes that people make, and how to avoid them"),
        ("Going Further", "what to try next"),
    ),
    "poetry": (
        ("Morning", "light, and the beginning of {subject}"),
        ("Noon", "the heart of {subject}"),
        ("Evening", "what is lost, and what stays, of {subject}"),
        ("Night", "quiet, and hope"),
    ),
}


async def small_outline(brief: Brief, embedder: Embedder) -> Outline:
    """The sections that were asked for by name, or groups of the points, or what the genre has."""
    about = subject(brief)
    title = brief.title or _titled(about.split())
    headings = [heading for heading in brief.headings if not _SOURCES.search(heading)]
    points = [_VERB.sub("", point) for point in brief.points if not _SOURCES.search(point)]
    if len(headings) > 1:
        parts = await _under(headings[:MOST], points, about, embedder)
    elif points:
        parts = _grouped(points, brief, about)
    else:
        parts = _by_genre(brief, about)
    asked = any(_SOURCES.search(each) for each in (*brief.headings, *brief.points))
    note = "the list of sources is left to you: a model of this size would make them up" if asked else ""
    return Outline(title, numbered(parts), note)


Parts = list[tuple[str, Sequence[str]]]


async def _under(headings: Sequence[str], points: Sequence[str], about: str, embedder: Embedder) -> Parts:
    """Each point under the heading that it is nearest to; a heading without points speaks for itself."""
    mine: list[list[str]] = [[] for _ in headings]
    if points:
        near = (await embedder.embed(list(points))) @ (await embedder.embed(list(headings))).T
        for point, likeness in zip(points, near, strict=True):
            mine[int(likeness.argmax())].append(point)
    return [
        (heading, own or [f"{heading.lower()} of {about}"])
        for heading, own in zip(headings, mine, strict=True)
    ]


def _grouped(points: Sequence[str], brief: Brief, about: str) -> Parts:
    framed = brief.genre not in _FACETS and _count(brief) > 3
    count = min(len(points), _count(brief) - 2 * framed)
    size, rest = divmod(len(points), count)
    parts: Parts = []
    start = 0
    for number in range(count):
        end = start + size + (number < rest)
        own = points[start:end]
        parts.append((_headline(own[0]), own))
        start = end
    if framed:
        opens, closes = ((name, [told.format(subject=about)]) for name, told in (_OPENS, _CLOSES))
        parts = [opens, *parts, closes]
    return parts


def _by_genre(brief: Brief, about: str) -> Parts:
    facets = _FACETS.get(brief.genre)
    if facets is None:
        explained = (
            sorted(_EXPLAINED, key=lambda facet: facet[0] not in _OF_WHY) if _WHY.match(about) else _EXPLAINED
        )
        facets = (_OPENS, *explained[: max(_count(brief) - 2, 1)], _CLOSES)
    facets = facets[: max(_count(brief), 2)] if brief.genre in ("poetry", "letter") else facets
    return [(name, [told.format(subject=about)]) for name, told in facets]


def _count(brief: Brief) -> int:
    """How many sections the length asks for."""
    size = STANZA if brief.genre == "poetry" else WORDS
    words = brief.length.target if brief.length else 4 * size
    return min(max(round(words / size), 3), MOST)


def _headline(text: str) -> str:
    """A heading out of a few words."""
    return _titled(text.split()[:_HEADING_WORDS])


def _titled(words: Sequence[str]) -> str:
    """Words with the capitals of a title, and with none that leads on to what is not there."""
    short = " ".join(words).strip(" .,:;!?")
    found = [
        word if place and word.lower() in _SMALL else word[:1].upper() + word[1:]
        for place, word in enumerate(short.split())
    ]
    while found and found[-1].lower() in _SMALL:
        found.pop()
    return " ".join(found) or "Untitled"


_TEMPERATURE: Final = 0.3


class SmallOutliner:
    """Plans by what was asked for; no model is asked."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def outline(self, brief: Brief) -> Outline:
        """The outline that the brief itself asks for."""
        return await small_outline(brief, self._embedder)


class SmallReasoner:
    """Chooses among the words that it is offered."""

    def __init__(self, model: Model, seed: int) -> None:
        self._model = model
        self._seed = seed

    async def choose(
        self,
        brief: Brief,
        state: State,
        steps: Sequence[Step],
        allowed: Sequence[Action] | None,
        limits: Limits,
    ) -> Choice:
        """One of the allowed, by a schema that has no others; or whatever it says in that place."""
        last = steps[-1] if steps else None
        asked = prompt(
            "small/choose",
            sections="\n".join(f"{each.id}. {each.title}: {each.status}" for each in state.sections)
            or "no outline yet",
            last="nothing" if last is None else f"{last.action or last.said[:40]}",
            failed=f" It failed: {last.error}" if last is not None and last.error else "",
        )
        spoken: dict[str, object] = {"type": "string"}
        if allowed is not None:
            spoken["enum"] = [str(action) for action in allowed]
        schema = {
            "type": "object",
            "properties": {"action": spoken},
            "required": ["action"],
            "additionalProperties": False,
        }
        request = Request.of(
            asked,
            max_tokens=40,
            temperature=_TEMPERATURE,
            # The same question after another step is asked anew.
            seed=self._seed + len(steps),
            schema=schema_text(schema),
        )
        (completion,) = await self._model.complete(request)
        return read_choice(completion.text)
