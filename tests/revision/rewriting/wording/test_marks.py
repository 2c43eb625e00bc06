"""Sentences without marks that may not be there, and with or without contractions."""

from __future__ import annotations

import asyncio
import re
from time import process_time

import pytest
from hypothesis import given, settings, strategies as st

from redraft.constraints import constraints_of
from redraft.revision.rewriting.wording.marks import fewer_marks, without_marks
from redraft.revision.task import Task
from redraft.text import MARKS, Format, free_marks
from tests.revision.fakes import repaired

BEST = [
    ("word in capitals", "You MUST call me TODAY.", "You must call me today."),
    ("word in capitals", "THIS IS VERY IMPORTANT for NASA.", "This is very important for NASA."),
    ("word in capitals", "We go to LONDON on FRIDAY.", "We go to London on Friday."),
    ("semicolon", "It was late; we left.", "It was late. We left."),
    ("semicolon", "It was late; however, we stayed.", "It was late. However, we stayed."),
    ("semicolon", "We tried it; but nobody came.", "We tried it, but nobody came."),
    ("semicolon", "Bring a pen; a pad; and a lamp.", "Bring a pen, a pad, and a lamp."),
    ("semicolon", "The budget is tight; the team is small; time is short.", "The budget is tight. The team is small. Time is short."),
    ("semicolon", "Do not call; write a letter or come by.", "Do not call. Write a letter or come by."),
    ("semicolon", "We asked 90 people; 12 of them refused.", "We asked 90 people. 12 of them refused."),
    ("semicolon", "Can we meet earlier; my train goes at six?", "Can we meet earlier? My train goes at six."),
    ("semicolon", "Eat them fresh; that is, not from a tin.", "Eat them fresh, that is, not from a tin."),
    ("semicolon", "She was calm; “it is only rain,” she said.", "She was calm: “it is only rain,” she said."),
    ("semicolon", "Type `a = 1;` first; the rest is easy.", "Type `a = 1;` first. The rest is easy."),
    ("semicolon", "It cost a lot; whereas the other, which is new, was cheap.", "It cost a lot, whereas the other, which is new, was cheap."),
    ("semicolon", "They flew to Graz, Austria; Turin, Italy; and Ghent, Belgium.", "They flew to Graz (Austria), Turin (Italy), and Ghent (Belgium)."),
    ("semicolon", "Ask Ida Roth, the cook; Max Hill, a guard; or Tim Orr, who has the keys.", "Ask Ida Roth (the cook), Max Hill (a guard), or Tim Orr, who has the keys."),
    ("semicolon", "Bring one of these: a lamp; ropes of hemp, nylon or wire; a tent.", "Bring one of these: a lamp, ropes of hemp or nylon or wire, a tent."),
    ("semicolon", "He wrote “a; b” and left; she stayed.", "He wrote “a; b” and left. She stayed."),
    ("em dash", "He wanted one thing — money.", "He wanted one thing: money."),
    ("em dash", "The plan — a bold one — failed.", "The plan, a bold one, failed."),
    ("em dash", "The plan—bold, costly, and late—failed.", "The plan (bold, costly, and late) failed."),
    ("em dash", "It was late -- we went home.", "It was late. We went home."),
    ("em dash", "Coal, oil, gas – all of it must go.", "Coal, oil, gas: all of it must go."),
    ("em dash", "It was a success — at least for us.", "It was a success, at least for us."),
    ("em dash", "We can do it — but not today.", "We can do it, but not today."),
    ("em dash", "The team — it was small — won.", "The team (it was small) won."),
    ("exclamation mark", "We won!!", "We won."),
    ("exclamation mark", "What?!", "What?"),
    ("exclamation mark", "Hi Anna!", "Hi Anna,"),
    ("exclamation mark", "The results (great!) are in.", "The results (great) are in."),
    ("emoji", "We shipped it 🚀", "We shipped it."),
    ("emoji", "Great news! 🎉 🎉", "Great news!"),
    ("emoji", "Thanks 🙏 We did it.", "Thanks. We did it."),
    ("emoji", "🎉 We shipped!", "We shipped!"),
    ("ellipsis", "Well... I do not know.", "Well, I do not know."),
    ("ellipsis", "And so it ended…", "And so it ended."),
    ("ellipsis", "…and then we left.", "And then we left."),
    ("ellipsis", "It was dark... The door opened.", "It was dark. The door opened."),
    ("ellipsis", "I waited... he never came.", "I waited. He never came."),
    ("ellipsis", "We met... in Paris.", "We met in Paris."),
    ("ellipsis", "She said... it was over.", "She said it was over."),
    ("ellipsis", "When I was young... we had no car.", "When I was young, we had no car."),
    ("ellipsis", "The attic holds chairs, old lamps, suitcases...", "The attic holds chairs, old lamps, suitcases and so on."),
    ("ellipsis", "He was tall, dark, handsome...", "He was tall, dark, handsome."),
    ("ellipsis", "Er... we think... we think so.", "Er, we think, we think so."),
    ("ellipsis", "The plot... I give nothing away... is thin.", "The plot (I give nothing away) is thin."),
    ("emoji", "Bring water 💧 snacks 🍎 and a hat 👒", "Bring water, snacks and a hat."),
    ("emoji", "I love 😍 this place 🏖️ and you 😘", "I love this place and you."),
    ("emoji", "I was tired 😴 it was a long day 🌙", "I was tired. It was a long day."),
    ("emoji", "Hi Ben 👋 are you there?", "Hi Ben, are you there?"),
    ("exclamation mark", "Did you hear the owl!", "Did you hear the owl?"),
    ("exclamation mark", "Do come in!", "Do come in."),
    ("em dash", "I have tried — films, books, a long walk.", "I have tried: films, books, a long walk."),
    ("em dash", "The horse — they say — was blind.", "The horse, they say, was blind."),
    ("em dash", "Only one thing worried her — the price.", "Only one thing worried her: the price."),
    ("bracket", "Ann (the chair) left.", "Ann, the chair, left."),
    ("bracket", "We left early (it was late).", "We left early. It was late."),
    ("bracket", "Few met the aim (office staff did worst).", "Few met the aim. Office staff did worst."),
    ("bracket", "Pour it in (it may foam) and wait.", "Pour it in—it may foam—and wait."),
    ("bracket", "He rang (at two!) to sing.", "He rang—at two!—to sing."),
    ("bracket", "Send the file(s) now.", "Send the files now."),
    ("bracket", "(This is new.)", "This is new."),
    ("contraction", "It's been a long day and it's late.", "It has been a long day and it is late."),
    ("contraction", "She's taken the car, hasn't she?", "She has taken the car, has she not?"),
    ("contraction", "Why don't you come?", "Why do you not come?"),
    ("contraction", "You'd better go; he’d know.", "You had better go; he would know."),
    ("contraction", "He'd no key; what's shown each week is new.", "He had no key; what is shown each week is new."),
    ("contraction", "Ann's dog won't bark, and I can't.", "Ann's dog will not bark, and I cannot."),
    ("semicolon", "Ann wept; one left; another apologised.", "Ann wept. One left. Another apologised."),
    ("exclamation mark", "Forty of you (!) came.", "Forty of you came."),
    ("contraction", "Guilt's what breaks her.", "Guilt is what breaks her."),
    ("contraction", "Let's go.", "Let us go."),
    ("contraction", "The lift's going down and my dog's bed's ruined.", "The lift is going down and my dog's bed is ruined."),
    ("contraction", "Tuesday's no good; the team's been at Anna's since May.", "Tuesday is no good; the team has been at Anna's since May."),
    ("contraction", "Wait while the kettle's on.", "Wait while the kettle is on."),
    ("contraction", "The baker's Irish and he's kind.", "The baker is Irish and he is kind."),
    ("contraction", "My uncle's in hospital.", "My uncle is in hospital."),
    ("contraction", "Those whose bus's late can't come.", "Those whose bus is late cannot come."),
    ("contraction", "The guard, who's since been told, left.", "The guard, who has since been told, left."),
    ("contraction", "She'd paid last year's too, she said.", "She had paid last year's too, she said."),
    ("contraction", "Tom's too tired, so Ann's booked the hall.", "Tom is too tired, so Ann has booked the hall."),
    ("contraction", "Nobody'd answered; my sister's lent me a pen.", "Nobody had answered; my sister has lent me a pen."),
    ("contraction", "It needs a plan: nobody's approved one.", "It needs a plan: nobody has approved one."),
    ("contraction", "How'd it go?", "How did it go?"),
    ("contraction", "It's called the Nook, and he's named it.", "It is called the Nook, and he has named it."),
    ("exclamation mark", "(Live jazz! On a Thursday!)", "(Live jazz. On a Thursday.)"),
    ("emoji", "The room is yours 😉.", "The room is yours."),
    ("emoji", "It leaves early (ugh 😴), but it is cheap 🎉!", "It leaves early (ugh), but it is cheap!"),
    ("emoji", "Rate it from 1️⃣ to 5️⃣ and 👍 this message.", "Rate it from 1 to 5 and like this message."),
    ("emoji", "Fans of 🍕 will love it; it is 💶 8 a head.", "Fans of pizza will love it; it is €8 a head."),
    ("emoji", "You both get a free ☕.", "You both get a free coffee."),
    ("emoji", "I like 🍕🍔 and 🍟.", "I like pizza and burgers and chips."),
    ("emoji", "We go by 🚗🚌 🚲.", "We go by car, bus and bike."),
    ("emoji", "We love 🍕!", "We love pizza!"),
    ("emoji", "Costs 20💶.", "Costs 20 euros."),
    ("emoji", "It is the cake I made 🎉!", "It is the cake I made!"),
    ("emoji", "Bring ☕ and 🍰, please.", "Bring coffee and cake, please."),
    ("em dash", "If it is too big — most are — the driver will keep it.", "If it is too big (most are), the driver will keep it."),
    ("em dash", "It is free for ten days — after that we charge £3.", "It is free for ten days. After that we charge £3."),
    ("em dash", "Our address is on the label — please do not use the old one.", "Our address is on the label. Please do not use the old one."),
    ("semicolon", "It is on the board: nuts, red; milk, blue; rye, grey.", "It is on the board: nuts (red), milk (blue), rye (grey)."),
    ("semicolon", "It reads three kinds: plain text, with a header; lists, one a line; and tables, if any.", "It reads three kinds: plain text (with a header), lists (one a line), and tables (if any)."),
    ("semicolon", "We sold 9 in March; in April, 8; in May, for lack of rain, 2.", "We sold 9 in March, and in April, 8, and in May, for lack of rain, 2."),
    ("semicolon", "It has three parts: first, to count; second, to ask; third, to close.", "It has three parts: first to count, second to ask, third to close."),
    ("semicolon", "He sang (badly, loudly; even, once, in tune); that, I think, is fine.", "He sang (badly, loudly, even, once, in tune). That, I think, is fine."),
    ("full form", "We have missed you, and she has seen it.", "We've missed you, and she's seen it."),
    ("full form", "I have stopped running.", "I've stopped running."),
    ("full form", "Why do you not stay? You must not go.", "Why don't you stay? You mustn't go."),
    ("full form", "I do not know, and it is late.", "I don't know, and it's late."),
    ("full form", "That is what it is.", "That's what it is."),
    ("full form", "I cannot go; they will not wait.", "I can't go; they won't wait."),
]  # fmt: skip


@pytest.mark.parametrize(("mark", "sentence", "best"), BEST)
def test_a_mark_is_replaced_as_a_writer_would(mark: str, sentence: str, best: str) -> None:
    assert without_marks(sentence, [mark])[0].text == best


@pytest.mark.parametrize(
    ("mark", "sentence"),
    [
        ("semicolon", "He wrote “a; b” and left."),
        ("bracket", "Costs rose (Smith, 2020) last year."),
        ("contraction", "“I can't,” she said."),
        ("contraction", "It ain't so."),
        ("contraction", "I cc'd you on it, we PM'd the boss, and FD'd it."),
        ("contraction", "The company's limited one-year warranty applies."),
        ("contraction", "Tom's red one is nice, and my neighbour's left one is bigger."),
        ("contraction", "Ann's bed the other day was wet; that is Ann's bed."),
        ("contraction", "The shop's called the Nook, and the book's given the first prize."),
        ("contraction", "She helps the world's poor, and the train's late arrival hurt."),
        ("contraction", "The tailor's on the corner is closed; we met at my aunt's on Sunday."),
        ("full form", "We have limited time. He had put it away. It has broken."),
        ("full form", "They have more than we have."),
        ("question mark", "Why not?"),
        ("emoji", "Fans of 🧿 will love it."),
        ("emoji", "This is the 🔥."),
        ("emoji", "We had a lot of 🧿."),
        ("emoji", "You ate 🍕🔥."),
        ("ellipsis", "A try...catch block does it."),
        ("semicolon", "See https://example.org/a;b for more."),
        ("semicolon", "Run `make lint;` first."),
        ("semicolon", "Three teams play: Ann, Bob; Cy, Di; Ed, Flo."),
        ("semicolon", "They came from Leeds, York; Bath, Bristol; and Hull."),
        ("semicolon", "Bring this: two pens, one red; paper; a ruler, a compass and glue."),
    ],
)
def test_what_is_not_the_writers_to_change_stays(mark: str, sentence: str) -> None:
    assert without_marks(sentence, [mark]) == []


@pytest.mark.parametrize(
    ("mark", "sentence", "best"),
    [
        ("em dash", '"You said you would —" Mara stopped.', '"You said you would..." Mara stopped.'),
        ("em dash", "“It is late — we must go.” The old man — Tom — left.", "“It is late. We must go.” The old man, Tom, left."),
        ("exclamation mark", "“Stop!” shouted the guard! “Now!”", "“Stop,” shouted the guard. “Now.”"),
        ("contraction", "“It's late,” she said.", "“It is late,” she said."),
    ],
)  # fmt: skip
def test_what_is_quoted_changes_where_that_is_asked_for(mark: str, sentence: str, best: str) -> None:
    assert without_marks(sentence, [mark], quoted=True)[0].text == best


def test_there_is_more_than_one_way() -> None:
    found = [one.text for one in without_marks("He wanted one thing — money.", ["em dash"])]
    assert found == ["He wanted one thing: money.", "He wanted one thing, money."]


def test_no_mark_is_replaced_by_another_that_is_forbidden_too() -> None:
    sentence = "The plan — bold, costly, and late — failed (badly); we left."
    for one in without_marks(sentence, ["em dash", "bracket", "semicolon"]):
        assert not set("—();") & set(one.text)


def test_one_less_is_enough_where_marks_are_counted() -> None:
    found = [one.text for one in fewer_marks("We won! They lost!", "exclamation mark")]
    assert found == ["We won. They lost!", "We won! They lost."]


PIECES = st.sampled_from(
    [
        "we left",
        "it was late",
        "the old man",
        "however",
        "and so on",
        "a pen",
        "Ann",
        "“a; b!”",
        "I",
        "said she",
    ]
)
JOINTS = st.sampled_from(
    [
        "; ",
        " — ",
        "—",
        " – ",
        "... ",
        "… ",
        "! ",
        " 🎉 ",
        " (the chair) ",
        " (it was late) ",
        ", ",
        " ",
        "!! ",
        ": ",
    ]
)
SENTENCES = st.builds(
    lambda parts, last, end: "".join(piece + joint for piece, joint in parts) + last + end,
    st.lists(st.tuples(PIECES, JOINTS), max_size=5),
    PIECES,
    st.sampled_from([".", "!", "?", "…", " 🎉", "!?", ""]),
)


def said(text: str) -> list[str]:
    """The words, without what tells that a list goes on."""
    return re.findall(r"\w+", text.lower().replace("and so on", ""))


@settings(max_examples=300)
@given(SENTENCES, st.sets(st.sampled_from(MARKS), min_size=1))
def test_the_words_stay_and_the_marks_go(sentence: str, marks: set[str]) -> None:
    for one in without_marks(sentence, sorted(marks)):
        assert said(one.text) == said(sentence)
        assert not any(free_marks(one.text, mark) for mark in marks)
        assert re.findall("“[^”]*”", one.text) == re.findall("“[^”]*”", sentence)
        assert "  " not in one.text


TEXT = (
    "Great news! 🎉 We shipped the app; it works — at least for now... The team (all five of us) is proud;"
    " however, we are tired. Ann said “It works; trust me!” and left. Who knew?"
)


def revised(text: str, instruction: str, format: Format = "text") -> tuple[str, list[str]]:
    found = asyncio.run(repaired(Task(text, constraints_of(instruction), format=format)))
    return found.draft.text, [finding.message for finding in found.findings if not finding.met]


def test_a_text_is_repaired_and_its_quotation_stays() -> None:
    text, unmet = revised(TEXT, "No em dashes, emojis, ellipses, brackets, semicolons or exclamation marks.")
    assert "Ann said “It works; trust me!” and left." in text
    assert re.findall(r"\w+", text.lower()) == re.findall(r"\w+", TEXT.lower())
    assert unmet == [
        "1 semicolon; wanted no semicolons (1 in a quotation or citation, which stays as it is)",
        "1 exclamation mark; wanted no exclamation marks (1 in a quotation or citation, which stays as it is)",
    ]


def test_a_storys_own_dialogue_has_the_marks_of_the_story() -> None:
    text, unmet = revised(
        '"Stop!" shouted the guard. "I never —" He fell. "Not a word!" she hissed.',
        "No em dashes or exclamation marks.",
    )
    assert (text, unmet) == ('"Stop," shouted the guard. "I never..." He fell. "Not a word," she hissed.', [])


def test_what_somebody_really_said_has_its_own_marks() -> None:
    text = '"We won!" said Ann Lee, the mayor. "It was close!" she told reporters!'
    made, unmet = revised(text, "No exclamation marks.")
    assert made == text[:-1] + "."
    assert len(unmet) == 1


def test_a_greeting_that_a_sentence_follows_ends_with_a_full_stop() -> None:
    assert revised("Hi Ben! The key is here.", "No exclamation marks.")[0] == "Hi Ben. The key is here."


def test_no_sentence_is_left_out_or_cut_for_a_mark() -> None:
    text = "“I never—” he began. I have tried everything — books, films, a course in the hills. It was late — twice."
    made, _ = revised(text, "No em dashes.")
    assert said(made) == said(text)


def test_so_many_marks_are_left_as_there_may_be() -> None:
    text, unmet = revised("We won! It was great! Everybody came! The end.", "At most one exclamation mark.")
    assert unmet == []
    assert text.count("!") == 1
    assert text.replace("!", ".") == "We won. It was great. Everybody came. The end."


def test_a_question_stays_a_question() -> None:
    text, unmet = revised("Why not? We left.", "No question marks.")
    assert text == "Why not? We left."
    assert unmet == ["1 question mark; wanted no question marks"]


def test_contractions_are_written_out_and_used() -> None:
    assert revised("I don't know. It's late.", "No contractions.") == ("I do not know. It is late.", [])
    assert revised("I do not know. It is late.", "Use contractions.") == ("I don't know. It's late.", [])


def test_code_and_links_stay() -> None:
    source = "Run `a; b!` now; it helps. See [the page; here](https://example.org/a;b) for more.\n"
    text, unmet = revised(source, "No semicolons.", "markdown")
    assert "Run `a; b!` now" in text
    assert "now; it" not in text
    assert "https://example.org/a;b" in text
    assert unmet == []


def test_many_emojis_do_not_take_the_square_of_their_number() -> None:
    started = process_time()
    without_marks("we like 🍕 and " * 1_000 + "cake.", ["emoji"])
    assert process_time() - started < 10
