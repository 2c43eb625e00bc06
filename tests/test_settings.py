"""Settings: which source wins, where a value came from, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.errors import SettingsError
from redraft.project import trust
from redraft.settings import Settings, load_settings
from tests.conftest import default_weights


def load(folder: Path, flags: dict[str, object] | None = None, **environment: str) -> Settings:
    return load_settings(flags, directory=folder, environment=environment)


def test_defaults(tmp_path: Path) -> None:
    settings = load(tmp_path)
    assert settings.model == "embedded"
    assert settings.origin("model") == "default"
    assert settings.spec_for("judge") == "embedded"


def test_sources_in_increasing_strength(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.redraft]\nmodel = "openai:a"\nthreads = 1\ncontext = 300\nretries = 1\n'
    )
    (tmp_path / "redraft.toml").write_text('model = "openai:b"\nthreads = 2\ncontext = 400\n')
    deep = tmp_path / "docs" / "chapter"
    deep.mkdir(parents=True)
    settings = load(
        deep, {"model": "openai:d", "context": None}, REDRAFT_MODEL="openai:c", REDRAFT_THREADS="3"
    )
    assert (settings.model, settings.origin("model")) == ("openai:d", "--model")
    assert (settings.threads, settings.origin("threads")) == (3, "REDRAFT_THREADS")
    assert (settings.context, settings.origin("context")) == (400, f"redraft.toml at {tmp_path}")
    assert (settings.retries, settings.origin("retries")) == (1, f"pyproject.toml at {tmp_path}")


def test_a_pyproject_of_another_project_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.redraft]\nmodel = "openai:a"\n')
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert load(tmp_path / "inner").model == "openai:a"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('modle = "x"', ["redraft.toml at", "'modle'", "did you mean 'model'?"]),
        ("wibblewobble = 1", ["there are: model"]),
        ('threads = "many"', ["redraft.toml at", "threads", "integer", "'many'"]),
        ("threads = -1", ["threads", "greater than or equal to 0"]),
        ('counting = "loose"', ["counting", "'default' or 'constrev'"]),
        ("model = 3", ["model", "string"]),
        ("prices.tiny.prompt = 1", ["prices.tiny.completion", "required"]),
        ('api_key = "sk-1"', ["OPENAI_API_KEY"]),
        ("model = ", ["not valid TOML"]),
    ],
)
def test_mistakes_name_the_file_and_the_key(tmp_path: Path, content: str, words: list[str]) -> None:
    (tmp_path / "redraft.toml").write_text(content)
    with pytest.raises(SettingsError) as caught:
        load(tmp_path)
    for word in words:
        assert word in str(caught.value)


def test_mistakes_in_the_environment_and_the_flags(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="REDRAFT_THREADS: threads"):
        load(tmp_path, REDRAFT_THREADS="x")
    with pytest.raises(SettingsError, match="--retries: retries"):
        load(tmp_path, {"retries": 99})
    with pytest.raises(SettingsError, match="did you mean 'model'"):
        load(tmp_path, {"modell": "x"})
    with pytest.raises(SettingsError, match=r"redraft\.toml"):
        load(tmp_path, REDRAFT_PRICES="{}")


@pytest.mark.usefixtures("own_trust")
def test_prices_and_folders(tmp_path: Path) -> None:
    file = tmp_path / "redraft.toml"
    file.write_text('cache_dir = "answers"\n[prices."gpt-4o-mini"]\nprompt = 0.15\ncompletion = 0.6\n')
    trust(file)
    settings = load(tmp_path)
    assert settings.prices["gpt-4o-mini"].completion == 0.6
    assert settings.cache_dir == tmp_path / "answers"
    assert default_weights(settings) == tmp_path / "answers" / "weights"
    assert load(tmp_path, REDRAFT_CACHE_DIR="/x").cache_dir == Path("/x")
    assert load(tmp_path, REDRAFT_CACHE="0").cache is False


def test_the_key_is_never_shown(tmp_path: Path) -> None:
    settings = load(tmp_path, OPENAI_API_KEY="sk-secret", OPENAI_BASE_URL="http://h/v1")
    assert settings.base_url == "http://h/v1"
    assert settings.api_key is not None
    assert settings.api_key.get_secret_value() == "sk-secret"
    assert settings.origin("api_key") == "OPENAI_API_KEY"
    assert "sk-secret" not in f"{settings!r} {settings} {settings.model_dump_json()}"
