"""The server: tools, resources and prompts, and the models that are opened once for all of them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from functools import partial
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from mcp.server import MCPServer
from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.server.mcpserver.prompts import Prompt
from mcp.server.mcpserver.resources import FunctionResource
from mcp.types import ToolAnnotations

from redraft import __version__
from redraft.errors import RedraftError
from redraft.mcp.tools import Tools
from redraft.models import Models
from redraft.notation import parse_json
from redraft.settings import Settings
from redraft.simplification import load_policy, policy_names, policy_text
from redraft.text import read_text

_ABOUT = (
    "Verify and repair writing under constraints. Before you answer a request that states a length, words to "
    "use or avoid, sentences to keep or a style, call `parse` to see what can be verified; call `check` on "
    "your draft instead of counting yourself; call `revise` where it does not hold."
)
_READS_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)


def build_server(
    settings: Settings,
    runs: Path | None = None,
    *,
    auth: AuthSettings | None = None,
    token_verifier: TokenVerifier | None = None,
) -> MCPServer[Models]:
    """A server with these settings; `runs` is the folder whose runs may be read."""

    @contextlib.asynccontextmanager
    async def lifespan(_: MCPServer[Models]) -> AsyncIterator[Models]:
        async with Models(settings) as models:
            yield models

    server = MCPServer(
        "redraft",
        instructions=_ABOUT,
        version=__version__,
        lifespan=lifespan,
        log_level="WARNING",  # below that, what tools answer is logged, and with it the user's words
        auth=auth,
        token_verifier=token_verifier,
    )
    tools = Tools(settings)
    for tool in (tools.parse, tools.check, tools.revise, tools.simplify, tools.score, tools.quality):
        server.add_tool(tool, annotations=_READS_ONLY)
    _add_policies(server)
    if runs is not None:
        _add_runs(server, runs)
    for prompt in (revise_under_constraints, check_before_answering):
        server.add_prompt(Prompt.from_function(prompt))
    return server


def _add_policies(server: MCPServer[Models]) -> None:
    """The list of the policies, and each of them."""

    @server.resource("redraft://policies", mime_type="application/json")
    def policies() -> str:
        """The policies of simplification, with what each allows."""
        found = (load_policy(name) for name in policy_names())
        return json.dumps([{"name": one.name, "title": one.title, "about": one.about} for one in found])

    for name in policy_names():
        server.add_resource(
            FunctionResource.from_function(
                partial(policy_text, name),
                uri=f"redraft://policies/{name}",
                name=name,
                description=load_policy(name).title,
                mime_type="application/yaml",
            )
        )


def _add_runs(server: MCPServer[Models], folder: Path) -> None:
    """The list of the runs in a folder, and each of them; a name is looked up there, and never joined."""

    def found() -> dict[str, Path]:
        return {path.parent.name: path.parent for path in sorted(folder.glob("*/run.json"))}

    @server.resource("redraft://runs", mime_type="application/json")
    def runs() -> str:
        """The names of the runs of benchmarks that can be read."""
        return json.dumps(list(found()))

    @server.resource("redraft://runs/{name}", mime_type="application/json")
    def run(name: str) -> str:
        """What was run, and its scores where it has ended."""
        if name not in (there := found()):
            raise ResourceNotFoundError(f"there is no run {name!r}")
        parts = {part: _read(there[name] / f"{part}.json") for part in ("run", "scores")}
        return json.dumps({"name": name, **parts})


def _read(path: Path) -> Any:
    """What a file of a run holds; None where it is not there, or not whole."""
    try:
        return parse_json(read_text(path))
    except (RedraftError, ValueError):
        return None


def revise_under_constraints(text: str, instruction: str) -> str:
    """Revise a text so that it provably meets an instruction."""
    return _prompt("revise").substitute(text=text, instruction=instruction)


def check_before_answering(request: str) -> str:
    """Write what is asked for, and verify it before it is handed over."""
    return _prompt("check").substitute(request=request)


def _prompt(name: str) -> Template:
    return Template((files("redraft.mcp") / "prompts" / f"{name}.md").read_text(encoding="utf-8"))
