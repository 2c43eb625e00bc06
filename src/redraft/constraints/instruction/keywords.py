"""Words and phrases that must stay, must go or must occur so often; what the text starts and ends with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from redraft.constraints.kinds import EndsWith, Keyword, KeywordFrequency, StartsWith
from redraft.text import word_sets

from .bounds import Bound, opposite, quantity, worded_relation
from .governors import Governor, governor
from .lexicon import WORDINGS, Tag
from .patterns import WINDOW, Chunk, Found, Line, fold, joined, pattern, tags

# "take 'x' out", "work 'x' in": the particle decides what the verb means.

_PARTED = pattern("""
    (verb: [KEEP CUT AVOID CHANGE WRITE OTHER USE ADD]) ([DET EACH WORD LABEL]{0,3} KEYWORDS | [TEXT AUX])
    (particle: [OTHER IN AVOID]) (?=IN? [TEXT PART DET AUX]* (BREAK | $) | FREQUENCY)
    """)
# "go over the text", which is no "go over 300 words"
_READ = pattern("MORE (?=[DET EACH ONLY]{0,2} [SENTENCE TEXT ORDINAL LAST])")
_OUT = re.compile(
    r"(?:take|taking|leave|leaving|cut|cutting|strike|throw|cross|rule|edit|get|keep|chuck|toss|write)$"
)
_IN = re.compile(r"(?:work|put|slip|get|squeeze|weave|fit|leave|write|sneak|keep|throw|bring|have)$")
# "Besides, …", "Apart from that, …", "On top of that, …": one more demand, and no exception
_OPENING = pattern("(^ | (?<=BREAK)) [^COMMA OR BUT COLON]{1,5} (?=[COMMA COLON])")
_ADDS = re.compile(WORDINGS["adds"])


def fold_additions(line: Line) -> Line:
    """The line with the openings that only add a demand to those before as an "and"."""
    return fold(line, _OPENING, _added)


def _added(line: Line, match: re.Match[str]) -> Chunk | None:
    if not _ADDS.fullmatch(line.words(match.start(), match.end())):
        return None
    return joined(line, match.start(), match.end(), Tag.AND, None)


def tag_particles(line: Line) -> Line:
    """The line with verbs under the tag that they have together with their particle."""
    chunks = list(line.chunks)
    for match in _PARTED.finditer(line.tags):
        verb, particle = chunks[match.start("verb")], chunks[match.start("particle")]
        if particle.text in ("out", "away") and _OUT.match(verb.text):
            tag = Tag.AVOID
        elif particle.text in ("in", "into", "back in") and _IN.match(verb.text):
            tag = Tag.USE
        else:
            continue
        chunks[match.start("verb")] = replace(verb, tag=tag)
        chunks[match.start("particle")] = replace(particle, tag=Tag.DET)
    for match in _READ.finditer(line.tags):
        if chunks[match.start()].text in ("go over", "going over"):
            chunks[match.start()] = replace(chunks[match.start()], tag=Tag.IMPROVE)
    return replace(line, chunks=tuple(chunks))


_LABEL = re.compile(r"\b(?:word|term|phrase|name|keyword|expression|acronym|abbreviation|buzzword)(s?)$")
_SAY = pattern("(NOT [AUX DET]* | AVOID) SAY $")
_NO_KEYWORDS = word_sets("redraft.constraints")["never_a_keyword"]
_NO_KEYWORD_TAGS = tags(
    "JOINT COLON QUOTATION KEYWORDS AMOUNT ORDINAL PATTERN RELATION OR_FEWER OR_MORE PER_SENTENCE PER_PART"
    " LENGTH LIMIT"
)
_WORD = re.compile(r"[^\W_][\w'’&.+-]*[\w+#]|[^\W_]")
_ARTICLES = frozenset(["the", "these", "those", "following", "any mention of", "use of", "exact"])
_HEADING = pattern("(TO [AVOID USE KEEP])? COLON")
_STOP = pattern("""
      $
    | [AUX UNCHANGED REMAIN NOT WITH IN EXCEPT OFF_LIMITS ONLY TO FREQUENCY]
    | [WITHOUT AVOID DET ENSURE USE BREAK]
    | [FEWER MORE AT_MOST AT_LEAST EXACTLY]{1,2} DET? [NUMBER ONCE]
    | NUMBER TIMES
    | ONCE
    """)
"""What may stand behind such a keyword."""
_LONGEST_PHRASE = 4
"""A phrase without quotation marks has at most so many words."""


def fold_unquoted(line: Line, text: str) -> Line:
    """The line with keywords as quotations that have no marks, where the wording leaves no doubt."""
    chunks = list(line.chunks)
    at = 0
    while at < len(chunks):
        label = chunks[at]
        labelled = label.tag in (Tag.WORD, Tag.LABEL) and _introduced(chunks, at)
        if match := _LABEL.search(label.text) if labelled else None:
            phrase = label.text.startswith(("phrase", "name", "expression"))
            at = _after_label(text, chunks, at + 1, plural=bool(match.group(1)), phrase=phrase)
        elif label.text.startswith("say") and _SAY.search(_tags(chunks[max(0, at - 4) : at + 1])):
            at = _after_label(text, chunks, at + 1, plural=False, phrase=False)
        else:
            at += 1
    return replace(line, chunks=tuple(chunks))


def _introduced(chunks: list[Chunk], at: int) -> bool:
    """Whether a label stands as one: "the word …", "banned words: …"; not "use word counts"."""
    if at > 0 and chunks[at - 1].text in _ARTICLES:
        return True
    return _HEADING.match(_tags(chunks[at + 1 : at + 4])) is not None


def _tags(chunks: list[Chunk]) -> str:
    return "".join(chunk.tag for chunk in chunks)


def _after_label(text: str, chunks: list[Chunk], at: int, *, plural: bool, phrase: bool) -> int:
    """Turn the keyword behind a label into a quotation, in place; where to go on."""
    taken: list[int] = []
    if plural and (heading := _HEADING.match(_tags(chunks[at : at + 3]))):
        at += heading.end()  # "banned words: a, b", "words to avoid: a, b"
    index = at
    while index < len(chunks):
        chunk = chunks[index]
        if not _keyword(chunk):
            break
        taken.append(index)
        index += 1
        if phrase and _tags(chunks[index : index + 1]) == Tag.USE:
            break
        if plural and (joint := pattern("JOINT [AND OR]?").match(_tags(chunks[index : index + 2]))):
            index += joint.end()
        elif not phrase:
            break
    if not taken or not _STOP.match(_tags(chunks[index : index + 4])):
        return at
    if plural:
        for place in taken:
            chunks[place] = _quotation(text, chunks[place], chunks[place])
        return index
    if len(taken) > (_LONGEST_PHRASE if phrase else 1):
        return at
    chunks[taken[0] : taken[-1] + 1] = [_quotation(text, chunks[taken[0]], chunks[taken[-1]])]
    return taken[0] + 1


def _keyword(chunk: Chunk) -> bool:
    if chunk.tag in _NO_KEYWORD_TAGS or chunk.text in _NO_KEYWORDS:
        return False
    return _WORD.fullmatch(chunk.text) is not None


def _quotation(text: str, first: Chunk, last: Chunk) -> Chunk:
    return Chunk(Tag.QUOTATION, '"', first.start, last.end, text[first.start : last.end])


# "the words 'a', 'b' and the phrase 'c'"
# and not the second in "avoid 'a', and the word 'b' must stay"
_GROUP = pattern(
    """
    (governed: (?<=GOVERNOR) | (?<=GOVERNOR DET) | (?<=GOVERNOR DET DET))?
    ((?<![OR_MORE OR_FEWER ADJ AMOUNT]) [WORD LABEL] [DET COLON COMMA]{0,2} | SENTENCE [DET COLON]{0,2})?
    QUOTATION ((?(governed)(?!FURTHER_WORD OWN_CLAUSE)) FURTHER_WORD)*
    """,
    GOVERNOR="[KEEP AVOID USE FREQUENCY CHANGE OTHER_VERB]",
    FURTHER_WORD="JOINT{0,2} ([DET EACH CHANGE]{0,2} [WORD LABEL] [DET COLON]?)? QUOTATION",
    OWN_CLAUSE="""
          [AUX ENSURE]+ NOT? [AUX ENSURE]* [KEEP AVOID USE CHANGE OTHER_VERB SAY OFF_LIMITS REMAIN]
        | USE [DET ONLY]? FREQUENCY
        | REMAIN
    """,
)
# "the number of times 'x' appears must be at least 3"
_COUNTED = pattern("""
    (?<=KEYWORDS) (AUX? USE)? [AUX ENSURE REMAIN TO]* (negation: NOT [AUX ENSURE]*)? (pre: RELATION)? DET?
    (number: AMOUNT) (post: [OR_MORE OR_FEWER AT_MOST AT_LEAST])?
    """)
_NUMBER_OF = pattern("LENGTH TIMES [DET EACH]* $")
_LIMITED = pattern("[LIMIT KEEP CUT] [DET EACH]* LENGTH? TIMES [DET EACH]* $")
_MENTIONS = ("mentions of", "occurrences of", "instances of", "appearances of", "uses of")
_FREQUENCY_BEHIND = pattern("""
    (JOINT{1,2} [DET EACH IN]* KEYWORDS)* [COLON COMMA]? [AUX ENSURE DET EACH IN ONLY TO]*+
    ((negation: NOT) [AUX ENSURE DET EACH IN ONLY]*+)? [USE SAY REMAIN]? [AUX DET EACH IN ONLY]{0,3}
    [OTHER TEXT]{0,1} [IN TO DET]{0,2} [TEXT DET IN]{0,2} FREQUENCY
    """)
_FURTHER = pattern("[BUT JOINT]{1,2} [AUX ENSURE USE]{0,2} FREQUENCY (?![DET EACH]{0,2} KEYWORDS)")
_TIMES_AHEAD = pattern("""
    KEYWORDS [AUX ENSURE DET EACH IN ONLY TO NOT USE SAY REMAIN]{0,8} FREQUENCY JOINT{1,2} [DET EACH]{0,2} $
    """)
_FREQUENCY_BEFORE = pattern("FREQUENCY [DET EACH IN USE TO WORD LABEL]{0,4} $")
_AFFIX = pattern("""
    (negation: [NOT WITHOUT NO AVOID] [AUX ENSURE DET TO]*)? (verb: [START END])
    (object: [DET TEXT OTHER EACH PARAGRAPH SENTENCE REFERENCE]{0,4}) [WITH DET IN]{1,2}
    [DET EACH WORD LABEL]{0,3} $
    """)
_OF_A_PART = pattern("[EACH NO] DET* [SENTENCE PER_SENTENCE] | [REFERENCE PART PARAGRAPH]")
_SUBJECT_DENIED = re.compile(
    r"\b(?:nothing|nobody|none)(?: (?:may|must|should|shall|can|will|could|would))? \w+\Z"
)
_FIRST = pattern("[ORDINAL LAST] [WORD LABEL PART] [AUX ENSURE DET]* $")
# "make 'x' the first words", "'x' should be the last thing one reads"
_FIRST_BEHIND = pattern("[AUX ENSURE IN DET]{0,5} [ORDINAL LAST] (?=[WORD LABEL SENTENCE TEXT])")
_SWAP = pattern("""
      [OTHER_VERB CHANGE] [DET EACH]{0,3} KEYWORDS [DET IN OTHER]{0,2} (joint: [WITH DET TO IN])
      [DET EACH]{0,2} KEYWORDS
    | KEYWORDS [AUX ENSURE]* (passive: OTHER_VERB) (by: [WITH DET]) [DET EACH]{0,2} KEYWORDS
    """)
_USED = tags("USE SAY KEEP WRITE ADD")
_EXCHANGED = re.compile("replac|swap|substitut")
_SOMEHOW = re.compile("(?:with|by|for) |everywhere|throughout|wherever|whenever|each time|every time")
_PAST = re.compile(r"\b(?:was|were|been|being)\b")
_TOUCHED = re.compile("touch|hands off")
_INSTEAD = re.compile(r"\b(?:instead|rather than)\b")
_OUT_BEHIND = re.compile(r"out\b")
_MUST_SAY = re.compile(WORDINGS["must_say"])
_HEDGED = re.compile(
    r"(?:too (?:often|much|many)|sparingly|carefully|less|more\b|to a minimum|as the|as an?\b)"
)


@dataclass(frozen=True, slots=True)
class Keywords:
    """A list of keywords."""

    texts: tuple[str, ...]


def fold_keywords(line: Line) -> Line:
    """The line with each list of keywords as one chunk."""
    return fold(fold(line, _GROUP, _group), _COUNTED, _counted)


def _group(line: Line, match: re.Match[str]) -> Chunk:
    quotations = [chunk for chunk in line.chunks[match.start() : match.end()] if chunk.tag == Tag.QUOTATION]
    keywords = Keywords(tuple(str(chunk.value) for chunk in quotations))
    return joined(line, match.start(), match.end(), Tag.KEYWORDS, keywords)


def _counted(line: Line, match: re.Match[str]) -> Chunk | None:
    at = match.start() - 1
    if not _NUMBER_OF.search(line.before(at)) and not line.words_before(at).endswith(_MENTIONS):
        return None
    relation = worded_relation(match["post"], match["pre"])
    if match["negation"]:
        relation = opposite(relation)
        if not relation:
            return None
    elif Tag.TO in match.group():  # "limit the number of times 'x' appears to 3"
        if not _LIMITED.search(line.before(at)):
            return None
        relation = relation or Tag.AT_MOST
    bound = quantity(line.chunks[match.start("number")], relation)
    return joined(line, match.start(), match.end(), Tag.FREQUENCY, bound) if bound else None


def keyword_rules(line: Line) -> Iterator[Found]:
    """Every demand on keywords in a line."""
    swapped: set[int] = set()
    for match in _SWAP.finditer(line.tags):
        first, second = match.group().index(Tag.KEYWORDS) + match.start(), match.end() - 1
        verb = line.chunks[match.start("passive") if match["passive"] else match.start()].text
        joint = line.chunks[match.start("by") if match["passive"] else match.start("joint")].text
        not_swapped = pattern("[NOT WITHOUT] [AUX ENSURE DET TO]* $")
        if not _swaps(verb, joint) or not_swapped.search(line.before(match.start())):
            continue
        # Substitute the new for the old, but replace the old with the new.
        old, new = (second, first) if verb == "substitute" and joint == "for" else (first, second)
        swapped |= {first, second}
        yield from _all(line, old, match.start(), match.end(), "remove")
        yield from _all(line, new, match.start(), match.end(), "keep")
    for at, chunk in enumerate(line.chunks):
        if chunk.tag == Tag.KEYWORDS and at not in swapped:
            yield from _affix(line, at) or _governed(line, at)


def _swaps(verb: str, joint: str) -> bool:
    if verb.startswith(("replac", "substitut")):
        return joint in ("with", "by", "for")
    if verb.startswith("swap"):
        return joint in ("for", "with")
    return verb.startswith(("chang", "convert")) and joint in ("to", "into")


def _texts(line: Line, at: int) -> tuple[str, ...]:
    value = line.chunks[at].value
    return value.texts if isinstance(value, Keywords) else ()


def _all(line: Line, at: int, start: int, end: int, relation: Literal["keep", "remove"]) -> list[Found]:
    return [Found(Keyword(text, relation), start, end) for text in _texts(line, at)]


_ANY_SENTENCE = re.compile(
    r"\b(?:start|begin|open)\w* (?:\w+ )*sentences\b|\bsentences (?:that |which )?(?:start|begin|open|end)"
    r"|(?<!with a )\bsentence (?:that|which) (?:start|begin|open|end)"
    r"|\b(?:a|any|all|each|every|some) (?:\w+ )?sentence\b"
)


def _affix(line: Line, at: int) -> list[Found]:
    offset = max(0, at - WINDOW)
    left = line.before(at)
    kind: type[StartsWith | EndsWith] = StartsWith
    if match := _AFFIX.search(left):
        subject = pattern("[COMMA AND BUT]").split(left[max(0, match.start() - 8) : match.end()])[-1]
        said = line.chunks[offset + match.start() : offset + match.end()]
        if (
            match["negation"]
            or _OF_A_PART.search(subject)
            or any("new paragraph" in one.text for one in said)
            or _ANY_SENTENCE.search(line.words(max(0, offset + match.start() - 2), offset + match.end()))
            or _SUBJECT_DENIED.search(
                " ".join(one.text for one in line.chunks[offset : offset + match.end("verb")])
            )
        ):
            return []
        kind = StartsWith if match["verb"] == Tag.START else EndsWith
    elif match := _FIRST.search(left):
        chunk, noun = line.chunks[offset + match.start()], line.chunks[offset + match.start() + 1]
        if noun.tag == Tag.PART and not noun.text.startswith("line"):
            return []
        if chunk.tag != Tag.LAST and chunk.value != 1:
            return []
        kind = EndsWith if chunk.tag == Tag.LAST else StartsWith
    elif behind := _FIRST_BEHIND.match(line.after(at)):
        chunk = line.chunks[at + behind.end()]
        if chunk.tag != Tag.LAST and chunk.value != 1:
            return []
        kind = EndsWith if chunk.tag == Tag.LAST else StartsWith
        return [Found(kind(text), at, at + 2 + behind.end()) for text in _texts(line, at)[:1]]
    else:
        return []
    return [Found(kind(text), offset + match.start(), at + 1) for text in _texts(line, at)[:1]]


def _governed(line: Line, at: int) -> list[Found]:
    verb = governor(line, at)
    return _frequency(line, at, verb) or (_kept(line, at, verb) if verb else [])


def _frequency(line: Line, at: int, verb: Governor | None) -> list[Found]:
    offset = max(0, at - WINDOW)
    right = line.after(at)
    start, end = (min(verb.start, at), verb.end) if verb else (at, at + 1)
    negated = bool(verb and verb.negated and verb.verb in _USED and verb.start < at)
    before = _FREQUENCY_BEFORE.search(line.before(at))
    match = _FREQUENCY_BEHIND.match(right)
    if match and Tag.KEYWORDS in match.group() and (before or (verb and verb.start < at)):
        match = None  # "avoid 'a', and 'b' should occur twice"
    if match:
        where = at + match.end()
        negated = negated or bool(match["negation"])
        end = where + 1
    elif before:
        where = offset + before.start()
        start = min(start, where)
        negated = pattern("[NOT WITHOUT AVOID] [AUX USE SAY WRITE]* $").search(line.before(where)) is not None
        if verb and verb.verb == Tag.AVOID and not negated:
            return []
    else:
        return []
    bound = line.chunks[where].value
    if not isinstance(bound, Bound):
        return []
    if verb is None and bound.relation in (Tag.FEWER, Tag.MORE):
        negated = negated or _negated_ahead(line, at)
    further = _FURTHER.match(line.after(where)) if where > at else None
    second = line.chunks[where + further.end()].value if further else None
    if where < at and (post := pattern("COMMA? [AT_MOST AT_LEAST OR_MORE OR_FEWER]").match(right)):
        bound = replace(bound, relation=worded_relation(post.group()))  # "two mentions of 'x' at most"
    if negated and not bound.relation and bound.low == bound.high > 1:
        negated, bound = False, replace(bound, relation=Tag.FEWER)  # "don't say it twice"
    if bound.relation == Tag.AT_MOST:
        negated = False  # "try not to use it, twice at most"
    limited = verb is not None and verb.verb == Tag.LIMIT
    found = bound.resolved(negated, bare=Tag.AT_MOST if limited else Tag.EXACTLY)
    if further and isinstance(second, Bound):
        found += second.resolved(negated)  # "at least five times but no more than eight times"
        end = max(end, where + further.end() + 1)
    return [
        Found(KeywordFrequency(text, count, relation), start, end)
        for text in _texts(line, at)
        for count, relation in found
    ]


def _negated_ahead(line: Line, at: int) -> bool:
    """Whether a "not" is shared: "do not use 'a' more than twice, or 'b' more than once"."""
    match = _TIMES_AHEAD.search(line.before(at))
    if match is None:
        return False
    verb = governor(line, at - len(match.group()))
    return Tag.NOT in match.group() or bool(verb and verb.negated)


def _kept(line: Line, at: int, verb: Governor) -> list[Found]:
    behind = line.words_after(at)
    if _HEDGED.match(behind) or _NUMBER_OF.search(line.before(at)):
        return []
    relation = _relation(verb, out=_OUT_BEHIND.match(behind) is not None)
    governing = line.words(verb.start, verb.end)
    if verb.verb == Tag.OFF_LIMITS:
        relation = "keep" if _TOUCHED.search(governing) else relation
    elif verb.verb == Tag.OTHER_VERB and not verb.negated and _EXCHANGED.search(governing):
        passive = verb.end > at + 1 and not _PAST.search(line.words(at + 1, verb.end))
        relation = "remove" if passive or _SOMEHOW.match(behind) else None
    elif verb.verb in (Tag.SAY, Tag.WRITE) and not verb.negated:
        instead = _INSTEAD.search(f"{line.words_before(at)} {behind}")
        if instead or (verb.verb == Tag.SAY and _states(line, verb)):
            relation = "keep"
    return _all(line, at, verb.start, verb.end, relation) if relation else []


def _states(line: Line, verb: Governor) -> bool:
    """Whether "say" is a demand on the text: "it has to say 'x'"; not "a customer says 'x'"."""
    demanded = _MUST_SAY.search(line.words_before(verb.start + 1)) is not None
    return demanded and Tag.KEYWORDS not in line.before(verb.start)


def _relation(verb: Governor, *, out: bool) -> Literal["keep", "remove"] | None:
    if verb.verb in (Tag.KEEP, Tag.USE, Tag.ADD):
        return "remove" if verb.negated or out else "keep"
    if verb.verb in (Tag.AVOID, Tag.CUT, Tag.OFF_LIMITS):
        return "keep" if verb.negated else "remove"
    if verb.verb in (Tag.CHANGE, Tag.IMPROVE, Tag.OTHER_VERB):
        return "keep" if verb.negated else None
    if verb.verb in (Tag.SAY, Tag.WRITE) and verb.negated:
        return "remove"
    return None
