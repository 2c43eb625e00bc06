"""What a teacher is asked to write for the writer of compose, and what is kept of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import get_args

from redraft.composition import Genre
from redraft.models import Completion, Request
from redraft.train import Taught, sections_to_teach, teach
from tests.revision.fakes import FakeEmbedder

NOTHING = Completion("", "stop")


class Teacher:
    def __init__(self, *answers: Completion) -> None:
        self.answers = answers
        self.asked: list[Request] = []

    async def complete_all(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        self.asked += requests
        return [(answer,) for answer in self.answers[: len(requests)]]


def section(*points: str) -> Taught:
    return Taught("article", "street trees", "Shade", points, ["" for _ in points], [50 for _ in points])


def test_every_section_says_what_each_paragraph_is_to_be() -> None:
    found = asyncio.run(sections_to_teach(FakeEmbedder()))
    assert {one.genre for one in found} == set(get_args(Genre)) - {"poetry"}
    assert all(one.points and len(one.points) == len(one.angles) == len(one.words) for one in found)
    assert found == asyncio.run(sections_to_teach(FakeEmbedder()))
    assert found != asyncio.run(sections_to_teach(FakeEmbedder(), seed=1))


def test_a_paragraph_comes_after_the_one_before_it() -> None:
    teacher = Teacher(Completion("Trees give shade. Cool air\nfollows.", "stop"))
    (row,) = [one.as_dict() for one in asyncio.run(teach([section("shade", "cost")], teacher))]
    assert row["text"] == "Trees give shade. Cool air follows.\n\nTrees give shade. Cool air follows."
    assert "It comes after" not in teacher.asked[0].messages[-1].content
    assert teacher.asked[1].messages[-1].content.endswith("It comes after: Cool air follows.")


def test_a_sentence_that_breaks_off_is_not_kept() -> None:
    (found,) = asyncio.run(teach([section("shade")], Teacher(Completion("Trees grow. They give", "length"))))
    assert found.paragraphs == ["Trees grow."]


def test_a_section_of_which_nothing_was_written_is_left_out() -> None:
    assert not list(asyncio.run(teach([section("shade")], Teacher(NOTHING))))
