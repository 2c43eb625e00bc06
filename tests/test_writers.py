"""The writers' set: what it holds, revising it whatever fails, the blind sheet, and the counts."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from benchmarks.writers import (
    SET,
    Outcome,
    Process,
    interval,
    judge_sheet,
    open_claims,
    outcomes,
    read_rows,
    revise_item,
    run,
    tally,
    write_rows,
)

from redraft.errors import ConnectionFailed, InputError
from redraft.revision import ReviseOptions
from redraft.runs import Results
from tests.revision.asking_parts import Answering
from tests.revision.test_revising import Failing, Offline

FACTS = {"system": "scripted", "effort": "low"}
ITEMS = [{"id": name} for name in ("letter-1", "letter-2", "letter-3", "letter-4")]


def answer(text: str, **more: Any) -> dict[str, Any]:
    return {
        "result": {"text": text, "infeasible": [], **more},
        "status": 0,
        "error": None,
        "seconds": 0.1,
    }


def answering(pipe: Connection) -> None:
    """A process that ends at the second item and hangs at the third."""
    while True:
        name = pipe.recv()["id"]
        if name == "letter-2":
            os._exit(1)
        if name == "letter-3":
            time.sleep(600)
        pipe.send(answer(name))


class Hurried(Process):
    """Waits for the item that hangs no longer than it must, and for others as long as a busy machine takes."""

    def ask(self, item: dict[str, Any], seconds: float) -> dict[str, Any]:
        return super().ask(item, 0.1 if item["id"] == "letter-3" else seconds)


class Scripted(Process):
    """Answers at once, in this process."""

    def __init__(self) -> None:
        super().__init__(answering)
        self.asked: list[str] = []

    def ask(self, item: dict[str, Any], seconds: float) -> dict[str, Any]:
        self.asked.append(item["id"])
        return answer(f"{item['id']}, revised")


def outputs(path: Path, found: dict[str, dict[str, Any]]) -> Path:
    write_rows(path, [{"id": name, **FACTS, **one} for name, one in found.items()])
    return path


def test_the_set_has_twelve_kinds_as_often_in_every_part_that_was_written_at_once() -> None:
    items = read_rows(SET)
    assert len({item["id"] for item in items}) == len({item["text"] for item in items}) == 388
    kinds = Counter(
        item["kind"] for item in items if item["part"] not in ("latest", "blind", "unread", "novel")
    )
    assert set(kinds.values()) == {24}
    assert {
        item["kind"] for item in items if item["part"] not in ("blind", "unread", "novel")
    } == kinds.keys()
    parts = Counter(item["part"] for item in items)
    assert parts == {
        "development": 30,
        "aside": 30,
        "fresh": 48,
        "fresher": 24,
        "newest": 36,
        "errors": 12,
        "unseen": 36,
        "later": 36,
        "recent": 36,
        "latest": 30,
        "blind": 30,
        "unread": 20,
        "novel": 20,
    }
    for item in items:
        assert set(item) == {"id", "kind", "text", "instruction", "format", "part", "watch"}
        assert item["format"] in ("text", "markdown", "latex")
        assert item["watch"]


def test_an_item_that_fails_is_an_error_and_the_others_are_revised(tmp_path: Path) -> None:
    results = Results(tmp_path / "out.jsonl", "id")
    asyncio.run(run(ITEMS, results, FACTS, [Hurried(answering)], seconds=240))
    found = results.latest()
    assert [name for name, record in found.items() if record["error"] is None] == ["letter-1", "letter-4"]
    assert "ended" in found["letter-2"]["error"]
    assert "stopped after" in found["letter-3"]["error"]


def test_a_run_goes_on_where_it_stopped_and_mixes_no_two_systems(tmp_path: Path) -> None:
    failed = answer("") | {"result": None, "error": "no"}
    path = outputs(tmp_path / "out.jsonl", {"letter-1": answer("done"), "letter-2": failed})
    process = Scripted()
    asyncio.run(run(ITEMS, Results(path, "id"), FACTS, [process], seconds=1))
    assert process.asked == ["letter-2", "letter-3", "letter-4"]
    assert Results(path, "id").latest()["letter-1"]["result"]["text"] == "done"
    with pytest.raises(InputError, match="another effort"):
        asyncio.run(run(ITEMS, Results(path, "id"), FACTS | {"effort": "high"}, [process], seconds=1))


def test_an_item_has_the_json_of_the_command_or_the_error(tmp_path: Path) -> None:
    item = {"text": "Bees make honey. They live in hives.", "instruction": "Improve it.", "format": "text"}
    options = ReviseOptions("direct")
    good = Offline(Answering(lambda _: "Bees live in hives and make honey."), tmp_path)
    found = asyncio.run(revise_item(item, good, options))
    assert found["error"] is None
    assert json.loads(json.dumps(found))["result"]["text"]
    bad = Offline(Failing(ConnectionFailed("nobody there")), tmp_path)
    assert "nobody there" in asyncio.run(revise_item(item, bad, options))["error"]
    odd = asyncio.run(revise_item(item | {"text": None}, good, options))
    assert odd["error"]
    assert odd["result"] is None


def test_the_sheet_is_blind_and_shows_the_same_text_once(tmp_path: Path) -> None:
    failed = answer("") | {"result": None, "error": "stopped"}
    before = outputs(
        tmp_path / "before.jsonl", {"letter-1": answer("A."), "letter-2": answer("B."), "letter-3": failed}
    )
    after = outputs(
        tmp_path / "after.jsonl",
        {
            "letter-1": answer("A."),
            "letter-2": answer("C.", concerns=["sentence 1"], objections=["8 became 9"]),
        },
    )
    sheet, key = judge_sheet([before, after])
    assert sorted(row["output"] for row in sheet) == ["A.", "B.", "C."]
    shown = json.dumps(sheet)
    assert not any(
        word in shown for word in ("before.jsonl", '"after"', "system", "sentence 1", "8 became 9")
    )
    systems = {row["number"]: [one["system"] for one in row["systems"]] for row in key}
    assert systems[next(row["number"] for row in sheet if row["output"] == "A.")] == ["before", "after"]
    assert systems[None] == ["before"]
    assert any(one["named"] == ["sentence 1", "8 became 9"] for row in key for one in row["systems"])
    assert judge_sheet([before, after]) == (sheet, key)


def test_a_claim_is_named_only_where_somebody_says_so() -> None:
    sheet = [
        {"number": 1, "verdict": "no", "lost": ["the fee"]},
        {"number": 2, "verdict": "touch", "lost": []},
    ]
    key = [
        {
            "number": 1,
            "id": "letter-1",
            "systems": [{"system": "a", "named": []}, {"system": "b", "named": ["fee"]}],
        },
        {"number": 2, "id": "letter-2", "systems": [{"system": "a", "named": []}]},
        {"number": None, "id": "letter-2", "systems": [{"system": "b", "named": []}]},
    ]
    claims = list(open_claims(sheet, key))
    assert [(row["system"], row["claim"], row["says"], row["named"]) for row in claims] == [
        ("b", "the fee", ["fee"], None)
    ]
    assert all(one.unnamed == one.lost for one in outcomes(sheet, key, claims))
    found = list(outcomes(sheet, key, [claims[0] | {"named": True}]))
    assert [(one.system, one.verdict, one.unnamed) for one in found] == [
        ("a", "no", ("the fee",)),
        ("b", "no", ()),
        ("a", "touch", ()),
        ("b", "no", ()),
    ]
    with pytest.raises(InputError, match="row 2"):
        list(outcomes(sheet[:1], key, []))


def test_the_table_counts_by_system_and_part() -> None:
    verdicts = ("acceptable", "touch", "no", "no")
    found = [Outcome("a", f"i{at}", verdict, ("x",) * (at == 2)) for at, verdict in enumerate(verdicts)]
    rows = list(tally(found, dict.fromkeys(("i0", "i1", "i2"), "aside") | {"i3": "development"}))
    assert any(
        row.startswith("| a | all | 4 | 1 | 1 | 2 | 50% [") and row.endswith("| 1 | 0 |") for row in rows
    )
    assert any(row.startswith("| a | aside | 3 | 1 | 1 | 1 | 67% [") for row in rows)
    low, high = interval([True, False] * 20)
    assert 0.3 < low < 0.5 < high < 0.7
    assert interval([True] * 5) == (1.0, 1.0)
