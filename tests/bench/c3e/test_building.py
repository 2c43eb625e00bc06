"""`redraft bench build c3e` on ten texts of ours, with a service that plays the models."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from redraft.bench.c3e.building.records import WriteCritique
from redraft.bench.c3e.reading import Language, read_entries
from redraft.cli.app import app
from redraft.text import count_words
from tests.bench.c3e.playing import TEXTS, play
from tests.models.scripted import ScriptedServer, fail
from tests.process import Started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScriptedServer]:
    with pytest.MonkeyPatch.context() as patch, ScriptedServer() as scripted:
        patch.setenv("REDRAFT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("REDRAFT_RETRIES", "0")
        patch.setenv("REDRAFT_CONCURRENCY", "1")
        scripted.answers = [play]
        yield scripted


def words(server: ScriptedServer, out: Path, *more: str) -> list[str]:
    fixed = ["bench", "build", "c3e", "--sources", str(TEXTS), "--out", str(out)]
    return [*fixed, "--model", f"{server.url}#tiny", "--writer", f"{server.url}#other", *more]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def english(server: ScriptedServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build that was killed half-way, and resumed."""
    out = tmp_path_factory.mktemp("english") / "out"
    started: list[Started] = []

    def deadly(handler: Any, body: dict[str, Any]) -> None:
        if len(server.requests) == 60:
            started[0].send(signal.SIGKILL)
        else:
            play(handler, body)

    server.answers, server.requests[:] = [deadly], []
    started.append(Started(*words(server, out)))
    assert started[0].ended()[0] == -signal.SIGKILL
    assert not (out / "english.jsonl").exists()
    server.answers = [play]
    assert CliRunner().invoke(app, words(server, out)).exit_code == 2
    result = CliRunner().invoke(app, words(server, out, "--resume"))
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{out / 'english.jsonl'}\n"
    asked = [json.dumps(body) for body in server.requests]
    del asked[59]  # it was not answered
    assert len(set(asked)) == len(asked) > 100, "nothing is asked twice"
    return out


@pytest.fixture(scope="module")
def chinese(server: ScriptedServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build that nothing happened to."""
    out = tmp_path_factory.mktemp("chinese") / "out"
    server.answers = [play]
    assert CliRunner().invoke(app, words(server, out, "--lang", "zh")).exit_code == 0
    return out


def test_records_are_in_the_published_form_and_true_to_their_texts(english: Path) -> None:
    out = english
    entries = list(read_entries(out))
    records = lines(out / "english.jsonl")
    texts = {path.name: path.read_text(encoding="utf-8").strip() for path in TEXTS.iterdir()}
    assert Counter(entry.task for entry in entries) == {"cloze": 6, "end2end": 5, "expand": 6, "edit": 5}
    for record in records:
        assert list(record) == [
            "infer_id", "task_type", "sub_task", "instruction", "input", "reference", "meta",
        ]  # fmt: skip
        text, meta = texts[record["meta"]["source"]], record["meta"]
        if record["task_type"] == "cloze":
            cut = text.removeprefix(record["input"]["prefix"]).removesuffix(record["input"]["suffix"])
            assert 0.2 <= count_words(cut) / count_words(text) <= 0.5
            assert meta["reference_by"] != "source" or record["reference"] == cut
            assert (meta["fallback"] is not None) == ("Allotment" in text)
        elif record["task_type"] != "edit":
            assert abs(int(record["input"]["word"]) - count_words(text)) <= 25
            assert meta["reference_by"] != "source" or record["reference"] == text
        assert (record["reference"].startswith("Superb.")) == (meta["reference_by"] != "source")
    card = json.loads((out / "card.json").read_text(encoding="utf-8"))
    replaced = [record["infer_id"] for record in records if record["meta"]["reference_by"] != "source"]
    assert replaced == ["cloze_en_6"]
    assert (card["references"]["replaced"], card["references"]["compared"]) == (1, 26)
    assert card["marks"]["report"] == {"1": 0, "2": 0, "3": 1, "4": 0, "5": 0}
    assert card["fallback_spans"] == 1
    assert card["dropped"] == {
        "sources": {"wrong language": 2},
        "marks": {"below 4 of 5": 1},
        "end2end": {"the query is too long": 1},
        "critiques": {"the critique tells of another text": 1},
        "comparisons": {"the draft is better than the reference": 1},
        "safety": {"personal data": 3},
    }
    page = (out / "README.md").read_text(encoding="utf-8")
    assert "10.5%" in page
    assert "the right to use" in page


def test_chinese_records_have_the_form_of_the_chinese_file(chinese: Path) -> None:
    out = chinese
    records = {record["task_type"]: record for record in lines(out / "chinese.jsonl")}
    assert {kind: list(record["input"]) for kind, record in records.items()} == {
        "end2end": ["content"],
        "condition": ["outline"],
        "cloze": ["content"],
        "edit": ["content", "critique"],
    }
    assert {entry.language for entry in read_entries(out)} == {"zh"}
    assert {record["sub_task"] for record in lines(out / "chinese.jsonl")} == {"散文", "演讲稿"}


def test_what_fails_stops_nothing_and_is_tried_again(
    server: ScriptedServer, chinese: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    asked: list[int] = []

    def once(handler: Any, body: dict[str, Any]) -> None:
        asked.append(1)
        (fail(500) if len(asked) == 1 else play)(handler, body)

    server.answers = [once]
    result = CliRunner().invoke(app, words(server, out, "--lang", "zh", "--no-cache"))
    assert result.exit_code == 0
    assert "1 pieces of work failed; --resume tries them again" in " ".join(result.stderr.split())
    assert len(lines(out / "chinese.jsonl")) == 4
    assert CliRunner().invoke(app, words(server, out, "--lang", "zh", "--resume")).exit_code == 0
    for name in ("chinese.jsonl", "dropped.jsonl", "card.json", "README.md"):
        assert (out / name).read_bytes() == (chinese / name).read_bytes()


def test_an_error_of_all_ends_the_build(server: ScriptedServer, tmp_path: Path) -> None:
    server.answers = [fail(401)]
    assert CliRunner().invoke(app, words(server, tmp_path / "out", "--no-cache")).exit_code == 4


@pytest.mark.parametrize("spec", ["embedded", "torch"])
def test_the_embedded_model_is_too_small(tmp_path: Path, spec: str) -> None:
    fixed = ["bench", "build", "c3e", "--sources", str(TEXTS), "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(app, [*fixed, "--model", spec])
    assert result.exit_code == 2
    assert "too small to build a benchmark with" in " ".join(result.output.split())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("said", "lang", "fault"),
    [
        ("It drags. Cut the second sentence and let the hand move by itself.", "en", None),
        ("Say again what is said by the aim of it.", "en", None),
        ("Compared with the source text, it drags.", "en", "tells of another text"),
        ("A human would not say this.", "en", "tells of another text"),
        ("The Reference has a dog.", "en", "tells of another text"),
        ("Write that the LONG hand moved, firmly and with a new brightness.", "en", "quotes the text"),
        ("cut " * 301, "en", "too long"),
        ("写得比较空泛，请补一个动作，让前后形成对比。", "en", "another language"),
        ("写得比较空泛，请补一个动作，让前后形成对比。", "zh", None),
        ("与好的版本对比，细节太少。", "zh", "tells of another text"),
        ("像是AI写的，没有细节。", "zh", "tells of another text"),
        ("The draft asserts and shows nothing at all.", "zh", "another language"),
    ],
)
def test_critiques_do_not_tell(said: str, lang: Language, fault: str | None) -> None:
    reference = "Above them the long hand moved, firmly and with a new brightness, eleven minutes behind."
    step = WriteCritique("A draft.", reference, lang)
    found = step._fault(type("Said", (), {"critique": said})())  # type: ignore[arg-type]
    assert (found is None) if fault is None else (found is not None and fault in found)
