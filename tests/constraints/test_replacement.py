"""Replacing words to the letter, and seeing that it was done."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from redraft.constraints import Replacement, WordCount, check, parse, parse_call, read, render
from redraft.errors import CallError
from redraft.text import Document
from tests.constraints.texts import texts

CONTRACT = "The Licensor grants the Licensee a licence. The Licensee's staff may use the Licensor's software."
PARTIES = Replacement(("the Licensor", "the Licensee"), ("Brightwater Ltd", "the School"), "kept")
DONE = "Brightwater Ltd grants the School a licence. The School's staff may use Brightwater Ltd's software."


@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        ("customer", "owner", "A customer paid. Customers came.", "An owner paid. Owners came."),
        ("customer", "owner", "The customer's bag is customer-made.", "The owner's bag is customer-made."),
        ("customer", "owner", "CUSTOMER NOTICE", "OWNER NOTICE"),
        ("apple", "pear", "An apple fell, an apple.", "A pear fell, a pear."),
        ("Licensee", "the School", "The Licensee pays, if a Licensee can.", "The School pays, if the School can."),
        ("Licensee", "the School", "Each Licensee pays.", "Each School pays."),
        ("the Licensee", "the School", "It says that the Licensee pays.", "It says that the School pays."),
        ("us", "the team", "The US wrote to us.", "The US wrote to the team."),
        ("May", "June", "In May they may go.", "In June they may go."),
        ("User", "reader", "The user and a User.", "The reader and a reader."),
        ("acme", "brightwater", "See www.acme.com or acme.", "See www.acme.com or brightwater."),
        ("the old\nhouse", "home", "He left the\nold house.", "He left home."),
        ("phone", "iPhone", "Phones ring. A phone rang.", "iPhones ring. An iPhone rang."),
        ("he or she", "they", "If he or she is late, he or she pays 5 euros.",
         "If they are late, they pay 5 euros."),
        ("he or she", "they", "He or she must pay; he or she still does.", "They must pay; they still do."),
        ("utilise", "use", "It is utilised; they have utilised it, utilising two.", "It is used; they have used it, using two."),
        ("begin", "write", "She began. It has begun. Beginning is hard.", "She wrote. It has written. Writing is hard."),
        ("the Tenant", "Ms Ortiz", "The Tenants and the Tenant.", "The Tenants and Ms Ortiz."),
    ],
)  # fmt: skip
def test_the_words_around_are_mended(old: str, new: str, before: str, after: str) -> None:
    assert Replacement((old,), (new,)).applied(Document(before)) == after


@pytest.mark.parametrize("number", [1, 2])
def test_a_replacement_in_a_part_is_seen_where_sentences_are_alike(number: int) -> None:
    constraint = Replacement(("cat",), ("dog",), within=(f"paragraph {number}",))
    done = ["The cat sat.", "The cat sat."]
    done[number - 1] = "The dog sat."
    original = "The cat sat.\n\nThe cat sat."
    assert check("\n\n".join(done), [constraint], original=original).met
    assert check("\n\n".join([*done, "It slept."]), [constraint], original=original).met
    assert not check("\n\n".join(reversed(done)), [constraint], original=original).met
    assert not check("The dog sat.\n\nThe dog sat.", [constraint], original=original).met
    assert not check(original, [constraint], original=original).met


@pytest.mark.parametrize(
    ("revised", "is_met"),
    [
        ("A large dog. The big cat. A big cow.", True),
        ("A big dog. The big cat. A big cow.", False),
        ("A large dog. The large cat. A big cow.", False),
        ("A large dog.", True),
    ],
)
def test_a_replacement_in_a_part_is_seen_there_and_nowhere_else(revised: str, is_met: bool) -> None:
    constraint = Replacement(("big",), ("large",), within=("sentence 1",))
    assert check(revised, [constraint], original="A big dog. The big cat. A big cow.").met == is_met
    assert parse_call(constraint.call) == constraint
    with pytest.raises(CallError, match="needs the original"):
        constraint.check(None, read(revised))
    with pytest.raises(CallError, match="no part"):
        Replacement(("big",), ("large",), within=("the attic",))


def test_pairs_are_replaced_together() -> None:
    assert PARTIES.applied(Document(CONTRACT)) == DONE
    turned = Replacement(("left", "right"), ("right", "left"))
    assert turned.applied(Document("Go left, then right.")) == "Go right, then left."


def test_the_target_of_a_link_stays() -> None:
    text = "See [the guide](https://guide.example/guide) and the guide."
    done = Replacement(("guide",), ("manual",)).applied(Document(text, "markdown"))
    assert done == "See [the manual](https://guide.example/guide) and the manual."


def test_what_is_left_is_found() -> None:
    (finding,) = check(CONTRACT, [PARTIES], original=CONTRACT)
    assert not finding.met
    assert [CONTRACT[span.start : span.end] for span in finding.spans] == [
        "The Licensor", "the Licensee", "The Licensee", "the Licensor",
    ]  # fmt: skip
    assert check(DONE, [PARTIES], original=CONTRACT).met


def test_nothing_else_may_change() -> None:
    other = DONE.replace("a licence", "a free licence")
    (finding,) = check(other, [PARTIES], original=CONTRACT)
    assert not finding.met
    assert "1 sentence changed otherwise" in finding.message
    assert [other[span.start : span.end] for span in finding.spans] == [other.split(". ")[0] + "."]


def test_the_new_words_must_stand() -> None:
    one = Replacement(("big",), ("large",))
    assert not check("A house.", [one], original="A big house.").met
    assert check("A house.", [one], original="A house.").met
    assert check("A large house.", [one]).met


def test_new_words_may_hold_the_old() -> None:
    one = Replacement(("School",), ("School of Art",))
    assert check("The School of Art opened.", [one], original="The School opened.").met
    assert not tuple(one.demands(None))


@given(texts)
def test_what_was_replaced_obeys(text: str) -> None:
    for rest in ("free", "kept"):
        one = Replacement(("cat", "art"), ("dog", "craft"), rest)  # type: ignore[arg-type]
        assert check(one.applied(Document(text)), [one], original=text).met


@pytest.mark.parametrize(("old", "new"), [((), ()), (("a",), ()), (("a", "a"), ("b", "c")), (("a",), (" ",))])
def test_what_cannot_be_meant_is_refused(old: tuple[str, ...], new: tuple[str, ...]) -> None:
    with pytest.raises(CallError, match="replacement_check"):
        Replacement(old, new)


@pytest.mark.parametrize("one", [PARTIES, Replacement(("big", "it's"), ("large", "it is"))])
def test_it_is_said_so_that_it_is_read_back(one: Replacement) -> None:
    for phrasing in one.phrasings():
        assert parse(phrasing).constraints == (one,)
    assert parse_call(one.call) == one
    bound = WordCount(100, "less than")
    free = replace(one, rest="free")
    for seed in range(5):
        assert set(parse(render([free, bound], seed)).constraints) == {free, bound}
