from __future__ import annotations

from random import Random

from redraft.revision.search.plans import apply_advice
from redraft.text import Document
from redraft.train.planning.inversion import BEFORE, Unit, damage_sentences
from tests.train.clean import clean_text


def spoilt(count: int = 30) -> list[Unit]:
    texts = (damage_sentences(clean_text(seed), 0.6, Random(seed)) for seed in range(count))
    return [unit for units in texts for unit in units if unit.spoilt]


def test_clean_units_join_to_the_text_and_a_share_is_damaged() -> None:
    text = clean_text(1, 60)
    for share in (0.1, 0.5):
        units = damage_sentences(text, share, Random(2))
        assert "".join(unit.clean + unit.gap for unit in units) == text
        assert abs(sum(unit.spoilt for unit in units) / len(units) - share) < 0.2
    assert damage_sentences(text, 0.5, Random(2)) == damage_sentences(text, 0.5, Random(2))
    assert not any(unit.spoilt for unit in damage_sentences(text, 0.0, Random(2)))


def test_advice_in_concrete_terms_undoes_the_damage_to_the_letter() -> None:
    single = [unit for unit in spoilt() if len(unit.advice) == 1]
    done = [apply_advice(unit.damaged, unit.advice[0], "plan") for unit in single]
    assert len(single) > 200
    for unit, made in zip(single, done, strict=True):
        assert made, unit
        assert made[0].text == unit.clean


def test_every_way_is_taken_and_has_an_advice_for_each_sentence() -> None:
    units = spoilt()
    said = " ".join(advice for unit in units for advice in unit.advice)
    for head in (
        "Fix the grammar: ",
        "Make this more concise: ",
        "Split this long",
        "Leave it out",
        "Remove “",
    ):
        assert head in said
    assert f"Join it with sentence {BEFORE}" in said
    for unit in units:
        assert len(Document(unit.damaged).sentences) == len(unit.advice)
