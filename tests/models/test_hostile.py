"""Answers of a service that is broken, strange or means ill: understood or refused, and never a crash."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import redraft
from redraft.cli import app
from redraft.errors import RedraftError
from redraft.models import Models, Request, cached as retry, replies
from redraft.settings import Price, Settings
from tests.models.hostile import ANSWERS, hostile
from tests.models.scripted import ScriptedServer

TEXT = "The committee met on Monday. It was decided to buy a new bridge. Nobody was against it."
PRICE = Price(prompt=1, completion=2)
SHORT = 'sentence_count_check(3, "less than")'


@pytest.fixture(scope="module")
def service() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.answers = [hostile()]
        yield server


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(replies, "MOST_BYTES", 500_000)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"retries": 1, "prices": dict.fromkeys(ANSWERS, PRICE)})


def asking(record: dict[str, Any]) -> Request:
    return Request.of("Hello", max_tokens=8, n=record.get("n", 1))


async def outcome(url: str, name: str, models: Models) -> dict[str, Any]:
    """What came of one answer, in the words of its record."""
    record, page = ANSWERS[name], models.with_own_ledger()
    try:
        found = await page.open(f"{url}#{name}").complete(asking(record))
    except RedraftError as error:
        return {"error": type(error).__name__}
    usage = page.ledger.total
    estimated = usage.estimated == usage.calls
    told = {
        "read": [answer.text for answer in found],
        "reason": found[0].finish,
        "thoughts": found[0].thoughts,
        "tokens": "estimated" if estimated else [usage.prompt_tokens, usage.completion_tokens],
        "calls": usage.calls,
    }
    return {key: value for key, value in told.items() if key in record}


def test_hostile_answers_are_understood_or_refused_and_never_kept(
    service: ScriptedServer, settings: Settings
) -> None:
    wanted = {
        name: {
            key: record[key]
            for key in ("error", "read", "reason", "thoughts", "tokens", "calls")
            if key in record
        }
        for name, record in ANSWERS.items()
    }
    understood = [name for name, record in ANSWERS.items() if "read" in record]

    async def run() -> None:
        async with Models(settings) as models:
            found = await asyncio.gather(*(outcome(service.url, name, models) for name in ANSWERS))
            assert dict(zip(ANSWERS, found, strict=True)) == wanted
            kept = sum(ANSWERS[name].get("n", 1) for name in understood)
            assert models.cache.info().entries == {"completion": kept}
            assert all(math.isfinite(each) and each >= 0 for each in astuple(models.ledger.total))
            asked = len(service.requests)
            for name in understood:
                again = await models.open(f"{service.url}#{name}").complete(asking(ANSWERS[name]))
                assert [answer.text for answer in again] == ANSWERS[name]["read"]
            assert len(service.requests) == asked

    assert len(ANSWERS) > 60
    asyncio.run(run())


@pytest.mark.usefixtures("by_rule")
def test_a_revision_ends_with_the_best_so_far(service: ScriptedServer, settings: Settings) -> None:
    """Whatever a service answers, the text that obeys is there: the engine has made it before it asks."""

    async def failure(name: str) -> str | None:
        chosen = settings.model_copy(update={"model": f"{service.url}#{name}"})
        async with Models(chosen) as models:
            how = redraft.ReviseOptions(effort="low", scored=False)
            found = await redraft.arevise(TEXT, "", [SHORT], models=models, options=how)
        assert found.findings.met, name
        return None if found.failure is None else type(found.failure).__name__

    some = list(ANSWERS)[::8]  # each takes a tenth of a second

    async def every() -> dict[str, str | None]:
        return {name: await failure(name) for name in some}

    assert asyncio.run(every()) == {name: ANSWERS[name].get("error") for name in some}


@pytest.mark.usefixtures("by_rule")
@pytest.mark.parametrize("name", ["message null", "body: deep lists", "status 500 with HTML"])
def test_other_work_ends_with_what_there_is_too(
    service: ScriptedServer, settings: Settings, name: str
) -> None:
    chosen = settings.model_copy(update={"model": f"{service.url}#{name}"})

    async def run() -> tuple[redraft.Simplification, redraft.Composition]:
        async with Models(chosen) as models:
            return (
                await redraft.asimplify(TEXT, models=models, scored=False),
                await redraft.acompose(redraft.Brief("Bridges"), models=models),
            )

    for found in asyncio.run(run()):
        assert type(found.failure).__name__ == ANSWERS[name]["error"]
        assert found.status == 4
    assert asyncio.run(run())[0].text == TEXT


@pytest.mark.usefixtures("by_rule")
def test_a_command_prints_the_best_and_says_what_was_wrong(
    service: ScriptedServer, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(settings.cache_dir))
    monkeypatch.setenv("REDRAFT_MODEL", f"{service.url}#message null")
    result = CliRunner().invoke(app, ["revise", str(tmp_path / "text.txt"), "-c", SHORT, "--effort", "low"])
    assert result.exit_code == 4
    assert len(redraft.Document(result.stdout).sentences) == 2
    assert "cannot be read: a choice has no message" in " ".join(result.stderr.split())
