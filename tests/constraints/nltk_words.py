"""NLTK itself, with the parameters that come with the package, and texts to try it on."""

from __future__ import annotations

from hypothesis import strategies as st
from nltk.tokenize.destructive import NLTKWordTokenizer
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

from redraft.constraints.punkt import english_punkt

MODEL = english_punkt()


def _nltk() -> PunktSentenceTokenizer:
    parameters = PunktParameters()
    parameters.abbrev_types = set(MODEL.abbreviations)
    parameters.collocations = set(MODEL.collocations)
    parameters.sent_starters = set(MODEL.starters)
    parameters.ortho_context.update(MODEL.contexts)
    return PunktSentenceTokenizer(parameters)


_SENTENCES = _nltk()
_WORDS = NLTKWordTokenizer()


def nltk_spans(text: str) -> list[tuple[int, int]]:
    return list(_SENTENCES.span_tokenize(text))


def nltk_words(text: str) -> list[str]:
    """What `nltk.word_tokenize` gives, had it our parameters installed."""
    return [word for sentence in _SENTENCES.tokenize(text) for word in _WORDS.tokenize(sentence)]


def _cased(words: list[str]) -> st.SearchStrategy[str]:
    return st.sampled_from(words).flatmap(
        lambda word: st.sampled_from([word, word.lower(), word.upper(), word.capitalize()])
    )


_NAMES = (
    st.sampled_from(sorted(MODEL.collocations))
    .map(". ".join)
    .map(lambda pair: pair.replace("##number##", "8"))
)
_PIECES = st.one_of(
    _cased(sorted(MODEL.abbreviations)).map("{}.".format),
    _cased(sorted(MODEL.starters)),
    _cased(sorted(MODEL.contexts)[::7]),
    _NAMES,
    st.sampled_from("ABJxyÉ_²\u0301").map("{}.".format),
    st.sampled_from(["1.", "2,000.", "-5", "3.14", ".5", "1-2.", "٣.", "5,", "10:30", "1..2", "$5", "20%"]),
    st.sampled_from(
        ["...", "..", ". . .", ".\xa0.\xa0.", "?!", "!!!", "--", "—", "''", "``", '"', "'", "’", "”"]
    ),
    st.sampled_from(
        ["'s", "n't", "cannot", "gımme", "gonna", "wanna", "d'ye", "more'n", "'tis", "'em", "'ll"]
    ),
    st.sampled_from(list("()[]{}<>«»“‘„*;:,@#&\x1c\x85\u2028\n\t ")),
    st.characters(exclude_categories=["Cs"]),
)
_JOINTS = st.sampled_from([" ", " ", " ", "", ". ", ".", "? ", "\n", "\n\n", "\xa0", '" ', ' "', ") "])
built = st.lists(st.tuples(_PIECES, _JOINTS).map("".join), max_size=12).map("".join)
texts = built | st.text(st.characters(exclude_categories=["Cs"]))
