"""Building preference data: what is written, what is left out, and what survives a kill."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from redraft.bench.preferences import build as working
from redraft.bench.preferences.build import Judging, compare_verdicts, verdicts_name
from redraft.errors import InputError, MissingKey, ModelError
from tests.bench.preferences.builder import POLICY, NoLinks, build, open_shortest
from tests.bench.preferences.test_sources import sentences
from tests.models.scripted import ScriptedServer, fail, hang, say


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    monkeypatch.setenv("REDRAFT_RETRIES", "0")
    monkeypatch.setattr(working, "open_judge", open_shortest)
    monkeypatch.setattr(working, "Aligner", NoLinks)
    with ScriptedServer() as scripted:
        scripted.answers = [simplifying]
        yield scripted


def simplifying(handler: Any, body: dict[str, Any]) -> None:
    """Two ways to simplify: the sampled one cuts the end off, the other one says more."""
    source = body["messages"][-1]["content"]
    sampled = body["temperature"] > 0
    answer = source.replace(" in the old hall", "") if sampled else source.replace("times", "times or so")
    say(answer)(handler, body)


def systems(server: ScriptedServer) -> tuple[str, str]:
    return f"{server.url}#tiny@0.5", f"{server.url}#tiny"


def sources(folder: Path, count: int) -> Path:
    path = folder / "sources.txt"
    path.write_text("\n".join(sentences(count)), encoding="utf-8")
    return path


def run(
    path: Path, out: Path, server: ScriptedServer, resume: bool = False, **changes: Any
) -> dict[str, Any]:
    return asyncio.run(build(path, out, systems(server), **changes).run(resume))


def lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    found = path.read_bytes()
    return [json.loads(line) for line in found[: found.rfind(b"\n") + 1].splitlines()]


def test_pairs_are_what_trainers_read_and_hold_no_examples(tmp_path: Path, server: ScriptedServer) -> None:
    out = tmp_path / "out"
    card = run(sources(tmp_path, 40), out, server, sizes=(5, 10, 1000))
    train, dev = lines(out / "train.jsonl"), lines(out / "dev.jsonl")
    assert (len(train), len(dev)) == (card["pairs"]["train"], card["pairs"]["dev"])
    assert len(train) + len(dev) == 40
    assert dev
    assert not {pair["source"] for pair in train} & {pair["source"] for pair in dev}
    for pair in train + dev:
        assert [turn["role"] for turn in pair["prompt"]] == ["system", "user"]
        assert pair["prompt"][0]["content"] == POLICY.instruction
        assert pair["prompt"][1]["content"] == pair["source"]
        assert pair["chosen"] == [{"role": "assistant", "content": pair["preferred"]}]
        assert pair["rejected"] == [{"role": "assistant", "content": pair["dispreferred"]}]
        assert len(pair["preferred"]) < len(pair["dispreferred"])
        assert pair["evidence"]["preferred"]["systems"] == [systems(server)[0]]
        assert pair["verdict"]["preferred"]["analysis"] == f"{len(pair['preferred'])} characters"
        assert (pair["policy"], pair["aspect"], pair["judge"]) == ("tiny", "lexical", "shortest")
    # The pool was shown the examples; what is trained on is not.
    assert all(len(body["messages"]) == 4 for body in server.requests)
    assert lines(out / "train-5.jsonl") == train[:5]
    assert lines(out / "train-10.jsonl") == train[:10]
    assert card["pairs"]["sizes"] == [5, 10]
    assert not (out / "train-1000.jsonl").exists()


def test_what_makes_no_pair_is_counted(tmp_path: Path, server: ScriptedServer) -> None:
    path = sources(tmp_path, 12)

    def answer(handler: Any, body: dict[str, Any]) -> None:
        source, sampled = body["messages"][-1]["content"], body["temperature"] > 0
        year = int(source.split()[3])
        if year < 3:
            say("All say the same." if sampled else "all say  the same.")(handler, body)
        elif year < 5:
            say(source if sampled else source + " It did.")(handler, body)
        elif year < 7 and sampled:
            fail(400)(handler, body)
        else:
            simplifying(handler, body)

    server.answers = [answer]
    card = run(path, tmp_path / "out", server, judging=Judging("fails:year 11"))
    assert card["pairs"]["left_out"] == {
        "no candidates": 2,
        "the candidates are all alike": 3,
        "the judge failed": 1,
        "the source itself is preferred": 2,
    }
    assert card["pairs"]["all"] == 4
    assert card["pool"]["failed"] == {systems(server)[0]: 2}
    assert card["pool"]["to_try_again"] == 2
    assert card["judge"]["failed"] == 1
    kept = run(path, tmp_path / "kept", server, judging=Judging("fails:year 11"), copies=True)
    assert kept["pairs"]["all"] == 6


def test_a_judge_that_was_to_think_and_never_did_is_an_error(tmp_path: Path, server: ScriptedServer) -> None:
    path, out = sources(tmp_path, 6), tmp_path / "out"
    with pytest.raises(ModelError, match="none of 6 answers came with any thoughts"):
        run(path, out, server, judging=Judging("thinks:never"))
    assert not (out / "train.jsonl").exists()
    card = run(path, tmp_path / "at times", server, judging=Judging("thinks:year 1"))
    assert card["judge"]["thought"] == pytest.approx(1 / 6, abs=1e-4)
    assert "Thought about first: 17%" in (tmp_path / "at times" / "card.md").read_text(encoding="utf-8")
    assert run(path, tmp_path / "not asked", server)["judge"]["thought"] is None


def test_what_failed_for_the_moment_is_tried_again_and_nothing_else(
    tmp_path: Path, server: ScriptedServer
) -> None:
    path, out = sources(tmp_path, 6), tmp_path / "out"
    server.answers = [fail(503), *[simplifying] * 11]
    first = run(path, out, server)
    assert first["pool"]["to_try_again"] == 1
    assert first["pairs"]["all"] == 5
    server.answers = [simplifying]
    with pytest.raises(InputError, match="--resume"):
        run(path, out, server)
    second = run(path, out, server, resume=True)
    assert second["pairs"]["all"] == 6
    assert len(server.requests) == 12 + 2
    assert len(lines(out / "verdicts-shortest.jsonl")) == 6


def test_an_error_of_all_ends_the_build(tmp_path: Path, server: ScriptedServer) -> None:
    server.answers = [fail(401)]
    with pytest.raises(MissingKey):
        run(sources(tmp_path, 6), tmp_path / "out", server)


def test_a_build_goes_on_with_more_sources_and_with_nothing_else(
    tmp_path: Path, server: ScriptedServer
) -> None:
    path, out = sources(tmp_path, 30), tmp_path / "out"
    run(path, out, server, limit=10)
    before = lines(out / "train.jsonl") + lines(out / "dev.jsonl")
    run(path, out, server, resume=True, limit=20)
    assert len(server.requests) == 40
    after = lines(out / "train.jsonl") + lines(out / "dev.jsonl")
    assert all(pair in after for pair in before)
    assert lines(out / "train.jsonl")[:5] == before[:5]
    with pytest.raises(InputError, match="another run: its seed"):
        run(path, out, server, resume=True, seed=1)
    sources(tmp_path, 31)
    with pytest.raises(InputError, match="another run: its sources"):
        run(path, out, server, resume=True)


def test_another_judge_reads_the_same_candidates(tmp_path: Path, server: ScriptedServer) -> None:
    path, out = sources(tmp_path, 10), tmp_path / "out"
    run(path, out, server)
    candidates = (out / "candidates.jsonl").read_bytes()
    short = lines(out / "train.jsonl")
    run(path, out, server, resume=True, judging=Judging("longest"))
    assert (out / "candidates.jsonl").read_bytes() == candidates
    assert len(server.requests) == 20
    assert [pair["preferred"] for pair in lines(out / "train.jsonl")] == [
        pair["dispreferred"] for pair in short
    ]
    found = compare_verdicts(out)
    assert list(found["judges"]) == ["longest", "shortest"]
    (pair,) = found["pairs"]
    assert pair["both"] == 10
    assert {one["opposite"]["value"] for one in pair["aspects"]} == {1.0}
    shares = found["judges"]["shortest"]["preferences"]["lexical"]["systems"]
    assert {one["by"]: one["preferred"] for one in shares} == dict(
        zip(systems(server), (1.0, 0.0), strict=True)
    )


def test_the_same_build_gives_the_same_files(tmp_path: Path, server: ScriptedServer) -> None:
    path = sources(tmp_path, 20)
    for name in ("one", "two"):
        run(path, tmp_path / name, server)
    for file in ("train.jsonl", "dev.jsonl", "card.json", "card.md"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    seeds = Counter(body["seed"] for body in server.requests)
    assert set(seeds.values()) == {2}
    assert len(seeds) == 40


def test_the_card_tells_all_and_nothing_of_the_machine(tmp_path: Path, server: ScriptedServer) -> None:
    out = tmp_path / "out"
    card = run(sources(tmp_path, 10), out, server, licence="CC BY-SA 4.0 | <b>bold</b> [me](x:y)")
    page = (out / "card.md").read_text(encoding="utf-8")
    assert str(tmp_path) not in page + json.dumps(card)
    assert "\\<b\\>bold" in page
    assert not re.search(r"(?<!\\)[<\[]", page)
    assert "sources.txt" in page
    assert card["sources"]["sha256"] in page
    assert card["judge"]["name"] in page
    assert "| setting | value |\n| --- | --- |\n" in page, "tables have a rule, or they would be none"
    assert card["pool"]["diversity"]["distinct"] == 1
    assert {one["by"] for one in card["use"]["systems"]} == set(systems(server))


def test_a_judge_s_name_is_no_path() -> None:
    names = ["rubric", "../../etc/x", "http://h:1/v1#m think", "http://h:1/v1#m-think", "x" * 300, "…"]
    files = [verdicts_name(name) for name in names]
    assert files[0] == "verdicts-rubric"
    assert len(set(files)) == len(names)
    assert all("/" not in file and ".." not in file and len(file) < 100 for file in files)


def test_a_killed_build_loses_nothing_and_repeats_nothing(tmp_path: Path, server: ScriptedServer) -> None:
    path, out = sources(tmp_path, 16), tmp_path / "out"
    server.answers = [*[simplifying] * 14, hang]
    command = [sys.executable, "-m", "tests.bench.preferences.builder", str(path), str(out), server.url]
    process = subprocess.Popen(
        command, env={**os.environ, "REDRAFT_CONCURRENCY": "4"}, stderr=subprocess.DEVNULL
    )
    while len(lines(out / "candidates.jsonl")) < 5:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = lines(out / "candidates.jsonl")
    assert 5 <= len(kept) < 16
    with (out / "candidates.jsonl").open("ab") as file:
        file.write(b'{"key": "cut off in the mid')
    server.answers = [simplifying]
    run(path, out, server, resume=True)
    found = lines(out / "candidates.jsonl")
    assert found[: len(kept)] == kept
    assert Counter(record["key"] for record in found) == Counter({record["key"]: 1 for record in found})
    assert len(found) == 16
    assert len(server.requests) <= 2 * (16 + 4)
    assert len(lines(out / "train.jsonl")) + len(lines(out / "dev.jsonl")) == 16
