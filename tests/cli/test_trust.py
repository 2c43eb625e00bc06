"""`redraft trust` as a user types it, and what stands in a project's files until it is typed."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from redraft import project
from redraft.cli import app


@pytest.fixture(autouse=True)
def project_folder(tmp_path: Path, own_trust: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "a project"
    (folder / "docs").mkdir(parents=True)
    monkeypatch.chdir(folder / "docs")
    for name in ("REDRAFT_WEIGHTS_DIR", "REDRAFT_CACHE_DIR"):
        monkeypatch.delenv(name)  # they would outrank what the files say
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_a_refused_file_names_the_command_that_trusts_it(project_folder: Path) -> None:
    file = project_folder / "redraft.toml"
    file.write_text('counting = "constrev"\nweights_dir = "stolen"\n')
    refused = run("models", "list")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert not (project_folder / "stolen").exists()
    command = refused.stderr.partition("if you trust it: ")[2].strip()
    given = run(*shlex.split(command)[1:])
    assert given.stdout == f"trusted as it is now: {file}\n  weights_dir = stolen\n"
    assert str(project_folder / "stolen") in run("models", "list").stdout
    assert run("trust", "--list").stdout == f"{file}\n"
    file.write_text('weights_dir = "other"\n')
    assert run("trust", "--list").stdout == f"{file}  (has changed since)\n"
    assert "it has changed since you trusted it" in run("doctor").stderr
    file.unlink()
    assert run("trust", "--list").stdout == f"{file}  (is gone)\n"
    assert run("trust", "--remove", str(file)).stdout == f"trusted no longer: {file}\n"
    assert run("trust", "--remove", str(file)).stdout == f"was not trusted: {file}\n"
    assert run("trust", "--list").stdout == ""


def test_the_files_of_a_folder_are_those_that_count_there(project_folder: Path) -> None:
    (project_folder / "pyproject.toml").write_text('[tool.redraft]\ncache_dir = "c"\n')
    (project_folder / "docs" / "redraft.toml").write_text('model = "http://me:secret@h/v1#\\u001b[31mm"\n')
    trusted = run("trust")
    assert trusted.stdout == (
        f"trusted as it is now: {project_folder / 'pyproject.toml'}\n  cache_dir = c\n"
        f"trusted as it is now: {project_folder / 'docs' / 'redraft.toml'}\n  model = http://h/v1#\\x1b[31mm\n"
    )
    assert run("trust", "--remove", str(project_folder)).stdout.count("trusted no longer") == 1


def test_what_cannot_be_trusted_says_why(project_folder: Path) -> None:
    nothing = run("trust")
    assert nothing.exit_code == 2
    assert "there is no redraft.toml" in nothing.stderr
    missing = run("trust", "missing.toml")
    assert missing.exit_code == 2
    assert "No such file" in missing.stderr
    (project_folder / "redraft.toml").write_text("model = ")
    damaged = run("trust")
    assert damaged.exit_code == 2
    assert "not valid TOML" in damaged.stderr


def test_a_file_of_another_user_is_told_of_whatever_is_quiet(
    project_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = project_folder / "redraft.toml"
    file.write_text('counting = "constrev"\n')
    monkeypatch.setattr(project, "_owners", lambda path: {4242})
    monkeypatch.setattr(project.os, "geteuid", lambda: 4243, raising=False)
    found = run("doctor", "--quiet")
    assert found.exit_code == 0
    assert f"warning: {file} belongs to another user" in found.stderr
    assert "constrev" not in found.stdout
    assert run("trust").exit_code == 0
    assert "constrev" in run("doctor").stdout
