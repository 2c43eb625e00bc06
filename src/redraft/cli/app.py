"""The commands, put together; each is imported when it is asked for."""

from __future__ import annotations

import typer

from redraft.cli.commands import Group, Late, shared

# The help shows these lines without importing the commands, so that it comes at once.
Group.commands_by_use = {
    "Write": {
        "revise": Late("write.revise", "Revise a text so that it meets constraints."),
        "simplify": Late("write.simplify", "Simplify a text by a policy."),
        "compose": Late("write.compose", "Write a long piece on a topic."),
    },
    "Check": {
        "parse": Late("check", "Show the constraints in an instruction."),
        "check": Late("check", "Check a text against constraints."),
        "sentences": Late("check", "List the sentences of a text, numbered."),
        "quality": Late("scores", "Score a text without a reference."),
    },
    "Measure": {
        "score": Late("scores", "Score edited texts with metrics."),
        "bench": Late("bench", "Run systems over benchmarks, report and compare them."),
        "judge": Late("judge", "Have models or people score texts."),
    },
    "Make": {
        "train": Late("train", "Make training data, train a model, export its adapter."),
        "models": Late("models", "List, fetch and try models; add adapters."),
        "policies": Late("write.policies", "Show the policies of simplification, check your own."),
    },
    "Serve": {
        "serve": Late("serve", "Open the workbench in the browser, with its HTTP API."),
        "mcp": Late("mcp", "Serve assistants over the Model Context Protocol."),
        "lsp": Late("lsp", "Serve editors over the Language Server Protocol."),
    },
    "Help": {
        "doctor": Late("doctor", "Show what is installed and set."),
        "explain": Late("explain", "Tell why each sentence of a revision changed."),
        "cache": Late("doctor", "Show or clear the cache of answers."),
        "trust": Late("doctor", "Trust the settings of a project."),
    },
}

app = typer.Typer(
    cls=Group,
    epilog="Exit status: 0 done, 1 unmet, 2 bad input, 3 conflict, 4 model, 130 stopped.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
@shared
def redraft() -> None:
    """Revise text under constraints that can be checked."""
