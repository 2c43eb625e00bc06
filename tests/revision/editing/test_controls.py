"""What the trained editor is asked for each kind of bound and wish, and what becomes of its answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from redraft.constraints import parse
from redraft.models import Completion, Request
from redraft.revision.choosing.repair import Repair
from redraft.revision.draft import Draft
from redraft.revision.editing.answers import helps, is_doubtful, only_rewords, with_capitals
from redraft.revision.editing.controls import ControlRequest, bound_requests, control_requests
from redraft.revision.editing.editor import ControlProposer
from redraft.revision.judging.scoring import Appraiser
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.records import Action
from redraft.revision.search.evaluation import Switches
from redraft.revision.strategies.editor_steps import EditorSteps
from redraft.revision.task import Task
from redraft.revision.tuning import CUT_SHARES, SPLIT_WAYS
from tests.revision.fakes import FakeEmbedder, FakeScorer, ScriptedJudge

FERRY = (
    "The old ferry, which was built in 1962 by a yard that no longer exists, crosses the lake every morning."
)
SHORT = "The city wants to replace it soon."
OTHER = "Many people in the town are against the plan."
PLAIN = "The old ferry of the island crosses the wide lake to the northern shore near the mill every cold morning."
"""A sentence that no rule splits."""
TEXT = f"{FERRY} {SHORT} {OTHER}"
TEXTS = {"Every sentence under 16 words.": f"{PLAIN} {SHORT} {OTHER}"}


def task(instruction: str, text: str = "") -> Task:
    return Task.of(text or TEXTS.get(instruction, TEXT), parse(instruction))


def asked(instruction: str, text: str = "") -> list[tuple[int, int, str]]:
    one = task(instruction, text)
    return [(each.start, each.stop, each.instruction) for each in control_requests(one, Draft.of(one))]


class Editor:
    """Answers by what it is asked; to anything else with the sentence itself."""

    spec = "embedded"

    def __init__(self, answers: Mapping[str, str]) -> None:
        self._answers = answers
        self.asked: list[str] = []

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        instruction, _, text = request.messages[-1].content.partition(":\n")
        self.asked.append(instruction)
        found = next((new for words, new in self._answers.items() if instruction.startswith(words)), text)
        return (Completion(found),) * request.n


def revised(one: Task, editor: Editor, judge: ScriptedJudge | None = None) -> Draft:
    """What one step makes of the original."""

    async def run() -> Draft:
        appraiser = Appraiser(FakeScorer(), FakeEmbedder(), one.format)
        verdicts = Verdicts(judge or ScriptedJudge(), one.original, one.format)
        draft = Draft.of(one)
        await appraiser.open([unit.source for unit in draft.units])
        repair = Repair(one, appraiser, verdicts)
        steps = EditorSteps(
            one, appraiser, repair, editor, share=0.0, samples=1, switches=Switches(), verdicts=verdicts
        )  # fmt: skip
        return (await steps.carry_out(draft, Action("", (), ()), seed=0)).drafts[-1]

    return asyncio.run(run())


def by_editor(draft: Draft) -> list[str]:
    return [unit.text for unit in draft.units if unit.by == "editor"]


@pytest.mark.parametrize(
    ("instruction", "request_"),
    [
        ("Every sentence under 16 words.", (0, 1, "Split into sentences of at most 15 words")),
        ("Every sentence under 16 words.", (0, 1, "Shorten to at most 15 words")),
        ("Under 30 words.", (0, 1, "Shorten to at most 10 words")),
        ("Do not use the word 'city'.", (1, 2, 'Rewrite without the word "city"')),
        ("Mention the word 'harbour' at least once.", (0, 1, 'Rewrite with the word "harbour"')),
        ("Reading level grade 4.", (0, 1, "Rewrite at reading grade 4")),
        ("At most two sentences.", (1, 3, "Merge into one sentence")),
        ("At least four sentences.", (0, 1, "Split into sentences of at most 12 words")),
        ("Make it more concise.", (0, 1, "Make it more concise")),
        ("No passive voice, please.", (0, 1, "Use the active voice")),
        ("Make it more formal.", (2, 3, "Make it more formal")),
    ],
)
def test_each_bound_and_wish_asks_by_its_control(instruction: str, request_: tuple[int, int, str]) -> None:
    assert request_ in asked(instruction)


def test_only_sentences_that_are_concerned_are_asked_about() -> None:
    assert {start for start, _, _ in asked("Every sentence under 16 words.")} == {0}
    assert {start for start, _, _ in asked("No passive voice.")} == {0}
    assert asked("At most 200 words.") == []
    assert asked("Fix the grammar.") == []
    mail = "The kettle is red. Send the receipt today. We will not refund it."
    assert [start for start, _, _ in asked("Make it polite and apologetic", mail)] == [1, 2]


def test_what_our_rules_split_is_not_asked_about() -> None:
    assert asked("Every sentence under 16 words.", TEXT) == []


def test_a_text_that_is_too_long_is_asked_about_at_several_lengths_longest_first() -> None:
    found = asked("Under 30 words.")
    assert found[0][0] == 0
    assert len({words for start, _, words in found if start == 0}) == len(CUT_SHARES)


def test_what_must_stay_is_not_asked_about() -> None:
    assert asked("Every sentence under 16 words. Keep sentence 1.") == []
    one = task("Under 30 words. Keep sentence 1.")
    assert all(request.start != 0 for request in bound_requests(one, Draft.of(one)))


def test_another_language_is_left_to_the_rules() -> None:
    german = (
        "Die alte Fähre, die im Jahr 1962 gebaut wurde, fährt jeden Morgen über den See und abends zurück."
    )
    assert asked("Every sentence under 10 words.", german) == []


ANSWERS = {
    "Every sentence under 16 words.": ("Split", "The old ferry of the island crosses the wide lake. It does so to the northern shore near the mill every cold morning."),
    "Do not use the word 'lake'.": ("Rewrite without", FERRY.replace("the lake", "the water")),
    "Mention the word 'harbour' at least once.": ("Rewrite with", f"{FERRY[:-1]} from the harbour."),
    "At most two sentences.": ("Merge", "The city wants to replace it soon, and many people in the town are against the plan."),
    "At least four sentences.": ("Split", "The old ferry was built in 1962 by a yard that no longer exists. It crosses the lake every morning."),
    "No passive voice.": ("Use the active", "The old ferry, which a yard that no longer exists built in 1962, crosses the lake every morning."),
    "Make it more formal.": ("Make it more formal", "The city wishes to replace it soon."),
}  # fmt: skip


@pytest.mark.parametrize("instruction", ANSWERS)
def test_what_the_judge_finds_sound_stands_in_the_text(instruction: str) -> None:
    words, answer = ANSWERS[instruction]
    one, editor = task(instruction), Editor({words: answer})
    found = revised(one, editor)
    assert by_editor(found) == [answer]
    assert one.check(found.text).met
    assert any(each.startswith(words) for each in editor.asked)


@pytest.mark.parametrize("instruction", ["Under 10 words.", "Make it more concise."])
def test_other_words_are_taken_where_no_rule_cuts(instruction: str) -> None:
    answer = "They saw what they had been told about."
    one = task(instruction, "What they had seen in there was what they had been told about.")
    found = revised(one, Editor(dict.fromkeys(("Shorten", "Make it more concise"), answer)))
    assert by_editor(found) == [answer]


def test_the_writers_own_words_are_taken_where_a_rule_cuts() -> None:
    answer = "The old ferry, built in 1962 by a yard long gone, crosses the lake every morning."
    found = revised(task("Make it more concise."), Editor({"Make it more concise": answer}))
    assert found.text.startswith("The old ferry, built in 1962 by a yard that no longer exists, crosses")


@pytest.mark.parametrize("instruction", ANSWERS)
def test_what_the_judge_finds_broken_does_not(instruction: str) -> None:
    words, answer = ANSWERS[instruction]
    found = revised(task(instruction), Editor({words: answer}), ScriptedJudge(lambda one: one in answer))
    assert answer not in found.text


def test_an_answer_that_says_something_else_is_not_taken_for_a_bound() -> None:
    answer = "The old ferry of the mayor crosses the wide lake. It goes to the northern shore near the mill."
    judge = ScriptedJudge(says_otherwise=lambda source, text: "mayor" in text)
    found = revised(task("Every sentence under 16 words."), Editor({"Split": answer}), judge)
    assert "mayor" not in found.text


def test_a_quotation_stays_word_for_word() -> None:
    said = "The captain said “we sail in any weather that God sends us” and went back to his old ship in the rain."
    answer = "The captain said they sail in any weather. He went back to his ship."
    found = revised(task("Every sentence under 16 words.", f"{said} {SHORT}"), Editor({"Split": answer}))
    assert answer not in found.text


@pytest.mark.parametrize("said", ["of the island)", "of 1962 was built in 1962"])
def test_an_answer_with_an_open_bracket_or_a_number_said_twice_is_none(said: str) -> None:
    answer = f"The old ferry {said} crosses the wide lake every cold morning. It goes to the northern shore."
    assert answer not in revised(task("Every sentence under 16 words."), Editor({"Split": answer})).text


def test_who_wishes_for_fewer_words_loses_no_statement() -> None:
    found = revised(task("Make it more concise."), Editor({"Make it more concise": "The ferry is old."}))
    assert "The ferry is old." not in found.text


def test_a_draft_is_asked_about_once() -> None:
    one, editor = task("Every sentence under 16 words."), Editor({})

    async def run() -> None:
        appraiser = Appraiser(FakeScorer(), FakeEmbedder(), one.format)
        repair = Repair(one, appraiser)
        steps = EditorSteps(one, appraiser, repair, editor, share=0.0, samples=1, switches=Switches())
        draft = Draft.of(one)
        await asyncio.gather(steps.controlled(draft), steps.controlled(draft))

    asyncio.run(run())
    asked_once = {"Shorten to at most 15 words", "Split into sentences of at most 15 words"}
    assert asked_once < set(editor.asked)
    # It had no split at first, so it was asked in other words, and for shorter sentences than they need be.
    assert len(editor.asked) == len(set(editor.asked)) == len(asked_once) + len(SPLIT_WAYS[0])


@pytest.mark.parametrize("is_good", [True, False])
def test_nothing_more_is_asked_of_a_sentence_that_is_split_well(is_good: bool) -> None:
    text = (
        "The old ferry that crosses the lake every morning takes those who work in town home in the evening."
    )
    split = (
        "The old ferry crosses the lake every morning. It takes those who work in town home in the evening."
    )
    editor = Editor({"Split": split, "Shorten": "The ferries cross the lake."})
    judge = ScriptedJudge(says_otherwise=lambda source, text: not is_good)
    revised(task("Every sentence under 16 words.", text), editor, judge)
    assert editor.asked[0] == "Split into sentences of at most 15 words"
    assert ("Shorten to at most 15 words" in editor.asked) is not is_good
    assert (len(editor.asked) == 1) is is_good


def test_terms_keep_their_capitals() -> None:
    source = "The Recipient shall tell us in March. If the Recipient fails, we march."
    assert (
        with_capitals(source, "The recipient shall tell US; we march.")
        == "The Recipient shall tell US; we march."
    )


def test_what_tells_one_thing_from_another_stays() -> None:
    one = task("Make it friendly.")
    request = ControlRequest(0, 1, "friendly", wished=True)
    source = "The old system will be switched off on 31 July."
    assert helps(one, request, source, "We will switch the old system off on 31 July.")
    assert not helps(one, request, source, "The system will be switched off on 31 July.")


def test_nobody_is_sorry_who_refuses_nothing() -> None:
    friendly = ControlRequest(0, 1, "friendly", wished=True)
    assert not only_rewords(
        friendly, "Thank you for your patience.", "Thank you for your patience, I'm sorry."
    )
    assert only_rewords(friendly, "We cannot help you.", "Sorry, we can't help you.")


@pytest.mark.parametrize("is_same", [True, False])
def test_the_judge_decides_about_what_the_rules_doubt(is_same: bool) -> None:
    source = "The old ferry, which leaves the quay at seven, takes the pupils to the school on the far shore."
    cut = "The old ferry takes the pupils to school on the far shore."
    one, editor = task("At most 12 words.", source), Editor({"Shorten": cut})
    judge = ScriptedJudge(says_otherwise=lambda source, text: not is_same)
    request = ControlRequest(0, 1, "shorten", (("n", 12),))
    assert helps(one, request, source, cut)
    assert is_doubtful(one, request, source, cut)
    proposer = ControlProposer(one, editor, samples=1, verdicts=Verdicts(judge, source))
    options = asyncio.run(proposer.answer(Draft.of(one), [request], seed=0))
    assert (cut in [each.candidate.text for each in options]) is is_same


def test_at_most_two_splits_are_offered_the_likeliest_first() -> None:
    source = (
        "The old ferry, which was built in 1962, crosses the lake every day, and it takes pupils to school."
    )
    good = "The old ferry was built in 1962. It crosses the lake every day. It takes pupils to school."
    worse = "The old ferry was built in 1962. It crosses the lake every day. It takes pupils."
    worst = "The old ferry was built in 1962. It takes pupils."
    editor = Editor({"Split": worst, "No sentence": worse, "split it": good})
    judge = ScriptedJudge(says_otherwise=lambda source, text: text == worst)
    one = task("Every sentence under 10 words.", source)
    proposer = ControlProposer(one, editor, samples=1, verdicts=Verdicts(judge, source))
    request = ControlRequest(0, 1, "split", (("n", 9),))
    options = asyncio.run(proposer.answer(Draft.of(one), [request], seed=0))
    assert [each.candidate.text for each in options][:1] == [good]
    assert len(options) <= 2
