"""A small C3EBench of our own: two or three records for each task and language."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Rows = list[dict[str, Any]]


def row(
    name: str, task: str, genre: str, instruction: str, given: dict[str, str], reference: str
) -> dict[str, Any]:
    return {
        "infer_id": name, "task_type": task, "sub_task": genre,
        "instruction": instruction, "input": given, "reference": reference,
    }  # fmt: skip


FILL = "Please fill in the blank of this article."
REWRITE = "Rewrite the content by the critique. Give the new text only."
ENGLISH: Rows = [
    row("cloze_en_0", "cloze", "essay", FILL, {"prefix": "The ferry left at six. ", "suffix": " Nobody waved."}, "Fog lay on the quay."),
    row("cloze_en_1", "cloze", "story", FILL, {"prefix": "She opened the box. ", "suffix": " So it was true."}, "A key lay in it."),
    row(
        "condition_en_0", "condition", "essay", "Write a short essay on lighthouses in about 40 words.",
        {"genre": "Essay", "brief": "Lighthouses.", "condition": "Why they were built. Why they went dark.", "audience": "General readers.", "word": "40"},
        "Lighthouses were built for ships. Satellites made them dark.",
    ),
    row("edit_en_0", "edit", "poetry", REWRITE, {"content": "The sea is nice.", "critique": "Show it; nothing is seen."}, "The sea turns its grey pages."),
    row("edit_en_1", "edit", "essay", REWRITE, {"content": "Bread is good.\n\nI like bread.", "critique": "Say why."}, "Bread is patience."),
    row("end2end_en_0", "end2end", "essay", "Write an essay on rain in cities, about 30 words.", {"genre": "Essay", "brief": "Rain.", "audience": "All.", "word": "30"}, "Rain makes a city listen."),
    row("end2end_en_1", "end2end", "story", "Write a story about a clock that stops.", {"genre": "Story", "brief": "Clock.", "audience": "All.", "word": "500"}, "The clock stopped at noon."),
]  # fmt: skip
CHINESE: Rows = [
    row("cloze_cn_0", "cloze", "散文", "请根据上下文补全以下文章中空缺的内容。", {"content": "船在清晨离开。[fill in the blank]没有人挥手。"}, "雾气笼罩着码头。"),
    row("condition_cn_0", "condition", "议论文", "请按照大纲写一篇关于灯塔的文章。", {"outline": "- 为什么修建灯塔\n- 为什么灯塔熄灭了"}, "灯塔是为船修建的。"),
    row("edit_cn_0", "edit", "诗歌", "请根据点评改写初稿，只输出改写后的文本。", {"content": "大海很好看。", "critique": "要写出画面。"}, "大海翻动灰色的书页。"),
    row("end2end_cn_0", "end2end", "散文", "请写一篇关于城市与雨的散文，二十字左右。", {"content": ""}, "雨让城市安静下来。"),
]  # fmt: skip


def write_rows(file: Path, rows: Iterable[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in rows), encoding="utf-8")
    return file


def write_data(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    write_rows(folder / "english.jsonl", ENGLISH)
    write_rows(folder / "chinese.jsonl", CHINESE)
    return folder
