"""RAVEL as published: its rules, and its measures of whole trajectories computed by hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from redraft.composition import ComposeOptions, Composition, Limits, PaperPrompts, acompose, read_brief
from redraft.composition.actions import Action
from redraft.composition.brief import Language
from redraft.composition.dynamics import Average
from redraft.composition.paper import PARAMETERS, read_decision
from redraft.errors import InputError
from redraft.models import Models
from redraft.settings import Settings
from tests.composition.published import Published, decision

BRIEF = read_brief("Write an essay on floods, about 900 words.", "essay")


def composed(
    server: Published,
    cache_dir: Path,
    limits: Limits | None = None,
    folder: Path | None = None,
    prompts: PaperPrompts | None = None,
    roles: Mapping[str, str] | None = None,
) -> Composition:
    async def run() -> Composition:
        named = {role: f"{server.url}#{name}" for role, name in (roles or {"model": "tiny"}).items()}
        settings = Settings(cache_dir=cache_dir, retries=0, timeout=20, **named)
        options = ComposeOptions("paper", limits or Limits())
        async with Models(settings) as models:
            return await acompose(BRIEF, models=models, options=options, folder=folder, prompts=prompts)

    return asyncio.run(run())


def written(
    cache_dir: Path,
    decisions: Sequence[str],
    scores: Sequence[float] = (9,),
    sections: int = 2,
    limits: Limits | None = None,
) -> tuple[Composition, Published]:
    with Published(decisions, scores, sections) as server:
        return composed(server, cache_dir, limits), server


def test_a_policy_that_finishes_early(tmp_path: Path) -> None:
    """Of three sections one was refined and one passed at once; the third was never begun."""
    told = ["outline", "draft 1", "review 1", "refine 1", "review 1", "draft 2", "review 2", "finish"]
    piece, server = written(tmp_path, told, scores=[6, 9, 8], sections=3)
    assert [str(step.action) for step in piece.steps] == told
    assert (piece.finished, piece.stopped, piece.status) == (True, "finished", 0)
    assert [section.status for section in piece.state.sections] == ["completed", "completed", "pending"]
    assert piece.text == "# Floods\n\n## Part 1\n\nVersion 1.\n\n## Part 2\n\nDraft 2.\n"
    found = piece.dynamics
    assert found.success == 100  # Eq. 8: any finish within T_max
    assert found.efficiency == Average(8 / 3)  # |T| / n
    assert found.reviews_per_section == Average(100 * 3 / 3)  # Eq. 9
    assert found.refinements_per_section == Average(pytest.approx(100 * 1 / 3))
    assert (found.gain, found.gain_percent) == (Average(9 - 6), Average(100 * (9 - 6) / 6))  # Eq. 10
    assert (found.failures, found.outline, found.steps) == (Average(0), Average(3), Average(8))
    # Drafts at 2 and 6, done with at 5 and 7: medians 4 and 6.
    assert (found.lifetime, found.strategies) == (6 - 4, {"ISS": 1})
    assert server.asked.count("policy") == 8  # it is asked at every step, also where there is no choice


def test_a_policy_that_finishes_at_once(tmp_path: Path) -> None:
    piece, _ = written(tmp_path, ["finish"])
    assert (piece.finished, piece.text, piece.status, len(piece.steps)) == (True, "", 1, 1)
    found = piece.dynamics
    assert (found.success, found.failures, found.steps) == (100, Average(0), Average(1))
    assert found.efficiency is found.reviews_per_section is found.gain is found.outline is None


def test_a_policy_that_refines_for_ever(tmp_path: Path) -> None:
    told = ["outline", "draft 1", "review 1", "refine 1"]
    piece, _ = written(tmp_path, told, scores=[5], sections=4, limits=Limits(max_steps=20))
    assert (piece.finished, piece.stopped, piece.status) == (False, "20 steps are spent", 1)
    assert piece.state.manuscript[1].revisions == 17  # no limit, and nobody is told on
    assert piece.text.endswith("Version 17.\n")
    found = piece.dynamics
    assert (found.success, found.efficiency) == (0, Average(20 / 4))
    assert found.reviews_per_section == Average(100 * 1 / 4)
    assert found.refinements_per_section == Average(100 * 17 / 4)
    assert (found.gain, found.failures, found.strategies) == (None, Average(0), {})


def test_unknown_actions_and_wrong_parameters_are_failed_steps(tmp_path: Path) -> None:
    lacking = json.dumps({"thought": "", "action": "draft", "params": {"section_id": 1}})
    wrong = {
        "draft 1": "there is no section 1; the outline has 0",
        "publish": "'publish' is no action",
        lacking: "draft lacks topic, style_guide, section_title, points, prev_summary",
        "{ I would rather not": "no JSON object",
        "review 2": "section 2 has no text yet",
        decision("refine 1", section_id="the first"): "'the first' is no section_id",
    }
    first, *rest = wrong
    told = [first, "outline", *rest, "draft 1", "finish"]
    piece, server = written(tmp_path, told)
    failed = {step.number: step for step in piece.steps if step.error}
    assert list(failed) == [1, 3, 4, 5, 6, 7]
    for step, why in zip(failed.values(), wrong.values(), strict=True):
        assert why in step.error
        assert step.said
    assert server.asked.count("draft") == 1  # a tool is not tried in vain
    found = piece.dynamics
    assert (found.success, found.steps, found.failures) == (
        100,
        Average(9),
        Average(pytest.approx(100 * 6 / 9)),
    )
    assert found.efficiency == Average(9 / 2)


def test_unknown_actions_for_ever_spend_the_steps(tmp_path: Path) -> None:
    piece, server = written(tmp_path, ["dance"], limits=Limits(max_steps=12))
    assert (piece.finished, len(piece.steps), piece.dynamics.success) == (False, 12, 0)
    assert piece.dynamics.failures == Average(100)
    assert set(server.asked) == {"policy"}


def test_a_section_is_completed_by_its_score_alone_and_its_last_version_stands(tmp_path: Path) -> None:
    """It has one word of 450; and it was better before it was refined again."""
    told = ["outline", "draft 1", "review 1", "refine 1", "review 1", "finish"]
    piece, _ = written(tmp_path, told, scores=[8, 3])
    first, last = (step for step in piece.steps if step.action == Action("review", 1))
    assert first.effect is not None
    assert piece.state.section(1).status == "revision_needed"
    assert "Version 1." in piece.text
    assert last.number == 5
    assert piece.dynamics.gain == Average(3 - 8)
    completed, _ = written(tmp_path / "2", [*told[:3], "finish"], scores=[8])
    assert completed.state.section(1).status == "completed"
    assert all(section.words is None for section in completed.state.sections)


def test_nothing_is_asked_of_the_status(tmp_path: Path) -> None:
    """A completed section may be refined, a drafted one drafted again, and a new outline made."""
    told = [
        "outline",
        "draft 1",
        "draft 1",
        "review 1",
        "refine 1",
        "review 1",
        "review 1",
        "outline",
        "finish",
    ]
    piece, _ = written(tmp_path, told)
    assert not any(step.error for step in piece.steps)
    assert [section.status for section in piece.state.sections] == ["pending", "pending"]


def test_all_drafts_first_is_the_other_strategy(tmp_path: Path) -> None:
    told = ["outline", "draft 1", "draft 2", "draft 3", "review 1", "review 2", "review 3", "finish"]
    piece, _ = written(tmp_path, told, sections=3)
    assert piece.dynamics.strategies == {"PBS": 1}


def test_an_outline_has_no_most(tmp_path: Path) -> None:
    piece, _ = written(tmp_path, ["outline", "finish"], sections=60)
    assert piece.dynamics.outline == Average(60)


def test_tools_work_on_what_the_policy_gives_them(tmp_path: Path) -> None:
    copied = decision("review 1", content="Something else.")
    piece, server = written(tmp_path, ["outline", "draft 1", copied, "refine 1", "finish"])
    (draft,), (review,), (refine,) = map(server.shown, ("draft", "review", "refine"))
    assert draft["prev_summary"] == "the policy's prev_summary"
    assert set(draft) == {"topic", "style_guide", "section_title", "points", "prev_summary"}
    assert (review["content"], refine["feedback"]) == ("Something else.", "the policy's feedback")
    assert piece.steps[2].params["content"] == "Something else."
    assert piece.to_dict()["trajectory"][2]["params"]["content"] == "Something else."


def test_the_tools_may_be_called_as_in_the_appendix() -> None:
    params = {"section_id": "2", "style_guide": "essay", "points": ["a", "b"], "content": None, "more": 1}
    choice = read_decision(
        f"So:\n{json.dumps({'thought': 'x', 'action': 'review_content', 'params': params})}"
    )
    assert (choice.action, choice.problem, choice.params["points"]) == (Action("review", 2), "", "a; b")
    assert read_decision('{"action": "finish()", "params": {}}').action == Action("finish")
    assert read_decision('{"action": ["finish"]}').action is None


def test_the_outline_is_by_whoever_writes_unless_another_is_named(tmp_path: Path) -> None:
    told = ["outline", "draft 1", "finish"]
    with Published(told) as server:
        composed(server, tmp_path, roles={"model": "m", "reasoner": "strong", "writer": "w"})
    assert set(server.models) == {("policy", "strong"), ("outline", "w"), ("draft", "w")}
    with Published(told) as server:
        piece = composed(server, tmp_path, roles={"model": "m", "outliner": "planner"})
    assert set(server.models) == {("policy", "m"), ("outline", "planner"), ("draft", "m")}
    assert [step.by.rpartition("#")[2] for step in piece.steps] == ["planner", "m", "m"]


def test_prompts_are_files_that_can_be_replaced(tmp_path: Path) -> None:
    ours = PaperPrompts.read()
    ours.write(tmp_path / "own")
    assert PaperPrompts.read(tmp_path / "own") == ours
    with pytest.raises(InputError, match="is there already: choose another folder"):
        ours.write(tmp_path / "own")
    file = tmp_path / "own" / "en" / "draft.md"
    file.write_text("You are an experienced writer of hymns.\n{input}", "utf-8")
    own = PaperPrompts.read(tmp_path / "own")
    assert own.hash_of("zh") == ours.hash_of("zh")
    with Published(["outline", "draft 1", "finish"]) as server:
        piece = composed(server, tmp_path, prompts=own, folder=tmp_path / "piece")
        assert piece.to_dict()["prompts"] == own.hash_of("en") != ours.hash_of("en")
        assert "hymns" in json.dumps(server.requests)
        assert composed(server, tmp_path, prompts=own, folder=tmp_path / "piece").text == piece.text
        assert len(server.requests) == 5
        with pytest.raises(InputError, match="its prompts differs"):
            composed(server, tmp_path, folder=tmp_path / "piece")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, r"draft\.md is missing; there have to be policy, state, outline"),
        ("Write. {points}", r"draft\.md: \{points\} is unknown, there is only \{input\}; a brace"),
        ("Write. {input.__class__}", r"\{input.__class__\} is unknown"),
        ("Write. {input!r}", r"\{input!r\} is unknown"),
        ('Write {"content": 1} {input}', "a brace that stands for itself is written twice"),
        ("Write. {input", "a brace that stands for itself is written twice"),
        ("Write.", r"draft\.md has no \{input\}, so that nothing would be shown"),
    ],
)
def test_a_prompt_that_cannot_be_used_is_refused(tmp_path: Path, text: str | None, told: str) -> None:
    PaperPrompts.read().write(tmp_path)
    file = tmp_path / "en" / "draft.md"
    file.unlink() if text is None else file.write_text(text, "utf-8")
    with pytest.raises(InputError, match=told):
        PaperPrompts.read(tmp_path)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_our_prompts_ask_for_what_is_read(language: Language) -> None:
    wanted = {
        "policy": ("thought", "action", "params", *PARAMETERS, "7.5"),
        "outline": ("title", "outline", "section_title", "points"),
        "draft": ("content", "summary", "prev_summary"),
        "review": ("score", "feedback"),
        "refine": ("revised_content", "change_log"),
    }
    for name, words in wanted.items():
        blank = {"tau": "7.5"} if name == "policy" else {"input": "HERE"}
        text = PaperPrompts.read().fill(language, name, **blank)
        assert all(word in text for word in words)
        assert "{{" not in text


def test_prompts_of_another_language_or_protocol_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no prompts, which stand in its folders en and zh"):
        PaperPrompts.read(tmp_path)
    ours = PaperPrompts.read()
    chinese = PaperPrompts({name: text for name, text in ours.texts.items() if name.startswith("zh")})
    assert list(chinese.hashes()) == ["zh"]
    with Published(["finish"]) as server, pytest.raises(InputError, match="have no folder en"):
        composed(server, tmp_path, prompts=chinese)

    async def guarded() -> None:
        async with Models(Settings(cache_dir=tmp_path)) as models:
            await acompose(BRIEF, models=models, prompts=ours)

    with pytest.raises(InputError, match="replaced in the protocol paper, not in fixed"):
        asyncio.run(guarded())
