"""Simplify, Compose and Runs in a browser: `make test-all` runs it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser import needs_browser
from tests.composition.strong import Strong
from tests.models.scripted import ScriptedServer, say
from tests.web.serving import Serving, serving, settings_in, working
from tests.web.workbench import Workbench, workbench

pytestmark = [pytest.mark.long, needs_browser]

HOSTILE = "<img src=x onerror=alert(1)>"
AXE = Path(sys.prefix) / "axe.min.js"
ROLES = ("reasoner", "outliner", "writer", "reviewer", "refiner")


def make_runs(folder: Path) -> Path:
    """Two runs of a benchmark with scores, and one that is under way."""
    for name, outputs in (("one", ("It is red.", "It is blue.")), ("two", ("It is red.", "It is green."))):
        place = folder / name
        place.mkdir(parents=True)
        (place / "run.json").write_text(json.dumps({"benchmark": "editeval", "system": HOSTILE}))
        records = [
            {"key": f"jfleg/{place}/1", "dataset": "jfleg", "id": str(place), "task": "fluency", "prompt": 1}
            | {"instruction": "Fix it", "input": f"{HOSTILE} It are red.", "references": ["It is red."]}
            | {"documents": [], "output": output, "error": None, "usage": {}}
            for place, output in enumerate(outputs)
        ]
        lines = (json.dumps(record) + "\n" for record in records)
        (place / "samples.jsonl").write_text("".join(lines))
        score = {"score": 50.0, "low": 40.0, "high": 60.0, "n": 2, "components": {}, "signature": "gleu|x"}
        prompt = {"instruction": "Fix it", "planned": 2, "scored": 2, "scores": {"gleu": score}}
        data = {"abbreviation": "JFL", "task": "fluency", "planned": 2, "scored": 2, "failed": 0}
        scores = {"benchmark": "editeval", "system": HOSTILE, "label": name}
        scores["coverage"] = {"planned": 2, "done": 2, "failed": 0}
        scores["datasets"] = {"jfleg": {**data, "prompts": {"1": prompt}, "over_prompts": {}}}
        (place / "scores.json").write_text(json.dumps(scores))
    (folder / "half").mkdir()
    (folder / "half/run.json").write_text('{"benchmark": "editeval", "system": "copy", "planned": 8}')
    (folder / "half/samples.jsonl").write_text('{"key": "1", "error": null, "output": "x"}\n')
    return folder


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("pages")
    with Strong() as author, ScriptedServer() as other:
        other.answers = [say("They will begin soon.")]
        specs = dict.fromkeys(ROLES, f"{author.url}#tiny")
        settings = settings_in(folder, model=f"{other.url}#tiny", **specs)
        with serving(settings, runs=make_runs(folder / "runs")) as started, working(settings):
            yield started


@pytest.fixture
def bench(api: Serving) -> Iterator[Workbench]:
    with workbench(api.url) as opened:
        yield opened
        # A policy that is refused is a complaint of the browser's too.
        assert [one for one in opened.faults if "422" not in one] == []


def check_access(page: Page) -> None:
    """No serious problem for people who see or hear the page otherwise; by axe-core, where it is there."""
    if not AXE.exists():
        return
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    assert not serious, [(one["id"], [node["html"] for node in one["nodes"]]) for one in serious]


def test_a_person_simplifies_composes_and_looks_at_runs(bench: Workbench, tmp_path: Path) -> None:
    simplify(bench, tmp_path)
    compose(bench)
    look_at_runs(bench)


def simplify(bench: Workbench, folder: Path) -> None:
    page = bench.open("/#/simplify")
    text = f"They will commence the utilisation soon. {HOSTILE} stays."
    page.locator("#simplify-text").fill(text)
    page.get_by_text("Your own", exact=True).click()
    check_access(page)
    page.get_by_role("checkbox", name="Split sentences").check()
    page.get_by_label("What must hold").fill("word_count_check(")
    page.get_by_role("button", name="Simplify", exact=True).click()
    page.locator(".notice", has_text="policy cannot be used").wait_for()
    page.get_by_label("What must hold").fill('preserve_check("numbers")')
    page.get_by_role("button", name="Simplify", exact=True).click()
    page.locator("#simplified-heading").wait_for()
    check_access(page)

    # What was decided is there after the page was loaded again, and is what is taken away.
    page.get_by_role("button", name="Keep mine").first.click()
    page.locator(".simple-pair.kept").wait_for()
    page.wait_for_timeout(500)  # what a page keeps, it keeps after a pause
    page.reload()
    page.locator(".simple-pair.kept").wait_for()
    page.locator(".menu summary", has_text="All").click()
    page.get_by_role("button", name="Keep mine for the rest").click()
    page.locator(".menu summary", has_text="Export").click()
    with page.expect_download() as started:
        page.get_by_role("button", name="Text as you have decided").click()
    started.value.save_as(folder / "text")
    assert (folder / "text").read_text(encoding="utf-8") == text
    page.close()


def compose(bench: Workbench) -> None:
    page = bench.open("/#/compose")
    page.locator("#topic").fill("An article on why cities flood")
    page.get_by_role("button", name="Make an outline").click()
    page.locator(".outline-card").first.wait_for()

    def titles() -> list[str]:
        return [one.input_value() for one in page.locator(".fields-of input").all()]

    first, second, third = titles()
    check_access(page)
    # By keys, and by hand; what is locked stays in another outline.
    page.get_by_role("button", name="Move down").first.press("Enter")
    assert titles() == [second, first, third]
    page.locator(".grip").nth(2).drag_to(page.locator(".outline-card").first)
    assert titles() == [third, second, first]
    page.locator(".fields-of input").first.fill(HOSTILE)
    page.get_by_role("button", name="Lock").first.click()
    page.get_by_role("button", name="Another outline").click()
    page.locator(".outline-card.locked").wait_for()
    assert titles()[0] == HOSTILE
    page.get_by_role("button", name="Remove").last.click()
    page.get_by_role("button", name="Write it").click()
    page.get_by_role("heading", name="The piece").wait_for()
    assert page.locator(".piece h3").all_inner_texts() == [HOSTILE, second]
    check_access(page)
    assert page.locator(".piece .score").first.inner_text() == "9.0 of 10"
    page.close()


def look_at_runs(bench: Workbench) -> None:
    page = bench.open("/#/runs")
    page.locator(".how-far", has_text="1 of 8").wait_for()
    page.get_by_role("link", name="one").click()
    page.locator(".samples summary").first.click()
    page.locator(".sample del", has_text="are").first.wait_for()
    check_access(page)
    page.get_by_role("link", name="All runs").click()
    page.get_by_label("Compare one").check()
    page.get_by_label("Compare two").check()
    page.get_by_role("link", name="Compare the two").click()
    page.locator("#differences-heading").wait_for()
    check_access(page)
    assert page.locator("tbody tr").count() == 1  # the metrics that both have scores of
    page.close()
