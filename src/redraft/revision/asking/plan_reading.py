"""A plan in a model's words: its thought, its calls, and its advice on each sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from redraft.constraints import parse_call, read_call
from redraft.editor import runs_away
from redraft.errors import CallError
from redraft.revision.asking.prompting import shown
from redraft.revision.asking.reading import Echoes, numbered_lines

TOOLS: Final[tuple[str, ...]] = ("text_eval", "detect_keyword")
"""Tools that take no arguments; the others are the checks of constraints."""

LONGEST_THOUGHT: Final = 1200
LONGEST_ADVICE: Final = 400
MOST_CALLS: Final = 40

_HEADING: Final = re.compile(
    r"[-*# \t\d.]*(thoughts?|calls?|tools?|tool calls|action|plan|revision plan|observation)[* \t]*:"
    r"[* \t]*(.*)",
    re.I,
)
_BLOCKS: Final = {"th": "thought", "ca": "calls", "to": "calls", "pl": "plan", "re": "plan", "ob": "other"}
_CALL: Final = re.compile(r"[-*•> \t]*(?:\d{1,3}[.):][ \t]*)?`?([A-Za-z_]\w{0,60}[ \t]*\(.*)", re.S)
_NEXT_CALL: Final = re.compile(r"(?<=\))[ \t]*[,;][ \t]*(?=[a-z_]{3,60}\()")
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_PLAN: Final = re.compile(r"improvement plan[^\w:]*:[ \t]*(.*)", re.I)
_SENTENCE: Final = re.compile(r"\W*sentence[ \t]*(\d{1,6})?[ \t]*:[ \t]*(.*)", re.I)
_NOTHING: Final = re.compile(
    r"\W*(?:none|nothing|n/?a|ok(?:ay)?|fine|good|unchanged"
    r"|no (?:change|improvement|revision|edit)s?(?: (?:is |are )?(?:needed|required|necessary))?"
    r"|(?:keep|leave)(?: it| this| the sentence)?(?: as(?: it)? is| unchanged)?)\W*",
    re.I,
)


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """A plan as far as it could be read; `dropped` says what was not taken, and why.

    `problem` says why the answer is no plan at all; it is empty where it is one.
    """

    thought: str
    calls: tuple[str, ...]
    advice: Mapping[int, str]
    dropped: tuple[str, ...] = ()
    problem: str = ""


def read_plan(answer: str, sentences: Mapping[int, str], total: int | None = None) -> PlanAnswer:
    """Read a plan for some sentences, given by number, of a text that has `total` of them.

    Without sentences only the calls are of interest, and may name any.
    """
    blocks = _blocks(answer)
    calls, dropped = _calls(blocks["calls"] + blocks["loose calls"], total or max(sentences, default=None))
    thought = blocks["thought"]
    if blocks["plan"]:
        advice, idle = _advice(blocks["plan"], sentences, dropped)
    else:
        advice, idle = _advice(thought, sentences, dropped)[0], False
        thought = list(takewhile(lambda line: not numbered_lines(line), thought))
    problem = ""
    if not advice and not idle:
        reasons = dropped[:5] or ["there is no line with advice on a sentence"]
        problem = "; ".join(shown(reason, 200) for reason in reasons)
    return PlanAnswer(shown(" ".join(thought), LONGEST_THOUGHT), calls, advice, tuple(dropped), problem)


def _blocks(answer: str) -> dict[str, list[str]]:
    """The lines below each heading; before any is thought. Calls are known wherever they stand."""
    found: dict[str, list[str]] = {name: [] for name in ("thought", "calls", "plan", "other", "loose calls")}
    block = "thought"
    for raw in answer.split("\n"):
        line = raw.strip()
        if line.startswith("```"):
            continue
        if heading := _HEADING.fullmatch(line):
            block = _BLOCKS.get(heading[1][:2].lower(), block)
            line = heading[2].strip()
        if not line:
            continue
        named = _CALL.fullmatch(line)
        known = named is not None and (_name(named[1]) in TOOLS or _name(named[1]).endswith("_check"))
        found["loose calls" if known and block != "calls" else block].append(line)
    return found


def _name(call: str) -> str:
    match = _NAME.match(call)
    return match[0] if match else ""


def _calls(lines: list[str], total: int | None) -> tuple[tuple[str, ...], list[str]]:
    """The valid calls as we write them, each once; and what is wrong with the others."""
    valid: dict[str, None] = {}
    dropped: list[str] = []
    for line in lines[:MOST_CALLS]:
        named = _CALL.fullmatch(line)
        if named is None:
            continue
        for text in _NEXT_CALL.split(named[1])[:MOST_CALLS]:
            call = text.strip().rstrip("`;,.").strip()
            try:
                valid[_valid_call(call, total)] = None
            except CallError as error:
                dropped.append(f"{shown(call, 80)}: {str(error).splitlines()[0]}")
    return tuple(valid), dropped


def _valid_call(text: str, total: int | None) -> str:
    call = read_call(text)
    if call.name not in TOOLS:
        return parse_call(text, total).call
    if call.arguments:
        raise call.error(f"{call.name} takes no arguments", call.arguments[0].position)
    return f"{call.name}()"


def _advice(
    lines: list[str], sentences: Mapping[int, str], dropped: list[str]
) -> tuple[dict[int, str], bool]:
    """Advice by sentence, and whether the plan says in so many words that nothing is to be done."""
    echoes = Echoes(sentences)
    found: dict[int, str] = {}
    idle = any(_NOTHING.fullmatch(line) for line in lines)
    for number, text in _numbered_advice(lines, echoes, dropped):
        if number in found:
            continue
        if number not in sentences:
            dropped.append(f"sentence {number} is not among those to plan")
        elif _NOTHING.fullmatch(text[:LONGEST_ADVICE]):
            idle = True
        elif echoes.echoes(number, text):
            dropped.append(f"the line of sentence {number} only repeats it")
        elif runs_away(text, sentences[number]):
            dropped.append(f"the line of sentence {number} goes round in circles")
        elif text:
            found[number] = shown(text, LONGEST_ADVICE)
    return found, idle


def _numbered_advice(lines: list[str], echoes: Echoes, dropped: list[str]) -> list[tuple[int, str]]:
    """Lines `3: advice`; or the paper's, `Sentence: …; Improvement Plan: …`, on one line or on two."""
    paired: list[tuple[int, str]] = []
    number: int | None = None
    for line in lines:
        place = line.lower().find("improvement plan")
        if named := _SENTENCE.fullmatch(line if place < 0 else line[:place]):
            number = int(named[1]) if named[1] else echoes.number(_unquoted(named[2]))
        plan = _PLAN.fullmatch(line, place) if place >= 0 else None
        if plan and number is not None:
            paired.append((number, _unquoted(plan[1])))
        elif plan:
            dropped.append("the plan quotes a sentence that is not in the text")
    return paired or numbered_lines("\n".join(lines))


def _unquoted(text: str) -> str:
    return text.strip().strip(";").strip().strip("\"“”'").strip()
