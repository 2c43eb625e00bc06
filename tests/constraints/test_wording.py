"""Superlatives, clichés and slang that may not be there."""

from __future__ import annotations

import pytest

from redraft.constraints import Wording, check, parse


@pytest.mark.parametrize(
    ("instruction", "sorts"),
    [
        ("No superlatives, please.", ["superlatives"]),
        ("Avoid superlatives and clichés.", ["superlatives", "clichés"]),
        ("Cut the clichés.", ["clichés"]),
        ("Get rid of all the tired phrases.", ["clichés"]),
        ("Don't use slang.", ["slang"]),
        ("It should be cliché-free.", ["clichés"]),
        ("Superlatives are out.", ["superlatives"]),
        ("without any platitudes", ["clichés"]),
        ("The most important thing is the date.", []),
        ("Keep the slang.", []),
        ("Slang is fine.", []),
        ("Is it a cliché?", []),
        ("Explain what a superlative is.", []),
    ],
)
def test_what_is_forbidden_is_read(instruction: str, sorts: list[str]) -> None:
    assert [one.sort for one in parse(instruction).constraints if isinstance(one, Wording)] == sorts


@pytest.mark.parametrize(
    ("sort", "text", "found"),
    [
        (
            "superlatives",
            "It is the best desk ever. The largest of the three is oak.",
            ["the best desk ever"],
        ),
        ("clichés", "Last but not least, we won.", ["Last but not least"]),
        ("clichés", "“Last but not least,” he said.", []),
        ("slang", "We took some pics of the house.", ["pics"]),
        ("slang", "We took some photos of the house.", []),
    ],
)
def test_phrases_are_found_with_their_places(sort: str, text: str, found: list[str]) -> None:
    (finding,) = check(text, [f'wording_check("{sort}")'])
    assert [text[one.start : one.end] for one in finding.spans] == found
    assert finding.met is not bool(found)


def test_a_text_in_another_language_is_not_judged() -> None:
    (finding,) = check(
        "Das ist der beste Tisch, den es auf dem Markt gibt.", ['wording_check("superlatives")']
    )
    assert not finding.met
    assert "English only" in finding.message
