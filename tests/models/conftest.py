"""The real embedded model, with the user's weights and a response cache of the test's own; and a tiny one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.models.embedded import Embedded, open_embedded
from redraft.models.llama import close_engines
from redraft.settings import Settings, load_settings
from tests.models.scripted import ScriptedServer
from tests.models.tiny_llama import write_model


@pytest.fixture(scope="session")
def weights_root() -> Path:
    return load_settings().weights()


@pytest.fixture
def settings(tmp_path: Path, weights_root: Path) -> Settings:
    return Settings(
        cache_dir=tmp_path / "cache", weights_dir=weights_root, context=2048, retries=2, timeout=30
    )


@pytest.fixture(scope="session")
def embedded(weights_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    folder = tmp_path_factory.mktemp("cache")
    yield open_embedded("embedded", Settings(cache_dir=folder, weights_dir=weights_root, context=2048))
    close_engines()


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a Llama that computes next to nothing, for what is not about its answers."""
    return write_model(tmp_path_factory.mktemp("tiny") / "tiny.gguf")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        yield scripted
