"""A larger model that was taught to edit: what it is asked, and what is taken of its answers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence

from redraft.constraints import parse
from redraft.editor import EditVerdicts
from redraft.models import Completion, Request
from redraft.revision.asking.passages import PassageEditor, wishes_of
from redraft.revision.corrections.vetting import Vetting
from redraft.revision.showing.concerns import refused_answers
from redraft.revision.task import Task
from redraft.text import Document
from tests.revision.fakes import Saying, ScriptedJudge, Tagging

LETTER = """Dear Mrs. Hollister,

I write you because of the heating. It does not works since 4 January.

My wife are at home all day, and we pays about 640 euros.

Kind regards,
Jens Ottmar"""


class Taught:
    """A model that edits by a rule, and remembers what it was asked: the order, and the text."""

    spec = "embedded:qwen-1.5b"

    def __init__(self, edit: Callable[[str], str]) -> None:
        self._edit = edit
        self.asked: list[tuple[str, str]] = []

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        order, _, text = request.messages[0].content.partition(":\n")
        self.asked.append((order, text))
        return (Completion(self._edit(text), "stop"),)


JUDGE = ScriptedJudge(
    says_otherwise=lambda source, text: bool({"reversed", "Bananas"} & {*re.findall(r"\w+", text)})
)


class Unsure(ScriptedJudge):
    """Never sure that a sentence says what another one says."""

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        return tuple(0.6 for _ in pairs)


VETTING = Vetting(Saying(), Tagging())


def revised(text: str, instruction: str, model: Taught, judge: ScriptedJudge = JUDGE) -> str:
    task = Task.of(text, parse(instruction))
    return asyncio.run(PassageEditor(task, judge, VETTING).revised(model))


def corrected(text: str) -> str:
    changes = {"I write you": "I am writing to you", "works": "work", "are": "is", "pays": "pay"}
    return re.sub(r"I write you|works|\bare\b|pays", lambda found: changes[found[0]], text)


def test_each_paragraph_is_asked_about_and_no_greeting() -> None:
    model = Taught(corrected)
    found = revised(LETTER, "Fix the grammar.", model)
    assert found == corrected(LETTER)
    assert [text for _, text in model.asked] == LETTER.split("\n\n")[1:3]


def test_an_edit_that_changes_a_fact_is_left_out_and_the_others_stay() -> None:
    model = Taught(lambda text: corrected(text).replace("640", "460"))
    assert revised(LETTER, "Fix the grammar.", model) == corrected(LETTER)


def test_a_sentence_that_changes_a_fact_is_asked_for_by_itself() -> None:
    text = "You have to pay 40 euros at once. The door is shut at night."

    def polite(asked: str) -> str:
        whole = asked == text
        return asked.replace("You have to", "Could you please").replace("40", "14" if whole else "40")

    model = Taught(polite)
    found = revised(text, "Make it polite.", model)
    assert [asked for _, asked in model.asked] == [text, "You have to pay 40 euros at once."]
    assert found.startswith("Could you please pay 40 euros")


def test_what_must_stay_is_not_asked_about() -> None:
    model = Taught(str.upper)
    text = "The first one stays as it is. The second one may change a little."
    revised(text, "Make it formal. Keep the first sentence.", model)
    assert [asked for _, asked in model.asked] == ["The second one may change a little."]


def test_a_bound_is_asked_for_by_the_words_that_may_stay() -> None:
    text = " ".join(f"Sentence number {number} has some words too many in it." for number in range(6))
    model = Taught(lambda asked: asked.rpartition("some")[0] + "some words.")
    revised(text, "At most 30 words.", model)
    assert model.asked[0][0] == "Shorten to at most 30 words"


def test_errors_come_first_and_a_wish_without_a_control_in_its_own_words() -> None:
    def controls(instruction: str) -> list[str]:
        return [one.control or one.words for one in wishes_of(Task.of(LETTER, parse(instruction)))]

    assert controls("Make it polite and fix the grammar.") == ["fluency", "polite"]
    assert controls("Make it sound like a pirate.") == ["Make it sound like a pirate"]


def test_each_passage_is_told_of_as_it_is_answered() -> None:
    heard: list[str] = []
    task = Task.of(LETTER, parse("Fix the grammar."))
    editor = PassageEditor(task, JUDGE, VETTING, told=lambda draft: heard.append(draft.text))
    asyncio.run(editor.revised(Taught(corrected)))
    assert len(heard) == 2
    assert heard[0] not in (LETTER, corrected(LETTER))
    assert heard[1] == corrected(LETTER)


def test_a_sentence_that_an_answer_leaves_out_stays() -> None:
    text = "You are late with it. Send it today, please. The office shuts at six. I wait until then."
    model = Taught(lambda asked: asked.partition(". ")[0].removesuffix(".") + ".")
    assert revised(text, "Make it polite.", model) == text


def test_the_same_sentence_within_another_is_left_alone() -> None:
    text = "Ask all 40 men and tell them that I agree. I agree."

    def formal(asked: str) -> str:
        return asked.replace("40", "14").replace(". I agree.", ". I concur.")

    found = revised(text, "Make it formal.", Taught(formal))
    assert found == "Ask all 40 men and tell them that I agree. I concur."


def test_what_is_not_english_is_left_alone() -> None:
    model = Taught(str.upper)
    text = "Der Bericht ist noch nicht fertig. Wir schicken ihn am Montag an alle Mitglieder des Vereins."
    assert revised(text, "Make it formal.", model) == text
    assert not model.asked


def test_what_the_judge_takes_for_something_else_is_the_writers() -> None:
    text = "You get your money back. We will send it on Monday. The shop is shut at night."
    model = Taught(lambda asked: asked.replace("We will", "We'll").replace("is shut", "is reversed"))
    found = revised(text, "Make it friendlier.", model)
    assert found == "You get your money back. We'll send it on Monday. The shop is shut at night."


def test_what_the_model_adds_is_left_out() -> None:
    text = "The report is late. It has to be sent to the council on Friday."
    model = Taught(lambda asked: asked.replace("is late.", "is delayed. Bananas grow quickly in warm lands."))
    found = revised(text, "Make it formal.", model)
    assert "Bananas" not in found
    assert "council on Friday" in found


def test_a_correction_keeps_the_writer_s_spelling_and_names() -> None:
    text = "I am not criticising you, and Anneliese have eleven metres of rope."
    model = Taught(
        lambda asked: asked.replace("criticising", "criticizing").replace("Anneliese have", "Annelise has")
    )
    assert "criticising you, and Anneliese" in revised(text, "Fix the grammar.", model)


def test_another_tone_claims_nothing_new_and_asks_nothing_that_was_stated() -> None:
    text = "The treatment on 3 March may be covered. I won't tell the clients. You have to sign page 2."
    answers = {
        "The treatment on 3 March may be covered.": "May we cover the treatment on 3 March?",
        "I won't tell the clients.": "I will not disclose the secrets of the clients, and I regret the delay.",
        "You have to sign page 2.": "Could you please sign page 2?",
    }
    model = Taught(lambda asked: " ".join(answers[one] for one in answers if one in asked))
    found = revised(text, "Make it more formal.", model, Unsure())
    assert found.startswith("The treatment on 3 March may be covered. I won't tell the clients.")


def test_the_second_of_two_denials_goes_in_a_correction() -> None:
    text = "The guard told the manager, who did not inform nobody about the fire."
    model = Taught(lambda asked: asked.replace("nobody", "anybody"))
    assert revised(text, "Fix the grammar.", model) == text.replace("nobody", "anybody")
    model = Taught(lambda asked: asked.replace("did not inform nobody", "informed everybody"))
    assert "everybody" not in revised(text, "Fix the grammar.", model)


def test_sentences_are_held_against_all_that_they_came_from() -> None:
    text = "The key opens the shed. It was cut in May by Ola Brandt."
    joined = "The key that Ola Brandt cut in May opens the shed."
    model = Taught(lambda asked: joined if asked == text else asked)
    assert revised(text, "Make it formal.", model) == joined
    model = Taught(lambda asked: text if asked == joined else asked)
    assert revised(joined, "Use plain language.", model) == text


def test_what_is_not_taken_is_told() -> None:
    text = "We will not pay for the pump. The key is with Ms. Adeyemi, in room 4."
    model = Taught(lambda asked: asked.replace("We will not pay for", "We reversed the payment of"))
    task = Task.of(text, parse("Make it formal."))
    editor = PassageEditor(task, JUDGE, VETTING)
    assert asyncio.run(editor.revised(model)) == text
    (told,) = refused_answers(Document(text), editor.refused)
    assert told.kind == "kept"
    assert told.sentence == 1
    assert "We reversed the payment of the pump." in told.why


def test_more_than_a_word_is_not_left_out_by_another_tone() -> None:
    text = "All our services, both free and paid, are open to developers in Cuba."
    model = Taught(lambda asked: asked.replace(", both free and paid,", ""))
    assert revised(text, "Use plain language.", model) == text


def test_what_is_only_said_beside_a_bound_is_no_wish() -> None:
    form = parse("Under 100 words, that is all the form accepts, not one more.")
    assert wishes_of(Task.of(LETTER, form)) == []
    assert wishes_of(Task.of(LETTER, parse("Under 100 words, and end on a joke.")))


def test_an_answer_has_no_slips_of_its_own() -> None:
    text = "The lift is out of order, and we know that this is bad for you."
    model = Taught(lambda asked: asked.replace("this is bad for you", "this is a inconvenience for you"))
    assert revised(text, "Make it formal.", model) == text.replace("this is bad", "this is an inconvenience")


def test_rules_have_what_the_model_s_answer_is_not_taken_for() -> None:
    text = "We commenced work on the pump. The key is with Ms. Adeyemi, in room 4."

    async def by_rules() -> dict[str, str]:
        return {"We commenced work on the pump.": "We began work on the pump."}

    model = Taught(lambda asked: asked.replace("We commenced", "We reversed"))
    editor = PassageEditor(Task.of(text, parse("Use plain language.")), JUDGE, VETTING, rules=by_rules)
    assert asyncio.run(editor.revised(model)) == text.replace("commenced", "began")
    also = Taught(lambda asked: asked.replace("We commenced", "We reversed").replace("key is", "key lies"))
    assert asyncio.run(editor.revised(also)) == text.replace("commenced", "began").replace(
        "key is", "key lies"
    )


def test_what_praises_may_be_left_out_where_that_is_wished() -> None:
    text = "Boil it in an incredible 70 seconds like a true tea connoisseur."
    model = Taught(lambda asked: "Boil it in 70 seconds." if asked == text else asked)
    assert revised(text, "Make it neutral.", model) == "Boil it in 70 seconds."
    assert revised(text, "Make it formal.", model) == text


class Judging:
    """The word of an editor that judges its own edits: by the number that stands in them."""

    def identity(self) -> str:
        return "judging"

    async def yes(self, questions: Sequence[str]) -> tuple[float, ...]:
        found = (re.search(r"\[(\d+)\]", one.rpartition("\n")[2]) for one in questions)
        return tuple(int(one[1]) / 100 if one else 0.0 for one in found)


class Offering:
    """A model that makes one thing of a passage, and several of a sentence by itself."""

    spec = "embedded:qwen-1.5b"

    def __init__(self, passage: str, alone: Sequence[str]) -> None:
        self._passage = passage
        self._alone = alone

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        asked = request.messages[0].content.partition(":\n")[2]
        own = [self._passage] if "key" in asked else self._alone
        return tuple(Completion(text, "stop") for text in own[: request.n])


def test_an_editor_that_judges_its_edits_says_which_is_taken() -> None:
    text = "The pump is ours to pay for. The key is with Ms. Adeyemi."

    def made(first: int, *alone: int) -> str:
        model = Offering(
            f"We pay for the pump, as agreed [{first}]. The key is with Ms. Adeyemi.",
            [f"It is we who pay for the pump [{one}]." for one in alone],
        )
        task = Task.of(text, parse("Make it formal."))
        editor = PassageEditor(task, JUDGE, VETTING, verdicts=EditVerdicts(Judging()))
        return asyncio.run(editor.revised(model)).partition(". ")[0]

    assert made(96, 99) == "We pay for the pump, as agreed [96]"
    assert made(85, 60, 97, 99) == "It is we who pay for the pump [97]"
    assert made(85, 80, 90) == "The pump is ours to pay for"


class Knowing:
    """The word of an editor that is as sure of a text as it is told."""

    def __init__(self, sure: Mapping[str, float]) -> None:
        self._sure = sure

    def identity(self) -> str:
        return "knowing"

    async def yes(self, questions: Sequence[str]) -> tuple[float, ...]:
        texts = (one.rpartition("\n")[2] for one in questions)
        return tuple(self._sure.get(text, 1.0) for text in texts)


def test_a_correction_of_which_the_editor_is_not_sure_is_asked_for_again() -> None:
    wrong, doubtful, right = "My wife are at home.", "My wives are at home.", "My wife is at home."

    def made(first: str, alone: str, sure: Mapping[str, float]) -> str:
        model = Offering(f"{first} The key is with Ms. Adeyemi.", [alone])
        task = Task.of(f"{wrong} The key is with Ms. Adeyemi.", parse("Fix the grammar."))
        editor = PassageEditor(task, JUDGE, VETTING, verdicts=EditVerdicts(Knowing(sure)))
        return asyncio.run(editor.revised(model)).removesuffix(" The key is with Ms. Adeyemi.")

    assert made(right, doubtful, {}) == right
    assert made(doubtful, right, {doubtful: 0.6}) == right
    assert made(doubtful, right, {doubtful: 0.6, right: 0.5}) == doubtful
    assert made(doubtful, right, {doubtful: 0.3, right: 0.3}) == wrong


def test_what_the_editor_is_sure_of_is_believed() -> None:
    known: dict[tuple[str, str], float] = {}
    text = "The key is with Ms. Adeyemi. We will pay the bill."
    model = Offering(
        "The key is held by Ms. Adeyemi [97]. We shall pay the bill [80].", ["We pay the bill [85]."]
    )
    task = Task.of(text, parse("Make it formal."))
    verdicts = EditVerdicts(Judging())
    editor = PassageEditor(task, JUDGE, VETTING, verdicts=verdicts, believed=known.update)
    asyncio.run(editor.revised(model))
    assert known == {("The key is with Ms. Adeyemi.", "The key is held by Ms. Adeyemi [97]."): 0.97}


def test_an_improvement_where_it_is_needed_corrects_errors_alone() -> None:
    def asked(instruction: str) -> list[str]:
        return [one.control or one.words for one in wishes_of(Task.of(LETTER, parse(instruction)))]

    assert asked("improve this if needed") == asked("edit it where necessary") == ["fluency"]
    assert asked("make it more formal if needed") == ["formal"]
    assert asked("improve this") == ["improve this"]
