"""Many texts to simplify: what is read, what is refused, and what stands in the results."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from redraft.cli.write import texts as batch
from redraft.cli.write.texts import TextOptions, simplify_batch
from redraft.constraints import check
from redraft.errors import BadAnswer, InputError
from redraft.runs import batch as worker
from redraft.runs.batch import Batch, SimplifyOptions
from redraft.settings import load_settings
from redraft.simplification.policy_files import load_policy
from redraft.simplification.simplification import Passage, Simplification

TEXT = "The committee commenced its deliberations in 1921."
SHORT = 'word_count_check(4, "less than")'


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What is asked of a simplifier that replaces one word, and fails where it reads so."""
    found: list[dict[str, Any]] = []

    async def asimplify(text: str, policy: Any, **options: Any) -> Simplification:
        found.append({"text": text, "policy": policy.name, **options})
        simple = text.replace("commenced", "began")
        findings = check(simple, list(options["constraints"]), original=text)
        failure = BadAnswer("no") if "fail" in text else None
        return Simplification(simple, policy.name, (Passage(text, simple),), findings, failure=failure)

    monkeypatch.setattr(worker, "asimplify", asimplify)
    monkeypatch.setattr(batch, "prepare", lambda *_, **__: None)
    return found


def texts(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(source: Path, out: Path, *calls: str, resume: bool = False, policy: str = "lexical") -> int:
    options = TextOptions(call=list(calls), batch=source, out=out, resume=resume)
    settings = load_settings({"cache": False})
    try:
        simplify_batch(options, "", SimplifyOptions(load_policy(policy)), settings)
    except typer.Exit as ended:
        return ended.exit_code
    return 0


def latest(out: Path) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in map(json.loads, out.read_text(encoding="utf-8").splitlines())}


def test_each_text_is_simplified_under_its_own_constraints(
    tmp_path: Path, asked: list[dict[str, Any]]
) -> None:
    out = tmp_path / "out.jsonl"
    source = texts(
        tmp_path / "in.jsonl",
        {"id": "a", "text": TEXT, "calls": [SHORT], "documents": 3},
        {"id": 2, "text": TEXT, "instruction": "Keep it under 20 words.", "format": "markdown"},
    )
    assert run(source, out, 'word_count_check(2, "more than")') == 1
    found = latest(out)
    assert {id: row["status"] for id, row in found.items()} == {"a": 1, "2": 0}
    assert found["a"]["text"] == TEXT.replace("commenced", "began")
    assert found["a"]["sentences"][0]["source"] == TEXT
    by_format = {one["format"]: one for one in asked}
    assert by_format[None]["constraints"] == (SHORT, 'word_count_check(2, "more than")')
    assert by_format["markdown"]["instruction"] == "Keep it under 20 words."
    assert {one["policy"] for one in asked} == {"lexical"}


def test_what_failed_is_tried_again_under_the_same_policy_only(
    tmp_path: Path, asked: list[dict[str, Any]]
) -> None:
    source = texts(
        tmp_path / "in.jsonl", {"id": "a", "text": TEXT}, {"id": "b", "text": TEXT + " They fail."}
    )
    out = tmp_path / "out.jsonl"
    assert run(source, out) == 4
    assert latest(out)["b"]["error"] == "BadAnswer: no"
    assert latest(out)["a"]["error"] is None
    with pytest.raises(InputError, match="--resume"):
        run(source, out)
    with pytest.raises(InputError, match="its policy was 'lexical'"):
        run(source, out, resume=True, policy="rewrite")
    assert run(source, out, resume=True) == 4
    assert [one["text"] for one in asked].count(TEXT) == 1
    texts(source, {"id": "a", "text": "Changed since then."})
    with pytest.raises(InputError, match="has changed since it was simplified"):
        run(source, out, resume=True)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "a"}, 'needs a "text"'),
        ({"text": TEXT}, 'needs an "id"'),
        ({"id": "a", "text": TEXT, "instuction": "x"}, "did you mean 'instruction'"),
        ({"id": "a", "text": TEXT, "calls": ["nonsense()"]}, "nonsense"),
        ({"id": "a", "text": TEXT, "instruction": "Make it funny."}, "a policy says how to simplify"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    source = texts(tmp_path / "in.jsonl", {"id": "first", "text": TEXT}, row)
    survey: Callable[[], int] = Batch(source, kind="simplified").survey
    with pytest.raises(InputError, match=said) as raised:
        survey()
    assert "line 2" in str(raised.value)
