"""Which verb governs an item: the keep, avoid or change that a sentence number or a keyword belongs to.

English shares verbs ("keep sentence 2 and the word 'x'", "do not change or remove 'x'"), puts them behind
("'x' must stay") and turns them round ("avoid altering"). `governor` finds the verb, and whether it is
negated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .bounds import demanded
from .lexicon import Tag
from .patterns import ITEMS, WINDOW, Line, pattern

_PARTS = {
    # What may stand between a verb and its item: other items that share the verb, joined by commas and "and".
    "OTHER_ITEM": """
        (
              [DET EACH IN]{0,2} [DETAIL BOUND SENTENCE WORD ITEM] UNCHANGED?
            | [OTHER ADJ TEXT WORD LENGTH LABEL PART SENTENCE PARAGRAPH EDITS]{1,6}?
        )
        JOINT{1,2}
    """,
    "SHARED": """
        [DET EACH IN TO WITH COLON]{0,4}
        (OTHER_ITEM ([DET EACH IN LABEL]{0,3} OTHER_ITEM)*+ [DET EACH IN LABEL]{0,3})?
    """,
    "NEGATION": """
        ([NOT WITHOUT NO] | AVOID (?=[AUX TO]? [CHANGE USE SAY IMPROVE ADD KEEP AVOID WRITE]))
        [AUX DET ENSURE TO]{0,3}
    """,
    "VERB": """
        [KEEP CHANGE IMPROVE USE AVOID CUT SAY OTHER_VERB OFF_LIMITS LIMIT ADD WRITE START END EXPAND MATCH]
    """,
    # Behind an item: others that share its verb; "…, which the client wrote, …"; "… are quoted in the text
    # and …"; "… at the bottom have to stay"
    "ALSO": "(JOINT{1,2} [DET EACH IN]* (ITEM | OTHER{1,2}))*",
    "ASIDE": "COMMA [^REFERENCE BOUND COMMA COLON]{1,10} COMMA",
    "CLAUSE": """
        [AUX REMAIN HAVE WITH OTHER USE SAY WRITE] [^BOUND COMMA COLON AND BUT ITEM]{1,12}
        [COMMA AND BUT]{1,2}
    """,
    "PLACE": "(IN | DET (?=DET)) [DET EACH ADJ TEXT ORDINAL LAST]{0,3} [OTHER TEXT PART PARAGRAPH]",
    "AUXILIARIES": "[AUX ENSURE DET EACH ONLY TO]*",
    "CLAUSE_END": "(?=DET? ([PER_SENTENCE IN FREQUENCY BREAK] | $))",
}

_LEFT = pattern(
    """
    (negation: NEGATION)?
    (
        (?<=[NOT WITHOUT NO AUX DET ENSURE TO AVOID CHANGE CUT])
        (alternative: (VERB | BOUND) [^COMMA COLON BUT NOT WITHOUT]{0,10}? OR [AUX DET]*)
    )?
    (verb: VERB) (path: SHARED) $
    """,
    **_PARTS,
)
# "make no changes to …", "no changes may be made in …"; "change nothing in …", "nothing may be changed in …"
_CHANGES = pattern(
    """
      (negation: [NOT WITHOUT NO AVOID]) [AUX ENSURE WRITE DET OTHER USE ADD]{0,4} [DET EACH]* EDITS
      ([AUX ENSURE]+ OTHER)? [TO IN DET EACH]{0,3} SHARED $
    | (CHANGE [DET EACH]* NOTHING | NOTHING [AUX ENSURE]* CHANGE) IN [DET EACH]{0,2} $
    """,
    **_PARTS,
)
# "change anything except sentence 2 and the word 'x'"
_SPARED = pattern("""
    (negation: [NOT WITHOUT NO] [AUX ENSURE]{0,3})? [CHANGE IMPROVE] [^COMMA BUT NOT WITHOUT]{0,6} COMMA?
    EXCEPT [DET EACH IN LABEL]{0,3} (ITEM JOINT{1,2} [DET EACH IN LABEL]{0,3})* $
    """)
# "no 'x'", "without 'x'", "I don't want 'x' in it", "we can't have 'x'"
_BARE = pattern("""
    (negation: [NO WITHOUT NOT])
    ([DET EACH IN LABEL TIMES]{0,3} | [AUX ENSURE]{0,3} HAVE? [DET EACH]{0,3} TIMES? DET?)
    (KEYWORDS JOINT{1,2} [DET EACH LABEL]{0,2})* $
    """)
# "the listing needs the words 'x' and 'y'"
_WANTED = pattern("ENSURE [DET EACH]{0,3} $")
_PLAIN = pattern("([BUT FREQUENCY JOINT] | IN | $)")
# "what has to go is 'x'", "the words to avoid are 'x' and 'y'"
_CLEFT = pattern(
    """
    (negation: NEGATION)? (verb: [KEEP AVOID CHANGE USE REMAIN OFF_LIMITS])
    ([AUX IN]{0,2} (copula: AUX) [DET EACH IN COLON]* | [UNCHANGED IN]* COLON) $
    """,
    **_PARTS,
)
# "exclude sentence 3 from your edits"
_EXEMPT = pattern("DET [DET EACH]* [EDITS TEXT CHANGE]")
_EDITS = ("change", "edit", "revis", "modif", "alter", "rewrit", "correct", "amend")
# "'x' must be in it and 'y' must not (be)": the verb is that of the item before
_ELLIPTIC = pattern("COMMA? [AUX ENSURE]+ (negation: NOT)? [AUX ENSURE]* (?=[BUT JOINT] | $)")
_RIGHT = pattern(
    """
    ALSO PLACE?? ASIDE? CLAUSE?? [COMMA COLON EXACTLY]{0,2}
    (
          (kept: AUXILIARIES REMAIN ([DET IN]* UNCHANGED | CLAUSE_END))
        | (unchanged: AUXILIARIES [OTHER ADJ SAY MORE]{0,2} UNCHANGED)
        | (barred: AUXILIARIES OFF_LIMITS)
        | (negated: AUXILIARIES NOT [AUX ENSURE DET EACH TO]*)
          (not: [CHANGE IMPROVE AVOID USE KEEP SAY REMAIN OTHER_VERB CUT])
        | (aux: [AUX ENSURE] [AUX ENSURE DET EACH ONLY TO]*)
          (verb: [CHANGE IMPROVE AVOID USE KEEP SAY OTHER_VERB ADD])
        | [COMMA COLON]{1,2} AUX* (order: KEEP) UNCHANGED? CLAUSE_END
        | [COMMA AND BUT]{1,2} [AUX ENSURE]*
          (it: KEEP [TEXT AUX] UNCHANGED? | NOT [AUX ENSURE]* CHANGE [TEXT AUX]) CLAUSE_END
        | (finite: [KEEP USE AVOID CHANGE]) UNCHANGED? CLAUSE_END
        | (wish: TO [AUX ENSURE]* (wished: [CHANGE IMPROVE AVOID USE KEEP])) (UNCHANGED | CLAUSE_END)
        | (absent: NOT [AUX DET]*) (?=[BUT JOINT] | $)
        | [COMMA COLON]{1,2} (no_edits: [NO NOT WITHOUT] [DET EACH]* EDITS)
    )
    """,
    **_PARTS,
)
_TOO = re.compile(r"(?:too|as well)\b")
_REPORTED = re.compile("^(?:appears|occurs|shows up|comes up|is mentioned|is used)$")
_COPULA = ("is", "are", "will be", "would be", "be")
_FINITE = re.compile(
    "kept|left|lost|gone|^in (?:its|their) |ed$|s$|s up$|^(?:is|are|be|get|gets) |^disappear|^vanish|^still"
)


@dataclass(frozen=True, slots=True)
class Governor:
    """A verb by its tag, whether it is negated, and the chunks from the verb to the item's end."""

    verb: str
    negated: bool
    start: int
    end: int
    weak: bool = False
    """Whether a verb behind the item is nearer: another item is between, or it is no real verb."""


def governor(line: Line, at: int) -> Governor | None:
    """The governor of the item at a place: before it, or else behind it, or that of the item before."""
    ahead, after = before(line, at), behind(line, at)
    if after and ahead and ahead.weak:
        return after
    return ahead or after or _elliptic(line, at)


def before(line: Line, at: int) -> Governor | None:
    """The verb before an item."""
    offset = max(0, at - WINDOW)
    left = line.before(at)
    after = pattern("COMMA? UNCHANGED").match(line.after(at))
    end = at + 1 + (after.end() if after else 0)
    if changes := _CHANGES.search(left):
        shared = pattern("JOINT").search(changes.group()) is not None
        return Governor(Tag.CHANGE, True, offset + changes.start(), end, weak=shared)
    if match := _SPARED.search(left):
        return None if match["negation"] else Governor(Tag.KEEP, False, offset + match.start(), end)
    if match := _LEFT.search(left):
        # "make 'x' disappear" has its verb behind the item.
        if match["verb"] == Tag.AVOID and (exempt := _exempt(line, at)):
            return Governor(Tag.KEEP, bool(match["negation"]), offset + match.start(), end + exempt)
        weak = match["verb"] == Tag.WRITE or pattern("JOINT").search(match["path"]) is not None
        return Governor(match["verb"], bool(match["negation"]), offset + match.start(), end, weak)
    if line.tags[at] == Tag.KEYWORDS and (match := _BARE.search(left)):
        return Governor(Tag.AVOID, False, offset + match.start(), end, weak=True)
    if line.tags[at] == Tag.KEYWORDS and (match := _WANTED.search(left)) and _PLAIN.match(line.after(at)):
        return Governor(Tag.USE, False, offset + match.start(), end, weak=True)
    if (match := _CLEFT.search(left)) and (
        not match["copula"] or line.chunks[offset + match.start("copula")].text in _COPULA
    ):
        verb = Tag.KEEP if match["verb"] == Tag.REMAIN else match["verb"]
        return Governor(verb, bool(match["negation"]), offset + match.start(), end)
    return None


def _exempt(line: Line, at: int) -> int:
    """How many chunks behind a sentence say that it is the edits that it is kept from."""
    match = _EXEMPT.match(line.after(at)) if line.tags[at] == Tag.REFERENCE else None
    return match.end() if match and line.chunks[at + match.end()].text.startswith(_EDITS) else 0


def behind(line: Line, at: int) -> Governor | None:
    """The predicate behind an item."""
    match = _RIGHT.match(line.after(at))
    if match is None:
        return None
    end = at + 1 + match.end()
    # "Neither the 2nd nor the 4th sentence should be changed", "I don't want the names to change"
    denied = pattern("([NOT NO] | NOTHING IN) [AUX ENSURE]* [DET EACH]* $").search(line.before(at))
    start = at - (denied.end() - denied.start()) if denied else at
    negated = denied is not None
    if match["kept"] or match["unchanged"]:
        return Governor(Tag.KEEP, negated, start, end)
    if match["it"]:
        return Governor(Tag.KEEP, False, start, end)
    if match["barred"] or match["absent"]:
        return Governor(Tag.OFF_LIMITS, False, at, end)
    if match["no_edits"]:
        return Governor(Tag.CHANGE, True, at, end)
    if match["not"]:
        if match["not"] == Tag.CUT and not line.chunks[end - 1].text.startswith(("cut", "trim")):
            return None
        verb = Tag.KEEP if match["not"] == Tag.REMAIN else match["not"]
        return Governor(verb, True, at, end)
    if finite := match["finite"]:
        # "with 'x' kept", "make sure that 'x' appears"; a bare "'x' keep" is no predicate.
        text = line.chunks[at + 1 + match.start("finite")].text
        if not negated and not _FINITE.search(text):
            return None
        if _REPORTED.search(text) and not demanded(line.words_before(at)):
            return None  # "the phrase 'x' appears in sentence 4" tells how it is
        return Governor(finite, negated, start, end)
    wanted = pattern("[ENSURE NOT NO] [AUX ENSURE]* [DET EACH]* $")
    if match["wish"] and not wanted.search(line.before(at)):
        return None
    return Governor(match["verb"] or match["order"] or match["wished"], negated, start, end)


def _elliptic(line: Line, at: int) -> Governor | None:
    """The governor that an item takes over from the one before it, as it is or turned round."""
    elided = _ELLIPTIC.match(line.after(at))
    likewise = pattern("LIKEWISE [DET EACH]* $").search(line.before(at))
    too = _TOO.match(line.words(at + 1, at + 3))
    if not elided and not likewise and not too:
        return None
    for place, end in ((line, at), (line.ahead, len(line.ahead.chunks) if line.ahead else 0)):
        if place is None or (place is not line and not likewise):
            continue
        for earlier in range(end - 1, max(-1, end - WINDOW), -1):
            if place.tags[earlier] in ITEMS:
                found = before(place, earlier) or behind(place, earlier)
                if found is None:
                    return None
                negated = found.negated if likewise or too else not found.negated
                start = at - len(likewise.group()) if likewise else at
                return Governor(found.verb, negated, start, at + 1 + (elided.end() if elided else 0))
    return None
