"""Reading a model's answers: numbered lines, whole texts, plans.

Models add prefaces, fences, quotation marks and remarks; what they mean is read all the same. The white space
of the original is given back to a revised text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise, takewhile
from typing import Final

from redraft.constraints import parse_call, read_call
from redraft.editor import runs_away
from redraft.errors import CallError
from redraft.models import Completion
from redraft.revision.asking.requests import shown
from redraft.text import Document, Format, align, similarity

# `[3] text`; in an answer without brackets also `3: text`, `3. text`, `3) text`, `Sentence 3: text`.
_BRACKETED: Final = re.compile(r"[-*•> \t]*(?:sentence[ \t]?)?\[(\d{1,6})\](?!\])[ \t]*:?[ \t]*(.*)", re.I)
_LOOSE: Final = re.compile(
    r"[-*•> \t]*(?:sentence[ \t]?)?[#(]?(\d{1,6})(?:\)[:.]?|[:.])(?!\d)\**[ \t]*(.*)", re.I
)
_FINISHED: Final = tuple(".!?…:;\"'”’)]»")
_PLACEHOLDER: Final = re.compile(r"\[\s*\[\s*([A-Za-z]{1,8})\s*(\d{1,9})\s*\]\s*\]")
_PREFACE: Final = re.compile(
    r"[*_# \t]*(?:(?:sure|certainly|of course|absolutely|okay|ok)\b[,.! \t]*)?"
    r"(?:here(?:['’]s|[ ]is|[ ]are)\b[^\n:]{0,120}"
    r"|(?:the[ ]|my[ ]|your[ ])?(?:final[ ])?"
    r"(?:revised|rewritten|edited|improved|corrected|final|updated|polished|latest)[ ]"
    r"(?:text|version|paragraph|passage|sentence|draft|revision)[^\n:]{0,60}"
    r"|output|answer)[*_]*:[*_ \t]*",
    re.I,
)
_ALONE: Final = re.compile(r"(?:sure|certainly|of course|absolutely|okay|ok)[^\n]{0,80}[.!:]", re.I)
_REMARK: Final = re.compile(
    r"[*_#( \t]*(?:(?:notes?|(?:key |main )?changes(?: made)?|explanations?|word count)[*_ ]*:"
    r"|(?:i hope (?:this|that|it)|let me know|this (?:revised|revision|version))\b"
    r"|i(?:['’]ve| have) (?:made|revised|kept|changed|ensured|removed)\b)",
    re.I,
)
_REFUSAL: Final = re.compile(
    r"\W*(?:(?:i[’']m|i am) (?:(?:very |really )?sorry|afraid|unable|not able)|(?:my )?(?:sorry|apologies)\b"
    r"|i (?:can(?:[’']t|not| not)|won[’']t|will not|must decline)|as an? (?:ai|language model|assistant)\b"
    r"|unfortunately,? i (?:can|am)|this (?:content|request) (?:can ?not|violates|may violate))",
    re.I,
)
_UNLIKE: Final = 0.3
"""The share of words that an answer has in common with its source, below which it can be a refusal."""
_TEXT_TAG: Final = re.compile(r"</?text>\n?")
LONGEST_ANSWER: Final = 200_000
"""Characters of an answer in lines that are read; no plan of a section is near it."""
_QUOTES: Final = {'"': '"', "“": "”"}
_LONGEST = 8
"""An answer so many times as long as its source is not compared with it."""
_MOST_WORDS = 2000
"""In a longer sentence, line breaks are not looked for."""
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
_ONE_CALL: Final = re.compile(
    r"""[A-Za-z_]\w*[ \t]*\((?:[^()"“']|"(?:[^"\\]|\\.)*"|“[^”]*”|'(?:[^'\\]|\\.)*')*\)(?=[`;,:.]*(?:\s|$))"""
)
"""A call up to its closing bracket: some models go on to say what it is for."""
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_PLAN: Final = re.compile(r"improvement plan[^\w:]*:[ \t]*(.*)", re.I)
_SENTENCE: Final = re.compile(r"\W*sentence[ \t]*(\d{1,6})?[ \t]*:[ \t]*(.*)", re.I)
_NOTHING: Final = re.compile(
    r"\W*(?:none|nothing|n/?a|ok(?:ay)?|fine|good|unchanged"
    r"|no (?:change|improvement|revision|edit)s?(?: (?:is |are )?(?:needed|required|necessary))?"
    r"|(?:keep|leave)(?: it| this| the sentence)?(?: as(?: it)? is| unchanged)?)\W*",
    re.I,
)


def whole_lines(completion: Completion) -> str:
    """The answer; without its last line where that was cut off, or where we stop reading."""
    text = completion.text[:LONGEST_ANSWER]
    if completion.finish != "length" and len(text) == len(completion.text):
        return text
    return text.rpartition("\n")[0]


def is_revision(completion: Completion, source: str) -> bool:
    """Whether an answer can be a revision at all: whole, not filtered, and no refusal."""
    if completion.finish != "stop":
        return False
    return not (_REFUSAL.match(completion.text) and similarity(completion.text, source) < _UNLIKE)


def numbered_lines(answer: str) -> list[tuple[int, str]]:
    """The numbered lines of an answer, in order; a line that is not finished goes on on the next."""
    lines = [line.strip() for line in answer.split("\n") if not _fence(line)]
    pattern = _BRACKETED if any(_BRACKETED.match(line) for line in lines) else _LOOSE
    found: list[tuple[int, list[str]]] = []
    going_on = False
    for line in lines:
        if match := pattern.match(line):
            found.append((int(match[1]), [match[2]] if match[2] else []))
            going_on = True
        elif going_on and line and not (found[-1][1] and found[-1][1][-1].endswith(_FINISHED)):
            found[-1][1].append(line)
        else:
            going_on = False
    return [(number, " ".join(parts).strip()) for number, parts in found]


def whole_text(answer: str, source: str) -> str:
    """A text that was asked for alone, without what was put around it: preface, fence, quotes, remarks."""
    text = answer.strip()
    if "```" not in source:
        text = _unfenced(text).strip()
    if not _TEXT_TAG.search(source):
        text = _TEXT_TAG.sub("", text).strip()
    if "‹" not in source:
        text = text.replace("‹", "<")  # a tag in the source was shown so
    text = _without_preface(text, source)
    text = _without_remarks(text, source)
    if "```" not in source:
        text = _unfenced(text).strip()
    closing = _QUOTES.get(text[:1])
    if closing and len(text) > 1 and text.endswith(closing) and not source.lstrip().startswith(text[0]):
        inner = text[1:-1]
        if text[0] not in inner and closing not in inner:
            text = inner.strip()
    return text


def keeps_placeholders(text: str, source: str) -> bool:
    """Whether the placeholders of a text, such as `[[M7]]`, are those of its source, in the same order.

    Some open and close something together: in order, they can never cross.
    """
    return _placeholders(text) == _placeholders(source)


def key(text: str) -> str:
    """What is left of a text when only its letters and digits count: equal for a text and its echo."""
    return "".join(character for character in text.casefold() if character.isalnum())


class Echoes:
    """Finds the sentence that a model means when it repeats its words, whole or only the beginning."""

    _ENOUGH = 20

    def __init__(self, sentences: Mapping[int, str]) -> None:
        self._keys = {number: key(text) for number, text in sentences.items()}
        self._numbers: dict[str, int] = {}
        for number, words in self._keys.items():
            self._numbers.setdefault(words, number)

    def number(self, text: str) -> int | None:
        """The number of the sentence; None where it is none of them."""
        wanted = key(text)
        if wanted in self._numbers:
            return self._numbers[wanted]
        if len(wanted) < self._ENOUGH:
            return None
        return next((number for number, words in self._keys.items() if words.startswith(wanted)), None)

    def echoes(self, number: int, text: str) -> bool:
        """Whether the text is only the sentence again."""
        return self._keys.get(number) == key(text)


def _placeholders(text: str) -> list[tuple[str, int]]:
    return [(match[1].upper(), int(match[2])) for match in _PLACEHOLDER.finditer(text)]


def _fence(line: str) -> bool:
    return line.lstrip().startswith("```")


def _unfenced(text: str) -> str:
    """What stands in the first fence, where there is one."""
    lines = text.split("\n")
    fences = [place for place, line in enumerate(lines) if _fence(line)][:2]
    if not fences:
        return text
    end = fences[1] if len(fences) > 1 else len(lines)
    return "\n".join(lines[fences[0] + 1 : end]) or text


def _without_preface(text: str, source: str) -> str:
    if text.split()[:2] == source.split()[:2]:
        return text
    first, _, rest = text.partition("\n")
    if rest.strip() and _ALONE.fullmatch(first.strip()):
        text = rest.strip()
    match = _PREFACE.match(text)
    left = text[match.end() :].strip() if match else ""
    return left or text


def _without_remarks(text: str, source: str) -> str:
    """The text up to the first paragraph after the first that speaks of the text, and not in it."""
    if any(_REMARK.match(line) for line in source.split("\n")):
        return text
    paragraphs = re.split(r"(\n[ \t]*\n\s*)", text)
    for place in range(2, len(paragraphs), 2):
        if _REMARK.match(paragraphs[place]):
            return "".join(paragraphs[: place - 1])
    return text


def restore_layout(answer: str, source: str, format: Format = "text") -> str:
    """The answer with the gaps of the source wherever its sentences follow one another as they did there.

    A sentence that became two has a space between them. Where a sentence is new or has moved, the gap
    beside it is the answer's own.
    """
    text = answer.strip()
    if len(text) > _LONGEST * len(source) + 1000:
        return text
    before, after = Document(source, format), Document(text, format)
    if not after.sentences:
        return text
    places: dict[int, tuple[int, int]] = {}
    texts = [sentence.text for sentence in after.sentences]
    for link in align(before, after):
        if link.original and link.kind != "moved":
            places.update(dict.fromkeys(link.revised, (link.original[0], link.original[-1])))
        if len(link.original) == len(link.revised) == 1:
            number = link.revised[0]
            texts[number - 1] = restore_line_breaks(texts[number - 1], before.sentence(link.original[0]).text)
    parts = [after.gaps[0], texts[0]]
    for left, right in pairwise(range(1, len(texts) + 1)):
        gap = after.gaps[left]
        if left in places and right in places:
            gap = _gap(before, places[left], places[right], gap)
        parts += (gap, texts[right - 1])
    return "".join(parts) + after.gaps[-1]


def restore_line_breaks(new: str, source: str) -> str:
    """A revised sentence with the line breaks of its source, before the words that they stood before."""
    words = new.split()
    if "\n" not in source or "\n" in new or not 0 < len(words) <= _MOST_WORDS:
        return new
    old = re.findall(r"(\s*)(\S+)", source)[:_MOST_WORDS]
    spaces = ["", *[" "] * (len(words) - 1)]
    read = 0
    matcher = SequenceMatcher(None, [word for _, word in old], words, autojunk=False)
    for block in matcher.get_matching_blocks():
        for i, j in zip(
            range(block.a, block.a + block.size), range(block.b, block.b + block.size), strict=True
        ):
            breaks = [space for space, _ in old[read : i + 1] if "\n" in space]
            if breaks and j:
                spaces[j] = breaks[-1]
            read = i + 1
    return "".join(space + word for space, word in zip(spaces, words, strict=True))


def _gap(before: Document, left: tuple[int, int], right: tuple[int, int], own: str) -> str:
    if left == right:
        return " "
    between = before.gaps[left[1] : right[0]]
    return max(reversed(between), key=lambda gap: gap.count("\n")) if between else own


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """A plan as far as it could be read; `dropped` says what was not taken, and why, `unread` which calls.

    `problem` says why the answer is no plan at all; it is empty where it is one.
    """

    thought: str
    calls: tuple[str, ...]
    advice: Mapping[int, str]
    dropped: tuple[str, ...] = ()
    problem: str = ""
    unread: tuple[str, ...] = ()


def read_plan(answer: str, sentences: Mapping[int, str], total: int | None = None) -> PlanAnswer:
    """Read a plan for some sentences, given by number, of a text that has `total` of them.

    Without sentences only the calls are of interest, and may name any.
    """
    blocks = _blocks(answer)
    calls, dropped = _calls(blocks["calls"] + blocks["loose calls"], total or max(sentences, default=None))
    unread = tuple(dropped)
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
    said = shown(" ".join(thought), LONGEST_THOUGHT)
    return PlanAnswer(said, calls, advice, tuple(dropped), problem, unread)


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
            one = _ONE_CALL.match(text.strip())
            call = one[0] if one else text.strip().rstrip("`;,.").strip()
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
