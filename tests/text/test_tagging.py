"""The tagger: its tokens stand where they say, its tags are those of the treebank."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from redraft.text.tagging import tag, tagged


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He can't swim.", "He/PRP ca/MD n't/RB swim/VB ./."),
        ("The dog’s owner cannot see it.", "The/DT dog/NN ’s/POS owner/NN can/MD not/RB see/VB it/PRP ./."),
        ("They've been asked twice, and it's late.", "They/PRP 've/VBP been/VBN asked/VBN twice/RB ,/, and/CC it/PRP 's/VBZ late/JJ ./."),
        ("We use [[M7]] to train the model.", "We/PRP use/VBP [[M7]]/NN to/TO train/VB the/DT model/NN ./."),
        ('She said, "I know."', "She/PRP said/VBD ,/, \"/`` I/PRP know/VBP ./. \"/''"),
        ("Dr. Smith (see Fig. 3) was in the U.S. today.", "Dr./NNP Smith/NNP (/-LRB- see/VB Fig./NNP 3/CD )/-RRB- was/VBD in/IN the/DT U.S./NNP today/NN ./."),
        ("Prices rose 3.5% in 1990—a record.", "Prices/NNS rose/VBD 3.5/CD %/NN in/IN 1990/CD —/: a/DT record/NN ./."),
        ("I looked at state-of-the-art tools, e.g. in France.", "I/PRP looked/VBD at/IN state-of-the-art/JJ tools/NNS ,/, e.g./FW in/IN France/NNP ./."),
    ],
)  # fmt: skip
def test_sentences(sentence: str, expected: str) -> None:
    assert " ".join(f"{word.text}/{word.tag}" for word in tagged(sentence)) == expected


def test_the_same_word_is_tagged_by_its_place() -> None:
    assert tag(["The", "record", "fell", "."])[1] == "NN"
    assert tag(["They", "record", "music", "."])[1] == "VBP"
    assert tag(["They", "will", "record", "music", "."])[2] == "VB"


def test_no_words_have_no_tags() -> None:
    assert tag([]) == []
    assert tagged("") == []


@given(st.text(st.sampled_from("abIM7 .,'’\"“”()[]-–—…$%\n\u00a0éß漢"), max_size=60))
def test_tokens_cover_the_sentence_in_order(sentence: str) -> None:
    words = tagged(sentence)
    assert all(sentence[word.start : word.end] == word.text for word in words)
    assert "".join(word.text for word in words) == "".join(sentence.split())
    assert all(one.end <= two.start for one, two in pairwise(words))


@given(st.lists(st.integers(1, 99), min_size=1, max_size=4), st.sampled_from(["", " ", ", "]))
def test_a_placeholder_is_one_noun(numbers: list[int], between: str) -> None:
    sentence = between.join(f"[[Q{number}]]" for number in numbers) + " holds."
    nouns = [word for word in tagged(sentence) if word.text.startswith("[[")]
    assert [word.text for word in nouns] == [f"[[Q{number}]]" for number in numbers]
    assert {word.tag for word in nouns} == {"NN"}


def test_threads_agree() -> None:
    sentence = "The model that we trained last year was shown to work well on long texts."
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(tagged, [sentence] * 32))
    assert all(words == found[0] for words in found)
