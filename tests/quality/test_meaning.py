"""Facts that a revision changes, and rewordings that change none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from redraft.quality import kept_share, meaning_changes
from redraft.text import Entity, RuleFinder


@pytest.mark.parametrize(
    ("source", "text", "change"),
    [
        ("The jury found him not guilty.", "The jury found him guilty.", "negation lost: not"),
        ("The jury found him guilty.", "The jury found him not guilty.", "negation added: not"),
        ("They don't accept cash.", "They accept cash.", "negation lost: not"),
        ("Nobody passed the test.", "He passed the test.", "negation lost: nobody"),
        ("It is possible to leave.", "It is impossible to leave.", "negation added: impossible"),
        ("She bought 12 apples.", "She bought 15 apples.", "number 12 is now 15"),
        ("She bought twelve apples.", "She bought fifteen apples.", "number twelve is now fifteen"),
        (
            "It cost 1.5 million dollars.",
            "It cost 1.5 billion dollars.",
            "number 1.5 million is now 1.5 billion",
        ),
        ("It opened in 1998 in a barn.", "It opened in a barn.", "number lost: 1998"),
        ("It opened in a barn.", "It opened in a barn in 1998.", "number added: 1998"),
        ("She moved to Paris in May.", "She moved to Berlin in May.", "name Paris is now Berlin"),
        ("The office in Paris was sold.", "The office was sold.", "name lost: Paris"),
        (
            "It uses language models (LMs), which are trained on text.",
            "It uses language models (Vasquez) trained on text.",
            "name added: Vasquez",
        ),
        ("All students passed.", "Some students passed.", "quantifier all became some"),
        ("Most students passed.", "All students passed.", "quantifier most became all"),
        ("You must sign the form.", "You may sign the form.", "modal must became may"),
        ("Only members may vote here.", "Members may vote here.", "'only' lost"),
        ("Profits increased in March.", "Profits decreased in March.", "increased became decreased"),
        ("Do not come without a coat.", "Do not come with a coat.", "negation without is now with"),
        ("He left without his hat.", "He left with his hat.", "negation without is now with"),
        ("The train stops here.", "The train fails to stop here.", "negation added: not"),
        ("The plan lacks detail.", "The plan has detail.", "negation lost: not"),
        ("She hardly knew him.", "She knew him.", "negation lost: hardly"),
        ("If you hate noise, avoid it.", "If you hate noise, do not avoid it.", "negation added: not"),
        ("You pay unless you cancel.", "You pay if you cancel.", "condition unless is now if"),
        ("You pay unless you cancel in time.", "You pay.", "condition lost: unless"),
        ("Shops open except on Sunday.", "Shops open on Sunday.", "condition lost: except"),
        ("Bring at most 3 bags.", "Bring at least 3 bags.", "at most became at least"),
        ("The soup is hot.", "The soup is cold.", "hot became cold"),
        (
            "The deposit is returned within a month.",
            "Please return the deposit within a month.",
            "The deposit is returned within a month became Please return the deposit within a month.",
        ),
        (
            "You can swap it within a week.",
            "Would you please swap it within a week?",
            "You can swap it within a week became Would you please swap it within a week?",
        ),
        ("The ladder you lent me is here.", "The ladder I lent you is here.", "i is now in the place of you"),
        ("She rarely sings.", "She never sings.", "quantifier rarely became never"),
        ("The board will approve it.", "The board approved it.", "will approve became approved"),
        ("It may reduce pain.", "It reduces pain.", "modal may reduce became reduces"),
        ("Age explained 41 % of it.", "Age was 41 % of it.", "explained became was"),
        ("Age accounted for 41 % of it.", "Age was 41 % of it.", "accounted became was"),
        ("Sales rose by about 12% in June.", "Sales were about 12% in June.", "rose became were"),
        ("The lessor pays.", "The tenant pays.", "tenant is now in the place of lessor"),
        ("We pay when we have it.", "I pay when we have it.", "we became I"),
        ("He said that she paid.", "She said that she paid.", "he became she"),
        (
            "The buyer shall pay and say so in writing.",
            "The buyer shall pay. You must write it down.",
            "buyer became you",
        ),
        (
            "We do not pay until we have it.",
            "We do not pay for as long as we have it.",
            "condition until is now as long as",
        ),
        ("Wait until the bell rings.", "Wait when the bell rings.", "condition until is now when"),
        (
            "You can stay unless you smoke.",
            "You can stay as long as you smoke.",
            "condition unless is now as long as",
        ),
        ("Pay before you enter the room.", "Pay as soon as you enter the room.", "before became as soon as"),
        (
            "The buyer shall, on request, pay the fee.",
            "The buyer should pay the fee.",
            "modal shall became should",
        ),
        ("You should sign the form.", "You may sign the form.", "modal should became may"),
        ("Guests are required to leave.", "Guests can leave.", "modal must became can"),
        ("The train will be late.", "The train may be late.", "modal will be became may be"),
        ("The drug may be harmful.", "The drug is harmful.", "modal may be became is"),
        ("The drug seems to reduce pain.", "The drug reduces pain.", "modal seems to reduce became reduces"),
        ("The data suggest that trees help.", "The data show that trees help.", "suggest became show"),
        ("We do not pay until we have it.", "I do not give it back until we have it.", "we became I"),
        (
            "The shop is open unless it rains.",
            "The shop is open when it rains.",
            "condition unless is now when",
        ),
        ("The dam could break.", "The dam will break.", "modal could break became will break"),
        ("Prices are likely to rise.", "Prices will rise.", "modal are likely to rise became will rise"),
        ("Anything at all.", " ", "nothing is left"),
    ],
)
def test_a_changed_fact_is_named(source: str, text: str, change: str) -> None:
    assert change in meaning_changes(source, text)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("She bought 2 apples for 1,000 yen.", "She bought two apples for 1000 yen."),
        ("The firm made $1.2bn and 3m loans.", "The firm made $1.2 billion and 3 million loans."),
        ("He is twenty-five and has two hundred cows.", "He is 25 and has 200 cows."),
        ("It took 1,987 days.", "It took about 2,000 days."),
        ("The two brothers left.", "Both brothers left."),
        ("Half of them voted.", "50% of them voted."),
        ("They don't accept cash.", "They do not accept cash."),
        ("He can't swim.", "He cannot swim."),
        ("It is not unusual to wait.", "It is usual to wait."),
        ("He was not happy there.", "He was unhappy there."),
        ("There are no errors.", "There are not any errors."),
        ("No one came to the party.", "Nobody came to the party."),
        ("Do not come without a coat.", "Come only with a coat."),
        ("He came without a hat.", "He did not come with a hat."),
        ("You may not go in unless you pay.", "You may go in only if you pay."),
        ("You pay unless you cancel.", "You pay if you do not cancel."),
        ("That is not a bad idea.", "That is a good idea."),
        ("I do nt know him.", "I don't know him."),
        ("In deed, it works.", "Indeed, it works."),
        ("No more than 3 bags fit in.", "At most 3 bags fit in."),
        ("The plan lacks detail.", "The plan does not have detail."),
        ("The drug may reduce pain.", "Possibly the drug reduces pain."),
        ("He did not win the race.", "He failed to win the race."),
        ("He did not win the race, and went home.", "He went home."),
        ("Not only the cat but the dog slept.", "Both the cat and the dog slept."),
        ("Barack Obama spoke on Monday.", "Obama spoke on Monday."),
        ("Maria Lopez said that Maria was late.", "She said that she was late."),
        ("The United Nations met in France.", "The UN met on French soil."),
        ("Every student passed.", "All students passed."),
        ("We have to sign it.", "We must sign it."),
        ("She said it was over.", "It was over, she said."),
        ("Upload 1 file of 27 000 lines.", "Upload one file of 27,000 lines."),
        ("It took 2 1/2 years.", "It took two-and-a-half years."),
        ("Amendment No 7 changes the law.", "Amendment 7 changes the law."),
        ("The losses are shown in figure3 below.", "Figure 3 below shows the losses."),
        ("The NPC's of the game shine.", "The NPCs of the game shine."),
        ("The Paris office [12] was sold.", "The Paris office was sold."),
        ("We will not pay until the parcel arrives.", "We will pay once the parcel arrives."),
        ("We will not pay until the parcel arrives.", "We will pay only after the parcel arrives."),
        ("We will not pay until the parcel arrives.", "We will not pay before the parcel arrives."),
        ("We pay if you sign the form.", "We pay provided that you sign the form."),
        ("Send the form.", "Could you please send the form?"),
        ("You must send the form.", "Could you please send the form?"),
        ("You should send the form.", "It would be helpful if you could send the form."),
        ("Do not smoke here.", "Could we ask you not to smoke here?"),
        ("The shop cannot refund it.", "I am afraid that the shop cannot refund it."),
        ("We cannot refund it.", "We are sorry, but we cannot refund it."),
        ("You must keep the receipt.", "Keep the receipt."),
        ("One must keep the receipt.", "You must keep the receipt."),
        ("The form must be signed.", "You must sign the form."),
        ("The authors measured the mice.", "We measured the mice."),
        ("It was found that mice learn.", "We found that mice learn."),
        ("The tenant shall pay the rent.", "The tenant must pay the rent."),
        ("The tenant shall pay the rent.", "The tenant will pay the rent."),
        ("Visitors must not smoke here.", "Visitors may not smoke here."),
        ("He is able to swim.", "He can swim."),
        ("I think we should go home.", "We should go home."),
    ],
)
def test_rewording_is_no_change(source: str, text: str) -> None:
    assert meaning_changes(source, text) == ()


def test_each_sentence_is_compared_with_its_own() -> None:
    source = "The vote was not lawful. The committee met again in spring. The award was given to the club."
    text = "The vote was lawful. The committee met again in spring. The award was not given to the club."
    assert meaning_changes(source, text) == ("negation lost: not", "negation added: not")


def test_other_languages_are_only_counted() -> None:
    source = "Der Zug kam nicht um 12 Uhr, und die Leute waren auf dem Weg zu der Stadt."
    text = "Der Zug kam um 15 Uhr, und die Leute waren auf dem Weg zu der Stadt."
    assert meaning_changes(source, text) == ("number 12 is now 15",)


@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(source: str, text: str) -> None:
    changes = meaning_changes(source, text)
    assert all(isinstance(change, str) for change in changes)
    assert meaning_changes(source, source) == ()
    assert 0 <= kept_share(source, text, RuleFinder()) <= 1


@pytest.mark.parametrize(
    ("source", "text", "share"),
    [
        ("Nothing here has a name.", "Nor here.", 1.0),
        ("Ann Smith met Bob Jones in Paris.", "Ann Smith met Bob Jones in Paris.", 1.0),
        ("On 3 August 2025 Dr. Okafor flew to Lagos.", "Okafor flew to Lagos on August 3, 2025.", 1.0),
        ("Ann Smith flew to Lagos.", "Ann Smith flew away.", 0.5),
        ("The trial [12] had 40 patients.", "The trial had 40 patients.", 0.5),
        ("Ann Smith flew to Lagos.", "", 0.0),
    ],
)
def test_the_share_of_entities_that_are_kept(source: str, text: str, share: float) -> None:
    assert kept_share(source, text, RuleFinder()) == pytest.approx(share)


def test_another_finder_may_be_given() -> None:
    class Shouting:
        def find(self, text: str) -> list[Entity]:
            place = text.find("zorp")
            return [] if place < 0 else [Entity("zorp", "person", place, place + 4)]

    assert meaning_changes("a zorp sat", "a cat sat", Shouting()) == ("name lost: zorp",)
    assert meaning_changes("a zorp sat", "a cat sat") == ()


@pytest.mark.parametrize("unit", ["not ", "two ", "Aaa ", "1 ", "word and thing "])
def test_a_very_long_sentence_is_read_in_time(unit: str) -> None:
    text = unit * 3000
    started = time.process_time()
    assert len(meaning_changes(text, f"{text}x")) <= 1
    assert time.process_time() - started < 10
