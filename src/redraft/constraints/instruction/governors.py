"""Which verb governs an item: the keep, avoid or change that a sentence number or a keyword belongs to.

English shares verbs ("keep sentence 2 and the word 'x'", "do not change or remove 'x'"), puts them behind
("'x' must stay") and turns them round ("avoid altering"). `governor` finds the verb, and whether it is
negated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from redraft.constraints.instruction.bounds import demanded
from redraft.constraints.instruction.chunks import WINDOW, Line

# What may stand between a verb and its item: other items that share the verb, joined by commas and "and".
_ITEM = r"(?:[dei]{0,2}[RQENBsw]u?|[xjzwklPsga]{1,6}?)[,&|]{1,2}"
_SHARED = rf"[dei2h:]{{0,4}}(?:{_ITEM}(?:[deil]{{0,3}}{_ITEM})*+[deil]{{0,3}})?"
_NOT = r"(?:[!\-0]|D(?=[v2]?[AUYI+KDW]))[vdm2]{0,3}"
_VERB = "[KAIUDCYV8H+WTJGM]"

_LEFT = re.compile(
    rf"(?P<negation>{_NOT})?(?:(?<=[!\-0vdm2DAC])(?P<alternative>(?:{_VERB}|B)[^,:b!\-]{{0,10}}?\|[vd]*))?"
    rf"(?P<verb>{_VERB})(?P<path>{_SHARED})$"
)
# "make no changes to …", "no changes may be made in …"; "change nothing in …", "nothing may be changed in …"
_CHANGES = re.compile(
    rf"(?P<negation>[!\-0D])[vmWdxU+]{{0,4}}[de]*a(?:[vm]+x)?[2ide]{{0,3}}{_SHARED}$|(?:A[de]*Z|Z[vm]*A)i[de]{{0,2}}$"
)
# "change anything except sentence 2 and the word 'x'"
_SPARED = re.compile(
    r"(?P<negation>[!\-0][vm]{0,3})?[AI][^,b!\-]{0,6}[,]?X[deil]{0,3}(?:[RQE][,&|]{1,2}[deil]{0,3})*$"
)
# "no 'x'", "without 'x'", "I don't want 'x' in it", "we can't have 'x'"
_BARE = re.compile(
    r"(?P<negation>[0\-!])(?:[deilt]{0,3}|[vm]{0,3}O?[de]{0,3}t?d?)(?:Q[,&|]{1,2}[del]{0,2})*$"
)
# "the listing needs the words 'x' and 'y'"
_WANTED = re.compile(r"m[de]{0,3}$")
_PLAIN = re.compile(r"(?:[,&|bF]|i|$)")
# "what has to go is 'x'", "the words to avoid are 'x' and 'y'"
_CLEFT = re.compile(rf"(?P<negation>{_NOT})?(?P<verb>[KDAUy8])(?:[vi]{{0,2}}(?P<copula>v)[dei:]*|[ui]*:)$")
_ALSO = r"(?:[,&|]{1,2}[dei]*(?:[RQE]|x{1,2}))*"
_AUX = r"[vmdeL2]*"
_END = r"(?=d?(?:[,:&|b%iF]|$))"
# "exclude sentence 3 from your edits"
_EXEMPT = re.compile("d[de]*[azA]")
_EDITS = ("change", "edit", "revis", "modif", "alter", "rewrit", "correct", "amend")
# "'x' must be in it and 'y' must not (be)": the verb is that of the item before
_ELLIPTIC = re.compile(r",?[vm]+(?P<negation>!)?[vm]*(?=[,&|b]|$)")
# "…, which the client wrote, …"; "… are quoted in the contract and …"
_ASIDE = r",[^RB,:]{1,10},"
_FIRST = r"[vyOhxUYW][^RQEB,:&b]{1,12}[,&b]{1,2}"
# "the links at the bottom have to stay"
_PLACE = r"(?:i|d(?=d))[dejzo9]{0,3}[xzPg]"
_RIGHT = re.compile(
    rf"{_ALSO}(?:{_PLACE})??(?:{_ASIDE})?(?:{_FIRST})??[,:=]{{0,2}}(?:"
    rf"(?P<kept>{_AUX}(?:y(?:[di]*u|{_END})|[xjY>]{{0,2}}u))"
    rf"|(?P<barred>{_AUX}8)"
    rf"|(?P<negated>{_AUX}![vmde2]*)(?P<not>[AIDUKYyVC])"
    rf"|(?P<aux>[vm][vmdeL2]*)(?P<verb>[AIDUKYV+])"
    rf"|[,:]{{1,2}}[v]*(?P<order>K)u?{_END}"
    rf"|[,&b]{{1,2}}[vm]*(?P<it>K[zv]u?|![vm]*A[zv]){_END}"
    rf"|(?P<finite>[KUDA])u?{_END}"
    rf"|(?P<wish>2[vm]*(?P<wished>[AIDUK]))(?:u|{_END})"
    r"|(?P<absent>![vd]*)(?=[,&|b]|$)"
    r"|[,:]{1,2}(?P<unchanged>[0!\-][de]*a)"
    r")"
)
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
    after = re.match("[,]?u", line.after(at))
    end = at + 1 + (after.end() if after else 0)
    if changes := _CHANGES.search(left):
        shared = re.search("[,&|]", changes.group()) is not None
        return Governor("A", True, offset + changes.start(), end, weak=shared)
    if match := _SPARED.search(left):
        return None if match["negation"] else Governor("K", False, offset + match.start(), end)
    if match := _LEFT.search(left):
        # "make 'x' disappear" has its verb behind the item.
        if match["verb"] == "D" and (exempt := _exempt(line, at)):
            return Governor("K", bool(match["negation"]), offset + match.start(), end + exempt)
        weak = match["verb"] == "W" or re.search("[,&|]", match["path"]) is not None
        return Governor(match["verb"], bool(match["negation"]), offset + match.start(), end, weak)
    if line.tags[at] == "Q" and (match := _BARE.search(left)):
        return Governor("D", False, offset + match.start(), end, weak=True)
    if line.tags[at] == "Q" and (match := _WANTED.search(left)) and _PLAIN.match(line.after(at)):
        return Governor("U", False, offset + match.start(), end, weak=True)
    if (match := _CLEFT.search(left)) and (
        not match["copula"] or line.chunks[offset + match.start("copula")].text in _COPULA
    ):
        verb = "K" if match["verb"] == "y" else match["verb"]
        return Governor(verb, bool(match["negation"]), offset + match.start(), end)
    return None


def _exempt(line: Line, at: int) -> int:
    """How many chunks behind a sentence say that it is the edits that it is kept from."""
    match = _EXEMPT.match(line.after(at)) if line.tags[at] == "R" else None
    return match.end() if match and line.chunks[at + match.end()].text.startswith(_EDITS) else 0


def behind(line: Line, at: int) -> Governor | None:
    """The predicate behind an item."""
    match = _RIGHT.match(line.after(at))
    if match is None:
        return None
    end = at + 1 + match.end()
    # "Neither the 2nd nor the 4th sentence should be changed", "I don't want the names to change"
    denied = re.search("(?:[!0]|Zi)[vm]*[de]*$", line.before(at))
    start = at - (denied.end() - denied.start()) if denied else at
    negated = denied is not None
    if match["kept"] is not None or match["it"]:
        return Governor("K", negated and match["kept"] is not None, start, end)
    if match["barred"] is not None or match["absent"] is not None:
        return Governor("8", False, at, end)
    if match["unchanged"]:
        return Governor("A", True, at, end)
    if match["not"]:
        if match["not"] == "C" and not line.chunks[end - 1].text.startswith(("cut", "trim")):
            return None
        verb = "K" if match["not"] == "y" else match["not"]
        return Governor(verb, True, at, end)
    if finite := match["finite"]:
        # "with 'x' kept", "make sure that 'x' appears"; a bare "'x' keep" is no predicate.
        text = line.chunks[at + 1 + match.start("finite")].text
        if not negated and not _FINITE.search(text):
            return None
        if _REPORTED.search(text) and not demanded(line.words_before(at)):
            return None  # "the phrase 'x' appears in sentence 4" tells how it is
        return Governor(finite, negated, start, end)
    if match["wish"] and not re.search("[m!0][vm]*[de]*$", line.before(at)):
        return None
    return Governor(match["verb"] or match["order"] or match["wished"], negated, start, end)


def _elliptic(line: Line, at: int) -> Governor | None:
    """The governor that an item takes over from the one before it, as it is or turned round."""
    said = _ELLIPTIC.match(line.after(at))
    likewise = re.search("6[de]*$", line.before(at))
    if not said and not likewise:
        return None
    for place, end in ((line, at), (line.ahead, len(line.ahead.chunks) if line.ahead else 0)):
        if place is None or (place is not line and not likewise):
            continue
        for earlier in range(end - 1, max(-1, end - WINDOW), -1):
            if place.tags[earlier] in "RQE":
                found = before(place, earlier) or behind(place, earlier)
                if found is None:
                    return None
                negated = found.negated if likewise else not found.negated
                start = at - len(likewise.group()) if likewise else at
                return Governor(found.verb, negated, start, at + 1 + (said.end() if said else 0))
    return None
