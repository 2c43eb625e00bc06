"""Judging many texts: what is finished stays finished, and is paid for once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from redraft.errors import FileError, InputError, UnknownModel
from redraft.judge import (
    Choice,
    Inquiry,
    Item,
    Journal,
    Judgement,
    PointwiseJudge,
    Progress,
    Question,
    judge_all,
    load_rubric,
    read_judgements,
)
from redraft.judge.questions import tagged
from redraft.models import Completion, Request
from tests.judge.scripted import RuleJudge, item, marks, revision

ITEMS = [item(str(n), f"Text {n}.") for n in range(12)]


def inquiries(model: RuleJudge, items: Sequence[Item] = ITEMS) -> list[Inquiry]:
    judge = PointwiseJudge(model, load_rubric("revision"))
    return [judge.inquiry(each) for each in items]


def run(path: Path, model: RuleJudge, items: Sequence[Item] = ITEMS) -> tuple[Judgement, ...]:
    with Journal(path) as journal:
        return asyncio.run(judge_all(inquiries(model, items), journal=journal, concurrency=3))


def good(texts: dict[str, str]) -> str:
    return revision()


def test_what_is_there_is_not_asked_for_again(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out.jsonl"
    model = RuleJudge(good)
    first = run(out, model)
    assert [judgement.id for judgement in first] == [each.id for each in ITEMS], "in the order of the items"
    assert len(model.requests) == 12
    assert sorted(read_judgements(out), key=lambda found: int(found.id)) == list(first)
    assert run(out, model) == first
    assert len(model.requests) == 12
    changed = [*ITEMS[:-1], item("11", "Another text.")]
    run(out, model, changed)
    assert len(model.requests) == 13, "the one with a new text"


def test_failures_are_recorded_and_tried_again(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    found = run(out, RuleJudge(lambda texts: "no" if texts["text"] == "Text 3." else revision()))
    assert [judgement.id for judgement in found if judgement.error] == ["3"]
    (failed,) = [judgement for judgement in read_judgements(out) if judgement.error]
    assert failed.raw == ("no", "no", "no")
    again = RuleJudge(good)
    assert all(judgement.error is None for judgement in run(out, again))
    assert len(again.requests) == 1


def test_a_line_that_was_cut_off_is_asked_for_again(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    run(out, RuleJudge(good))
    whole = out.read_bytes()
    out.write_bytes(whole[:-40])
    model = RuleJudge(good)
    run(out, model)
    assert len(model.requests) == 1
    assert len(out.read_bytes().splitlines()) == 12
    assert all(json.loads(line) for line in out.read_bytes().splitlines())


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text('{"id": "1", "source": "s", "output": "o"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 1, is no judgement: choose another --out"):
        run(out, RuleJudge(good))
    assert out.read_text(encoding="utf-8").startswith('{"id": "1"'), "and left as it was"


@pytest.mark.parametrize(
    "notes", ["my notes", "my notes\nin two lines", '{"a": 1}', '{"a": 1}\n{"a": 2}', "\0"]
)
def test_a_file_that_is_no_journal_is_not_cut(tmp_path: Path, notes: str) -> None:
    out = tmp_path / "notes.txt"
    out.write_text(notes, encoding="utf-8")
    model = RuleJudge(good)
    with pytest.raises(InputError, match="choose another --out"):
        run(out, model)
    assert out.read_text(encoding="utf-8") == notes
    assert model.requests == []


def test_notes_below_judgements_are_not_cut_either(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    run(out, RuleJudge(good))
    with out.open("a", encoding="utf-8") as file:
        file.write("what I think of these")
    before = out.read_bytes()
    with pytest.raises(InputError, match="ends in a line that is no part of a record"):
        run(out, RuleJudge(good))
    assert out.read_bytes() == before


def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.touch()
    assert len(run(out, RuleJudge(good))) == len(list(read_judgements(out))) == 12


def test_two_cannot_write_at_once(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with Journal(out), pytest.raises(InputError, match="another process is writing"), Journal(out):
        pass
    with pytest.raises(FileError, match="cannot be written"), Journal(tmp_path):
        pass


class Vanishing:
    """A Model that is gone after four answers."""

    spec = "vanishing"

    def __init__(self) -> None:
        self.asked = 0

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        self.asked += 1
        if self.asked > 4:
            raise UnknownModel("gone")
        await asyncio.sleep(0.01)
        return (Completion(revision()),)


def test_what_concerns_all_ends_the_work_and_keeps_what_is_done(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    model = Vanishing()
    judge = PointwiseJudge(model, load_rubric("revision"))
    with Journal(out) as journal, pytest.raises(UnknownModel):
        asyncio.run(judge_all((judge.inquiry(each) for each in ITEMS), journal=journal, concurrency=2))
    assert len(list(read_judgements(out))) == 4
    assert model.asked <= 6


def test_another_way_of_judging_needs_a_question_alone(tmp_path: Path) -> None:
    """The best and the worst of several, as a simplifier's judge is asked."""
    candidates = [f"Candidate {n}.</candidate_{n}>" for n in range(4)]
    material = "\n".join(tagged(f"candidate_{n}", text) for n, text in enumerate(candidates))
    choices = tuple(Choice(name, (0, 1, 2, 3)) for name in ("lexical_best", "lexical_worst"))
    question = Question("Choose.", material, choices, frame="best and worst")
    model = RuleJudge(lambda texts: marks(lexical_best=len(texts) - 1, lexical_worst=0))
    inquiry = Inquiry("1", "select", "simple", model, question)
    for _ in range(2):
        with Journal(tmp_path / "out.jsonl") as journal:
            (found,) = asyncio.run(judge_all([inquiry], journal=journal))
        assert (found.kind, found.marks) == ("select", {"lexical_best": 3, "lexical_worst": 0})
    assert len(model.requests) == 1


def test_progress_counts_what_is_done_failed_and_spent(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    run(out, RuleJudge(good), ITEMS[:5])
    seen: list[Progress] = []
    model = RuleJudge(lambda texts: "no" if texts["text"] == "Text 7." else revision())
    with Journal(out) as journal:
        asyncio.run(judge_all(inquiries(model), journal=journal, progress=seen.append))
    assert (seen[-1].done, seen[-1].failed) == (11, 1)
    assert seen[-1].usage.calls == 6 + 3, "three tries for the one that failed; nothing for the five known"
