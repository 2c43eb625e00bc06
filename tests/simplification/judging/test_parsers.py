"""From a name to a parser."""

from __future__ import annotations

import asyncio

import pytest

from redraft.errors import InputError, UnknownModel
from redraft.models import Models, NullCache
from redraft.settings import Settings
from redraft.simplification.judging import link_grammar
from redraft.simplification.judging.opening import check_parser, open_parser


def opened(spec: str) -> str:
    async def name() -> str:
        async with Models(Settings(), cache=NullCache()) as models:
            return open_parser(spec, models).name

    return asyncio.run(name())


def test_link_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_grammar, "program", lambda: "/usr/bin/link-parser")
    assert opened("link") == "link"
    monkeypatch.setattr(link_grammar, "program", lambda: None)
    with pytest.raises(InputError, match="apt install link-grammar"):
        check_parser("link")


def test_a_model_parses_too_and_an_unknown_one_does_not() -> None:
    assert opened("shallow") == "shallow"
    assert opened("http://127.0.0.1:1/v1#tiny") == "http://127.0.0.1:1/v1#tiny"
    with pytest.raises(UnknownModel):
        opened("nonsense")
    with pytest.raises(InputError, match="valid are"):
        check_parser(" ")
