"""`redraft revise` as a user types it: streams, exit statuses, what it writes, what it refuses."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.cli.write import texts
from redraft.revision import running
from tests.models.scripted import ScriptedServer, fail, hang, say
from tests.process import Started
from tests.revision.fakes import ScriptedJudge

pytestmark = pytest.mark.usefixtures("by_rule")

TEXT = (
    "The harbour froze over in January 1963, and the ferries stayed in port for six weeks. "
    "Nobody in the town had seen anything like it. "
    "The council met twice a week and, after some debate, decided to ration coal.\n"
)
SHORT = 'word_count_check(30, "less than")'


@pytest.fixture
def draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
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


def run(*words: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["revise", *words], input=stdin)


def told(result: Result) -> str:
    return " ".join(result.stderr.split())


# What is refused before anything is done


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-i", 'word_count_check(30, "less than")'], "this is a call, not plain English: give it with -c"),
        (["-c", "word_count_check(30)"], "word_count_check"),
        (["-i", "under 30 words, add a joke", "--strict"], "so nothing was done: “add a joke”"),
        (["-i", "under 30 words, no semmicollans", "--strict"], "(nearest: “Do not use semicolons.”)"),
        (["--house", "no/such/file.toml"], "file.toml cannot be read"),
        (["-o", "no/such/folder/out.txt"], "there is no folder"),
        (["-o", "."], "is a folder; name a file in it"),
        (["--plan", "PLAN"], "the plan, line 2: write a sentence's number and advice"),
        (["--documents", "nowhere.txt"], "nowhere.txt: there is no such file"),
        (["--compile"], "--compile is for LaTeX"),
        (["--prompts", "nowhere"], "nowhere is no folder"),
    ],
)
def test_bad_input_is_named_before_the_work(
    draft: str, tmp_path: Path, words: list[str], message: str
) -> None:
    plan = tmp_path / "plan.txt"
    plan.write_text("1: say it shorter\nmake it good\n", encoding="utf-8")
    result = run(draft, *(str(plan) if word == "PLAN" else word for word in words))
    assert (result.exit_code, result.stdout) == (2, ""), result.stderr
    assert message in told(result)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "there is nothing to revise"),
        (b" \n\n", "there is nothing to revise"),
        (b"... !?\n", "there is nothing to revise"),
        (b"\x7fELF\x02\x01\x00\x00", "is no text"),
        (b"%PDF-1.7 x", "a PDF; convert it"),
    ],
)
def test_a_file_without_words_is_no_input(tmp_path: Path, data: bytes, message: str) -> None:
    file = tmp_path / "in.txt"
    file.write_bytes(data)
    result = run(str(file), "-i", "Under 30 words.", "-o", str(tmp_path / "out.txt"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in told(result)
    assert not (tmp_path / "out.txt").exists()


def test_a_conflict_between_words_and_calls_is_named(draft: str, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    words = ["-i", "Under 20 words.", "-c", 'word_count_check(30, "more than")', "-o", str(out)]
    result = run(draft, *words)
    assert (result.exit_code, result.stdout) == (3, "")
    assert 'word_count_check(20, "less than")' in result.stderr
    assert 'word_count_check(30, "more than")' in result.stderr
    assert "the number of words must be" in told(result)
    assert not out.exists()
    found = json.loads(run(draft, *words[:4], "--json").stdout)
    assert [sorted(conflict) for conflict in found["infeasible"]] == [["calls", "reason"]] or found[
        "infeasible"
    ]
    assert (found["met"], found["text"], found["usage"]["calls"]) == (False, TEXT, 0)


def test_a_model_that_nobody_knows_is_named(draft: str) -> None:
    result = run(draft, "-c", SHORT, "--model", "nobody:knows")
    assert (result.exit_code, result.stdout) == (4, "")
    assert "nobody" in result.stderr


# What is done, without a model


def test_the_text_goes_to_standard_output_and_all_else_beside_it(draft: str) -> None:
    result = run(draft, "-c", SHORT, "--strategy", "repair")
    assert result.exit_code == 0, result.stderr
    assert len(result.stdout.split()) < 30
    assert result.stdout.endswith(".\n")
    assert "word_count_check" in result.stderr
    quiet = run(draft, "-c", SHORT, "--strategy", "repair", "--quiet")
    assert (quiet.stdout, quiet.stderr) == (result.stdout, "")


def test_standard_input_is_a_file_too(draft: str) -> None:
    piped = run("-", "-c", SHORT, "--strategy", "repair", "--quiet", stdin=TEXT)
    assert piped.stdout == run(draft, "-c", SHORT, "--strategy", "repair", "--quiet").stdout


def test_the_output_may_be_the_input(draft: str) -> None:
    result = run(draft, "-c", SHORT, "--strategy", "repair", "-o", draft)
    assert (result.exit_code, result.stdout) == (0, "")
    written = Path(draft).read_text(encoding="utf-8")
    assert 0 < len(written.split()) < 30
    assert written.endswith("\n")
    assert [file.name for file in Path(draft).parent.iterdir()] == ["draft.txt"]


def test_json_is_as_the_design_says(draft: str) -> None:
    result = run(draft, "-i", "Under 30 words.", "-c", 'sentence_count_check(3, "less than")', "--strategy", "repair", "--json")  # fmt: skip
    found = json.loads(result.stdout)
    assert result.exit_code == 0
    assert {"met", "counting", "findings", "text", "infeasible", "quality", "usage"} <= found.keys()
    assert (found["met"], found["counting"], found["infeasible"]) == (True, "default", [])
    assert [finding["call"] for finding in found["findings"]] == [
        SHORT,
        'sentence_count_check(3, "less than")',
    ]
    assert {"call", "met", "measured", "message"} <= found["findings"][0].keys()
    assert found["quality"].keys() == {"before", "after"}
    assert found["quality"]["after"]["perplexity"] > 1
    assert {"calls", "prompt_tokens", "completion_tokens", "seconds"} <= found["usage"].keys()
    assert found["usage"]["calls"] == 0


def test_the_best_effort_meets_what_can_be_met(draft: str) -> None:
    calls = ["-c", SHORT, 'word_count_check(40, "more than")', 'keyword_keep_removal_check("coal", "remove")']
    result = run(draft, *calls, "--strategy", "repair", "--best-effort", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert found["infeasible"]
    assert sum(not finding["met"] for finding in found["findings"]) == 1
    assert "coal" not in found["text"]


def test_no_time_at_all_gives_the_original(draft: str) -> None:
    result = run(draft, "-c", SHORT, "--max-seconds", "0")
    assert (result.exit_code, result.stdout) == (1, TEXT)
    assert "the time is spent" in told(result)


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        ("a.md", "# The *frozen* harbour\n\nThe [harbour](https://example.org/a) froze over in `January`, and the ferries stayed in port for six weeks. Nobody in the town had seen anything like it.\n\n- One item that is here.\n", ["# The *frozen* harbour", "[harbour](https://example.org/a)", "`January`", "- "]),
        ("a.tex", "\\section{Results}\nThe mean error was $3.1\\%$ in the first year \\cite{lee2020}, which was more than anybody had expected at the time. We use \\emph{simple} rules, as a matter of fact.\n", ["\\section{Results}", "$3.1\\%$", "\\cite{lee2020}", "\\emph{"]),
    ],
)  # fmt: skip
def test_mark_up_is_intact(tmp_path: Path, name: str, text: str, kept: list[str]) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    result = run(str(file), "-c", 'sentence_length_check(14, "less than")', "--strategy", "repair")
    assert result.exit_code == 0, result.stderr
    assert [piece for piece in kept if piece not in result.stdout] == []


# With a model that is told what to say


def test_a_trace_can_be_explained(draft: str, server: ScriptedServer, tmp_path: Path) -> None:
    server.answers = [say("The harbour froze in 1963. Nobody in the town had seen anything like it.")]
    trace = tmp_path / "trace"
    result = run(draft, "-i", "Under 30 words.", "--strategy", "direct", "--model", f"{server.url}#tiny", "--trace", str(trace))  # fmt: skip
    assert result.exit_code == 0, result.stderr
    assert (trace / "search.html").stat().st_size > 1000
    explained = CliRunner(env={"COLUMNS": "80"}).invoke(app, ["explain", str(trace)])
    assert explained.exit_code == 0
    assert "Under 30 words" in explained.stdout


@pytest.mark.parametrize("strategy", ["direct", "cot", "plan", "iter", "sentence"])
def test_every_baseline_asks_the_model_and_is_checked(
    draft: str, server: ScriptedServer, strategy: str
) -> None:
    server.answers = [say("The harbour froze over in 1963.")]
    result = run(draft, "-i", "Under 30 words.", "--strategy", strategy, "--model", f"{server.url}#tiny", "--json")  # fmt: skip
    found = json.loads(result.stdout)
    assert result.exit_code == (0 if found["met"] else 1), result.stderr
    assert "froze over in 1963" in found["text"]
    assert found["usage"]["calls"] == len(server.requests) >= 1
    assert "Under 30 words" in json.dumps(server.requests)


def test_a_check_that_only_the_planner_read_is_told_and_not_enforced(
    draft: str, server: ScriptedServer
) -> None:
    plan = f"THOUGHT: Thirty.\nCALLS:\n{SHORT}\nPLAN:\n1: Say “January 1963” → “1963”."
    server.answers = [say(plan), say("")]
    words = ("-i", "My limit is 30. Fix the grammar.", "--model", f"{server.url}#tiny", "--effort", "medium")
    result = run(draft, *words, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["perhaps"] == [SHORT]
    assert json.loads(result.stdout)["findings"] == []
    assert f"-c '{SHORT}'" in " ".join(result.stderr.split())


def test_a_model_is_told_of_calls_and_of_documents(
    draft: str, server: ScriptedServer, tmp_path: Path
) -> None:
    source = tmp_path / "source.txt"
    source.write_text("The lighthouse was closed in 1971.", encoding="utf-8")
    server.answers = [say("The harbour froze over in 1963.")]
    run(draft, "-c", SHORT, "--documents", str(source), "--strategy", "direct", "--model", f"{server.url}#tiny")  # fmt: skip
    asked = json.dumps(server.requests)
    assert "29 words" in asked or "30 words" in asked
    assert "The lighthouse was closed in 1971." in asked


def test_a_model_that_fails_leaves_the_best_so_far(
    draft: str, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDRAFT_RETRIES", "0")
    server.answers = [fail(500, "out of order")]
    result = run(draft, "-c", SHORT, "--model", f"{server.url}#tiny")
    assert result.exit_code == 4
    assert "out of order" in result.stderr
    assert 0 < len(result.stdout.split()) < 30


# What only a process shows


def test_what_is_done_with_status_0_passes_the_check_of_another_process(draft: str, tmp_path: Path) -> None:
    out = str(tmp_path / "out.txt")
    instruction = "Under 40 words, keep the second sentence, and never say 'ration'."
    done = Started(
        "revise", draft, "-i", instruction, "--strategy", "repair", "-o", out, by_rule=True
    ).ended()
    assert done[0] == 0, done
    checked = Started("check", out, "--original", draft, "-i", instruction).ended()
    assert checked[0] == 0, checked
    assert "Nobody in the town had seen anything like it." in Path(out).read_text(encoding="utf-8")


@pytest.mark.parametrize("strategy", ["search", "direct"])
def test_ctrl_c_prints_the_best_so_far(draft: str, server: ScriptedServer, strategy: str) -> None:
    server.answers = [hang]
    words = ("-c", SHORT, "--strategy", strategy, "--model", f"{server.url}#tiny")
    started = Started("revise", draft, *words, by_rule=True)
    started.wait_for(lambda: server.requests)
    started.send(signal.SIGINT)
    status, text, said = started.ended()
    assert status == 130, said
    assert (0 < len(text.split()) < 30) if strategy == "search" else text == TEXT
    assert "Traceback" not in said
    assert "interrupted" in said


def test_killed_at_any_time_the_output_is_old_or_whole(draft: str, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    words = ("revise", draft, "-c", SHORT, "--strategy", "repair", "--quiet")
    whole = run(*words[1:]).stdout
    begun = time.monotonic()
    assert Started(*words, by_rule=True).ended() == (0, whole, "")
    lasted = time.monotonic() - begun
    for number in range(12):
        old = "Old.\n" if number % 2 else None
        out.unlink(missing_ok=True)
        if old is not None:
            out.write_text(old, encoding="utf-8")
        started = Started(*words, "-o", str(out), by_rule=True)
        time.sleep(lasted * number / 10)
        started.send(signal.SIGKILL)
        started.ended()
        found = out.read_text(encoding="utf-8") if out.exists() else None
        assert found in (old, whole)


# What a reader should know of the result

NINE = 'sentence_length_check(10, "less than")'


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge who likes nothing but what the writer wrote."""
    judge = ScriptedJudge(lambda sentence: sentence not in TEXT)
    monkeypatch.setattr(running, "open_judge", lambda models: judge)


@pytest.mark.usefixtures("strict")
def test_what_reads_badly_is_told_and_no_number_hides_what_is_left_out(draft: str) -> None:
    result = run(draft, "-c", NINE, "--strategy", "repair")
    assert result.exit_code == 0, result.stderr
    assert re.search(r"obeys, but sentence \d+ reads badly: “|left out: “", told(result))
    assert "likeness to the original" not in told(result) or "left out: " not in told(result)
    assert json.loads(run(draft, "-c", NINE, "--strategy", "repair", "--json").stdout)["concerns"]


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("by_environment", [True, False])
def test_a_sound_text_keeps_its_sentences_and_says_what_is_not_met(
    draft: str, monkeypatch: pytest.MonkeyPatch, by_environment: bool
) -> None:
    if by_environment:
        monkeypatch.setenv("REDRAFT_SOUND", "true")
    result = run(draft, "-c", NINE, "--strategy", "repair", *([] if by_environment else ["--sound"]))
    assert (result.exit_code, result.stdout) == (1, TEXT)
    assert re.search(r"sentence \d stays as it was", told(result))
    assert "NOT met" in told(result)


# What is understood


def test_what_nothing_acts_on_is_said_first(draft: str) -> None:
    asked = ("-i", "Under 30 words, be friendlier, and add a joke.", "--strategy", "repair")
    result = run(draft, *asked, "--json")
    assert result.exit_code == 0
    first, second, *_ = result.stderr.splitlines()
    assert first.startswith("not understood, so nothing acts on it: “add a joke”")
    assert second == "not a constraint, so taken as advice and not checked: be friendlier"
    report = json.loads(result.stdout)
    assert report["wishes"] == ["be friendlier"]
    assert [one["words"] for one in report["not_understood"]] == ["add a joke"]


def test_an_instruction_of_which_nothing_is_understood_is_not_called_met(draft: str) -> None:
    result = run(draft, "-i", "Bitte nicht so formal", "--strategy", "repair", "--json")
    assert result.exit_code == 1
    assert "nothing of the instruction was understood" in told(result)
    report = json.loads(result.stdout)
    assert report["met"] is False
    assert report["wishes"] == []
    assert [one["words"] for one in report["not_understood"]] == ["Bitte nicht so formal"]


def test_a_service_reads_the_whole_instruction(draft: str, server: ScriptedServer) -> None:
    server.answers = [say("It froze.")]
    direct = ("--model", f"{server.url}#tiny", "--strategy", "direct", "--strict", "--no-cache")
    result = run(draft, "-i", "Under 30 words, and add a joke.", *direct)
    assert result.exit_code == 0, result.stderr
    assert "not understood" not in result.stderr
    assert "taken as advice and not checked: add a joke" in told(result)


def test_a_text_in_another_language_is_not_cut_and_it_is_said_before(tmp_path: Path) -> None:
    text = (
        "Je vous écris pour vous dire que la réunion qui était prévue pour le 12 mars est reportée, et que les "
        "personnes qui souhaitent y assister doivent s'inscrire avant le 10 mars.\n"
    )
    file = tmp_path / "lettre.txt"
    file.write_text(text, encoding="utf-8")
    result = run(str(file), "-i", "Under 15 words, British spelling, no semicolons.", "--strategy", "repair")
    assert (result.exit_code, result.stdout) == (1, text)
    assert 'for English alone, and the text looks like fr: spelling_check("british")' in told(result)
    assert "the rules that cut, divide and join sentences are for English alone" in told(result)


@pytest.mark.usefixtures("idle")
def test_strict_refuses_what_is_for_english_alone(tmp_path: Path) -> None:
    file = tmp_path / "lettre.txt"
    file.write_text("Je vous écris pour vous dire que la réunion est pour le 19 mars.\n", encoding="utf-8")
    result = run(str(file), "-i", "Under 30 words, and make it friendlier.", "--strict")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "for English alone" in told(result)
