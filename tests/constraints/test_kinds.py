"""Each kind, met and not met, as a writer would notice it."""

from __future__ import annotations

import pytest

from redraft.constraints import SentenceModification, all_kinds, check, parse_call
from redraft.constraints.base import Measured
from redraft.errors import CallError, InputError

ORIGINAL = (
    'We met in Paris. Sales rose 12% to 1,000 units. "It works," said Ann Lee. We met in Paris (Kim, 2020).'
)

# call, revision, what is measured, how far off that is, the message, and the places that it is about
CASES: list[tuple[str, str, Measured, float, str, list[str]]] = [
    ('word_count_check(4, "less than")', "One two three.", 3, 0, "3 words; wanted fewer than 4 words", []),
    ('word_count_check(3, "less than")', "One two three.", 3, 1, "3 words; wanted fewer than 3 words: cut at least 1", []),
    ('word_count_check(5, "more than")', "One two three.", 3, 3, "3 words; wanted more than 5 words: add at least 3", []),
    ('word_count_check(5, "equal")', "One two three.", 3, 2, "3 words; wanted exactly 5 words: add 2", []),
    ('word_count_check(1, "equal")', "One.", 1, 0, "1 word; wanted exactly 1 word", []),
    ('word_count_check(1, "equal")', "One two three.", 3, 2, "3 words; wanted exactly 1 word: cut 2", []),
    ('sentence_count_check(2, "equal")', "One. Two. Three.", 3, 1, "3 sentences; wanted exactly 2 sentences: cut 1", []),
    ('sentence_count_check(3, "at most")', "One. Two. Three.", 3, 0, "3 sentences; wanted fewer than 4 sentences", []),
    ('sentence_length_check(3, "less than")', "One two. One two three. A b c d.", [2, 3, 4], 3, "sentence 2 has 3 words, sentence 3 has 4 words; wanted fewer than 3 words in every sentence", ["One two three.", "A b c d."]),
    ('sentence_length_check(1, "more than")', "One two. One two three.", [2, 3], 0, "sentences have 2 to 3 words; wanted more than 1 word in every sentence", []),
    ('sentence_length_check(2, "equal")', "One. Two. Three two. Four. Five.", [1, 1, 2, 1, 1], 4, "sentence 1 has 1 word, sentence 2 has 1 word, sentence 4 has 1 word and 1 more; wanted exactly 2 words in every sentence", ["One.", "Two.", "Four.", "Five."]),
    ('sentence_length_check(2, "equal")', "One. Two. Three two. Four.", [1, 1, 2, 1], 3, "sentence 1 has 1 word, sentence 2 has 1 word, sentence 4 has 1 word; wanted exactly 2 words in every sentence", ["One.", "Two.", "Four."]),
    ('character_count_check(10, "at most")', "  0123456789\r\n", 10, 0, "10 characters; wanted fewer than 11 characters", []),
    ('character_count_check(3, "at most")', "a\r\nb", 3, 0, "3 characters; wanted fewer than 4 characters", []),
    ('character_count_check(10, "less than")', "0123456789", 10, 1, "10 characters; wanted fewer than 10 characters: cut at least 1", []),
    ('paragraph_count_check(2, "equal")', "One.\n\nTwo.", 2, 0, "2 paragraphs; wanted exactly 2 paragraphs", []),
    ('paragraph_count_check(2, "equal")', "One.\n\nTwo.\n\nThree.", 3, 1, "3 paragraphs; wanted exactly 2 paragraphs: cut 1", []),
    ('keyword_keep_removal_check("paris", "keep")', "Paris! Paris!", 2, 0, '"paris" occurs 2 times; wanted at least 2 times', []),
    ('keyword_keep_removal_check("Paris", "keep")', "Paris!", 1, 1, '"Paris" occurs 1 time; wanted at least 2 times', []),
    ('keyword_keep_removal_check("Rome", "keep")', "Oslo.", 0, 1, '"Rome" occurs 0 times; wanted at least 1 time', []),
    ('keyword_keep_removal_check("synergy", "remove")', "Synergy is out: synergy!", 2, 2, '"synergy" occurs 2 times', ["Synergy", "synergy"]),
    ('keyword_keep_removal_check("synergy", "remove")', "Synergies stay.", 0, 0, '"synergy" does not occur', []),
    ('keyword_frequency_check("eat", 2, "less than")', "Eat, beat, eat.", 2, 1, '"eat" occurs 2 times; wanted fewer than 2 times: remove at least 1', ["Eat", "eat"]),
    ('keyword_frequency_check("eat", 2, "equal")', "Eat, beat, eat.", 2, 0, '"eat" occurs 2 times; wanted exactly 2 times', []),
    ('keyword_frequency_check("eat", 3, "equal")', "Eat, beat, eat.", 2, 1, '"eat" occurs 2 times; wanted exactly 3 times: add 1', ["Eat", "eat"]),
    ('reading_grade_check(3, "at most")', "The cat sat. The dog ran.", -2.6, 0, "reading grade -2.6; wanted at most 3", []),
    ('reading_grade_check(3, "at least")', "The cat sat. The dog ran.", -2.6, 5.6, "reading grade -2.6; wanted at least 3", []),
    ('reading_grade_check(3.5, "at most")', "Organisational interdependencies necessitate considerable deliberation.", 47.7, 44.2, "reading grade 47.7; wanted at most 3.5", []),
    ('pattern_check("\\\\d{4}-\\\\d{2}", "require")', "On 2026-11 it was.", 1, 0, "/\\d{4}-\\d{2}/ matches in 1 place", []),
    ('pattern_check("\\\\d{4}-\\\\d{2}", "require")', "In November it was.", 0, 1, "/\\d{4}-\\d{2}/ matches nowhere", []),
    ('pattern_check("TODO", "forbid")', "TODO: TODO", 2, 2, "/TODO/ matches in 2 places", ["TODO", "TODO"]),
    ('pattern_check("TODO", "forbid")', "Done.", 0, 0, "/TODO/ matches nowhere", []),
    ('starts_with_check("In short")', "In  short, yes.", "In  short, yes.", 0, 'starts with "In short"', []),
    ('starts_with_check("In short")', " Yes, in short, and with many more words than that.", "Yes, in short, and with many", 1, 'found “Yes, in short, and with many”; wanted a text that starts with "In short"', [""]),
    ('ends_with_check("thank you")', "Well. Thank you!", "Well. Thank you!", 0, 'ends with "thank you"', []),
    ('ends_with_check("thank you")', "With many more words than that: thank you. Bye. ", "ds than that: thank you. Bye.", 1, 'found “ds than that: thank you. Bye.”; wanted a text that ends with "thank you"', [""]),
    ('replacement_check("big", "large")', "A big, big cat.", 2, 2, "“big” still in 2 places", ["big", "big"]),
    ('replacement_check("big", "large")', "A large cat.", 0, 0, "“large” for “big”", []),
    ('part_length_check("paragraph 2", 2, "words", "at most")', "One. Two.\n\nThree is here.", 3, 1, "paragraph 2 (“Three is here. …”) has 3 words; wanted fewer than 3 words in paragraph 2: cut at least 1", ["Three is here."]),
    ('part_length_check("title", 2, "words", "equal")', "The Cat\n\nThree is here.", 2, 0, "the title (“The Cat …”) has 2 words; wanted exactly 2 words in the title", []),
    ('part_length_check("section Methods", 2, "sentences", "equal")', "Three is here.", 0, 2, "section Methods is named, but the text has no headings", []),
    ('paragraph_length_check(2, "sentences", "less than")', "One. Two.\n\nThree.", [2, 1], 1, "paragraph 1 has 2 sentences; wanted fewer than 2 sentences in every paragraph", ["One. Two."]),
    ('paragraph_length_check(2, "words", "at most")', "One. Two.\n\nThree.", [2, 1], 0, "wanted, and found: fewer than 3 words in every paragraph", []),
    ("unique_sentences_check()", "One. Two. one!", 1, 1, "sentence 3 repeats sentence 1", ["one!"]),
    ("unique_sentences_check()", "One. Two. one! Two. One… Two? ONE.", 5, 5, "sentence 3 repeats sentence 1; sentence 4 repeats sentence 2; sentence 5 repeats sentence 1; and 2 more", ["one!", "Two.", "One…", "Two?", "ONE."]),
    ('punctuation_check("semicolon", 0, "at most")', "One; two. See https://a.org/x;y now.", 1, 1, "1 semicolon; wanted no semicolons", [";"]),
    ('punctuation_check("semicolon", 0, "at most")', "Tom &amp; Ann came ;)", 0, 0, "no semicolons; wanted no semicolons", []),
    ('punctuation_check("semicolon", 0, "equal")', "“One; two,” she said.", 1, 1, "1 semicolon; wanted no semicolons (1 in a quotation or citation, which stays as it is)", [";"]),
    ('punctuation_check("em dash", 0, "at most")', "One—two – three -- four, 10 – 20, well-known, 1990–95.", 3, 3, "3 em dashes; wanted no em dashes", ["—", "–", "--"]),
    ('punctuation_check("exclamation mark", 1, "at most")', "Oh! No!", 2, 1, "2 exclamation marks; wanted fewer than 2 exclamation marks: remove at least 1", ["!", "!"]),
    ('punctuation_check("exclamation mark", 1, "at most")', "Oh! a != b.", 1, 0, "1 exclamation mark; wanted fewer than 2 exclamation marks", []),
    ('punctuation_check("question mark", 1, "at least")', "Why not.", 0, 1, "no question marks; wanted more than 0 question marks: add at least 1", []),
    ('punctuation_check("bracket", 0, "at most")', "Ann (and Bob) left [early]. a) Yes :)", 2, 2, "2 brackets; wanted no brackets", ["(and Bob)", "[early]"]),
    ('punctuation_check("ellipsis", 0, "at most")', "Well... so… it is. . . .", 3, 3, "3 ellipses; wanted no ellipses", ["...", "…", ". . . ."]),
    ('punctuation_check("emoji", 0, "at most")', "Hi 🎉 👍🏽 :) from © 2020, 10:30.", 3, 3, "3 emojis; wanted no emojis", ["🎉", "👍🏽", ":)"]),
    ('contractions_check("none")', "Ann's dog doesn't bark; it’s old.", 2, 2, "2 contractions: “doesn't”, “it’s”", ["doesn't", "it’s"]),
    ('contractions_check("none")', "It is Ann's.", 0, 0, "no contractions", []),
    ('contractions_check("use")', "I do not know what it is. “It is so,” he said.", 1, 1, "1 full form where a contraction could be: “do not”", ["do not"]),
    ('contractions_check("use")', "I don't know. That is, so far.", 0, 0, "no full forms where a contraction could be", []),
    ('relative_reading_check(2, "easier")', "The cat sat. The dog ran.", -2.6, 0, "reading grade -2.6; wanted at most 4.7", []),
    ('relative_reading_check(1, "harder")', "The cat sat. The dog ran.", -2.6, 10.3, "reading grade -2.6; wanted at least 7.7", []),
    ('relative_reading_check(5, "easier", "reading ease")', "Organisational interdependencies necessitate considerable deliberation.", -238.2, 299.7, "reading ease -238.2; wanted at least 61.5", []),
    ('relative_reading_check(2, "easier", "gunning fog")', "The cat sat. The dog ran.", 1.2, 0, "Gunning fog index 1.2; wanted at most 5.8", []),
    ('relative_length_check(50, "percent", "shorter")', "We met Ann Lee in Paris in 2020.", 8, 0, "8 words, the original 21; wanted at least 50 percent shorter: at most 10", []),
    ('relative_length_check(1, "sentences", "longer")', "One. Two.", 2, 3, "2 sentences, the original 4; wanted at least 1 sentence longer: at least 5, so add at least 3", []),
    ('relative_length_check(0, "percent", "shorter")', "One. Two.", 2, 0, "2 words, the original 21; wanted no longer than the original: at most 21", []),
    ('relative_length_check(20, "words", "shorter")', "One two.", 2, 1, "2 words, the original 21; wanted at least 20 words shorter: at most 1, so cut at least 1", []),
    ('sentence_edit_check("delete", [2])', "We met in Paris. Sales rose 12% to 1,000 units.", [2], 1, "sentence 2 still there", ["Sales rose 12% to 1,000 units."]),
    ('sentence_edit_check("delete", [2])', "Our sales rose 12% to 1,000 units.", [2], 1, "sentence 2 still there", ["Our sales rose 12% to 1,000 units."]),
    ('sentence_edit_check("delete", [2, -1])', 'We met in Paris. "It works," said Ann Lee.', [], 0, "sentence 2 and the last sentence gone", []),
    ('sentence_edit_check("delete", [7])', "Gone.", [], 1, "sentence 7 is named, but the text has 4 sentences", []),
    ('sentence_edit_check("combine", [1, 2])', "We met in Paris, and sales rose 12% to 1,000 units.", [], 0, "sentences 1 and 2 combined into one", []),
    ('sentence_edit_check("combine", [1, 2])', "We met in Paris. Sales: 12%.", [1], 1, "sentence 1 still by itself", ["We met in Paris."]),
    ('sentence_edit_check("combine", [1, 2])', "We met in Paris, at last.", [1, 2], 2, "no sentence says what sentences 1 and 2 said", []),
    ('sentence_edit_check("swap", [1, 2])', "Sales rose 12% to 1,000 units. We met in Paris.", [], 0, "sentences 1 and 2 in each other's place", []),
    ('sentence_edit_check("swap", [1, 2])', "We met in Paris. Sales rose 12% to 1,000 units.", [1, 2], 2, "sentences 1 and 2 not in each other's place", ["We met in Paris.", "Sales rose 12% to 1,000 units."]),
    ('sentence_edit_check("split", [2])', "We met in Paris. Sales rose 12%. They rose to 1,000 units.", [], 0, "sentence 2 split into several", []),
    ('sentence_edit_check("split", [2])', "We met in Paris. Sales rose 12% to 1,000 units.", [2], 1, "sentence 2 not split", []),
    ('sentence_edit_check("split", [2])', "We met in Paris. Sales rose to 1,000 units.", [2], 1, "sentence 2 not split", []),
    ('part_edit_check("move", "sentence", [2], "start")', "Sales rose 12% to 1,000 units. We met in Paris.", 0, 0, "sentence 2 moved to the start", []),
    ('part_edit_check("move", "sentence", [2], "start")', "We met in Paris. Sales rose 12% to 1,000 units.", 1, 1, "not done: wanted sentence 2 moved to the start", []),
    ('part_edit_check("move", "sentence", [2], "end")', "In Paris we met. Sales are up 12% to 1,000 units.", 0, 0, "sentence 2 moved to the end", []),
    ('part_edit_check("move", "sentence", [], "start", "sales")', "Sales rose 12% to 1,000 units. We met in Paris.", 0, 0, "the sentence about “sales” moved to the start", []),
    ('part_edit_check("move", "sentence", [], "start", "tea")', "We met.", 0, 1, "no sentence of the text has “tea”: name one by its number", []),
    ('part_edit_check("move", "sentence", [], "start", "Paris")', "We met.", 0, 1, "2 sentences of the text have “Paris”: name one by its number", []),
    ('part_edit_check("delete", "paragraph", [1])', "We met.", 0, 1, "nothing would be left: the text has 1 paragraph", []),
    ('part_edit_check("delete", "paragraph", [3])', "We met.", 0, 1, "paragraph 3 is named, but the text has 1 paragraph", []),
    ('part_edit_check("divide", "paragraph", [1])', "We met in Paris. Sales rose 12% to 1,000 units.\n\n\"It works,\" said Ann Lee. We met in Paris (Kim, 2020).", 0, 0, "paragraph 1 divided", []),
    ('part_edit_check("divide", "paragraph", [1])', "We met in Paris. Sales rose.", 1, 1, "not done: wanted paragraph 1 divided", []),
    ('part_edit_check("delete", "sentence", [1, 2], "others")', "We met in Paris. Sales rose 12% to 1,000 units.", 0, 0, "everything except sentence 1 and sentence 2 gone", []),
    ('part_edit_check("delete", "sentence", [], "after 2")', "We met in Paris. Sales rose 12% to 1,000 units. We left.", 0, 0, "everything after sentence 2 gone", []),
    ('part_edit_check("divide", "sentence", [3])', "We met in Paris. Sales rose 12% to 1,000 units. It works, said Ann Lee.", 1, 1, "not done: wanted a paragraph that begins with sentence 3", []),
    ('part_edit_check("divide", "paragraph", [])', "We met.", 0, 0, "no long paragraph", []),
    ('sentence_edit_check("swap", [1, 2])', "We met in Paris.", [2], 1, "sentence 2 nowhere", []),
    ('passive_voice_check(0, "at most")', "The car was quickly sold. He is tired. “It was lost,” she said.", 1, 1, "1 passive; wanted no passives (“was quickly sold”)", ["was quickly sold"]),
    ('passive_voice_check(1, "at most")', "It was sold, and she got fired.", 2, 1, "2 passives; wanted fewer than 2 passives: remove at least 1 (“was sold”, “got fired”)", ["was sold", "got fired"]),
    ('passive_voice_check(0, "at most")', "Das Haus wurde verkauft und der Garten ist nicht so alt.", 0, 1, "passive_voice_check reads English only, and this text is not in English", []),
    ('person_check("first", "none")', "We met in the US in World War I. “I did,” she said. My dog left.", 2, 2, "2 pronouns: “We”, “My”; wanted no first person (I, we, my, our)", ["We", "My"]),
    ('person_check("first singular", "none")', "We left.", 0, 0, "no first person singular (I, me, my)", []),
    ('person_check("second", "use")', "Wash your hands.", 1, 0, "the second person: 1 pronoun", []),
    ('person_check("first", "use")', "They left.", 0, 1, "no first person (I, we, my, our are nowhere)", []),
    ('tense_check("past")', "She opens the door. It was dark. Who is it?", 1, 1, "1 verb in the present tense: “opens”; wanted the past tense", ["opens"]),
    ('tense_check("present")', "She was late. She was born in 1990.", 1, 1, "1 verb in the past tense: “was”; wanted the present tense", ["was"]),
    ('wording_check("slang")', "We took pics.", 1, 1, "1 slang word: “pics”; wanted no slang", ["pics"]),
    ('wording_check("slang")', "We took photos.", 0, 0, "no slang that our lists know", []),
    ('tense_check("past")', "She left.", 0, 0, "the past tense throughout", []),
    ("commands_check()", "The label should be read. Go.", 1, 1, "1 instruction told and not commanded: “should be read”; wanted commands", ["should be read"]),
    ("commands_check()", "Read the label. You can go.", 0, 0, "commands throughout", []),
    ('list_check("numbered", "any")', "Go home.", 0, 1, "0 items; wanted a numbered list", []),
    ('list_check("bulleted", "enumerated")', "Take this:\n\n- a pot\n- a lid\n\nIt is late.", 2, 0, "2 items: a bulleted list of what is enumerated", []),
    ('list_check("bulleted", "enumerated")', "Take this: a pot, a lid and tea.", 0, 1, "0 items; wanted a bulleted list of what is enumerated", []),
    ('list_check("bulleted", "any")', "- Go home.\n- Rest.", 2, 0, "2 items: a bulleted list", []),
    ("unique_sentences_check()", "One. Two.", 0, 0, "no sentence twice", []),
    ('reading_grade_check(6, "at most", "gunning fog")', "The cat sat. The dog ran.", 1.2, 0, "Gunning fog index 1.2; wanted at most 6", []),
    ('reading_grade_check(8, "at least", "smog")', "The cat sat. The dog ran.", 3.1, 4.9, "SMOG grade 3.1; wanted at least 8", []),
    ('reading_ease_check(60, "at least")', "The cat sat. The dog ran.", 119.2, 0, "reading ease 119.2; wanted at least 60", []),
    ('reading_ease_check(60, "at least")', "Organisational interdependencies necessitate deliberation.", -241.4, 301.4, "reading ease -241.4; wanted at least 60", []),
    ('numbers_check("words", 10)', "We saw 3 of 12 cats on 5 May, and 4 left.", 2, 2, "“3” should be “three”; “4” should be “four”", ["3", "4"]),
    ('numbers_check("digits", 0)', "Two of us saw three cats.", 1, 1, "“three” should be “3”", ["three"]),
    ('numbers_check("words", 0)', "We saw three cats.", 0, 0, "numbers in words throughout", []),
    ('heading_case_check("title")', "A trip To paris\n\nIt rained in Paris.", 1, 1, "“A trip To paris” should be “A Trip to Paris”", ["A trip To paris"]),
    ('heading_case_check("sentence")', "A trip to Paris\n\nIt rained in Paris.", 0, 0, "headings in sentence case throughout", []),
    ("openings_check()", "He ran. He fell. She sat. “He,” said Ann.", 1, 1, "sentences 1 and 2 begin with “He”", ["He"]),
    ('sentence_start_check(["But", "There is"])', "But he ran. We saw but one. There  is a cat. There was none. “But no,” she said.", 2, 2, "sentence 1 begins with “But”; sentence 3 begins with “There  is”", ["But", "There  is"]),
    ('sentence_start_check(["I"])', "I’m late. It rained. i see.", 2, 2, "sentence 1 begins with “I”; sentence 3 begins with “i”", ["I", "i"]),
    ('sentence_start_check(["However"])', "He ran, however.", 0, 0, "no sentence that begins with \"However\"", []),
    ("openings_check()", "He ran. She fell. He sat.", 0, 0, "no two sentences in a row with the same first word", []),
    ('preserve_check("numbers")', "Sales: 1000 units, up 12%. (Kim, 2020)", 0, 0, "all 3 numbers kept", []),
    ('preserve_check("numbers")', "Sales rose to 1,000 units. (2020)", 1, 1, "lost “12”", []),
    ('preserve_check("numbers")', "Sales: one thousand units, up 12%. (Kim, 2020)", 0, 0, "all 3 numbers kept", []),
    ('preserve_check("quotations")', "Ann Lee said “It works,” and left.", 0, 0, "1 quotation kept", []),
    ('preserve_check("quotations")', 'Ann Lee said "it is fine".', 1, 1, "lost “It works”", []),
    ('preserve_check("entities")', "Ann Lee met us in Paris: 12%, 1,000 units (Kim, 2020).", 0, 0, "all 5 named entities kept", []),
    ('preserve_check("entities")', "She met us in Paris: 12%, 1,000 units (Kim, 2020).", 1, 1, "lost “Ann Lee”", []),
    ('preserve_check("citations")', "We met in Paris (Kim, 2020).", 0, 0, "1 citation kept", []),
    ('preserve_check("citations")', "We met in Paris.", 1, 1, "lost “(Kim, 2020)”", []),
    ('preserve_check("links")', "anything", 0, 0, "all 0 links kept", []),
    ('spelling_check("american")', "Her favourite colour is grey.", 3, 3, "“favourite” should be “favorite”; “colour” should be “color”; “grey” should be “gray”", ["favourite", "colour", "grey"]),
    ('spelling_check("british")', "Her favorite color is not gray: we organize it.", 4, 4, "“favorite” should be “favourite”; “color” should be “colour”; “gray” should be “grey”; and 1 more place", ["favorite", "color", "gray", "organize"]),
    ('spelling_check("oxford")', "We organise the analysis of colors.", 2, 2, "“organise” should be “organize”; “colors” should be “colours”", ["organise", "colors"]),
    ('spelling_check("british")', "They met at the Lincoln Center and said “color”.", 0, 0, "British spelling throughout", []),
    ('serial_comma_check("use")', "We sell apples, pears and plums.", 1, 1, "“pears and” should be “pears, and”", ["pears and"]),
    ('serial_comma_check("avoid")', "We sell apples, pears, and plums.", 1, 1, "“pears, and” should be “pears and”", ["pears, and"]),
    ('serial_comma_check("use")', "In my view, cats and dogs are fine.", 0, 0, "the serial comma throughout", []),
]  # fmt: skip


@pytest.mark.parametrize(("call", "revised", "measured", "distance", "message", "places"), CASES)
def test_finding(
    call: str, revised: str, measured: Measured, distance: float, message: str, places: list[str]
) -> None:
    (finding,) = check(revised, [call], original=ORIGINAL)
    assert (finding.met, finding.message) == (distance == 0, message)
    assert (finding.measured, finding.distance) == (measured, distance)
    assert [revised[span.start : span.end] for span in finding.spans] == places


def test_many_losses_are_counted() -> None:
    original = "We had 1, 2, 3, 4, 5 and 6."
    for revised, message in (
        ("We had 6.", "lost “1”, “2”, “3”, “4”, “5”"),
        ("We had none.", "lost “1”, “2”, “3”, “4”, “5” and 1 more"),
    ):
        (finding,) = check(revised, ['preserve_check("numbers")'], original=original)
        assert finding.message == message


def test_a_sentence_without_words_is_no_repeat() -> None:
    assert check("Yes. ! ! ?", ["unique_sentences_check()"], counting="constrev").met


def test_every_kind_is_covered() -> None:
    covered = {parse_call(case[0]).name for case in CASES}
    assert covered | {"sentence_modification_check", "parts_check"} == set(all_kinds())


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ('word_count_check(3, "at least")', "more than 2 words"),
        ('sentence_length_check(3, "less than")', "fewer than 3 words in every sentence"),
        ('keyword_keep_removal_check("Paris", "keep")', '"Paris" at least 2 times'),
        ('keyword_keep_removal_check("Paris", "remove")', '"Paris" nowhere'),
        ('keyword_frequency_check("Paris", 1, "equal")', "exactly 1 time"),
        ('reading_grade_check(8, "at least")', "at least 8"),
        ('pattern_check("x", "require")', "a match"),
        ('pattern_check("x", "forbid")', "no match"),
        ('starts_with_check("say \\"hi\\"")', 'starts with «say "hi"»'),
        ('ends_with_check("bye")', 'ends with "bye"'),
        ("unique_sentences_check()", "no sentence twice"),
        ('preserve_check("entities")', "all named entities kept"),
        ('spelling_check("oxford")', "Oxford spelling"),
        ('serial_comma_check("avoid")', "no serial comma"),
        ('sentence_modification_check([2, 1, 3], "unchange")', "sentences 1, 2 and 3 unchanged"),
        ('sentence_modification_check([2], "change")', "sentence 2 alone changed"),
    ],
)
def test_what_is_wanted_is_said(call: str, wanted: str) -> None:
    (finding,) = check("We met.", [call], original=ORIGINAL)
    assert finding.wanted == wanted


def test_what_is_missing_at_the_end_is_missed_at_the_end() -> None:
    start, end = check("Well. ", ['starts_with_check("so")', 'ends_with_check("so")'])
    assert [(span.start, span.end) for span in (*start.spans, *end.spans)] == [(0, 0), (6, 6)]


KEEP = 'sentence_modification_check([1, 3], "unchange")'
ONLY = 'sentence_modification_check([2], "change")'


@pytest.mark.parametrize(
    ("call", "revised", "measured", "message"),
    [
        (KEEP, "A one. X two. C three.", [], "sentences 1 and 3 unchanged"),
        (KEEP, "New. A\none. C three. End.", [], "sentences 1 and 3 unchanged"),
        (KEEP, "A one! B two. C three.", [1], "sentence 1 changed"),
        (KEEP, "a one. B two. C three.", [1], "sentence 1 changed"),
        (KEEP, "Well, A one. B two. C three.", [1], "sentence 1 changed"),
        (KEEP, "B two.", [1, 3], "sentences 1 and 3 changed"),
        (ONLY, "A one. X two. C three.", [], "only sentence 2 changed"),
        (ONLY, "A one. X two. Y two. C three.", [], "only sentence 2 changed"),
        (ONLY, "A one. C three.", [], "only sentence 2 changed"),
        (ONLY, "A one. B two. C three.", [2], "sentence 2 did not change"),
        (ONLY, "A one. X two. C four.", [3], "sentence 3 changed as well"),
        (ONLY, "B two. C three.", [2, 1], "sentence 2 did not change; sentence 1 changed as well"),
        (ONLY, "X two.", [1, 3], "sentences 1 and 3 changed as well"),
        (ONLY, "New. A one. X two. C three.", [1], "new text before sentence 1"),
        (ONLY, "A one. X two. C three. New.", [3], "new text at the end"),
    ],
)
def test_sentences_kept_and_changed(call: str, revised: str, measured: list[int], message: str) -> None:
    (finding,) = check(revised, [call], original="A one. B two. C three.")
    assert (finding.measured, finding.message) == (measured, message)
    assert (finding.met, finding.distance) == (not measured, len(measured))
    same = [revised[span.start : span.end] for span in finding.spans]
    assert same == (["B two."] if "did not change" in message else [])


def test_kept_sentences_stay_in_order() -> None:
    (finding,) = check("C three. A one.", [KEEP], original="A one. B two. C three.")
    assert not finding.met
    assert finding.distance == 1


def test_constrev_keeps_substrings_and_counts_keywords_exactly() -> None:
    original = "A one. B two. C three."
    kept = check("Well, A one, C three.", [KEEP], original=original, counting="constrev")
    assert kept.met
    changed = check("A one. B two!", [ONLY], original=original, counting="constrev")
    assert not changed.met
    more = check("one one", ['keyword_keep_removal_check("one", "keep")'], original=original,
                             counting="constrev")  # fmt: skip
    assert not more.met


@pytest.mark.parametrize("counting", ["default", "constrev"])
def test_a_sentence_that_is_not_there_is_not_met(counting: str) -> None:
    (finding,) = check(
        "A.", ['sentence_modification_check([9], "unchange")'], original="One. Two.", counting=counting
    )
    assert not finding.met
    assert finding.message == "sentence 9 is named, but the text has 2 sentences"


def test_the_original_is_asked_for_only_where_it_is_needed() -> None:
    assert check("A b.", ['word_count_check(2, "equal")']).met
    assert check("A b.", ['keyword_keep_removal_check("x", "remove")']).met
    with pytest.raises(InputError, match="compares with the original text"):
        check("A b.", ['keyword_keep_removal_check("x", "keep")'])


@pytest.mark.parametrize(
    "pattern",
    ["a{4294967294}", "a{999999999999999999999}", "(a{1000}){1000}", "((a{99}){99}){99}", "a{ 200000 }"],
)
def test_a_pattern_that_would_take_all_memory_is_refused(pattern: str) -> None:
    with pytest.raises(CallError, match="repeats too often"):
        check("a", [f'pattern_check("{pattern}", "forbid")'])


def test_a_pattern_may_repeat_as_often_as_anyone_needs() -> None:
    for pattern in (r"\\d{4}-\\d{2}-\\d{2}", "a{500}", "(?:[a-z]{2,300} ){3,}", ".{0,4294967294}x"):
        check("a", [f'pattern_check("{pattern}", "forbid")'])


def test_a_pattern_that_never_ends_is_stopped() -> None:
    with pytest.raises(InputError, match="simplify it"):
        check("a" * 60 + "!", ['pattern_check("(a|a)*$", "require")'])


def test_an_instruction_can_be_checked_as_it_is() -> None:
    findings = check("Short and sweet.", "Write at most three words.")
    assert findings.met
    assert findings.to_dict()["findings"][0]["call"] == 'word_count_check(4, "less than")'


@pytest.mark.parametrize(
    ("original", "named", "revised", "message"),
    [
        ("Yes. Yes.", [1], "New. Yes.", "only sentence 1 changed"),
        ("Yes. Yes. Yes.", [2], "Yes. New one. Yes.", "only sentence 2 changed"),
        ("Yes. Yes. Yes.", [1], "New one. Yes. Yes.", "only sentence 1 changed"),
        ("One. Two. Three.", [1, 2], "Three.", "only sentences 1 and 2 changed"),
        ("Yes. Yes.", [1], "Yes. Yes.", "sentence 1 did not change"),
        ("One. Two. Three. Four.", [2, 4], "One. Three. Two.", "sentence 2 did not change"),
        ("One. Two. Three.", [1], "New. Two. Added. Three.", "new text before sentence 3"),
        ("One. Two. Three.", [1], "New. Two. Three. Added.", "new text at the end"),
        ("One. Two. Three.", [1], "New. Three. Two.", "sentence 2 changed as well; new text at the end"),
        ("One. Two. Three. Four.", [4], "Zero. One. Five. Three.", "sentence 2 changed as well; new text before sentence 1"),
    ],
)  # fmt: skip
def test_only_change_with_repeats_moves_and_insertions(
    original: str, named: list[int], revised: str, message: str
) -> None:
    (finding,) = check(revised, [f'sentence_modification_check({named}, "change")'], original=original)
    assert finding.message == message
    assert finding.met is message.startswith("only")


def test_only_change_is_linear_in_repeated_sentences() -> None:
    text = "Yes it is. " * 20_000
    (finding,) = check(text, ['sentence_modification_check([1], "change")'], original=text)
    assert not finding.met


@pytest.mark.parametrize(
    ("text", "format", "place"),
    [
        ("See tax **cut** now.", "markdown", "tax **cut"),
        ("See **tax** cut now.", "markdown", "tax** cut"),
        ("See tax [cut](https://x.org) now.", "markdown", "tax [cut"),
        ("See t**ax** cut now.", "markdown", "t**ax** cut"),
        ("See \\emph{tax} cut now.", "latex", "tax} cut"),
    ],
)
def test_mark_up_hides_no_phrase(text: str, format: str, place: str) -> None:
    (finding,) = check(text, ['keyword_keep_removal_check("tax cut", "remove")'], format=format)  # type: ignore[arg-type]
    assert not finding.met
    (span,) = finding.spans
    assert text[span.start : span.end] == place


def test_a_keyword_is_a_whole_one() -> None:
    findings = check(
        "The U.S.A. uses C++11; write to a@bob now, 50% off.",
        ['keyword_keep_removal_check("U.S.", "remove")', 'keyword_keep_removal_check("C++", "remove")',
         'keyword_keep_removal_check("@bob", "remove")', 'keyword_frequency_check("%", 1, "equal")'],
    )  # fmt: skip
    assert findings.met


def test_a_text_starts_and_ends_with_whole_words() -> None:
    text = "A fresh start."
    assert check(text, ['starts_with_check("A fresh")', 'ends_with_check("start")']).met
    assert not check(text, ['starts_with_check("A fre")']).met
    assert not check(text, ['ends_with_check("art")']).met
    assert check("雨天很好", ['starts_with_check("雨")', 'ends_with_check("好")']).met  # no spaces there


def test_numbers_that_a_call_may_have() -> None:
    for grade in (-100, 100):
        assert parse_call(f'reading_grade_check({grade}, "at most")')
    with pytest.raises(CallError, match="counted from 1, and 0 is named"):
        parse_call('sentence_modification_check([3, 0], "change")')


@pytest.mark.parametrize(
    "call",
    [
        '"move", "paragraph", [1]',
        '"move", "paragraph", [0], "start"',
        '"move", "sentence", [1], "start", "tea"',
        '"swap", "paragraph", [1]',
        '"swap", "sentence", [1, 2]',
        '"delete", "paragraph", []',
        '"delete", "sentence", [1]',
        '"delete", "paragraph", [1], "start"',
        '"delete", "paragraph", [1], "after 2"',
        '"divide", "sentence", []',
        '"divide", "paragraph", [1], "end"',
    ],
)
def test_an_edit_of_parts_that_is_none_is_refused(call: str) -> None:
    with pytest.raises(CallError):
        parse_call(f"part_edit_check({call})")


def test_a_frequency_is_said_in_four_ways() -> None:
    said = parse_call('keyword_frequency_check("oil", 3, "less than")').phrasings()
    assert [one for one in said if "fewer than 3" in one] == [
        'The word "oil" should appear fewer than 3 times.',
        'Use the word "oil" fewer than 3 times.',
        'The word "oil" should be used fewer than 3 times.',
        'The word "oil" must occur fewer than 3 times.',
    ]


@pytest.mark.parametrize("counting", ["default", "constrev"])
def test_an_empty_text_is_one_empty_sentence_for_lengths(counting: str) -> None:
    assert check("", ['sentence_length_check(3, "less than")'], counting=counting).met
    assert not check("", ['sentence_length_check(3, "more than")'], counting=counting).met


def test_one_call_as_a_string_is_checked_and_not_passed() -> None:
    assert not check("a b c d", 'word_count_check(3, "less than")').met
    with pytest.raises(CallError):
        check("a b c d", 'wrod_count_check(3, "less than")')


def test_a_banned_word_in_a_table_is_found_and_its_place_is_told() -> None:
    text = "All is well.\n\n| option | meaning |\n|---|---|\n| -v | very verbose |\n"
    (finding,) = check(text, [parse_call('keyword_keep_removal_check("very", "remove")')], format="markdown")
    assert not finding.met
    assert finding.message == '"very" occurs 1 time (1 in a table, which stays as it is)'


def test_a_greeting_and_a_signature_are_no_sentences_of_an_instruction() -> None:
    letter = "Dear Ann,\n\nOne is here. Two is there.\n\nBest,\nBob\n"
    changed = letter.replace("Two is there", "Two was there")
    first, second, beyond = check(
        changed, [SentenceModification((n,), "unchange") for n in (1, 2, 3)], original=letter
    )
    assert first.met
    assert second.measured == [2]
    assert "the greeting and the signature not counted" in second.message
    assert "the text has 2 sentences" in beyond.message
    greeted = letter.replace("Ann", "Anne")
    (only,) = check(greeted, [SentenceModification((1,), "change")], original=letter)
    assert "the greeting changed as well" in only.message
    # The published convention has no greeting.
    findings = check(letter, [SentenceModification((1,), "unchange")], original=letter, counting="constrev")
    assert "not counted" not in findings.findings[0].message


def test_amounts_are_names_that_a_text_can_keep() -> None:
    text = "Sales were £48m, and the dividend 412p a share."
    (finding,) = check(text, ['preserve_check("entities")'], original=text)
    assert (finding.met, finding.message) == (True, "all 2 named entities kept")


def test_what_is_for_english_alone_says_so() -> None:
    for call, english in (
        ('spelling_check("british")', True),
        ('contractions_check("none")', True),
        ('reading_grade_check(8, "at most")', True),
        ('preserve_check("entities")', True),
        ('preserve_check("numbers")', False),
        ('word_count_check(8, "less than")', False),
    ):
        assert parse_call(call).english_only is english
