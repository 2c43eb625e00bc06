"""The measures of a rewriting editor: edits, obedience, what stands, and which rows are looked at."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from benchmarks.rewriting import (
    BESIDE,
    Case,
    How,
    Measurer,
    Part,
    System,
    agreement,
    corrections_of,
    editeval_parts,
    editor_system,
    edits_of,
    instruction_for,
    known_tasks,
    line,
    named_editor,
    obeys,
    parts,
    row_part,
    summary,
    table,
    token_f1,
)

from redraft.editor import Editor
from redraft.errors import InputError
from redraft.models import SHIPPED
from redraft.train.pairs.making import is_held_out
from tests.revision.asking_parts import Answering, asked

LONG = "The dog, which was old, slept in the house and the cat slept in the big red barn."
SPLIT = "The dog was old and slept in the house. The cat slept in the big red barn."


class Scripted:
    """A judge to whom "broken" is no English, and what says "other" not the same."""

    async def soundness(self, sentences: Sequence[str]) -> list[float]:
        return [0.1 if "broken" in sentence else 0.9 for sentence in sentences]

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [0.1 if "other" in text else 0.9 for _, text in pairs]

    async def improvement(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [0.5 for _ in pairs]


def measured(cases: Sequence[Case], texts: Sequence[str], how: How = "control") -> dict[str, Any]:
    return dict(asyncio.run(Measurer(Scripted()).measure(Part("", cases, how), texts)))


def write(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    return path


def test_edits_are_words_and_marks_that_were_replaced() -> None:
    found = edits_of("He go to school yesterday", "He went to the school yesterday.")
    assert set(found) == {(1, 2, ("went",)), (3, 3, ("the",)), (5, 5, (".",))}
    assert set(edits_of("a b c", "a x y")) == {(1, 2, ("x",)), (2, 3, ("y",))}
    assert not edits_of("It is  so.", "It is so .")


def test_f_half_is_of_the_corpus_and_of_the_best_reference() -> None:
    cases = [
        Case("fluency", "He go home", ("He goes home", "He went home")),
        Case("fluency", "She run fast", ("She runs fast.",)),
        Case("fluency", "It is good", ("It is good",)),
    ]
    assert agreement(cases[0], "He went home") == (1, 1, 1)
    found = corrections_of(cases, ["He went home", "She run quick", "It is good"])
    assert (found["precision"], found["recall"]) == (1 / 2, 1 / 3)
    assert found["F0.5"] == pytest.approx(1.25 * (1 / 2) * (1 / 3) / (0.25 / 2 + 1 / 3))
    assert corrections_of(cases, [case.text for case in cases])["F0.5"] == 0.0
    assert measured(cases, ["He go home", "She runs", "It  is good"], "leave") == {
        "correct ones left as they are": pytest.approx(2 / 3)
    }


def test_a_bound_is_the_one_that_was_asked_for() -> None:
    short = Case("shorten", LONG, values={"n": 6})
    assert obeys(short, "The dog slept in the house.")
    assert not obeys(short, "The old dog slept in the house.")
    assert not obeys(short, "")
    assert obeys(Case("split", LONG, values={"n": 9}), SPLIT)
    assert not obeys(Case("split", LONG, values={"n": 8}), SPLIT)
    assert not obeys(Case("split", LONG, values={"n": 20}), LONG)
    assert obeys(Case("merge", SPLIT), LONG)
    assert not obeys(Case("without_word", LONG, values={"word": "big"}), LONG)
    assert obeys(Case("without_word", LONG, values={"word": "big"}), LONG.replace("big", "huge"))
    assert obeys(Case("neutralization", LONG), SPLIT) is None


def test_what_stands_obeys_is_unbroken_and_means_the_same() -> None:
    case = Case("split", LONG, (SPLIT,), {"n": 11})
    texts = [SPLIT, LONG, SPLIT.replace("red", "broken"), f"{SPLIT} Some other one."]
    found = measured([case] * 4, texts)
    assert found["stands"] == 1 / 4
    assert (found["divided"], found["changed"]) == (3 / 4, 3 / 4)
    assert found["unbroken"] == pytest.approx(2 / 3)
    assert found["same"] is not None
    assert found["same"] <= 2 / 3
    assert measured([case], [SPLIT])["SARI"] > measured([case], [LONG])["SARI"]
    assert measured([case], [LONG])["unbroken"] is None


def test_a_cut_may_leave_out_and_is_compared_with_the_reference_most_like_it() -> None:
    case = Case("shorten", LONG, ("The dog slept.", "The cat slept in the barn."), {"n": 6})
    found = measured([case], ["The dog slept in the house."])
    assert (found["stands"], found["same"]) == (1.0, 1.0)
    assert token_f1(case, "The cat slept.") == pytest.approx(2 * 3 / 9)


def test_a_control_that_an_editor_was_not_taught_is_asked_for_by_its_nearest_task(tmp_path: Path) -> None:
    case = Case("shorten", LONG, values={"n": 6})
    assert instruction_for(case, None) == "Shorten to at most 6 words"
    assert instruction_for(case, frozenset({"clarity", "fluency"})) == "Make it clearer"
    card = tmp_path / "mine.md"
    card.write_text("| instructions.fluency | 46 |\n| instructions.with\\_word | 10 |\n")
    assert known_tasks(tmp_path / "mine.gguf") == {"fluency", "with_word"}
    assert known_tasks(tmp_path / "other.gguf") is None
    assert "fluency" in (known_tasks(SHIPPED / "editor.gguf") or ())


def test_an_editor_is_asked_with_its_own_adapter() -> None:
    model = Answering(lambda _: "The dog slept.")
    system = editor_system("mine", Editor(model, adapter="mine.gguf"), None)
    text = asyncio.run(system.write(Case("shorten", LONG, values={"n": 3})))
    assert text == "The dog slept."
    assert model.requests[0].adapter == "mine.gguf"
    assert asked(model.requests[0]).startswith("Shorten to at most 3 words:\n")


def test_an_adapter_is_a_file_with_or_without_a_name(tmp_path: Path) -> None:
    path = tmp_path / "arm.gguf"
    path.touch()
    assert named_editor(f"new={path}") == ("new", path)
    assert named_editor(str(path)) == ("arm", path)
    assert named_editor("old=shipped") == ("old", SHIPPED / "editor.gguf")
    with pytest.raises(InputError, match="no adapter"):
        named_editor("old=none.gguf")


def test_only_rows_that_training_leaves_out_are_looked_at(tmp_path: Path) -> None:
    pairs = [{"source": f"He go {number}", "target": f"He goes {number}"} for number in range(400)]
    write(tmp_path / "gec_harper" / "pairs.jsonl.gz", pairs)
    for name, number in (("valid", 1), ("test", 2)):
        source = LONG.replace("dog", f"dog {number}")
        write(tmp_path / "bisect" / f"{name}.jsonl.gz", [{"source": source, "target": [SPLIT]}])
    rows = [
        {"task": "split", "input": LONG, "target": SPLIT, "source": "train/simplification_wikisplit"},
        {"task": "fluency", "input": "He go", "target": "He goes", "source": "prose/gum:learner"},
    ]
    given = write(tmp_path / "rows" / "dev.jsonl.gz", rows)
    found = {(part.name, part.how): part for part in parts(tmp_path, [given.parent], 5)}
    harper = found["gec_harper", "correct"].cases
    assert 0 < len(harper) <= 5
    assert all(is_held_out(case.text) for case in harper)
    assert [case.text for case in found["gec_harper", "leave"].cases] == [
        case.references[0] for case in harper
    ]
    names = {name for name, _ in found}
    assert names == {"gec_harper", "BiSECT", "WikiSplit", "damaged prose"}
    assert "dog 1" in found["BiSECT", "control"].cases[0].text
    reported = {part.name: part for part in parts(tmp_path, [given], 5, reported=True)}
    assert "dog 2" in reported["BiSECT"].cases[0].text
    assert row_part({"task": "fluency", "source": "elife_revisions/abstracts"}) == "revisions by authors"
    with pytest.raises(InputError, match="target"):
        list(parts(None, [write(tmp_path / "odd.jsonl.gz", [{"task": "past", "input": "It is."}])], 5))


def test_rules_and_references_stand_beside_the_editors_and_the_first_is_the_measure(tmp_path: Path) -> None:
    part = Part("WikiSplit", [Case("split", LONG, (SPLIT,), {"n": 11})] * 2, "control")
    texts = iter([SPLIT, LONG])

    async def half(case: Case) -> str:
        return next(texts)

    async def none(case: Case) -> str:
        return case.text

    shown: list[dict[str, Any]] = []
    systems = [*BESIDE, System("old", half), System("new", none)]
    found, written = asyncio.run(table([part], systems, Measurer(Scripted()), shown.append))
    assert shown == found
    (stands,) = (row for row in found if row["measure"] == "stands")
    assert (stands["copy"], stands["reference"], stands["old"], stands["new"]) == (0.0, 1.0, 0.5, 0.0)
    assert "rules" in stands
    assert "harper" not in stands
    assert line(stands, ["copy", "harper", "old"]) == "| WikiSplit: stands | 2 | 0.000 | – | 0.500 |"
    means, ratios = summary(found, ["old", "new"])
    assert (means["old"], means["new"]) == (0.5, 0.0)
    assert (ratios["old"], ratios["new"]) == (1.0, 0.0)
    assert {row["output"] for row in written if row["system"] == "old"} == {SPLIT, LONG}


def test_a_development_set_is_scored_as_editeval_is(tmp_path: Path) -> None:
    rows = [
        {"id": f"dev-{number}", "input": f"He go home {number} .", "references": [f"He goes home {number} ."]}
        for number in range(3)
    ]
    text = "".join(json.dumps({**row, "task": "fluency", "documents": []}) + "\n" for row in rows)
    (tmp_path / "jfleg.jsonl").write_text(text)
    (part,) = editeval_parts(tmp_path, 2)
    assert (part.name, part.how, len(part.cases)) == ("EditEval, jfleg", "editeval", 2)
    assert instruction_for(part.cases[0], None) == part.cases[0].instruction
    right = [case.text.replace("go ", "goes ").replace(" .", ".") for case in part.cases]
    found = measured(part.cases, right, "editeval")
    assert found["GLEU"] == pytest.approx(1.0)
    assert found["SARI"] > measured(part.cases, [case.text for case in part.cases], "editeval")["SARI"]
    means, _ = summary([{"part": part.name, "measure": "SARI", "rows": 2, "a": 0.5}], ["a"])
    assert (means["part"], means["a"]) == ("EditEval", 0.5)
