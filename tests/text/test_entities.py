"""The finder against sentences labelled by hand: `{kind:name}`, or `{kind:written|name}`."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from redraft.text import RuleFinder

LABELLED = (Path(__file__).parent / "data" / "entities.txt").read_text(encoding="utf-8").splitlines()
LABEL = re.compile(r"\{(\w+):([^{}|]+)(?:\|([^{}]+))?\}")


def labels(line: str) -> tuple[str, list[tuple[str, str]]]:
    return LABEL.sub(lambda match: match[2], line), [
        (match[1], match[3] or match[2]) for match in LABEL.finditer(line)
    ]


def measured() -> tuple[float, float, list[str]]:
    right = found = wanted = 0
    faults = []
    for line in LABELLED:
        text, gold = labels(line)
        named = [(entity.kind, entity.text) for entity in RuleFinder().find(text)]
        both = sum(min(named.count(label), gold.count(label)) for label in set(named))
        right, found, wanted = right + both, found + len(named), wanted + len(gold)
        if sorted(named) != sorted(gold):
            faults.append(f"{text}\n  found {set(named) - set(gold)}, missed {set(gold) - set(named)}")
    return right / found, right / wanted, faults


def test_precision_and_recall_on_labelled_sentences() -> None:
    precision, recall, faults = measured()
    assert len(LABELLED) >= 60
    assert precision >= 0.9, faults
    assert recall >= 0.9, faults


def test_offsets_cover_the_name() -> None:
    for line in LABELLED:
        text, _ = labels(line)
        entities = RuleFinder().find(text)
        assert all(text[entity.start : entity.end] == entity.text for entity in entities)
        assert all(one.end <= other.start for one, other in pairwise(entities))


def test_plain_prose_has_no_names() -> None:
    assert RuleFinder().find("The cat sat. However, it was late. Nobody came. Then we left.") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("She met the President of the United States.", [("place", "United States")]),
        ("The King of Spain and President Lincoln.", [("place", "Spain"), ("person", "Lincoln")]),
        ("They moved to Côte d'Ivoire.", [("place", "Côte d'Ivoire")]),
        ("They moved to Côte d’Ivoire.", [("place", "Côte d’Ivoire")]),
        ("Mark it.", []),
        ("Mark the page.", []),
        ("Mark left.", [("person", "Mark")]),
        ("We ate at McDonald's.", [("organisation", "McDonald's")]),
        ("McDonald’s is open.", [("organisation", "McDonald’s")]),
        ("We read Google's report.", [("organisation", "Google")]),
    ],
)
def test_names(text: str, found: list[tuple[str, str]]) -> None:
    assert [(entity.kind, entity.text) for entity in RuleFinder().find(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Sales were £48m and 412p a share.", ["£48m", "412p"]),
        ("It cost $3bn, or 3.5k, at 11am.", ["$3bn", "3.5k", "11am"]),
        ("A 4x4 of 50mm on route 66a, the 2nd of 747s.", ["50mm", "66a", "2nd", "747s"]),
        ("It ran 10 miles in 48m, 5% of 3 million people.", ["10 miles", "48m", "5%", "3 million people"]),
    ],
)
def test_an_amount_is_whole(text: str, found: list[str]) -> None:
    assert [entity.text for entity in RuleFinder().find(text) if entity.kind == "number"] == found


def test_empty_text() -> None:
    assert RuleFinder().find("") == []
