"""The crew without a cluster: what it does where nobody can be hired."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from redraft.errors import WorkersLost
from redraft.runs import ray_engine
from redraft.runs.ray_engine import RayCrew, RayEngine


class RayGone(Exception):
    """What stands for Ray's own errors."""


RAY = SimpleNamespace(
    exceptions=SimpleNamespace(RayError=RayGone, RayTaskError=RayGone), kill=lambda actor: None
)


@pytest.mark.parametrize("error", [RuntimeError("the connection is closed"), RayGone("no cluster")])
def test_a_crew_that_cannot_hire_says_so_and_does_not_wait(error: Exception) -> None:
    def hire() -> Any:
        raise error

    async def start() -> None:
        crew = RayCrew(RAY, hire, workers=2, share=1, tell=lambda said: None)
        try:
            await asyncio.wait_for(crew.start(), timeout=240)
        finally:
            await crew.stop()

    with pytest.raises(WorkersLost, match=f"a worker cannot be started: {type(error).__name__}: {error}"):
        asyncio.run(start())


def test_a_cluster_that_is_held_is_started_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    class Ray:
        exceptions = SimpleNamespace(RayError=RuntimeError)
        job_config = SimpleNamespace(JobConfig=SimpleNamespace)

        def is_initialized(self) -> bool:
            return said.count("init") > said.count("shutdown")

        def init(self, *words: object, **options: object) -> None:
            said.append("init")

        def shutdown(self) -> None:
            said.append("shutdown")

    ray = Ray()
    monkeypatch.setattr(ray_engine, "_imported", lambda: ray)
    with RayEngine().held():
        for _ in range(2):
            with ray_engine._connected(ray, None):
                assert said == ["init"]
    assert said == ["init", "shutdown"]
