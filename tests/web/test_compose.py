"""Pieces that a server writes, with a service that plays a strong model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import redraft
from redraft.models import Usage
from redraft.settings import Settings
from tests.composition.strong import TITLES, Strong
from tests.web.serving import Serving, eventually, serving, settings_in, working

ASKED = {"topic": "Rain in the city", "style": "about 300 words"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Serving, Settings]]:
    with Strong() as strong:
        settings = settings_in(tmp_path_factory.mktemp("compose"), model=f"{strong.url}#strong")
        with serving(settings) as api, working(settings):
            yield api, settings


def test_a_piece_is_told_step_by_step(served: tuple[Serving, Settings]) -> None:
    api, settings = served
    heard = api.events("/v1/compose", ASKED)
    told = {kind: data for _, kind, data in heard}
    assert [one["title"] for one in told["outline"]["sections"]] == list(TITLES["en"])
    assert told["section"]["content"]
    assert told["step"]["action"] == "finish"
    assert told["result"]["finished"]
    assert told["result"]["text"].startswith("# ")
    eventually(lambda: not list((settings.data_dir / "jobs").iterdir()))


def test_an_outline_waits_for_a_person_and_is_written_as_they_want_it(
    served: tuple[Serving, Settings],
) -> None:
    api, _ = served
    waiting = api.post("/v1/compose", {**ASKED, "outline_only": True}).json()
    assert waiting["waiting"]
    assert waiting["sections"] == []
    assert [one["title"] for one in waiting["outline"]] == list(TITLES["en"])
    own = "# My title\n## First\n- one point\n## Second\n- another\n"
    found = api.post("/v1/compose", {**ASKED, "outline": own}).json()
    assert (found["title"], [one["title"] for one in found["outline"]]) == ("My title", ["First", "Second"])
    assert [(one["title"], one["score"]) for one in found["sections"]] == [("First", 9.0), ("Second", 9.0)]
    assert all(one["content"] in found["text"] for one in found["sections"])
    assert api.post("/v1/compose", {**ASKED, "outline": "no outline"}).status_code == 422


def test_a_piece_of_a_server_is_the_same(served: tuple[Serving, Settings]) -> None:
    api, settings = served
    far, near = (
        redraft.compose(ASKED["topic"], ASKED["style"], settings=one)
        for one in (settings.model_copy(update={"server": api.url}), settings)
    )
    assert far.to_dict().keys() == near.to_dict().keys()
    assert (far.text, far.title, far.finished, far.status) == (
        near.text,
        near.title,
        near.finished,
        near.status,
    )
    assert far.state == near.state
    assert [replace(one, usage=Usage(), seconds=0.0) for one in far.steps] == [
        replace(one, usage=Usage(), seconds=0.0) for one in near.steps
    ]
