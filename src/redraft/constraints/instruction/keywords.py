"""Words and phrases that must stay, must go or must occur so often; what the text starts and ends with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from redraft.constraints.instruction.bounds import Bound, opposite, quantity, said
from redraft.constraints.instruction.chunks import WINDOW, Chunk, Found, Line, fold, joined
from redraft.constraints.instruction.governors import Governor, governor
from redraft.constraints.kinds import EndsWith, Keyword, KeywordFrequency, StartsWith

_PARTED = re.compile(
    r"(?P<verb>[KCDAWxU+])(?:[dewl]{0,3}Q|[zv])(?P<particle>[xiD])(?=i?[zPdv]*(?:[,:&|b]|$)|F)"
)
# "go over the text", which is no "go over 300 words"
_READ = re.compile(r">(?=[deL]{0,2}[szo9])")
_OUT = re.compile(
    r"(?:take|taking|leave|leaving|cut|cutting|strike|throw|cross|rule|edit|get|keep|chuck|toss|write)$"
)
_IN = re.compile(r"(?:work|put|slip|get|squeeze|weave|fit|leave|write|sneak|keep|throw|bring|have)$")
# "Besides, …", "Apart from that, …", "On top of that, …": one more demand, and no exception
_OPENING = re.compile(r"(?:^|(?<=[,&|b:]))[^,|b:]{1,5}(?=[,:])")
_ADDS = re.compile(
    r"besides|further|as well|likewise|similarly|what(?: i|')s more"
    r"|(?:besides|in addition to|on top of|beyond|apart from|aside from|other than) "
    r"(?:all )?(?:this|that|it|these|those|the above)"
)


def fold_additions(line: Line) -> Line:
    """The line with the openings that only add a demand to those before as an "and"."""
    return fold(line, _OPENING, _added)


def _added(line: Line, match: re.Match[str]) -> Chunk | None:
    if not _ADDS.fullmatch(line.words(match.start(), match.end())):
        return None
    return joined(line, match.start(), match.end(), "&", None)


def tag_particles(line: Line) -> Line:
    """The line with such verbs under the tag that they have together with their particle."""
    chunks = list(line.chunks)
    for match in _PARTED.finditer(line.tags):
        verb, particle = chunks[match.start("verb")], chunks[match.start("particle")]
        if particle.text in ("out", "away") and _OUT.match(verb.text):
            tag = "D"
        elif particle.text in ("in", "into", "back in") and _IN.match(verb.text):
            tag = "U"
        else:
            continue
        chunks[match.start("verb")] = replace(verb, tag=tag)
        chunks[match.start("particle")] = replace(particle, tag="d")
    for match in _READ.finditer(line.tags):
        if chunks[match.start()].text in ("go over", "going over"):
            chunks[match.start()] = replace(chunks[match.start()], tag="I")
    return replace(line, chunks=tuple(chunks))


_LABEL = re.compile(r"\b(?:word|term|phrase|name|keyword|expression|acronym|abbreviation|buzzword)(s?)$")
_SAY = re.compile(r"(?:![vd]*|D)Y$")
_WORDS = """
    me him her us them myself himself herself yourself one ones
    a about above alone an and anything are as at being below but by can choice choices count counts do
    document does everything exactly fewer for form from goodbye has have hello here how i if in is it
    itself length less level like limit limits long max maximum may min minimum more must no not nothing
    of on or order paper per please processor sheet should so something such than thank that the
    themselves there they thing things this to unchanged usage use used we what when where which who whose
    why will with yes you altogether entirely completely everywhere anywhere throughout again instead
    only once twice somewhere too wherever out away already now
"""
_NO_KEYWORDS = frozenset(_WORDS.split())
_WORD = re.compile(r"[^\W_][\w'’&.+-]*[\w+#]|[^\W_]")
_ARTICLES = frozenset(["the", "these", "those", "following", "any mention of", "use of", "exact"])
_STOP = re.compile(r"$|[,:&|bvuy!hiX8L2F\-DdmU]|[<>{}=]{1,2}d?[nf]|nt|f")
"""What may stand behind such a keyword."""
_LONGEST_PHRASE = 4


def fold_unquoted(line: Line, text: str) -> Line:
    """The line with such keywords as quotations."""
    chunks = list(line.chunks)
    at = 0
    while at < len(chunks):
        label = chunks[at]
        if match := _LABEL.search(label.text) if label.tag in "wl" and _introduced(chunks, at) else None:
            phrase = label.text.startswith(("phrase", "name", "expression"))
            at = _after_label(text, chunks, at + 1, plural=bool(match.group(1)), phrase=phrase)
        elif label.text.startswith("say") and _SAY.search(
            "".join(c.tag for c in chunks[max(0, at - 4) : at + 1])
        ):
            at = _after_label(text, chunks, at + 1, plural=False, phrase=False)
        else:
            at += 1
    return replace(line, chunks=tuple(chunks))


def _introduced(chunks: list[Chunk], at: int) -> bool:
    """Whether a label stands as one: "the word …", "banned words: …"; not "use word counts"."""
    following = "".join(chunk.tag for chunk in chunks[at + 1 : at + 4])
    return re.match("(?:2[DUK])?:", following) is not None or (at > 0 and chunks[at - 1].text in _ARTICLES)


def _after_label(text: str, chunks: list[Chunk], at: int, *, plural: bool, phrase: bool) -> int:
    """Turn the keyword behind a label into a quotation, in place; where to go on."""
    taken: list[int] = []
    ahead = "".join(chunk.tag for chunk in chunks[at : at + 3])
    if plural and (
        heading := re.match("(?:2[DUK])?:", ahead)
    ):  # "banned words: a, b", "words to avoid: a, b"
        at += heading.end()
    index = at
    while index < len(chunks):
        chunk = chunks[index]
        if not _keyword(chunk):
            break
        taken.append(index)
        index += 1
        if phrase and index < len(chunks) and chunks[index].tag == "U":
            break
        if index < len(chunks) and plural and chunks[index].tag in ",&|":
            index += 1 + int(index + 1 < len(chunks) and chunks[index + 1].tag in "&|")
        elif not phrase:
            break
    if not taken or not _STOP.match("".join(chunk.tag for chunk in chunks[index : index + 4])):
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
    if chunk.tag in ",:&|qQnorp<>{}=~[]%^" or not _WORD.fullmatch(chunk.text.split(" ")[0]):
        return False
    if chunk.tag in "kH":
        return False
    return chunk.text not in _NO_KEYWORDS and " " not in chunk.text


def _quotation(text: str, first: Chunk, last: Chunk) -> Chunk:
    return Chunk("q", '"', first.start, last.end, text[first.start : last.end])


# "the words 'a', 'b' and the phrase 'c'"
# and not the second in "avoid 'a', and the word 'b' must stay"
_FURTHER_WORD = r"[,&|]{0,2}(?:[deA]{0,2}[wl][d:]?)?q"
_OWN_CLAUSE = r"(?:[vm]+!?[vm]*[KDUAVY8y]|U[dL]?F|y)"
_GROUP = re.compile(
    r"(?P<governed>(?<=[KDUFAV])|(?<=[KDUFAV]d)|(?<=[KDUFAV]dd))?(?:(?<![nr\[\]j])[wl][d:,]{0,2}|s[d:]{0,2})?q"
    rf"(?:(?(governed)(?!{_FURTHER_WORD}{_OWN_CLAUSE})){_FURTHER_WORD})*"
)
# "the number of times 'x' appears must be at least 3"
_COUNTED = re.compile(
    r"(?<=Q)(?:v?U)?[vmy2]*(?P<negation>![vm]*)?(?P<pre>[<>{}=~])?d?(?P<number>[nr])(?P<post>[\[\]{}])?"
)
_NUMBER_OF = re.compile("kt[de]*$")
_LIMITED = re.compile("[HKC][de]*k?t[de]*$")
_MENTIONS = ("mentions of", "occurrences of", "instances of", "appearances of", "uses of")
_FREQUENCY_BEHIND = re.compile(
    r"(?:[,&|]{1,2}[dei]*Q)*[:,]?[vmdeiL2]*+(?:(?P<negation>!)[vmdeiL]*+)?[UYy]?[vdeiL]{0,3}[xz]{0,1}[i2d]{0,2}[zdi]{0,2}F"
)
_FURTHER = re.compile(r"[,&|b]{1,2}[vmU]{0,2}F(?![de]{0,2}Q)")
_TIMES_AHEAD = re.compile(r"Q[vmdeiL2!UYy]{0,8}F[,&|]{1,2}[de]{0,2}$")
_FREQUENCY_BEFORE = re.compile(r"F[deiU2wl]{0,4}$")
_AFFIX = re.compile(
    r"(?P<negation>[!\-0D][vmd2]*)?(?P<verb>[TJ])(?P<object>[dzxegsR]{0,4})[hdi]{1,2}[dewl]{0,3}$"
)
_FIRST = re.compile(r"(?:o|9)[wlP][vmd]*$")
# "make 'x' the first words", "'x' should be the last thing one reads"
_FIRST_BEHIND = re.compile(r"[vmid]{0,5}(?:o|9)(?=[wlsz])")
_SWAP = re.compile(
    r"[VA][de]{0,3}Q[dix]{0,2}(?P<joint>[hd2i])[de]{0,2}Q|Q[vm]*(?P<passive>V)(?P<by>[hd])[de]{0,2}Q"
)
_EXCHANGED = re.compile("replac|swap|substitut")
_SOMEHOW = re.compile("(?:with|by|for) |everywhere|throughout|wherever|whenever|each time|every time")
_PAST = re.compile(r"\b(?:was|were|been|being)\b")
_TOUCHED = re.compile("touch|hands off")
_INSTEAD = re.compile(r"\b(?:instead|rather than)\b")
_KEYWORDS_OUT = re.compile(r"out\b")
_MUST_SAY = re.compile(
    r"\b(?:must|should(?! i\b| we\b)|shall|has to|have to|needs to|need to|ought to|is to|to it"
    r"|want (?:it|this|the \w+)(?: to)?)(?: \w+){0,2} (?:say|state|spell out|print|display|read)$"
    r"|\b(?:like|love|want|wants|need|hope|expect) to (?:see|read|hear)$"
    r"|\b(?:make|have|let) (?:sure )?(?:it|this|the \w+) (?:say|says|states?)$"
)
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
    quotations = [chunk for chunk in line.chunks[match.start() : match.end()] if chunk.tag == "q"]
    return joined(
        line, match.start(), match.end(), "Q", Keywords(tuple(str(chunk.value) for chunk in quotations))
    )


def _counted(line: Line, match: re.Match[str]) -> Chunk | None:
    at = match.start() - 1
    if not _NUMBER_OF.search(line.before(at)) and not line.words_before(at).endswith(_MENTIONS):
        return None
    relation = said(match["post"], match["pre"])
    if match["negation"]:
        relation = opposite(relation)
        if not relation:
            return None
    elif "2" in match.group():  # "limit the number of times 'x' appears to 3"
        if not _LIMITED.search(line.before(at)):
            return None
        relation = relation or "{"
    bound = quantity(line.chunks[match.start("number")], relation)
    return joined(line, match.start(), match.end(), "F", bound) if bound else None


def keyword_rules(line: Line) -> Iterator[Found]:
    """Every demand on keywords in a line."""
    swapped: set[int] = set()
    for match in _SWAP.finditer(line.tags):
        first, second = match.group().index("Q") + match.start(), match.end() - 1
        verb = line.chunks[match.start("passive") if match["passive"] else match.start()].text
        joint = line.chunks[match.start("by") if match["passive"] else match.start("joint")].text
        if not _swaps(verb, joint) or re.search(r"[!\-][vmd2]*$", line.before(match.start())):
            continue
        # Substitute the new for the old, but replace the old with the new.
        old, new = (second, first) if verb == "substitute" and joint == "for" else (first, second)
        swapped |= {first, second}
        yield from _all(line, old, match.start(), match.end(), "remove")
        yield from _all(line, new, match.start(), match.end(), "keep")
    for at, chunk in enumerate(line.chunks):
        if chunk.tag != "Q" or at in swapped:
            continue
        yield from _affix(line, at) or _frequency(line, at) or _kept(line, at)


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


def _affix(line: Line, at: int) -> list[Found]:
    offset = max(0, at - WINDOW)
    left = line.before(at)
    kind: type[StartsWith | EndsWith] = StartsWith
    if match := _AFFIX.search(left):
        subject = re.split("[,&b]", left[max(0, match.start() - 8) : match.end()])[-1]
        if match["negation"] or re.search("e[d]*[sgP%]|[RPg]", subject):
            return []
        kind = StartsWith if match["verb"] == "T" else EndsWith
    elif match := _FIRST.search(left):
        chunk, noun = line.chunks[offset + match.start()], line.chunks[offset + match.start() + 1]
        if noun.tag == "P" and not noun.text.startswith("line"):
            return []
        if not (chunk.tag == "9" or chunk.value == 1):
            return []
        kind = EndsWith if chunk.tag == "9" else StartsWith
    elif behind := _FIRST_BEHIND.match(line.after(at)):
        chunk = line.chunks[at + behind.end()]
        if not (chunk.tag == "9" or chunk.value == 1):
            return []
        kind = EndsWith if chunk.tag == "9" else StartsWith
        return [Found(kind(text), at, at + 2 + behind.end()) for text in _texts(line, at)[:1]]
    else:
        return []
    return [Found(kind(text), offset + match.start(), at + 1) for text in _texts(line, at)[:1]]


def _frequency(line: Line, at: int) -> list[Found]:
    offset = max(0, at - WINDOW)
    right = line.after(at)
    verb = governor(line, at)
    start, end = (min(verb.start, at), verb.end) if verb else (at, at + 1)
    negated = bool(verb and verb.negated and verb.verb in "UYKW+" and verb.start < at)
    before = _FREQUENCY_BEFORE.search(line.before(at))
    match = _FREQUENCY_BEHIND.match(right)
    if match and "Q" in match.group() and (before or (verb and verb.start < at)):
        match = None  # "avoid 'a', and 'b' should occur twice"
    if match:
        where = at + match.end()
        negated = negated or bool(match["negation"])
        end = where + 1
    elif before:
        where = offset + before.start()
        start = min(start, where)
        negated = re.search(r"[!\-D][vUYW]*$", line.before(where)) is not None
        if verb and verb.verb == "D" and not negated:
            return []
    else:
        return []
    bound = line.chunks[where].value
    if not isinstance(bound, Bound):
        return []
    if verb is None and bound.relation in ("<", ">"):
        negated = negated or _negated_ahead(line, at)
    further = _FURTHER.match(line.after(where)) if where > at else None
    second = line.chunks[where + further.end()].value if further else None
    if where < at and (post := re.match(r",?([{}\[\]])", right)):
        bound = replace(bound, relation=said(post[1]))  # "two mentions of 'x' at most"
    if negated and not bound.relation and bound.low == bound.high > 1:
        negated, bound = False, replace(bound, relation="<")  # "don't say it twice"
    if bound.relation == "{":
        negated = False  # "try not to use it, twice at most"
    limited = bool(verb and verb.verb == "H")
    found = bound.resolved(negated, bare="{" if limited else "=")
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
    return "!" in match.group() or bool(verb and verb.negated)


def _kept(line: Line, at: int) -> list[Found]:
    verb = governor(line, at)
    if verb is None or _NUMBER_OF.search(line.before(at)):
        return []
    behind = line.words_after(at)
    if _HEDGED.match(behind):
        return []
    relation = _relation(verb, out=_KEYWORDS_OUT.match(behind) is not None)
    if verb.verb in "YW" and not verb.negated and _INSTEAD.search(f"{line.words_before(at)} {behind}"):
        relation = "keep"
    if verb.verb == "V" and not verb.negated and _EXCHANGED.search(line.words(verb.start, verb.end)):
        passive = verb.end > at + 1 and not _PAST.search(line.words(at + 1, verb.end))
        relation = "remove" if passive or _SOMEHOW.match(behind) else None
    if verb.verb == "8" and _TOUCHED.search(line.words(verb.start, verb.end)):
        relation = "keep"
    if verb.verb == "Y" and not verb.negated and _states(line, verb):
        relation = "keep"
    return _all(line, at, verb.start, verb.end, relation) if relation else []


def _states(line: Line, verb: Governor) -> bool:
    """Whether "say" is a demand on the text: "it has to say 'x'"; not "a customer says 'x'"."""
    return _MUST_SAY.search(line.words_before(verb.start + 1)) is not None and "Q" not in line.before(
        verb.start
    )


def _relation(verb: Governor, *, out: bool) -> Literal["keep", "remove"] | None:
    if verb.verb in "KU+":
        return "remove" if verb.negated or out else "keep"
    if verb.verb in "DC8":
        return "keep" if verb.negated else "remove"
    if verb.verb in "AIV":
        return "keep" if verb.negated else None
    if verb.verb in "YW" and verb.negated:
        return "remove"
    return None
