"""Who does what to whom, in both voices."""

from __future__ import annotations

import pytest

from redraft.quality import compare_meaning

SWAPPED = [
    ("Spain beat Brazil in the final.", "Brazil beat Spain in the final."),
    ("The dog bit the man.", "The man bit the dog."),
    ("The dog chased the cat.", "The dog was chased by the cat."),
    ("Spain defeated Brazil, and will play Chile.", "Spain was defeated by Brazil, and will play Chile."),
    ("Anna gave Peter the key.", "Peter gave Anna the key."),
    ("Farrell was appointed by the queen.", "The queen was appointed by Farrell."),
    ("The road runs from Lund to Ystad.", "The road runs from Ystad to Lund."),
    ("The red house has a green door.", "The green house has a red door."),
    ("He retired in 1884 and died in 1885.", "He retired in 1885 and died in 1884."),
    ("The lessor may end the contract.", "The lessee may end the contract."),
    ("The buyer pays the tax.", "The seller pays the tax."),
]

SAME = [
    ("Mary wrote the report.", "The report was written by Mary."),
    (
        "The jury, led by Ms. Okoye, chose three films.",
        "Three films were chosen by the jury, led by Ms. Okoye.",
    ),
    ("Tom and Lucy sang.", "Lucy and Tom sang."),
    ("Paris is the capital of France.", "The capital of France is Paris."),
    ("Ann married Ben in May.", "Ben married Ann in May."),
    ("The results of the trial surprised the team.", "The trial's results surprised the team."),
    ("In May the council sold the mill.", "The council sold the mill in May."),
    ("The employer trains the staff.", "The employer is training the staff."),
]


@pytest.mark.parametrize(("source", "text"), SWAPPED)
def test_swapped_roles_are_told(source: str, text: str) -> None:
    assert "role" in {change.kind for change in compare_meaning(source, text)}


@pytest.mark.parametrize(("source", "text"), SAME)
def test_other_words_for_the_same_roles_are_no_change(source: str, text: str) -> None:
    assert compare_meaning(source, text) == ()
