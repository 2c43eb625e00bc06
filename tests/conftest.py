"""What every test needs."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import platformdirs
import pytest
from hypothesis import settings

from redraft.models.weights import ALL, ensure
from redraft.settings import Settings, load_settings
from tests.browser import Browser, running
from tests.by_rule import score_by_rule

# A shell that runs the tests in the background makes them ignore Ctrl-C, and with them every process that they
# start; but some tests are about Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# The same cases on every machine, however slow; `--hypothesis-profile default` draws others.
settings.register_profile("same", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("same")


default_weights = Settings.weights
"""Where weights are by default; in the tests they are the user's, for nobody fetches them again for each test."""


@pytest.fixture(scope="session", autouse=True)
def own_cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No answer comes from the user's cache; the weights do, and are there before a test begins."""
    weights = load_settings().weights()
    for one in ALL:
        ensure(one, weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REDRAFT_WEIGHTS_DIR", str(weights))
        patch.setattr(Settings, "weights", lambda settings: settings.weights_dir or weights)
        patch.setenv("REDRAFT_READING", "rules")  # what a model reads is tested where it is asked to read
        patch.setenv("REDRAFT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser without a window; a test that asks for it is marked `needs_browser`."""
    with running(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def own_trust(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the test's own list of trusted files."""
    folder = tmp_path_factory.mktemp("config") / "redraft"
    monkeypatch.setattr(platformdirs, "user_config_dir", lambda name: str(folder))
    return folder


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """Torch on one thread: tiny models are slower on several."""
    import torch  # noqa: PLC0415 - slow to import, and most tests do without

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def by_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are scored by rule, and not by the embedded models."""
    score_by_rule(monkeypatch.setattr)
