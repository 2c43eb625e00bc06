"""Which verb governs an item: the keep, avoid or change that a sentence number or a keyword belongs to.

English shares verbs ("keep sentence 2 and the word 'x'", "do not change or remove 'x'"), puts them behind
("'x' must stay") and turns them round ("avoid altering"). `governor` finds the verb, and whether it is
negated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .chunks import WINDOW, Line

# What may stand between a verb and its item: other items that share the verb, joined by commas and "and".
_SHARED = r"[dei2h:]{0,4}(?:(?:[dei]{0,2}[RQENBsw]u?|[xjzwklPsga]{1,6}?)[,&|]{1,2}[deil]{0,3})*"
_NOT = r"(?:[!\-0]|D(?=[v2]?[AUYI+KDW]))[vdm2]{0,3}"
_VERB = "[KAIUDCYV8H+WTJGM]"

_LEFT = re.compile(
    rf"(?P<negation>{_NOT})?(?:(?<=[!\-0vdm2D])(?P<alternative>{_VERB}[^,:b]{{0,10}}?\|[vd]*))?(?P<verb>{_VERB})(?P<path>{_SHARED})$"
)
_CHANGES = re.compile(rf"(?P<negation>[!\-0D])[vmWd]{{0,3}}[de]*a[2ide]{{0,3}}{_SHARED}$")
_BARE = re.compile(r"(?P<negation>[0\-!])[deilt]{0,3}(?:Q[,&|]{1,2}[del]{0,2})*$")

_ALSO = r"(?:[,&|]{1,2}[dei]*(?:[RQE]|x{1,2}))*"
_AUX = r"[vmdeL2]*"
_END = r"(?=[,:&|b%i]|$)"
_RIGHT = re.compile(
    rf"{_ALSO}(?:v[dxj!]{{1,4}}[,&b]{{1,2}})?[,:=]{{0,2}}(?:"
    rf"(?P<kept>{_AUX}(?:y(?:[di]*u|{_END})|[xj]{{0,2}}u))"
    rf"|(?P<barred>{_AUX}8)"
    rf"|(?P<negated>{_AUX}![vmde2]*)(?P<not>[AIDUKYyV])"
    rf"|(?P<aux>[vm][vmdeL2]*)(?P<verb>[AIDUKY+])"
    rf"|[,:]{{1,2}}[v]*(?P<order>K)u?{_END}"
    rf"|[,&b]{{1,2}}[vm]*(?P<it>K[zv]u?|![vm]*A[zv]){_END}"
    rf"|(?P<finite>[KUDA])u?{_END}"
    r")"
)


@dataclass(frozen=True, slots=True)
class Governor:
    """A verb by its tag, whether it is negated, and the chunks from the verb to the item's end."""

    verb: str
    negated: bool
    start: int
    end: int
    shared: bool = False
    """Whether another item stands between."""


def governor(line: Line, at: int) -> Governor | None:
    """The governor of the item at a place: before it, or else behind it."""
    ahead, after = before(line, at), behind(line, at)
    # A verb of its own behind an item is nearer than one that it would have to share with another.
    # So is one behind "make": "make 'x' disappear".
    return after if after and ahead and (ahead.shared or ahead.verb == "W") else ahead or after


def before(line: Line, at: int) -> Governor | None:
    """The verb before an item."""
    offset = max(0, at - WINDOW)
    left = line.tags[offset:at]
    after = re.match("[,]?u", line.tags[at + 1 : at + 3])
    end = at + 1 + (after.end() if after else 0)
    if changes := _CHANGES.search(left):
        return Governor("A", True, offset + changes.start(), end)
    if match := _LEFT.search(left):
        shared = re.search("[,&|]", match["path"]) is not None
        return Governor(match["verb"], bool(match["negation"]), offset + match.start(), end, shared)
    if line.tags[at] == "Q" and (match := _BARE.search(left)):
        return Governor("D", False, offset + match.start(), end, "Q" in match.group())
    return None


def behind(line: Line, at: int) -> Governor | None:
    """The predicate behind an item."""
    right = line.tags[at + 1 : at + 1 + WINDOW]
    match = _RIGHT.match(right)
    if match is None:
        return None
    end = at + 1 + match.end()
    if match["kept"] is not None or match["it"]:
        return Governor("K", False, at, end)
    if match["barred"] is not None:
        return Governor("8", False, at, end)
    if match["not"]:
        verb = "K" if match["not"] == "y" else match["not"]
        return Governor(verb, True, at, end)
    if finite := match["finite"]:
        # "with 'x' kept", "make sure that 'x' appears"; a bare "'x' keep" is no predicate.
        if not re.search(
            "kept|ed$|s$|^(?:is|are) |^disappear|^vanish", line.chunks[at + 1 + match.start("finite")].text
        ):
            return None
        return Governor(finite, False, at, end)
    # "Neither the 2nd nor the 4th sentence should be changed."
    neither = re.search("[!0][de]*$", line.before(at, 4))
    start = at - (neither.end() - neither.start()) if neither else at
    return Governor(match["verb"] or match["order"], neither is not None, start, end)
