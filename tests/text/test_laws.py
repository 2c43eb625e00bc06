"""Laws that hold for any text at all."""

from itertools import chain, zip_longest

from hypothesis import given, settings, strategies as st

from redraft.text import (
    Document,
    Format,
    RuleFinder,
    align,
    citations,
    diff_words,
    links,
    mask,
    numbers,
    quotations,
)

PIECES = st.sampled_from(
    ["\n", "\n\n", "\r\n", "  ", ". ", "... ", "。", "`", "```\n", "$", "$$", "\\[", "\\]", "\\(",
     "\\begin{equation}", "\\end{equation}", "\\begin{figure}", "{", "}", "[", "]", "(", ")",
     "\\emph{", "\\cite{a}", "\\section{", "%c\n", "~", "\\'e", "\\verb|x|", "# ", "- ", "> ", "1. ",
     "|", "|---|---|\n", "[^1]", "![", "](u)", "<b>", "<!--", "-->", "http://a.b/c.", "[[M1]]", "[[",
     "M1]]", "[[m 2 ]]", "**", "_", "é", "\u2028", "\u2029", "\u2060", "\x1d", "\x1e", "\x85",
     "\ufeff", "\\item ", "\\begin{document}", "\\end{document}", "\\", "---\n", "Hello", "Dr. ",
     "e.g. ", "U.S. ", "&amp;", "[@x]", "“", "”", "3.5", "\xa0", "😀"]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=4), max_size=24).map("".join) | st.text(max_size=80)
FORMATS = st.sampled_from(["text", "markdown", "latex"])
PROSE = st.lists(
    st.sampled_from(
        [
            "The cat sat.",
            "A dog ran home.",
            "The cat sat on a mat.",
            "Who?",
            "A dog ran.",
            "Home again, at last.",
        ]
    ),
    max_size=14,
).map(" ".join)


def joined(document: Document) -> str:
    texts = [sentence.text for sentence in document.sentences]
    return "".join(chain.from_iterable(zip_longest(document.gaps, texts, fillvalue="")))


@settings(max_examples=600)
@given(TEXTS, FORMATS)
def test_no_text_is_lost(text: str, format: Format) -> None:
    document = Document(text, format)
    assert joined(document) == text
    assert len(document.gaps) == len(document.sentences) + 1
    assert [sentence.number for sentence in document.sentences] == list(range(1, len(document.sentences) + 1))
    assert all(text[sentence.start : sentence.end] == sentence.text != "" for sentence in document.sentences)
    assert document.words == sum(document.word_counts)
    assert document.replace({}) == document


@settings(max_examples=200)
@given(TEXTS)
def test_between_plain_sentences_is_only_white_space(text: str) -> None:
    document = Document(text)
    assert all(not gap.removeprefix("\ufeff").strip() for gap in document.gaps)


@settings(max_examples=600)
@given(TEXTS, FORMATS)
def test_masks_come_off(text: str, format: Format) -> None:
    masked = mask(text, format)
    assert masked.restore(masked.text) == text


@settings(max_examples=200)
@given(TEXTS | PROSE, TEXTS | PROSE, FORMATS)
def test_alignment_covers_every_sentence_once(one: str, other: str, format: Format) -> None:
    original, revised = Document(one, format), Document(other, format)
    found = align(original, revised)
    assert sorted(n for link in found for n in link.original) == [s.number for s in original.sentences]
    assert sorted(n for link in found for n in link.revised) == [s.number for s in revised.sentences]


@settings(max_examples=200)
@given(PROSE)
def test_a_text_aligns_with_itself(text: str) -> None:
    assert {link.kind for link in align(Document(text), Document(text))} <= {"kept"}


@settings(max_examples=300)
@given(TEXTS | PROSE, TEXTS | PROSE)
def test_a_diff_turns_one_text_into_the_other(one: str, other: str) -> None:
    edits = diff_words(one, other)
    assert "".join(edit.before for edit in edits) == one
    assert "".join(edit.after for edit in edits) == other
    assert all(one[edit.original.start : edit.original.end] == edit.before for edit in edits)
    assert all(other[edit.revised.start : edit.revised.end] == edit.after for edit in edits)
    assert all((edit.op == "equal") == (edit.before == edit.after) for edit in edits)


@settings(max_examples=200)
@given(TEXTS)
def test_what_is_found_stands_in_the_text(text: str) -> None:
    for find in (numbers, quotations, citations, links):
        assert all(text[found.start : found.end] == found.text for found in find(text))
    assert all(text[entity.start : entity.end] == entity.text for entity in RuleFinder().find(text))
