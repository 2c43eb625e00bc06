"""What the tagger says of a text, as edits of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from redraft.models import TagOdds
from redraft.revision.corrections.tagging import Reading, read_passage
from redraft.text import diff_words


class Tags:
    """A tagger that gives words the tags of a test, and is sure of them."""

    def __init__(self, tags: Mapping[str, str]) -> None:
        self._tags = tags

    async def tagged(self, passages: Sequence[Sequence[str]]) -> tuple[TagOdds, ...]:
        names = ("$KEEP", "$OTHER", *dict.fromkeys(self._tags.values()))
        return tuple(
            TagOdds(
                names,
                np.log(
                    [
                        [0.9 if name == self._tags.get(word, "$KEEP") else 0.01 for name in names]
                        for word in ("", *words)
                    ],
                    dtype=np.float32,
                ),
            )
            for words in passages
        )


def read(text: str, **tags: str) -> Reading:
    return asyncio.run(
        read_passage(Tags({"" if word == "start" else word: tag for word, tag in tags.items()}), text)
    )


@pytest.mark.parametrize(
    ("text", "tags", "answer"),
    [
        ("She go home.", {"go": "$VBZ"}, "She goes home."),
        ("I went in library today.", {"in": "+the"}, "I went in the library today."),
        ("We discussed about it.", {"about": "$DELETE"}, "We discussed it."),
        ("He came however late.", {"came": "+,", "however": "+,"}, "He came, however, late."),
        ("A well known man.", {"well": "+-"}, "A well-known man."),
        ("It is some times wet.", {"some": "$JOIN"}, "It is sometimes wet."),
        ("Cat sleeps.", {"start": "+The", "Cat": "$LOWER"}, "The cat sleeps."),
        ("The the cat sat.", {"The": "$DELETE"}, "The cat sat."),
        ("The dogs bowls.", {"dogs": "+'"}, "The dogs bowls."),
        ("Nothing is wrong here.", {"wrong": "$OTHER"}, "Nothing is wrong here."),
    ],
)
def test_the_answer_has_the_likely_edits(text: str, tags: dict[str, str], answer: str) -> None:
    assert read(text, **tags).answer() == answer


def test_an_edit_is_borne_out_where_the_tagger_makes_it() -> None:
    text = "She go to an school."
    reading = read(text, go="$VBZ", an="=a")
    for answer, is_borne_out in (("She goes to an school.", True), ("She go to an schools.", False)):
        (step,) = [one for one in diff_words(text, answer) if one.op != "equal"]
        assert (reading.doubt(step) > 0) is is_borne_out
        assert (reading.support(step) > 0) is is_borne_out


@pytest.mark.parametrize(
    ("text", "answer", "tags"),
    [
        ("A nice day.", "A green day.", {"nice": "$DELETE"}),
        ("He saw paris.", "He saw Rome.", {"paris": "$CAPITAL"}),
        ("He saw it.", "He never saw it.", {"saw": "$CAPITAL"}),
    ],
)
def test_an_edit_is_not_borne_out_by_another_one_in_its_place(
    text: str, answer: str, tags: dict[str, str]
) -> None:
    (step,) = [one for one in diff_words(text, answer) if one.op != "equal"]
    assert read(text, **tags).support(step) < 0


def test_a_sentence_does_not_begin_with_the_mark_of_the_one_before() -> None:
    text = "He left She stayed."
    assert read(text, left="+.").part(8, len(text)).answer() == "She stayed."


def test_a_part_is_read_as_the_whole_is() -> None:
    text = "All is well. She go home."
    part = read(text, go="$VBZ").part(13, len(text))
    assert part.text == "She go home."
    assert part.answer() == "She goes home."
