"""What is left of an instruction when the constraints are taken out: its style part, tidied."""

from __future__ import annotations

import re
from collections.abc import Sequence

from redraft.text import tagged, word_sets

from .lexicon import Tag
from .patterns import BREAKS, Found, Line, pattern, tags

_SOFT = tags(
    "AUX ENSURE DET TEXT EACH HAVE USE ONLY WITH IN TO LENGTH ADJ UNIT CUT LIMIT KEEP REMAIN WRITE UNCHANGED"
    " EXPAND PER_SENTENCE NUMBER_SIGN NOT BREAK START END BETWEEN TIMES"
)
"""Tags that carry no wish of their own: a clause that is nothing else goes with its constraint."""
_SOFT_WORDS = word_sets("redraft.constraints")["no_wish"]
_ORDER = re.compile(
    r"(?:(?:please|then|and|also|but|just|try to|,) )*"
    r"(?:split\b|(?:turn|convert|make|write)\b.* (?:into|as|to) (?:an?|the) )"
)
_PLAIN = re.compile(r"(?i)\b(?:plain|simple) (?:english|language|words)\b")
"""Adjectives that are a wish with their nouns."""
_SUBJECT = pattern("""
    [BUT ENSURE JOINT]* [DET EACH]* [OTHER ADJ]{1,2} [AUX ENSURE HAVE USE REMAIN]+ [DET EACH IN TO]*
    """)
_LOOSE_AHEAD = pattern("BREAK+")
_LOOSE_BEHIND = pattern("[BREAK WITH TO IN EACH ONLY ENSURE DET]* AUX? $")
_VERBS = "KEEP CHANGE IMPROVE USE AVOID CUT SAY ADD WRITE MATCH EXPAND LIMIT START END OTHER_VERB"
_LEAD = pattern(f"(negation: [AUX ENSURE]* [NOT NO WITHOUT])? [AUX ENSURE TO]* [{_VERBS}]?")
"""What governs an item: "do not touch", "without", "keep"."""
_CLAUSE = re.compile(r"[,;:]| (?:and|or) ")
_MORE = re.compile(r"(?:a (?:bit|little|lot) )?(?:more|less|better|much|slightly|somewhat)\b", re.IGNORECASE)
_LISTED = re.compile(r"\A(?:(?:the|my|our|any|all) )?[\w'’-]+(?: [\w'’-]+)?,? (?:and|or|nor) ")
"""A list that goes on behind a comma: "no 'x', slang or jargon"."""
_GOES_ON = pattern(
    f"(joint: JOINT+) ((verb: [{_VERBS}]) | (named: [DET EACH]) | (?=[OTHER ADJ LABEL TEXT PART]))"
)
"""What is governed with it: "… or the dialect", "… and slang"."""


def remainder(text: str, lines: Sequence[Line], found: Sequence[Sequence[Found]]) -> str:
    """The words that no constraint took, line by line."""
    taken = {
        chunk.start
        for line, items in zip(lines, found, strict=True)
        for item in items
        if not item.partial
        for chunk in line.chunks[item.start : item.end]
        if chunk.start >= line.own or _bare_heading(line)
    }
    parts: list[str] = []
    for index, line in enumerate(lines):
        left = _left(text, line, taken, found[index])
        if not left:
            continue
        parts.append(left)
        following = lines[index + 1].own if index + 1 < len(lines) else len(text)
        stop = re.match(r"\s*([.;!?…:]+)", text[line.chunks[-1].end : max(following, line.chunks[-1].end)])
        if left.rstrip("\"'”’»").endswith(tuple(".;!?…:")):
            continue
        if stop:
            parts[-1] += stop.group(1)
        elif index + 1 < len(lines) and not left.endswith(","):
            parts[-1] += "."
    whole = " ".join(" ".join(parts).split())
    return whole if whole.endswith("...") else whole.rstrip(" .;:,")


def _bare_heading(line: Line) -> bool:
    """Whether the heading of a list item says nothing but its verb ("Avoid:")."""
    return all(chunk.tag != Tag.OTHER for chunk in line.chunks if chunk.start < line.own)


def _left(text: str, line: Line, taken: set[int], found: Sequence[Found]) -> str:
    own = [index for index, chunk in enumerate(line.chunks) if chunk.start >= line.own]
    covered = [chunk.start in taken or chunk.start < line.own for chunk in line.chunks]
    if not any(covered[index] for index in own):
        return text[line.chunks[own[0]].start : line.chunks[-1].end].strip()
    kept: list[tuple[int, int]] = []
    for start, end in _clauses(line, covered):
        inside = [index for index in range(start, end) if not covered[index]]
        part_taken = len(inside) < end - start
        if all(_soft(line, index) for index in inside) and (part_taken or not _is_wish(line, inside)):
            continue
        if part_taken and _SUBJECT.fullmatch("".join(line.tags[index] for index in inside)):
            continue  # "The description must": only what the constraint is about
        kept += [(index, index + 1) for index in inside]
    parts: list[str] = []
    for start, end in _runs(line, covered, kept):
        if said := _tidy(text, line, start, end):
            shared = _shared(text, line, found, start, said)
            parts.append(f"{shared} {said}" if shared else said)
    return ", ".join(part.rstrip(" ,:;") for part in parts)


def _shared(text: str, line: Line, found: Sequence[Found], start: int, said: str) -> str:
    """What governs a run, and stands with the constraint ahead: "never use" of "never use 'x' or slang"."""
    joint = start
    while joint > 0 and line.tags[joint - 1] in BREAKS:
        joint -= 1
    ahead = next((item for item in found if item.start < joint <= item.end), None)
    goes_on = _GOES_ON.match(line.tags, joint)
    if (
        ahead is None
        or goes_on is None
        or _is_apart(goes_on["joint"], said, text[line.chunks[start].start : line.chunks[-1].end])
    ):
        return ""
    first = ahead.start
    while first > 0 and line.tags[first - 1] == Tag.AUX:  # the "do" of "don't"
        first -= 1
    lead = _LEAD.match(line.tags, first, ahead.end)
    end = lead.end() if lead else first
    if lead and goes_on["verb"]:  # "don't change the names or shorten the text"
        end = lead.end("negation") if lead["negation"] and Tag.OR in goes_on["joint"] else first
    elif Tag.OR not in goes_on["joint"] and not goes_on["named"] and not _is_noun(said):
        return ""  # "no semicolons, and sound confident"
    return text[line.chunks[first].start : line.chunks[end - 1].end] if end > first else ""


def _is_apart(joint: str, said: str, rest: str) -> bool:
    """Whether words behind a demand go on with none of it: "no emojis, the client is old"."""
    words = tagged(_CLAUSE.split(said)[0])
    if not words or _MORE.match(said) or words[0].tag in ("JJR", "RBR", "PRP"):
        return True
    is_clause = any(word.tag in ("VBZ", "VBP", "VBD", "MD") for word in words[1:]) and (
        words[0].tag in ("DT", "PRP$") or joint.strip(Tag.COMMA) == ""
    )
    goes_on = Tag.AND in joint or Tag.OR in joint or _LISTED.match(rest.lstrip(" ,")) is not None
    return is_clause or not goes_on


def _is_noun(said: str) -> bool:
    """Whether words name something, and ask for nothing themselves."""
    words = tagged(_CLAUSE.split(said)[0])
    return bool(words) and not words[0].tag.startswith(("VB", "PRP")) and words[-1].tag.startswith("NN")


def _soft(line: Line, index: int) -> bool:
    chunk = line.chunks[index]
    return chunk.tag in _SOFT or chunk.text in _SOFT_WORDS


def _is_wish(line: Line, inside: Sequence[int]) -> bool:
    """Whether a clause that no constraint took asks for something: "turn it into a poem", "plain English"."""
    words = " ".join(line.chunks[index].text for index in inside)
    return _ORDER.match(words) is not None or _PLAIN.search(words) is not None


def _clauses(line: Line, covered: list[bool]) -> list[tuple[int, int]]:
    starts = [0]
    for index, chunk in enumerate(line.chunks):
        if chunk.tag in BREAKS and not covered[index] and index > starts[-1]:
            starts.append(index)
    return list(zip(starts, [*starts[1:], len(line.chunks)], strict=True))


def _runs(line: Line, covered: Sequence[bool], pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pieces, those as one between which stands nothing, or nothing but a comma or an "and"."""
    runs: list[tuple[int, int]] = []
    for start, end in pieces:
        if runs and all(line.tags[at] in BREAKS and not covered[at] for at in range(runs[-1][1], start)):
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return runs


def _tidy(text: str, line: Line, start: int, end: int) -> str:
    """The words of a run without the commas and conjunctions that hang at its ends."""
    if start > 0 and (loose := _LOOSE_AHEAD.match(line.tags, start, end)):
        start = loose.end()
    if end < len(line.chunks) and (loose := _LOOSE_BEHIND.search(line.tags, start, end)):
        end = loose.start()
    if all(line.tags[index] in BREAKS for index in range(start, end)):
        return ""
    return text[line.chunks[start].start : line.chunks[end - 1].end]
