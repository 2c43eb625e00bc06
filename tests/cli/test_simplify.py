"""`redraft simplify` as a user types it: streams, exit statuses, what it writes, what it refuses."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.cli.write import texts
from redraft.simplification.policy_files import load_policy
from tests.models.scripted import ScriptedServer, fail, hang, say
from tests.process import Started

pytestmark = pytest.mark.usefixtures("by_rule")

TEXT = (
    "The committee commenced its work in January 1963. "
    "Numerous inhabitants of the town endeavoured to assist. "
    "They purchased 14 boats, and the boats were constructed in Lisbon.\n"
)
LONG = "Dr. Okafor led the whole project in the spring, and she can be reached at extension 4410.\n"


@pytest.fixture
def draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("REDRAFT_RETRIES", "0")
    file = tmp_path / "draft.txt"
    file.write_text(TEXT, encoding="utf-8")
    return str(file)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        yield scripted


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """No work may be begun."""

    def began(*_: object, **__: object) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr(texts, "prepare", began)


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, ["simplify", *words], input=stdin)


def low(*words: str, stdin: str | None = None) -> Result:
    """By the engine alone."""
    return run(*words, "--effort", "low", "--no-cache", stdin=stdin)


def told(result: Result) -> str:
    return " ".join(result.stderr.split())


# What is refused before anything is done


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--policy", "lexcal"], "lexical"),
        (["--policy", "mine.yaml"], "mine.yaml"),
        (["--effort", "huge"], "'low', 'medium', 'high'"),
        (["-c", "word_count_check(30)"], "word_count_check"),
        (["-i", 'word_count_check(30, "less than")'], "this is a call, not plain English: give it with -c"),
        (["-o", "no/such/folder/out.txt"], "there is no folder"),
        (["--resume"], "--batch IN.jsonl --out OUT.jsonl"),
        (["--batch", "in.jsonl", "--out", "out.jsonl"], "FILE is for one text, and not for --batch"),
    ],
)
def test_bad_input_is_named_before_the_work(draft: str, words: list[str], message: str) -> None:
    result = run(draft, *words)
    assert (result.exit_code, result.stdout) == (2, ""), result.stderr
    assert message in told(result)


def test_what_is_no_constraint_is_named(draft: str) -> None:
    result = run(draft, "-i", "Under 30 words. Make it funny.")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a policy says how to simplify: Make it funny" in told(result)


def test_no_file_at_all_is_told_what_to_name() -> None:
    result = run()
    assert result.exit_code == 2
    assert "name a FILE to simplify" in told(result)


@pytest.mark.parametrize("data", [b"", b" \n\n", b"... !?\n", b"***\n---\n"])
def test_a_text_without_words_is_no_input(tmp_path: Path, data: bytes) -> None:
    file, out = tmp_path / "in.md", tmp_path / "out.md"
    file.write_bytes(data)
    result = low(str(file), "-o", str(out))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is nothing to simplify" in told(result)
    assert not out.exists()


# What is done, by the engine


def test_the_text_goes_to_standard_output_and_all_else_beside_it(draft: str) -> None:
    result = low(draft)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("The committee began its work in January 1963. Many ")
    assert "They bought 14 boats, and the boats were built in Lisbon.\n" in result.stdout
    assert "[-commenced-]{+began+}" in result.stderr
    assert 'preserve_check("numbers")' in result.stderr
    assert "policy lexical: 3 of 3 sentences changed" in told(result)


def test_standard_input_and_the_file_itself(draft: str) -> None:
    piped = low("-", "--quiet", stdin=TEXT)
    written = low(draft, "-o", draft, "--quiet")
    assert (piped.stderr, written.stdout, written.stderr) == ("", "", "")
    assert piped.stdout == Path(draft).read_text(encoding="utf-8")
    assert "began" in piped.stdout


def test_rewrite_splits_and_lexical_does_not() -> None:
    found = json.loads(low("-", "--policy", "rewrite", "--json", stdin=LONG).stdout)
    assert found["text"] == LONG.replace(", and she", ". She")
    assert "split" in found["sentences"][0]["why"]
    assert low("-", "--quiet", stdin=LONG).stdout == LONG


def test_json_has_the_text_each_sentence_and_the_glossary(draft: str) -> None:
    result = low(draft, "--json", "-i", "Keep sentence 2.")
    found: dict[str, Any] = json.loads(result.stdout)
    assert found["text"].count("began") == 1
    assert [one["source"] for one in found["sentences"]] == TEXT.strip().replace(". ", ".\n").splitlines()
    assert {"source", "simplified", "by", "why", "replaced"} == found["sentences"][0].keys()
    second = found["sentences"][1]
    assert second["source"] == second["simplified"]
    assert found["met"] is True
    assert {"call", "met", "measured", "message"} <= found["findings"][0].keys()
    glossary = {one["said"]: one for one in found["glossary"]}
    assert glossary["commenced"]["new"] == "began"
    assert glossary["commenced"]["level"][0] in "BC"
    assert "Numerous" not in glossary
    assert found["quality"]["after"]["perplexity"] > 1
    assert found["usage"]["calls"] == 0


def test_the_glossary_is_a_table(draft: str) -> None:
    result = low(draft, "--glossary")
    rows = [line.split() for line in result.stderr.splitlines() if line]
    assert ["word", "level", "now", "times", "why"] in rows
    (row,) = (row for row in rows if row[0] == "purchased")
    assert row[1:5] == ["B1", "bought", "1", '"bought"']
    assert "{+began+}" not in result.stderr
    easy = low("-", "--glossary", stdin="The cat sat.\n")
    assert easy.stdout == "The cat sat.\n"
    assert "no word was replaced or left out" in told(easy)


def test_constraints_hold_here_too(draft: str) -> None:
    result = low(draft, "-i", "Keep sentence 1, never say 'boats' and 'began', and stay under 23 words.")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("The committee commenced its work in January 1963.")
    assert "boats" not in result.stdout
    assert len(result.stdout.split()) < 23
    assert "NOT met" not in result.stderr


def test_a_conflict_is_named_and_nothing_is_written(draft: str, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    words = ["-i", "Keep sentence 1, and every sentence must have fewer than 5 words."]
    result = low(draft, *words, "-o", str(out))
    assert (result.exit_code, result.stdout) == (3, "")
    assert "because sentence 1 must stay, and has 8 words" in told(result)
    assert not out.exists()
    found = json.loads(low(draft, *words, "--json").stdout)
    assert (found["text"], found["met"]) == (TEXT, False)
    assert found["infeasible"]


def test_the_best_effort_meets_what_can_be_met(draft: str) -> None:
    words = ["-i", "Keep sentence 1, every sentence fewer than 8 words, never say 'Lisbon'.", "--best-effort"]
    result = low(draft, *words, "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert sum(not finding["met"] for finding in found["findings"]) == 1
    assert "Lisbon" not in found["text"]


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        (
            "a.md",
            "# Commence\n\nThe **committee** commenced [its work](https://example.org/commence) with `commence()`.\n\n"
            "- Numerous boats were *purchased*.\n\n```\ncommence\n```\n",
            [
                "](https://example.org/commence)",
                "`commence()`",
                "\n```\ncommence\n```\n",
                "- Many boats were *",
            ],
        ),
        (
            "a.tex",
            "\\section{Results}\nThe committee commenced with $x = 1$ \\cite{commence2020}. % purchased\n"
            "They \\emph{purchased} numerous boats \\label{commence}.\n",
            ["$x = 1$ \\cite{commence2020}", "% purchased", "\\emph{", "\\label{commence}", "many boats"],
        ),
    ],
)
def test_mark_up_is_intact(tmp_path: Path, name: str, text: str, kept: list[str]) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    result = low(str(file), "--policy", "rewrite", "--quiet")
    assert result.exit_code == 0, result.stderr
    assert [piece for piece in kept if piece not in result.stdout] == []
    assert "commenced" not in result.stdout


@pytest.mark.parametrize("text", ["`commence()`\n", "Hello\n"])
def test_a_text_of_next_to_nothing_comes_out_as_it_was(text: str) -> None:
    result = low("-", "--format", "markdown", "--policy", "rewrite", "--quiet", stdin=text)
    assert (result.exit_code, result.stdout) == (0, text)


def test_a_policy_of_ones_own_is_used_at_once(draft: str, tmp_path: Path) -> None:
    policy = tmp_path / "mine.yaml"
    shipped = CliRunner().invoke(app, ["policies", "show", "lexical"]).stdout
    policy.write_text(
        shipped.replace("name: lexical", "name: mine").replace(
            'preserve_check("numbers")', 'keyword_keep_removal_check("began", "remove")'
        ),
        encoding="utf-8",
    )
    result = low(draft, "--policy", str(policy), "--json")
    found = json.loads(result.stdout)
    assert (result.exit_code, found["policy"]) == (0, "mine"), result.stderr
    assert "began" not in found["text"]
    assert "bought" in found["text"]


def test_many_texts_at_once(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [{"id": "a", "text": "The work commenced."}, {"id": "b", "text": "They purchased 3 boats."}]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result = run("--batch", str(source), "--out", str(out), "--effort", "low", "--no-cache")
    assert result.exit_code == 0, result.stderr
    found = {row["id"]: row["text"] for row in map(json.loads, out.read_text(encoding="utf-8").splitlines())}
    assert found["b"] == "They bought 3 boats."


def test_a_file_called_like_a_subcommand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("build-preferences").write_text("They purchased it.\n", encoding="utf-8")
    result = low("./build-preferences", "--quiet")
    assert (result.exit_code, result.stdout) == (0, "They bought it.\n")
    assert "Missing option" in run("build-preferences").stderr


def test_options_may_stand_before_the_file(draft: str) -> None:
    result = run("--quiet", "--policy", "lexical", "--effort", "low", draft)
    assert result.exit_code == 0
    assert "began" in result.stdout


def test_help_is_that_of_the_command_and_names_the_others() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert "simplify [OPTIONS] [FILE]" in " ".join(result.stdout.split())
    assert "own" not in result.stdout.split()
    assert "build-preferences" in result.stdout


# With a model that is told the policy


SIMPLE = [
    "The committee began its work in January 1963.",
    "Many townspeople tried to help.",
    "They bought 14 boats. The boats came from Lisbon.",
]


def by_model(draft: str, server: ScriptedServer, *words: str) -> Result:
    return run(draft, "--model", f"{server.url}#tiny", "--no-cache", *words)


def test_a_model_is_told_the_instruction_and_nothing_more(draft: str, server: ScriptedServer) -> None:
    server.answers = [say(SIMPLE[1])]
    by_model(draft, server, "--policy", "rewrite", "-i", "Keep sentences 1 and 3.")
    policy = load_policy("rewrite")
    source = "Numerous inhabitants of the town endeavoured to assist."
    assert [request["messages"] for request in server.requests] == [
        [{"role": "system", "content": policy.instruction}, {"role": "user", "content": source}]
    ]


@pytest.mark.parametrize(
    ("answer", "used"),
    [
        ("They bought 14 boats, and the boats were made in Lisbon.", True),
        ("", False),
        ("They bought boats, and the boats were made in Lisbon.", False),
        ("They bought 15 boats, and the boats were made in Lisbon.", False),
        ("They bought 14 boats " + "and they sailed away on the sea at night " * 2 + "from Lisbon.", False),
        ("Boats.", False),
    ],
)
def test_an_answer_is_used_if_it_obeys_the_policy(
    draft: str, server: ScriptedServer, answer: str, used: bool
) -> None:
    server.answers = [say(answer)]
    result = by_model(draft, server, "-i", "Keep sentences 1 and 2.", "--json")
    assert result.exit_code == 0, result.stderr
    last = json.loads(result.stdout)["sentences"][2]
    assert last["simplified"] == (answer if used else last["source"])
    assert (last["by"] == f"{server.url}#tiny") == used


def test_a_model_that_fails_leaves_what_was_made(draft: str, server: ScriptedServer) -> None:
    def by_sentence(handler: Any, body: dict[str, Any]) -> None:
        asked = body["messages"][-1]["content"]
        answer = say(SIMPLE[0]) if "committee" in asked else fail(500, "out of order")
        answer(handler, body)

    server.answers = [by_sentence]
    result = by_model(draft, server)
    assert result.exit_code == 4
    assert result.stdout == TEXT.replace("commenced", "began")
    assert "out of order" in result.stderr


def test_a_key_that_is_refused_ends_the_work(draft: str, server: ScriptedServer, tmp_path: Path) -> None:
    server.answers = [fail(401, "bad key")]
    out = tmp_path / "out.txt"
    result = by_model(draft, server, "-o", str(out))
    assert (result.exit_code, result.stdout) == (4, "")
    assert "bad key" in told(result) or "key" in told(result)
    assert not out.exists()


def test_ctrl_c_prints_what_was_made(draft: str, server: ScriptedServer) -> None:
    def by_sentence(handler: Any, body: dict[str, Any]) -> None:
        (say(SIMPLE[0]) if "committee" in body["messages"][-1]["content"] else hang)(handler, body)

    server.answers = [by_sentence]
    words = ("simplify", draft, "--model", f"{server.url}#tiny", "--no-cache")
    # Two at once: the third sentence is asked for when the answer for the first is there.
    started = Started(*words, env={"REDRAFT_CONCURRENCY": "2"}, by_rule=True)
    started.wait_for(lambda: len(server.requests) == 3)
    started.send(signal.SIGINT)
    status, printed, said = started.ended()
    assert status == 130, said
    assert printed == TEXT.replace("commenced", "began")
    assert "Traceback" not in said


def test_a_model_that_fails_later_leaves_what_was_made(draft: str, server: ScriptedServer) -> None:
    server.answers = [*[say(one) for one in ("", "", "")], fail(500, "out of order")]
    result = by_model(draft, server, "-i", "Fewer than 20 words.")
    assert result.exit_code == (4 if len(server.requests) > 3 else 0)
    assert 0 < len(result.stdout.split()) < 20
