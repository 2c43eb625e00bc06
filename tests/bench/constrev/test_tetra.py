"""Reading TETRA: texts, plans of people, what they made of the texts, and what the corpus holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.bench.constrev import ConsTRev
from redraft.bench.constrev.building.recipe import read_constrev_sources
from redraft.bench.constrev.tetra import read_tetra, tetra_table
from redraft.errors import InputError
from redraft.revision import planner_has_learnt, read_user_plan
from redraft.revision.asking import learnt

PAPER = """<?xml version="1.0" encoding="UTF-8"?>
<doc id="Z99-0000" editor="X" format="WS" position="S" region="NN">
    <title><text>Ferries</text></title>
    <abstract>
        <text>We study</text>
        <edit type="grammar" crr="ferries" comments="">ferry's</edit>
        <text>that cross the strait</text>
        <edit type="punctuation;Clarity" crr="," comments="a comma parts the two"></edit>
        <text>and ask why they are late.</text>
    </abstract>
    <introduction>
        <text>Most boats</text>
        <edit type="word choice" crr="" comments="say it once">boats</edit>
        <text>are old . Few are new.</text>
        <edit type= crr="They leave at noon." comments="">They go out when it is noon.</edit>
        <text>\\\\ Nobody minds.</text>
    </introduction>
</doc>
"""
ORIGINAL = (
    "We study ferry's that cross the strait and ask why they are late.\n\n"
    "Most boats boats are old. Few are new. They go out when it is noon.\n\nNobody minds."
)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "original"
    folder.mkdir()
    (folder / "W01-0001-A.xml").write_text(PAPER, encoding="utf-8")
    (folder / "W01-0001-B.xml").write_text(PAPER, encoding="utf-8")
    return tmp_path


def test_a_paper_is_its_text_what_became_of_it_and_why(corpus: Path) -> None:
    paper, _ = read_tetra(corpus)
    assert (paper.id, paper.editor) == ("W01-0001", "A")
    assert paper.original == ORIGINAL
    assert paper.revised == (
        "We study ferries that cross the strait, and ask why they are late.\n\n"
        "Most boats are old. Few are new. They leave at noon.\n\nNobody minds."
    )
    assert paper.plan == (
        "1: “ferry's”: grammar; a comma parts the two\n2: “boats”: say it once\n4: “They go out when it is noon.”: improve it"
    )
    plan = read_user_plan(paper.plan, paper.original, "text")
    assert [one.sentence for one in plan.plan if one.advice] == [1, 2, 4]


def test_its_texts_are_texts_to_improve_with_a_plan(corpus: Path) -> None:
    (dataset,) = ConsTRev().load(corpus)
    assert dataset.name == "L0"
    first, second = dataset.samples
    assert (first.id, second.id) == ("W01-0001-A", "W01-0001-B")
    assert first.input == ORIGINAL
    assert first.others["person"].startswith("We study ferries")
    assert first.plan.startswith("1: ")


def test_a_benchmark_is_built_from_each_paper_once(corpus: Path) -> None:
    (source,) = read_constrev_sources([corpus])
    assert (source.id, source.domain, source.text) == ("W01-0001", "academic", ORIGINAL)


def test_the_corpus_is_counted(corpus: Path) -> None:
    counts = dict(tetra_table(list(read_tetra(corpus))).rows)  # type: ignore[arg-type]
    assert counts["papers"] == 1
    assert counts["texts, one for each editor"] == 2
    assert counts["edits"] == 8
    assert counts["edits with a reason in words"] == 4
    assert (counts["edits for clarity"], counts["edits for readability"]) == (2, 2)


@pytest.mark.parametrize(
    "text", ["<doc", '<!DOCTYPE doc [<!ENTITY a "b">]><doc>&a;</doc>', "<doc><abstract/></doc>"]
)
def test_another_file_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "a-A.xml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="is no file of TETRA"):
        list(read_tetra(tmp_path))


def test_what_the_planner_has_learnt_is_known_by_how_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(learnt._openings()) >= 48
    assert not planner_has_learnt(ORIGINAL)
    monkeypatch.setattr(learnt, "_openings", lambda: {learnt.opening_hash(ORIGINAL)})
    assert planner_has_learnt(ORIGINAL.replace("\n\n", " ").replace("'s", " ’s").upper())
    assert not planner_has_learnt("We study trams that cross the city and ask why they are never on time.")
