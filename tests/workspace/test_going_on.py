"""What becomes of a job when its worker, its server or its database dies: it goes on."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest

from redraft.workspace import Crew, TestModel as Asked, get_job, open_store, start_job
from tests.models.scripted import Handler, ScriptedServer, hang, say
from tests.process import Started
from tests.web.serving import PATIENCE_S, eventually, serving, settings_in, working
from tests.workspace.postgres import Postgres, needs_postgres


class FirstHangs:
    """The first request is never answered."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, handler: Handler, body: dict[str, Any]) -> None:
        self.asked += 1
        (hang if self.asked == 1 else say("ok"))(handler, body)


def test_a_worker_that_is_killed_is_started_again_and_its_job_goes_on(tmp_path: Path) -> None:
    with ScriptedServer() as service:
        service.answers = [answers := FirstHangs()]
        settings = settings_in(tmp_path, model=f"{service.url}#tiny")
        store = open_store(settings)
        crew = Crew(store, settings, 1)
        crew.start()
        try:
            job = start_job(store, "test", Asked(prompt="Well?"), settings)
            eventually(lambda: answers.asked)
            (killed,) = crew.pids
            os.kill(killed, signal.SIGKILL)
            ended = eventually(lambda: (found := get_job(store, job.id)).has_ended and found)
            assert (ended.state, ended.tries) == ("done", 2)
            assert ended.result["text"] == "ok"
            assert killed not in crew.pids
        finally:
            crew.close()
            store.close()


def test_a_server_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    with ScriptedServer() as service:
        service.answers = [answers := FirstHangs()]
        words = (
            "serve",
            "--port",
            "0",
            "--no-open",
            "--data",
            str(tmp_path / "data"),
            "--model",
            f"{service.url}#tiny",
        )
        start = partial(Started, *words, env={"REDRAFT_CACHE": "false"})
        with killed(start()) as server, closing(client_of(server)) as client:
            document = client.post("/v1/documents", json={"text": "Kept."}).json()
            asked = {"prompt": "Well?", "document": document["id"]}
            job = client.post("/v1/models/test", json=asked, params={"wait": False}).json()
            server.wait_for(lambda: answers.asked)
        with killed(start()) as server, closing(client_of(server)) as client:
            server.wait_for(lambda: client.get(f"/v1/jobs/{job['id']}").json()["state"] == "done")
            found = client.get(f"/v1/documents/{document['id']}").json()
            assert (found["text"], found["job"]) == ("Kept.", job["id"])


@contextmanager
def killed(started: Started) -> Iterator[Started]:
    """A server that is killed in the end."""
    try:
        yield started
    finally:
        started.send(signal.SIGKILL)
        started.ended()


def client_of(started: Started) -> httpx2.Client:
    """A client of a server, as soon as it says where it is and answers."""
    said = eventually(lambda: re.search(r"http://[\d.]+:\d+", started.said()))
    client = httpx2.Client(base_url=said[0], timeout=PATIENCE_S)

    def answers() -> bool:
        try:
            return client.get("/healthz").is_success
        except httpx2.ConnectError:
            return False

    started.wait_for(answers)
    return client


@needs_postgres
def test_a_database_that_goes_away_comes_back(
    tmp_path: Path, postgres: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    with ScriptedServer() as service:
        answering = FirstHangs()
        service.answers = [answering]
        settings = settings_in(tmp_path, model=f"{service.url}#tiny", database_url=postgres.url, timeout=600)
        with serving(settings) as api, working(settings):
            asked = {"params": {"wait": False}, "json": {"prompt": "Well?"}}
            hanging = api.client.post("/v1/models/test", **asked).json()
            eventually(lambda: answering.asked)
            postgres.stop()
            try:
                away = api.client.get("/v1/jobs")
                assert away.status_code == 503
                assert int(away.headers["retry-after"]) > 0
                assert api.client.get("/readyz").status_code == 503
                assert api.client.get("/healthz").status_code == 200
            finally:
                postgres.start()
            eventually(lambda: api.client.get("/readyz").is_success)
            answer = api.client.post("/v1/models/test", json={"prompt": "And now?"})
            assert answer.json()["text"] == "ok"
            api.post(f"/v1/jobs/{hanging['id']}/stop", None)
            eventually(lambda: api.client.get(f"/v1/jobs/{hanging['id']}").json()["state"] == "stopped")
    assert "does not answer" in caplog.text
