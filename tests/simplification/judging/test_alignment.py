"""Which words became which."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from redraft.errors import InputError
from redraft.models.embedding import EmbeddedEmbedder
from redraft.settings import Settings, load_settings
from redraft.simplification.judging.alignment import MOST_WORDS, Aligner, Alignment
from tests.simplification.judging.fakes import WordEmbedder


def aligned(source: str, text: str, **options: float) -> Alignment:
    (found,) = asyncio.run(Aligner(WordEmbedder(), **options).align([(source, text)]))
    return found


def pairs(found: Alignment) -> set[tuple[str, str]]:
    return {(found.source_words[link.source], found.words[link.target]) for link in found.links}


@pytest.mark.parametrize(
    "text",
    ["Much the same text, and then the other text.", "Much the same text and then the very other text."],
)
def test_words_that_repeat_are_told_apart_by_their_places(text: str) -> None:
    source = "Much the same text and then the other text."
    found = aligned(source, text)
    assert [link.source for link in found.links] == list(range(9))
    assert pairs(found) == {(word, word) for word in found.source_words}
    places = [link.target for link in found.links]
    assert places == sorted(places)


def test_a_copy_has_every_word_where_it_was() -> None:
    found = aligned(
        "The man of the house of the lord of the land.", "The man, of the house of the lord of the land"
    )
    assert [(link.source, link.target) for link in found.links] == [(n, n) for n in range(11)]


def test_a_replaced_word_is_linked_and_a_deleted_one_is_not() -> None:
    found = aligned("The physician quickly utilised his old instrument.", "The doctor used his instrument.")
    assert pairs(found) == {
        ("The", "The"),
        ("physician", "doctor"),
        ("utilised", "used"),
        ("his", "his"),
        ("instrument", "instrument"),
    }
    assert [found.source_words[place] for place in found.deleted] == ["quickly", "old"]
    assert found.added == ()
    assert found.targets(1) == (1,)
    assert found.targets(2) == ()


def test_added_words_come_from_nothing() -> None:
    found = aligned("He left.", "He left happily yesterday.")
    assert [found.words[place] for place in found.added] == ["happily", "yesterday"]


def test_words_know_their_tags_and_places() -> None:
    source = "“Well,” he said, “we can't go (now).”"
    found = aligned(source, "He said no.")
    assert [source[word.start : word.end] for word in found.source] == list(found.source_words)
    assert found.source_words == ("Well", "he", "said", "we", "ca", "n't", "go", "now")
    assert dict(zip(found.source_words, (word.tag for word in found.source), strict=True))["said"] == "VBD"


def test_shown_lists_words_and_pairs() -> None:
    assert aligned("He utilised it.", "He used it.").shown() == (
        "0_He 1_utilised 2_it\n0_He 1_used 2_it\n0_He-0_He 1_utilised-1_used 2_it-2_it"
    )


@pytest.mark.parametrize(("source", "text"), [("", "He left."), ("He left.", ""), ("", ""), ("…", "!")])
def test_where_there_are_no_words_there_are_no_links(source: str, text: str) -> None:
    found = aligned(source, text)
    assert found.links == ()
    assert len(found.deleted) == len(found.source)
    assert len(found.added) == len(found.target)


def test_a_higher_threshold_leaves_fewer_links() -> None:
    source, text = "The physician will commence the work.", "A doctor begins to work because he must."
    counts = [len(aligned(source, text, threshold=threshold).links) for threshold in (0.0, 0.2, 0.5, 0.9)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == 6 * 8
    assert counts[0] > counts[-1]


def test_words_are_dearer_to_leave_out_with_a_higher_tau() -> None:
    source, text = "He went home in the rain.", "Much later she called us."
    weak, strong = (aligned(source, text, tau=tau, same=0, threshold=0.3) for tau in (0.05, 5))
    assert len(weak.deleted) >= len(strong.deleted)


def test_every_text_is_embedded_once() -> None:
    embedder = WordEmbedder()
    found = asyncio.run(Aligner(embedder).align([("A b.", "A c."), ("A b.", "A d."), ("A b.", "A b.")]))
    assert len(found) == 3
    assert embedder.asked == [("A b.", "A c.", "A d.")]


def test_a_book_is_not_aligned() -> None:
    with pytest.raises(InputError, match="align its sentences"):
        aligned("word " * (MOST_WORDS + 1), "word")


@pytest.mark.parametrize(
    "options", [{"tau": 0}, {"regularisation": 0}, {"threshold": 1.1}, {"distortion": 2}]
)
def test_impossible_parameters_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="above 0"):
        Aligner(WordEmbedder(), **options)


# Pairs with the links that a reader would draw, by the places of words between spaces.
READ = [
    (
        "The committee commenced its deliberations shortly after noon.",
        "The committee began its talks soon after noon.",
        "0-0 1-1 2-2 3-3 4-4 5-5 6-6 7-7",
    ),
    (
        "Having been elected by the members, the treasurer assumed office in 1994.",
        "The members elected the treasurer. She took office in 1994.",
        "2-2 4-0 5-1 6-3 7-4 8-6 9-7 10-8 11-9",
    ),
    (
        "A substantial proportion of the inhabitants departed from the village.",
        "Many people left the village.",
        "0-0 1-0 2-0 5-1 6-2 8-3 9-4",
    ),
    (
        "Owing to the storm, numerous flights out of Oslo were cancelled yesterday.",
        "Yesterday, many flights out of Oslo were cancelled because of the storm.",
        "0-8 1-9 2-10 3-11 4-1 5-2 6-3 7-4 8-5 9-6 10-7 11-0",
    ),
]


def _spaces(text: str, places: Sequence[int]) -> list[int]:
    return [len(text[:place].split()) - (not text[:place].endswith(" ") and place > 0) for place in places]


def test_the_embedded_model_draws_most_of_the_links_that_a_reader_does(tmp_path) -> None:
    settings = Settings(cache_dir=tmp_path, weights_dir=load_settings().weights())
    aligner = Aligner(EmbeddedEmbedder(settings))
    found = asyncio.run(aligner.align([(source, text) for source, text, _ in READ]))
    right = drawn = wanted = 0
    for (source, text, links), alignment in zip(READ, found, strict=True):
        left = _spaces(source, [word.start for word in alignment.source])
        other = _spaces(text, [word.start for word in alignment.target])
        mine = {(left[link.source], other[link.target]) for link in alignment.links}
        theirs = {tuple(int(place) for place in pair.split("-")) for pair in links.split()}
        right, drawn, wanted = right + len(mine & theirs), drawn + len(mine), wanted + len(theirs)
    assert right / drawn > 0.8
    assert right / wanted > 0.8
