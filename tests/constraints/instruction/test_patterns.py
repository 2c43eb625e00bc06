"""The notation of patterns: regular expressions over the names of tags."""

from __future__ import annotations

import pytest

from redraft.constraints.instruction.lexicon import Tag, longest
from redraft.constraints.instruction.patterns import pattern, tags


def test_names_stand_for_tags_and_sets() -> None:
    line = Tag.NOT + Tag.AUX + Tag.CHANGE + Tag.DET + Tag.SENTENCE
    assert pattern("NOT AUX* CHANGE DET? UNIT").fullmatch(line)
    assert pattern("NOT [AUX ENSURE]{1,2} [^KEEP BREAK] . (WORD | SENTENCE) $").match(line)
    assert not pattern("NOT AUX [^CHANGE]").match(line)
    assert tags("AND UNIT") == {Tag.AND, Tag.WORD, Tag.SENTENCE, Tag.PARAGRAPH, Tag.CHARACTER}


def test_groups_have_names() -> None:
    match = pattern("(negation: NOT | WITHOUT)? (verb: KEEP | CHANGE)").match(Tag.NOT + Tag.KEEP)
    assert match is not None
    assert match["negation"] == Tag.NOT
    assert match["verb"] == Tag.KEEP
    assert len(match.groups()) == 2


def test_parts_hold_together() -> None:
    parts = {"LIST": "ITEM_ (JOINT ITEM_)*", "ITEM_": "DET? NUMBER | LAST"}
    assert pattern("SENTENCE LIST? $", **parts).match(Tag.SENTENCE + Tag.NUMBER + Tag.COMMA + Tag.LAST)


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="VERBS"):
        pattern("NOT VERBS")


def test_every_tag_is_another_character() -> None:
    names = [name for name in vars(Tag) if name.isupper()]
    assert len({getattr(Tag, name) for name in names}) == len(names) > 60


@pytest.mark.parametrize(
    ("words", "found"),
    [("no more than 300", (3, Tag.AT_MOST)), ("off limits", (2, Tag.OFF_LIMITS)), ("zebra", (1, Tag.OTHER))],
)
def test_the_longest_phrase_counts(words: str, found: tuple[int, str]) -> None:
    assert longest(words.split(), 0) == found
