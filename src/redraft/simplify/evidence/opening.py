"""Which parsers there are, and from a name to a parser."""

from __future__ import annotations

from typing import Final

from redraft.errors import InputError
from redraft.models import Models
from redraft.simplify.evidence import link
from redraft.simplify.evidence.link import LinkParser
from redraft.simplify.evidence.parsing import Parser
from redraft.simplify.evidence.prompted import PromptedParser
from redraft.simplify.evidence.shallow import ShallowParser

VALID: Final = "auto · link · shallow · a model, such as openai:MODEL"


def check_parser(spec: str) -> None:
    """InputError where a parser cannot be had; a model is only looked for when it is opened."""
    if not spec.strip():
        raise InputError(f"a parser has no name; valid are: {VALID}")
    if spec == "link" and link.program() is None:
        raise InputError(
            f"the parser link needs Link Grammar, and {link.PROGRAM} is not installed"
            " (Debian: apt install link-grammar); valid without it are: auto · shallow · a model"
        )


def open_parser(spec: str, models: Models) -> Parser:
    """`link`, `shallow`, `auto` (link where it is installed, else shallow), or a model that is asked.

    The trees of parsers differ: what is counted on them is the same on every machine with `shallow` only.
    """
    check_parser(spec)
    if spec == "auto":
        spec = "link" if link.program() else "shallow"
    if spec == "link":
        return LinkParser()
    return ShallowParser() if spec == "shallow" else PromptedParser(models.open(spec, role="parser"))
