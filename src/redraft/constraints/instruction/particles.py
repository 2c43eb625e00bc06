"""Verbs that are parted from their particle: "take 'x' out", "leave it out", "work 'x' in"."""

from __future__ import annotations

import re
from dataclasses import replace

from .chunks import Line

_PARTED = re.compile(
    r"(?P<verb>[KCDAWxU+])(?:[dewl]{0,3}Q|[zv])(?P<particle>[xiD])(?=i?[zPdv]*(?:[,&|b]|$)|F)"
)
_OUT = re.compile(
    r"(?:take|taking|leave|leaving|cut|cutting|strike|throw|cross|rule|edit|get|keep|chuck|toss|write)$"
)
_IN = re.compile(r"(?:work|put|slip|get|squeeze|weave|fit|leave|write|sneak|keep|throw|bring|have)$")


def tag_particles(line: Line) -> Line:
    """The line with such verbs under the tag that they have together with their particle."""
    chunks = list(line.chunks)
    for match in _PARTED.finditer(line.tags):
        verb, particle = chunks[match.start("verb")], chunks[match.start("particle")]
        if particle.text == "out" and _OUT.match(verb.text):
            tag = "D"
        elif particle.text in ("in", "into", "back in") and _IN.match(verb.text):
            tag = "U"
        else:
            continue
        chunks[match.start("verb")] = replace(verb, tag=tag)
        chunks[match.start("particle")] = replace(particle, tag="d")
    return replace(line, chunks=tuple(chunks))
