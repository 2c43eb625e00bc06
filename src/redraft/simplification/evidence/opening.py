"""Which parsers there are, and from a name to a parser."""

from __future__ import annotations

from typing import Final

from redraft.errors import InputError
from redraft.models import Models
from redraft.simplification.evidence import link
from redraft.simplification.evidence.link import LinkParser
from redraft.simplification.evidence.parsing import Parser
from redraft.simplification.evidence.prompted import PromptedParser
from redraft.simplification.evidence.shallow import ShallowParser

VALID: Final = "shallow · link · a model, such as openai:MODEL"


def check_parser(spec: str) -> None:
    """InputError where a parser cannot be had; a model is only looked for when it is opened."""
    if not spec.strip():
        raise InputError(f"a parser has no name; valid are: {VALID}")
    if spec == "link" and link.program() is None:
        raise InputError(
            f"the parser link needs Link Grammar, and {link.PROGRAM} is not installed"
            " (Debian: apt install link-grammar); valid without it are: shallow · a model"
        )


def open_parser(spec: str, models: Models) -> Parser:
    """`shallow` (our own, the same on every machine), `link` (Link Grammar), or a model that is asked."""
    check_parser(spec)
    if spec == "link":
        return LinkParser()
    return ShallowParser() if spec == "shallow" else PromptedParser(models.open(spec, role="parser"))
