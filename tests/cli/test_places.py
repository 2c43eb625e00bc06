"""Where a text comes from and goes to: a .docx, the file itself, the clipboard; and which changes are taken."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.cli.write import texts
from redraft.text import read_docx
from tests.models.scripted import ScriptedServer, say
from tests.text.docx_files import accepted, make_docx, paragraph, parts_of, rejected, run as words_of

pytestmark = pytest.mark.usefixtures("by_rule")

FIRST = "The harbour froze over in January 1963, and the ferries stayed in port for six weeks."
SECOND = "Nobody in the town had seen anything like it."
THIRD = "The council met twice a week and, after some debate, decided to ration coal."
TEXT = f"{FIRST} {SECOND} {THIRD}\n"
SHORTER = f"The harbour froze over. {SECOND} The council decided to ration coal.\n"
UNDER_30 = ("-c", 'word_count_check(30, "less than")')
BY_RULES = ("--strategy", "repair", "--quiet")


@pytest.fixture
def draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    file = tmp_path / "draft.txt"
    file.write_text(TEXT, encoding="utf-8")
    return file


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    file = tmp_path / "letter.docx"
    body = paragraph("The winter", style="H1") + paragraph(FIRST + " ", words_of(SECOND, "b"), " " + THIRD)
    file.write_bytes(make_docx(body))
    return file


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        scripted.answers = [say(SHORTER)]
        yield scripted


@pytest.fixture
def direct(server: ScriptedServer) -> tuple[str, ...]:
    """A model that always answers with the same text."""
    return (*UNDER_30, "--strategy", "direct", "--model", f"{server.url}#tiny")


def run(*words: object, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], input=stdin)


def told(result: Result) -> str:
    return " ".join(result.stderr.split())


# .docx


def test_a_docx_is_revised_with_its_changes_tracked(letter: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.docx"
    result = run("revise", letter, *UNDER_30, *BY_RULES, "-o", out)
    assert (result.exit_code, result.stdout) == (0, ""), result.stderr
    written, before = out.read_bytes(), read_docx(letter.read_bytes()).text
    assert b"<w:del " in parts_of(written)["word/document.xml"]
    assert len(read_docx(written).text.split()) < len(before.split())
    assert read_docx(rejected(written)).text == before
    assert run("check", out, "--original", letter, *UNDER_30).exit_code == 0
    assert read_docx(accepted(written)).text == read_docx(written).text


def test_a_docx_without_tracking_and_as_text(letter: Path, tmp_path: Path) -> None:
    clean, text = tmp_path / "clean.docx", tmp_path / "out.txt"
    run("revise", letter, *UNDER_30, *BY_RULES, "-o", clean, "--no-track")
    run("revise", letter, *UNDER_30, *BY_RULES, "-o", text)
    printed = run("revise", letter, *UNDER_30, "--strategy", "repair")
    assert b"<w:del " not in parts_of(clean.read_bytes())["word/document.xml"]
    assert read_docx(clean.read_bytes()).text == text.read_text(encoding="utf-8") == printed.stdout
    assert printed.stdout.startswith("# The winter\n\n")
    assert "-o OUT.docx writes a .docx with the changes tracked" in told(printed)


def test_a_docx_can_be_checked_listed_and_piped(letter: Path) -> None:
    listed = run("sentences", letter, "--json")
    assert SECOND in [row["text"] for row in json.loads(listed.stdout)]
    assert run("check", letter, "-c", 'keyword_keep_removal_check("coal", "remove")').exit_code == 1
    piped = run("revise", "-", *UNDER_30, *BY_RULES, stdin=letter.read_bytes())
    assert piped.stdout == run("revise", letter, *UNDER_30, *BY_RULES).stdout


def test_a_docx_is_simplified(letter: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.docx"
    result = run("simplify", letter, "--effort", "low", "--no-cache", "-o", out)
    assert result.exit_code == 0, result.stderr
    assert read_docx(rejected(out.read_bytes())).text == read_docx(letter.read_bytes()).text


def test_a_docx_is_not_made_from_nothing(draft: Path, tmp_path: Path) -> None:
    result = run("revise", draft, *UNDER_30, "-o", tmp_path / "out.docx")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a .docx is written from a .docx" in told(result)
    draft.rename(tmp_path / "no.docx")
    result = run("revise", tmp_path / "no.docx", *UNDER_30)
    assert result.exit_code == 2
    assert "no.docx: this is no .docx" in told(result)


# In place


def test_in_place_keeps_what_the_file_was(draft: Path) -> None:
    draft.chmod(0o640)
    result = run("revise", draft, *UNDER_30, *BY_RULES, "--in-place")
    assert (result.exit_code, result.stdout) == (0, "")
    once = draft.read_text(encoding="utf-8")
    assert len(once.split()) < 30
    assert draft.with_name("draft.txt~").read_text(encoding="utf-8") == TEXT
    assert draft.stat().st_mode & 0o777 == draft.with_name("draft.txt~").stat().st_mode & 0o777 == 0o640
    again = run(
        "revise", draft, "-c", 'word_count_check(20, "less than")', "--strategy", "repair", "--in-place"
    )
    assert again.exit_code == 0
    assert "draft.txt~2" in again.stderr.replace("\n", "")
    assert draft.with_name("draft.txt~").read_text(encoding="utf-8") == TEXT
    assert draft.with_name("draft.txt~2").read_text(encoding="utf-8") == once


def test_in_place_changes_a_docx_and_through_a_link(letter: Path, tmp_path: Path) -> None:
    before = letter.read_bytes()
    link = tmp_path / "other" / "link.docx"
    link.parent.mkdir()
    link.symlink_to(letter)
    assert run("revise", link, *UNDER_30, *BY_RULES, "--in-place").exit_code == 0
    assert link.is_symlink()
    assert (
        b"<w:ins " in letter.read_bytes() or b"<w:del " in parts_of(letter.read_bytes())["word/document.xml"]
    )
    assert letter.with_name("letter.docx~").read_bytes() == before


def test_in_place_leaves_a_file_that_needs_no_change(draft: Path) -> None:
    result = run(
        "revise", draft, "-c", 'word_count_check(90, "less than")', "--strategy", "repair", "--in-place"
    )
    assert result.exit_code == 0
    assert "nothing was changed" in told(result)
    assert [file.name for file in draft.parent.iterdir()] == ["draft.txt"]


def test_in_place_leaves_the_file_unless_all_is_met(
    draft: Path, direct: tuple[str, ...], server: ScriptedServer
) -> None:
    server.answers = [say(f"{SECOND} {FIRST} {SECOND}")]
    result = run("revise", draft, *direct, "--in-place")
    assert (result.exit_code, result.stdout) == (1, f"{SECOND} {FIRST} {SECOND}\n"), result.stderr
    assert "stays as it was; --best-effort replaces it" in told(result)
    assert draft.read_text(encoding="utf-8") == TEXT
    assert run("revise", draft, *direct, "--in-place", "--best-effort").exit_code == 1
    assert draft.read_text(encoding="utf-8").split() == f"{SECOND} {FIRST} {SECOND}".split()
    conflict = run("revise", draft, *UNDER_30, "-c", 'word_count_check(40, "more than")', "--in-place")
    assert (conflict.exit_code, conflict.stdout) == (3, "")


def test_in_place_leaves_a_file_that_somebody_else_changed(
    draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = texts.prepare

    def meanwhile(*words: object, **options: object) -> None:
        draft.write_text("Other words.\n", encoding="utf-8")
        prepare(*words, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(texts, "prepare", meanwhile)
    result = run("revise", draft, *UNDER_30, "--strategy", "repair", "--in-place")
    assert result.exit_code == 2
    assert 0 < len(result.stdout.split()) < 30
    assert "was changed by somebody else meanwhile" in told(result)
    assert draft.read_text(encoding="utf-8") == "Other words.\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-", "--in-place"], "needs a FILE that can be replaced"),
        (["FILE", "--in-place", "-o", "x.txt"], "leave out -o"),
        (["FILE", "--clipboard"], "leave out FILE"),
        (["--clipboard", "--in-place"], "leave out FILE and --in-place"),
        (["--clipboard"], "no program reaches the clipboard"),
        (["-", "--interactive"], "name a FILE for the text"),
        (["--batch", "FILE", "--out", "x", "--in-place"], "--in-place is for one text"),
        (["--batch", "FILE", "--out", "x", "--interactive"], "--interactive is for one text"),
    ],
)
def test_what_does_not_go_together_is_said(
    draft: Path, words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(draft.parent))
    result = run("revise", *(draft if word == "FILE" else word for word in words), *UNDER_30, stdin=TEXT)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in told(result)


# The clipboard


@pytest.fixture
def clipboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is on the clipboard, and a program that reads and writes it."""
    board, folder = tmp_path / "board", tmp_path / "programs"
    folder.mkdir()
    board.write_text(TEXT, encoding="utf-8")
    program = folder / "xclip"
    program.write_text(f'#!/bin/sh\ncase "$*" in *-out) exec cat "{board}";; esac\nexec cat > "{board}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/bin{os.pathsep}/usr/bin")
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return board


def test_the_clipboard_is_read_and_written(clipboard: Path) -> None:
    result = run("revise", "--clipboard", *UNDER_30, *BY_RULES)
    assert (result.exit_code, result.stdout) == (0, ""), result.stderr
    assert 0 < len(clipboard.read_text(encoding="utf-8").split()) < 30


def test_a_clipboard_without_text_is_said(clipboard: Path) -> None:
    for data, message in ((b" ", "copy some first"), (b"\x89PNG\xff", "but something else")):
        clipboard.write_bytes(data)
        result = run("revise", "--clipboard", *UNDER_30)
        assert result.exit_code == 2
        assert message in told(result)
    clipboard.unlink()
    assert "the clipboard cannot be read" in told(run("revise", "--clipboard", *UNDER_30))


# Change by change


@pytest.mark.parametrize(
    ("answers", "text", "status"),
    [
        ("y\ny\n", SHORTER, 0),
        ("a\n", SHORTER, 0),
        ("n\ny\n", f"{FIRST} {SECOND} The council decided to ration coal.\n", 1),
        ("y\nn\n", f"The harbour froze over. {SECOND} {THIRD}\n", 0),
        ("y\nd\n", f"The harbour froze over. {SECOND} {THIRD}\n", 0),
        ("?\nhuh\n\nd\n", TEXT, 1),
        ("y\nq\n", "", 130),
        ("y\n", "", 130),
        ("e\na\n", f"The ice came. {SECOND} The council decided to ration coal.\n", 0),
    ],
)
def test_changes_are_taken_one_by_one(
    draft: Path,
    direct: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    answers: str,
    text: str,
    status: int,
) -> None:
    editor = draft.with_name("editor.py")
    editor.write_text("import sys; open(sys.argv[1], 'w').write('The ice came.\\n')", encoding="utf-8")
    monkeypatch.setenv("VISUAL", f"{sys.executable} {editor}")
    result = run("revise", draft, *direct, "--interactive", stdin=answers)
    assert (result.exit_code, result.stdout) == (status, text), result.stderr
    assert "change 1 of 2 sentence 1" in told(result)


def test_constraints_that_a_choice_breaks_are_named(draft: Path, direct: tuple[str, ...]) -> None:
    result = run("revise", draft, *direct, "--interactive", "--json", "--in-place", stdin="n\nn\n")
    assert result.exit_code == 1
    assert 'now not met: word_count_check(30, "less than")' in told(result)
    found = json.loads(result.stdout)
    assert (found["met"], found["text"], found["changes"]) == (False, TEXT, [])


def test_what_a_person_chose_is_written_though_it_does_not_obey(draft: Path, direct: tuple[str, ...]) -> None:
    assert run("revise", draft, *direct, "--interactive", "--in-place", stdin="n\ny\n").exit_code == 1
    assert draft.read_text(encoding="utf-8").startswith(FIRST)
    assert "and, after some debate" not in draft.read_text(encoding="utf-8")


def test_an_editor_that_fails_changes_nothing(
    draft: Path, direct: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor")
    result = run("revise", draft, *direct, "--interactive", stdin="e\nn\nn\n")
    assert "'no-such-editor' cannot be started" in told(result)
    assert result.stdout == TEXT
