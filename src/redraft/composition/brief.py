"""What was asked for: the topic, the style guide, and what can be read out of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, Literal

from redraft.composition.form import NOUNS, ORDER, Genre, audience_of, genre_of, length_of, title_of
from redraft.errors import InputError
from redraft.text import Document, language

_NUMBERED: Final = re.compile(
    r"(?<![\w.])(?:\((\d{1,2})\)|(\d{1,2})[.)](?!\d))\s*|(?:^|(?<=[\s：:；;。，]))[（(]?([一二三四五六七八九十])[、）)]\s*",
    re.MULTILINE,
)
_BULLET: Final = re.compile(r"^\s*[-*•·]\s+(.+)$", re.MULTILINE)
_SECTIONS: Final = re.compile(
    r"\b(?:sections?|(?:sub)?headings?|chapters?|parts?|structure|outline)\b[^.:(\n]{0,40}(?::|\()\s*"
    r"(?P<list>[^\n]+)"
    r"|(?:部分|章节|小节|结构|小标题|标题|提纲|大纲)[^，。：:\n]{0,8}[：:]\s*(?P<chinese>[^。\n]+)",
    re.IGNORECASE,
)
_NAMING: Final = re.compile(
    r"\b(?:with|includ(?:e|ing)|contain(?:ing)?|us(?:e|ing)|has|having)\s+", re.IGNORECASE
)
_SECTION_NAME: Final = re.compile(
    r"(?:introduction|abstract|background|methods?|methodology|results|findings|discussion|conclusions?"
    r"|(?:executive )?summary|(?:main )?body|reference list|references?|works cited|bibliography"
    r"|recommendations|appendix|literature review)\b",
    re.IGNORECASE,
)
_ON_WHAT: Final = re.compile(r"\s+(?:on|about|for|in)\s.*$", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"^(?:(?:an?|the|brief|short|clear|concise|final|strong)\s+)+", re.IGNORECASE)

# The verb says what is done with the thing, and is left out, or belongs to it, and stays.
_ABOUT: Final = """
    discuss cover include explain describe analy[sz]e show emphasi[sz]e highlight address define detail
    explore examine trace outline summari[sz]e evaluate assess identify present introduce mention consider
    list state review
"""
_KEPT: Final = r"compare|contrast|argue|critique|distinguish|reflect\s+on" + (
    r"|(?:open|begin|start|conclude|close|end|finish)\s+(?:with|by|on)|thank|tell|recount"
)
_DOING: Final = (
    "discussing covering explaining describing analy[sz]ing showing emphasi[sz]ing highlighting addressing"
    " exploring examining tracing considering"
)
_VERB: Final = re.compile(
    r"(?:^|[,;:.]\s*(?:and\s+)?(?:then\s+)?|\s(?:and|then)\s+(?:then\s+)?|\s(?:should|must|sure to)\s+)"
    r"(?:also\s+|briefly\s+|critically\s+)?"
    rf"(?:(?P<about>{'|'.join(_ABOUT.split())})|(?P<kept>{_KEPT}))\b(?:\s+(?:how|why|what|that|whether)\b)?"
    rf"|\s(?:{'|'.join(_DOING.split())})\b(?:\s+(?:how|why|what|that|whether)\b)?",
    re.IGNORECASE,
)
_REMARK: Final = re.compile(
    r"\b(?:references?\b(?! to)|citations?|cite|in-text|bibliograph|works cited|headings?|bullets?|tone|voice"
    r"|APA|MLA|word count|[\d,]+[\s-]*words?|sections?|format|the (?:readers?|audience))\b",
    re.IGNORECASE,
)
_MANNER: Final = re.compile(
    r"[,;.]?\s*(?:\b(?:and\s+)?(?:use|using|maintain|aim|target|keep|adopt|write in|ensure|avoid|integrate"
    r"|cite|(?:with|in) an? [\w-]+ tone|(?:about|around|approximately|roughly)\s+[\d,]+)\b).*$",
    re.IGNORECASE | re.DOTALL,
)
_CHINESE_VERB: Final = re.compile(
    r"(?:重点|着重|主要|需要?|应|要|并|同时|详细|内容|文章)*(?:介绍|描述|阐述|分析|探讨|讨论|说明|展现|突出|强调|包括|包含|涵盖|提出"
    r"|总结|表达|叙述|论述|体现|描写|聚焦|回顾|比较)(?:了|出)?[：:]?"
)
_CHINESE_REMARK: Final = re.compile(r"以下|如下|语言|字数|风格|格式|结构清晰|语气|文笔|\d+\s*字")

_ON: Final = re.compile(
    r"\b(?:on|about|regarding|concerning|explaining|exploring|examining|comparing|analy[sz]ing|discussing"
    r"|describing|introducing|reviewing|arguing(?: that| for| against)?)\s+",
    re.IGNORECASE,
)
_OF: Final = re.compile(r"\b(?:of|to|for|set in)\s+", re.IGNORECASE)
_TELL: Final = re.compile(
    r"(?:please\s+)?(?:tell (?:me|us) about|explain|describe|discuss|compare)\s+", re.IGNORECASE
)
_END: Final = re.compile(
    r"[.;:(!?\n]|,\s|\s(?:with|using|titled|entitled|that|which|should|must|from an?|in contrast"
    r"|in (?:about|around|\d)|for an?|explaining|exploring|examining|arguing|analy[sz]ing|discussing"
    r"|describing|suitable|aimed|(?:around|about) \d)\b",
    re.IGNORECASE,
)
_CHINESE_SUBJECT: Final = re.compile(
    r"关于(?P<on>[^，。；\n]{1,40}?)(?:的(?=[^的，。；\n]{1,12}(?:[，。；\n]|$))|[，。；\n]|$)"
    r"|以(?P<as>[^，。；\n]{1,40}?)为(?:主题|题|切入点|背景|对象|中心)"
    r"|主题[是为：:]+\s*(?P<theme>[^，。；\n]{1,40})|(?:谈谈|说说|讲述)(?P<of>[^，。；\n]{1,40})"
    r"|围绕(?P<around>[^，。；\n]{1,40}?)(?:展开|[，。；\n]|$)"
)
_CHINESE_OBJECT: Final = re.compile(
    r"(?:撰写|编写|写|生成|创作|起草)(?:一?[篇份封首个则段])(?:[^，。；\n]{0,12}?字(?:左右)?的?)?([^，。；\n]{1,40})"
)
_ASIDE: Final = re.compile(
    r"\s*\([^()]*\d+[^()]*words?\)|\s+(?:of|in)\s+(?:about|around|roughly|approximately|some)?\s*[\d,–-]+\s+words?"
    r"|\s+in the (?:first|second|third) person",
    re.IGNORECASE,
)
_LONGEST_LIST: Final = 1000
_LONGEST_SUBJECT: Final = 20


def headings_of(text: str) -> tuple[tuple[str, ...], str]:
    """The sections that are asked for by name, and the text without them."""
    if numbered := _numbered_list(text):
        items, start, end = numbered
        if max(len(item.split()) for item in items) <= 10 and max(map(len, items)) <= 80:
            return tuple(map(_capital, items)), text[:start] + ". " + text[end:]
    if found := _SECTIONS.search(text):
        group = "list" if found["list"] is not None else "chinese"
        said = found[group] if group == "chinese" else _first_sentence(found[group])
        items = _items(said.rstrip(".)"))
        if len(items) > 1:
            return tuple(map(_capital, items)), text[: found.start()] + ". " + text[
                found.start(group) + len(said) :
            ]
    for sentence in Document(text).sentences:
        said = sentence.text[:_LONGEST_LIST]
        for found in _NAMING.finditer(said):
            items = [_name(item) for item in _items(said[found.end() :].rstrip("."))]
            if _are_names(items):
                start = sentence.start + found.start()
                return tuple(map(_capital, items)), text[:start] + ". " + text[sentence.end :]
    return (), text


def points_of(text: str) -> tuple[str, ...]:
    """The things that the piece is to speak of, in order."""
    found: list[str] = []
    if numbered := _numbered_list(text):
        found, start, end = numbered
        text = text[:start] + ". " + text[end:]
    bullets = _BULLET.findall(text)
    for sentence in Document(_BULLET.sub("", text)).sentences:
        found += _clauses(sentence.text)
        found += _chinese_clauses(sentence.text)
    kept = [point.strip(" ,;:.，。；") for point in (*found, *bullets)]
    return tuple(dict.fromkeys(point for point in kept if point and not _REMARK.search(point)))


def subject_of(topic: str, title: str = "") -> str:
    """What a piece is about, in a few words; empty where an instruction does not say."""
    order = ORDER.match(topic)
    if chinese := _CHINESE_SUBJECT.search(topic):
        return next(part for part in chinese.groups() if part).strip("“”\"'《》： ")
    if chinese := _CHINESE_OBJECT.search(topic):
        return title or chinese[1]
    if order is None:
        first = _TELL.sub("", _first_sentence(topic), count=1)
        return _short(first if len(first.split()) <= _LONGEST_SUBJECT else first[: _end(first)])
    rest = _first_sentence(_ASIDE.sub("", topic[order.end() :]))
    if on := _ON.search(rest):
        return _about(rest[on.end() :])
    of = _OF.search(rest)
    return title or (_about(rest[of.end() :]) if of else "")


def _numbered_list(text: str) -> tuple[list[str], int, int] | None:
    """A list that counts from 1 up, in lines or in running text: its items, where it begins and ends."""
    marks: list[re.Match[str]] = []
    for match in _NUMBERED.finditer(text):
        number = int(match[1] or match[2] or "一二三四五六七八九十".find(match[3]) + 1)
        if number == len(marks) + 1:
            marks.append(match)
    if len(marks) < 2:
        return None
    ends = [mark.start() for mark in marks[1:]]
    tail = text[marks[-1].end() :]
    last = re.search(r"[.。;；](?:\s|$)|\n|[.。]$|(?<=[\u4e00-\u9fff])[。；]", tail)
    end = marks[-1].end() + (last.start() if last else len(tail))
    items = [text[mark.end() : stop] for mark, stop in zip(marks, [*ends, end], strict=True)]
    cleaned = [re.sub(r"[\s,;.，；。、]*(?:\band\s*)?$", "", item.strip()) for item in items]
    return (cleaned, marks[0].start(), end) if all(cleaned) else None


def _items(text: str) -> list[str]:
    """The parts of an enumeration; what stands in brackets is not parted."""
    separator = r"[;；]" if re.search(r"[;；]", text) else r"[,，、]"
    parts: list[str] = []
    depth, start = 0, 0
    for match in re.finditer(rf"[(（]|[)）]|{separator}", text):
        if match[0] in "(（":
            depth += 1
        elif match[0] in ")）":
            depth = max(0, depth - 1)
        elif not depth:
            parts.append(text[start : match.start()])
            start = match.end()
    parts.append(text[start:])
    if len(parts) > 1:
        last = re.split(r"(?<=\w)\s+(?:and|or)\s+(?=\w)", parts[-1], maxsplit=1)
        is_closed = re.match(r"\s*(?:and|or)\s", parts[-1])
        parts[-1:] = [parts[-1]] if is_closed else last
    found = (re.sub(r"^(?:and|or|以及|和|及)\s*(?=\S)", "", part.strip(" :.")) for part in parts)
    return [part for part in found if part]


def _name(item: str) -> str:
    bare = _ARTICLE.sub("", item)
    return _ON_WHAT.sub("", bare) if _SECTION_NAME.match(bare) else bare


def _are_names(items: Sequence[str]) -> bool:
    if len(items) < 3 or max(len(item.split()) for item in items) > 6:
        return False
    known = sum(_SECTION_NAME.match(item) is not None for item in items)
    return known >= 2 or all(item[0].isupper() for item in items)


def _clauses(sentence: str) -> Iterator[str]:
    """The things that each verb of an English sentence is to be done with."""
    verbs = list(_VERB.finditer(sentence))
    for place, verb in enumerate(verbs):
        end = verbs[place + 1].start() if place + 1 < len(verbs) else len(sentence)
        question = re.search(r"\b(?:how|why|what|that|whether)$", verb[0])
        start = verb.start("kept") if verb["kept"] else verb.end() - (len(question[0]) if question else 0)
        said = _MANNER.sub("", sentence[start:end]).strip(" ,;:.")
        items = [] if verb["kept"] or question else _items(said)
        short = [len(item.split()) for item in items]
        if ";" in said or (len(items) > 2 and median(short) <= 6 and max(short) <= 14):
            yield from items
        else:
            yield said


def _chinese_clauses(sentence: str) -> Iterator[str]:
    for clause in re.split(r"[，。；！？]", sentence):
        verb = _CHINESE_VERB.search(clause)
        if verb is None or _CHINESE_REMARK.search(clause):
            continue
        said = re.sub(r"等(?:方面|内容|问题|部分|因素)?(?:的.*)?$", "", clause[verb.end() :])
        parts = said.split("、")
        parts[-1:] = re.split(r"以及|和|及|与", parts[-1], maxsplit=1) if len(parts) > 1 else parts[-1:]
        yield from parts


def _first_sentence(text: str) -> str:
    sentences = Document(text.strip()).sentences
    return sentences[0].text if sentences else text


def _about(text: str) -> str:
    return _short(text[: _end(text)])


def _end(text: str) -> int:
    found = _END.search(text)
    return found.start() if found else len(text)


def _short(text: str) -> str:
    words = text.split()[:_LONGEST_SUBJECT]
    kept = " ".join(words).strip(" ,;:.。，；")
    return re.sub(rf"^(?:an?|the)\s+(?:{NOUNS})\s+(?:on|about)\s+", "", kept, flags=re.IGNORECASE)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


Language = Literal["en", "zh"]

_MOST_READ: Final = 20_000


@dataclass(frozen=True, slots=True)
class Length:
    """How long the piece is to be: in words, in Chinese in characters; "about 900" is 900 to 900."""

    low: int
    high: int

    @property
    def target(self) -> int:
        """The middle."""
        return (self.low + self.high) // 2


@dataclass(frozen=True, slots=True)
class Brief:
    """The query of a piece, read."""

    topic: str
    style: str = ""
    language: Language = "en"
    genre: Genre = "article"
    length: Length | None = None
    headings: tuple[str, ...] = ()
    """Sections that were asked for by name."""
    points: tuple[str, ...] = ()
    """Further things that it is to speak of, in order."""
    title: str = ""
    """A title that was asked for."""
    audience: str = ""


def read_brief(topic: str, style: str = "") -> Brief:
    """What a topic and a style guide ask for; either may hold all of it."""
    topic, style = topic.strip(), style.strip()
    if not re.search(r"\w", topic):
        raise InputError('the topic has no words: say what to write about, such as "Why cities flood"')
    asked, manner = topic[:_MOST_READ], style[:_MOST_READ]
    both = f"{asked}\n{manner}"
    bounds = length_of(manner) or length_of(asked)
    named, rest = headings_of(asked)
    if not named:
        named, manner = headings_of(manner)
    return Brief(
        topic,
        style,
        language=_language(both),
        genre=genre_of(asked, style[:_MOST_READ]),
        length=None if bounds is None else Length(*bounds),
        headings=named,
        points=points_of(f"{rest}\n{manner}"),
        title=title_of(both),
        audience=audience_of(both),
    )


def subject(brief: Brief) -> str:
    """What a piece is about in a few words, from a topic or an instruction."""
    found = subject_of(brief.topic[:_MOST_READ], brief.title) or next(iter(brief.points), "")
    return found or brief.topic[:80].strip()


def _language(text: str) -> Language:
    found = language(text)
    is_chinese = found == "zh" or (found is None and re.search(r"[\u4e00-\u9fff]", text) is not None)
    return "zh" if is_chinese else "en"
