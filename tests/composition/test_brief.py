"""What is read out of a topic and a style guide."""

from __future__ import annotations

import time

import pytest

from redraft.composition.brief import Length, read_brief, subject
from redraft.errors import InputError


@pytest.mark.parametrize(
    ("topic", "style", "genre"),
    [
        ("Why cities flood", "an explainer for a local newspaper", "article"),
        ("Why cities flood", "", "article"),
        ("Why cities flood", "formal; address the reader directly", "article"),
        ("The history of the letter", "a short story", "story"),
        ("Write a formal academic essay on bees", "", "academic"),
        ("Write an argumentative essay on bees", "", "essay"),
        ("Draft a policy proposal essay about letters to editors", "", "essay"),
        ("Please write a literature review on soil", "", "academic"),
        ("Write a case study of a bakery", "", "report"),
        ("Write a witty keynote speech on essays", "", "speech"),
        ("Could you write a piece of fiction set on a ferry?", "", "story"),
        ("Write a sonnet about reports", "", "poetry"),
        ("Write me an email to a landlord", "", "letter"),
        ("Create a step-by-step guide to sharpening knives", "", "guide"),
        ("Write about poems that sailors knew", "", "article"),
        ("I need a 300-word letter to my landlord", "", "letter"),
        ("An essay of 500 words on silence", "", "essay"),
        ("A tale of two cities", "", "article"),
        ("请写一篇关于演讲的议论文", "", "essay"),
        ("写一首关于小说家的现代诗", "", "poetry"),
        ("请撰写一份年度工作报告", "", "report"),
        ("帮我写一封辞职信，说明原因", "", "letter"),
        ("请起草校长在开学典礼上的讲话稿", "", "speech"),
        ("城市为什么会内涝", "一篇面向市民的短篇小说", "story"),
    ],
)
def test_the_genre_is_what_is_to_be_written(topic: str, style: str, genre: str) -> None:
    assert read_brief(topic, style).genre == genre


@pytest.mark.parametrize(
    ("asked", "length"),
    [
        ("about 900 words", (900, 900)),
        ("900–1100 words", (900, 1100)),
        ("a 1,500-word report", (1500, 1500)),
        ("(~2k words)", (2000, 2000)),
        ("between 300 and 400 words", (300, 400)),
        ("at least 800 words", (800, 1000)),
        ("no fewer than 800 words", (800, 1000)),
        ("no more than 400 words", (300, 400)),
        ("under 600 words", (450, 600)),
        ("in about two thousand words", (2000, 2000)),
        ("a five-hundred-word column", (500, 500)),
        ("word count: 750", (750, 750)),
        ("a 100-word abstract, and about 1500 words in all", (1500, 1500)),
        ("800字左右", (800, 800)),
        ("约一千五百字", (1500, 1500)),
        ("八百五十字左右", (850, 850)),
        ("写一万两千字", (12_000, 12_000)),
        ("一千" * 9999, None),
        ("不少于800字", (800, 1000)),
        ("字数在600-800字", (600, 800)),
        ("1000字以内", (750, 1000)),
        ("on the 2007–2009 financial crisis", None),
        ("a poem of four quatrains", None),
        ("two pages", None),
        ("each section about 200 words", None),
        ("每段200字", None),
        ("a picture is worth a thousand words", None),
        ("3 words", None),
    ],
)
def test_the_length_is_found_and_years_are_none(asked: str, length: tuple[int, int] | None) -> None:
    assert read_brief("Tides", asked).length == (None if length is None else Length(*length))


def test_the_style_guide_outranks_a_number_in_the_topic() -> None:
    assert read_brief("How to say it in 50 words", "a column of about 400 words").length == Length(400, 400)


@pytest.mark.parametrize(
    ("topic", "headings"),
    [
        ("Write an essay on tides with sections: Causes, Moon, and References. Be brief.", ("Causes", "Moon", "References")),
        ("Include headings: 1) Findings, 2) The Plan (with costs), 3) Works Cited.", ("Findings", "The Plan (with costs)", "Works Cited")),
        ("Write a guide to bicycles:\n1. Tools\n2. Fixing a flat\n3. Brakes\nKeep it friendly.", ("Tools", "Fixing a flat", "Brakes")),
        ("Write an essay with Introduction, Main Body, Conclusion, and Reference List on zoos.", ("Introduction", "Main Body", "Conclusion", "Reference List")),
        ("Include an introduction, discussion, and brief conclusion.", ("Introduction", "Discussion", "Conclusion")),
        ("请写一份方案，包括以下部分：一、指导思想；二、主要任务；三、保障措施。", ("指导思想", "主要任务", "保障措施")),
        ("文章结构：引言、灾害成因、应对办法、结语。", ("引言", "灾害成因", "应对办法", "结语")),
        ("Use section headings, an objective tone, and short sentences.", ()),
        ("Write with care, wit, and patience.", ()),
    ],
)  # fmt: skip
def test_sections_that_are_named(topic: str, headings: tuple[str, ...]) -> None:
    assert read_brief(topic).headings == headings


@pytest.mark.parametrize(
    ("topic", "points"),
    [
        ("Discuss hunger, stigma, cost, and kitchens.", ("hunger", "stigma", "cost", "kitchens")),
        ("Include: causes of the boom; the three banks; lessons. Keep a neutral tone.", ("causes of the boom", "the three banks", "lessons")),
        ("Define wintering and its risks, then explain what bees eat and why it matters.", ("wintering and its risks", "what bees eat and why it matters")),
        ("Open with a joke, then argue that patience is a craft. Use humour, and end with a toast.", ("Open with a joke", "argue that patience is a craft", "end with a toast")),
        ("Explain causes (rain, drains, roofs), remedies, and costs. Aim for about 900 words.", ("causes (rain, drains, roofs)", "remedies", "costs")),
        ("Describe the harbour. Include at least one reference in APA style and use headings.", ("the harbour",)),
        ("Answer: (1) which of your habits you would keep if nobody at all were ever watching; (2) what you fear.", ("which of your habits you would keep if nobody at all were ever watching", "what you fear")),
        ("写一篇议论文。重点分析排水系统、硬化地面和极端天气，并提出改进建议。语言要严谨。", ("排水系统", "硬化地面", "极端天气", "改进建议")),
        ("Your essay on honey should cover its chemistry, its trade, and its uses.", ("its chemistry", "its trade", "its uses")),
        ("Why cities flood", ()),
    ],
)  # fmt: skip
def test_points_without_remarks_on_style(topic: str, points: tuple[str, ...]) -> None:
    assert read_brief(topic).points == points


@pytest.mark.parametrize(
    ("topic", "about"),
    [
        ("Why cities flood", "Why cities flood"),
        ("Tell me about otters", "otters"),
        ("Write a formal essay on nanophotonics with sections: Dots, and Uses. Define it.", "nanophotonics"),
        (
            "Write an essay (~900 words) explaining tides as an oscillation. Begin with sailors.",
            "tides as an oscillation",
        ),
        ("Write a poem of four quatrains about a lighthouse keeper.", "a lighthouse keeper"),
        ("Write a guide to repairing bicycles.", "repairing bicycles"),
        ("An essay of 500 words on silence", "silence"),
        ("写一篇800字的议论文，谈谈人工智能对教育的影响。", "人工智能对教育的影响"),
        ("Write a story titled “The Clock.” Follow a boy.", "The Clock"),
        ("Write a short essay. Explain why ice floats.", "why ice floats"),
        ("请写一篇关于城市内涝的议论文，800字左右。", "城市内涝"),
        ("请以“故乡的桥”为主题，撰写一篇散文。", "故乡的桥"),
        ("请撰写一份社区消防安全工作方案，约800字。", "社区消防安全工作方案"),
    ],
)
def test_the_subject_in_a_few_words(topic: str, about: str) -> None:
    assert subject(read_brief(topic)) == about


def test_title_readers_and_language() -> None:
    english = read_brief(
        "Write a story titled “The Baker’s Clock,” suitable for young readers who like gears"
    )
    assert (english.title, english.audience, english.language) == ("The Baker’s Clock", "young readers", "en")
    chinese = read_brief("生成一篇面向小学生的科普文章，题为《蚂蚁为什么不迷路》")
    assert (chinese.title, chinese.audience, chinese.language) == ("蚂蚁为什么不迷路", "小学生", "zh")
    assert read_brief("春天").language == "zh"
    assert read_brief("A company called “Acme”").title == ""
    assert read_brief("Floods", "for a local newspaper").audience == "a local newspaper"


@pytest.mark.parametrize("topic", ["", " \n", "—!?", "…"])
def test_a_topic_without_words_is_an_error(topic: str) -> None:
    with pytest.raises(InputError, match="no words"):
        read_brief(topic)


@pytest.mark.parametrize(
    "part", ["with A, B, ", "1) ", "“", "discuss ", "关于", "one hundred and ", "每", "a\n", "\x00"]
)
def test_odd_texts_are_read_in_time(part: str) -> None:
    started = time.process_time()
    odd = "x" + part * (8_000 // len(part))
    subject(read_brief(odd, odd))
    assert time.process_time() - started < 10
