"""Files that come with a project: what they may set unasked, whose are read, and how they are trusted."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

import pytest

from redraft import project
from redraft.errors import SettingsError
from redraft.project import distrust, trust, trusted_files
from redraft.settings import ROLES, Settings, load_settings

pytestmark = pytest.mark.usefixtures("own_trust")


def load(folder: Path, flags: dict[str, object] | None = None, **environment: str) -> Settings:
    return load_settings(flags, directory=folder, environment=environment)


FORBIDDEN = [
    *(f'{name} = "somewhere"' for name in ("weights_dir", "cache_dir", "quality_models", "base_url")),
    *(f'{role} = "http://evil.example/v1#m"' for role in ("model", *ROLES)),
    'model = "https://evil.example/v1#m"',
    'model = "embedded:evil.gguf"',
    'model = "embedded:base.gguf"',
    'judge = "torch:evil"',
    'judge = "torch:/tmp/evil.gguf"',
    'writer = "hf:evil"',
    'writer = "plugin:evil"',
]
HARMLESS = """
model = "openai:gpt-5-mini"
planner = "embedded:base"
judge = "torch"
counting = "constrev"
format = "latex"
quality = "torch"
cache = false
threads = 2
concurrency = 3
timeout = 9
max_cost = 2.0
max_calls = 100
[prices."gpt-5-mini"]
prompt = 0.25
completion = 2.0
"""


@pytest.mark.parametrize("name", ["redraft.toml", "pyproject.toml"])
@pytest.mark.parametrize("line", FORBIDDEN)
def test_what_needs_trust(tmp_path: Path, line: str, name: str) -> None:
    file, setting = tmp_path / name, line.partition(" ")[0]
    content = line if name == "redraft.toml" else f"[tool.redraft]\n{line}"
    file.write_text(content)
    with pytest.raises(SettingsError) as caught:
        load(tmp_path)
    for words in (f"{name} at {tmp_path}", line.replace('"', "'"), f"redraft trust {file}"):
        assert words in str(caught.value)
    assert load(tmp_path, {setting: "embedded"}).origin(setting).startswith("--")
    assert load(tmp_path, **{f"REDRAFT_{setting.upper()}": "embedded"}).origin(setting).startswith("REDRAFT")
    trust(file)
    assert load(tmp_path).origin(setting) == f"{name} at {tmp_path}"
    file.write_text(content + "  # changed")
    with pytest.raises(SettingsError, match="it has changed since you trusted it"):
        load(tmp_path)
    file.write_text(content)
    assert distrust(file)
    with pytest.raises(SettingsError, match="if you trust it: redraft trust"):
        load(tmp_path)


def test_what_does_not(tmp_path: Path) -> None:
    (tmp_path / "redraft.toml").write_text(HARMLESS)
    settings = load(tmp_path)
    assert (settings.model, settings.counting, settings.max_calls) == ("openai:gpt-5-mini", "constrev", 100)


def test_every_setting_in_doubt_is_named_at_once_and_its_path_is_quoted(tmp_path: Path) -> None:
    folder = tmp_path / "it's mine; really"
    folder.mkdir()
    (folder / "redraft.toml").write_text('base_url = "http://me:secret@h/v1"\ncache_dir = "c"\nretries = 3\n')
    with pytest.raises(SettingsError) as caught:
        load(folder)
    told = str(caught.value)
    assert "base_url = 'http://h/v1', cache_dir = 'c':" in told
    assert "retries" not in told
    assert "secret" not in told
    assert "really/redraft.toml'" in told


def test_only_the_file_whose_value_counts_is_asked_about(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.redraft]\ncache_dir = "a"\n')
    (tmp_path / "redraft.toml").write_text('cache_dir = "b"\n')
    trust(tmp_path / "redraft.toml")
    assert load(tmp_path).cache_dir == tmp_path / "b"


def test_a_trusted_file_is_not_trusted_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    for folder in (tmp_path, tmp_path / "copy"):
        (folder / "redraft.toml").write_text('cache_dir = "a"\n')
    trust(tmp_path / "redraft.toml")
    load(tmp_path)
    with pytest.raises(SettingsError, match="redraft trust"):
        load(tmp_path / "copy")


@pytest.mark.parametrize("end", ["repository", "worktree", "home"])
def test_the_way_up_ends_at_the_repository_or_at_home(
    tmp_path: Path, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "redraft.toml").write_text("retries = 2\n")
    inner = tmp_path / "inner"
    deep = inner / "docs" / "chapter"
    deep.mkdir(parents=True)
    assert load(deep).retries == 2
    if end == "home":
        monkeypatch.setattr(Path, "home", lambda: inner)
    elif end == "repository":
        (inner / ".git").mkdir()
    else:
        (inner / ".git").write_text("gitdir: elsewhere\n")
    assert load(deep).retries == Settings().retries
    (inner / "redraft.toml").write_text("retries = 3\n")
    assert load(deep).retries == 3


def test_a_file_of_another_user_is_passed_over_and_told_of_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "redraft.toml").write_text("retries = 2\n")
    theirs = inner / "redraft.toml"
    (inner / "pyproject.toml").write_text("[[[ no TOML")
    owners = project._owners
    monkeypatch.setattr(project.os, "geteuid", lambda: 4242, raising=False)
    monkeypatch.setattr(
        project, "_owners", lambda path: {4243} if path.parent == inner else owners(path) and {4242}
    )
    for content in ("retries = 3\n", "retries = 4\n", "no TOML"):
        theirs.write_text(content)
        assert load(inner).retries == 2
    (told,) = (record for record in caplog.records if record.levelno == logging.WARNING)
    assert f"{theirs} belongs to another user" in told.getMessage()
    assert f"redraft trust {theirs}" in told.getMessage()
    theirs.write_text("retries = 3\n")
    trust(theirs)
    assert load(inner).retries == 3


def test_deep_nesting_is_a_mistake_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "redraft.toml").write_text("model = " + "[" * 100_000)
    with pytest.raises(SettingsError, match="not valid TOML"):
        load(tmp_path)
    (tmp_path / "redraft.toml").unlink()
    (tmp_path / "pyproject.toml").write_text("tool = 3\n")
    load(tmp_path)


def test_the_list_is_the_users_alone_and_a_damaged_one_trusts_nothing(
    tmp_path: Path, own_trust: Path
) -> None:
    file = tmp_path / "redraft.toml"
    file.write_text('cache_dir = "a"\n')
    trust(file)
    (kept,) = own_trust.iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(own_trust.stat().st_mode) == 0o700
    for content in ("{", "[1]", "3"):
        kept.write_text(content)
        assert trusted_files() == {}
        with pytest.raises(SettingsError, match="redraft trust"):
            load(tmp_path)
    trust(file)
    assert load(tmp_path).cache_dir == tmp_path / "a"


MODELS = {"writer": "http://elsewhere.example/v1#m", "reviewer": "openai:large"}


class TestRecorded:
    """The models of a folder that a piece is in: somebody else may have written it."""

    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        file = tmp_path / "compose.json"
        file.write_text("{}")
        return file

    def test_addresses_and_paths_need_trust(self, file: Path) -> None:
        with pytest.raises(SettingsError, match="elsewhere") as caught:
            Settings(model="openai:large").recorded(MODELS, file)
        assert f"redraft trust {file}" in str(caught.value)
        trust(file)
        settings = Settings(model="openai:large").recorded(MODELS, file)
        assert settings.spec_for("writer") == MODELS["writer"]
        assert settings.chosen_by(MODELS["writer"]) == str(file)
        assert settings.reviewer is None

    def test_what_the_user_has_chosen_too_does_not(self, file: Path) -> None:
        settings = Settings(writer=MODELS["writer"]).recorded(MODELS, file)
        assert settings.chosen_by(MODELS["writer"]) is None
        assert settings.model_copy(update={"judge": "openai:large"}).chosen_by("openai:large") == str(file)
        assert settings.chosen_by("openai:large") == str(file)
