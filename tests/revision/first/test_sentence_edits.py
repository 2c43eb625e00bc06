"""Named sentences go, change places and become one before anything else is done."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from redraft.constraints import (
    Constraint,
    Parts,
    RelativeLength,
    SentenceEdit,
    SentenceModification,
    WordCount,
    check,
)
from redraft.errors import ConnectionFailed
from redraft.models import Model
from redraft.revision.editing.editor import ControlProposer
from redraft.revision.first.sentence_edits import BY, Edited, combine_sentences, split_sentence
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.records import Candidate
from redraft.revision.revising import arevise
from redraft.revision.revision import ReviseOptions, Revision
from redraft.revision.task import Task
from tests.constraints.texts import texts
from tests.revision.asking_parts import Answering
from tests.revision.fakes import ScriptedJudge
from tests.revision.test_revising import Failing, Offline

TEXT = (
    "Dear Ann,\n\nThe harbour froze in January. Nobody had seen anything like it. "
    "The council met twice a week. It rationed coal.\n\nYours,\nTom\n"
)
AWAY = Failing(ConnectionFailed("away"))


def revised(instruction: str, folder: Path, model: Model = AWAY, **options: object) -> Revision:
    async def run() -> Revision:
        async with Offline(model, folder) as models:
            chosen = ReviseOptions(**options)  # type: ignore[arg-type]
            return await arevise(TEXT, instruction, models=models, options=chosen)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("instruction", "gone", "put"),
    [
        ("Delete the last sentence.", " It rationed coal.", ""),
        ("Cut the first sentence and leave the rest alone.", "The harbour froze in January. ", ""),
        ("Remove sentences 2 and 3", " Nobody had seen anything like it. The council met twice a week.", ""),
        (
            "Swap sentences 2 and 3.",
            "Nobody had seen anything like it. The council met twice a week.",
            "The council met twice a week. Nobody had seen anything like it.",
        ),
    ],
)
def test_deleting_and_swapping_are_exact_and_ask_no_model(
    instruction: str, gone: str, put: str, tmp_path: Path
) -> None:
    found = revised(instruction, tmp_path)
    assert found.text == TEXT.replace(gone, put)
    assert found.findings.met
    assert not found.failure
    assert {change.by for change in found.changes} == {BY}
    assert all(change.before in TEXT for change in found.changes)


LONG = (
    "It rained. The council met twice a week in the town hall, and it decided to ration coal for the poor. "
    "We went home."
)


def test_a_sentence_is_split_by_a_rule_and_no_other_changes() -> None:
    task = Task(LONG, [SentenceEdit("split", (2,)), SentenceModification((3,), "unchange")])
    own = task.before.sentences[1].text
    made = asyncio.run(split_sentence(task, own, None, Verdicts(ScriptedJudge())))
    assert made is not None
    edited = Edited(task, {SentenceEdit("split", (2,)): [made]})
    assert edited.text.startswith("It rained. The council met twice a week in the town hall. ")
    assert edited.text.endswith(" We went home.")
    assert check(edited.text, task.constraints, original=LONG).met
    assert [one.call for one in edited.task.constraints] == ['sentence_modification_check([4], "unchange")']


def test_a_sentence_that_nothing_splits_stays_and_that_is_said() -> None:
    task = Task(LONG, [SentenceEdit("split", (1,))])
    made = asyncio.run(split_sentence(task, "It rained.", None, Verdicts(ScriptedJudge())))
    assert made is None
    found = Edited(task, {SentenceEdit("split", (1,)): [made]}).revision()
    assert (found.text, found.met) == (LONG, False)
    assert "stay as they were" in found.stopped


def test_a_sentence_that_may_point_to_what_is_gone_is_named(tmp_path: Path) -> None:
    found = revised("Delete sentence 3.", tmp_path)
    (concern,) = found.concerns
    assert (concern.kind, concern.sentence, concern.text) == ("points back", 3, "It rationed coal.")
    assert str(concern).startswith("sentence 3 may point back to nothing: “It” may have meant what is gone")
    assert revised("Delete the first sentence.", tmp_path).concerns == ()


def test_what_else_is_asked_for_is_done_after_it(tmp_path: Path) -> None:
    asked = "Delete sentence 2, keep sentence 3 unchanged and make it 8 words shorter."
    found = revised(asked, tmp_path, strategy="repair")
    assert found.findings.met
    assert "Nobody" not in found.text
    assert "The council met twice a week." in found.text


def test_words_are_replaced_and_spelt_in_what_is_left(tmp_path: Path) -> None:
    for asked, put in (("replace 'coal' with 'oil'", "oil"), ("use American spelling", "coal")):
        found = revised(f"Delete sentence 2 and {asked}.", tmp_path)
        assert found.findings.met
        assert len(found.findings) == 2
        assert found.text.endswith(f"It rationed {put}.\n\nYours,\nTom\n")
        assert "Nobody had seen anything like it." in [change.before for change in found.changes]
        assert not found.failure


def test_a_text_that_cannot_be_so_is_not_touched(tmp_path: Path) -> None:
    for asked in ("Delete sentence 9.", "Delete sentence 2 and keep sentence 2 unchanged."):
        found = revised(asked, tmp_path)
        assert found.refused
        assert found.text == TEXT


def edited(*constraints: Constraint, text: str = TEXT) -> Edited:
    return Edited(Task(text, constraints), {})


def test_constraints_go_on_with_the_numbers_that_sentences_have_now() -> None:
    gone = SentenceEdit("delete", (2,))
    assert edited(gone, SentenceModification((3, 4), "unchange")).task.constraints == (
        SentenceModification((2, 3), "unchange"),
    )
    assert edited(gone, SentenceModification((4,), "change")).task.constraints == (
        SentenceModification((3,), "change"),
    )
    # What may change is gone: the rest stays.
    assert edited(gone, SentenceModification((2,), "change")).task.constraints == (
        SentenceModification((1, 2, 3), "unchange"),
    )
    swapped = edited(SentenceEdit("swap", (1, 4)), SentenceModification((1,), "unchange"))
    assert swapped.task.constraints == (SentenceModification((4,), "unchange"),)
    plain = "One is here. Two is here. Three is here."
    kept = edited(SentenceEdit("delete", (1,)), Parts(("last sentence",), "unchange"), text=plain)
    assert kept.task.constraints == (SentenceModification((2,), "unchange"),)


def test_a_length_is_still_beside_the_original() -> None:
    task = edited(SentenceEdit("delete", (1,)), RelativeLength(50, "percent", "shorter")).task
    before = Task(TEXT).before.words
    assert task.constraints == (WordCount(before // 2, "at most"),)  # type: ignore[arg-type]


def test_the_request_no_longer_asks_for_what_is_done() -> None:
    task = Edited(
        Task(
            TEXT, [SentenceEdit("delete", (1,))], instruction="Delete sentence 1, be warm.", style="be warm"
        ),
        {},
    ).task
    assert task.request == "be warm."


def combined(texts: list[str], answer: str | None, judge: ScriptedJudge) -> Candidate | None:
    task = Task(" ".join(texts))
    editor = None
    if answer is not None:
        editor = ControlProposer(task, Answering(lambda request: str(answer)), samples=1)
    return asyncio.run(combine_sentences(task, texts, editor, Verdicts(judge)))


PAIR = ["The pump was old.", "It broke in May."]


def test_the_editor_is_asked_first_and_the_judge_decides() -> None:
    merged = "The pump, which was old, broke in May."
    found = combined(PAIR, merged, ScriptedJudge())
    assert found is not None
    assert (found.text, found.by) == (merged, "editor")
    ruled = combined(PAIR, merged, ScriptedJudge(is_broken=lambda sentence: "which" in sentence))
    assert ruled is not None
    assert (ruled.text, ruled.by) == ("The pump was old and broke in May.", "merge")


@pytest.mark.parametrize(
    ("pair", "merged"),
    [
        (["Our chair is ill.", "The vote will wait."], "The chair is ill, and the vote will wait."),
        (["We will call.", "You will get a note."], "We will call, and you'll get a note."),
        (["My cousin is called Ivo.", "He is a baker."], "My cousin is called Ivo, a baker."),
        (["Ms Lind came in May.", "She had taught in Bonn."], "Ms Lind came in May and had taught in Bonn."),
    ],
)
def test_the_editor_adds_no_word_but_what_joins(pair: list[str], merged: str) -> None:
    found = combined(pair, merged, ScriptedJudge())
    assert found is not None
    assert found.text != merged


def test_without_a_model_a_rule_joins() -> None:
    found = combined([*PAIR, "Nobody noticed."], None, ScriptedJudge(is_broken=lambda one: "–" in one))
    assert found is not None
    assert found.text.count(".") == 1
    assert len(found.why) == 2
    assert combined(["Who came?", "Ann did."], None, ScriptedJudge()) is None


def test_what_cannot_be_combined_stays_and_is_not_met(tmp_path: Path) -> None:
    async def run() -> Revision:
        async with Offline(AWAY, tmp_path) as models:
            chosen = ReviseOptions(strategy="repair")
            return await arevise("Who came? Ann did.", "", [EDIT], models=models, options=chosen)

    found = asyncio.run(run())
    assert found.text == "Who came? Ann did."
    assert not found.findings.met


EDIT = 'sentence_edit_check("combine", [1, 2])'


@settings(max_examples=200)
@given(
    texts,
    st.sampled_from(["delete", "swap"]),
    st.lists(st.sampled_from([1, 2, 3, -2, -1]), min_size=2, max_size=2, unique=True),
    st.sampled_from(["default", "constrev"]),
)
def test_what_is_done_is_what_was_asked_for(text: str, edit: str, numbers: list[int], counting: str) -> None:
    constraint = SentenceEdit(edit, tuple(numbers))  # type: ignore[arg-type]
    found = Edited(Task(text, [constraint], counting=counting), {})
    if constraint.missing(found.given.before):
        assert found.text == text
    else:
        words = sorted(text.split()) if edit == "swap" else []
        assert not words or sorted(found.text.split()) == words
        # Where sentences end by no mark of their own, or begin small, neighbours may read as one.
        plain = [
            one.text[-1:] in ".!?。”" and not one.text[0].islower() for one in found.given.before.sentences
        ]
        if counting == "default" and all(plain):
            assert check(found.text, [constraint], original=text).met
