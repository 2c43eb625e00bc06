"""What must not be touched is masked, and comes back exactly."""

import pytest

from redraft.errors import InputError, MaskError
from redraft.text import Document, mask

MARKDOWN = """---
title: x
---
# Heading *one*

Text with `code. Here` and [a link](http://x.y/z "t"), ![img](a.png), <b>bold</b>[^1],
https://a.b/c and $x. Y$.

```py
code. Here
```

| a | b |
|---|---|
| 1 | 2 |

[^1]: The note.
"""
LATEX = r"""\documentclass{article}
\begin{document}
\section{Intro \emph{here}}\label{sec:i}
As G\"odel~\cite{a,b} and Fig.~\ref{fig:x} show, \emph{this} is 50\% of $x. Y$. It is % a comment. Here
good, see
\begin{equation} E = mc^2. \end{equation}
\begin{itemize}
\item One
\end{itemize}
\begin{figure} \caption{x} \end{figure}
\end{document}
"""


@pytest.mark.parametrize(
    ("format", "text", "hidden", "shown"),
    [
        ("markdown", MARKDOWN,
         ["title", "code", "http", "a.png", "<b>", "[^1]", "$", "|"],
         ["Heading", "a link", "bold", "The note."]),
        ("latex", LATEX,
         ["\\", "$", "equation", "fig:x", "odel", "comment", "mc^2"], ["Intro", "here", "this", "One"]),
    ],
)  # fmt: skip
def test_hides_mark_up_and_shows_prose(format: str, text: str, hidden: list[str], shown: list[str]) -> None:
    masked = mask(text, format)  # type: ignore[arg-type]
    assert [piece for piece in hidden if piece in masked.text] == []
    assert [piece for piece in shown if piece not in masked.text] == []
    assert masked.restore(masked.text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("- a\n\n```\nx\n```\n\n    code\n", "- a\n\n[[M1]]\n\n[[M2]]\n"),
        ("- a\n\n> b\n\n    code\n", "- a\n\n> b\n\n[[M1]]\n"),
        ("- a\n> b\n\n    code\n", "- a\n> b\n\n[[M1]]\n"),
        ("- a\n\n| b | c |\n|---|---|\n\n    code\n", "- a\n\n[[M1]]\n\n[[M2]]\n"),
        ("- a\n# H\n\n    code\n", "- a\n# H\n\n[[M1]]\n"),
        ("> a\n\n    code\n", "> a\n\n[[M1]]\n"),
        ("- a\n\n    more\n\n      code\n", "- a\n\n    more\n\n[[M1]]\n"),
        ("1. a\n\n   more\n\n       code\n       code\n", "1. a\n\n   more\n\n[[M1]]\n[[M2]]\n"),
        ("- a\n    - b\n\n      more\n\n  less\n", "- a\n    - b\n\n      more\n\n  less\n"),
        ("- [ ] a\n\n    more\n", "- [ ] a\n\n    more\n"),
        ("-\ta\n\n\tmore\n", "-\ta\n\n\tmore\n"),
        ("> - a\n\n    code\n", "> - a\n\n[[M1]]\n"),
        ("- > a\n\n    more\n", "- > a\n\n    more\n"),
        ("<pre>\nA. B.\n\nC.\n</pre>\nText.", "[[M1]]\nText."),
        ("<SCRIPT src='a'>\nvar a;\n</SCRIPT>\nText.", "[[M1]]\nText."),
        ("See <pre>a. B</pre> here.", "See [[M1]] here."),
        (r"If \(x^2\) and \(y\), then \[z = 1\] holds.", "If [[M1]] and [[M2]], then [[M3]] holds."),
        (r"He \[sic\] came \(he said\).", r"He \[sic\] came \(he said\)."),
    ],
)
def test_what_is_masked_in_markdown(text: str, shown: str) -> None:
    masked = mask(text, "markdown")
    assert masked.text == shown
    assert masked.restore(masked.text) == text


def test_a_rewrite_keeps_the_pieces() -> None:
    masked = mask("See `f(x)` and [this page](http://a.b).", "markdown")
    first, second, third = (masked.placeholder(number) for number in (1, 2, 3))
    assert masked.restore(f"{second}That site{third} and {first}!") == "[That site](http://a.b) and `f(x)`!"


def test_harmless_damage_is_forgiven() -> None:
    masked = mask("Use `x` now.", "markdown")
    assert masked.text == "Use [[M1]] now."
    assert masked.restore("Now use [[ m1 ]].") == "Now use `x`."
    assert masked.restore("Now use [ [M 1] ].") == "Now use `x`."


def test_damage_is_named() -> None:
    masked = mask("Use `x` and `y` now.", "markdown")
    with pytest.raises(MaskError, match=r"lost: \[\[M2\]\]") as caught:
        masked.restore("Use [[M1]].")
    assert caught.value.lost == ("[[M2]]",)
    with pytest.raises(MaskError, match=r"doubled: \[\[M1\]\]") as caught:
        masked.restore("Use [[M1]] [[M1]] [[M2]].")
    assert caught.value.doubled == ("[[M1]]",)
    with pytest.raises(MaskError, match=r"unknown: \[\[M9\]\]"):
        masked.restore("Use [[M1]] [[M2]] [[M9]].")
    assert masked.tried("Use [[M1]].") is None
    assert masked.tried("Now use [[M2]] and [[M1]].") == "Now use `y` and `x`."


@pytest.mark.parametrize(
    ("text", "format", "rewritten", "wanted"),
    [
        (r"\textbf{Bold} text.", "latex", "[[M2]]Bold[[M1]] text.", None),
        (r"\textbf{Bold} text.", "latex", "A [[M1]]text[[M2]].", r"A \textbf{text}."),
        (r"\textbf{A} or \emph{B}", "latex", "[[M3]]B[[M4]] or [[M1]]A[[M2]]", r"\emph{B} or \textbf{A}"),
        (r"\textbf{A} or \emph{B}", "latex", "[[M1]]A [[M3]]or[[M2]] B[[M4]]", None),
        (r"\textbf{A}\emph{B}", "latex", "[[M1]]A[[M3]]B[[M2]]", None),
        (r"\textbf{\emph{A}} B", "latex", "B [[M1]]A[[M2]]", r"B \textbf{\emph{A}}"),
        ("[one](u) and [two](v)", "markdown", "[[M1]]one [[M3]]and[[M2]] two[[M4]]", None),
        ("[one](u) and [two](v)", "markdown", "[[M3]]2[[M4]], [[M1]]1[[M2]]", "[2](v), [1](u)"),
        ("<b>one</b><br> two", "markdown", "[[M2]]one[[M1]] two", None),
        ("<b>one</b> <br> two", "markdown", "[[M3]] [[M1]]two[[M2]]", "<br> <b>two</b>"),
    ],
)
def test_the_halves_of_a_pair_stay_in_order(
    text: str, format: str, rewritten: str, wanted: str | None
) -> None:
    masked = mask(text, format)  # type: ignore[arg-type]
    if wanted is None:
        with pytest.raises(MaskError, match="crossed: "):
            masked.restore(rewritten)
    else:
        assert masked.restore(rewritten) == wanted


def test_the_writers_own_brackets_are_no_placeholder() -> None:
    text = "The mark [[M1]] and [[ k 7 ]] are mine, `code` is not."
    masked = mask(text, "markdown")
    assert masked.tag not in {"M", "K"}
    assert masked.restore(masked.text) == text


def test_an_unknown_format_is_named() -> None:
    told = "'foo' is no format: it is one of text, markdown, latex"
    with pytest.raises(InputError, match=told):
        Document("a", "foo")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=told):
        mask("a", "foo")  # type: ignore[arg-type]


def test_plain_text_is_not_masked() -> None:
    assert mask("A `plain` text with $5.", "text").pieces == ()


@pytest.mark.parametrize(
    ("text", "format", "wanted"),
    [
        ("It is `a. B`. Next one.", "markdown", ["It is `a. B`.", "Next one."]),
        ("**Bold.** Next.", "markdown", ["**Bold.**", "Next."]),
        ("# Title\nText here. More.", "markdown", ["Title", "Text here.", "More."]),
        ("Title\n=====\nText.", "markdown", ["Title", "Text."]),
        ("- one\n- two. Three.\n  1. four", "markdown", ["one", "two.", "Three.", "four"]),
        ("> quoted text\n> goes on. End.", "markdown", ["quoted text\n> goes on.", "End."]),
        ("A line\nBreaks Here and goes on.", "markdown", ["A line\nBreaks Here and goes on."]),
        ("See <https://a.b/c.d>. Next.", "markdown", ["See <https://a.b/c.d>.", "Next."]),
        ("![an image](a.png)\n\n<div>\nHello there. Bye.\n</div>\n", "markdown", ["Hello there.", "Bye."]),
        ("---\n\nHello there. How?\n\n---\n\nBye.", "markdown", ["Hello there.", "How?", "Bye."]),
        ("---\nHello there.\n\n---\nBye.", "markdown", ["Hello there.", "Bye."]),
        ("---\ntitle: A. B.\n\nx: 1\n---\nBye.", "markdown", ["Bye."]),
        ("---\n# A. B.\nx:\n- c\n---\nBye.", "markdown", ["Bye."]),
        ("+++\ntitle = 'A. B.'\n+++\nBye.", "markdown", ["Bye."]),
        ("We pay $5. Then $6 more.", "markdown", ["We pay $5.", "Then $6 more."]),
        ("If $a. B$ then. So.", "latex", ["If $a. B$ then.", "So."]),
        ("We have\n\\[ x = 1. \\]\nThen more.", "latex", ["We have\n\\[ x = 1. \\]", "Then more."]),
        (
            "We have\n\\[ x = 1 \\]\nwhere x is. More.",
            "latex",
            ["We have\n\\[ x = 1 \\]\nwhere x is.", "More."],
        ),
        ("See Fig.~\\ref{a}. Then.", "latex", ["See Fig.~\\ref{a}.", "Then."]),
        ("Smith et al.~\\cite{a} agree. So.", "latex", ["Smith et al.~\\cite{a} agree.", "So."]),
        ("\\section{One}\nText.", "latex", ["One", "Text."]),
        ("\\begin{itemize}\n\\item a\n\\item b\n\\end{itemize}", "latex", ["a", "b"]),
        ("Yes.\\footnote{A. B.} No.", "latex", ["Yes.\\footnote{A. B.}", "No."]),
        ("Text % c. D\nmore.", "latex", ["Text % c. D\nmore."]),
        ("An open { brace. And \\emph{more", "latex", ["An open { brace.", "And \\emph{more"]),
    ],
)
def test_sentences_of_marked_up_text(text: str, format: str, wanted: list[str]) -> None:
    assert [sentence.text for sentence in Document(text, format).sentences] == wanted  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "broken",
    [
        "\\",
        "\\begin{",
        "\\begin{equation} x",
        "$x",
        "$$",
        "{{{",
        "}}}",
        "\\emph{",
        "\\verb|x",
        "%",
        "\\cite[",
        "\\[",
        "\\end{x}",
        "\\begin{document}",
    ],
)
def test_broken_latex_is_survived(broken: str) -> None:
    text = f"Before {broken} after."
    masked = mask(text, "latex")
    assert masked.restore(masked.text) == text


@pytest.mark.parametrize(
    "unit",
    [
        "`",
        "` x",
        "[",
        "](",
        "[](",
        "<a ",
        "<!--",
        "*",
        "$ x ",
        "> a\n",
        "|\n",
        " ",
        "\\emph{",
        "\\[",
        "{}",
        "\\begin{figure}",
        "\\item[",
        "\\'a",
        "%",
        "~~~\n",
        "\\(",
        "\\( a",
        "<pre>",
        "a <pre>",
        "- a\n\n",
        " - a\n",
    ],
)
@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_masking_takes_linear_time(unit: str, format: str) -> None:
    text = unit * (60_000 // len(unit))
    masked = mask(text, format)  # type: ignore[arg-type]
    assert masked.restore(masked.text) == text


def test_an_equation_stands_on_lines_of_its_own_again() -> None:
    text = "It is given by\n  \\begin{equation}\n  x\n  \\end{equation}\nwhere $x$ is known."
    hidden = mask(text, "latex")
    rewritten = " ".join(hidden.text.split())
    assert hidden.restore(rewritten) == text
    assert hidden.restore(rewritten.replace("It is", "This is")) == text.replace("It is", "This is")
