"""The genres that texts are told apart by, what records call them, and the rubric each is held against."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Final

from redraft.bench.c3e.reading import Language
from redraft.judge import Rubric, read_rubric


class Genre(StrEnum):
    """A kind of text."""

    FICTION = "fiction"
    STORY = "story"
    POETRY = "poetry"
    SPEECH = "speech"
    ESSAY = "essay"
    ARGUMENT = "argument"
    ACADEMIC = "academic_writing"
    ARTICLE = "article"
    REPORTAGE = "reportage"
    REPORT = "report"
    OFFICIAL = "official_document"
    PLAN = "plan"
    LETTER = "letter"
    NOTICE = "notice"
    APPLICATION = "application"
    CONTRACT = "contract"

    def named(self, lang: Language) -> str:
        """What records of a language call it."""
        return self.value if lang == "en" else _CHINESE[self]


_CHINESE: Final = {
    Genre.FICTION: "小说",
    Genre.STORY: "故事",
    Genre.POETRY: "诗歌",
    Genre.SPEECH: "演讲稿",
    Genre.ESSAY: "散文",
    Genre.ARGUMENT: "议论文",
    Genre.ACADEMIC: "学术写作",
    Genre.ARTICLE: "文章",
    Genre.REPORTAGE: "纪实",
    Genre.REPORT: "报告",
    Genre.OFFICIAL: "公文",
    Genre.PLAN: "方案",
    Genre.LETTER: "信件类写作",
    Genre.NOTICE: "通知",
    Genre.APPLICATION: "申请类写作",
    Genre.CONTRACT: "合同类写作",
}
_RUBRICS: Final = {
    Genre.FICTION: "fiction",
    Genre.STORY: "fiction",
    Genre.POETRY: "poetry",
    Genre.SPEECH: "speech",
    Genre.ESSAY: "essay",
    Genre.ARGUMENT: "essay",
    Genre.ACADEMIC: "essay",
    Genre.ARTICLE: "essay",
    Genre.REPORTAGE: "essay",
}
"""Every other genre is a working document, held against the rubric for reports."""


@lru_cache(maxsize=8)
def _read(name: str) -> Rubric:
    text = files(__package__).joinpath("rubrics", f"{name}.toml").read_text(encoding="utf-8")
    return read_rubric(text, name)


def rubric_of(genre: Genre) -> Rubric:
    """What a text of a genre is marked by, from 1 to 5; its aspect `overall` decides."""
    return _read(_RUBRICS.get(genre, "report"))
