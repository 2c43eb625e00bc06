"""`redraft compose` as a user types it: streams, exit statuses, what it keeps, how it goes on."""

from __future__ import annotations

import json
import os
import pty
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.cli.write.compose_view import View
from redraft.composition import PaperPrompts
from redraft.composition.actions import Action
from redraft.composition.state import Outline, State, numbered, outline_text, read_outline
from redraft.composition.trajectory import Step
from redraft.errors import FileError, InputError
from tests.composition.published import Published
from tests.composition.strong import TITLES, Strong
from tests.models.scripted import fail

REDRAFT = [sys.executable, "-m", "redraft"]
PIECE = ["--topic", "Why cities flood", "--style", "an explainer, about 120 words"]


@pytest.fixture
def strong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Strong]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REDRAFT_RETRIES", "0")
    server = Strong()
    with server:
        yield server


def run(strong: Strong | None, *words: str, stdin: str | None = None) -> Result:
    model = [] if strong is None else ["--model", f"{strong.url}#strong"]
    return CliRunner().invoke(app, ["compose", *words, *model], input=stdin)


def told(result: Result) -> str:
    return " ".join(result.stderr.split())


def kept(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "cache" / "compose").glob("*"))


def test_the_piece_goes_to_standard_output_and_the_rest_elsewhere(strong: Strong, tmp_path: Path) -> None:
    result = run(strong, *PIECE)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"# Why cities flood\n\n## {TITLES['en'][0]}\n\nVersion 1")
    assert "Where water goes" in result.stderr
    assert "14 steps, 3 sections; steps per section 4.67" in told(result)
    assert "gain +2.00" in told(result)
    assert kept(tmp_path) == []
    assert strong.roles().count("choose") > 0  # any other model than the embedded chooses for itself


def test_json_and_the_topic_from_standard_input(strong: Strong) -> None:
    result = run(
        strong, "--topic", "-", "--protocol", "batch", "--json", "--quiet", stdin="Write a poem on rain"
    )
    assert result.exit_code == 0
    assert result.stderr == ""
    found = json.loads(result.stdout)
    assert {"text", "outline", "trajectory", "dynamics", "usage", "met"} <= set(found)
    assert [step["turn"] for step in found["trajectory"]][:4] == [1, 2, 2, 2]
    assert "## " not in found["text"]


@pytest.mark.parametrize(
    ("name", "options", "begins"),
    [
        ("out.html", [], "<!doctype html>"),
        ("out.tex", [], "% Where the text"),
        ("out.md", ["--to", "text"], "Why cities flood\n\nRain and stone\n"),
        ("out", [], "# Why cities flood\n"),
    ],
)
def test_the_file_decides_the_mark_up(
    strong: Strong, tmp_path: Path, name: str, options: list[str], begins: str
) -> None:
    result = run(strong, *PIECE, "--protocol", "no_review", "-o", str(tmp_path / name), *options)
    assert (result.exit_code, result.stdout) == (0, "")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


def test_chinese(strong: Strong) -> None:
    topic = "写一篇关于城市内涝的文章，约120字"
    result = run(strong, "--topic", topic)
    assert result.exit_code == 0
    assert result.stdout.startswith("# 城市为何内涝\n\n## 雨与石\n")
    assert "characters" in result.stderr
    refused = run(None, "--topic", topic)
    assert refused.exit_code == 2
    assert "the embedded model knows no Chinese: name another with --model" in told(refused)
    assert run(None, "--topic", "Floods", "--language", "zh").exit_code == 2


def test_constraints_hold_or_are_told(strong: Strong) -> None:
    met = run(strong, *PIECE, "-c", 'keyword_keep_removal_check("snow", "remove")', "--protocol", "no_review")
    assert met.exit_code == 0
    assert "met" in told(met)
    conflict = run(
        strong, *PIECE, "-c", 'word_count_check(50, "less than")', 'word_count_check(60, "more than")'
    )
    assert (conflict.exit_code, conflict.stdout) == (3, "")
    assert "no text can meet these together" in told(conflict)
    assert run(strong, *PIECE, "-c", "sentence_modification_check(1)").exit_code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "say what to write about"),
        (["--topic", "…"], "the topic has no words"),
        (["--topic", "Rain", "-o", "no/such/out.md"], "there is no folder"),
        (["--resume", "nowhere"], "is no folder of a piece"),
        (["--resume", "nowhere", "--tau", "9"], "a piece goes on as it was begun: leave out --tau"),
        (["--resume", "nowhere", "--topic", "Rain"], "leave out --topic"),
    ],
)
def test_what_is_refused(strong: Strong, words: list[str], message: str) -> None:
    result = run(strong, *words)
    assert result.exit_code == 2
    assert message in told(result)
    assert strong.roles() == []


def test_steps_that_are_spent_are_no_success(strong: Strong) -> None:
    result = run(strong, *PIECE, "--max-steps", "4")
    assert result.exit_code == 1
    assert result.stdout.startswith("# Why cities flood")
    assert "4 steps are spent" in told(result)


def test_an_outline_is_approved_in_a_file(strong: Strong, tmp_path: Path) -> None:
    folder = tmp_path / "piece"
    waiting = run(strong, *PIECE, "--approve-outline", "--trace", str(folder))
    assert (waiting.exit_code, waiting.stdout) == (0, "")
    assert f"redraft compose --resume {folder} --model" in told(waiting)
    assert strong.roles() == ["outline"] or strong.roles() == ["choose", "outline"]
    file = folder / "outline.md"
    file.write_text(file.read_text(encoding="utf-8").replace("## Rain and stone", "Rain"), encoding="utf-8")
    wrong = run(strong, "--resume", str(folder))
    assert wrong.exit_code == 2
    assert "the outline, line 5: write the title after #" in told(wrong)
    file.write_text("# Floods\n\n## Sleet\n- cold\n\n## Thaw\n", encoding="utf-8")
    done = run(strong, "--resume", str(folder))
    assert done.exit_code == 0
    assert done.stdout.startswith("# Floods\n\n## Sleet\n")
    assert "## Thaw" in done.stdout
    assert strong.roles().count("outline") == 1
    again = run(strong, "--resume", str(folder), "--to", "markdown")
    assert again.stdout == done.stdout


def test_an_outline_with_an_error_loses_nothing(strong: Strong, tmp_path: Path) -> None:
    waiting = run(strong, *PIECE, "--approve-outline", "--quiet")
    (folder,) = kept(tmp_path)
    assert f"--resume {folder}" in told(waiting)
    outline = folder / "outline.md"
    edited = outline.read_text(encoding="utf-8")
    outline.write_text("Rain", encoding="utf-8")
    assert run(strong, "--resume", str(folder)).exit_code == 2
    outline.write_text(edited, encoding="utf-8")
    assert run(strong, "--resume", str(folder)).exit_code == 0
    assert strong.roles().count("outline") == 1


def test_an_outline_that_nobody_has_seen_waits_when_a_piece_is_resumed(
    strong: Strong, tmp_path: Path
) -> None:
    folder = tmp_path / "piece"
    strong.dies_at = 2
    assert run(strong, *PIECE, "--protocol", "fixed", "--trace", str(folder)).exit_code == 4
    strong.dies_at = None
    waiting = run(strong, "--resume", str(folder), "--approve-outline")
    assert (waiting.exit_code, waiting.stdout) == (0, "")
    assert "edit it, then go on with" in told(waiting)
    assert strong.roles() == ["outline"]
    assert run(strong, "--resume", str(folder)).exit_code == 0


def test_after_an_error_the_place_of_the_work_is_told(
    strong: Strong, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise FileError("out.md cannot be written: no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("redraft.cli.console.write_text", full)
        result = run(strong, *PIECE, "-o", "out.md")
    assert result.exit_code == 2
    assert result.stdout.startswith("# Why cities flood\n")
    (folder,) = kept(tmp_path)
    assert f"what was done is kept; go on with redraft compose --resume {folder}" in told(result)
    asked = len(strong.answered)
    assert run(strong, "--resume", str(folder), "-o", "out.md").exit_code == 0
    assert len(strong.answered) == asked
    assert kept(tmp_path) == []


def test_a_folder_that_was_named_stays_wherever_it_is(strong: Strong, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "compose" / "mine"
    assert run(strong, *PIECE, "--trace", str(folder)).exit_code == 0
    assert kept(tmp_path) == [folder]


def test_a_section_that_there_cannot_be_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    view = View(50, "en")
    view._last = -1e9  # as if nothing had been said for long
    view.on_step(Step(1, 1, Action("draft", 0), said="draft 0", error="outline first"), State())
    assert "1/50 draft 0 failed: outline first" in capsys.readouterr().err


def test_an_outline_is_approved_in_an_editor(strong: Strong, tmp_path: Path) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text(
        "import pathlib, sys\nfile = pathlib.Path(sys.argv[1])\ntext = file.read_text()\n"
        "file.write_text(text.replace('Rain', 'Snow') if 'odd' in text else text + 'odd\\n')\n"
        "file.write_text(file.read_text().replace('odd\\n', '')) if 'Snow' in file.read_text() else None\n",
        encoding="utf-8",
    )
    command = [*REDRAFT, "compose", *PIECE, "--protocol", "no_review", "--approve-outline", "-o", "out.md"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*command, "--model", f"{strong.url}#strong"],
        stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True,
        env={**os.environ, "EDITOR": f"{sys.executable} {editor}", "VISUAL": ""},
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = b""
        while b"Edit it again?" not in shown:
            shown += os.read(ours, 4096)
        os.write(ours, b"y\n")
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError:
            pass
        assert process.wait(30) == 0
    os.close(ours)
    assert b"a point after -" in shown
    assert b"2/50 draft 1" in shown
    assert "## Snow and stone" in Path("out.md").read_text(encoding="utf-8")


def test_an_interrupted_piece_goes_on(strong: Strong, tmp_path: Path) -> None:
    strong.wait = 0.05

    def interrupt() -> None:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if strong.roles().count("draft") > 1:
                os.kill(os.getpid(), signal.SIGINT)
                return
            time.sleep(0.01)

    person = threading.Thread(target=interrupt)
    person.start()
    result = run(strong, *PIECE)
    person.join()
    assert (result.exit_code, result.stdout) == (130, "")
    (folder,) = kept(tmp_path)
    assert f"--resume {folder}" in told(result)
    strong.wait = 0.0
    before = len(strong.answered)
    result = run(strong, "--resume", str(folder))
    assert result.exit_code == 0
    bodies = [body for role, body in strong.answered if role != "choose"]
    # What was under way when it was interrupted may be asked again; what was finished is not.
    assert len(bodies) - len(set(bodies)) <= 1
    assert len(strong.answered) > before
    assert kept(tmp_path) == []


def test_what_is_kept_of_a_piece_is_its_writer_s_alone(strong: Strong, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        assert run(strong, *PIECE, "--approve-outline").exit_code == 0
    finally:
        os.umask(before)
    (folder,) = kept(tmp_path)
    assert {file.name for file in folder.iterdir()} == {"compose.json", "steps.jsonl", "outline.md"}
    for found in (tmp_path / "cache", *(tmp_path / "cache").rglob("*")):
        assert found.stat().st_mode & 0o777 == (0o700 if found.is_dir() else 0o600), found


def test_a_service_that_dies(strong: Strong, tmp_path: Path) -> None:
    strong.dies_at = 7
    result = run(strong, *PIECE)
    assert (result.exit_code, result.stdout) == (4, "")
    (folder,) = kept(tmp_path)
    assert f"--resume {folder}" in told(result)
    strong.dies_at = None
    assert run(strong, "--resume", str(folder)).exit_code == 0


@pytest.mark.usefixtures("own_trust")
def test_a_folder_that_names_an_address_needs_trust(strong: Strong, tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    strong.dies_at = 7
    run(strong, *PIECE, "--trace", str(folder))
    strong.dies_at = None
    asked = len(strong.requests)
    refused = run(None, "--resume", str(folder))
    assert refused.exit_code == 2
    assert len(strong.requests) == asked
    command = f"redraft trust {folder / 'compose.json'}"
    assert command in told(refused)
    assert f"{strong.url}#strong" in told(refused)
    assert CliRunner().invoke(app, command.split()[1:]).exit_code == 0
    done = run(None, "--resume", str(folder), "--quiet")
    assert done.exit_code == 0
    host = strong.url.removeprefix("http://").removesuffix("/v1")
    assert f"sending texts to {host}, which {folder / 'compose.json'} chose" in told(done)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "needs a title after #, and at least one section"),
        ("# Floods", "at least one section"),
        ("# Floods\n- rain", "line 2: a point belongs under a section"),
        ("# Floods\n# Again", "line 2: there is a title already"),
        ("# Floods\n### Deep", "line 2: write the title after #"),
    ],
)
def test_an_outline_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_outline(text)


def test_an_outline_survives_editing() -> None:
    outline = Outline("Why cities\nflood", numbered([("Rain", ("- heavy", "long")), ("Drains", ())]))
    read = read_outline(outline_text(outline))
    assert (read.title, len(read.sections)) == ("Why cities flood", 2)
    assert read_outline(outline_text(read)) == read


def test_the_protocol_of_the_paper_with_prompts_of_ones_own(strong: Strong, tmp_path: Path) -> None:
    assert run(None, "--write-prompts", "own").exit_code == 0
    file = tmp_path / "own" / "en" / "policy.md"
    file.write_text(f"Be brief.\n{file.read_text('utf-8')}", "utf-8")
    words = [*PIECE, "--protocol", "paper", "--prompts", "own", "--json"]
    with Published(["outline", "draft 1", "review 1", "finish"]) as server:
        result = CliRunner().invoke(app, ["compose", *words, "--model", f"{server.url}#tiny"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["protocol"], found["prompts"]) == (
        "paper",
        PaperPrompts.read(tmp_path / "own").hash_of("en"),
    )
    assert (found["dynamics"]["success"], found["dynamics"]["steps"]) == (100, 4)
    assert "Be brief." in json.dumps(server.requests[0])
    assert "Draft 1." in found["text"]


def test_a_piece_of_the_paper_goes_on_with_its_prompts(strong: Strong, tmp_path: Path) -> None:
    run(None, "--write-prompts", "own")
    with Published(["outline", "draft 1", "finish"]) as server:
        server.answers = [server.answers[0]] * 3 + [fail(500)]
        model = ["--model", f"{server.url}#tiny"]
        words = [*PIECE, "--protocol", "paper", "--prompts", "own", "--trace", "piece", *model]
        stopped = CliRunner().invoke(app, ["compose", *words])
        assert stopped.exit_code == 4
        again = f"redraft compose --resume piece --model '{server.url}#tiny' --prompts own"
        assert again in told(stopped)
        server.answers = server.answers[:1]
        done = CliRunner().invoke(app, shlex.split(again)[1:])
    assert done.exit_code == 0, done.output
    assert "Draft 1." in done.stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--protocol", "paper", "--no-guard"], "has no guard"),
        (["--protocol", "paper", "--max-revisions", "2"], "no limit on revisions"),
        (["--protocol", "paper", "--prompts", "nowhere"], "nowhere has no prompts"),
        (["--protocol", "fixed", "--prompts", "own"], "replaced in the protocol paper, not in fixed"),
    ],
)
def test_what_the_protocol_of_the_paper_does_not_take(strong: Strong, words: list[str], why: str) -> None:
    run(None, "--write-prompts", "own")
    result = run(strong, *PIECE, *words)
    assert (result.exit_code, strong.requests) == (2, [])
    assert why in told(result)
