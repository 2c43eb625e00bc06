"""The answer cache: shared, crash-proof, private, and never the reason that a run fails."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from redraft.models import (
    CacheWarning,
    Completion,
    DiskCache,
    LogProbs,
    Models,
    NullCache,
    Request,
    TokenEmbeddings,
    open_cache,
)
from redraft.models.base import FloatArray
from redraft.models.cache import FILE_NAME, cache_key
from redraft.models.cached import CachedEmbedder, CachedScorer
from redraft.settings import Settings


def make(path: Path, max_bytes: int = 10**9, max_seconds: float = 1e6) -> DiskCache:
    return DiskCache(path / "redraft" / "answers.sqlite", max_bytes=max_bytes, max_seconds=max_seconds)


def use(path: Path) -> DiskCache:
    cache = make(path)
    cache.get([f"k{i}" for i in range(300)])
    cache.put("completion", {"new": b"v"})
    return cache


def test_keeps_what_it_was_given(tmp_path: Path) -> None:
    cache = make(tmp_path)
    cache.put("completion", {f"k{i}": bytes([i % 256]) for i in range(1200)})
    cache.close()
    again = make(tmp_path)
    assert again.get([f"k{i}" for i in range(1300)]) == {f"k{i}": bytes([i % 256]) for i in range(1200)}
    assert again.info().entries == {"completion": 1200}
    assert again.clear() == 1200
    assert again.get(["k1"]) == {}
    again.close()


def test_clearing_leaves_no_text_behind(tmp_path: Path) -> None:
    cache = make(tmp_path)
    cache.put("completion", {"k": b"a very private sentence"})
    cache.clear()
    cache.close()
    files = [path.read_bytes() for path in (tmp_path / "redraft").iterdir()]
    assert files
    assert not any(b"private sentence" in content for content in files)


def test_only_the_owner_can_read(tmp_path: Path) -> None:
    cache = make(tmp_path)
    cache.put("completion", {"k": b"v"})
    files = list((tmp_path / "redraft").iterdir())
    assert len(files) > 1, "the side files of SQLite are private too"
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "redraft").stat().st_mode) == 0o700
    cache.close()


def test_a_key_changes_with_everything(tmp_path: Path) -> None:
    keys = {
        cache_key(kind, identity, content)
        for kind in ("completion", "log_probs")
        for identity in ("a", "b")
        for content in ([{"seed": 1}, 0], [{"seed": 1}, 1], [{"seed": 2}, 0], "é", "e\u0301", "\ud800")
    }
    assert len(keys) == 24


def test_old_and_large_is_evicted(tmp_path: Path) -> None:
    cache = make(tmp_path, max_seconds=0.2)
    cache.put("completion", {"old": b"v"})
    time.sleep(0.3)
    assert cache.get(["old"]) == {}
    cache.close()
    small = make(tmp_path, max_bytes=200_000)
    for i in range(100):
        small.put("completion", {f"k{i}": os.urandom(10_000)})
    small.close()
    kept = make(tmp_path, max_bytes=200_000)
    assert kept.info().bytes <= 200_000
    assert "k99" in kept.get([f"k{i}" for i in range(100)])
    assert "k0" not in kept.get(["k0"])
    kept.close()


@pytest.mark.parametrize("damage", ["garbage", "truncated", "overwritten"])
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: str) -> None:
    cache = make(tmp_path)
    cache.put("completion", {f"k{i}": os.urandom(2000) for i in range(300)})
    cache.close()
    content = cache.path.read_bytes()
    if damage == "garbage":
        cache.path.write_bytes(b"this is no database" * 1000)
    elif damage == "truncated":
        cache.path.write_bytes(content[: len(content) // 3])
    else:
        cache.path.write_bytes(content[:4096] + os.urandom(len(content) - 4096))
    with pytest.warns(CacheWarning, match="damaged"):
        again = use(tmp_path)
    assert again.get(["new"]) == {"new": b"v"}
    assert again.info().set_aside == tuple(tmp_path.glob("redraft/*.damaged-*")) != ()
    again.clear()
    assert not list(tmp_path.glob("redraft/*.damaged-*"))
    again.close()


def test_damage_found_by_two_is_set_aside_once(tmp_path: Path) -> None:
    first, second = make(tmp_path), make(tmp_path)
    first.put("completion", {f"k{i}": os.urandom(3000) for i in range(200)})
    first.close()
    second.close()
    first.path.write_bytes(b"no database" * 2000)
    with pytest.warns(CacheWarning):
        first.put("completion", {"a": b"1"})
    second.put("completion", {"b": b"2"})
    assert first.get(["a", "b"]) == {"a": b"1", "b": b"2"}
    first.close()
    second.close()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    folder = Path("/sys") if os.geteuid() == 0 else tmp_path  # root may write into any folder of a disk
    if folder == tmp_path:
        folder.chmod(0o500)
    elif not folder.is_dir():
        pytest.skip("needs a user who is not root: run the tests as another")
    with pytest.warns(CacheWarning, match="without it"):
        cache = use(folder)
    assert cache.get(["new"]) == {}
    tmp_path.chmod(0o700)


def test_a_path_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "redraft").write_text("a file")
    with pytest.warns(CacheWarning, match="without it") as warned:
        cache = use(tmp_path)
    assert len(warned) == 1, "once is enough"
    assert cache.get(["new"]) == {}
    assert cache.info().entries == {}


def test_no_cache(tmp_path: Path) -> None:
    cache = open_cache(Settings(cache=False, cache_dir=tmp_path / "none"))
    cache.put("completion", {"k": b"v"})
    assert isinstance(cache, NullCache)
    assert cache.get(["k"]) == {}
    assert not (tmp_path / "none").exists()


class Counting:
    """A backend, a scorer and an embedder that count how often they are asked."""

    spec = "counting"

    def __init__(self) -> None:
        self.asked = 0

    def identity(self, request: Request | None = None) -> str:
        return self.spec

    async def sample(self, request: Request, first: int, count: int) -> tuple[Completion, ...]:
        self.asked += 1
        return (Completion("fine", thoughts="hm"),) * count

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        self.asked += 1
        return (LogProbs(("a", "b"), (-0.5, -math.inf)),) * len(texts)

    async def embed(self, texts: Sequence[str]) -> FloatArray:
        self.asked += 1
        return np.eye(3, dtype=np.float32)[[0] * len(texts)]

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[TokenEmbeddings, ...]:
        self.asked += 1
        return (TokenEmbeddings(((0, 1), (1, 2)), np.eye(2, 3, dtype=np.float32)),) * len(texts)

    async def aclose(self) -> None:
        return


SPOILT: list[object] = [
    *(b"", b"{", b"null", b"[]", b'"text"', b"\xff\xfe", b"[" * 100_000, b'{"text": "a", "reason": "stop"}'),
    *(
        b'["a"]',
        b'["a", "odd"]',
        b'[1, "stop"]',
        b'["a", "stop", 1]',
        b'["a", "stop", "b", "c"]',
        b'[null, "stop"]',
    ),
    *(b'[["a"], []]', b'[["a"], ["x"]]', b'[["a"], [null]]', b'[["a", "b"], [-1]]'),
    *(b"\0" * 7, b"\0" * 8, np.full(3, np.nan, np.float32).tobytes(), np.ones(3, np.float32).tobytes()),
    *(b"[[[0, 1]], [1, 3]]\n123", b"[[[0, 1]], [2, 3]]\n" + b"\0" * 24, b"[[[0]], [1, 3]]\n" + b"\0" * 12),
    *(5, 2.5, "text", "\u00e9"),
]
"""What stands in a cache that somebody else wrote, or nobody sound; numbers and texts are no blobs to SQLite."""


def test_a_value_that_cannot_be_read_was_never_kept(settings: Settings) -> None:
    asked = Counting()

    async def use(models: Models) -> tuple[Any, ...]:
        (answer,) = await models.open("counting").complete(Request.of("Hello"))
        scorer, embedder = CachedScorer(asked, models.cache), CachedEmbedder(asked, models.cache)
        (scores,) = await scorer.log_probs(["a"])
        (vector,) = await embedder.embed(["a"])
        (tokens,) = await embedder.embed_tokens(["a"])
        return answer.text, answer.thoughts, scores, vector.tolist(), tokens.spans, tokens.vectors.tolist()

    async def run() -> None:
        async with Models(settings) as models:
            models._backends["counting"] = asked
            first = await use(models)
            assert await use(models) == first
            assert (asked.asked, models.cache.info().entries.get("completion")) == (4, 1)
            with contextlib.closing(sqlite3.connect(settings.cache_dir / FILE_NAME)) as file:
                for number, spoilt in enumerate(SPOILT, 2):
                    with file:
                        file.execute("UPDATE entries SET value = ?", (spoilt,))
                    assert await use(models) == first, spoilt
                    assert await use(models) == first, spoilt
                    assert asked.asked == 4 * number, spoilt

    asyncio.run(run())


WRITER = """
    import sys, os
    from pathlib import Path
    from redraft.models import DiskCache
    cache = DiskCache(Path(sys.argv[1]), max_bytes=10**9, max_seconds=1e6)
    for i in range(int(sys.argv[3])):
        cache.put("completion", {f"{sys.argv[2]}-{i}": b"x" * 500})
        print(i, flush=True)
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", textwrap.dedent(WRITER), str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    processes = [writer(path, name, 400) for name in ("a", "b")]
    for process in processes:
        process.communicate(timeout=60)
        assert process.returncode == 0
    cache = DiskCache(path, max_bytes=10**9, max_seconds=1e6)
    assert len(cache.get([f"{name}-{i}" for name in "ab" for i in range(400)])) == 800
    cache.close()


def test_what_was_put_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with writer(path, "a", 100_000) as process:
        assert process.stdout is not None
        for _ in range(50):
            line = process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.communicate()
    cache = DiskCache(path, max_bytes=10**9, max_seconds=1e6)
    written = int(line) + 1
    assert len(cache.get([f"a-{i}" for i in range(written)])) == written
    cache.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
