"""Tests of splits at conditions, exceptions, reasons, alternatives and things to do."""

from __future__ import annotations

import pytest

from redraft.revision.rewriting.splits.conditions import with_conditions
from redraft.revision.rewriting.splits.splits import single_splits, splits


@pytest.mark.parametrize(
    ("sentence", "pieces"),
    [
        ("You may leave early on Fridays, provided that the shop is closed.", "You may leave early on Fridays. This applies only if the shop is closed."),
        ("The firm shall deliver within thirty days, unless the parties agree otherwise.", "The firm shall deliver within thirty days. This does not apply if the parties agree otherwise."),
        ("The firm shall bear the cost of transport, except for deliveries to islands.", "The firm shall bear the cost of transport. This does not apply to deliveries to islands."),
        ("The court may order it, in which case the owner shall tell the firm.", "The court may order it. In that case, the owner shall tell the firm."),
        ("This shall not apply to goods which were sold or which the owner has lost.", "This shall not apply to goods which were sold. The same applies to goods which the owner has lost."),
        ("Keep the lid on, because the plate stays hot.", "Keep the lid on. The plate stays hot."),
        ("If the red light goes on while it is running, switch it off.", "The red light may go on while it is running. If so, switch it off."),
        ("The Tenant shall not, without the consent of the Landlord, keep a dog or paint the walls.", "The Tenant shall not keep a dog without the consent of the Landlord. Without such consent, the Tenant shall not paint the walls."),
        ("Rinse the tray with water, dry it and put it back.", "Rinse the tray with water. Dry it and put it back."),
        ("Do not pour the oil into the drain, but take it to the shop.", "Do not pour the oil into the drain. Instead, take it to the shop."),
        ("When the oil has run out, screw the plug back in.", "Wait until the oil has run out. Then screw the plug back in."),
        ("Put a tray that holds half a litre under the drain.", "Put a tray under the drain. The tray must hold half a litre."),
        ("Check whether the tank, which holds two litres, has been closed.", "Check whether the tank has been closed. The tank holds two litres."),
    ],
)  # fmt: skip
def test_each_part_is_a_sentence(sentence: str, pieces: str) -> None:
    assert pieces in [f"{one.first} {one.second}" for one in single_splits(sentence, False)]


def test_no_order_hangs_on_a_reason() -> None:
    sentence = "Never use vinegar for it, since it damages the seals, and replace the filter every month."
    assert splits(sentence, 12)[0].text.endswith("Replace the filter every month.")
    assert not any("seals, and replace" in one.text for one in splits(sentence, 12))


def test_what_was_set_apart_is_read_as_one() -> None:
    assert with_conditions("It ends. This does not apply if it rains.") == "It ends, unless it rains."
    assert with_conditions("It ends. This applies only if it rains.") == "It ends, provided that it rains."
