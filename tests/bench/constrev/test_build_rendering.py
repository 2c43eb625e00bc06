from __future__ import annotations

import asyncio
import json

import pytest

from redraft.bench.constrev.building.rendering import (
    TEMPLATES,
    TRIES,
    Rendered,
    fault,
    render_from_templates,
    render_with_model,
)
from redraft.constraints import parse, parse_call
from tests.bench.constrev.built import text
from tests.models.scripted import FakeModel

SOURCE = text("a")
CONSTRAINTS = [
    parse_call(call)
    for call in (
        'word_count_check(300, "less than")',
        'sentence_modification_check([4, 9], "unchange")',
        'keyword_keep_removal_check("harbour", "remove")',
    )
]
DRAFT = Rendered(
    'Please refine the following text. Use fewer than 300 words in total. Do not use the word "harbour". '
    "Keep the 4th and 9th sentences unchanged.",
    TEMPLATES,
)
GOOD = 'Could you polish this text for me, keep it under 300 words, leave sentences 4 and 9 as they are, and avoid the word "harbour"?'
ODD = 'Polish this text; sentences 4 and 9 are sacrosanct, fewer than 300 words, and not one "harbour" in it, please.'


def rendered(*answers: str, judge: FakeModel | None = None) -> tuple[Rendered, FakeModel]:
    model = FakeModel([*answers, *["nothing of use"] * TRIES])
    return asyncio.run(render_with_model(DRAFT, CONSTRAINTS, SOURCE, model, judge, 0)), model


@pytest.mark.parametrize("seed", range(40))
def test_our_own_wordings_say_what_the_calls_say(seed: int) -> None:
    found = render_from_templates(CONSTRAINTS, SOURCE, str(seed))
    assert found is not None
    assert set(parse(found.instruction).constraints) == set(CONSTRAINTS)
    assert found.by == TEMPLATES


def test_our_own_wordings_are_many() -> None:
    found = [render_from_templates(CONSTRAINTS, SOURCE, str(seed)) for seed in range(60)]
    assert len({one.instruction for one in found if one}) > 55


def test_without_constraints_there_is_a_plain_wish() -> None:
    found = render_from_templates([], SOURCE, "x")
    assert found is not None
    assert not parse(found.instruction).constraints
    assert found.instruction.endswith(".")


def test_a_good_rendering_of_a_model_is_used() -> None:
    found, model = rendered(GOOD)
    assert found == Rendered(GOOD, "fake", ())
    assert DRAFT.instruction in model.requests[0].messages[-1].content


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (f"Certainly! Here is the rewritten request: {GOOD}", "chatter"),
        (f"Here is the request: {GOOD}", "chatter"),
        (f"{GOOD} I hope this helps.", "chatter"),
        (f'"{GOOD}"', "in quotation marks"),
        (f"{GOOD}\n\nThank you.", "several paragraphs"),
        ("", "empty"),
        (f"<request>{GOOD}</request>", "left from the prompt"),
        (f"{GOOD} {' '.join(SOURCE.split()[:12])}", "holds the source text"),
        (GOOD.replace("300", "350"), 'lost word_count_check(300, "less than")'),
        (GOOD.replace("under", "about"), 'lost word_count_check(300, "less than")'),
        (
            GOOD.replace(', and avoid the word "harbour"', ""),
            'lost keyword_keep_removal_check("harbour", "remove")',
        ),
        (f"{GOOD[:-1]}, and use exactly 12 sentences?", 'added sentence_count_check(12, "equal")'),
        (f"{GOOD} Write it in rhyming verse.", "may demand more: rhyming verse"),
        (GOOD.replace("under 300", "between 200 and 300"), "the ends of a range are in doubt"),
    ],
)
def test_a_rendering_that_went_astray_is_rejected_and_the_next_one_used(answer: str, reason: str) -> None:
    found, _ = rendered(answer, GOOD)
    assert found.instruction == GOOD
    (rejected,) = found.rejected
    assert rejected.instruction == answer.strip()
    assert rejected.reason.startswith(reason)


def test_after_several_rejections_ours_is_used_and_every_one_is_kept() -> None:
    found, model = rendered(*["Make it nice."] * TRIES)
    assert (found.instruction, found.by) == (DRAFT.instruction, TEMPLATES)
    assert len(found.rejected) == len(model.requests) == TRIES
    assert len({request.seed for request in model.requests}) == TRIES


def verdicts(made: list[bool], more: bool) -> FakeModel:
    return FakeModel([json.dumps({"made": made, "more": more})] * TRIES)


def test_a_judge_decides_where_the_reading_differs() -> None:
    judge = verdicts([True, True, True], False)
    found, _ = rendered(ODD, judge=judge)
    assert found.instruction == ODD
    shown = judge.requests[0].messages[-1].content
    assert ODD in shown
    assert "1. The text should contain fewer than 300 words." in shown
    made = json.loads(judge.requests[0].schema or "")["properties"]["made"]
    assert (made["minItems"], made["maxItems"]) == (3, 3)


@pytest.mark.parametrize(
    ("made", "more", "reason"),
    [
        ([True, False, True], False, "judged to lose sentence_modification_check([4, 9]"),
        ([True, True, True], True, "judged to demand more"),
        ([True, True], False, "not judged"),
    ],
)
def test_what_a_judge_rejects_is_not_used(made: list[bool], more: bool, reason: str) -> None:
    found, _ = rendered(ODD, GOOD, judge=verdicts(made, more))
    assert found.instruction == GOOD
    assert found.rejected[0].reason.startswith(reason)


def test_a_judge_is_not_asked_about_what_reads_back() -> None:
    judge = verdicts([False] * 3, True)
    assert rendered(GOOD, judge=judge)[0].instruction == GOOD
    assert not judge.requests


def test_an_instruction_may_hold_quoted_words_at_its_end() -> None:
    assert fault('Keep the word "sea".', [], SOURCE) is None
    assert fault('Avoid "sea"', [], SOURCE) is None
