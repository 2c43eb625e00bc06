"""Rows from clean text: what is taken, what is passed over, what is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from redraft.cli.app import app
from redraft.errors import FileError, InputError
from redraft.train.damage.profile import Profile, load_profile
from redraft.train.rows import read_rows
from redraft.train.synthesise import clean_texts, damage_texts, is_clean_target, text_spans

TEXTS = (
    "The students have many books, and they enjoy reading them at home in the evening.",
    "The number of cars in the city is growing because people do not like to wait for the bus.",
    "He stayed at home. It was raining, so she did not want to go to the school with them.",
)


def test_a_row_depends_on_its_seed_text_and_repeat_alone() -> None:
    profile = load_profile("learner")
    forward = {(row.target, row.input) for row, _ in damage_texts(TEXTS, profile, 7, per_text=3)}
    backward = {(row.target, row.input) for row, _ in damage_texts(reversed(TEXTS), profile, 7, per_text=3)}
    assert forward == backward
    assert forward != {(row.target, row.input) for row, _ in damage_texts(TEXTS, profile, 8, per_text=3)}
    assert len(forward) > 6


def test_rows_are_streamed() -> None:
    def endless() -> Iterator[str]:
        while True:
            yield TEXTS[0]

    assert next(damage_texts(endless(), load_profile("web"), 1))[0].source == "synthetic:web"


@pytest.mark.parametrize(
    ("rates", "task"),
    [({"spelling": 9.0}, "fluency"), ({"wordiness": 30.0}, "clarity"), ({"run_on": 30.0}, "coherence")],
)
def test_tasks(rates: dict[str, float], task: str) -> None:
    rows = damage_texts((TEXTS[2],), Profile("one", rates, clean=0.0), 1)
    assert [row.task for row, _ in rows] == [task]


def test_a_text_with_no_place_for_an_error_gives_no_row() -> None:
    assert list(damage_texts(("Go.",), Profile("one", {"fragment": 9.0}, clean=0.0), 1)) == []
    spared = list(damage_texts(("Go.",), Profile("one", {"fragment": 9.0}, clean=1.0), 1))
    assert [(row.input, row.target) for row, _ in spared] == [("Go.", "Go.")]


UNFIT = (
    "Too short.",
    "word " * 80 + ".",
    "The sentence does not end in a stop",
    'He said that "this is the end of it.',
    "The box (of the old man is here now.",
    "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 is the row of 11, 12, 13 and 14.",
    "THE WHOLE OF THE TEXT IS IN CAPITALS HERE.",
    "the spaces are wrong here , as some corpora have it .",
    "He doesnt know what is in the house.",
    "They recieve the letters in the morning.",
    "This is an entrepreneurs idea of the world.",
    "Das ist ein Satz, der nicht in der Sprache ist.",
    "The value \\alpha is in the set of the letters.",
    "It is the end.The next one is here too.",
    "The the dog is in the house.",
)


@pytest.mark.parametrize("text", UNFIT)
def test_unfit(text: str) -> None:
    assert not is_clean_target(text)


@pytest.mark.parametrize(
    "text", [*TEXTS, 'She says "it is late" and goes to the door.', "the dog is in the old house."]
)
def test_fit(text: str) -> None:
    assert is_clean_target(text)


def test_stretches_are_of_one_to_three_sentences_and_lose_nothing() -> None:
    text = " ".join(f"This is the number {number} of the sentences." for number in range(20))
    found = list(text_spans(text))
    assert " ".join(found) == text
    assert {one.count(".") for one in found} == {1, 2, 3}


def test_clean_texts_from_files(tmp_path: Path) -> None:
    plain = tmp_path / "a.txt"
    plain.write_text(f"{TEXTS[0]}\n\nToo short.\n\n{TEXTS[1]}\n", encoding="utf-8")
    lines = tmp_path / "b.jsonl"
    lines.write_text(
        json.dumps({"target": TEXTS[2], "text": "x"}) + "\n" + json.dumps({"text": TEXTS[0]}) + "\n",
        encoding="utf-8",
    )
    found = list(clean_texts([plain, lines]))
    assert [where for where, _ in found] == ["a.txt", "a.txt", "b.jsonl", "b.jsonl"]
    assert [text for _, text in found] == [TEXTS[0], TEXTS[1], TEXTS[2], TEXTS[0]]


def test_bad_files_are_told(tmp_path: Path) -> None:
    bad = tmp_path / "b.jsonl"
    bad.write_text('{"input": "x"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 1: needs a field `target` or `text`"):
        list(clean_texts([bad]))
    bad.write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 1: needs .* but is not JSON"):
        list(clean_texts([bad]))
    with pytest.raises(FileError, match=r"none\.txt: there is no such file"):
        list(clean_texts([tmp_path / "none.txt"]))
    with pytest.raises(FileError, match="is a folder; name a file in it"):
        list(clean_texts([tmp_path]))
    for data in (b"GIF89a\0\0\1", b"\0plain\0" * 9):
        (tmp_path / "a.txt").write_bytes(data)
        with pytest.raises(FileError, match=r"a\.txt is no text: it holds zero bytes"):
            list(clean_texts([tmp_path / "a.txt"]))
    (tmp_path / "a.txt").write_bytes(b"%PDF-1.7\n\xe2\xe3")
    with pytest.raises(FileError, match="looks like a PDF"):
        list(clean_texts([tmp_path / "a.txt"]))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_byte_order_marks(tmp_path: Path, encoding: str) -> None:
    plain, lines = tmp_path / "a.txt", tmp_path / "b.jsonl"
    plain.write_text(TEXTS[0], encoding=encoding)
    lines.write_text(json.dumps({"text": TEXTS[1]}), encoding=encoding)
    assert [text for _, text in clean_texts([plain, lines])] == [TEXTS[0], TEXTS[1]]


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["train", "synthesise", *map(str, words)])


def test_the_command(tmp_path: Path) -> None:
    source, out = tmp_path / "a.txt", tmp_path / "out.jsonl"
    source.write_text("\n\n".join(TEXTS), encoding="utf-8")
    told = run(source, "--out", out, "--per-text", 4, "--seed", 3)
    assert told.exit_code == 0, told.output
    rows = list(read_rows(out))
    assert f"{len(rows)} pairs in" in told.stdout
    assert told.stdout.count("\n- ") == 3
    again = run(source, "--out", out, "--limit", 2, "--json")
    assert json.loads(again.stdout)["rows"] == 2
    assert len(list(read_rows(out))) == 2
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_the_command_leaves_nothing_behind_when_it_fails(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("kept\n", encoding="utf-8")
    told = run(tmp_path / "none.txt", "--out", out)
    assert told.exit_code == 2
    assert out.read_text(encoding="utf-8") == "kept\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
    lost = run(out, "--out", tmp_path / "no" / "out.jsonl")
    assert lost.exit_code == 2
    unknown = run(out, "--out", out, "--profile", "lerner")
    assert unknown.exit_code == 2


def test_the_command_does_not_write_over_its_input(tmp_path: Path) -> None:
    source, link, hard = (tmp_path / name for name in ("a.txt", "link.txt", "hard.txt"))
    source.write_text("\n\n".join(TEXTS), encoding="utf-8")
    link.symlink_to(source)
    hard.hardlink_to(source)
    (tmp_path / "sub").mkdir()
    for out in (source, link, hard, tmp_path / "sub" / ".." / "a.txt"):
        told = run(source, "--out", out)
        assert told.exit_code == 2
        assert "is the input" in told.stderr
        assert source.read_text(encoding="utf-8") == "\n\n".join(TEXTS)


@pytest.mark.parametrize("text", ["", "\n \n", "我们今天去公园散步。天气很好，大家都很高兴。", "Too short."])
def test_the_command_keeps_the_old_file_when_no_pair_comes_out(tmp_path: Path, text: str) -> None:
    source, out = tmp_path / "a.txt", tmp_path / "keep.jsonl"
    source.write_text(text, encoding="utf-8")
    out.write_text("kept\n", encoding="utf-8")
    told = run(source, "--out", out)
    assert told.exit_code == 2
    assert "a.txt is fit to be damaged: it takes whole English" in " ".join(told.stderr.split())
    assert out.read_text(encoding="utf-8") == "kept\n"
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "keep.jsonl"}
