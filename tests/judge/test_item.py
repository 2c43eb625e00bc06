"""Reading what is judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redraft.errors import InputError
from redraft.judge import Context, Item, check_needs, load_rubric, pair_up, read_items, sample_items


def write(path: Path, *lines: object) -> str:
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_lines_may_name_things_either_way(tmp_path: Path) -> None:
    file = write(
        tmp_path / "in.jsonl",
        {"id": "x", "source": "s", "output": "o", "reference": "r", "traits": "vivid"},
        "",
        {"key": "d/1/0", "id": "1", "input": "i", "text": "t", "references": ["r", "q"], "traits": ["a", "b"],
         "instruction": "Do.", "error": None},
        {"output": ""},
    )  # fmt: skip
    assert read_items(file).items == (
        Item("x", "o", Context("s", None, ("r",), ("vivid",))),
        Item("d/1/0", "t", Context("i", "Do.", ("r", "q"), ("a", "b"))),
        Item("4", ""),
    )


def test_the_folder_of_a_run_gives_its_last_outputs(tmp_path: Path) -> None:
    sample = {"key": "k/1", "input": "i", "instruction": "Do.", "references": [], "documents": []}
    write(
        tmp_path / "samples.jsonl",
        {**sample, "output": None, "error": "ModelError: no"},
        {**sample, "key": "k/2", "output": None, "error": "ModelError: no"},
        {**sample, "output": "done", "error": None},
    )
    with (tmp_path / "samples.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"key": "k/3", "outp')
    found = read_items(str(tmp_path))
    assert found.items == (Item("k/1", "done", Context("i", "Do.")),)
    assert found.failed == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not JSON"),
        ("[1]", "line 2: each line must be an object"),
        ({"id": "2", "source": "s"}, "line 2: the object has none of the keys output, text"),
        ({"id": "1", "output": "o"}, "line 2: the id '1' is there twice"),
        ({"id": ["2"], "output": "o"}, "the id must be a text or a number"),
        ({"id": "2", "output": 3}, "output or text must be a text"),
        ({"id": "2", "output": "o", "traits": [1]}, "traits must be a text or a list of texts"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: object, message: str) -> None:
    file = write(tmp_path / "in.jsonl", {"id": "1", "output": "o"}, line)
    with pytest.raises(InputError) as error:
        read_items(file)
    assert message in str(error.value)


def test_nothing_to_judge_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no texts to judge"):
        read_items(write(tmp_path / "in.jsonl"))
    with pytest.raises(InputError, match=r"it has no samples\.jsonl"):
        read_items(str(tmp_path))


def test_pairs_are_of_the_same_source() -> None:
    one = [Item("1", "a", Context("s")), Item("2", "b", Context("s"))]
    assert [(each.id, each.first, each.second) for each in pair_up(one, [Item("2", "c", Context("s"))])] == [
        ("2", "b", "c")
    ]
    with pytest.raises(InputError, match="2 has another source"):
        pair_up(one, [Item("2", "c", Context("t"))])
    with pytest.raises(InputError, match="no id in common"):
        pair_up(one, [Item("3", "c", Context("s"))])


def test_what_the_rubric_needs_must_be_there() -> None:
    with pytest.raises(InputError, match="1 has no source, which the rubric revision needs"):
        check_needs(load_rubric("revision"), [Item("1", "a")])


def test_a_limit_draws_by_the_seed_and_keeps_the_order() -> None:
    items = [Item(str(n), "t") for n in range(50)]
    drawn = sample_items(items, 10, 1)
    assert drawn == sample_items(items, 10, 1) != sample_items(items, 10, 2)
    assert [int(each.id) for each in drawn] == sorted(int(each.id) for each in drawn)
    assert sample_items(items, 99, 1) == sample_items(items, None, 1) == tuple(items)
