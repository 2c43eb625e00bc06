"""How hard an English text is to read."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from redraft.text.document import Document
from redraft.text.words import spellings

_PART: Final = re.compile(r"[^\W\d_]+")
_GROUP: Final = re.compile(r"[aeiouyàáâäãåæèéêëìíîïòóôöõøùúûü]+")

# Vowels that stand together and are spoken apart: one syllable more each.
_APART: Final = re.compile(
    r"(?<![cstg])ia(?!ge)|[cstg]ia(?![ln])"
    r"|io(?!n|us)|(?<=[bdhnprv])ious|iu|(?<![ct])ie(?:t|n(?!d))"
    r"|(?<![gqs])u[ao]|(?<![gq])ue[lt]\b"
    r"|eo(?!us|n|p)|(?<!g)eon|(?<=[nrt])eous|ea(?=l(?:it|iz|is)|te|ti(?:on|ve)|ct)"
    r"|oet|oic\b|oical|ois[mt]|aic\b"
    r"|[aeou]y[aeiou]|(?<=[^aeiou])ying\b|[eiou]ing\b"
    r"|i[sz]ms?\b|asms?\b|thms?\b"
)
# Written and not spoken: one syllable less each.
_UNSPOKEN: Final = re.compile(
    r"(?<=[aeiouy])[^aeiouyl]{1,2}e(?:ly|ments?|less|ness|ful(?:ly)?|work|time|some)\b"
    r"|(?<=[gq])ue(?:s|d)?\b"
    r"|(?<![aeiouy])(?:(?<![^aeiouylr]l)e|(?<![^aeiouylr]l)(?<![sxzcg])(?<![cs]h)es|(?<![^aeiouylr]l)(?<![td])ed)\b"
)
_EXCEPTIONS: Final = {
    1: """
        the real choir queue queues eye eyes eyed aisle isle hour hours our fire fired hire wire
        tire tired does goes shoes says said once one ones two eight were where there here have
        are aged guess guide build built juice friend friends field chief aren't weren't you're
        they're we're i'm i've you've we've they've it's he's she's that's don't won't can't
        let's what's who's i'll you'll he'll she'll we'll they'll i'd you'd he'd she'd we'd
        they'd ms st prayer prayers
    """,
    2: """
        really science sciences quiet diet poem poems poet people every business wednesday
        chocolate several evening evenings create creates creature creatures react naive beauty
        something sometimes someone somewhere therefore whereas cafe café cliché resume maybe
        colonel queueing island power flower tower heroes sacred naked wicked hundred hundreds
        rugged crooked blessed lion lions giant giants client clients trial trials value values
        valued language guilty building ruin fluid iron million billion onion union senior
        junior region ocean oceans pigeon surgeon ancient patient patients patience friendly
        believe achieve species rhythm rhythms prism isn't didn't doesn't wasn't couldn't
        wouldn't shouldn't hasn't haven't hadn't mr mrs dr vacuum leopard homework unique neon
        boa argue argues argued
    """,
    3: """
        area areas idea ideas scientist scientists quietly poetry everything everyone businesses
        interesting different camera family favorite favourite created creating creation
        creative theatre theater reaction museum museums coincide beautiful somebody recipe
        recipes simile forever whatever however potatoes tomatoes beloved period periods serious
        various previous obvious violence violent violet denial usual actual casual visual
        continue continues continued genuine languages suicide influence government opinion
        religion religious video videos radio studio ratio audio piano audience convenient
        efficient sufficient ideal ideals linear nuclear oasis employee employees everywhere
    """,
    4: """
        scientific reality cooperate coordinate apostrophe catastrophe seriously variety
        previously obviously society societies anxiety usually actually gradually situation
        situations influential environment vegetable comfortable temperature literature
        miniature experience experienced obedient ingredient efficiency algorithm algorithms
        california
    """,
    5: """
        cooperation experiences extraordinary
    """,
}
_KNOWN: Final = {word: count for count, listed in _EXCEPTIONS.items() for word in listed.split()}


@lru_cache(maxsize=65536)
def syllables(word: str) -> int:
    """About how many syllables an English word has when it is spoken; at least one."""
    lowered = word.lower().replace("’", "'")
    if lowered in _KNOWN:
        return _KNOWN[lowered]
    parts = _PART.findall(lowered.removesuffix("'s"))
    if not parts:
        # A number is read aloud: about three syllables for two digits.
        return max(1, sum(character.isdigit() for character in lowered) * 3 // 2)
    if "'" in lowered:
        parts = parts[:1] if len(parts) == 2 else parts  # "o'clock" is rare, "we'd" is not
    return sum(_spoken(part) for part in parts)


def _spoken(word: str) -> int:
    if word in _KNOWN:
        return _KNOWN[word]
    groups = len(_GROUP.findall(word))
    if groups <= 1:
        return max(1, len(_APART.findall(word)) + groups)
    return max(1, groups + len(_APART.findall(word)) - len(_UNSPOKEN.findall(word)))


def reading_grade(document: Document) -> float:
    """The Flesch-Kincaid grade: about the years of school that a reader of this text needs.

    0.39 · words per sentence + 11.8 · syllables per word - 15.59 (Kincaid et al., 1975), over the sentences
    that have words; 0.0 for a text without any.
    """
    sentences = sum(count > 0 for count in document.word_counts)
    if not sentences:
        return 0.0
    view = document.view
    spoken = sum(
        syllables(word)
        for sentence in document.sentences
        for word in spellings(view[sentence.start : sentence.end])
    )
    return 0.39 * document.words / sentences + 11.8 * spoken / document.words - 15.59
