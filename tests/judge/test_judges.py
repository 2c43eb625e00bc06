"""What judges ask, in which order, and what they record."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from redraft.errors import InputError
from redraft.judge import Context, Item, Judgement, PairwiseJudge, PointwiseJudge, load_rubric, read_rubric
from redraft.judge.judges import Orders
from tests.judge.scripted import RuleJudge, always_a, item, marks, pair, revision, shown

COMPOSED = """
name = "piece"
instructions = "Mark the piece against the reference, which is worth 6."
shows = ["instruction", "reference"]
needs = ["reference"]
reason = false
[[aspects]]
name = "score"
question = "How good is it?"
range = [1, 10]
"""


def test_a_judgement_records_all_that_is_needed_to_trust_it() -> None:
    model = RuleJudge(lambda texts: revision(fluency=3), spec="openai:strict")
    found = asyncio.run(PointwiseJudge(model, load_rubric("revision"), seed=7).judge(item("k/1"), repeat=2))
    assert (found.id, found.kind, found.judge, found.rubric) == ("k/1", "score", "openai:strict", "revision")
    assert (found.order, found.repeat, found.seed, found.temperature) == ("", 2, 9, 0.0)
    assert found.marks == {"fluency": 3, "coherence": 4, "consistency": 5}
    assert found.reason == "so it is"
    assert found.raw == (revision(fluency=3),)
    assert found.usage.tokens == 15
    assert found.error is None
    assert model.requests[0].seed == 9
    assert Judgement.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_a_line_that_is_no_judgement_is_refused() -> None:
    with pytest.raises(InputError, match="no judgement"):
        Judgement.from_dict({"id": "1"})


def test_the_prompt_hash_is_of_the_wording_and_the_request_hash_of_everything() -> None:
    rubric = load_rubric("revision")
    judge = PointwiseJudge(RuleJudge(always_a), rubric)
    one, other = judge.inquiry(item("1")), judge.inquiry(item("1", "Another text."))
    assert one.question.prompt_hash == other.question.prompt_hash
    assert one.key.request_hash != other.key.request_hash
    reworded = replace(judge, rubric=replace(rubric, instructions="Be kind."))
    assert reworded.inquiry(item("1")).question.prompt_hash != one.question.prompt_hash
    for changed in (
        replace(judge, seed=1),
        replace(judge, temperature=0.5),
        replace(judge, model=RuleJudge(always_a, "other")),
    ):
        assert changed.inquiry(item("1")).key.request_hash != one.key.request_hash
    assert judge.inquiry(item("1")).key == one.key


def test_scales_and_their_good_ends_are_told() -> None:
    model = RuleJudge(lambda texts: marks(reason="", meaning=5, errors="0", over_correction="none"))
    found = asyncio.run(PointwiseJudge(model, load_rubric("grammar")).judge(item()))
    assert found.marks == {"meaning": 5, "errors": "0", "over_correction": "none"}
    told = model.requests[0].messages[0].content
    assert "Marks (the lowest is best): none · minor · moderate · substantial" in told
    assert "Marks (the highest is best): 1 · 2 · 3 · 4 · 5" in told


def test_traits_references_and_instructions_are_shown_as_the_rubric_says() -> None:
    model = RuleJudge(lambda texts: marks(score=7))
    context = Context(
        source="draft", instruction="Write.", references=("model answer",), traits=("vivid", "short")
    )
    found = asyncio.run(
        PointwiseJudge(model, read_rubric(COMPOSED, "piece")).judge(Item("1", "It rained.", context))
    )
    assert found.marks == {"score": 7}
    prompt = model.requests[0].messages[1].content
    assert shown(prompt) == {
        "instruction": "Write.",
        "reference": "model answer",
        "criteria": "- vivid\n- short",
        "text": "It rained.",
    }
    assert "weigh it within the aspects" in prompt
    assert '"reason"' not in prompt
    asyncio.run(PointwiseJudge(model, load_rubric("revision")).judge(item()))
    assert "weigh it within the aspects" not in model.requests[-1].messages[1].content


def test_a_pair_is_asked_in_both_orders() -> None:
    model = RuleJudge(always_a)
    found = asyncio.run(PairwiseJudge(model, load_rubric("pairwise")).judge(pair("1", "one", "two")))
    assert [judgement.order for judgement in found] == ["ab", "ba"]
    places = [shown(request.messages[1].content) for request in model.requests]
    assert [(texts["candidate_a"], texts["candidate_b"]) for texts in places] == [
        ("one", "two"),
        ("two", "one"),
    ]


def orders(seed: int, repeat: int = 0, mode: Orders = "random") -> list[str]:
    judge = PairwiseJudge(RuleJudge(always_a), load_rubric("pairwise"), mode, seed=seed)
    return [judge.inquiries(pair(str(n), "one", "two"), repeat)[0].order for n in range(200)]


def test_a_single_order_is_drawn_by_the_seed() -> None:
    assert orders(1) == orders(1)
    assert orders(1) != orders(2)
    assert orders(1) != orders(1, repeat=1)
    assert 70 < orders(1).count("ab") < 130
