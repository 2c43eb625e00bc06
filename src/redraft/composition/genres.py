"""What kind of piece is to be written, as an instruction or a style guide names it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from redraft.composition.brief import Genre

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
