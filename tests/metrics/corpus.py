"""A small corpus of edits, and predictions of every kind for it."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from redraft.metrics import Sample

SOURCES = [
    'He go to school yesterday , and he see "a big dog" .',
    "The committee, which met on Monday, utilised 1,250.50 dollars of its 2-year budget.",
    "I can't believe that they didn't know it's Tom's car.",
    "In 1995 Dr. Smith moved to the U.S. He lived there (in Ohio) for ten years.",
    "Their are many reason for this; some of them is good...",
    "She likes tea & coffee, but not 'green' tea -- she says.",
    "New and new technology has been introduced to the society.",
    "What is more important? The result, of course!",
]
REFERENCES = [
    (
        "He went to school yesterday, and he saw a big dog.",
        'Yesterday he went to school and saw "a big dog".',
    ),
    (
        "The committee, which met on Monday, used $1,250.50.",
        "The committee met on Monday. It used 1,250.50 dollars.",
    ),
    (
        "I can't believe they didn't know it's Tom's car.",
        "I cannot believe that they did not know it is Tom's car.",
    ),
    (
        "In 1995, Dr. Smith moved to the U.S. and lived in Ohio.",
        "Dr. Smith moved to the U.S. in 1995. He lived in Ohio.",
    ),
    (
        "There are many reasons for this; some of them are good.",
        "There are many reasons for this. Some are good.",
    ),
    (
        "She likes tea and coffee, but not green tea, she says.",
        "She says she likes tea & coffee but no 'green' tea.",
    ),
    (
        "New technology has been introduced to society.",
        "Newer and newer technology has been introduced to society.",
    ),
    ("What is more important? The result, of course.", "The result, of course, is more important!"),
]


def _damaged(text: str, seed: int) -> str:
    words = text.split()
    random.Random(seed).shuffle(words)
    return " ".join(words[: seed % 7 + 1] * (seed % 3 + 1))


KINDS = {
    "copy": list(SOURCES),
    "first reference": [texts[0] for texts in REFERENCES],
    "references mixed": [texts[at % 2] for at, texts in enumerate(REFERENCES)],
    "another's reference": [texts[0] for texts in REFERENCES[1:] + REFERENCES[:1]],
    "cut short": [source[: len(source) // 2] for source in SOURCES],
    "reordered": [_damaged(source, seed) for seed, source in enumerate(SOURCES)],
    "empty": ["" for _ in SOURCES],
    "some empty": [source if at % 2 else "" for at, source in enumerate(SOURCES)],
    "one word": ["the" for _ in SOURCES],
    "repeated": [f"{source} {source} {source}" for source in SOURCES],
    "upper case": [source.upper() for source in SOURCES],
}


def samples(kind: str, times: int = 1) -> list[Sample]:
    return [Sample(*row) for row in zip(SOURCES, KINDS[kind], REFERENCES, strict=True)] * times


PIECES = [
    "the",
    "The",
    "cat",
    "cats'",
    "can't",
    "cannot",
    "U.S.",
    "3,000",
    "1990-95",
    "a.b",
    "...",
    "--",
    "&amp;",
    "&",
]
PIECES += [
    '"',
    "''",
    "'",
    "``",
    "(",
    ")",
    ",",
    ".",
    "!",
    "?",
    ":",
    "“quoted”",
    "it's",
    "wanna",
    "x",
    "<skipped>",
    "$5",
]
words = st.lists(st.sampled_from(PIECES), max_size=12)
sentences = st.builds(
    lambda found, glue: glue.join(found), words, st.sampled_from([" ", " ", "", "  ", "\n"])
)
free_texts = st.text(st.sampled_from("abAB 01.,'\"`()-!?&<>;:$%\n“”é—"), max_size=40)
texts = sentences | free_texts
edit_samples = st.builds(Sample, texts, texts, st.lists(texts, min_size=2, max_size=2).map(tuple))
