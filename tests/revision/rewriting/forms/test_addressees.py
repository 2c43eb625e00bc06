"""Rules for a group, spoken to the reader, so that they can be commands."""

from __future__ import annotations

import pytest

from redraft.constraints import parse
from redraft.revision.first.other_forms import Retold
from redraft.revision.rewriting.forms.addressees import spoken_to
from redraft.revision.task import Task


def commanded_text(text: str) -> str:
    return Retold(Task.of(text, parse("Write it as commands."))).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "Students should hand in the essay on Friday. They must not copy. They should sign their pages.",
            "Hand in the essay on Friday. Do not copy. Sign your pages.",
        ),
        ("Everyone is requested to wash their hands.", "Wash your hands."),
        ("We recommend that you read the contract.", "Read the contract."),
        ("It is not advisable to use the same disk twice.", "Do not use the same disk twice."),
        ("The red button needs to be pressed twice.", "Press the red button twice."),
        ("Drinks may not be brought in.", "Do not bring in drinks."),
        ("The dough has to rest for an hour.", "Let the dough rest for an hour."),
        ("Doors should be closed but not locked.", "Close doors but do not lock them."),
        ("The last person should turn off the light.", "If you are the last person, turn off the light."),
        ("50 g of butter is melted in a pan.", "Melt 50 g of butter in a pan."),
        ('You should select "Network".', 'Select "Network".'),
        ("Dictionaries must not be borrowed.", "Do not borrow dictionaries."),
        ("Leftovers should be kept cool and eaten soon.", "Keep leftovers cool and eat them soon."),
        ("Smoking in the hall is strictly forbidden.", "Do not smoke in the hall."),
        ("Fires are not allowed.", "Do not light fires."),
        ("You might want to label each disk.", "Label each disk."),
        ("The last one has to lock up.", "If you are the last one, lock up."),
        (
            "The wine is poured in, and everything has to simmer.",
            "Pour in the wine, and let everything simmer.",
        ),
        (
            "The password should be changed. It must contain a digit.",
            "Change the password. Make sure it contains a digit.",
        ),
        ("The seeds are sown in April.", "Sow the seeds in April."),
    ],
)
def test_what_a_group_should_do_is_a_command(before: str, after: str) -> None:
    assert commanded_text(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "No visitors should smoke.",
        "Only members should enter.",
        "Few members should vote.",
        "Not all visitors should come.",
        "Some visitors should wait.",
        "Most members should vote.",
        "Other guests should leave.",
        "This must stop now.",
        "James must pay the rent.",
        "The Rangers must win.",
        "Prices should fall soon.",
        "Taxes have to rise.",
        "The first chapter should name the aim.",
        "It is not necessary to bring food.",
        "It is unnecessary to bring food.",
        "You may have to wait.",
        "The film is long. It must contain a lesson.",
        "Parking spaces are not allowed to be sold.",
        "Parking is not allowed for visitors.",
        "Building is forbidden by law.",
        "The last one should lock into place.",
        "You may need to wait.",
        "Our children should master the basics.",
        "All teachers should know their subjects.",
        "It is long; for example, you might want to find a name.",
        "You need not come, but we recommend that you do.",
        "It is important to us.",
        "The parcel may not be delivered on time.",
        "The door doesn't need to be closed.",
        "The filter may need to be replaced.",
        "The roof will have to be repaired.",
        "If the filter needs to be replaced, call us.",
        "Nurses must not let patients lose their keys.",
    ],
)
def test_what_is_no_order_to_the_reader_stays(text: str) -> None:
    assert commanded_text(text) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("All visitors should come early.", "Come early."),
        ("Any visitor should report to the desk.", "Report to the desk."),
        ("The last person may not smoke.", "If you are the last person, do not smoke."),
        ("If you would like to join, you should call us.", "If you would like to join, call us."),
        (
            "If you are asked to show a ticket, you should show it.",
            "If you are asked to show a ticket, show it.",
        ),
        ("Guests should keep the dogs inside. They can bite.", "Keep the dogs inside. They can bite."),
        ("Drivers should leave early. They must not speed.", "Leave early. Do not speed."),
    ],
)
def test_the_rest_keeps_its_meaning(before: str, after: str) -> None:
    assert commanded_text(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "Campers should leave their cars at the gate. They have to register at the office.",
            "Leave your cars at the gate. Register at the office.",
        ),
        (
            "Students should borrow five books. They must return them within two weeks.",
            "Borrow five books. Return them within two weeks.",
        ),
        ("Employees must wear badges. They ought to keep them visible.", "Wear badges. Keep them visible."),
        (
            "Parents must bring their children by eight. If they are late, they have to phone the office.",
            "Bring your children by eight. If you are late, phone the office.",
        ),
        (
            "Guests should leave the keys here. If they lose them, they have to pay 20 euros.",
            "Leave the keys here. If you lose them, pay 20 euros.",
        ),
        (
            "Hikers must carry two litres of water. They must stay here.",
            "Carry two litres of water. Stay here.",
        ),
        (
            "Tenants must air the radiators. If they notice mould, they must report it.",
            "Air the radiators. If you notice mould, report it.",
        ),
        ("Swimmers must shower before they enter the pool.", "Shower before you enter the pool."),
        ("If they are late, visitors should ring the bell.", "If you are late, ring the bell."),
        (
            "Visitors may take photographs. They must not use flash.",
            "You may take photographs. Do not use flash.",
        ),
    ],
)
def test_they_who_were_told_are_the_reader(before: str, after: str) -> None:
    assert commanded_text(before) == after


@pytest.mark.parametrize(
    "second",
    [
        "They must carry a stamp.",
        "They should cover the knees.",
        "They should arrive before 1 June.",
        "If they are lost, they should be found.",
    ],
)
def test_they_who_may_be_things_are_not_the_reader(second: str) -> None:
    sentences = spoken_to(["Applicants should send two letters.", second])
    assert sentences == ["You should send two letters.", second]


@pytest.mark.parametrize(
    "second", ["They should wear helmets.", "They must not run.", "If they are late, they should wait."]
)
def test_they_who_may_be_children_are_not_the_reader(second: str) -> None:
    sentences = spoken_to(["Parents must bring their children.", second])
    assert sentences == ["You must bring your children.", second]


def test_advice_has_its_verb_once() -> None:
    assert spoken_to(["We advise you to wait."]) == ["You should wait."]


def test_things_are_not_spoken_to() -> None:
    sentences = ["The results should confirm it.", "They should be checked."]
    assert spoken_to(sentences) == sentences


@pytest.mark.parametrize(
    "instruction",
    [
        "imperatives",
        "Use command form instead of advice.",
        "Write this as commands to the applicant.",
        "please give me commands, not descriptions",
    ],
)
def test_commands_are_asked_for_in_many_words(instruction: str) -> None:
    assert [one.name for one in parse(instruction).constraints] == ["commands_check"]
