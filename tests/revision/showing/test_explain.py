"""Why each sentence changed, from a trace: by what was recorded, and by trying the changes out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from redraft.constraints import check
from redraft.models import Usage
from redraft.revision.records import Change
from redraft.revision.showing.explain import Explanation, explain
from redraft.revision.showing.trace import Trace, read_trace
from tests.revision.tracing import CALLS, REVISED, quality, small_search, start, write_small


def told(
    folder: Path,
    original: str,
    revised: str,
    calls: Sequence[str] = (),
    changes: Sequence[Change] = (),
    counting: str = "default",
) -> Explanation:
    """The explanation of a run that has no search."""
    with Trace(folder) as trace:
        start(trace, text=original, calls=calls, counting=counting)
        trace.result(
            best=None,
            text=revised,
            findings=check(revised, calls, original=original, counting=counting),
            before=quality(30, 1),
            after=quality(20, 1),
            nodes=(),
            stopped="the model answered",
            usage=Usage(),
            changes=changes,
        )
    return explain(read_trace(folder))


def fates(explanation: Explanation) -> list[tuple[tuple[int, ...], str]]:
    return [(one.sentences, one.fate) for one in explanation.passages]


def test_each_sentence_is_told_with_who_and_why_and_what_for(tmp_path: Path) -> None:
    found = explain(read_trace(write_small(tmp_path)))
    words, leverages, fourth = CALLS
    assert fates(found) == [((1,), "rewritten"), ((2,), "split"), ((3,), "left out"), ((4,), "kept")]
    first, second, third, last = found.passages
    assert (first.by, first.why, first.needed) == ("repair", "'leverages' must not be said", (leverages,))
    assert first.mends == ("The verb must agree.",)
    assert (second.helps, second.mends) == ((words,), ("Use “is” with one result.",))
    assert third.needed == (words,)
    assert last.needed == (fourth,)
    assert [(one.met, one.before, one.after) for one in found.constraints[:2]] == [
        (
            True,
            "31 words; wanted fewer than 25 words: cut at least 7",
            "21 words; wanted fewer than 25 words",
        ),
        (True, '"leverages" occurs 1 time', '"leverages" does not occur'),
    ]
    assert (found.deepest, found.is_finished) == (1, True)


def test_without_recorded_changes_the_texts_are_compared(tmp_path: Path) -> None:
    found = told(
        tmp_path,
        "The old cat sat on the mat. It rained all day. The dog was in the house and it barked at us. Bye now.",
        "The old cat sat on a mat. The dog was in the house. It barked at us. A new thing entirely came. Bye now.",
    )
    assert fates(found) == [
        ((1,), "rewritten"),
        ((2,), "left out"),
        ((3,), "split"),
        ((), "added"),
        ((4,), "kept"),
    ]
    assert found.passages[3].after == "A new thing entirely came."


def test_joined_sentences_and_what_was_added_on_purpose(tmp_path: Path) -> None:
    changes = [
        Change("One came.\nTwo went.", "One came and two went.", "editor", "they are short"),
        Change("", "Four is new.", "repair", "one more sentence was asked for"),
    ]
    found = told(
        tmp_path,
        "One came.\nTwo went.  Three.",
        "One came and two went.  Three. Four is new.",
        changes=changes,
    )
    assert fates(found) == [((1, 2), "joined"), ((3,), "kept"), ((), "added")]
    assert (found.passages[0].by, found.passages[2].why) == ("editor", "one more sentence was asked for")


def test_numbers_are_those_of_the_counting(tmp_path: Path) -> None:
    text = "It is i.e. a test. Keep me."
    found = told(
        tmp_path,
        text,
        text.replace("a test", "an exam"),
        ['sentence_modification_check([3], "unchange")'],
        counting="constrev",
    )
    assert fates(found) == [((1,), "kept"), ((2,), "rewritten"), ((3,), "kept")]
    assert [one.needed for one in found.passages] == [
        (),
        (),
        ('sentence_modification_check([3], "unchange")',),
    ]


def test_a_sentence_that_must_change_needs_its_change(tmp_path: Path) -> None:
    call = 'sentence_modification_check([2], "change")'
    found = told(
        tmp_path,
        "One stays. Two goes.",
        "One stays. Two went.",
        [call],
        [Change("Two goes.", "Two went.", "x", "y")],
    )
    assert [one.needed for one in found.passages] == [(call,), (call,)]


def test_an_interrupted_run_is_told_by_its_best_text(tmp_path: Path) -> None:
    with Trace(tmp_path) as trace:
        start(trace)
        for one in small_search():
            trace.node(one)
    found = explain(read_trace(tmp_path))
    assert (found.is_finished, found.trajectory.text) == (False, REVISED)
    assert [one.fate for one in found.passages] == ["rewritten", "split", "left out", "kept"]
    assert all(one.met for one in found.constraints)


def test_a_run_that_was_stopped_at_once_is_told(tmp_path: Path) -> None:
    with Trace(tmp_path) as trace:
        start(trace)
    found = explain(read_trace(tmp_path))
    assert {one.fate for one in found.passages} == {"kept"}
    assert found.constraints == ()


def test_a_constraint_of_a_kind_that_is_not_installed_is_told_as_recorded(tmp_path: Path) -> None:
    read = read_trace(write_small(tmp_path))
    task = read.task.model_copy(update={"calls": (*read.task.calls, "rhyme_check(2)")})
    found = explain(replace(read, task=task))
    assert found.passages[2].needed == (CALLS[0],)


def test_the_json_holds_it_all(tmp_path: Path) -> None:
    data = json.loads(json.dumps(explain(read_trace(write_small(tmp_path))).to_dict()))
    assert data["asked"]["calls"] == list(CALLS)
    assert [one["fate"] for one in data["sentences"]] == ["rewritten", "split", "left out", "kept"]
    assert (data["tried"], data["usage"]["calls"], data["finished"]) == ({"texts": 3, "depth": 1}, 4, True)


SENTENCES = st.lists(
    st.sampled_from(
        ["The cat sat here.", "A dog barked at it.", "It rained.", "So we left, all of us.", "Why not?"]
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize("counting", ["default", "constrev"])
@settings(max_examples=40)
@given(before=SENTENCES, after=SENTENCES)
def test_every_sentence_is_told_once(
    tmp_path_factory: pytest.TempPathFactory, counting: str, before: list[str], after: list[str]
) -> None:
    original = " ".join(before)
    found = told(
        tmp_path_factory.mktemp("t"),
        original,
        " ".join(after),
        ['word_count_check(9, "less than")'],
        counting=counting,
    )
    numbers = [number for one in found.passages for number in one.sentences]
    assert sorted(numbers) == list(range(1, len(before) + 1))
