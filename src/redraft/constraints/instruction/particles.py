"""Words whose place decides their tag: "take 'x' out", "work 'x' in"; "Besides, …", "nothing besides …"."""

from __future__ import annotations

import re
from dataclasses import replace

from .chunks import Chunk, Line, fold, joined

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
