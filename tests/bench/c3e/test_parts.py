"""The parts of a build that need no model: what is cut out, what is personal, what is quoted, what is dropped."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from redraft.bench.c3e.building.asking import Genre, rubric_of
from redraft.bench.c3e.building.records import WriteInstruction, locate, middle, rounded, share
from redraft.bench.c3e.building.sources import personal, read_c3e_sources
from redraft.errors import InputError
from redraft.judge import PointwiseJudge
from redraft.text import Span
from tests.bench.c3e.playing import TEXTS
from tests.models.scripted import FakeModel

TEXT = (
    "The mill stood idle all winter. Nobody came.\n\n"
    "“Listen,” said Ruth — and the wheel\nturned once. It was the thaw.\n\n"
    "By noon the yard was loud with water. Nobody came.\nThe miller's son oiled the gate and waited for grain."
)


def cut(first: str, last: str) -> str:
    found = locate(TEXT, first, last)
    return TEXT[found.start : found.end] if isinstance(found, Span) else found


def test_a_span_is_found_whatever_its_spaces_quotes_and_dashes() -> None:
    passage = TEXT.split("\n\n")[1]
    assert cut('"Listen," said Ruth - and the wheel turned once.', "It was the thaw.") == passage
    assert cut("“Listen,”  said Ruth", "It was the thaw") == passage


def test_of_two_places_the_one_that_fits_is_taken() -> None:
    assert cut("It was the thaw.", "Nobody came.").endswith("loud with water. Nobody came.")


@pytest.mark.parametrize(
    ("first", "last", "problem"),
    [
        ("It was not the thaw.", "Nobody came.", "the first sentence is not in the text"),
        ("It was the thaw.", "Somebody came.", "the last sentence is not in the text"),
        ("", "Nobody came.", "the first sentence is not in the text"),
        ("By noon the yard was loud with water.", "It was the thaw.", "stands before the first"),
        ("The mill stood idle", "waited for grain.", "the span is 100% of the text"),
        ("It was the thaw.", "It was the thaw.", "the span is 10% of the text"),
        ("he mill stood idle all winter.", "Nobody came.", "the first sentence is not in the text"),
    ],
)
def test_a_span_that_cannot_be_used_is_explained(first: str, last: str, problem: str) -> None:
    assert problem in cut(first, last)


@pytest.mark.parametrize("path", sorted(TEXTS.iterdir()), ids=lambda path: path.name)
def test_there_is_a_middle_of_whole_paragraphs(path: Path) -> None:
    text = path.read_text(encoding="utf-8").strip()
    span = middle(text)
    assert span is not None
    assert 0.2 <= share(text, span) <= 0.5
    assert text[span.start - 2 : span.start] == text[span.end : span.end + 2] == "\n\n"


def test_a_text_without_paragraphs_is_cut_by_sentences() -> None:
    text = "One came home. Two stayed out. Three went on. Four fell asleep. Five woke up."
    span = middle(text)
    assert span is not None
    assert text[span.start : span.end] in ("Two stayed out. Three went on.", "Three went on.")
    assert middle("A single sentence that cannot be cut.") is None


def test_a_long_text_is_cut_at_once() -> None:
    began = time.process_time()
    text = " ".join(f"The {number} men came home." for number in range(1000))
    assert middle(text) is not None
    assert locate(text, "The", "home.") == (
        "not found: there are many places that begin or end so; give whole sentences"
    )
    assert time.process_time() - began < 30


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Write to ann.lee@example.org today.", "e-mail address"),
        ("Call +44 20 7946 0958 now.", "phone number"),
        ("Call (212) 555-0147 now.", "phone number"),
        ("Ask for her: 212-555-0147.", "phone number"),
        ("Tel: 7946 0958", "phone number"),
        ("联系电话：010-6552 9988", "phone number"),
        ("手机13912345678找他", "phone number"),
        ("His number is 078-05-1120.", "identity number"),
        ("身份证号11010519491231002X。", "identity number"),
        ("Paid with 4111 1111 1111 1111.", "card number"),
        ("The tower has 1,040 steps and was built in 1889-1891.", None),
        ("It sold 12 000 000 copies between 1990 and 2005.", None),
        ("ISBN 978-0-306-40615-7, order 11010519491231002", None),
        ("Napoleon Bonaparte met Goethe at Erfurt on 1808-10-02.", None),
        ("全市共有123456789012345678粒种子。", None),
    ],
)
def test_personal_data_by_rule(text: str, kind: str | None) -> None:
    assert personal(text) == kind


def test_every_genre_has_a_name_in_both_languages_and_a_rubric_with_a_whole() -> None:
    for genre in Genre:
        assert genre.named("zh") != genre.named("en") == genre.value
        rubric = rubric_of(genre)
        assert PointwiseJudge(FakeModel([]), rubric).rubric.aspects[-1].name == "overall"
        assert all(aspect.scale and aspect.scale.labels == (1, 2, 3, 4, 5) for aspect in rubric.aspects)
    assert rubric_of(Genre.CONTRACT).name == "report"


def test_lengths_are_asked_for_as_they_were_counted() -> None:
    assert [rounded(count) for count in (3, 146, 260, 333, 1234)] == [10, 150, 260, 350, 1200]
    step = WriteInstruction("word " * 500, "en", "end2end")

    def fault(query: str) -> str | None:
        return step._fault(type("Said", (), {"model_dump": lambda self: {"query": query}})())  # type: ignore[arg-type]

    for query in ("In about 500 words.", "A 450-word essay.", "Write 400 to 600 words.", "Say it simply."):
        assert fault(query) is None
    for query in ("In 1,500 words.", "A 300-word essay.", "Write 700–900 words."):
        assert "asks for another length" in str(fault(query))
    assert "another language" in str(fault("写一篇关于城市与雨的文章，五百字。"))
    assert "too long" in str(fault("please " * 101))
    assert "quotes the text" in str(fault("word " * 8))


def test_texts_of_no_use_are_left_out_with_the_reason(tmp_path: Path) -> None:
    essay, story = (
        (TEXTS / name).read_text(encoding="utf-8") for name in ("essay-ladders.txt", "story-clock.txt")
    )
    folder = tmp_path / "texts"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text(essay, encoding="utf-8")
    (folder / "b.md").write_text("## Again\n\n" + essay.replace("ladder", "LADDER")[100:], encoding="utf-8")
    (folder / "c.txt").write_text("Too short.", encoding="utf-8")
    (folder / "d.txt").write_text(
        (TEXTS / "zh-essay-bridge.txt").read_text(encoding="utf-8"), encoding="utf-8"
    )
    (folder / "e.txt").write_text(f"{story}\nada@example.org", encoding="utf-8")
    (folder / "f.txt").write_text("the and of to " * 2000, encoding="utf-8")
    (folder / "sub" / "g.jsonl").write_text(json.dumps({"text": story}) + "\n", encoding="utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    found = read_c3e_sources([folder, folder / "a.txt"], "en")
    assert [(one.number, one.name) for one in found.usable] == [(0, "a.txt"), (6, "sub/g.jsonl#1")]
    assert {one.source: one.reason for one in found.dropped} == {
        "b.md": "duplicate",
        "c.txt": "too short",
        "d.txt": "wrong language",
        "e.txt": "personal data: e-mail address",
        "f.txt": "too long",
        "a.txt (2)": "duplicate",
    }
    with pytest.raises(InputError, match="none of the sources is of use: too short"):
        read_c3e_sources([folder / "c.txt"], "en")
