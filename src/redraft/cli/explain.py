"""`redraft explain`: why each sentence changed, from the trace of a revision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from redraft.cli.console import put_json, result_console, visible
from redraft.cli.options import Json
from redraft.revision import ExplainedConstraint, Explanation, Passage, explain as explained, read_trace
from redraft.text import diff_terminal, diff_words

_STYLES = {"kept": "dim", "left out": "red", "added": "green"}


def explain(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="The folder that --trace was given.")],
    json: Json = False,
) -> None:
    """Tell why each sentence of a revision changed, and what was tried."""
    found = explained(read_trace(folder))
    if json:
        put_json(found.to_dict())
        return
    console = result_console()
    for line in _overall(found):
        _put(console, line, rest=" " * 9)
    for passage in found.passages:
        console.print()
        _show(console, passage, {one.call: one for one in found.constraints})


def _overall(found: Explanation) -> Iterable[Text]:
    task, result = found.trajectory.task, found.trajectory.result
    yield _fact("asked", task.instruction or "improve the text")
    for one in found.constraints:
        mark = ("  met      ", "green") if one.met else ("  NOT met  ", "bold red")
        first = f" (at first: {visible(one.before)})" if one.before and one.before != one.after else ""
        yield Text.assemble(mark, visible(one.call), (f"  {visible(one.after)}{first}", "dim"))
    for conflict in result.infeasible if result is not None else ():
        calls = ", ".join(conflict.calls)
        yield Text(visible(f"  no text can meet these together: {calls}: {conflict.reason}"), "yellow")
    for concern in result.concerns if result is not None else ():
        yield Text(visible(f"  {concern}"), "yellow")
    off = f", without {', '.join(task.switches)}" if task.switches else ""
    yield _fact("how", f"{task.strategy}, {task.effort} effort, seed {task.seed}{off}")
    yield _fact("by", f"planner {task.planner}, reviser {task.reviser}")
    count = len(found.trajectory.nodes)
    if count:
        yield _fact("tried", f"{_counted(count, 'text')}, at most {_counted(found.deepest, 'step')} deep")
    if result is None:
        yield _fact("stopped", "before it had a result; this is about the best text so far")
        return
    yield _fact("stopped", result.stopped)
    usage = result.usage
    cost = f", cost {usage.cost:.4f}" if usage.cost else ""
    calls = f"{_counted(usage.calls, 'call')}, {_counted(usage.tokens, 'token')}"
    yield _fact("took", f"{calls}, {usage.seconds:.1f} s{cost}")
    before, after = result.quality.before, result.quality.after
    if before is not None and after is not None:
        scores = [
            f"{name} {old:.1f} → {new:.1f}"
            for name, old, new in (
                ("perplexity", before.perplexity, after.perplexity),
                ("errors per 100 words that Harper finds", before.grammar, after.grammar),
            )
            if old is not None and new is not None
        ]
        scores += [f"meaning {after.meaning.similarity:.2f}"] if after.meaning else []
        scores += [f"names kept {after.entities:.0%}"] if after.entities is not None else []
        yield _fact("scores", "; ".join(scores))


def _show(console: Console, passage: Passage, constraints: dict[str, ExplainedConstraint]) -> None:
    by = f" by {visible(passage.by)}" if passage.by else ""
    why = f": {visible(passage.why)}" if passage.why else ""
    style = _STYLES.get(passage.fate, "yellow")
    _put(console, Text.assemble(_numbered(passage), (f" {passage.fate}", style), f"{by}{why}"), rest="  ")
    before, after = _line(passage.before), _line(passage.after)
    text = (
        Text(before, "dim") if passage.fate in ("kept", "moved") else diff_terminal(diff_words(before, after))
    )
    _put(console, text, "    ", "    ")
    label = "asked for" if passage.fate == "kept" else "needed for"
    reasons = [
        *(f"{label}: {_meaning(call, constraints)}" for call in passage.needed),
        *(f"helps: {_meaning(call, constraints)}" for call in passage.helps),
        *(f"mends: {visible(message)}" for message in passage.mends),
    ]
    for reason in reasons:
        _put(console, Text(reason, "cyan"), "    ", "      ")


def _put(console: Console, text: Text, first: str = "", rest: str = "") -> None:
    """Print a text within the terminal's width, the first line and the others each after their indent."""
    for place, line in enumerate(text.wrap(console, max(console.width - len(rest), 20))):
        line.rstrip()
        console.print(Text(rest if place else first) + line, soft_wrap=True)


def _numbered(passage: Passage) -> str:
    if not passage.sentences:
        return "a sentence"
    numbers = ", ".join(map(str, passage.sentences))
    return f"sentence{'s' * (len(passage.sentences) > 1)} {numbers}"


def _meaning(call: str, constraints: dict[str, ExplainedConstraint]) -> str:
    known = constraints.get(call)
    return visible(known.meaning if known is not None and known.meaning else call)


def _line(text: str) -> str:
    return visible(" ".join(text.split()))


def _fact(name: str, value: str) -> Text:
    return Text.assemble((f"{name:8} ", "bold"), visible(" ".join(value.split())))


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'s' * (number != 1)}"
