"""The named parts of a text are found in plain text, Markdown and LaTeX."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.text import (
    Document,
    Format,
    Span,
    find_code,
    find_equations,
    find_greeting,
    find_headings,
    find_items,
    find_quotations,
    find_section,
    find_signature,
    find_title,
    prose_paragraphs,
)

MARKDOWN = """# The Tool

It is `small`. We say "it works" here.

## 1. Methods used

Run this:

```
# no heading
```

- one. And more
  of it
- two

Last
====

Let $x$ be 2.
"""
LATEX = r"""\documentclass{article}
\title{A Study}
\begin{document}
\begin{abstract}
It is short.
\end{abstract}
\section{Introduction}
Energy is given by
\begin{equation}
E = mc^2
\end{equation}
where $m$ is known. Use \verb|x|.
\begin{itemize}
\item One.
\item Two.
\end{itemize}
\subsection{Aims}
We aim.
\section{Conclusions}
We end.
\end{document}
"""
PLAIN = "The Title\n\nOne is here. Two is here.\n\n- a point\n- another\n\n2. Methods\n\nThree is here.\n"


def shown(document: Document, spans: tuple[Span, ...]) -> list[str]:
    return [" ".join(document.text[span.start : span.end].split()) for span in spans]


def test_markdown() -> None:
    document = Document(MARKDOWN, "markdown")
    assert [(one.name, one.level) for one in find_headings(document)] == [
        ("the tool", 1),
        ("methods used", 2),
        ("last", 1),
    ]
    assert shown(document, find_title(document)) == ["The Tool"]
    assert shown(document, find_items(document)) == ["- one. And more of it", "- two"]
    assert shown(document, find_code(document)) == ["`small`", "``` # no heading ```"]
    assert shown(document, find_equations(document)) == ["$x$"]
    assert shown(document, find_quotations(document)) == ['"it works"']
    assert shown(document, find_section(document, "methods"))[0].startswith("Run this:")
    assert shown(document, find_section(document, "Last")) == ["Let $x$ be 2."]
    assert shown(document, prose_paragraphs(document))[1] == "Run this:"


def test_latex() -> None:
    document = Document(LATEX, "latex")
    assert [(one.name, one.level) for one in find_headings(document)] == [
        ("introduction", 3),
        ("aims", 4),
        ("conclusions", 3),
    ]
    assert shown(document, find_title(document)) == ["A Study"]
    assert shown(document, find_equations(document)) == [r"\begin{equation} E = mc^2 \end{equation}", "$m$"]
    assert shown(document, find_code(document)) == [r"\verb|x|"]
    assert shown(document, find_items(document)) == [r"\item One. \item Two."]
    assert shown(document, find_section(document, "conclusion")) == ["We end."]
    assert shown(document, find_section(document, "introduction"))[0].endswith("We aim.")
    assert shown(document, find_section(document, "Abstract")) == ["It is short."]


def test_plain_text() -> None:
    document = Document(PLAIN)
    assert [one.name for one in find_headings(document)] == ["the title", "methods"]
    assert shown(document, find_title(document)) == ["The Title"]
    assert shown(document, find_items(document)) == ["- a point", "- another"]
    assert shown(document, prose_paragraphs(document))[0] == "One is here. Two is here."
    assert find_section(document, "results") == ()


def test_a_letter() -> None:
    document = Document("Dear Ann,\n\nOne is here.\n\nBest,\nBob")
    assert shown(document, find_greeting(document)) == ["Dear Ann,"]
    assert shown(document, find_signature(document)) == ["Best, Bob"]
    assert shown(document, prose_paragraphs(document)) == ["One is here."]
    joined = Document("Hi team,\nthe build is broken.")
    assert shown(joined, find_greeting(joined)) == ["Hi team,"]


@pytest.mark.parametrize("format", ["text", "markdown", "latex"])
@given(text=st.text("# -*ab.\n`$\\{}12|=A", max_size=120))
def test_any_text_has_parts_in_order(format: Format, text: str) -> None:
    document = Document(text, format)
    spans = [find_items(document), find_code(document), find_equations(document), prose_paragraphs(document)]
    for found in spans:
        assert list(found) == sorted(found, key=lambda span: span.start)
        assert all(0 <= span.start < span.end <= len(text) for span in found)
    find_section(document, "a")
    find_title(document)
