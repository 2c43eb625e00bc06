"""Cuts of phrases and clauses: before the main clause, within it, and after any point where it could end.

The more a phrase says, the more its cut costs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from redraft.revision.records import Reason
from redraft.revision.rewriting.edits import WORDS, Replacement
from redraft.text import FINITE, NOUN, PHRASE_ENDS, QUESTION_WORD, RELATIVES, SUBORDINATORS, Syntax

# What is lost with each of these in a phrase that is cut, on the scale of the phrases' own costs.
_WORD_COST: Final = 0.1
_NUMBER_COST: Final = 0.8
_NAME_COST: Final = 0.5
_NEGATION_COST: Final = 1.0
_QUOTATION_COST: Final = 1.5
_TOLD: Final = 8
"""Words among which a verb stands that tells what a "that" opens."""
_CONTENT: Final = NOUN | {"JJ", "JJR", "JJS", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "CD", "RB"}
_VERBS: Final = FINITE | {"VB", "VBN", "VBG", "JJ", "IN"}
_ASIDES: Final = frozenset(
    ["however", "therefore", "for example", "for instance", "of course", "in fact", "then", "too", "indeed"]
)
_INSERTED: Final = QUESTION_WORD | {"IN", "DT", "VBG", "VBN", "RB", "TO", "CD", "NN", "JJ"}
_POINTING: Final = frozenset({"it", "they", "he", "she", "this", "these", "those", "both", "its", "their"})
_SUBJECTS: Final = NOUN | {"DT", "PRP", "PRP$", "CD", "JJ"}
_FEELING_WORDS: Final = 12
"""Words from the start among which a feeling is named."""
_CONTENT_OPENERS: Final = frozenset({"that", "whether", "how", "why", "what", "when", "where", "if", "to"})
_CLEFT: Final = frozenset({("it", "was"), ("it", "is")})
_TIMES: Final = frozenset({"when", "while", "as", "after", "before", "once"})
_MANNERS: Final = frozenset({"after", "before", "while", "by", "when"})
_DASHES: Final = frozenset({"—", "–", "--", "-"})


def cut(parts: Syntax, first: int, end: int, what: str, cost: float) -> Replacement | None:
    """The cut of a phrase, or None where it holds a placeholder or breaks a quotation or bracket."""
    if not 0 <= first < end <= len(parts) or _leans_on(parts, first):
        return None
    lost = 0.0
    names: list[str] = []
    level = parts.depth[first] + (parts.words[first].text in ")]}")
    for index in range(first, end):
        word, tag = parts.words[index], parts.tags[index]
        if word.text.startswith("[[") or (parts.depth[index] < level and index > first):
            return None
        lost += _WORD_COST * (tag in _CONTENT)
        lost += _NEGATION_COST * (parts.low[index] in WORDS.negations)
        if tag == "CD" or any(letter.isdigit() for letter in word.text):
            lost += _NUMBER_COST
            names.append(word.text)
        elif tag in ("NNP", "NNPS") and word.start:
            lost += _NAME_COST
            names.append(word.text)
    start, stop = parts.words[first].start, parts.words[end - 1].end
    if _between_placeholders(parts.text, start, stop):
        return None
    quotes = [span for span in parts.quoted if span[0] < stop and span[1] > start]
    if any(not start <= opening <= closing <= stop for opening, closing in quotes):
        return None
    if parts.depth[end - 1] + (parts.words[end - 1].text in "([{") != level:
        return None
    lost += _QUOTATION_COST * len(quotes)
    said = parts.text[start:stop].strip(" ,;:")
    why = Reason("cut", said, "", what, tuple(names[:4]))
    return Replacement(start, stop, "", why, cost + lost)


def _leans_on(parts: Syntax, first: int) -> bool:
    """Whether what stands before a phrase is part of it: "right (by the sea)", "especially (in May)"."""
    return first > 0 and parts.word(first - 1) in WORDS.leaning and parts.tag(first) in ("IN", "TO")


def _between_placeholders(text: str, start: int, stop: int) -> bool:
    """Whether a stretch touches a placeholder, or is all that stands between two of them."""
    before, after = text[:start], text[stop:]
    touches = before.endswith(("]]", "]]-", "~")) or after.startswith(("[[", "-[[", "~"))
    return touches or (before.rstrip().endswith("]]") and after.lstrip().startswith("[["))


def clause_cuts(parts: Syntax) -> list[Replacement]:
    """The cuts of whole phrases and clauses; the main clause with its verb stays."""
    found = [*_brackets(parts), *_dashes(parts)]
    if parts.main is not None:
        found += [
            *_opening(parts),
            *_within_opening(parts),
            *_feelings(parts),
            *_attribution(parts),
            *_inserted(parts),
            *_after_subject(parts),
        ]
        found += trailing_cuts(parts)
    return [one for one in found if one is not None]


def _is_free(parts: Syntax, index: int) -> bool:
    """Whether a word stands neither in brackets nor in what must stay."""
    return not parts.depth[index] and not parts.held[index]


def _brackets(parts: Syntax) -> Iterator[Replacement | None]:
    for index, word in enumerate(parts.words):
        after_space = index and parts.text[word.start - 1 : word.start] == " "
        if word.text == "(" and not parts.depth[index] and after_space:
            end = next((n for n in range(index + 1, len(parts)) if parts.words[n].text == ")"), None)
            free = parts.tag(index - 1) not in ("IN", "TO", "DT", "CC", "VBP", "VBZ", "VBD", "VB", "MD")
            if end and free and parts.depth[end] == parts.depth[index]:
                yield cut(parts, index, end + 1, "the aside", 0.8)


def _dashes(parts: Syntax) -> Iterator[Replacement | None]:
    places = [
        index
        for index in range(3, parts.stop)
        if (word := parts.words[index]).text in _DASHES and _is_free(parts, index)
        and (word.text != "-" or parts.text[word.start - 1 : word.end + 1] == " - ")
    ]  # fmt: skip
    if len(places) == 2:
        yield cut(parts, places[0], places[1] + 1, "the aside", 1.2)
    elif len(places) == 1 and parts.main is not None and parts.main < places[0]:
        yield cut(parts, places[0], parts.stop, "the afterthought", 1.8)


def _opening(parts: Syntax) -> Iterator[Replacement | None]:
    for joint in parts.clause_ends()[:1]:
        if (parts.main or 0) < joint < parts.stop - 4:
            second = joint + 1 + (parts.tag(joint) == ",")
            in_row = any(
                parts.tags[n] == "," and (parts.subject_and_verb(n + 1) or parts.tag(n + 1) == "EX")
                for n in range(parts.main or 0, joint)
            )
            if not in_row and parts.low[second - 1] != "or" and not _points_into(parts, second):
                yield cut(parts, 0, second, "the first part", 2.8)
    end = parts.opening()
    first = next((n for n in range(end) if parts.tags[n] != "CC"), end)
    if end - first < 2 or parts.word(first) in ("not", "only", "so", "both", "either"):
        return
    if parts.word(end) == "then":
        end += 1
    if parts.word(end)[:1].isdigit():
        return
    low, tag = parts.word(first), parts.tag(first)
    kind, cost = "the opening phrase", 1.5
    is_phrase = low == "because" and parts.word(first + 1) == "of"
    if (low in SUBORDINATORS or tag == "WRB") and not is_phrase:
        if _points_into(parts, end):
            return
        kind, cost = "the opening clause", 2.8 if low in WORDS.conditions else 2.0
    elif tag in ("VBG", "VBN", "TO"):
        cost = 1.9
    yield cut(parts, first, end, kind, cost)


def _within_opening(parts: Syntax) -> Iterator[Replacement | None]:
    """What says when or how within a clause that opens the sentence: "If it stops (while you drive), …" """
    comma = parts.opening() - 1
    if comma < 5 or parts.tag(comma) != "," or parts.tag(0) not in ("IN", "WRB"):
        return
    for index in range(3, comma - 1):
        if parts.tag(index - 1) not in NOUN | {"VB", "VBD", "VBZ", "VBP", "RP"} or not _is_free(parts, index):
            continue
        is_clause = parts.low[index] in _TIMES and parts.subject_and_verb(index + 1)
        if is_clause or (parts.low[index] in _MANNERS and parts.tag(index + 1) == "VBG"):
            yield cut(parts, index, comma, "the circumstance", 1.4)


def _feelings(parts: Syntax) -> Iterator[Replacement | None]:
    """ "I was surprised by it, because you agreed" as "You agreed"."""
    if parts.low[:1] not in (("i",), ("we",)) or not WORDS.feelings & {*parts.low[:_FEELING_WORDS]}:
        return
    for index in range(3, parts.stop - 4):
        begins = parts.low[index] in ("because", "since", "as") and parts.tag(index - 1) == ","
        if begins and parts.tag(index + 1) in _SUBJECTS and not _points_into(parts, index + 1):
            yield cut(parts, 0, index + 1, "the feeling", 1.2)
            return


def _points_into(parts: Syntax, second: int) -> bool:
    """Whether a clause that would stand alone may be about something that only the part before it names."""
    subject = parts.word(second)
    after = second + 2 + (parts.tag(second + 2) == "RB")
    if subject == "it" and parts.tag(after) in ("JJ", "VBN") and parts.word(after + 1) in _CONTENT_OPENERS:
        return False  # "it is not known whether"
    is_known_before = subject == parts.word(0) != "it"  # "They came, and they stayed"; "It is said that …"
    names = any(parts.tag(index) in NOUN for index in range(second))
    return subject in _POINTING and names and not is_known_before


def _attribution(parts: Syntax) -> Iterator[Replacement | None]:
    """ "Studies show that X" as "X"."""
    main = parts.main or 0
    second = main + 1 + (parts.word(main + 1) == "that")
    if parts.word(main) in WORDS.attributing_verbs and parts.subject_and_verb(second):
        first = parts.opening()
        personal = parts.low[first:main] in (("i",), ("we",), ("you",))
        known = personal or parts.word(second) not in _POINTING
        if known and "not" not in parts.low[first:main] and parts.words[-1].text != "?":
            yield cut(parts, first, second, "the attribution", 1.0 if personal else 2.2)
    if parts.stop >= 3 and not parts.quoted:
        last = parts.stop - 1
        for index in range(main + 2, last if parts.word(last) in WORDS.attributing_verbs else 0):
            if parts.tags[index] == "," and parts.noun_phrase(index + 1) == last:
                yield cut(parts, index, parts.stop, "the attribution", 1.6)


def _inserted(parts: Syntax) -> Iterator[Replacement | None]:
    """What stands between two commas, before the verb or after the first noun phrase."""
    commas = [n for n in range(1, parts.stop) if parts.tags[n] == "," and _is_free(parts, n)]
    for place, first in enumerate(commas[:-1]):
        if parts.tag(first - 1) not in NOUN | {"PRP", "CD", "-RRB-"} or first < parts.opening():
            continue
        for end in commas[place + 1 : place + 3]:
            following = end + 1 + (parts.tag(end + 1) == "RB")
            told = parts.word(first + 1) in RELATIVES and parts.tag(following) in FINITE
            told = told and not _is_one_of(parts, following, first)
            if (following == parts.main or told) and _inserts(parts, first + 1, end):
                yield cut(parts, first, end + 1, "the insertion", 1.2)
        end = commas[place + 1]
        clause_follows = parts.tag(end + 1) == "CC" and parts.subject_and_verb(end + 2)
        if parts.word(first + 1) in RELATIVES and clause_follows:
            yield cut(parts, first, end, "the relative clause", 1.4)
        if end - first <= 3 and parts.phrase_text(first + 1, end).lower() in _ASIDES:
            yield cut(parts, first, end + 1, "", 0.5)


def _is_one_of(parts: Syntax, verb: int, first: int) -> bool:
    """Whether a verb is one of several of a relative clause: "the band, who sang, danced and drummed"."""
    tag = parts.tag(verb)
    joined = any(parts.tags[n] == "CC" and parts.tag(n + 1) == tag for n in range(verb, parts.stop))
    return joined and tag in parts.tags[first:verb] and not FINITE.isdisjoint(parts.tags[:first])


def _inserts(parts: Syntax, first: int, end: int) -> bool:
    if "and" in parts.low[first - 2 : end + 1] and parts.tag(first) in NOUN:
        return False
    if parts.low[first] in SUBORDINATORS and "," in parts.tags[first:end]:
        stop = parts.tags.index(",", first)
        if FINITE.isdisjoint(parts.tags[first:stop]):
            return False  # "while wages, as was hoped, rose": its verb is yet to come
    return parts.tag(first) in _INSERTED


_FOR_ALL_COST: Final = 6.0
"""What it costs, more than a clause, that a rule is for all and not for some."""


def _after_subject(parts: Syntax) -> Iterator[Replacement | None]:
    """What says more of the subject, between it and the verb."""
    main = parts.main or 0
    first = parts.opening()
    head = parts.noun_phrase(first)
    end = main - (parts.tag(main - 1) == "RB")
    if not first < head < end or parts.tag(head - 1) not in NOUN or parts.tag(end - 1) not in PHRASE_ENDS:
        return
    tag, low = parts.tag(head), parts.word(head)
    if parts.word(head - 1) in WORDS.indefinite:
        return  # "anyone who has paid" is not "anyone"
    if low == "of" and (parts.word(head - 1) in WORDS.measures or parts.word(first) in ("a", "an")):
        return
    describes = tag in ("IN", "WDT", "WP", "VBN", "VBG") and low not in ("like", "than", "as")
    if describes and "," not in parts.tags[head:end]:
        vague = low in ("that", "who", "which") or parts.tag(head - 1) == "NNS"
        # "Members who have paid can …" is a rule for these alone.
        ruled = low in ("that", "who", "which") and parts.tag(main) == "MD"
        yield cut(parts, head, end, "", 2.0 + 0.4 * vague + _FOR_ALL_COST * ruled)


def trailing_cuts(parts: Syntax) -> Iterator[Replacement | None]:
    """The cuts that end a clause early; its verb stays."""
    begun = 0
    ends = parts.clause_ends()
    for end in ends[:-1]:
        if end > (parts.main or 0) + 1 and _complete(parts, parts.main or 0, end):
            if parts.words[end].text == ";" and _denies_first(parts, end):
                continue
            yield cut(parts, end, parts.stop, "the second part", 2.2)
    for end in ends:
        verbs = (n for n in range(begun, end) if parts.tags[n] in FINITE)
        start = next(verbs, end) if begun else parts.main or 0
        for first in range(start + 2, end):
            if not _is_free(parts, first) or not _complete(parts, start, first):
                continue
            comma = parts.tags[first] == ","
            index = first + comma
            if index == end:
                continue  # a text that was cut off after a comma
            found = _adjunct(parts, start, index, end, comma)
            compared = "than" in parts.low[index:end] and not _compares(parts, index, end)
            if found and not compared and not _takes_verb(parts, index, end):
                yield cut(parts, first, end, found[0], found[1])
        begun = end + 1
    for index in range((parts.main or 0) + 2, parts.stop - 1):
        if parts.words[index].text in (";", ":") and _is_free(parts, index):
            if _denies_first(parts, index):
                continue
            yield cut(parts, index, parts.stop, "what follows:", 2.2)


def _denies_first(parts: Syntax, mark: int) -> bool:
    """Whether what follows a mark says what is so instead: "We do not fail because A; we fail because B." """
    return bool(WORDS.negations & {*parts.low[:mark]}) and not WORDS.negations & {*parts.low[mark:]}


def _compares(parts: Syntax, first: int, end: int) -> bool:
    """Whether "than" belongs to a word of the stretch itself: "for more than a year"."""
    than = parts.low.index("than", first, end)
    return any(
        parts.tags[n] in ("JJR", "RBR") or parts.low[n] in ("more", "less", "fewer", "rather", "other")
        for n in range(first, than)
    )


def _complete(parts: Syntax, start: int, end: int) -> bool:
    """Whether the words before an index can end the clause: nothing that was begun is left open."""
    last = parts.tag(end - 1)
    joint = end + (parts.tag(end) == ",")
    if parts.tag(joint) == "CC" and last in _VERBS and parts.tag(joint + 1) in (last, *FINITE):
        last = "NN"
    if last not in PHRASE_ENDS or (last == "JJ" and parts.tag(end - 2) not in FINITE | {"RB"}):
        return False
    if last == "VBN" and parts.word(end) not in ("by", ","):
        return False
    if last == "RB" and parts.word(end - 1) in WORDS.open_adverbs:
        return False
    if _in_list(parts, start, end):
        return False
    if last == "RB" and parts.tag(end) == "IN" and {*parts.low[start : end - 1]} <= WORDS.be_and_adverbs:
        return False
    for index in range(end - 1, start, -1):
        low, tag = parts.low[index], parts.tags[index]
        if low in WORDS.open_pairs and index > end - 9:
            return False
        if low == "not" and parts.word(index + 1) in ("only", "just", "merely", "so"):
            return False
        if low in ("so", "such", "as", "too", "enough") and parts.word(end) in ("that", "as", "to", "for"):
            return False
        subordinates = tag == "IN" and low in SUBORDINATORS and low not in ("before", "after")
        if tag in ("WDT", "WP", "WRB") or subordinates:
            return any(parts.tags[n] in FINITE for n in range(index + 1, end))
    return True


def _in_list(parts: Syntax, start: int, end: int) -> bool:
    """Whether a list was begun before an index and has not come to its "and"."""
    commas = [n for n in range(start, end) if parts.tags[n] == "," and not parts.depth[n]]
    if not commas or "CC" in parts.tags[commas[-1] : end]:
        return False
    following = parts.tag(commas[-1] + 1)
    if following in FINITE | {"VB"}:
        return True
    goes_on = any(
        parts.tags[n] == "CC" and not parts.depth[n] and parts.tag(n + 1) not in FINITE
        for n in range(end, parts.stop)
    )
    return goes_on and parts.noun_phrase(commas[-1] + 1) > commas[-1] + 1


def _takes_verb(parts: Syntax, index: int, end: int) -> bool:
    """Whether what would be cut holds the verb of a noun that would stay."""
    if _is_followed_up(parts, index, end):
        return True
    if parts.tag(index) not in ("IN", "TO", "VBN", "VBG", "RB"):
        return False
    place = index + 1
    while place < end:
        further = parts.with_complements(place)
        if further == place and parts.tag(place) not in ("IN", "TO", "VBN", "VBG", "VB", "RB"):
            break
        place = max(further, place + 1)
    return parts.tag(place) in FINITE and parts.word(index) not in SUBORDINATORS


def _is_followed_up(parts: Syntax, index: int, end: int) -> bool:
    """Whether a relative clause between commas has the verb of what it tells of behind it.

    "My son, who is six years old, has been coughing": not where the verb is a further one of the clause
    itself, "who sang, danced and drummed".
    """
    relatives = (n for n in range(index, end) if parts.low[n] in RELATIVES and parts.tag(n - 1) == ",")
    opening = next(relatives, end)
    joints = (n for n in range(opening) if parts.tags[n] == "CC" or parts.low[n] in SUBORDINATORS)
    has_verb = not FINITE.isdisjoint(parts.tags[max(joints, default=0) : opening])
    for comma in range(opening + 2, end):
        verb = comma + 1 + (parts.tag(comma + 1) == "RB")
        if parts.tags[comma] == "," and not parts.depth[comma] and parts.tag(verb) in FINITE:
            return not (has_verb and "CC" in parts.tags[verb:end])
    return False


def _adjunct(parts: Syntax, start: int, index: int, end: int, comma: bool) -> tuple[str, float] | None:
    """What kind of adjunct begins at an index, and what its loss costs; None where it is none."""
    low, tag, before = parts.word(index), parts.tag(index), parts.tag(index - 1 - comma)
    near = parts.low[max(start, index - 6) : index]
    word = parts.words[index]
    if before == "CD" and low == "in" and parts.text[word.start : word.end + 1].endswith("."):
        return None  # inches
    if comma and (low in RELATIVES or parts.word(index + 2) in ("which", "whom")):
        return "the relative clause", 1.3
    if (low == "such" and parts.word(index + 1) == "as") or low == "including":
        return "the examples", 1.3
    if comma and low == "whether" and "or" in parts.low[index:end]:
        return "the aside", 1.2
    if low == "as" and parts.low[index : index + 3] == ("as", "well", "as"):
        return "the addition", 1.4
    if comma and tag in ("VB", "VBD", "VBZ", "VBP") and _verbs_go_on(parts, start, index, end):
        return "the further verbs", 2.2
    if low == "as" and parts.tag(index + 1) == "VBN" and before in PHRASE_ENDS:
        return "the phrase", 1.5
    if comma and low == "so" and tag in ("IN", "RB"):
        return "the second part", 2.0
    if tag == "CC" and low in ("and", "but", "so", "or", "yet") and _second_verb(parts, start, index):
        return "the second part", 2.2
    if tag in ("IN", "WRB") and low in SUBORDINATORS and low != "that":
        if before not in PHRASE_ENDS or (before == "JJ" and low == "as") or low in ("whether", "so"):
            return None
        clause = parts.subject_and_verb(index + 1) or (parts.tag(index + 1) in ("VBG", "VBN") and low != "as")
        bound = (low == "where" and not comma) or (tag == "WRB" and before not in NOUN | {"RB"})
        if clause and not bound:
            return "the clause", 2.8 if low in WORDS.conditions else 2.0
    phrase = low in ("until", "before", "after", "since") and parts.noun_phrase(index + 1) > index + 1
    prepositional = tag == "IN" and low not in WORDS.not_adjuncts and (phrase or low not in SUBORDINATORS)
    if prepositional and end > index + 1:
        if comma:
            return "the phrase", 1.5
        if before in NOUN | {"PRP", "CD", "RB", "RP", "-RRB-"} and WORDS.placing_verbs.isdisjoint(near):
            return "the phrase", 2.4 if low == "without" else 1.8
        if near[-1] in WORDS.placing_verbs:
            return None
        loose = low in WORDS.loose_prepositions and near[-1] not in WORDS.small_clause_verbs
        if loose and before in ("VBD", "VBZ", "VBP", "VB"):
            return "the phrase", 2.5
        return ("the agent", 2.4) if low == "by" and before == "VBN" else None
    if tag == "TO" and parts.tag(index + 1) == "VB" and before in NOUN | {"PRP", "RB", "CD"}:
        verbs = (*near, *parts.low[start : start + 3])
        bound = not WORDS.infinitive_verbs.isdisjoint(verbs)
        bound = bound or parts.word(index - 1) in WORDS.infinitive_nouns
        return ("the purpose", 2.1) if comma or not bound else None
    if low == "in" and parts.low[index : index + 3] == ("in", "order", "to"):
        return "the purpose", 1.9
    if comma and tag in ("VBG", "VBN") and not _goes_on(parts, index, end):
        return "the participle", 1.5
    if comma and tag == "DT" and before in NOUN and not _is_list(parts, index, end) and low != "that":
        return ("the apposition", 1.5) if parts.with_complements(index) > index + 1 else None
    if before in NOUN and not comma and WORDS.telling_verbs.isdisjoint(near):
        bound = parts.word(index - 1) in WORDS.that_nouns or parts.low[:2] in _CLEFT
        bound = bound or parts.low[1:3] in _CLEFT  # "it was her patience that won"
        if low in ("that", "who", "which") and tag in ("WDT", "WP", "IN") and "EX" not in parts.tags[:start]:
            earlier = parts.low[max(0, index - _TOLD) : index]
            told = low == "that" and not WORDS.that_verbs.isdisjoint(earlier)
            if bound or (told and parts.subject_and_verb(index + 1)):
                return None  # "said on Wednesday that it was closed"
            return "the defining clause", 2.4
        if tag in ("VBN", "VBG") and WORDS.small_clause_verbs.isdisjoint(near) and _modifies(parts, index):
            return "the participle", 2.2
    return None


def _modifies(parts: Syntax, index: int) -> bool:
    """Whether a participle after a noun opens a phrase that says more of it."""
    following = parts.tag(index + 1)
    if parts.tag(index) == "VBN":
        return following in ("IN", "TO", "RB")
    return following in ("DT", "PRP$", "IN", "TO", "NNS", "JJ", "CD", "PRP", "NN")


def _second_verb(parts: Syntax, start: int, index: int) -> bool:
    """Whether "and" joins a second verb or clause to the first."""
    after = index + 1 + (parts.tag(index + 1) == "RB")
    tag = parts.tag(after)
    if tag in FINITE or parts.subject_and_verb(after):
        return True
    if tag == "VBN" and parts.tag(start) == "VBD" and parts.low[start] not in WORDS.be_and_adverbs | {"had"}:
        return True  # a past tense, taken for a participle
    return tag == "VB" and ("VB" in parts.tags[start:index])


def _verbs_go_on(parts: Syntax, start: int, index: int, end: int) -> bool:
    """Whether a verb after a comma is one of a list that begins with the main verb and ends with "and"."""
    tag = parts.tag(index)
    joined = any(parts.low[n] == "and" and parts.tag(n + 1) == tag for n in range(index, end))
    return joined and tag in parts.tags[start : start + 2]


def _goes_on(parts: Syntax, index: int, end: int) -> bool:
    """Whether a participle is an item of a list that goes on: "cutting, drying and packing"."""
    joint = next((n for n in range(index, end) if parts.tags[n] == "CC" and not parts.depth[n]), end)
    return parts.tag(joint + 1) == parts.tag(index) and (
        joint < index + 4 or any(tag == parts.tag(index) for tag in parts.tags[max(0, index - 4) : index])
    )


def _is_list(parts: Syntax, index: int, end: int) -> bool:
    """Whether a comma before an index may part the items of a list."""
    return "CC" in parts.tags[index:end] and (
        "," in parts.tags[index:end] or parts.tag(parts.noun_phrase(index)) == "CC"
    )
