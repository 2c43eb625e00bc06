"""Words as a reader counts them."""

import pytest

from redraft.text import Document, count_words, reading_grade, syllables, words


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("state-of-the-art", 1),
        ("word—word", 2),
        ("word--word", 2),
        ("word – word", 2),
        ("don't", 1),
        ("don’t", 1),
        ("3.5", 1),
        ("1,000", 1),
        ("10:30", 1),
        ("1990–2000", 1),
        ("—", 0),
        ("&", 0),
        ("AT&T", 1),
        ("R & D", 2),
        ("and/or", 1),
        ("one,two", 2),
        ("C++ and C#", 3),
        ("50%", 1),
        ("$5", 1),
        ("jane.doe@example.com", 1),
        ("https://example.com/a?b=c&d=e", 1),
        ("你好世界", 4),
        ("これはペン", 5),
        ("한국어 단어", 2),
        ("😀 👍🏽", 0),
        ("हिन्दी भाषा", 2),
        ("cafe\u0301", 1),
        ("naïve café", 2),
        ("snake_case", 1),
        ("U.S. e.g. Ph.D.", 3),
        ("* * *", 0),
        ("rock ’n’ roll", 3),
    ],
)
def test_counts(text: str, count: int) -> None:
    assert count_words(text) == count
    assert len(words(text)) == count


def test_spans_cover_the_words() -> None:
    text = "Don't stop—go, “now”."
    assert [text[span.start : span.end] for span in words(text)] == ["Don't", "stop", "go", "now"]


@pytest.mark.parametrize(
    ("text", "format", "count"),
    [
        ("See [the page](https://example.org/a/b) now.", "markdown", 4),
        ("Use `x = y + z` here.", "markdown", 3),
        ("# Title\n\nText.", "markdown", 2),
        ("---\ntitle: a b c\n---\nOne two.", "markdown", 2),
        ("- one\n- two", "markdown", 2),
        ("1. one\n2. two", "markdown", 2),
        ("un**believ**able", "markdown", 1),
        ("![an image](a.png) Text.", "markdown", 1),
        ("Note[^1] this.\n\n[^1]: A note.", "markdown", 4),
        ("As $x + y$ and \\cite{a,b} show.", "latex", 5),
        ("\\emph{Two words} here.", "latex", 3),
        ("Text.\\footnote{Not counted at all.}", "latex", 1),
        ('G\\"odel and Erd\\H{o}s met.', "latex", 4),
        ("One % two three\nfour.", "latex", 2),
        ("\\section{Big Title}\nText.", "latex", 3),
        ("Our \\method{} is \\textbf{good}.", "latex", 4),
        ("50\\% of it", "latex", 3),
        ("See \\fig{map} and \\mymap{fig:other_map}.", "latex", 4),
    ],
)
def test_mark_up_counts_what_a_reader_sees(text: str, format: str, count: int) -> None:
    document = Document(text, format)  # type: ignore[arg-type]
    assert document.words == count
    assert sum(document.word_counts) == count


@pytest.mark.parametrize(
    ("word", "count"),
    [
        ("cat", 1), ("table", 2), ("walked", 1), ("wanted", 2), ("houses", 2),
        ("simplified", 3), ("education", 4), ("responsibility", 6), ("area", 3), ("science", 2),
        ("rhythm", 2), ("capitalism", 5), ("technique", 2), ("settled", 2), ("trying", 2),
        ("create", 2), ("the", 1), ("state-of-the-art", 4), ("don't", 1), ("1984", 6),
    ],
)  # fmt: skip
def test_syllables(word: str, count: int) -> None:
    assert syllables(word) == count


def test_reading_grade() -> None:
    simple = reading_grade(Document("The cat sat on the mat."))
    hard = reading_grade(Document("Institutional responsibility necessitates comprehensive documentation."))
    assert simple == pytest.approx(0.39 * 6 + 11.8 * 1 - 15.59)
    assert hard > 20
    assert reading_grade(Document("")) == 0.0
