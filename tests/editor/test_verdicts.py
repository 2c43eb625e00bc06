"""What an editor says of its own edits."""

import asyncio
from collections.abc import Sequence

from redraft.editor import VERDICTS, EditVerdicts, edit_verdicts, editor_messages, verdict_input
from redraft.models import Models
from redraft.settings import load_settings
from redraft.train.editor import VERDICT_EMPHASIS, editing_conversation
from redraft.train.rows import TrainingRow

EDIT = ("The fee is due unless you cancel.", "You pay the fee, unless you cancel.")


class Sure:
    """Answers with the length of the question, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def identity(self) -> str:
        return "sure"

    async def yes(self, questions: Sequence[str]) -> tuple[float, ...]:
        self.asked += questions
        return tuple(1 / len(one) for one in questions)


def test_it_is_asked_as_it_was_trained() -> None:
    answerer = Sure()
    asyncio.run(EditVerdicts(answerer).sure([EDIT], is_cut=False))
    row = TrainingRow("same", verdict_input(*EDIT), "yes")
    taught = editing_conversation(row, VERDICTS["same"], emphasis=2)
    assert answerer.asked == [taught.messages[0].content]
    assert taught.emphasis == VERDICT_EMPHASIS


def test_a_cut_is_asked_about_otherwise_and_nothing_twice() -> None:
    answerer = Sure()
    verdicts = EditVerdicts(answerer)
    first = asyncio.run(verdicts.sure([EDIT, EDIT, ("It rained.", "")], is_cut=False))
    assert first[0] == first[1] != first[2]
    assert len(answerer.asked) == 2
    assert asyncio.run(verdicts.sure([EDIT], is_cut=False)) == first[:1]
    assert len(answerer.asked) == 2
    asyncio.run(verdicts.sure([("It rained.", "")], is_cut=True))
    (cut,) = editor_messages(VERDICTS["kept"], "It rained.\n(nothing)")
    assert answerer.asked[2:] == [cut.content]


def test_a_model_without_an_editor_gives_none() -> None:
    models = Models(load_settings())
    for spec in ("embedded", "http://127.0.0.1:1/v1#any", "embedded:no-such"):
        assert edit_verdicts(models, spec) is None
