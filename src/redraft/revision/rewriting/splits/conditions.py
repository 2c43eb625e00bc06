"""Splits at conditions, exceptions, reasons and alternatives, of which each becomes a sentence of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.rewriting.splits.coordination import LEAST, Split
from redraft.revision.rewriting.splits.orders import first_order
from redraft.text import BY_FORM, FINITE, Clauses, analyse_syntax, as_sentence

_PROVIDED: Final = re.compile(r"(?i),? (?:provided|on condition) that ")
_UNLESS: Final = re.compile(r"(?i),? unless ")
_EXCEPT: Final = re.compile(r"(?i),? except (?P<rest>for |in |on |at |to |with |where |when |if |that )?")
_IN_CASE: Final = re.compile(r"(?i), in which (?P<latter>latter |last )?(?P<case>case|event) ")
_ALTHOUGH: Final = re.compile(r"(?i), (?:although|though|whereas) ")
_BECAUSE: Final = re.compile(r"(?i), because ")
_REASON: Final = re.compile(
    r"(?i),? (?P<word>because|since|as) (?=(?:the|it|this|that|they|an?|you|[a-z]+) )"
)
_OR_WHICH: Final = re.compile(
    r"(?i)\b(?P<noun>[a-z]+) (?P<one>which|that|who) (?P<first>[^;]+?),? or (?P<again>(?P=one) )"
)
_OR_BY: Final = re.compile(
    r"(?i)\b(?P<noun>[a-z]+) (?P<verb>(?:(?:that|which) (?:is|are) )?[a-z]+ed by) [^,;]+? or (?P<again>by )"
)
_WITHOUT: Final = re.compile(
    r"(?P<subject>(?:The|An?|This|That|Each|No) \w+|[A-Z]\w+|I) (?P<modal>shall|may|must|will|can) not,"
    r" (?P<without>(?:without|except with|save with) [^,]+), (?P<one>[^;]+?)"
    r" or (?P<two>[a-z]+ (?:it|them|the|any|an?)\b.+)"
)
_CONSENT: Final = re.compile(r"\b(?:consent|permission|approval|agreement|authori[sz]ation|notice)\b")
_IF: Final = re.compile(
    r"If (?P<condition>[^,;]+(?:, (?:which|who) [^,;]+,)?[^,;]*), (?:then )?(?P<main>.+)", re.DOTALL
)
_RULE: Final = re.compile(
    r"(?i)\b(?:shall|must|may|will|can|cannot|should|liable|entitled|allowed|required)\b"
)
_APART: Final = (
    (re.compile(r"[.] This does not apply if "), ", unless "),
    (re.compile(r"[.] This does not apply to "), ", except for "),
    (re.compile(r"[.] This does not apply (?=in|on|at|with|where|when)"), ", except "),
    (re.compile(r"[.] This applies only if "), ", provided that "),
    (re.compile(r"[.] The same applies to "), " or "),
    (re.compile(r"(?P<clause>[^.]+?) may (?P<rest>[^.]+)[.] If so, "), r"If \g<clause> \g<rest>, "),
    (re.compile(r"[.] However, (?=th\w+ \w+ (?:shall|does|do|will|must) not apply)"), ", provided that "),
    (re.compile(r"(?P<put>\ban? (?P<noun>[a-z]+)\b[^.]*)[.] The (?P=noun) must "), r"\g<put> that "),
    (re.compile(r"\bWait until (?P<clause>[^.]+)[.] Then "), r"When \g<clause>, "),
    (re.compile(r"\bDo the following before (?P<clause>[^.]+)[.] "), r"Before \g<clause>, "),
    (re.compile(r"[.] Without such \w+, (?:the \w+|\w+) (?:shall|may|must|will|can) not "), " or "),
)
_NOT_APPLY: Final = re.compile(r"(?i)\bnot apply\b")
_SO: Final = re.compile(r"(?i)\b(?:so|such|too|as) [^,]*\Z")


def with_conditions(text: str) -> str:
    """A text with the conditions that were set apart in the words of one sentence, for whoever compares."""
    for pattern, words in _APART:
        text = pattern.sub(words, text)
    return text


def at_conditions(reading: Clauses) -> Iterator[Split]:
    """ "You may go, unless it rains." gives "You may go. This does not apply if it rains." """
    text = reading.text
    for found in _PROVIDED.finditer(text):
        rest = text[found.end() :]
        lead = "However, " if _NOT_APPLY.search(rest) else "This applies only if "
        yield from _parted(reading, found.start(), lead + rest, 'at "provided that"', 0.4)
    for found in _UNLESS.finditer(text):
        rest = text[found.end() :]
        if _is_main(text[: found.start()]) and _is_clause(rest) and not _goes_on(rest):
            yield from _parted(
                reading, found.start(), f"This does not apply if {rest}", 'at "unless"', 0.6, least=6
            )
    for found in _EXCEPT.finditer(text):
        rest = text[found.end() :]
        link = (found["rest"] or "to ").strip()
        lead = "However, " if link == "that" else f"This does not apply {'to' if link == 'for' else link} "
        if _is_main(text[: found.start()]) and not _goes_on(rest):
            yield from _parted(reading, found.start(), lead + rest, 'at "except"', 0.7, least=6)
    for found in _IN_CASE.finditer(text):
        lead = f"In {'the latter' if found['latter'] else 'that'} {found['case']}, "
        yield from _parted(reading, found.start(), lead + text[found.end() :], 'at "in which case"', 0.1)
    for found in _ALTHOUGH.finditer(text):
        if _is_clause(text[found.end() :]):
            lead = f"However, {text[found.end() :]}"
            yield from _parted(reading, found.start(), lead, "at the concession", 0.6)
    for found in _BECAUSE.finditer(text):
        if (
            _is_main(text[: found.start()])
            and _is_clause(text[found.end() :])
            and not _goes_on(text[found.end() :])
        ):
            lead = f"This is because {text[found.end() :]}"
            yield from _parted(reading, found.start(), lead, 'at "because"', 0.9)


def at_reasons(reading: Clauses) -> Iterator[Split]:
    """ "Keep it cold, because milk turns." gives "Keep it cold. Milk turns." """
    text = reading.text
    if first_order(analyse_syntax(text + reading.end)) is None:
        return
    for found in _REASON.finditer(text):
        rest, before = text[found.end() :], text[: found.start()]
        joined = found["word"] == "because" or "," in found[0]
        told = found["word"].lower() == "because" or _is_clause(rest)
        if joined and told and not _goes_on(rest) and not _SO.search(before):
            yield from _parted(reading, found.start(), rest, f'at "{found["word"].lower()}"', 0.35)


def at_alternatives(reading: Clauses) -> Iterator[Split]:
    """ "It covers food that is hot or that is sweet." gives "It covers food that is hot. The same …" """
    text = reading.text
    if not _RULE.search(text):
        return
    for found in _OR_WHICH.finditer(text):
        rest = text[found.start("again") :]
        lead = f"The same applies to {found['noun']} {rest}"
        yield from _parted(reading, found.start("again") - 4, lead, "at the alternative", 0.5)
    for found in _OR_BY.finditer(text):
        rest = text[found.end("again") :]
        lead = f"The same applies to {found['noun']} {found['verb']} {rest}"
        yield from _parted(reading, found.start("again") - 4, lead, "at the alternative", 0.5)
        yield from _parted(
            reading, found.start("again") - 4, f"The same applies to {rest}", "at the alternative", 0.8
        )


def at_consent(reading: Clauses) -> Iterator[Split]:
    """ "You may not, without leave, stay or sing." gives "You may not stay without leave. Without …" """
    found = _WITHOUT.fullmatch(reading.text)
    if not found:
        return
    leave = _CONSENT.search(found["without"])
    again = f"Without such {leave[0]}," if leave else "Nor"
    if not leave:
        return
    subject = found["subject"]
    named = subject if subject in ("We", "You", "They", "I") else f"{subject[0].lower()}{subject[1:]}"
    first = f"{subject} {found['modal']} not {found['one'].rstrip(', ')} {found['without']}"
    second = f"{again} {named} {found['modal']} not {found['two']}"
    yield Split(as_sentence(first, "."), as_sentence(second, reading.end), "at the alternative", 0.3)


def at_ifs(reading: Clauses) -> Iterator[Split]:
    """ "If the light goes on, stop." gives "The light may go on. If so, stop." """
    found = _IF.fullmatch(reading.text)
    if not found or "?" in reading.end:
        return
    clause = found["condition"]
    read = analyse_syntax(clause + ".")
    verb = next((n for n in range(read.stop) if read.tags[n] in FINITE), None)
    if verb is None or read.tags[verb] not in ("VBZ", "VBP") or read.word(verb) in ("do", "does"):
        return
    if len(clause.split()) < 6 or read.word(0) in (
        "you",
        "so",
        "not",
        "any",
        "there",
        "anything",
        "nobody",
        "no",
    ):
        return
    forms = BY_FORM.get(read.word(verb))
    base = "be" if read.word(verb) in ("is", "are") else forms.base if forms else None
    if base is None:
        return
    word = read.words[verb]
    said = f"{clause[: word.start]}may {base}{clause[word.end :]}"
    yield Split(as_sentence(said, "."), as_sentence(f"If so, {found['main']}", reading.end), 'at "if"', 0.9)


def _parted(
    reading: Clauses, place: int, second: str, why: str, cost: float, *, least: int = LEAST
) -> Iterator[Split]:
    first = as_sentence(reading.text[:place], ".")
    second = as_sentence(second, reading.end)
    if len(first.split()) >= least and len(second.split()) >= LEAST and "?" not in reading.end:
        yield Split(first, second, why, cost)


def _is_clause(text: str) -> bool:
    read = analyse_syntax(text + ".")
    verbs = (
        tag in FINITE or (tag == "NNS" and low in BY_FORM)
        for low, tag in zip(read.low, read.tags, strict=True)
    )
    return any(verbs) and read.tag(0) not in ("VBN", "VBG", "TO", "IN")


def _is_main(text: str) -> bool:
    """Whether a stretch can stand alone: it has its verb, and opens no clause that something follows."""
    read = analyse_syntax(text + ".")
    opens = read.word(0) in (
        "if",
        "when",
        "because",
        "although",
        "while",
        "since",
        "unless",
        "before",
        "after",
    )
    return read.main is not None and not (opens and read.opening() == 0)


def _goes_on(text: str) -> bool:
    """Whether what stood before a condition goes on after it: ", and shall bear the cost"."""
    read = analyse_syntax(text + ".")
    for index in range(1, read.stop - 1):
        if read.tags[index] == "," and not read.depth[index]:
            after = index + 1 + (read.tag(index + 1) == "CC")
            if after > index + 1 and read.tag(after) in FINITE | {"VB", "RB"}:
                return True
            if read.tag(index + 1) in FINITE | {"VB"}:
                return True
    return False


RULES: Final = (at_conditions, at_reasons, at_alternatives, at_consent, at_ifs)
