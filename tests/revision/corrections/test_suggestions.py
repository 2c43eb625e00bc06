from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given, settings, strategies as st

from redraft.models import LogProbs, Models
from redraft.revision.corrections.suggestions import (
    MOST,
    USUAL_CAUTION,
    confusions,
    corrected,
    corrections,
    suggested,
)
from redraft.revision.records import Candidate, explained
from redraft.settings import load_settings

WORDS = st.lists(
    st.sampled_from(
        [
            "The",
            "the",
            "a",
            "an",
            "people",
            "is",
            "are",
            "have",
            "has",
            "goes",
            "go",
            "to",
            "too",
            "in",
            "on",
            "school",
            "Monday",
            "their",
            "there",
            "then",
            "than",
            ",",
            ".",
            "n't",
            "alot",
            "“well”",
            "café",
            "42",
            "book's",
            "teh",
            "I",
        ]
    ),
    max_size=14,
)


class Costs:
    """Every word costs 10, but for those that are known to be right: nothing."""

    def __init__(self, right: str) -> None:
        self._right = set(right.split())
        self.asked: list[list[str]] = []

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        self.asked.append(list(texts))
        return tuple(self._one(text) for text in texts)

    def _one(self, text: str) -> LogProbs:
        words = text.split()
        spaced = tuple(word if at == 0 else f" {word}" for at, word in enumerate(words))
        return LogProbs(spaced, tuple(0.0 if word.strip(".,") in self._right else -10.0 for word in words))


def run(sentence: str, scorer: Costs, caution: float = USUAL_CAUTION) -> list[Candidate]:
    return asyncio.run(corrected(sentence, scorer, caution=caution))


@settings(deadline=None)  # the first call loads the tagger
@given(WORDS)
def test_swaps_change_one_place_and_each_is_there_once(words: list[str]) -> None:
    sentence = " ".join(words)
    found = confusions(sentence)
    assert len(set(found)) == len(found)
    for swap in found:
        text = swap.apply(sentence)
        assert text != sentence
        assert text.startswith(sentence[: swap.start])
        assert text.endswith(sentence[swap.end :])
        assert swap.after.strip() == swap.after != ""


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("The dogs was in the garden.", "The dogs were in the garden."),
        ("He have a car.", "He has a car."),
        ("She do not know.", "She does not know."),
        ("They wants more.", "They want more."),
        ("He goes at school.", "He goes to school."),
        ("She bought car there.", "She bought a car there."),
        ("We like the music.", "We like music."),
        ("I want go home.", "I want to go home."),
        ("We discussed many problem.", "We discussed many problems."),
        ("It lost it's tail.", "It lost its tail."),
        ("Their is a problem.", "There is a problem."),
        ("This is better then that.", "This is better than that."),
        ("Everyone wants alot of money.", "Everyone wants a lot of money."),
        ("He is more better now.", "He is better now."),
    ],
)
def test_a_confusion_is_among_the_candidates(wrong: str, right: str) -> None:
    assert right in [swap.apply(wrong) for swap in confusions(wrong)]


def test_names_and_the_head_of_a_sentence_keep_their_articles() -> None:
    sentence = "The Beatles played in the Netherlands."
    texts = [swap.apply(sentence) for swap in confusions(sentence)]
    assert not any(text.startswith(("Beatles", "A Beatles")) or "in Netherlands" in text for text in texts)


def test_harper_corrects_all_at_once_and_one_by_one() -> None:
    found = corrections("He recieved teh letter.")
    assert found[0].text == "He received the letter."
    assert {"He received teh letter.", "He recieved the letter."} <= {one.text for one in found[1:]}
    assert all(one.by == "correction" and one.why for one in found)
    assert corrections("He received the letter.") == []


def test_what_gains_enough_is_corrected_with_reasons() -> None:
    scorer = Costs("The dogs were than the cats")
    whole, *steps = run("The dogs was bigger then teh cats.", scorer)
    assert (whole.text, whole.by) == ("The dogs were bigger than the cats.", "correction")
    assert explained(whole.why) == "“then” to “than”; “teh” to “the”; “was” to “were”"
    # What Harper found comes first, then what writers mix up.
    assert [step.text for step in steps] == ["The dogs was bigger than the cats."]
    assert all(len(texts) <= MOST for texts in scorer.asked)


def test_what_gains_too_little_stays() -> None:
    assert run("The dogs was here.", Costs("were"), caution=3) == []
    assert run("The dogs was here.", Costs("were"))[0].text == "The dogs were here."


class Agreement(Costs):
    """Either word may be changed; both changed are as wrong as none."""

    def _one(self, text: str) -> LogProbs:
        cost = 8.0 if "dog was" in text or "dogs were" in text else 20.0
        return LogProbs((text,), (-cost,))


def test_of_two_ways_to_mend_one_error_one_is_taken() -> None:
    (found,) = run("So the dogs was here.", Agreement(""))
    assert found.text in ("So the dogs were here.", "So the dog was here.")


@pytest.mark.parametrize("text", ["", " ", "…", "42", "\n\n", "ok"])
def test_a_text_with_nothing_to_correct_has_no_correction(text: str) -> None:
    assert run(text, Costs("")) == []


def test_the_embedded_model_corrects_most_errors_and_leaves_clean_sentences() -> None:
    """Which ones it misses may differ from one processor to the next."""
    wrong = {
        "He have a car.": "He has a car.",
        "She go to school.": "She goes to school.",
        "They wants more.": "They want more.",
        "It lost it's tail.": "It lost its tail.",
        "Their is a problem.": "There is a problem.",
        "He is more better now.": "He is better now.",
        "She do not know.": "She does not know.",
    }
    clean = ["My brother works in a bank.", "She has a car.", "The report was published in March 2019."]

    async def work() -> list[list[Candidate]]:
        async with Models(load_settings({"cache": False})) as models:
            scorer = models.scorer()
            return [await corrected(sentence, scorer) for sentence in [*wrong, *clean]]

    found = asyncio.run(work())
    texts = [one[0].text if one else "" for one in found]
    assert sum(map(str.__eq__, texts, wrong.values())) >= 5
    assert texts[len(wrong) :].count("") >= len(clean) - 1


@pytest.mark.parametrize("sentence", ["Imogen Tarrant", "Please ask Imogen for the keys."])
def test_a_name_is_not_respelt(sentence: str) -> None:
    assert not [one for one in suggested(sentence) if one.kind == "spelling"]
