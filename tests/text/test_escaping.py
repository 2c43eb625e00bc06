"""Text stays text, wherever something else would be made of it."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from markdown_it import MarkdownIt

from redraft.text.escaping import escape_formula, markdown_code, markdown_text, unescape_formula

HOSTILE = [
    "a | b", "[x](http://x)", "<script>alert(1)</script>", "`code`", "*a* _b_ ~~c~~", "# head", "- item", "+ item",
    "1. item", "2) item", "===", "---", "&lt;", "\\", "line\n\n# head", "\x1b[2J", "![x](y)", "> quoted",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_is_made_of_a_line_in_markdown(text: str) -> None:
    reader = MarkdownIt("gfm-like", {"linkify": False})
    (opening, inline, closing) = reader.parse(markdown_text(text))
    assert (opening.type, closing.type) == ("paragraph_open", "paragraph_close")
    said = "".join(child.content for child in inline.children or ())
    assert {child.type for child in inline.children or ()} <= {"text", "text_special"}
    assert said == " ".join(text.replace("\x1b", "\ufffd").split())


def test_nothing_ends_a_block_of_code() -> None:
    (block,) = MarkdownIt().parse(markdown_code("redraft x '```\n# head\n</code>'"))
    assert (block.type, block.content) == ("code_block", "redraft x '```\n# head\n</code>'\n")


@pytest.mark.parametrize("mark", "=+-@\t\r\n＝＋－＠")
def test_no_cell_is_a_formula(mark: str) -> None:
    assert escape_formula(f"{mark}1+1") == f"'{mark}1+1"
    assert escape_formula(f"'{mark}1+1") == f"''{mark}1+1"
    assert escape_formula(f"a{mark}b") == f"a{mark}b"


@given(st.text())
def test_a_cell_comes_back_as_it_was(text: str) -> None:
    assert unescape_formula(escape_formula(text)) == text
