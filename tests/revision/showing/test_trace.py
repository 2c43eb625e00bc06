"""What a revision leaves on disk survives anything, and never replaces what is not its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from redraft.errors import InputError
from redraft.revision.showing.trace import Trace, read_trace
from tests.revision.tracing import (
    CALLS,
    CHANGES,
    ORIGINAL,
    REVISED,
    finish,
    node,
    small_search,
    start,
    write_small,
)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    read = read_trace(write_small(tmp_path / "new" / "trace"))
    assert (read.task.text, read.task.calls, read.task.seed) == (ORIGINAL, CALLS, 7)
    assert [(one.id, one.parent) for one in read.nodes] == [(0, None), (1, 0), (2, 0)]
    best = read.nodes[2]
    assert (best.text, best.changes, best.plan[0].advice) == (REVISED, CHANGES, "Say it without 'leverages'.")
    assert [one.met for one in best.findings] == [True, True, True]
    assert read.result is not None
    assert (read.result.visits[1], read.result.usage.tokens) == ((2, 0.75), 1234)
    assert [one.id for one in read.best_path] == [0, 2]


def test_each_line_is_on_disk_once_it_is_finished(tmp_path: Path) -> None:
    with Trace(tmp_path / "t") as trace:
        start(trace)
        assert read_trace(tmp_path / "t").nodes == ()
        for count, one in enumerate(small_search(), 1):
            trace.node(one)
            assert len(read_trace(tmp_path / "t").nodes) == count
        assert not (tmp_path / "t" / "search.html").exists()


def test_a_file_cut_anywhere_after_its_first_line_is_read(tmp_path: Path) -> None:
    file = write_small(tmp_path / "t") / "trajectory.jsonl"
    whole = file.read_bytes()
    first = whole.index(b"\n") + 1
    for end in [*range(first, len(whole), 97), len(whole)]:
        file.write_bytes(whole[:end])
        read = read_trace(tmp_path / "t")
        assert len(read.nodes) == min(3, max(0, whole[:end].count(b"\n") - 1))
        assert (read.result is not None) == (end == len(whole))


@settings(max_examples=60)
@given(st.text(st.characters(), max_size=60))
def test_any_text_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("trace")
    with Trace(folder) as trace:
        start(trace, text=text, instruction=text)
        trace.node(node(0, None, text, original=text, calls=()))
    read = read_trace(folder)
    assert (read.task.text, read.task.instruction, read.nodes[0].text) == (text, text, text)


def test_half_a_surrogate_pair_does_no_harm(tmp_path: Path) -> None:
    with Trace(tmp_path) as trace:
        start(trace)
        trace.node(node(0, None, "half a pair \ud83d here"))
    assert read_trace(tmp_path).nodes[0].text == "half a pair \ud83d here"
    assert "half a pair \ufffd here" in (tmp_path / "search.html").read_text(encoding="utf-8")


def test_an_interrupted_run_leaves_a_page_of_what_was_finished(tmp_path: Path) -> None:
    def interrupted() -> None:
        with Trace(tmp_path) as trace:
            start(trace)
            for one in small_search():
                trace.node(one)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    read = read_trace(tmp_path)
    assert (read.result, read.text) == (None, REVISED)
    assert "ended before it had a result" in (tmp_path / "search.html").read_text(encoding="utf-8")


def test_an_older_trace_stays_until_the_new_one_writes(tmp_path: Path) -> None:
    write_small(tmp_path)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with Trace(tmp_path):
        pass
    assert len(read_trace(tmp_path).nodes) == 3
    with Trace(tmp_path) as trace:
        start(trace, text="Another.")
        assert not (tmp_path / "search.html").exists()
    assert (read_trace(tmp_path).task.text, read_trace(tmp_path).nodes) == ("Another.", ())
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_other_folders_and_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work", encoding="utf-8")
    with pytest.raises(InputError, match="holds other files, and no trace"):
        Trace(tmp_path)
    (tmp_path / "trajectory.jsonl").write_text('{"mine": 1}\n', encoding="utf-8")
    with pytest.raises(InputError, match="no trace"):
        Trace(tmp_path)
    with pytest.raises(InputError, match="is a file"):
        Trace(tmp_path / "thesis.tex")
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "has no trajectory.jsonl"),
        ("", "holds nothing"),
        ("Dear diary,\n", "line 1, is not JSON"),
        ("[1]\n", "is no object"),
        ('{"event": "node"}\n', "its first line is not the task"),
        ('{"event": "task"}\n', "line 1, is damaged at text: field required"),
        ('{"event": "task", "text": ""}\noops\n{"event": "result"}\n', "line 2, is not JSON"),
        ('{"event": "task", "text": ""}\n{"event": "node", "id": 1, "parent": 0, "text": "", "reward": {"quality": 1, "constraints": 1}}\n', "out of order"),
    ],
)  # fmt: skip
def test_what_is_no_trace_is_named(tmp_path: Path, content: str | None, says: str) -> None:
    if content is not None:
        (tmp_path / "trajectory.jsonl").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        read_trace(tmp_path)


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="is no folder"):
        read_trace(tmp_path / "a")


def test_events_of_a_later_version_are_passed_over(tmp_path: Path) -> None:
    file = write_small(tmp_path) / "trajectory.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines()
    lines.insert(2, json.dumps({"event": "weather", "sky": "grey"}))
    file.write_text("\n".join(lines), encoding="utf-8")
    assert len(read_trace(tmp_path).nodes) == 3


def test_the_order_of_writing_is_held(tmp_path: Path) -> None:
    with Trace(tmp_path) as trace, pytest.raises(RuntimeError):
        finish(trace, small_search())
    with pytest.raises(InputError):
        read_trace(tmp_path)
