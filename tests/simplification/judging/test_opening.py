"""Judges by name: what there is, and what a mistake is told."""

from __future__ import annotations

import asyncio

import pytest

from redraft.errors import InputError, MissingExtra
from redraft.models import Models
from redraft.settings import load_settings
from redraft.simplification.judging.metric import usable
from redraft.simplification.judging.model import ModelJudge
from redraft.simplification.judging.opening import check_judge, open_judge
from tests.simplification.judging.judges import REWRITE


@pytest.mark.parametrize(
    "spec",
    ["rubric", "metric:perplexity", "metric:lens_salsa:/models/x", "openai:gpt", "embedded", "http://h/v1#m"],
)
def test_names_of_judges(spec: str) -> None:
    check_judge(spec)


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("rubrick", 'did you mean "rubric"'),
        ("metric", 'did you mean "metric:NAME"'),
        ("qwen3", "valid are: rubric"),
        ("", "valid are: rubric"),
        ("metric:lens_sals", "did you mean metric:lens_salsa"),
        ("metric:sari", "needs more than a source"),
    ],
)
def test_a_mistake_is_told_before_any_work(spec: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        check_judge(spec)


def test_only_scores_without_references_judge() -> None:
    assert {"perplexity", "meaning", "reading_grade", "lens_salsa"} <= set(usable())
    assert not {"sari", "bleu", "lens", "similarity"} & set(usable())


def test_options_reach_the_judge() -> None:
    async def run() -> None:
        async with Models(load_settings({"cache": False})) as models:
            judge = open_judge("http://127.0.0.1:9/v1#m", models, thinking=True, rounds=3, parser="shallow")
            assert isinstance(judge, ModelJudge)
            for part in ("thinking:yes", "rounds:3", "parser:shallow", "#m|"):
                assert part in judge.name
            assert open_judge("rubric", models).name.endswith("parser:shallow")
            with pytest.raises(InputError, match="at least 1"):
                open_judge("rubric", models, rounds=0)

    asyncio.run(run())


def test_a_metric_that_is_not_installed_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with Models(load_settings({"cache": False})) as models:
            await open_judge("metric:lens_salsa", models).judge("A source.", ["One.", "Two."], REWRITE)

    monkeypatch.setitem(__import__("sys").modules, "lens", None)
    with pytest.raises(MissingExtra, match=r"redraft\[lens\]"):
        asyncio.run(run())


@pytest.mark.parametrize("metric", ["difficult_words", "reading_grade", "copied"])
def test_the_simpler_text_is_the_better_one(metric: str) -> None:
    hard, easy = "They commenced the deliberations expeditiously.", "They began to talk soon."

    async def run() -> tuple[int, int]:
        async with Models(load_settings({"cache": False})) as models:
            found = await open_judge(f"metric:{metric}", models).judge(hard, [hard, easy], REWRITE)
            return found.verdicts["overall"].best, found.verdicts["overall"].worst

    assert asyncio.run(run()) == (1, 0)
