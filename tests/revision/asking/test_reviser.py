"""The reviser that asks a model: new sentences by number, and nothing that was not asked for."""

from __future__ import annotations

import asyncio
import re
from random import Random

import pytest
from hypothesis import given, strategies as st

from redraft.errors import ContextOverflow
from redraft.models import Completion, Request
from redraft.revision.asking.reviser import ModelReviser
from redraft.revision.records import Action, Feedback, Improvement
from redraft.text import Document, mask
from tests.models.scripted import FakeModel
from tests.revision.asking_parts import Answering, asked, node

TEXT = "The ferry was built in 1962.\n\nIt make eleven crossings. Tourists enjoys the ride."
NOTHING = Action("", (), ())
MARKED = r"""We show \emph{two things} in \cite{a} and $x^2$. They \textbf{hold \emph{well}. As \cite{b} says}, so be it."""


def advising(**advice: str) -> Action:
    return Action("", (), tuple(Improvement(int(name[1:]), "", words) for name, words in advice.items()))


def revise(model: object, text: str = TEXT, action: Action = NOTHING, **options: object) -> dict[int, str]:
    room = options.pop("room", 6000)
    return asyncio.run(ModelReviser(model, room=room).revise(text, action, **options))  # type: ignore[arg-type]


def test_changed_sentences_come_back_by_number() -> None:
    model = FakeModel(
        ["[1] The ferry was built in 1962.\n[2] It makes eleven crossings.\n[3] Tourists enjoy it."]
    )
    found = revise(
        model,
        action=advising(_2="agree", _3="agree; shorten"),
        instruction="Fix it.",
        budgets={3: "at most 4 words"},
        documents=["A page about ferries."],
        history=[node(TEXT, feedback=(Feedback("grammar", 1, "two errors"),))],
        temperature=0.3,
        seed=4,
    )
    assert found == {2: "It makes eleven crossings.", 3: "Tourists enjoy it."}
    (request,) = model.requests
    assert (request.temperature, request.seed, request.n) == (0.3, 4, 1)
    words = asked(request)
    for part in (
        "Fix it.",
        "Source 1: A page about ferries.",
        "[3] agree; shorten; at most 4 words",
        "two errors",
    ):
        assert part in words
    assert "[1] The ferry was built in 1962.\n\n[2] It make" in words


def test_protected_sentences_are_shown_as_fixed_and_never_taken() -> None:
    model = FakeModel(["[2] Hacked.\n[3] Tourists enjoy the ride."])
    assert revise(model, protected=frozenset({2})) == {3: "Tourists enjoy the ride."}
    assert "[2] (fixed) It make eleven crossings." in asked(model.requests[0])
    assert revise(FakeModel([]), protected=frozenset({1, 2, 3})) == {}


def test_only_sentences_with_advice_change_where_there_is_any() -> None:
    answer = "[1] Old ferry.\n[2] It makes eleven crossings.\n[3] Tourists enjoy it."
    assert revise(FakeModel([answer]), action=advising(_2="agree")) == {2: "It makes eleven crossings."}
    assert revise(FakeModel([answer]), budgets={3: "short"}) == {3: "Tourists enjoy it."}
    backwards = "\n".join(reversed(answer.split("\n")))
    assert list(revise(FakeModel([backwards]))) == [1, 2, 3]


@pytest.mark.parametrize(
    "answer",
    [
        "```\n[2] It makes eleven crossings.\n```",
        "Here you are:\n\n- [2]: It makes eleven crossings.\n\nI hope this helps.",
        "2. It makes eleven crossings.",
        "Sentence 2: It makes eleven crossings.",
        '[2] "It makes eleven crossings."',
        "[2]\nIt makes eleven crossings.",
        "[2] It makes\neleven crossings.\nDone!",
        "[2] It make eleven crossings.\n[2] It makes eleven crossings.\n[2] I made it agree.",
        "It makes eleven crossings.",
        "Here is the text:\n\nThe ferry was built in 1962. It makes eleven crossings. Tourists enjoys the ride.",
        "[2] It makes eleven crossings.\n[0] a\n[4] b\n[99999999] c\n[-1] d",
    ],
)
def test_answers_in_many_forms(answer: str) -> None:
    assert revise(FakeModel([answer])) == {2: "It makes eleven crossings."}


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot revise this.",
        "[2]",
        "[2] (left out)",
        "[2] It make  eleven crossings.",
        "[2] make it agree",
        "[2] ...",
        "[2] " + "It makes eleven crossings, " * 3 + "and more.",
        "[2] " + "x" * 1_000_000,
        "[2] \n" * 200_000,
        "To do:\n[2] make it agree",
    ],
)
def test_answers_of_no_use_change_nothing(answer: str) -> None:
    assert revise(FakeModel([answer]), action=advising(_2="make it agree")) == {}


def test_a_model_that_repeats_what_it_was_asked_changes_nothing() -> None:
    model = Answering(lambda request: "\n".join(message.content for message in request.messages))
    assert revise(model, action=advising(_2="agree", _3="agree"), budgets={3: "short"}, omittable={1}) == {}
    assert revise(model, protected={1}) == {}


def test_a_sentence_is_left_out_only_where_that_is_allowed() -> None:
    model = FakeModel(["[2]\n\n[3] (left out)"])
    assert revise(model, omittable={3}) == {3: ""}
    assert "May be left out, by the number alone: [3]" in asked(model.requests[0])


def test_a_sentence_keeps_its_line_breaks() -> None:
    text = "It make eleven\ncrossings."
    assert revise(FakeModel(["[1] It makes eleven crossings."]), text) == {1: "It makes eleven\ncrossings."}
    assert revise(FakeModel(["[1] It make eleven crossings."]), text) == {}


def test_a_sentence_may_become_two() -> None:
    (new,) = revise(FakeModel(["[2] It sails. It makes eleven crossings."])).values()
    assert new == "It sails. It makes eleven crossings."


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("So [[M1]] and [[M2]] agree.", True),
        ("So [[M1]] agrees.", False),
        ("So [[M1]] and [[M2]] and [[M1]] agree.", False),
        ("So [[M1]] and [[M3]] agree.", False),
        ("", False),
    ],
)
def test_a_line_that_damages_placeholders_is_dropped(line: str, taken: bool) -> None:
    found = revise(FakeModel([f"[1] {line}"]), "Thus [[M1]] and [[M2]] agrees.", omittable={1})
    assert found == ({1: line} if taken else {})


def test_an_answer_that_is_cut_off_loses_its_last_sentence() -> None:
    model = Answering(lambda _: Completion("[2] It makes eleven crossings.\n[3] Tourists\nenjoy", "length"))
    assert revise(model) == {2: "It makes eleven crossings."}


@given(st.randoms(use_true_random=False))
def test_whatever_happens_to_mark_up_it_can_be_put_back(random: Random) -> None:
    masked = mask(MARKED, "latex")

    def shuffled(request: Request) -> str:
        lines = []
        for number, text in re.findall(r"^\[(\d+)\] (.*)$", asked(request), re.M):
            words = [*text.split(), "indeed"]
            random.choice([random.shuffle, list.pop, lambda words: words.append(words[0])])(words)
            lines.append(f"[{number}] {' '.join(words)}")
        return "\n".join(lines)

    found = revise(Answering(shuffled), masked.text)
    masked.restore(Document(masked.text).replace(found).text)


LONG = " ".join(f"Number {n} stand here." for n in range(1, 201))


def correct(request: Request) -> str:
    lines = re.findall(r"^\[(\d+)\] (Number .*)$", asked(request), re.M)
    return "\n".join(f"[{number}] {text.replace('stand', 'stands')}" for number, text in lines)


@pytest.mark.parametrize("limit", [None, 2600])
def test_a_long_text_is_revised_in_sections(limit: int | None) -> None:
    model = Answering(correct, limit)
    found = revise(model, LONG, room=900)
    assert list(found) == list(range(1, 201))
    assert Document(LONG).replace(found).text == LONG.replace("stand", "stands")
    assert any("Before it stands" in asked(one) and "After it stands" in asked(one) for one in model.requests)


def test_requests_grow_with_the_text_and_not_with_its_square() -> None:
    sizes = []
    for times in (1, 4):
        model = Answering(correct)
        revise(model, " ".join([LONG] * times), room=900)
        sizes.append(sum(len(m.content) for request in model.requests for m in request.messages))
    assert sizes[1] < 5 * sizes[0]


def test_sections_with_nothing_to_do_are_not_asked_about() -> None:
    model = Answering(correct)
    assert revise(model, LONG, advising(_150="agree"), room=900) == {150: "Number 150 stands here."}
    assert len(model.requests) == 1


def test_neighbours_are_not_taken() -> None:
    def all_of_them(request: Request) -> str:
        own = "first" if "\n[1]" in asked(request) else "second"
        return "\n".join(f"[{n}] Changed in the {own} section." for n in range(1, 5))

    found = revise(Answering(all_of_them), "One stands. Two stands. Three stands. Four stands.", room=26)
    assert [text.split()[3] for text in found.values()] == ["first", "first", "second", "second"]


def test_where_nothing_fits_it_is_said() -> None:
    with pytest.raises(ContextOverflow):
        revise(Answering(correct, limit=10))
    assert revise(FakeModel([]), "") == {}


@given(st.text(alphabet="[]0123 .ab\n", max_size=120), st.frozensets(st.integers(1, 3)))
def test_whatever_is_answered_only_open_sentences_change(answer: str, protected: frozenset[int]) -> None:
    found = revise(Answering(lambda _: answer), protected=protected)
    assert found.keys() <= {1, 2, 3} - protected
    document = Document(TEXT)
    assert all(new and new != document.sentence(number).text for number, new in found.items())


def test_a_whole_text_is_rewritten_with_its_paragraphs() -> None:
    model = FakeModel(["The ferry was built in 1962. It makes eleven crossings. Tourists enjoy the ride."])
    text = asyncio.run(
        ModelReviser(model).rewrite(f"  {TEXT}\n", advising(_2="agree"), instruction="Fix it.")
    )
    assert text == "  The ferry was built in 1962.\n\nIt makes eleven crossings. Tourists enjoy the ride.\n"
    words = asked(model.requests[0])
    assert "Sentence: It make eleven crossings.\nTo do: agree" in words
    assert "Sentence: Tourists enjoys the ride.\nTo do: nothing" in words


def test_a_rewrite_of_nothing_leaves_the_text() -> None:
    assert asyncio.run(ModelReviser(FakeModel([" "])).rewrite(TEXT, NOTHING)) == TEXT
