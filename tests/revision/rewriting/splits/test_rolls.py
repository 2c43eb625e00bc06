"""Long rolls of names in several sentences."""

import pytest

from redraft.revision.rewriting.splits.splits import splits
from redraft.text import Document

SIX = "Anna Berg, Tom Hill, Li Wei, Joan Ross, Peter Madsen and Sam Okoro"


@pytest.mark.parametrize(
    ("head", "again"),
    [
        ("We thank", "We also thank"),
        ("The speakers were", "The others were"),
        ("The committee has invited", "It has also invited"),
        ("The book was read by", "It was also read by"),
        ("Many thanks to", "Many thanks also to"),
    ],
)
def test_the_head_of_a_roll_is_said_again(head: str, again: str) -> None:
    text = splits(f"{head} {SIX}.", 11)[0].text
    first, second = (one.text for one in Document(text).sentences)
    assert first.startswith(f"{head} Anna Berg, ")
    assert second.startswith(f"{again} ")
    assert sum(name in text for name in SIX.replace(" and ", ", ").split(", ")) == 6


@pytest.mark.parametrize(
    "sentence",
    [
        f"The prize was shared by {SIX}.",
        f"We invited only {SIX}.",
        f"We met six people, among them {SIX}.",
        f"We did not invite {SIX}.",
        f"The team consists of {SIX}.",
        "The trip takes visitors from London to Paris, Rome, Madrid, Lisbon, Athens and Oslo.",
    ],
)
def test_what_is_said_of_all_together_is_no_roll(sentence: str) -> None:
    assert all("roll" not in reason.detail for one in splits(sentence, 11) for reason in one.why)


def test_a_very_long_roll_is_cut_as_often_as_it_takes() -> None:
    names = [
        f"{first} {last}"
        for first in ("Anna", "Tom", "Wei", "Joan")
        for last in ("Berg", "Hill", "Ross", "Okoro")
    ]
    text = splits(f"Many thanks to {', '.join(names[:-1])}, and {names[-1]}.", 14)[0].text
    assert max(Document(text).word_counts) <= 14
    assert all(name in text for name in names)
