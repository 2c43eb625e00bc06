"""What is named first and then ruled on: "X must not …", "X isn't allowed", "nothing but X may change"."""

from __future__ import annotations

import pytest

from redraft.constraints import parse, parse_call

NAMES, QUOTES = 'preserve_check("entities")', 'preserve_check("quotations")'
NUMBERS, CITATIONS = 'preserve_check("numbers")', 'preserve_check("citations")'
LINKS = 'preserve_check("links")'
NO_CONTRACTIONS = 'contractions_check("none")'
NO_FIRST, NO_SECOND = 'person_check("first", "none")', 'person_check("second", "none")'
SECOND = 'person_check("second", "use")'
NO_PASSIVE = 'passive_voice_check(1, "less than")'
PAST, PRESENT = 'tense_check("past")', 'tense_check("present")'
OPENINGS = "openings_check()"
SERIAL, NO_SERIAL = 'serial_comma_check("use")', 'serial_comma_check("avoid")'
NO_EXCLAMATION = 'punctuation_check("exclamation mark", 1, "less than")'
NO_SEMICOLON = 'punctuation_check("semicolon", 1, "less than")'


def kept(*parts: str) -> str:
    return f'parts_check({list(parts)!r}, "unchange")'


def only(*parts: str) -> str:
    return f'parts_check({list(parts)!r}, "change")'


def sentence(number: int, relation: str) -> str:
    return f'sentence_modification_check([{number}], "{relation}")'


def swapped(*numbers: int) -> str:
    return f'sentence_edit_check("swap", {list(numbers)})'


READ = [
    # preserve
    ("All names must still be there.", [NAMES]),
    ("The names of the people and places have to stay in.", [NAMES]),
    ("every quote stays in pls", [QUOTES]),
    ("All the quotes have to stay in.", [QUOTES]),
    ("Each quotation must still be there at the end.", [QUOTES]),
    ("Each of the direct quotes needs to survive.", [QUOTES]),
    ("The numbers must all still be there.", [NUMBERS]),
    ("The figures have to stay in.", [NUMBERS]),
    ("Every number has to stay in, and every citation too.", [NUMBERS, CITATIONS]),
    ("Every number needs to be in the new version.", [NUMBERS]),
    ("All statistics need to still be in there.", [NUMBERS]),
    ("The links should all still be there.", [LINKS]),
    ("Names and numbers stay in.", [NAMES, NUMBERS]),
    ("names and figures stay, the rest is up to you", [NAMES, NUMBERS]),
    ("No quote may be dropped.", [QUOTES]),
    ("No direct quote may go missing.", [QUOTES]),
    ("None of the names may be dropped.", [NAMES]),
    ("Not a single number may get lost.", [NUMBERS]),
    ("The citations aren't allowed to disappear.", [CITATIONS]),
    ("Citations must not go missing.", [CITATIONS]),
    ("References have to stay where they are.", [CITATIONS]),
    ("don't lose any of the names", [NAMES]),
    ("Company names must not be changed.", [NAMES]),
    ("All person and company names have to be kept.", [NAMES]),
    ("Every statistic has to be in the final text.", [NUMBERS]),
    # kept parts
    ("The greeting stays.", [kept("greeting")]),
    ("the title stays as is", [kept("title")]),
    ("The headings stay the way they are.", [kept("headings")]),
    ("The last paragraph isn't to be touched.", [kept("last paragraph")]),
    ("The dialogue isn't allowed to change.", [kept("dialogue")]),
    ("The code blocks may not be changed.", [kept("code")]),
    ("The title can't change.", [kept("title")]),
    ("The title cannot be changed.", [kept("title")]),
    ("The equations mustn't be touched.", [kept("equations")]),
    ("The bullets should be left alone.", [kept("bullets")]),
    ("The second paragraph is off limits.", [kept("paragraph 2")]),
    ("Paragraph 2 is off-limits, the rest can be rewritten.", [kept("paragraph 2")]),
    ("hands off the headings", [kept("headings")]),
    ("Hands off the title, please.", [kept("title")]),
    ("My sign-off has to stay in.", [kept("signature")]),
    ("The greeting needs to stay exactly the way it is.", [kept("greeting")]),
    ("The Methods section stays untouched.", [kept("section Methods")]),
    ("The first paragraph must stay word for word.", [kept("paragraph 1")]),
    ("I like the title, so don't change it.", [kept("title")]),
    ("the headings are fine, leave them alone", [kept("headings")]),
    ("The title is fine as it is.", [kept("title")]),
    ("The bullets are not to be edited.", [kept("bullets")]),
    ("Everything may change except the title.", [kept("title")]),
    ("Anything but the headings may change.", [kept("headings")]),
    ("Change whatever you like except the title.", [kept("title")]),
    ("You can change everything but the last paragraph.", [kept("last paragraph")]),
    ("All headings are to stay as they are.", [kept("headings")]),
    ("No changes to the title please.", [kept("title")]),
    ("no edits to the code blocks", [kept("code")]),
    ("Make no changes to the first paragraph.", [kept("paragraph 1")]),
    # changed parts
    ("Nothing but the title should be changed.", [only("title")]),
    ("Nothing except the headings may be touched.", [only("headings")]),
    ("Nothing other than the last paragraph is to be edited.", [only("last paragraph")]),
    ("Nothing may change except the title.", [only("title")]),
    ("Nothing should be changed apart from the bullets.", [only("bullets")]),
    ("just edit the title, nothing else pls", [only("title")]),
    ("Change the bullets and nothing else.", [only("bullets")]),
    ("Rewrite the last paragraph, nothing else.", [only("last paragraph")]),
    ("Just rewrite the intro, don't touch anything else.", [only("section Introduction")]),
    ("Rewrite the second paragraph and leave everything else alone.", [only("paragraph 2")]),
    ("The title is the only thing that may change.", [only("title")]),
    ("The second paragraph is the only part you may change.", [only("paragraph 2")]),
    ("The only part that may change is the last paragraph.", [only("last paragraph")]),
    ("the only thing you can change is the title", [only("title")]),
    ("Only the greeting may change.", [only("greeting")]),
    ("only the headings are allowed to change", [only("headings")]),
    ("Don't change anything except the bullets.", [only("bullets")]),
    ("Don't touch anything but the title.", [only("title")]),
    ("Do not edit anything other than the second paragraph.", [only("paragraph 2")]),
    ("Leave everything but the title alone.", [only("title")]),
    ("Leave everything as it is except the last paragraph.", [only("last paragraph")]),
    ("Keep everything except the title unchanged.", [only("title")]),
    ("Everything except the greeting must stay as it is.", [only("greeting")]),
    ("Everything but the bullets stays the same.", [only("bullets")]),
    ("Limit your changes to the second paragraph.", [only("paragraph 2")]),
    ("Restrict your edits to the headings.", [only("headings")]),
    ("Change just the title.", [only("title")]),
    ("Change the second paragraph only.", [only("paragraph 2")]),
    ("nothing but sentence 3 may change", [sentence(3, "change")]),
    ("Just change sentence 2, nothing else.", [sentence(2, "change")]),
    ("Nothing except the second sentence may change.", [sentence(2, "change")]),
    ("Sentence 4 isn't allowed to change.", [sentence(4, "unchange")]),
    ("sentence 2 stays exactly as it is", [sentence(2, "unchange")]),
    # forbidden, subject first
    ("Contractions are not allowed.", [NO_CONTRACTIONS]),
    ("Contractions are a no-no.", [NO_CONTRACTIONS]),
    ("contractions arent allowed here", [NO_CONTRACTIONS]),
    ("Contractions are forbidden in this journal.", [NO_CONTRACTIONS]),
    ("Contractions have no place in a legal letter.", [NO_CONTRACTIONS]),
    ("Contractions don't belong in our reports.", [NO_CONTRACTIONS]),
    ("The journal doesn't allow contractions.", [NO_CONTRACTIONS]),
    ("Our house style bans contractions.", [NO_CONTRACTIONS]),
    ("We don't use contractions here.", [NO_CONTRACTIONS]),
    ("we dont do contractions", [NO_CONTRACTIONS]),
    ("Our style guide forbids the first person.", [NO_FIRST]),
    ("My professor doesn't allow first person.", [NO_FIRST]),
    ("my prof hates contractions so please none", [NO_CONTRACTIONS]),
    ("Contractions are not allowed, and neither is the passive voice.", [NO_CONTRACTIONS, NO_PASSIVE]),
    ("Contractions aren't allowed, nor is the first person.", [NO_CONTRACTIONS, NO_FIRST]),
    ("No contractions, and the same goes for exclamation marks.", [NO_CONTRACTIONS, NO_EXCLAMATION]),
    ("Semicolons are out, and so are exclamation marks.", [NO_SEMICOLON, NO_EXCLAMATION]),
    ("Semicolons must go, and exclamation marks too.", [NO_SEMICOLON, NO_EXCLAMATION]),
    ("Neither contractions nor exclamation marks are allowed.", [NO_CONTRACTIONS, NO_EXCLAMATION]),
    ("Neither first person nor contractions, please.", [NO_FIRST, NO_CONTRACTIONS]),
    ("Exclamation marks aren't welcome in this report.", [NO_EXCLAMATION]),
    ("exclamation marks arent ok", [NO_EXCLAMATION]),
    ("The passive voice isn't allowed.", [NO_PASSIVE]),
    ("The passive is not permitted in our magazine.", [NO_PASSIVE]),
    ("The second person must not be used.", [NO_SECOND]),
    ("First person mustn't appear anywhere.", [NO_FIRST]),
    ("First person can't be used in this paper.", [NO_FIRST]),
    # openings
    ("Consecutive sentences shouldn't begin with the same word.", [OPENINGS]),
    ("Sentences in a row shouldn't start with the same word.", [OPENINGS]),
    ("Two sentences in a row must not start with the same word.", [OPENINGS]),
    ("two consecutive sentences may not begin the same way", [OPENINGS]),
    ("Neighbouring sentences can't start with the same word.", [OPENINGS]),
    ("no repeated sentence starts", [OPENINGS]),
    ("No repetitive sentence openers please.", [OPENINGS]),
    ("No sentence may start with the same word as the one before.", [OPENINGS]),
    ("No sentence should begin with the same word as the previous sentence.", [OPENINGS]),
    ("don't start two sentences in a row the same way", [OPENINGS]),
    ("Never begin successive sentences with the same word.", [OPENINGS]),
    ("Don't open back-to-back sentences with the same word.", [OPENINGS]),
    ("A sentence must not start with the same word as the sentence before it.", [OPENINGS]),
    ("Start each sentence with a different word than the one before.", [OPENINGS]),
    ("Sentence openings should vary.", [OPENINGS]),
    ("Sentence openings must not repeat.", [OPENINGS]),
    ("The sentence openings must not be repeated.", [OPENINGS]),
    ("I keep starting sentences with the same word, please vary the sentence openings.", [OPENINGS]),
    ("No repeated sentences.", ["unique_sentences_check()"]),
    ("No repeated sentences, no repeated sentence openings.", ["unique_sentences_check()",OPENINGS]),
    # tense
    ("The synopsis must be in present tense.", [PRESENT]),
    ("The whole story has to be in the past tense.", [PAST]),
    ("Change it from present to past tense.", [PAST]),
    ("switch from past tense to present", [PRESENT]),
    ("move the narrative from the past into the present tense", [PRESENT]),
    ("Convert the past tense to present tense.", [PRESENT]),
    ("Turn past tense into present tense.", [PRESENT]),
    ("Change all the verbs from present to past.", [PAST]),
    ("The narration needs to be in the past tense.", [PAST]),
    ("present tense all the way through pls", [PRESENT]),
    ("can u put this in past tense", [PAST]),
    ("The plot should be told in the present tense.", [PRESENT]),
    ("Past tense throughout, no present.", [PAST]),
    ("Everything in the past tense, please.", [PAST]),
    ("My blurb should be in present tense.", [PRESENT]),
    ("The recap has to stay in the past tense.", [PAST]),
    ("Narrate in present tense.", [PRESENT]),
    # second person
    ("second person from start to finish", [SECOND]),
    ("Second person throughout.", [SECOND]),
    ("Address the reader in the second person.", [SECOND]),
    ("Speak to the reader in second person.", [SECOND]),
    ("Talk directly to the reader.", [SECOND]),
    ("Address the reader as \"you\".", [SECOND]),
    ("The reader should be addressed directly.", [SECOND]),
    ("The guide should be in the second person.", [SECOND]),
    ("The instructions have to be written in second person.", [SECOND]),
    ("Address readers directly throughout.", [SECOND]),
    ("The reader must not be addressed directly.", [NO_SECOND]),
    ("Don't address the reader in the second person.", [NO_SECOND]),
    ("can you put it in second person pls", [SECOND]),
    ("It should speak directly to the reader.", [SECOND]),
    ("First person all the way through.", ['person_check("first", "use")']),
    # passive
    ("There are too many passive sentences. Make them all active.", [NO_PASSIVE]),
    ("There are passive constructions in it; turn them all into active ones.", [NO_PASSIVE]),
    ("too many passives, please make them active", [NO_PASSIVE]),
    ("Turn every passive sentence into an active one.", [NO_PASSIVE]),
    ("Make all passive sentences active.", [NO_PASSIVE]),
    ("make every passive sentence active pls", [NO_PASSIVE]),
    ("Make all the sentences active.", [NO_PASSIVE]),
    ("All sentences should be active.", [NO_PASSIVE]),
    ("Every sentence must be in the active voice.", [NO_PASSIVE]),
    ("Nothing in the passive voice please.", [NO_PASSIVE]),
    ("nothing passive", [NO_PASSIVE]),
    ("Nothing should be in the passive.", [NO_PASSIVE]),
    ("No sentence should be in the passive voice.", [NO_PASSIVE]),
    ("No sentence may be passive.", [NO_PASSIVE]),
    ("None of the sentences may be in the passive.", [NO_PASSIVE]),
    ("Not one passive sentence, please.", [NO_PASSIVE]),
    ("I don't want to see a single passive.", [NO_PASSIVE]),
    ("Don't write anything in the passive.", [NO_PASSIVE]),
    ("Active voice all the way through.", [NO_PASSIVE]),
    ("The whole thing has to be in active voice.", [NO_PASSIVE]),
    ("everything in active voice pls", [NO_PASSIVE]),
    # swap
    ("swap sentences 2 and 3 pls", [swapped(2, 3)]),
    ("can u swap sentence 1 and 2 plz", [swapped(1, 2)]),
    ("could you swap the 2nd and 3rd sentences for me?", [swapped(2, 3)]),
    ("hey, swap the first two sentences pls", [swapped(1, 2)]),
    ("Sentences 1 and 2 need to be swapped.", [swapped(1, 2)]),
    ("Please switch the third and the fourth sentence, thanks.", [swapped(3, 4)]),
    ("delete the last sentence pls", ['sentence_edit_check("delete", [-1])']),
    ("pls merge sentence 3 and 4 thx", ['sentence_edit_check("combine", [3, 4])']),
    ("Sentence 3 has to go.", ['sentence_edit_check("delete", [3])']),
    ("hi, can you delete the second sentence thanks", ['sentence_edit_check("delete", [2])']),
    # serial comma
    ("There must be a comma before \"and\" in lists.", [SERIAL]),
    ("Put a comma before the \"and\" in lists.", [SERIAL]),
    ("put a comma before the last \"and\" in a list", [SERIAL]),
    ("Always put a comma before the final \"and\" in lists of three or more items.", [SERIAL]),
    ("No comma before the \"and\" in lists.", [NO_SERIAL]),
    ("There should be no comma before the \"and\" in a list.", [NO_SERIAL]),
    ("There shouldn't be a comma before \"and\" in lists.", [NO_SERIAL]),
    ("Don't put a comma before 'and' in a list of three.", [NO_SERIAL]),
    ("I want a comma before the and in lists of three or more things.", [SERIAL]),
    ("Lists of three or more need a comma before the \"and\".", [SERIAL]),
    ("In lists, put a comma before \"and\".", [SERIAL]),
    ("In a list of three or more, there should be no comma before the \"and\".", [NO_SERIAL]),
    ("The Oxford comma must be used.", [SERIAL]),
    ("The Oxford comma is not used in our journal.", [NO_SERIAL]),
    ("oxford comma pls", [SERIAL]),
]  # fmt: skip
NOT_READ = [
    "The names should sound more English.",
    "The quotes are too long.",
    "All the names were still there in my draft.",
    "The quotes don't have to stay in.",
    "Every quote has to be introduced properly.",
    "The greeting stays too formal for my taste.",
    "The title doesn't have to stay as it is.",
    "The greeting may change.",
    "Nothing about the title is final.",
    "Just change the tone, nothing else.",
    "I changed just the bullets, nothing else.",
    "You may change the title.",
    "The title isn't set in stone.",
    "The signature need not stay.",
    "Contractions are allowed in our journal.",
    "Contractions aren't a problem.",
    "Contractions aren't forbidden in our journal.",
    "The journal allows contractions.",
    "The journal doesn't forbid contractions.",
    "First person is fine in our reports, and so are contractions.",
    "First person is fine, and neither are contractions a problem.",
    "Contractions aren't allowed in the title.",
    "Contractions were not allowed in my last job.",
    "I don't mind contractions.",
    "Back-to-back sentences may open with the same word.",
    "Consecutive sentences can start with the same word.",
    "The plot summary is in the present tense.",
    "The plot summary need not be in the present tense.",
    "The second person to reply gets a prize.",
    "It was the second person all the way down.",
    "Make the characters more active.",
    "make them all more active and lively",
    "Active customers should be thanked.",
    "Nothing in the passive smoking section is true.",
    "Nothing wrong with the passive.",
    "There's nothing wrong with a passive sentence here and there.",
    'Put a comma before "but".',
    'Should there be a comma before "and" in lists?',
    'Don\'t worry about the comma before the "and" in lists.',
    "My editor swapped the first and second sentence.",
    "Don't swap the first and second sentence pls",
    "I don't change tense: from past to present is fine.",
    "Don't change it from past to present tense.",
    "He moved from the past to the present tense.",
]


@pytest.mark.parametrize(("instruction", "calls"), READ)
def test_what_is_meant_is_read(instruction: str, calls: list[str]) -> None:
    read = {constraint.call for constraint in parse(instruction).constraints}
    assert read == {parse_call(call).call for call in calls}


@pytest.mark.parametrize("instruction", NOT_READ)
def test_what_is_not_meant_is_not_read(instruction: str) -> None:
    assert parse(instruction).constraints == ()


def test_what_is_asked_of_the_part_stays_a_wish() -> None:
    read = parse("Make the second paragraph friendlier and leave everything else alone.")
    assert [constraint.call for constraint in read.constraints] == [parse_call(only("paragraph 2")).call]
    assert read.style == "Make the second paragraph friendlier"


def test_an_order_that_no_constraint_took_is_style() -> None:
    assert parse("Turn it into a poem, no contractions.").style == "Turn it into a poem"
    assert parse("Split the long sentences, no passive.").style == "Split the long sentences"
    assert parse("Split it into three paragraphs.").style == ""
