"""Where sentences begin and end in running text.

A sentence ends at a full stop, question mark, exclamation mark or ellipsis (with the quotes, brackets,
reference numbers and emoji that follow right after it) where what follows looks like a new sentence; at a
blank line; and at a line break that the writer meant. A line break is meant when the next line is a list
item, when the next line opens with a capital and its first word would have fitted on the line before it, or
when every line of a block of four or more opens with a capital (verse). Any other is hard wrapping.

Nothing here looks further than a fixed distance around a stop: time is linear in the text, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from redraft.text.word_lists import word_sets, wordings
from redraft.text.words import CJK

# Abbreviations and other words that tell where a sentence ends; the file says what each list is.
_LISTS: Final = word_sets(__package__, "sentence_ends.txt")
TITLES: Final = _LISTS["titles"]
HONORIFICS: Final = _LISTS["honorifics"]
INNER: Final = _LISTS["inner"]
ACRONYMS: Final = _LISTS["acronyms"]
POSTSCRIPTS: Final = _LISTS["postscripts"]
NUMBERED: Final = _LISTS["numbered"]
CALENDAR: Final = _LISTS["calendar"]
CLOSING: Final = _LISTS["closing"]
ENDING: Final = _LISTS["ending"]
BEFORE_TIME: Final = _LISTS["before_time"]
TIMES: Final = frozenset({"a.m", "p.m"})
AFTER_TIME: Final = _LISTS["after_time"]
OPENERS: Final = _LISTS["openers"]
EXCLAIMED: Final = _LISTS["exclaimed"]
_GOES_ON: Final = _LISTS["goes_on"]
_LETTERED: Final = _LISTS["lettered"]

_QUOTES: Final = frozenset("\"'”’»›」』")
_WORD: Final = r"[^\W\d_a-z][\w'’-]{0,30}"
_WORDINGS: Final = wordings(__package__)
_SPEAKER: Final = re.compile(
    rf"(?P<first>{_WORD})(?:\.?[ ]{_WORD}){{0,2}}[ ](?:(?:{_WORDINGS['speaks']})\b"
    r"(?![ ](?:nothing|no|that|so|little|if|whether|for|a|an|the|his|her|their|many|few|about)\b)"
    rf"|(?:{_WORDINGS['speaks_or_acts']})(?=[.,;:!?—–]|[ ]\w{{2,20}}ly\b|\Z))"
)
_SAID_IN_CHINESE: Final = re.compile(
    rf"[{CJK}]{{1,8}}?(?:(?<![小听聽据據传傳])[说說]|(?<![知味街难難报報频頻轨軌渠通])道|(?<![学學疑访訪])[问問]"
    r"|(?<![理思梦夢幻])想|[喊答叫嚷骂罵])(?:着|了一[声聲句])?(?=[。！？，；…—,.;!?\s]|\Z)"
)
# What masked mark-up is shown as to the segmenter: see `formats.py`.
BLOCK: Final = "\x1d"  # a block stands here: a new paragraph begins after it
BREAK: Final = "\x1e"  # a list item, a heading: a new sentence begins after it
SILENT: Final = "\u2060"  # mark-up within a word or a sentence, seen by no reader
_UNSEEN: Final = SILENT + ". \t\r\n"  # an image or a label alone is no sentence
_NEWLINES: Final = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_LINE: Final = re.compile(rf"\S(?:[^{_NEWLINES}]*\S)?")
_NEWLINE: Final = re.compile(r"\r\n|[\n\r\x0b\x85]")
_RULE: Final = re.compile(r"[=\-_*~#+]{3,}\Z")
_ITEM: Final = re.compile(
    r"(?:[-*+•◦▪‣·–—●○■□►✓✔➢→]|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)])[^\S\n]",
)
_IDEOGRAPHIC: Final = "。！？｡"
_CLOSE: Final = rf"[\"'”’»›)\]}}」』）】》〉*_~{SILENT}]"
_EMOJI: Final = r"\u2600-\u27bf\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\ufe0f\u200d"
_STOP: Final = re.compile(
    rf"(?P<stop>[.!?…。！？｡．‼⁇⁈⁉؟۔।॥։።]++{SILENT}*+)"
    rf"(?P<close>{_CLOSE}*+(?:[^\S\n](?:[»›](?=\s|\Z)|[”’」』](?=[\s，。！？{CJK}]|\Z)))?+)"
    rf"(?P<trail>(?:[^\S\n]?(?:\[\d{{1,4}}(?:[,–-][ ]?\d{{1,4}}){{0,9}}\]|\[citation needed\]"
    rf"|[{_EMOJI}]++(?=\s|\Z))|\[(?:[a-z]|(?:note|nb|n)[ ]?\d{{1,3}})\](?!\w)|[¹²³⁰⁴-⁹]{{1,4}}(?=\s|\Z))*+)"
    rf"(?P<space>\s*+)(?P<open>[\"'`“‘«‹¿¡(\[{{「『（【《〈*_{SILENT}—–-]*+)"
)
_BEFORE: Final = re.compile(r"[^\s\"“”‘«»()\[\]{}/—–" + SILENT + r"]+\Z")
_AFTER: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_I: Final = re.compile(r"I(?:['’]\w+)?\Z")  # says nothing about whether a sentence begins with it
_VOWEL: Final = re.compile(r"[aeiouyàâäáéèêëíîïóôöúûü]", re.IGNORECASE)
_CJK_CHARACTER: Final = re.compile(f"[{CJK}]")
_REACH: Final = 48
_BRACKET_REACH: Final = 300
_NARROW: Final = 40  # a block no wider than this was not wrapped, but written in short lines


def names_the_speaker(text: str, match: re.Match[str], end: int) -> bool:
    """Whether the stop and closing quote that were matched are followed by who said it."""
    if _QUOTES.isdisjoint(match["close"]):
        return False
    speaker = _SPEAKER.match(text, match.end(), end)
    if speaker:
        return speaker["first"][0].isupper() and speaker["first"] not in OPENERS
    return bool(_SAID_IN_CHINESE.match(text, match.end(), end))


class Line(NamedTuple):
    """A line's text, without the white space around it."""

    start: int
    end: int


class Stretch(NamedTuple):
    """A sentence's place, and the 1-based paragraph it stands in."""

    start: int
    end: int
    paragraph: int


def segment(text: str, *, marked_up: bool = False) -> list[Stretch]:
    """The sentences of a text; between them there is only white space.

    In marked-up text a line break is never meant: list items and headings have their marks.
    """
    found: list[Stretch] = []
    for number, lines in enumerate(_paragraphs(text), 1):
        for unit in _units(text, lines, marked_up):
            found.extend(
                Stretch(start, end, number)
                for start, end in _sentences(text, unit.start, unit.end)
                if not marked_up or text[start:end].strip(_UNSEEN)
            )
    return found


def _paragraphs(text: str) -> Iterator[list[Line]]:
    """Blocks of lines with no blank line between them."""
    block: list[Line] = []
    for match in _LINE.finditer(text, 1 if text.startswith("\ufeff") else 0):
        line = Line(*match.span())
        if block:
            between = text[block[-1].end : line.start]
            if between != "\n" and (
                BLOCK in between
                or "\u2029" in between
                or "\x0c" in between
                or len(_NEWLINE.findall(between)) > 1
            ):
                yield block
                block = []
        block.append(line)
    if block:
        yield block


def _units(text: str, lines: list[Line], marked_up: bool) -> Iterator[Line]:
    """Joins the lines of a block that hard wrapping parted."""
    if len(lines) == 1:
        yield lines[0]
        return
    width = max(_NARROW, *(line.end - line.start for line in lines))
    verse = not marked_up and len(lines) >= 4 and all(text[line.start].isupper() for line in lines)
    start = lines[0].start
    for line, following in pairwise(lines):
        between = text[line.end : following.start]
        if (
            verse
            or BREAK in between
            or "\u2028" in between
            or (not marked_up and _meant(text, line, following, width))
        ):
            yield Line(start, line.end)
            start = following.start
    yield Line(start, lines[-1].end)


def _meant(text: str, line: Line, following: Line, width: int) -> bool:
    """Whether the writer meant the break between two lines."""
    if _RULE.match(text, following.start, following.end):
        return False
    if _ITEM.match(text, following.start, following.end) or _RULE.match(text, line.start, line.end):
        return True
    first = text[following.start]
    if not (first.isupper() or first in '"“«#'):
        return False
    space = text.find(" ", following.start, following.end)
    word = (space if space >= 0 else following.end) - following.start
    return line.end - line.start + 1 + word <= width


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Splits one unit at the stops that end a sentence."""
    unit = start
    worded = False  # a sentence has a letter or a digit: a lone "..." belongs to what follows
    seen = start
    for match in _STOP.finditer(text, start, end):
        close = match.end("trail")
        worded = worded or any(map(str.isalnum, text[seen : match.start()]))
        seen = match.start()
        if close >= end:
            break
        if worded and _ends(text, match, start, end, first=start == unit):
            yield start, close
            start = match.end("space")
            worded = False
            seen = start
    if start < end:
        yield start, end


def _ends(text: str, match: re.Match[str], start: int, end: int, *, first: bool) -> bool:
    """Whether the stop that was matched ends the sentence that began at `start`; `first`: of its unit."""
    stop = match["stop"].rstrip(SILENT)
    spaced = match.start("space") < match.end("space")
    position = match.end()
    following = text[position] if position < end else ""
    if following and following in ".!?…,;:。！？，、；：)]}）":
        return False
    if _bracketed(text, start, match.start()):
        return False
    if match["close"] and stop != "." and not match["open"] and names_the_speaker(text, match, end):
        return False
    if stop[-1] in _IDEOGRAPHIC:
        return True
    if not spaced:
        # "Really?他" and "OK!他": Chinese writers use half-width marks too, with no space after them.
        return stop[-1] in "!?" and bool(_CJK_CHARACTER.match(following))
    lower = following.islower()
    if stop == ".":
        return _full_stop_ends(text, match, start, following, first=first)
    after = _AFTER.match(text, position, position + _REACH)
    if stop.strip(".") == "" or "…" in stop:
        return not lower and (after is None or not _I.match(after[0]))
    if not lower:
        return True
    if match["close"].strip(SILENT) or (after is not None and after[0] in _GOES_ON):
        return False
    before = _BEFORE.search(text, max(start, match.start() - _REACH), match.start())
    return before is None or before[0] not in EXCLAIMED


def _bracketed(text: str, start: int, position: int) -> bool:
    """Whether a position stands inside a bracket that opened in mid-sentence and closes soon."""
    since = max(start, position - _BRACKET_REACH)
    opened = text.rfind("(", since, position)
    if opened <= start or text.rfind(")", opened, position) >= 0:
        return False
    return text.find(")", position + 1, position + _BRACKET_REACH) >= 0


def _full_stop_ends(text: str, match: re.Match[str], start: int, following: str, *, first: bool) -> bool:
    """Whether a single full stop with white space after it ends the sentence."""
    position = match.start()
    before = _BEFORE.search(text, max(start, position - _REACH), position)
    lower = following.islower()
    after_match = _AFTER.match(text, match.end(), match.end() + _REACH)
    after = after_match[0] if after_match else ""
    if before is None:
        return not lower and not _I.match(after)  # ". . ."
    token = before[0]
    opens = after in OPENERS
    key = token if len(token) == 1 else token.lower().lstrip("'‘’")  # "C." is no "c.", circa
    if before.start() == start and (
        len(token) == 1 or key in POSTSCRIPTS or (token.isdigit() and (first or len(token) == 2))
    ):
        return False  # "1. First", "a. First": the number of an item; "How many? 500. She" is an answer
    bracket = "(" in match["open"] or "[" in match["open"]
    if match["close"].strip(SILENT) and key not in TITLES:
        return not lower
    initial = text.startswith(".", match.end() + len(after))  # "GEN. A. Smith"
    acronym = opens and not initial and len(token) > 1 and token.isupper()
    if key in INNER and not (acronym and key in ACRONYMS):
        return False
    if key in TITLES and (token[0].isupper() or not opens) and not (acronym and key not in HONORIFICS):
        return False
    if key in NUMBERED and (following.isdigit() or _numeral(after, key)):
        return False
    if key in CALENDAR and token[0].isupper():
        return not lower and not following.isdigit() and after.lower() not in CALENDAR
    if key in ENDING:
        return (
            not lower
            and after not in AFTER_TIME
            and not (key in TIMES and _early(text[max(start, position - _REACH) : position], opens))
        )
    if key in CLOSING and (token[0].isupper() or "." in key or key == "al"):
        return opens and not bracket
    if len(token) == 1 and token.isalpha():
        return opens or (not lower and _no_initial(token, text[max(start, position - _REACH) : position]))
    if lower:
        return not bracket and len(token) > 2 and token.isalpha() and bool(_VOWEL.search(token))
    if "." in token and len(token) <= 7 and all(len(part) == 1 for part in token.split(".")):
        return opens  # an unknown abbreviation of letters: "S.P.Q.R. Then"
    return True


def _early(before: str, opens: bool) -> bool:
    """Whether a time of day stands before its sentence's verb: "At 5 a.m. Mr. Smith came"."""
    words = before.split()
    return len(words) < 4 and (not opens or words[0].lower() in BEFORE_TIME)


def _no_initial(letter: str, before: str) -> bool:
    """Whether a single letter is no initial of a name: "plan B. Smith agreed" against "by J. Smith"."""
    words = before.split()
    if letter.islower() or (letter == "I" and len(words) > 1 and words[-2].islower()):
        return True
    return len(words) > 1 and words[-2].lower() in _LETTERED


def _numeral(word: str, key: str) -> bool:
    """Whether a word is a Roman numeral or a letter that numbers something: "Ch. IV", "App. B"."""
    if word in {"I", "A"}:
        return key in {"tab", "ch", "chap", "vol", "sec", "app", "fig"} and word == "I"
    return len(word) == 1 or (bool(word) and all(letter in "IVXLC" for letter in word))
