from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from redraft.bench.constrev.building.recipe import Excluded, Source, pool, read_constrev_sources, select
from redraft.errors import InputError
from redraft.text.document import join_paragraphs
from tests.bench.constrev.built import text, write_sources

GERMAN = "Der Hafen war am Morgen sehr ruhig und die Leute gingen mit den Kindern an das Wasser. " * 25


def source(name: str, words: str | None = None, domain: str = "news") -> Source:
    return Source(name, domain, text(name) if words is None else words)


def test_texts_are_left_out_for_a_reason_that_is_told() -> None:
    good = source("a")
    found = select(
        [
            good,
            source("b", text("b", 5)),
            source("c", text("c", 90)),
            source("d", GERMAN),
            source("e", good.text),
        ],
        Excluded(),
        join=True,
    )
    assert [one.id for one in found.texts] == ["a"]
    assert found.left_out == {"like another": 1, "not English": 1, "too long": 1, "too short": 1}


def test_a_text_with_a_few_words_changed_is_the_same_text() -> None:
    one = text("a")
    found = select([source("a", one), source("b", one.replace("harbour", "port"))], Excluded(), join=True)
    assert [one.id for one in found.texts] == ["a"]


def test_a_text_is_excluded_by_its_id_or_by_one_sentence_that_was_trained_on(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("a\n", encoding="utf-8")
    trained = tmp_path / "trained.jsonl"
    sentence = text("b").split(". ")[7]
    trained.write_text(
        json.dumps({"task": "fluency", "input": "Bad.", "target": f"{sentence}."}) + "\n", encoding="utf-8"
    )
    found = select([source("a"), source("b"), source("c")], Excluded([names, trained]), join=True)
    assert [one.id for one in found.texts] == ["c"]
    assert found.left_out == {"excluded": 2}
    assert found.excluding == ("names.txt", "trained.jsonl")


def test_a_short_sentence_in_common_excludes_nothing(tmp_path: Path) -> None:
    trained = tmp_path / "trained.jsonl"
    trained.write_text(json.dumps({"target": "At last we saw it."}) + "\n", encoding="utf-8")
    found = select([source("a", "At last we saw it. " + text("a"))], Excluded([trained]), join=True)
    assert len(found.texts) == 1


def test_the_pool_is_drawn_by_the_seed_from_all_domains_alike() -> None:
    texts = [source(f"n{n}") for n in range(9)] + [source(f"s{n}", domain="story") for n in range(6)]
    selection = select(texts, Excluded(), join=True)
    drawn = pool(selection, 4, seed=1)
    assert Counter(one.domain for one in drawn) == {"news": 3, "story": 3}
    assert drawn == pool(selection, 4, seed=1) != pool(selection, 4, seed=2)
    assert pool(selection, 8, seed=1)[: len(drawn)] == drawn


def test_running_text_has_no_headings_line_breaks_or_list_markers() -> None:
    laid_out = 'The Arms of Old, Part VII\n\nThe first part was\nlong. It ended.\n\n- One came.\n- Two went.\n\nHe said: "No."\n'
    assert (
        join_paragraphs(laid_out) == 'The first part was long. It ended. One came. Two went. He said: "No."'
    )


def test_folders_name_the_domain(tmp_path: Path) -> None:
    (tmp_path / "story").mkdir()
    (tmp_path / "story" / "one.txt").write_text("Once.", encoding="utf-8")
    (found,) = read_constrev_sources([tmp_path])
    assert (found.id, found.domain, found.licence) == ("story/one", "story", "not stated")


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ('{"id": "a", "domain": "news"}', 'line 1: a source needs "text"'),
        ("[1]", "line 1: each line must be an object"),
        ("{", "line 1: not JSON"),
        (
            '{"id": "a", "domain": "d", "text": "x"}\n{"id": "a", "domain": "d", "text": "y"}',
            "two sources have the id 'a'",
        ),
    ],
)
def test_bad_sources_are_named(tmp_path: Path, lines: str, problem: str) -> None:
    path = tmp_path / "sources.jsonl"
    path.write_text(lines, encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        read_constrev_sources([path])


def test_an_empty_folder_is_no_source(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no text"):
        read_constrev_sources([tmp_path])
    assert len(read_constrev_sources([write_sources(tmp_path / "s.jsonl")])) == 12
