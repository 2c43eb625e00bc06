"""How things are put to a judge: the prompts in `prompts/`, and texts that cannot get out of their tags."""

from __future__ import annotations

import re
from collections.abc import Sequence

from redraft.judge.item import Context
from redraft.judge.rubric import Aspect, Rubric
from redraft.models import Prompts

prompt = Prompts(__package__)

TAGS = (
    *("source", "instruction", "reference", "criteria", "text"),
    *(r"candidate_\w+", r"alignment_\w+", r"parse_\w+", "principles", "examples"),
    *("topic", "style_guide", "headings", "outline", "points", "before", "critique", "state", "steps"),
)
"""What texts stand between, as patterns."""

# The opening bracket of a tag of ours, in any spelling that a judge may take for one, or of a chat
# template's mark.
_BLANK = r"[\s\u200b-\u200d\u2060\ufeff]*"
_BRACKET = re.compile(rf"[<＜﹤](?={_BLANK}[/／]?{_BLANK}(?:{'|'.join(TAGS)})\b|\|)", re.IGNORECASE)


def tagged(tag: str, text: str) -> str:
    """A text between tags. Tags of ours inside it lose their bracket, so that it ends where its tag ends."""
    return f"<{tag}>\n{neutral(text)}\n</{tag}>"


def neutral(text: str) -> str:
    """The text with ‹ where a tag of ours, or a mark of a chat template, would open."""
    return _BRACKET.sub("‹", text)


def material(context: Context, shows: Sequence[str], texts: Sequence[tuple[str, str]]) -> str:
    """Everything that is shown: the context, criteria of the item's own, then the texts under judgement."""
    blocks = [tagged(name, text) for name in shows for text in context.texts(name)]
    if context.traits:
        blocks.append(tagged("criteria", "\n".join(f"- {trait}" for trait in context.traits)))
    blocks += (tagged(tag, text) for tag, text in texts)
    return "\n\n".join(blocks)


def described(rubric: Rubric, *, scales: bool) -> str:
    """The aspects of a rubric with their questions, their scales where those are wanted, and the traits."""
    blocks = [_described(aspect, scales) for aspect in rubric.aspects]
    if rubric.traits:
        blocks.append(prompt("traits", traits="\n".join(f"- {trait}" for trait in rubric.traits)))
    if scales and rubric.baseline is not None:
        blocks.append(prompt("baseline", baseline=rubric.baseline))
    return "\n\n".join(blocks)


def _described(aspect: Aspect, scales: bool) -> str:
    lines = [f"## {aspect.name}", aspect.question]
    if scales and (scale := aspect.scale) is not None:
        # Few readers take a low mark for a good one unless they are told.
        good = " (the highest is best)" if scale.best == "high" else " (the lowest is best)"
        lines.append(f"Marks{good}: " + " · ".join(str(label) for label in scale.labels))
        lines += (f"- {step}: {told}" for step, told in scale.steps)
    return "\n".join(lines)
