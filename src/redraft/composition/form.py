"""The form that an instruction asks for: genre, length, title, readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from redraft.constraints import NUMBER_WORDS, figure, spelled

Genre = Literal["essay", "academic", "report", "article", "speech", "story", "poetry", "letter", "guide"]

_NOUNS: Final[dict[Genre, str]] = {
    "essay": "essay essays reflection composition",
    "academic": "paper papers thesis dissertation coursework monograph",
    "report": "report reports proposal plan study memo memorandum briefing summary minutes",
    "article": "article articles explainer news blog post column feature editorial op-ed review piece",
    "speech": "speech address keynote talk eulogy toast sermon remarks lecture",
    "story": "story stories tale chapter novel novella fiction scene fable narrative vignette",
    "poetry": "poem poems poetry sonnet sonnets haiku ode ballad elegy verse verses limerick villanelle",
    "letter": "letter letters email e-mail",
    "guide": "guide how-to tutorial handbook manual instructions walkthrough recipe",
}
_GENRES: Final[dict[str, Genre]] = {word: genre for genre, words in _NOUNS.items() for word in words.split()}
NOUNS: Final = "|".join(_GENRES)
"""The nouns that name a genre, for a pattern."""
_CHINESE_NOUNS: Final[dict[Genre, str]] = {
    "essay": "议论文 记叙文 散文 随笔 杂文 作文 读后感 观后感 评论",
    "academic": "学术论文 毕业论文 论文 综述",
    "report": "报告 公文 方案 计划 总结 通知 汇报 制度 合同 申请书 纪要 提案 策划书",
    "article": "文章 报道 新闻 通讯 简介 推文 纪实文学 科普文",
    "speech": "演讲稿 演讲 讲话稿 讲话 发言稿 发言 致辞 贺词 讲稿",
    "story": "小说 故事 童话 寓言",
    "poetry": "诗歌 现代诗 古诗 绝句 律诗 歌词 诗",
    "letter": "书信 来信 感谢信 道歉信 求职信 推荐信 辞职信 邀请信 申请信 公开信 一封信 家书 邮件 倡议书",
    "guide": "指南 教程 攻略 手册 教案 说明书",
}
_CHINESE_GENRES: Final[dict[str, Genre]] = {
    word: genre for genre, words in _CHINESE_NOUNS.items() for word in words.split()
}
_CHINESE_GENRE: Final = re.compile("|".join(sorted(_CHINESE_GENRES, key=len, reverse=True)))
_CHINESE_ORDER: Final = re.compile("写|撰|生成|创作|起草|草拟|拟一")
ORDER: Final = re.compile(
    r"\s*(?:please[,\s]+|(?:can|could|would|will) you (?:please )?|i (?:want|need|would like) you to |"
    r"help me (?:to )?)*(?:write|compose|draft|create|produce|generate|prepare|craft|author|pen)\s+"
    r"(?:me\s+|us\s+)?"
    r"|\s*i (?:need|want|would like)\s+(?=an?\s)"
    rf"|\s*your\s+(?=(?:[\w-]+\s+){{0,3}}(?:{NOUNS})\b)"
    rf"|\s*(?=an?\s+(?:[\w-]+\s+){{0,4}}(?:{NOUNS})\b[^.:\n]{{0,40}}\b(?:on|about)\s)",
    re.IGNORECASE,
)
"""How an instruction to write begins."""
_SCHOLARLY: Final = re.compile(
    r"\b(?:academic|scholarly|scientific|research|literature|coursework)\b", re.IGNORECASE
)
_TURN: Final = re.compile(
    r"(?<!piece )(?<!work )(?<!series )(?<!collection )\b(?:of|on|about|for|with|in|to|from|that|which)\b"
    r"|[.;:(“\"]",
    re.IGNORECASE,
)
_OBJECT: Final = re.compile(r"\s+(?:the|an?|your|their|his|her)\b", re.IGNORECASE)
"""What follows a verb: "address the reader" asks for no speech."""
_WORD: Final = re.compile(r"e-mail|op-ed|how-to|[^\W\d_]+", re.IGNORECASE)


def genre_of(topic: str, style: str) -> Genre:
    """What is to be written: as an order to write names it, or the style guide; else an article."""
    order = ORDER.match(topic)
    named = (
        _genre_in(_until_turn(topic[order.end() :])) if order else None,
        _chinese_head(topic),
        _genre_in(_until_turn(style)),
        _genre_in(style),
        _chinese_genre(style),
    )
    return next((found for found in named if found is not None), "article")


def _until_turn(text: str) -> str:
    """What is to be written, without what it is on, for whom, and how."""
    turn = _TURN.search(text)
    return text[: turn.start()] if turn else text


def _genre_in(text: str) -> Genre | None:
    """The genre that is named first; of nouns in a row the last counts, as in "proposal essay"."""
    found: Genre | None = None
    for match in _WORD.finditer(text):
        genre = None if _OBJECT.match(text, match.end()) else _GENRES.get(match[0].lower())
        if genre is None and found is not None and match[0].lower() != "of":
            break
        found = genre or found
    if found in ("essay", "article", "report") and _SCHOLARLY.search(text):
        return "academic"
    return found


def _chinese_head(text: str) -> Genre | None:
    for clause in re.split(r"[，。；！？\n]", text):
        if (order := _CHINESE_ORDER.search(clause)) and (found := _chinese_genre(clause[order.end() :])):
            return found
        if order and "封" in clause:
            return "letter"
    return None


def _chinese_genre(text: str) -> Genre | None:
    clauses = (list(_CHINESE_GENRE.finditer(clause)) for clause in re.split(r"[，。；！？\n]", text))
    return next((_CHINESE_GENRES[found[-1][0]] for found in clauses if found), None)


_FIGURE: Final = r"\d{1,3}(?:,\d{3})+|\d{1,7}"
_LENGTH: Final = re.compile(
    rf"(?P<bound>(?:at (?:least|most)|(?:no )?(?:fewer|less|more) than|over|up to|under|below"
    rf"|not exceed(?:ing)?|(?:a )?(?:mini|maxi)mum(?: of)?)\s+)?"
    rf"(?P<first>{_FIGURE})(?P<kilo>k)?(?:\s*(?:-|–|—|to|and)\s*(?P<second>{_FIGURE}))?[\s-]*words?\b"
    r"(?=(?P<after>.{0,40}))",
    re.IGNORECASE,
)
_COUNT: Final = re.compile(
    rf"\b(?:word count|length)(?:\s+of|\s+is|:)?\s*(?:about|around|~)?\s*(?P<first>{_FIGURE})\b(?!\s*\w)",
    re.IGNORECASE,
)
_SPELT: Final = re.compile(
    r"\b(?P<bound>least|most|no more than|more than|than|under|up to|over|worth)?\s*"
    rf"(?P<number>(?:(?:an?|and|{'|'.join(sorted(NUMBER_WORDS))})[\s-]+){{1,8}})words?\b",
    re.IGNORECASE,
)
_OF_A_PART: Final = re.compile(
    r"[\s-]*(?:\w+[\s-])?(?:each|per|a (?:day|section|paragraph)|abstract|summary|introduction|conclusion"
    r"|paragraph|section|stanza|quot|sentence)",
    re.IGNORECASE,
)
_LEAST: Final = re.compile(
    r"least|no (?:fewer|less)|minimum|(?<!no )more than|over|不少于|不低于|至少|以上", re.IGNORECASE
)
_MOST: Final = re.compile(
    r"most|up to|under|below|no more|fewer|less|exceed|maximum|不超过|不多于|以内|以下", re.IGNORECASE
)
_DIGITS: Final = "一二两三四五六七八九"
_CHINESE_FIGURE: Final = rf"\d{{2,7}}|[{_DIGITS}][千百十万零{_DIGITS}]{{0,9}}[千百十万][零{_DIGITS}]{{0,2}}"
_CHINESE_LENGTH: Final = re.compile(
    rf"(?P<part>每[^，。；\n]{{0,8}})?(?P<bound>不少于|不低于|至少|不超过|不多于|最多)?\s*(?P<first>{_CHINESE_FIGURE})"
    rf"\s*(?:字?\s*[-~～—–至到]+\s*(?P<second>{_CHINESE_FIGURE}))?\s*个?汉?字(?![典体号节母幕])(?P<after>以上|以内|以下)?"
)
_SHORTEST, _LONGEST = 10, 200_000

_QUOTED: Final = r"(?:“([^”\n]{1,160})”|\"([^\"\n]{1,160})\"|‘([^’\n]{1,160})’(?!\w)|'([^'\n]{1,160})'(?!\w))"
_TITLE: Final = re.compile(
    rf"\b(?:(?:en)?titled|(?:with|under) the title(?: of)?|title:|(?:{NOUNS}),? (?:called|named))"
    rf"\s*[,:]?\s*{_QUOTED}",
    re.IGNORECASE,
)
_CHINESE_TITLE: Final = re.compile(
    r"(?:题为|题目[是为：:]+|标题[是为：:]+|(?<![^\W\d_])以)\s*[《“\"「]([^》”\"」\n]{1,80})[》”\"」](?!为(?:主|例|背))"
)
_READERS: Final = """
    newspaper magazine journal newsletter website blog readers? audiences? students? pupils children kids
    teenagers adults professionals beginners undergraduates graduates parents teachers public newcomers
    employees managers residents citizens patients scientists engineers policymakers investors listeners
    practitioners experts laypeople tourists visitors
"""
_AUDIENCE: Final = re.compile(
    r"\b(?:(?:suitable|appropriate|intended|aimed|written|meant|accessible)\s+(?:for|at|to)"
    r"|for|(?:speech|address|talk|letter|sermon|remarks)\s+to)\s+"
    rf"(?P<who>(?:[\w’'&-]+\s+){{0,5}}?(?:{'|'.join(_READERS.split())}))\b",
    re.IGNORECASE,
)
_CHINESE_AUDIENCE: Final = re.compile(
    r"(?:面向|写给|适合|读者[是为])([^，。；、\s]{1,15}?)(?:的|阅读|，|。|；|$)"
)


def length_of(text: str) -> tuple[int, int] | None:
    """The least and the most words, or Chinese characters; None where no length is asked for.

    "At least 800" is taken as 800 to 1000, and "at most 800" as 600 to 800.
    """
    for low, high, bound in _lengths(text):
        if not _SHORTEST <= low <= high <= _LONGEST:
            continue
        if low == high and _LEAST.search(bound):
            return low, low * 5 // 4
        if low == high and _MOST.search(bound):
            return high * 3 // 4, high
        return low, high
    return None


def title_of(text: str) -> str:
    """A title that is asked for; empty where none is."""
    found = _TITLE.search(text) or _CHINESE_TITLE.search(text)
    title = next((part for part in found.groups() if part), "") if found else ""
    return title.strip(" .,，。")


def audience_of(text: str) -> str:
    """Whom it is written for; empty where that is not said."""
    if found := _AUDIENCE.search(text):
        return found["who"].strip()
    chinese = _CHINESE_AUDIENCE.search(text)
    return chinese[1] if chinese else ""


def _lengths(text: str) -> Iterator[tuple[int, int, str]]:
    """Each length that is named: the least, the most, and the words that bound it."""
    for found in _CHINESE_LENGTH.finditer(text):
        if found["part"] is None:
            first = _chinese_number(found["first"])
            second = _chinese_number(found["second"]) if found["second"] else first
            yield first, second, (found["bound"] or "") + (found["after"] or "")
    for found in _LENGTH.finditer(text):
        before = text[max(0, found.start() - 40) : found.start()].rpartition(".")[2]
        if _OF_A_PART.match(found["after"]) or re.search(r"\b(?:each|per|every|worth)\b", before):
            continue
        first = int(figure(found["first"]) or 0) * (1000 if found["kilo"] else 1)
        second = int(figure(found["second"]) or 0) if found["second"] else first
        yield first, second, found["bound"] or ""
    for found in _COUNT.finditer(text):
        yield (count := int(figure(found["first"]) or 0)), count, ""
    for found in _SPELT.finditer(text):
        said = re.split(r"[\s-]+", found["number"].lower())
        number = spelled(said) or spelled(said[1:])  # the article may be the column's, not the number's
        if number is not None and found["bound"] != "worth":
            yield int(number[0]), int(number[0]), found["bound"] or ""


def _chinese_number(text: str) -> int:
    """`800`, `一千五百`, `两千`."""
    if text.isdecimal():
        return int(text)
    total = digit = 0
    unit = 1
    for char in text:
        if char in "十百千万":
            unit = {"十": 10, "百": 100, "千": 1000, "万": 10_000}[char]
            total += digit * unit
            digit = 0
        elif char != "零":
            digit = "一二三四五六七八九".find(char.replace("两", "二")) + 1
    return total + digit * (unit // 10 if text[-2:-1] != "零" else 1)
