"""What an assistant sees of the server: tools, resources and prompts, through the official client in memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.server import MCPServer
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, TextContent

from mcp import Client
from redraft.house import House
from redraft.mcp import build_server, tools as tools_module
from redraft.models import Models
from redraft.revision import LONGEST, Revision
from redraft.settings import load_settings

TEXT = "We shall leverage the old mill. It was built in 1890. The color of the walls is red."


@cache
def plain_server() -> MCPServer[Models]:
    return build_server(load_settings())


def talk(conversation: Callable[[Client], Awaitable[Any]], server: MCPServer[Models] | None = None) -> Any:
    async def run() -> Any:
        async with Client(server or plain_server()) as client:
            return await conversation(client)

    return asyncio.run(run())


def call(name: str, **arguments: Any) -> CallToolResult:
    return talk(lambda client: client.call_tool(name, arguments))


def answer(name: str, **arguments: Any) -> dict[str, Any]:
    result = call(name, **arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


def refusal(name: str, **arguments: Any) -> str:
    result = call(name, **arguments)
    assert result.is_error
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def test_each_tool_says_when_to_use_it_and_what_it_answers() -> None:
    listed = talk(lambda client: client.list_tools()).tools
    assert [tool.name for tool in listed] == ["parse", "check", "revise", "simplify", "score", "quality"]
    for tool in listed:
        assert len(tool.description) > 100
        assert tool.output_schema is not None
        assert "ctx" not in tool.input_schema["properties"]
        assert all("title" in one for one in tool.input_schema["properties"].values())


def test_parse_gives_calls_and_wishes() -> None:
    found = answer("parse", instruction="Under 300 words, and be friendly.")
    (constraint,) = found["constraints"]
    assert constraint["call"] == 'word_count_check(300, "less than")'
    assert constraint["relation"] == "less than"
    assert constraint["says"]
    assert found["wishes"] == ["be friendly"]
    assert found["not_understood"] == []


def test_check_verifies_with_places() -> None:
    found = answer(
        "check", text=TEXT, instruction="Never say 'leverage'.", calls=['spelling_check("british")']
    )
    assert (found["met"], found["counting"], found["infeasible"]) == (False, "default", [])
    banned, spelling = found["findings"]
    assert (banned["measured"], spelling["measured"]) == (1, 1)
    (place,) = spelling["spans"]
    assert TEXT[slice(*place)] == "color"
    assert answer("check", text="Short.", original="Long.", instruction="Under 9 words.")["met"] is True


def test_check_names_constraints_that_conflict() -> None:
    found = answer("check", text=TEXT, instruction="Under 5 words and over 10 words.")
    assert len(found["infeasible"][0]["calls"]) == 2


def test_the_house_style_of_the_server_counts() -> None:
    async def conversation(client: Client) -> CallToolResult:
        return await client.call_tool("check", {"text": TEXT, "instruction": "Under 50 words."})

    found = talk(conversation, build_server(load_settings({"house": House(spelling="british")})))
    rows = [(row["call"], row["met"], row["house"]) for row in found.structured_content["findings"]]
    assert rows == [
        ('word_count_check(50, "less than")', True, False),
        ('spelling_check("british")', False, True),
    ]


@pytest.mark.usefixtures("by_rule")
def test_revise_gives_the_text_and_the_proof_and_tells_of_progress() -> None:
    told: list[tuple[float, str | None]] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def conversation(client: Client) -> CallToolResult:
        arguments = {"text": TEXT, "instruction": "British spelling, never say 'leverage'.", "effort": "low"}
        return await client.call_tool("revise", arguments, progress_callback=heard)

    found = talk(conversation).structured_content
    assert found["met"] is True
    assert "colour" in found["text"]
    assert "leverage" not in found["text"]
    assert {"changes", "concerns", "quality", "usage", "wishes"} <= found.keys()
    assert told[0] == (1, "constraints to meet: 2")
    assert [number for number, _ in told] == list(range(1, len(told) + 1))
    assert len(told) > 1
    assert "of 2 constraints met" in str(told[1][1])


@pytest.mark.usefixtures("by_rule")
def test_revise_does_not_call_met_what_it_did_not_understand() -> None:
    arguments = {"text": "The colour is red.", "instruction": "Bitte nicht so formal.", "effort": "low"}

    async def conversation(client: Client) -> CallToolResult:
        return await client.call_tool("revise", arguments)

    server = build_server(load_settings({"house": House(spelling="british")}))
    found = talk(conversation, server).structured_content
    assert [row["met"] for row in found["findings"]] == [True]
    assert (found["met"], found["in_vain"]) == (False, True)
    assert found["not_understood"]


def test_revise_says_which_constraints_conflict() -> None:
    found = answer("revise", text=TEXT, instruction="Under 5 words and over 10 words.")
    assert found["infeasible"]
    assert found["text"] == TEXT


def test_cancelling_stops_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def endless(*_: object, stop: asyncio.Event, **__: object) -> Revision:
        begun.set()
        await stop.wait()
        ended.set()
        raise AssertionError("nobody waits for this")

    monkeypatch.setattr(tools_module, "arevise", endless)

    async def conversation(client: Client) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "revise", {"text": TEXT, "instruction": "Under 5 words."})
            await begun.wait()
            group.cancel_scope.cancel()
        await ended.wait()

    talk(conversation)
    assert ended.is_set()


@pytest.mark.usefixtures("by_rule")
def test_simplify_goes_by_a_policy() -> None:
    found = answer("simplify", text="They utilised the apparatus.", effort="low")
    assert found["policy"] == "lexical"
    assert [one["source"] for one in found["sentences"]] == ["They utilised the apparatus."]


def test_score_has_a_signature() -> None:
    found = answer(
        "score", metrics=["em", "sari"], sources=["a b"], predictions=["a c"], references=[["a c"]]
    )
    assert found["em"]["score"] == 100
    assert found["sari"]["signature"]


@pytest.mark.usefixtures("by_rule")
def test_quality_compares_with_the_original() -> None:
    found = answer("quality", text="It was built in 1890.", original="It was built in 1980.")
    assert found["grammar"] == 0
    assert found["entities"] < 1
    assert found["meaning"]["changes"]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("check", {"text": TEXT, "instruction": "Be nice."}, "nothing to check"),
        ("check", {"text": TEXT, "calls": ["word_cuont_check(3)"]}, "word_count_check"),
        ("check", {"text": TEXT, "instruction": "Keep sentence 1."}, "compares with the original"),
        ("check", {"text": "x" * (LONGEST + 1), "instruction": "Under 5 words."}, "characters"),
        ("check", {"text": TEXT, "calls": ["x()"] * 101}, "at most 100"),
        ("parse", {"instruction": "word_count_check(5, 'at most')"}, "give it in `calls`"),
        ("parse", {"instruction": "x" * 10_001}, "at most 10,000"),
        ("revise", {"text": TEXT}, "nothing to do"),
        ("revise", {"text": TEXT, "instruction": "Bitte nicht so formal."}, "“Bitte nicht so formal”"),
        ("revise", {"text": "", "instruction": "Under 5 words."}, "no words"),
        ("revise", {"text": TEXT, "effort": "most"}, "effort"),
        ("simplify", {"text": TEXT, "policy": "/etc/passwd"}, "there is no policy"),
        ("score", {"metrics": ["nonsense"], "predictions": ["x"]}, "nonsense"),
        ("quality", {"text": "x" * (LONGEST + 1)}, "at most 200,000"),
    ],
)
def test_errors_are_told_in_plain_words(tool: str, arguments: dict[str, Any], says: str) -> None:
    assert says in refusal(tool, **arguments)


def test_policies_are_resources() -> None:
    async def conversation(client: Client) -> tuple[Any, Any]:
        listed = await client.read_resource("redraft://policies")
        return listed, await client.read_resource("redraft://policies/lexical")

    listed, policy = talk(conversation)
    assert {"name": "lexical"}.items() <= json.loads(listed.contents[0].text)[0].items()
    assert policy.contents[0].text.startswith(("#", "name:"))
    uris = [str(one.uri) for one in talk(lambda client: client.list_resources()).resources]
    assert "redraft://policies/rewrite" in uris
    assert not any("runs" in uri for uri in uris)


def test_runs_are_resources_and_names_are_no_paths(tmp_path: Path) -> None:
    for name in ("mill", "../outside"):
        folder = tmp_path / "runs" / name
        folder.mkdir(parents=True)
        (folder / "run.json").write_text('{"system": "x"}', encoding="utf-8")

    async def conversation(client: Client) -> Any:
        for name in ("..%2Foutside", "../outside", "%2E%2E", "nothing"):
            with pytest.raises(MCPError):
                await client.read_resource(f"redraft://runs/{name}")
        return [await client.read_resource(f"redraft://{name}") for name in ("runs", "runs/mill")]

    listed, run = talk(conversation, build_server(load_settings(), tmp_path / "runs"))
    assert json.loads(listed.contents[0].text) == ["mill"]
    assert json.loads(run.contents[0].text) == {"name": "mill", "run": {"system": "x"}, "scores": None}


def test_prompts_take_a_text_as_it_is() -> None:
    async def conversation(client: Client) -> tuple[Any, Any, Any]:
        words = {"text": "It costs $text and $5.", "instruction": "Under 5 words."}
        revise = await client.get_prompt("revise_under_constraints", words)
        return (
            await client.list_prompts(),
            revise,
            await client.get_prompt("check_before_answering", {"request": "Hi"}),
        )

    listed, revise, check = talk(conversation)
    assert [one.name for one in listed.prompts] == ["revise_under_constraints", "check_before_answering"]
    assert "It costs $text and $5." in revise.messages[0].content.text
    assert "Under 5 words." in revise.messages[0].content.text
    assert check.messages[0].content.text.rstrip().endswith("Hi")
