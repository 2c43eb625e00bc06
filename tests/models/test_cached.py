"""Thinking on or off, and thoughts that are no part of an answer."""

from __future__ import annotations

import asyncio
import json

import pytest

from redraft.errors import ModelError
from redraft.models import Completion, Models, Request
from redraft.models.cached import split_thoughts
from redraft.settings import Settings
from tests.models.scripted import Answer, ScriptedServer, fail, raw, say


def complete(
    server: ScriptedServer, settings: Settings, *answers: Answer, thinking: bool | None = None, times: int = 1
) -> list[Completion]:
    async def run() -> list[Completion]:
        async with Models(settings) as models:
            model = models.open(f"{server.url}#tiny")
            request = Request.of("Hello", thinking=thinking)
            return [(await model.complete(request))[0] for _ in range(times)]

    server.answers = list(answers)
    return asyncio.run(run())


@pytest.mark.parametrize("thinking", [None, True, False])
def test_the_switch_is_sent_where_it_is_set(
    server: ScriptedServer, settings: Settings, thinking: bool | None
) -> None:
    complete(server, settings, say("ok"), thinking=thinking)
    sent = server.requests[0].get("chat_template_kwargs")
    assert sent == (None if thinking is None else {"enable_thinking": thinking})


def test_the_switch_is_part_of_what_decides_an_answer() -> None:
    plain, off, on = (Request.of("Hello", thinking=thinking).as_dict() for thinking in (None, False, True))
    assert "thinking" not in plain
    assert off != plain != on != off


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_thoughts_beside_an_answer_are_kept_and_cached(
    server: ScriptedServer, settings: Settings, key: str
) -> None:
    message = {"role": "assistant", "content": "42", key: "six times seven"}
    body = {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "tiny",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
    }
    first, again = complete(server, settings, raw(json.dumps(body).encode()), times=2)
    assert (first.text, first.thoughts) == ("42", "six times seven")
    assert (again.text, again.thoughts) == ("42", "six times seven")
    assert again.usage.cached == 1
    assert len(server.requests) == 1


def test_thoughts_inside_an_answer_are_taken_out(server: ScriptedServer, settings: Settings) -> None:
    (found,) = complete(server, settings, say('<think>\n{"a": 1}\n</think>\n\n{"a": 2}'))
    assert (found.text, found.thoughts, found.finish) == ('{"a": 2}', '{"a": 1}', "stop")
    assert found.whole == '<think>\n{"a": 1}\n</think>\n{"a": 2}'


def test_thoughts_that_do_not_end_are_no_answer() -> None:
    found = split_thoughts(Completion('<think>the best is {"a": 1}'), thinking=None)
    assert (found.text, found.finish) == ("", "length")


def test_a_closing_tag_alone_ends_thoughts_only_where_they_were_asked_for() -> None:
    text = "first, then\n</think>\nyes"
    assert split_thoughts(Completion(text), thinking=True).text == "yes"
    assert split_thoughts(Completion(text), thinking=None).text == text
    assert split_thoughts(Completion("Write <think> first."), thinking=True).text == "Write <think> first."


def test_a_service_without_the_switch_says_so(server: ScriptedServer, settings: Settings) -> None:
    refusal = fail(400, "Unrecognized request argument supplied: chat_template_kwargs")
    with pytest.raises(ModelError, match="no switch for thinking"):
        complete(server, settings, refusal, thinking=True)
