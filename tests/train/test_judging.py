"""What the judge learns from, read from small sets made here."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from redraft.errors import InputError
from redraft.quality import question
from redraft.train.judging import (
    JudgeRow,
    is_held_out,
    judge_conversations,
    judge_rows,
    read_judge_rows,
    read_kept,
    rewrite_rows,
    without,
)

SENTENCE = "The committee in Paris has met {number} times since the early summer, and it will meet again."


def write(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    folder.mkdir(exist_ok=True)
    with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def test_a_correction_is_better_sound_and_says_the_same(tmp_path: Path) -> None:
    pairs = [{"source": f"He go home {n} times.", "targets": [f"He goes home {n} times."]} for n in range(40)]
    write(tmp_path / "gec_eracond", "eracond", pairs)
    rows = list(judge_rows(tmp_path))
    left = [pair for pair in pairs if not is_held_out(str(pair["source"]))]
    assert 0 < len(left) < len(pairs)
    assert len(rows) == 5 * len(left)
    source, target = str(left[0]["source"]), left[0]["targets"][0]
    assert rows[:5] == [
        JudgeRow("sound", source, 0, "gec_eracond"),
        JudgeRow("sound", target, 1, "gec_eracond"),
        JudgeRow("better", target, 1, "gec_eracond", source),
        JudgeRow("better", source, 0, "gec_eracond", target),
        JudgeRow("same", target, 1, "gec_eracond", source),
    ]


def test_the_error_of_a_small_correction_is_made_in_prose_too(tmp_path: Path) -> None:
    pairs = [
        {"source": f"I could of gone {n} times.", "target": f"I could have gone {n} times."} for n in range(9)
    ]
    write(tmp_path / "gec_harper", "pairs", pairs)
    write(tmp_path / "gec_harper", "clean", [{"text": "I went home."}])
    text = "The members could have met in the summer of that year {n}."
    write(tmp_path / "prose", "minutes", [{"text": text.replace("{n}", str(n))} for n in range(20)])
    rows = [row for row in judge_rows(tmp_path) if row.set == "gec_harper:prose"]
    assert {(row.task, row.label) for row in rows} == {
        ("sound", 0),
        ("sound", 1),
        ("better", 0),
        ("better", 1),
    }
    assert all("could of met" in row.text for row in rows if not row.label)


def test_a_quarter_of_the_paraphrases_is_held_out_by_sentence(tmp_path: Path) -> None:
    pairs = [{"a": f"A{n} beat B.", "b": f"B beat A{n}.", "label": 0} for n in range(100)]
    write(tmp_path / "paws_wiki", "dev", pairs)
    seen = {row.source for row in judge_rows(tmp_path)} | {row.text for row in judge_rows(tmp_path)}
    kept = [pair for pair in pairs if is_held_out(str(pair["a"]), 4)]
    assert 10 < len(kept) < 40
    assert not seen & {str(pair["a"]) for pair in kept}


def test_damaged_prose_is_worse_and_a_changed_fact_is_not_the_same(tmp_path: Path) -> None:
    texts = [{"text": SENTENCE.format(number=number)} for number in range(3, 43)]
    write(tmp_path / "prose", "minutes", texts)
    rows = list(judge_rows(tmp_path))
    own = {text["text"] for text in texts}
    assert {row.text for row in rows if row.task == "sound" and row.label} <= own
    assert not {row.text for row in rows if row.task == "sound" and not row.label} & own
    changed = [row for row in rows if row.set.startswith("prose:facts") and row.task == "same"]
    assert changed
    assert all(row.label == 0 and row.text != row.source for row in changed)
    assert list(judge_rows(tmp_path)) == rows, "the same seed makes the same rows"


def test_prose_is_restated_and_broken(tmp_path: Path) -> None:
    texts = [
        {"text": f"In the year {year}, the committee in Paris met the mayor."} for year in range(1900, 1940)
    ]
    write(tmp_path / "prose", "minutes", texts)
    rows = list(judge_rows(tmp_path))
    moved = [row for row in rows if row.set == "prose:restated:phrase_to_the_end"]
    assert {(row.task, row.label) for row in moved} == {("same", 1)}
    assert any(row.text.startswith("The committee in Paris met the mayor in the year") for row in moved)
    assert any(row.label == 0 for row in rows if row.set.startswith("prose:restated:"))
    broken = [row for row in rows if row.set.startswith("prose:broken:")]
    assert {(row.task, row.label) for row in broken} == {("sound", 0), ("better", 0), ("better", 1)}


def test_a_rewrite_says_the_same_and_changed_it_does_not(tmp_path: Path) -> None:
    path = tmp_path / "edits.jsonl"
    rows = [
        {"task": "active", "input": "The plan was made by Ann.", "target": "Ann made the plan."},
        {"task": "shorten", "input": "Ann made the long plan.", "target": "Ann made the plan."},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    same, back, changed = rewrite_rows(path)
    assert same == JudgeRow("same", "Ann made the plan.", 1, "rewrites:active", "The plan was made by Ann.")
    assert (back.text, back.source, back.label) == (same.source, same.text, 1)
    assert changed.label == 0
    assert changed.source == same.source
    assert changed.text != same.text


def test_what_is_measured_on_is_not_learnt(tmp_path: Path) -> None:
    path = tmp_path / "hand.jsonl"
    path.write_text('{"source": "We met in May.", "text": "We met."}\n')
    rows = [
        JudgeRow("sound", text, 1, "x") for text in ("We met in May.", "It rained. We met in May.", "We met.")
    ]
    assert [row.text for row in without(rows, read_kept(path))] == ["We met."]


def test_rows_from_elsewhere_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"task": "same", "text": "B.", "source": "A.", "label": 1}\n')
    assert list(read_judge_rows(path)) == [JudgeRow("same", "B.", 1, "mine", "A.")]
    path.write_text('{"task": "nice", "text": "B.", "label": 1}\n')
    with pytest.raises(InputError, match=r"mine\.jsonl"):
        list(read_judge_rows(path))


def test_questions_are_those_that_are_asked_in_use() -> None:
    (made,) = judge_conversations([JudgeRow("better", "B.", 0, "mine", "A.")])
    user, assistant = made["messages"]
    assert user == {"role": "user", "content": question("better", "B.", "A.")}
    assert assistant == {"role": "assistant", "content": "no"}
