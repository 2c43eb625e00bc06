"""What is kept between runs is its owner's alone, and nobody else's is used."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.errors import FileError
from redraft.judge.reliability import keep, read_reliability
from redraft.models import CacheWarning, DiskCache
from redraft.models.cache import KEPT
from redraft.models.weights import Weights, ensure, locked
from redraft.text import write_text
from redraft.text.files import make_private, private_file, private_folder
from redraft.text.jsonl import Appender

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="modes are those of POSIX")


@pytest.fixture(params=[0o000, 0o022], autouse=True)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes(folder: Path) -> set[str]:
    """What there is, by kind and mode."""
    found = (folder, *folder.rglob("*"))
    return {
        f"{'folder' if each.is_dir() else 'file'} {stat.S_IMODE(each.lstat().st_mode):o}" for each in found
    }


PRIVATE = {"folder 700", "file 600"}


def open_cache(folder: Path) -> DiskCache:
    cache = DiskCache(folder / "answers.sqlite", max_bytes=10**7, max_seconds=1e6)
    cache.put("completion", {"key": b"a sentence of the user"})
    return cache


def build_toy(folder: Path, _: Path, progress: object) -> None:
    (folder / "model.gguf").write_bytes(b"GGUF")


def fill(folder: Path) -> DiskCache:
    """Everything that is kept: weights, answers with their side files, what judges are worth."""
    ensure(Weights("toy", 1, 1, build_toy), folder / "weights")
    keep((), folder / "reliability.json")
    return open_cache(folder)


def test_all_that_is_kept_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "far" / "redraft"
    cache = fill(folder)
    assert len(list(folder.glob("answers.sqlite*"))) == 3
    assert modes(folder.parent) == PRIVATE
    cache.close()


def test_what_was_open_to_others_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "redraft"
    fill(folder).close()
    (folder / "answers.sqlite-wal").touch()
    for each in (folder, *folder.rglob("*")):
        each.chmod(0o777 if each.is_dir() else 0o666)
    open_cache(folder).close()
    assert modes(folder) == PRIVATE


def test_links_in_it_are_not_followed_when_it_is_closed(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "redraft", tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    (folder / "compose").mkdir(parents=True)
    (folder / "compose" / "link").symlink_to(elsewhere)
    folder.chmod(0o777)
    private_folder(folder, KEPT)
    assert modes(folder / "compose") >= {"folder 700"}
    assert stat.S_IMODE(elsewhere.stat().st_mode) != 0o700


def test_a_folder_for_other_things_too_stays_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    folder.chmod(0o755)
    (folder / "thesis.tex").touch()
    open_cache(folder).close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert stat.S_IMODE((folder / "answers.sqlite").stat().st_mode) == 0o600
    folder.chmod(0o1777)  # as /tmp is
    with pytest.warns(CacheWarning, match="others may write to it; name a folder of your own"):
        open_cache(folder)
    with pytest.raises(FileError, match="others may write to it"):
        keep((), folder / "reliability.json")


def test_a_link_in_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    folder, victim = tmp_path / "redraft", tmp_path / "victim.txt"
    make_private(folder)
    victim.write_text("precious", encoding="utf-8")
    victim.chmod(0o644)
    for name in ("answers.sqlite", "toy.lock", "reliability.json", "reliability.lock"):
        (folder / name).symlink_to(victim)
    with pytest.warns(CacheWarning, match="it is a link; delete it"):
        open_cache(folder)
    with pytest.raises(OSError, match="it is a link"), locked(folder / "toy.lock", timeout=1, on_wait=print):
        pass
    with pytest.raises(FileError, match="is a link"):
        read_reliability(folder / "reliability.json")
    with pytest.raises(FileError, match="it is a link"):
        keep((), folder / "reliability.json")
    (folder / "answers.sqlite").unlink()
    (folder / "answers.sqlite-wal").symlink_to(victim)
    with pytest.warns(CacheWarning, match="it is a link"):
        open_cache(folder)
    assert victim.read_text(encoding="utf-8") == "precious"
    assert stat.S_IMODE(victim.stat().st_mode) == 0o644


def test_a_folder_that_the_user_linked_is_used(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "redraft").symlink_to(tmp_path / "disk")
    open_cache(tmp_path / "redraft").close()
    assert modes(tmp_path / "disk") == PRIVATE


def test_what_is_another_s_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "redraft").mkdir()
    (tmp_path / "redraft" / "answers.sqlite").touch()
    somebody = os.stat(tmp_path).st_uid + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody)
    with pytest.raises(OSError, match="it belongs to another user; name a folder of your own"):
        private_folder(tmp_path / "redraft", KEPT)
    with pytest.raises(OSError, match="it belongs to another user"):
        private_file(tmp_path / "redraft" / "answers.sqlite")
    monkeypatch.setattr(os, "geteuid", lambda: 0)  # who may do everything
    private_folder(tmp_path / "redraft", KEPT)


def test_a_private_text_takes_the_place_of_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old", encoding="utf-8")
    (tmp_path / "link").symlink_to("target")
    write_text(tmp_path / "link", "new", private=True)
    assert (tmp_path / "target").read_text(encoding="utf-8") == "old"
    assert modes(tmp_path / "link") == {"file 600"}


def test_what_a_user_names_has_the_modes_that_the_user_likes(tmp_path: Path) -> None:
    mask = os.umask(0)
    os.umask(mask)
    write_text(tmp_path / "out.txt", "x")

    async def work() -> None:
        with Appender(tmp_path / "run" / "samples.jsonl") as writer:
            await writer.append({})

    asyncio.run(work())
    assert modes(tmp_path / "out.txt") == {f"file {0o666 & ~mask:o}"}
    assert modes(tmp_path / "run") == {f"folder {0o777 & ~mask:o}", f"file {0o666 & ~mask:o}"}
