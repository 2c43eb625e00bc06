"""What an editor shows and mends: one server, one conversation for each text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.editor import Editor

HOUSE = """
[house]
spelling = "british"
constraints = ["No contractions.", "At most 12 words.", "Use the serial comma.", "No exclamation marks."]
[house.terms]
use = ["utilise"]
"""
NOWHERE = types.Range(types.Position(0, 0), types.Position(0, 0))


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("project")
    (folder / "redraft.toml").write_text(HOUSE, encoding="utf-8")
    with Editor(folder) as started:
        yield started


def places(diagnostics: list[types.Diagnostic]) -> list[tuple[str, int, int, int]]:
    return [
        (str(one.code), one.range.start.line, one.range.start.character, one.range.end.character)
        for one in diagnostics
    ]


def test_what_departs_from_the_house_style_is_shown_and_mended(editor: Editor) -> None:
    (found,) = editor.open("a.md", "# Plan\n\n😀 The color is red.\n")
    assert places([found]) == [("spelling_check", 2, 7, 12)]
    assert (found.message, found.source) == ("“color” should be “colour”", "redraft")
    fix, everything = editor.actions("a.md", found.range)
    assert (fix.title, fix.kind) == ("Write “colour”", "quickfix")
    assert everything.kind == "source.fixAll.redraft"
    mended = editor.applied("a.md", fix)
    assert mended == "# Plan\n\n😀 The colour is red.\n"
    assert editor.change("a.md", mended) == []


def test_only_the_last_of_several_changes_is_looked_at(editor: Editor) -> None:
    editor.open("b.md", "All is well.")
    found = editor.change("b.md", "A color.", "A colour.", "We utilise it.")
    assert places(found) == [("replacement_check", 0, 3, 10)]


def test_all_is_fixed_at_once(editor: Editor) -> None:
    text = "We utilise a color, a line and a form.\nIt isn't gray!\n"
    found = editor.open("c.txt", text, "plaintext")
    assert [code for code, *_ in places(found)] == [
        "replacement_check", "spelling_check", "serial_comma_check", "contractions_check", "spelling_check",
        "punctuation_check",
    ]  # fmt: skip
    (action,) = editor.actions("c.txt", NOWHERE, ["source.fixAll"])
    assert action.title == "Fix all of house style"
    assert editor.applied("c.txt", action) == "We use a colour, a line, and a form.\nIt is not grey!\n"


def test_what_has_no_exact_repair_is_shown_and_no_fix_is_offered(editor: Editor) -> None:
    found = editor.open("d.md", "Go now!\n" + "word " * 12)
    assert places(found) == [("word_count_check", 0, 0, 7), ("punctuation_check", 0, 6, 7)]
    assert editor.actions("d.md", found[1].range) == []


def test_hovers_say_what_is_asked_for_and_what_was_measured(editor: Editor) -> None:
    editor.open("e.md", "The color, the color.")
    said = editor.hover("e.md", 0, 5)
    assert said is not None
    assert "British" in said
    assert "“color” should be “colour”" in said
    assert editor.hover("e.md", 0, 10) is None
    assert editor.hover("e.md", 9, 9) is None


def test_windows_line_ends_and_other_separators_do_not_move_places(editor: Editor) -> None:
    found = editor.open("f.txt", "One\u2028two.\r\nThe color.\r\n", "plaintext")
    assert places(found) == [("spelling_check", 1, 4, 9)]


def test_code_is_not_looked_at(editor: Editor) -> None:
    assert editor.open("g.py", "# The color\n", "python") == []
    assert editor.actions("g.py", NOWHERE) == []


def test_a_closed_text_shows_nothing(editor: Editor) -> None:
    assert editor.open("h.md", "The color.")
    editor.close("h.md")
    assert editor.shown("h.md") == []


def test_another_house_style_is_taken_up_when_it_is_saved(editor: Editor, tmp_path: Path) -> None:
    folder = Path(editor.uri("own").removeprefix("file://"))
    folder.mkdir()
    (folder / ".git").mkdir()
    assert editor.open("own/a.md", "The color.") == []  # the house style of another project is not this one's
    (folder / "redraft.toml").write_text('[house]\nspelling = "american"\n', encoding="utf-8")
    editor.save("own/redraft.toml")
    assert editor.shown("own/a.md") == []
    (editor_found,) = editor.change("own/a.md", "The colour.")
    assert editor_found.message == "“colour” should be “color”"
    (folder / "redraft.toml").write_text('[house]\nspeling = "british"\n', encoding="utf-8")
    assert editor.change("own/a.md", "The colour!") == []
    assert any("there is no house.speling" in said for said in editor.messages)


def test_the_server_says_what_it_can_do(editor: Editor) -> None:
    found = editor.capabilities
    assert found.hover_provider
    assert isinstance(found.code_action_provider, types.CodeActionOptions)
    assert found.position_encoding == "utf-16"
