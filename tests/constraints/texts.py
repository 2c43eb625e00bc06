"""Small random texts and constraints that often interact."""

from __future__ import annotations

from hypothesis import strategies as st

from redraft.constraints import Constraint
from redraft.constraints.kinds import (
    CharacterCount,
    Commands,
    Contractions,
    EndsWith,
    HeadingCase,
    Keyword,
    KeywordFrequency,
    ListForm,
    NarrativeTense,
    Numbers,
    Openings,
    ParagraphCount,
    PartLength,
    Parts,
    PassiveVoice,
    Pattern,
    PersonUse,
    Preserve,
    Punctuation,
    ReadingEase,
    ReadingGrade,
    RelativeLength,
    SentenceCount,
    SentenceEdit,
    SentenceLength,
    SentenceModification,
    SentenceStarts,
    SerialComma,
    Spelling,
    StartsWith,
    UniqueSentences,
    WordCount,
)

FORMULAS = ["gunning fog", "smog", "coleman-liau", "ari", "dale-chall"]
WORDS = [
    "the",
    "The",
    "cat",
    "Cat",
    "art",
    "art-cat",
    "mart",
    "12",
    "1,000",
    "sat",
    "on",
    "Paris",
    "a",
    "e.g.",
    "東京",
    "(cat)",
    "sat;",
    "don't",
    "it is",
    "was sold",
    "we",
    "I",
    "two",
    "3",
]
MARKS = [".", "!", "?", "?!", "...", ".”", "。", ""]

sentences = st.builds(
    lambda words, mark: " ".join(words) + mark,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6),
    st.sampled_from(MARKS),
)
gaps = st.sampled_from([" ", "  ", "\n", "\n\n"])
texts = st.lists(st.tuples(sentences, gaps), min_size=1, max_size=6).map(
    lambda parts: "".join(sentence + gap for sentence, gap in parts).strip()
)

relations = st.sampled_from(["less than", "more than", "equal"])
counts = st.integers(0, 14)
keywords = st.sampled_from(["cat", "Cat", "art", "the cat", "12", "Paris", "mart", "sat on", "a", "東", "."])

constraints: st.SearchStrategy[Constraint] = st.one_of(
    st.builds(WordCount, st.integers(0, 30), relations),
    st.builds(SentenceCount, counts, relations),
    st.builds(SentenceLength, counts, relations),
    st.builds(CharacterCount, st.integers(0, 80), relations),
    st.builds(ParagraphCount, st.integers(0, 4), relations),
    st.builds(SentenceModification, st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple), st.sampled_from(["change", "unchange"])),
    st.builds(Keyword, keywords, st.sampled_from(["keep", "remove"])),
    st.builds(KeywordFrequency, keywords, st.integers(0, 4), relations),
    st.builds(ReadingGrade, st.integers(-3, 12).map(float), st.sampled_from(["at most", "at least"])),
    st.builds(StartsWith, st.sampled_from(["the", "the cat", "Cat", "art"])),
    st.builds(EndsWith, st.sampled_from(["sat", "cat.", "the cat", "art"])),
    st.builds(Pattern, st.sampled_from([r"c[ao]t", r"\d+", "a{2}"]), st.sampled_from(["require", "forbid"])),
    st.builds(Preserve, st.sampled_from(["numbers", "quotations", "entities", "citations", "links"])),
    st.just(UniqueSentences()),
    st.builds(PassiveVoice, st.integers(0, 3), relations),
    st.builds(PersonUse, st.sampled_from(["first", "first singular", "second"]), st.sampled_from(["none", "use"])),
    st.builds(NarrativeTense, st.sampled_from(["past", "present"])),
    st.builds(Commands),
    st.builds(ListForm, st.sampled_from(["numbered", "bulleted"]), st.sampled_from(["any", "one action", "enumerated"])),
    st.builds(Spelling, st.sampled_from(["british", "american", "oxford"])),
    st.builds(SerialComma, st.sampled_from(["use", "avoid"])),
    st.builds(Punctuation, st.sampled_from(["exclamation mark", "semicolon", "ellipsis", "bracket"]), st.integers(0, 3), relations),
    st.builds(Parts, st.lists(st.sampled_from(["last sentence", "second-to-last sentence", "paragraph 2", "last paragraph", "quotations", "title", "headings"]), min_size=1, max_size=2).map(tuple), st.sampled_from(["change", "unchange"])),
    st.builds(PartLength, st.sampled_from(["paragraph 1", "paragraph 2", "last paragraph", "title", "bullet 2", "each bullet", "each heading"]), st.integers(0, 12), st.sampled_from(["words", "sentences", "characters"]), relations),
    st.builds(Contractions, st.sampled_from(["none", "use"])),
    st.builds(RelativeLength, st.integers(0, 60), st.sampled_from(["percent", "words", "sentences"]), st.sampled_from(["shorter", "longer"])),
    st.builds(SentenceEdit, st.sampled_from(["delete", "combine", "swap", "split"]), st.lists(st.sampled_from([1, 2, 3, -2, -1]), min_size=2, max_size=2, unique=True).map(tuple)),
    st.builds(ReadingGrade, st.integers(-3, 12).map(float), st.sampled_from(["at most", "at least"]), st.sampled_from(FORMULAS)),
    st.builds(ReadingEase, st.integers(-20, 140).map(float), st.sampled_from(["at most", "at least"])),
    st.builds(Numbers, st.sampled_from(["digits", "words"]), st.sampled_from([0, 10, 101])),
    st.builds(HeadingCase, st.sampled_from(["title", "sentence"])),
    st.just(Openings()),
    st.builds(SentenceStarts, st.lists(st.sampled_from(["the", "cat", "the cat", "sat"]), min_size=1, max_size=2).map(tuple)),
)  # fmt: skip
