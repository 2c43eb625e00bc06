from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from redraft.composition.actions import Action, Limits
from redraft.composition.brief import Brief, Length
from redraft.composition.small_reasoner import SmallReasoner, small_outline
from redraft.composition.small_reviewer import Memory, SentenceChecker, SmallReviewer, sentences_of
from redraft.composition.small_writer import SmallRefiner, SmallWriter
from redraft.composition.state import Section, SectionText, State, count_words, numbered, share_length
from redraft.errors import BadAnswer
from redraft.models import Completion, FloatArray, Request
from tests.revision.fakes import FakeEmbedder

BRIEF = Brief("rain in the city", "for a newspaper", genre="article")

CLEAN = [
    "Rain runs off the roofs and fills the narrow streets.",
    "Old drains carry only a part of the water away.",
    "Trees along the road hold back some of the storm.",
    "People move their cars before the river comes up.",
    "Shops close early when the first puddles appear.",
    "Engineers plan wider pipes under the market square.",
    "Children watch the grey sky from the school windows.",
    "Every garden that is paved over makes the flood worse.",
    "Neighbours lend each other pumps and boots and blankets.",
    "Water finds the lowest cellar before anybody notices.",
    "Parks drink what asphalt sends down to the valley.",
    "After a week the mud is gone and the talk goes on.",
]


class Canned:
    """Answers with sentences from a list, in turn; every other answer begins with a bad one."""

    spec = "embedded"

    def __init__(self, sentences: Iterable[str] = CLEAN, *, bad: str = "", each: int = 2) -> None:
        self.requests: list[Request] = []
        self._sentences = list(sentences)
        self._bad = bad
        self._each = each

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        self.requests.append(request)
        start = 2 * (len(self.requests) - 1)
        count = len(self._sentences)
        return tuple(
            Completion(
                " ".join(
                    [*([self._bad] if self._bad and number % 2 else [])]
                    + [self._sentences[(start + number + place) % count] for place in range(self._each)]
                )
            )
            for number in range(request.n)
        )


def section(words: int | None = 60, *points: str) -> Section:
    return Section(1, "Streets under water", points or ("rain fills the streets",), words)


def drafted(content: str, own: Section) -> State:
    return State("Rain", (own,)).drafted(1, SectionText(content))


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("This essay explains why rain falls on the city.", "text itself"),
        ("Here is a paragraph about the rain in the city.", "text itself"),
        ("This is an article about the rain that falls on us.", "text itself"),
        ("What it is about: rain falls on the city, and the drains are full.", "text itself"),
        ("The author's response shows that the rain is heavy.", "text itself"),
        ("The rain in the city is for the newspaper.", "no more than was asked"),
        ("As an AI language model I cannot see the rain.", "text itself"),
        ("- Rain is wet and the streets are full of it", "middle"),
        ("Rain is *wet* and the streets are full of it.", "mark-up"),
        ("Title: rain in the city and what it does to us:", "does not end"),
        ("In 1987 the rain was worse than in any other year.", "figure"),
        ("“We are drowning in rain,” said the mayor of the city.", "quotes"),
        ("I have always loved the rain in the city at night.", "writer"),
        ("and so the rain came down on the old city again.", "middle"),
        ("Rain.", "short"),
        ("A city of old drains and of narrow streets.", "no verb"),
        ("The rane falls on the roofs of the hole cityy at nihgt.", "error"),
    ],
)
def test_a_sentence_that_cannot_stand_is_seen(sentence: str, why: str) -> None:
    assert why in SentenceChecker(BRIEF).flaw(sentence)


def test_what_can_stand_depends_on_the_genre_and_on_what_was_given() -> None:
    assert not any(SentenceChecker(BRIEF).flaw(sentence) for sentence in CLEAN)
    story = SentenceChecker(replace(BRIEF, genre="story"))
    assert not story.flaw("“We are going home,” she said to the dog.")
    assert "writer" in story.flaw("I walked in the rain of the city all night.")
    own = SentenceChecker(replace(BRIEF, genre="story", style="in the first person"))
    assert not own.flaw("I walked in the rain of the city all night.")
    assert "tense" in story.flaw("The rain is heavy in the old city at night.")
    assert not story.flaw("“The rain is heavy,” she said to the dog.")
    year = SentenceChecker(replace(BRIEF, topic="the flood of 1987"))
    assert not year.flaw("In 1987 the rain was worse than in any other year.")
    named = SentenceChecker(replace(BRIEF, topic="Hamlet"))
    assert named.unknown_names("They speak of Hamlet and of Iago in the hall.") == 1


def test_a_story_has_one_made_up_name_or_those_that_were_given() -> None:
    story = SentenceChecker(replace(BRIEF, genre="story"))
    memory = Memory()
    assert story.has_room_for(story.unknown_names("He saw Emily on the pier.", memory), memory)
    memory.add("He saw Emily on the pier.")
    assert story.has_room_for(story.unknown_names("Later he met Emily again.", memory), memory)
    assert not story.has_room_for(story.unknown_names("Later he met Tom in the harbour.", memory), memory)
    given = SentenceChecker(replace(BRIEF, genre="story", topic="how Anna meets Boris"))
    assert not given.has_room_for(given.unknown_names("Later she saw Tom.", Memory()), Memory())
    assert given.has_room_for(given.unknown_names("Later she saw Boris.", Memory()), Memory())


def test_repeats_are_seen() -> None:
    memory = Memory.of(["Rain runs off the roofs and fills the narrow streets.\n\nOld drains are too small."])
    assert memory.repeats("Again rain runs off the roofs and fills the narrow streets of the town.")
    assert memory.repeats("The rain and the roofs and the rain and the roofs are all there is.")
    assert memory.repeats("Narrow streets: rain fills, runs off roofs.")
    assert memory.repeats("These are the reasons that people give for it.", opens=True)
    assert memory.repeats("They were happy, happy and warm in their house.")
    assert memory.repeats("A slippery slope led them to a slippery slope.")
    assert memory.repeats("Old drains are what many towns still have today.", opens=True)
    assert not memory.repeats("Old drains may burst in winter when ice forms.", opens=True)


def test_a_draft_has_only_clean_sentences_and_the_length_asked_for() -> None:
    model = Canned(bad="Sure, here is the section that you asked for:")
    writer = SmallWriter(model, FakeEmbedder(), 0)
    own = section(60)
    written = asyncio.run(writer.draft(BRIEF, State("Rain", (own,)), own))
    sentences = sentences_of(written.content)
    assert set(sentences) <= set(CLEAN)
    assert len(set(sentences)) == len(sentences)
    assert abs(count_words(written.content) - 60) <= 9


def test_a_draft_says_nothing_that_another_section_said() -> None:
    other = " ".join(CLEAN[:6])
    own = replace(section(40), id=2)
    state = State("Rain", (section(), own)).drafted(1, SectionText(other))
    written = asyncio.run(SmallWriter(Canned(), FakeEmbedder(), 0).draft(BRIEF, state, own))
    assert not set(sentences_of(written.content)) & set(CLEAN[:6])


def test_a_paragraph_is_asked_for_once_where_its_answer_can_be_used() -> None:
    model = Canned([f"{one} {other}" for one, other in pairwise(CLEAN)], each=2)
    own = section(30)
    writer = SmallWriter(model, FakeEmbedder(), 0, "writer")
    written = asyncio.run(writer.draft(BRIEF, State("Rain", (own,)), own))
    (request,) = model.requests
    assert (request.n, request.adapter) == (1, "writer")
    assert request.max_tokens < 2 * 30
    assert abs(count_words(written.content) - 30) <= 9


def test_a_short_answer_is_gone_on_with_and_the_next_paragraph_is_told_what_it_follows() -> None:
    model = Canned(each=2)
    own = section(120)
    asyncio.run(SmallWriter(model, FakeEmbedder(), 0).draft(BRIEF, State("Rain", (own,)), own))
    first, second, *rest = model.requests
    assert second.messages[-1].role == "assistant"
    assert second.messages[-1].content.startswith(CLEAN[0])
    assert second.max_tokens < first.max_tokens
    assert any("It comes after: " in request.messages[0].content for request in rest)


def test_what_has_nothing_to_do_with_the_topic_is_left_out() -> None:
    class Blind(FakeEmbedder):
        async def embed(self, texts: Sequence[str]) -> FloatArray:
            near = [[float("cellar" not in text), float("cellar" in text)] for text in texts]
            return np.array(near, dtype=np.float32)

    own = section(40)
    written = asyncio.run(SmallWriter(Canned(CLEAN[8:]), Blind(), 0).draft(BRIEF, State("Rain", (own,)), own))
    assert "cellar" not in written.content
    assert written.content


def test_nothing_that_can_be_used_is_a_failure_and_not_a_text() -> None:
    model = Canned(["Sure, here is your paragraph about rain."])
    with pytest.raises(BadAnswer, match="nothing that can be used"):
        asyncio.run(
            SmallWriter(model, FakeEmbedder(), 0).draft(BRIEF, State("Rain", (section(),)), section())
        )


def test_a_stanza_is_made_of_lines() -> None:
    model = Canned(
        [
            "The rain is on the roof,\nA river in the lane,\nThe lamps are out tonight,\nAnd we walk home again."
        ],
        each=1,
    )
    poem = replace(BRIEF, genre="poetry")
    own = section(20)
    written = asyncio.run(SmallWriter(model, FakeEmbedder(), 0).draft(poem, State("Rain", (own,)), own))
    lines = written.content.splitlines()
    assert 3 <= len(lines) <= 5
    assert lines[0] == "The rain is on the roof,"
    assert lines[-1].endswith(".")
    state = State("Rain", (own,)).drafted(1, written)
    asyncio.run(SmallRefiner(SmallWriter(model, FakeEmbedder(), 0), FakeEmbedder()).refine(poem, state, own))
    first, again = model.requests
    assert first.seed != again.seed, "the same lines would come again"


def test_a_review_measures() -> None:
    reviewer = SmallReviewer(FakeEmbedder())
    own = section(None, "rain fills the narrow streets")
    clean = asyncio.run(reviewer.review(BRIEF, drafted(" ".join(CLEAN[:4]), own), own))
    assert clean.score >= 8
    assert clean.passed
    text = f"{CLEAN[3]} In this essay we look at 3 storms. {CLEAN[3]}"
    bad = asyncio.run(reviewer.review(BRIEF, drafted(text, own), own))
    assert bad.score == pytest.approx(9.5 - 1.2 - 1.2 - 0.8)
    assert "Said before" in bad.critique
    assert "Nothing is said of: rain fills" in bad.critique
    short = asyncio.run(reviewer.review(BRIEF, drafted(CLEAN[0], section(200)), section(200)))
    assert not short.passed
    assert "about 200" in short.critique


def test_a_refinement_takes_out_what_is_wrong_and_adds_what_is_missing() -> None:
    own = section(40, "rain fills the streets")
    text = f"{CLEAN[3]} In this essay we look at 3 storms. {CLEAN[3]}"
    state = drafted(text, own)
    refiner = SmallRefiner(SmallWriter(Canned(), FakeEmbedder(), 0), FakeEmbedder())
    refined = asyncio.run(refiner.refine(BRIEF, state, own))
    assert "essay" not in refined.content
    assert refined.content.count(CLEAN[3]) == 1
    review = asyncio.run(SmallReviewer(FakeEmbedder()).review(BRIEF, state.refined(1, refined), own))
    before = asyncio.run(SmallReviewer(FakeEmbedder()).review(BRIEF, state, own))
    assert review.score > before.score
    assert review.passed


def test_a_section_that_is_too_long_is_cut_at_a_sentence() -> None:
    own = section(30, "rain fills the streets")
    refiner = SmallRefiner(SmallWriter(Canned(), FakeEmbedder(), 0), FakeEmbedder())
    refined = asyncio.run(refiner.refine(BRIEF, drafted(" ".join(CLEAN[:8]), own), own))
    assert set(sentences_of(refined.content)) <= set(CLEAN)
    assert count_words(refined.content) <= 34


def test_an_outline_has_the_headings_that_were_asked_for() -> None:
    brief = replace(
        BRIEF,
        headings=("Introduction", "Drains", "Rivers", "References"),
        points=("old drains", "how rivers rise"),
    )
    outline = asyncio.run(small_outline(brief, FakeEmbedder()))
    assert [each.title for each in outline.sections] == ["Introduction", "Drains", "Rivers"]
    assert "old drains" in outline.sections[1].points
    assert "how rivers rise" in outline.sections[2].points
    assert "sources" in outline.note


@pytest.mark.parametrize(
    "genre", ["article", "essay", "report", "story", "speech", "letter", "guide", "poetry"]
)
@pytest.mark.parametrize("words", [None, 120, 900, 7000])
def test_an_outline_fits_the_length_and_the_steps(genre: str, words: int | None) -> None:
    length = None if words is None else Length(words, words)
    brief = Brief("rain", genre=genre, length=length)  # type: ignore[arg-type]
    outline = share_length(asyncio.run(small_outline(brief, FakeEmbedder())), length)
    assert 2 <= len(outline.sections) <= 10
    assert len({each.title for each in outline.sections}) == len(outline.sections)
    assert not any(re.search(r"[{}]", point) for each in outline.sections for point in each.points)
    if words is not None:
        assert sum(each.words or 0 for each in outline.sections) == words


def test_a_question_why_is_answered_by_causes() -> None:
    brief = replace(BRIEF, topic="Why cities flood", length=Length(300, 300))
    outline = asyncio.run(small_outline(brief, FakeEmbedder()))
    assert [each.title for each in outline.sections] == ["Introduction", "Causes and Reasons", "Conclusion"]


def test_a_title_is_not_cut() -> None:
    topic = "The causes and consequences of the decline and fall of the Western Roman Empire"
    outline = asyncio.run(small_outline(replace(BRIEF, topic=topic, title=""), FakeEmbedder()))
    assert outline.title == "The Causes and Consequences of the Decline and Fall of the Western Roman Empire"


def test_many_points_are_grouped_in_their_order() -> None:
    points = tuple(f"point number {name}" for name in ("one", "two", "three", "four", "five"))
    brief = replace(BRIEF, points=points, length=Length(900, 900))
    outline = asyncio.run(small_outline(brief, FakeEmbedder()))
    middle = outline.sections[1:-1]
    assert tuple(point for each in middle for point in each.points) == points
    assert (outline.sections[0].title, outline.sections[-1].title) == ("Introduction", "Conclusion")


def test_a_choice_is_one_of_the_allowed_or_a_problem() -> None:
    allowed = (Action("draft", 1), Action("draft", 2))
    state = State("Rain", numbered([("One", []), ("Two", [])]))

    def chosen(answer: str) -> tuple[Action | None, Canned]:
        model = Canned([answer], each=1)
        reasoner = SmallReasoner(model, 0)
        found = asyncio.run(reasoner.choose(BRIEF, state, (), allowed, Limits()))
        return found.action, model

    assert chosen("I will draft")[0] is None
    assert chosen('{"action": "dance 2"}')[0] is None
    action, model = chosen('{"action": "draft 2"}')
    assert action == Action("draft", 2)
    assert '"enum":["draft 1","draft 2"]' in (model.requests[0].schema or "")
