"""Compiling LaTeX: with a real engine where there is one, and with a small stand-in everywhere."""

from __future__ import annotations

import re
import shutil
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from redraft.errors import InputError
from redraft.revision.search.latex import compile_latex, find_engine, keyword_preservation

PARAGRAPH = r"""As \citet{Lee_2020} and others~\citep[see][ch.~2]{ab:c, d_e} showed in \cref{sec:one}, \ourmethod{} % it
gains $x_1 + \vecnorm{\mathbf{y}}{2}$ \emph{at once}; see \fig{a_map}.
\begin{ourremark}[short]
  It holds for \SI{3}{\metre}.
\end{ourremark}
"""

needs_tex = pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="needs pdflatex: apt-get install texlive-latex-base"
)


def engine(folder: Path, body: str) -> str:
    """A program that takes the place of an engine."""
    file = folder / "fake_engine"
    file.write_text(f"#!{sys.executable}\nimport os, sys, time\n{body}\n", encoding="utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


def test_errors_are_counted_and_told_with_lines_of_the_text(tmp_path: Path) -> None:
    program = engine(
        tmp_path,
        "lines = open('text.tex').read().split('\\n')\n"
        "at = lines.index('bad') + 1\n"
        "print(f'! Undefined control sequence.\\nl.{at} bad \\\\foo\\n\\n! Missing $ inserted.\\nl.{at + 1} x_')\n"
        "sys.exit(1)",
    )
    compiled = compile_latex("good\nbad\nx_1", program)
    assert not compiled.ok
    assert compiled.errors == (
        "line 2: Undefined control sequence. at “bad \\foo”",
        "line 3: Missing $ inserted. at “x_”",
    )


def test_an_engine_that_fails_without_an_error_has_failed(tmp_path: Path) -> None:
    compiled = compile_latex("x", engine(tmp_path, "print('this is odd'); sys.exit(3)"))
    assert compiled.errors == ("fake_engine failed with status 3: this is odd",)
    assert compile_latex("x", engine(tmp_path, "print('fine')")).ok


def test_an_engine_is_held_in_and_given_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    body = (
        "env = os.environ\n"
        "assert (env['openin_any'], env['openout_any'], env['shell_escape']) == ('p', 'p', 'f')\n"
        "assert 'OPENAI_API_KEY' not in env\n"
        "assert '-no-shell-escape' in sys.argv and '-interaction=nonstopmode' in sys.argv\n"
        f"open({str(tmp_path / 'where')!r}, 'w').write(os.getcwd())\n"
        "open('text.pdf', 'w').write('x')"
    )
    assert compile_latex("x", engine(tmp_path, body)).ok
    assert not Path((tmp_path / "where").read_text(encoding="utf-8")).exists()


def test_an_engine_that_does_not_end_is_ended(tmp_path: Path) -> None:
    body = f"time.sleep(600)\nopen({str(tmp_path / 'ended')!r}, 'w')"
    compiled = compile_latex("x", engine(tmp_path, body), timeout=1)
    assert compiled.errors == ("it did not compile within 1 s",)
    assert not (tmp_path / "ended").exists()


def test_a_missing_engine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no-such-tex is not installed"):
        find_engine("no-such-tex")
    with pytest.raises(InputError, match="runs programs that stand in a text"):
        find_engine("/usr/bin/lualatex")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(InputError, match="no TeX engine is installed"):
        compile_latex("x")


@needs_tex
def test_a_paragraph_of_a_paper_compiles() -> None:
    assert compile_latex(PARAGRAPH).errors == ()
    assert compile_latex("\\item One.\n\\item Two.").ok
    assert compile_latex("\\newcommand{\\own}[1]{#1}\\own{x} 100\\% % \\foo{").ok


@needs_tex
@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("\\emph{at once}", "\\emph{at once", "File ended|Missing }|ended by"),
        ("$x_1", "x_1", "Missing \\$"),
        ("\\end{ourremark}", "", "ended by"),
        ("\\cref{", "\\creff{", "Undefined control sequence.*creff"),
        ("gains", "gains 5 & 6", "Misplaced alignment"),
    ],
)
def test_what_a_revision_breaks_is_found(old: str, new: str, says: str) -> None:
    broken = compile_latex(PARAGRAPH.replace(old, new), original=PARAGRAPH)
    assert not broken.ok
    assert any(re.search(says, error) for error in broken.errors)


@needs_tex
def test_a_whole_document_is_compiled_as_it_is(tmp_path: Path) -> None:
    document = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
    assert compile_latex(document % "Fine.").ok
    assert compile_latex(document % "\\citpe{x}").errors == (
        "line 3: Undefined control sequence. at “\\citpe”",
    )
    (tmp_path / "part.tex").write_text("A part.", encoding="utf-8")
    assert not compile_latex(document % "\\input{part}").ok
    assert compile_latex(document % "\\input{part}", beside=tmp_path).ok


@needs_tex
def test_a_text_can_neither_run_nor_read_nor_write_elsewhere(tmp_path: Path) -> None:
    mark, secret = tmp_path / "mark", tmp_path / "secret.tex"
    secret.write_text("\\undefinedsecret", encoding="utf-8")
    compile_latex(f"\\immediate\\write18{{touch {mark}}}")
    compile_latex(f"\\newwrite\\out\\immediate\\openout\\out={mark}\\immediate\\write\\out{{x}}")
    assert not mark.exists()
    read = compile_latex(f"\\input{{{secret}}}")
    assert not any("undefinedsecret" in error for error in read.errors)
    assert not compile_latex("\\def\\x{\\x}\\x", timeout=1).ok


def test_keywords_are_counted_one_by_one() -> None:
    before = r"See \citep{a}, \citep{b} and $x$ in \emph{all} cases."
    assert keyword_preservation(before, before) == 1.0
    assert keyword_preservation(before, r"In \emph{all} cases $x$: \citep{b}; \citep{a}.") == 1.0
    assert keyword_preservation(before, r"See \citep{a} and $x$ in \emph{all} cases.") == pytest.approx(4 / 5)
    assert keyword_preservation(before, "See all cases.") == 0.0
    assert keyword_preservation("No mark-up.", "None.") == 1.0
    assert keyword_preservation("Some `code` here", "Some `code`", "markdown") == 1.0


@given(
    st.lists(st.sampled_from([r"\cite{a}", "$x$", r"\ref{b_1}", "word", r"\emph{c}", "% note\n"]), max_size=8)
)
def test_the_share_is_of_the_original(parts: list[str]) -> None:
    text = " ".join(parts)
    assert keyword_preservation(text, text) == 1.0
    assert 0.0 <= keyword_preservation(text, r"\cite{a} and $x$") <= 1.0
