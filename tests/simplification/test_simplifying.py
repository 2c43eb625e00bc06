"""A text by a policy: what each sentence becomes, under constraints, and what is told of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

import redraft
from redraft.constraints import check
from redraft.errors import BadAnswer, InputError, MissingKey
from redraft.models import Embedder, Message, Model, Models, Request, Scorer
from redraft.revision.records import Reason
from redraft.revision.revising import LONGEST
from redraft.settings import load_settings
from redraft.simplification.changes import Change
from redraft.simplification.engine import Simplified
from redraft.simplification.policy import Limits
from redraft.simplification.policy_files import load_policy
from redraft.simplification.simplification import Passage, Replaced, Simplification
from redraft.simplification.simplifiers import messages, simplified
from redraft.simplification.simplifying import asimplify
from tests.models.scripted import FakeModel
from tests.simplification.fakes import Alike, Likely

LEXICAL, REWRITE = load_policy("lexical"), load_policy("rewrite")
TEXT = "He commenced the work in 1921. They purchased 14 boats. The cat sat."


class Quick(Models):
    """The engine alone, on models that take no time."""

    def scorer(self) -> Scorer:
        return Likely({"begun": 1})

    def embedder(self) -> Embedder:
        return Alike()


def made(
    text: str, policy: redraft.Policy | str = LEXICAL, instruction: str = "", **options: object
) -> Simplification:
    async def run() -> Simplification:
        async with Quick(load_settings({"cache": False})) as models:
            return await asimplify(
                text,
                policy,
                models=models,
                instruction=instruction,
                effort="low",
                scored=False,
                **options,  # type: ignore[arg-type]
            )

    return asyncio.run(run())


def test_each_sentence_stands_beside_its_source() -> None:
    found = made(TEXT)
    assert found.text == "He began the work in 1921. They bought 14 boats. The cat sat."
    assert [one.source for one in found.passages] == [
        "He commenced the work in 1921.", "They purchased 14 boats.", "The cat sat.",
    ]  # fmt: skip
    assert [one.changed for one in found.passages] == [True, True, False]
    assert (found.status, found.policy) == (0, "lexical")


def test_a_policy_may_be_named_or_be_a_file(tmp_path: Path) -> None:
    assert made(TEXT, "lexical").text == made(TEXT).text
    with pytest.raises(InputError, match="lexical"):
        made(TEXT, "lexicl")


def test_the_spaces_between_sentences_stay() -> None:
    text = "  He commenced the work.\n\n\tThey purchased boats.   They purchased cars.\r\n\r\n"
    assert made(text).text == text.replace("commenced", "began").replace("purchased", "bought")


@pytest.mark.parametrize(
    ("instruction", "text"),
    [
        ("Keep sentence 2.", "He began the work in 1921. They purchased 14 boats. The cat sat."),
        ("Keep sentences 1 and 2.", TEXT),
    ],
)
def test_a_sentence_that_is_to_stay_stays(instruction: str, text: str) -> None:
    assert made(TEXT, instruction=instruction).text == text


def test_a_word_that_is_not_to_be_said_is_not_brought_in() -> None:
    found = made(TEXT, instruction="Never say 'began'.")
    assert found.findings.met
    assert "began" not in found.text
    assert "They bought 14 boats." in found.text


def test_a_length_is_kept_to_with_what_is_simpler() -> None:
    found = made(TEXT, instruction="Under 11 words.")
    assert found.findings.met
    assert len(found.text.split()) < 11
    assert "commenced" not in found.text


def test_what_cannot_obey_is_simplified_all_the_same() -> None:
    text = 'He commenced the work in 1921. They purchased 14 boats. "We shall commence again," he said.'
    found = made(text, instruction="Under 8 words, and never say 'bought'.")
    assert found.status == 1
    assert found.text.startswith("He began the work in 1921.")
    assert "bought" not in found.text


def test_a_version_that_says_something_else_meets_no_constraint() -> None:
    class Asked(Quick):
        def for_role(self, role: str) -> Model:
            return FakeModel(["The factors were 41 % of it."] * 9)

    async def run() -> Simplification:
        async with Asked(load_settings({"cache": False})) as models:
            text = "The factors explained 41 % of it."
            return await asimplify(
                text, REWRITE, models=models, instruction="Never say 'explained'.", scored=False
            )

    assert "were 41" not in asyncio.run(run()).text


def test_a_reading_grade_of_the_policy_is_a_constraint() -> None:
    graded = replace(LEXICAL, limits=Limits(reading_grade=30))
    calls = [finding.constraint.call for finding in made(TEXT, graded).findings]
    assert 'reading_grade_check(30, "at most")' in calls


def test_a_conflict_is_told_before_any_work() -> None:
    found = made(TEXT, instruction="Keep sentence 1, and fewer than 3 words a sentence.")
    assert (found.status, found.refused, found.text) == (3, True, TEXT)
    (conflict,) = found.infeasible
    assert "sentence 1" in conflict.reason
    tried = made(TEXT, instruction="Keep sentence 1, and fewer than 3 words a sentence.", best_effort=True)
    assert tried.infeasible == found.infeasible
    assert tried.status == 1
    assert not tried.refused


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("", {}, "no words"),
        ("...", {}, "no words"),
        ("word " * (LONGEST // 4), {}, "in parts"),
        ("A text.", {"effort": "huge"}, "use low, medium, high"),
        ("A text.", {"instruction": "Make it nice."}, "a policy says how to simplify"),
        ("A text.", {"constraints": ["nonsense()"]}, "nonsense"),
    ],
)
def test_what_cannot_be_done_is_said(text: str, options: dict[str, object], said: str) -> None:
    async def run() -> None:
        async with Quick(load_settings({"cache": False})) as models:
            await asimplify(text, LEXICAL, models=models, **options)  # type: ignore[arg-type]

    with pytest.raises(InputError, match=said):
        asyncio.run(run())


@pytest.mark.parametrize(
    ("format", "text", "simple"),
    [
        (
            "markdown",
            "# Title\n\nHe commenced *numerous* [works](https://example.org/commenced) at `commenced`.\n\n- They purchased boats.\n",
            "# Title\n\nHe began *many* [works](https://example.org/commenced) at `commenced`.\n\n- They bought boats.\n",
        ),
        (
            "latex",
            "\\section{One}\nHe commenced $x$ \\cite{commenced}. % commenced\nThey \\emph{purchased} boats.\n",
            "\\section{One}\nHe began $x$ \\cite{commenced}. % commenced\nThey \\emph{bought} boats.\n",
        ),
    ],
)
def test_mark_up_stays_as_it_is(format: str, text: str, simple: str) -> None:
    assert made(text, format=format).text == simple


def test_how_far_it_is_can_be_heard() -> None:
    heard: list[tuple[int, int]] = []
    made(TEXT, done=lambda done, planned: heard.append((done, planned)))
    assert heard == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_a_stop_before_the_beginning_leaves_the_text() -> None:
    async def run() -> Simplification:
        stop = asyncio.Event()
        stop.set()
        async with Quick(load_settings({"cache": False})) as models:
            return await asimplify(TEXT, LEXICAL, models=models, effort="low", stop=stop)

    found = asyncio.run(run())
    assert (found.status, found.interrupted) == (130, True)
    assert found.before is None


def test_the_glossary_counts_what_was_replaced() -> None:
    found = made("He purchased it. She purchased it. He began it.")
    ((word, times),) = found.glossary
    assert (word.old, word.new, times) == ("purchased", "bought", 2)
    assert word.level is not None
    assert made("They live adjacent to the dwelling.").glossary[0][0].level is None


def test_words_that_differ_only_in_their_capitals_are_one_entry() -> None:
    one, other = Replaced("Numerous", "Many", "a"), Replaced("numerous", "many", "b")
    passages = (Passage("x", "y", replaced=(one,)), Passage("x", "y", replaced=(other,)))
    found = Simplification("y", "lexical", passages, check("y", []))
    assert found.glossary == ((one, 2),)
    assert found.to_dict()["glossary"][0]["times"] == 2


@pytest.mark.parametrize(
    ("options", "met", "status"),
    [
        ({}, True, 0),
        ({}, False, 1),
        ({"refused": True}, False, 3),
        ({"failure": MissingKey("no")}, True, 4),
        ({"interrupted": True, "failure": MissingKey("no")}, True, 130),
    ],
)
def test_the_status_says_how_it_went(options: dict[str, object], met: bool, status: int) -> None:
    findings = check(
        "One two.", ['word_count_check(2, "equal")'] if met else ['word_count_check(3, "equal")']
    )
    assert Simplification("x", "lexical", (), findings, **options).status == status  # type: ignore[arg-type]


# How a model is asked


def test_a_model_sees_examples_only_where_they_are_wanted() -> None:
    assert messages(REWRITE, "A text.") == (
        Message("system", REWRITE.instruction),
        Message("user", "A text."),
    )
    shown = messages(REWRITE, "A text.", examples=True)
    assert [one.role for one in shown] == ["system", *["user", "assistant"] * len(REWRITE.examples), "user"]
    assert (shown[1].content, shown[2].content) == (
        REWRITE.examples[0].source,
        REWRITE.examples[0].simplified,
    )
    assert shown[-1].content == "A text."


def test_an_answer_that_is_none_is_an_error() -> None:
    request = Request(messages(LEXICAL, "It commenced."))
    text, usage = asyncio.run(simplified(FakeModel(["It began."]), request, "It commenced."))
    assert (text, usage.calls) == ("It began.", usage.calls)
    for answer in ("", "  \n", "and so on and so on " * 20):
        with pytest.raises(BadAnswer, match="fake gave no simplification"):
            asyncio.run(simplified(FakeModel([answer]), request, "It commenced."))


# In Python, on the embedded model


def test_the_package_can_be_called() -> None:
    found = redraft.simplify(
        "He commenced the work in 1921.", "lexical", ['word_count_check(9, "less than")'], effort="low"
    )
    assert found.text == "He began the work in 1921."
    assert found.findings.met
    assert found.after is not None
    assert found.glossary[0][0].why.startswith('"began" for "commenced"')


def test_the_editor_has_a_say_at_medium_effort() -> None:
    policy, settings = redraft.load_policy("rewrite"), load_settings({"cache": False})
    found = redraft.simplify("He commenced the work in 1921.", policy, settings=settings)
    assert found.usage.calls > 0
    assert "1921" in found.text
    assert "commenced" not in found.text


def test_the_glossary_of_a_rewritten_sentence_tells_of_words_of_its_source() -> None:
    source = "After the storm the men commenced the work."
    answer = "The men commenced the work, and facilitated it."
    changes = [
        Change(8, 17, "commenced", "began", "replace", "list", Reason("replace")),
        Change(32, 43, "facilitated", "helped", "replace", "list", Reason("replace")),
    ]
    found = Simplified(source, answer, tuple(changes), rewritten=True)
    assert [(one.old, one.level) for one in found.replaced.values()] == [("commenced", "B2")]


def test_the_glossary_tells_of_words_that_were_left_out() -> None:
    cut = Change(3, 9, "really", "", "delete", "rules", Reason("cut", "really"))
    found = Simplified("He really began.", "He began.", (cut,))
    assert [(one.old, one.new) for one in found.replaced.values()] == [("really", "")]
