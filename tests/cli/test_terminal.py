"""What texts, answers, services, files and settings say is shown on a terminal, and never obeyed by it."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.table import Table

from redraft.cli import app
from redraft.cli.console import console, note, problem, put, put_json, result_console, visible
from redraft.cli.write import texts
from redraft.cli.write.compose_view import View
from redraft.composition.actions import Action
from redraft.composition.state import Outline, State, numbered
from redraft.composition.trajectory import Step
from redraft.errors import ModelError
from redraft.revision.revision import Revision
from redraft.revision.showing.trace import Trace
from tests.bench.report.runs import dataset, outputs, write_run
from tests.models.scripted import ScriptedServer, fail, say
from tests.revision.tracing import finish, node, start

HOSTILE = "\x1b]0;x\x07 \x1b[2J \x9b31m \u202e [red]a[/red] [link=http://x]b[/link] [/nonsense]"
NAME = HOSTILE.replace("/", "\u2044")
"""The same where a file may be called so."""
TEXT = f"The harbour froze {HOSTILE} over in January, and the ferries stayed in port.\n"


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal, and keeps what it gets."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def isatty(self) -> bool:
        return True

    @property
    def got(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode()


@dataclass
class Seen:
    """What a person sees of a command."""

    status: int
    out: str
    err: str

    def check(self) -> None:
        for stream in (self.out, self.err):
            obeyed = {
                f"U+{ord(one):04X}"
                for one in stream
                if one not in "\n\t" and unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp")
            }
            assert not obeyed, repr(stream)


@pytest.fixture(autouse=True)
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Terminals on which rich itself writes no escapes, so that every one is somebody else's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("REDRAFT_RETRIES", "0")
    monkeypatch.setenv("REDRAFT_CACHE", "false")
    monkeypatch.setattr(texts, "prepare", lambda *_, **__: None)
    Path("text.txt").write_text(TEXT, encoding="utf-8")
    Path(NAME).write_text(TEXT, encoding="utf-8")


@contextlib.contextmanager
def terminals() -> Iterator[tuple[Terminal, Terminal]]:
    with pytest.MonkeyPatch.context() as patched:
        out, err = Terminal(), Terminal()
        patched.setattr(sys, "stdout", out)
        patched.setattr(sys, "stderr", err)
        yield out, err


def typed(*words: str) -> Seen:
    with terminals() as (out, err), pytest.raises(SystemExit) as ended:
        app(list(words), prog_name="redraft")
    return Seen(int(ended.value.code or 0), out.got, err.got)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        yield scripted


def policy() -> str:
    Path("policy.yaml").write_text(f"name: {json.dumps(HOSTILE)}\nnonsense: {json.dumps(HOSTILE)}\n", "utf-8")
    return "policy.yaml"


def batch() -> str:
    Path("in.jsonl").write_text(json.dumps({"id": HOSTILE, "text": TEXT, "calls": [HOSTILE]}) + "\n", "utf-8")
    return "in.jsonl"


def run_folder(name: str, said: str) -> str:
    given = {("a", 1): f"He goes {HOSTILE} home .", ("b", 1): said}
    write_run(
        Path(name), HOSTILE, outputs(given), {"jfleg": dataset(HOSTILE, [{"sari": 40.0, HOSTILE: 50.0}])}
    )
    return name


def trace() -> str:
    with Trace(NAME + " trace") as kept:
        start(kept, text=TEXT, instruction=HOSTILE)
        root = node(0, None, TEXT, original=TEXT)
        nodes = [root, node(1, root, f"Another {HOSTILE}.", original=TEXT)]
        for one in nodes:
            kept.node(one)
        finish(kept, nodes, best=1)
    return NAME + " trace"


@pytest.mark.parametrize(
    "words",
    [
        lambda: ["parse", f"Be brief. Do not say '{HOSTILE}'."],
        lambda: ["parse", f"Do not say '{HOSTILE}'.", "--json"],
        lambda: ["check", "text.txt", "-i", f"Do not say '{HOSTILE}'. Say 'zebra'."],
        lambda: ["check", "text.txt", "-c", f"nonsense({HOSTILE!r})"],
        lambda: ["check", NAME, f"no {NAME}", "-i", f"Do not say '{HOSTILE}'. No semicolons."],
        lambda: ["check", NAME, f"no {NAME}", "-i", f"Say '{HOSTILE}'.", "--output", "github"],
        lambda: ["check", NAME, f"no {NAME}", "-i", "Under 2 words.", "--output", "sarif"],
        lambda: ["check", "text.txt", "-c", 'keep_keyword("froze")', "--original", f"no {NAME}"],
        lambda: ["sentences", NAME],
        lambda: ["sentences", f"no {NAME}"],
        lambda: ["revise", "text.txt", "-o", f"no\u2044{NAME}/out.txt"],
        lambda: ["revise", "text.txt", "--trace", NAME],
        lambda: ["revise", "text.txt", "--model", HOSTILE],
        lambda: ["revise", "--batch", batch(), "--out", f"{NAME}.jsonl"],
        lambda: ["simplify", "text.txt", "--policy", policy()],
        lambda: ["policies", "check", policy()],
        lambda: ["explain", trace()],
        lambda: ["explain", trace(), "--json"],
        lambda: ["explain", NAME],
        lambda: ["score", "em", "--predictions", NAME, "--references", "text.txt"],
        lambda: ["score", HOSTILE, "--predictions", NAME],
        lambda: ["judge", "score", NAME, "--rubric", f"no {NAME}"],
        lambda: ["bench", "run", HOSTILE, "--data", NAME, "--system", "copy"],
        lambda: ["bench", "report", run_folder("one", "They were late .")],
        lambda: ["bench", "compare", run_folder("one", "They were late ."), run_folder("two", HOSTILE)],
        lambda: ["bench", "curve", f"{NAME}@1={run_folder('one', 'They were late .')}"],
        lambda: ["bench", "report", NAME],
        lambda: ["models", "add", f"no {NAME}"],
        lambda: ["models", "remove", HOSTILE],
        lambda: ["revise", f"--{HOSTILE}"],
        lambda: ["revise", "text.txt", "--effort", HOSTILE],
        lambda: [HOSTILE],
        lambda: ["sentences", "text.txt", NAME],
    ],
)  # fmt: skip
def test_no_command_lets_a_terminal_obey(words: Callable[[], list[str]]) -> None:
    seen = typed(*words())
    seen.check()
    assert seen.out or seen.err
    assert seen.status != 70, seen.err


@pytest.mark.parametrize("command", [["models"], ["doctor"], ["cache"]])
def test_settings_are_shown_and_not_obeyed(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDRAFT_MODEL", HOSTILE)
    monkeypatch.setenv("REDRAFT_CACHE", "true")
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / NAME))
    seen = typed(*command)
    seen.check()
    assert "[red]a" in seen.out


async def unscored(self: object, revision: Revision, usage: object) -> Revision:
    return revision


def test_an_answer_is_shown_and_not_obeyed(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redraft.revision.running.Run._scored", unscored)
    server.answers = [say(TEXT + "\tIndented.\r\nNew line.")]
    model = ["--model", f"{server.url}#tiny", "--strategy", "direct", "--effort", "low"]
    seen = typed("revise", "text.txt", *model, "-i", f"Do not say '{HOSTILE}'.")
    seen.check()
    assert "[red]a[/red] [link=http://x]b[/link]" in seen.out
    assert "\tIndented.\nNew line.\n" in seen.out


def test_what_a_service_says_is_shown_and_not_obeyed(server: ScriptedServer) -> None:
    server.answers = [fail(500, HOSTILE)]
    seen = typed("revise", "text.txt", "--model", f"{server.url}#tiny", "--strategy", "direct")
    seen.check()
    assert seen.status == 4
    assert "[red]a[/red]" in seen.err


def test_the_steps_of_a_piece_are_shown_and_not_obeyed() -> None:
    outline = Outline(HOSTILE, numbered([(HOSTILE, "")]))
    with terminals() as (out, err), View(50, "en") as view:
        view.on_step(Step(1, 1, Action("outline"), effect=outline, note=HOSTILE), State().outlined(outline))
        view.on_step(Step(2, 2, Action("draft", 1), error=HOSTILE), State().outlined(outline))
    Seen(0, out.got, err.got).check()
    assert err.got.count("[red]a[/red]") >= 4


def test_whatever_is_printed_in_whatever_way() -> None:
    table = Table(title=HOSTILE, caption=HOSTILE)
    table.add_column(HOSTILE)
    table.add_row(HOSTILE)
    with terminals() as (out, err):
        for screen in (console(), result_console()):
            screen.print(HOSTILE)
            screen.print(table)
            screen.print(visible(HOSTILE))
        note(HOSTILE)
        problem(str(ModelError(HOSTILE)))
        put(HOSTILE)
        put_json({HOSTILE: HOSTILE})
    Seen(0, out.got, err.got).check()
    assert out.got.count("[red]a[/red]") == 6 + 1 + 2
    assert err.got.count("[red]a[/red]") == 6 + 2


def test_a_pipe_gets_the_text_as_it_is(capfd: pytest.CaptureFixture[str]) -> None:
    put(TEXT)
    put_json({"text": HOSTILE})
    text, _, printed = capfd.readouterr().out.partition("\n")
    assert f"{text}\n" == TEXT
    assert json.loads(printed) == {"text": HOSTILE}


def test_notes_that_nobody_reads_end_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(Terminal):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    class Full(Terminal):
        def write(self, _: str) -> int:
            raise OSError(28, "No space left on device")

    for stream in (Gone(), Full()):
        monkeypatch.setattr(sys, "stderr", stream)
        note("nobody reads this")
        problem("nor this")
    monkeypatch.setattr(sys, "stdout", Gone())
    with pytest.raises(BrokenPipeError):
        result_console().print("this was wanted")
