"""The functions of the package against a server: the same results as without one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import redraft
from redraft.errors import ConnectionFailed, InputError, MissingKey
from redraft.house import House
from redraft.models import Usage
from redraft.settings import Settings
from redraft.web import Safety
from tests.by_rule import score_by_rule
from tests.models.scripted import ScriptedServer, say
from tests.web.serving import Serving, serving, settings_in, working

TOKEN = "0123456789abcdef"
TEXT = "The ferry were late. We was waiting for two hours in the harbour."


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Serving, Settings, Settings]]:
    """A server, the settings for it, and those for the same work without it."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "token").write_text(TOKEN)
    with ScriptedServer() as service, pytest.MonkeyPatch.context() as patch:
        score_by_rule(patch.setattr)
        service.answers = [say("The ferry was late. We were waiting for two hours.")]
        local = settings_in(folder, model=f"{service.url}#tiny", house=House(spelling="american"))
        with serving(local, safety=Safety(token=TOKEN)) as api, working(local, by_rule=False):
            remote = local.model_copy(update={"server": api.url, "server_token_file": folder / "token"})
            yield api, remote, local


def test_a_revision_is_the_same(served: tuple[Serving, Settings, Settings]) -> None:
    _, *both = served
    far, near = (
        redraft.revise(
            TEXT, "Under 12 words. Correct the mistakes.", ['sentence_count_check(2, "equal")'], settings=one
        )
        for one in both
    )
    unchanging = {"usage": Usage(), "calls": (), "rounds": ()}
    assert replace(far, **unchanging) == replace(near, **unchanging)
    assert [one.constraint.call for one in far.findings] == [one.constraint.call for one in near.findings]
    assert far.status == near.status
    assert far.usage.calls == near.usage.calls


def test_a_simplification_and_a_check_are_the_same(served: tuple[Serving, Settings, Settings]) -> None:
    _, *both = served
    far, near = (redraft.simplify("They commence the utilisation.", settings=one) for one in both)
    assert replace(far, usage=Usage()) == replace(near, usage=Usage())
    far_check, near_check = (redraft.check(TEXT, "Never say 'ferry'.", settings=one) for one in both)
    assert far_check == near_check


def test_what_the_server_refuses_is_an_error_of_ours(
    served: tuple[Serving, Settings, Settings], tmp_path: Path
) -> None:
    _, remote, _ = served
    with pytest.raises(InputError, match="no words"):
        redraft.revise("...", "American spelling.", settings=remote)
    with pytest.raises(InputError, match="option iterations"):
        redraft.revise(TEXT, settings=remote, options=redraft.ReviseOptions(iterations=3))
    with pytest.raises(InputError, match="was not started with"):
        redraft.revise(
            TEXT,
            settings=Settings(
                server=remote.server, server_token_file=remote.server_token_file, model="hf:/etc"
            ),
        )
    with pytest.raises(MissingKey, match="server_token_file"):
        redraft.check(TEXT, "Under 3 words.", settings=Settings(server=remote.server))
    with pytest.raises(ConnectionFailed, match="redraft serve"):
        redraft.check(TEXT, "Under 3 words.", settings=Settings(server="http://127.0.0.1:1"))
