"""`redraft mcp` as a process: one conversation over its standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import anyio

from mcp import Client, StdioServerParameters
from tests.mcp.stdio_server import ENDLESS

ROOT = Path(__file__).parents[2]


def test_a_client_calls_hears_of_progress_and_cancels(tmp_path: Path) -> None:
    begun = anyio.Event()
    told: list[str | None] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)
        begun.set()

    async def converse() -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "tests.mcp.stdio_server"], env=environment, cwd=tmp_path
        )
        async with Client(server, mode="legacy") as client:  # the handshake that most assistants know
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert names == ["parse", "check", "revise", "simplify", "score", "quality"]
            checked = await client.call_tool("check", {"text": "Hi there.", "instruction": "Under 2 words."})
            assert checked.structured_content is not None
            assert checked.structured_content["met"] is False
            async with anyio.create_task_group() as group:

                async def revise() -> None:
                    words = {"text": ENDLESS, "instruction": "Under 3 words."}
                    await client.call_tool("revise", words, progress_callback=heard)

                group.start_soon(revise)
                await begun.wait()
                group.cancel_scope.cancel()
            while not (tmp_path / "stopped").exists():
                await anyio.sleep(0.01)
            words = {"text": "The color is red.", "instruction": "Use British spelling."}
            revised = await client.call_tool("revise", words, progress_callback=heard)
            assert revised.structured_content is not None
            assert revised.structured_content["text"] == "The colour is red."
            assert told == ["constraints to meet: 1"] * 2

    asyncio.run(converse())
