"""How hard an English text is to read."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from redraft.text.document import Document
from redraft.text.words import words

_GROUP: Final = re.compile(r"[aeiouyàáâäãåæèéêëìíîïòóôöõøùúûü]+")
_PART: Final = re.compile(r"[^\W\d_]+")
# Vowels that stand together and are spoken apart.
_APART: Final = re.compile(
    r"i(?:a(?!l\b|n\b|lly\b|ge\b|ble\b)|o(?!us\b|n\b|ns\b|ned\b|nal)|u|e[tn](?!ce\b))"
    r"|(?<![gqaeo])u[ao](?!y)|eo(?!us\b|n\b)|(?<=[^aeiou])[iy]ing\b|ying\b|(?<=[^aeiouy])ea(?=t(?:e|i|o)|l(?:it|iz|is|ly\b))"
    r"|(?<=[aeo])i(?:ng|st|sm)|[ou]e[dr]?t\b|yo(?=[nr])|ii|uu|ao|eï|aï|oï|oö|eü"
    r"|(?<=[bcdfghjklmnprstvxz])(?:ial|ian)\b(?<!cial)(?<!tial)(?<!sial)(?<!cian)(?<!tian)(?<!sian)(?<!gian)"
)
_SILENT_ENDING: Final = re.compile(r"(?:[^laeiouy]|[aeiouy]l|ll|rl)es?\Z|(?<![td])ed\Z")
_SPOKEN_ES: Final = re.compile(r"(?:[sxzcg]|[cs]h)es\Z")
_MIDDLE_E: Final = re.compile(
    r"(?<=[aeiouy][bcdfgkmnprstvz])e(?=(?:ly|ment|ments|less|ness|ful|fully|lessly|where|thing|body|one|times?)\Z)"
)
_SPOKEN_SM: Final = re.compile(r"[^aeiouy]s?sm(?:s)?\Z|[^aeiouy]thm(?:s)?\Z|[iy]thm(?:s)?\Z|[aeiy]sms?\Z")
_KNOWN: Final = dict(
    entry.split(":")
    for entry in (
        "the:1 area:3 areas:3 idea:3 ideas:3 real:1 really:2 being:2 science:2 sciences:2 scientific:4 "
        "scientist:3 scientists:3 quiet:2 quietly:3 diet:2 poem:2 poems:2 poet:2 poetry:3 people:2 every:2 "
        "everything:3 everyone:3 business:2 businesses:3 wednesday:2 chocolate:2 interesting:3 different:3 "
        "several:2 evening:2 evenings:2 camera:3 family:3 favorite:3 favourite:3 create:2 creates:2 created:3 "
        "creating:3 creation:3 creative:3 creature:2 creatures:2 theatre:3 theater:3 reality:4 react:2 "
        "reaction:3 area's:3 museum:3 museums:3 coincide:3 cooperate:4 cooperation:5 coordinate:4 naive:2 "
        "beautiful:3 beauty:2 something:2 sometimes:2 someone:2 somewhere:2 somebody:3 therefore:2 whereas:2 "
        "recipe:3 recipes:3 apostrophe:4 catastrophe:4 simile:3 cafe:2 café:2 cliché:2 resume:2 maybe:2 "
        "forever:3 whatever:3 however:3 colonel:2 choir:1 queue:1 queues:1 queueing:2 eye:1 eyes:1 eyed:1 "
        "aisle:1 isle:1 island:2 hour:1 hours:1 our:1 fire:1 fired:1 hire:1 wire:1 tire:1 tired:1 power:2 "
        "flower:2 tower:2 going:2 doing:2 seeing:2 does:1 goes:1 shoes:1 heroes:2 potatoes:3 tomatoes:3 "
        "says:1 said:1 once:1 one:1 ones:1 two:1 eight:1 were:1 where:1 there:1 here:1 have:1 are:1 "
        "sacred:2 naked:2 wicked:2 hundred:2 hundreds:2 rugged:2 crooked:2 blessed:2 beloved:3 aged:1 "
        "period:3 periods:3 serious:3 seriously:4 various:3 variety:4 previous:3 previously:4 obvious:3 "
        "obviously:4 society:4 societies:4 anxiety:4 lion:2 lions:2 giant:2 giants:2 client:2 clients:2 "
        "science's:2 violence:3 violent:3 violet:3 trial:2 trials:2 dial:2 denial:3 social:2 special:2 "
        "special:2 usual:3 usually:4 actual:3 actually:4 casual:3 visual:3 gradually:4 situation:4 "
        "situations:4 continue:3 continues:3 continued:3 value:2 values:2 valued:2 genuine:3 language:2 "
        "languages:3 guest:1 guess:1 guide:1 guilty:2 build:1 building:2 built:1 fruit:1 suit:1 juice:1 "
        "ruin:2 fluid:2 suicide:3 influence:3 influential:4 iron:2 environment:4 government:3 vegetable:4 "
        "comfortable:4 temperature:4 literature:4 miniature:4 million:2 billion:2 opinion:3 onion:2 union:2 "
        "senior:2 junior:2 region:2 religion:3 religious:3 ocean:2 oceans:2 pigeon:2 surgeon:2 video:3 "
        "videos:3 radio:3 studio:3 ratio:3 audio:3 piano:3 audience:3 experience:4 experiences:5 "
        "experienced:4 obedient:4 ingredient:4 convenient:3 efficient:3 efficiency:4 sufficient:3 ancient:2 "
        "patient:2 patients:2 patience:2 friend:1 friends:1 friendly:2 field:1 chief:1 believe:2 achieve:2 "
        "species:2 movie:2 movies:2 cookie:2 pieces:2 series:2 table:2 tables:2 able:2 rhythm:2 rhythms:2 "
        "prism:2 capitalism:5 algorithm:4 algorithms:4 isn't:2 didn't:2 doesn't:2 wasn't:2 couldn't:2 "
        "wouldn't:2 shouldn't:2 hasn't:2 haven't:2 hadn't:2 aren't:1 weren't:1 you're:1 they're:1 we're:1 "
        "i'm:1 i've:1 you've:1 we've:1 they've:1 it's:1 he's:1 she's:1 that's:1 don't:1 won't:1 can't:1 "
        "let's:1 what's:1 who's:1 i'll:1 you'll:1 he'll:1 she'll:1 we'll:1 they'll:1 i'd:1 you'd:1 he'd:1 "
        "she'd:1 we'd:1 they'd:1 mr:2 mrs:2 dr:2 ms:1 st:1"
    ).split()
)


@lru_cache(maxsize=65536)
def syllables(word: str) -> int:
    """About how many syllables an English word has when it is spoken; at least one."""
    lowered = word.lower().replace("’", "'")
    if lowered in _KNOWN:
        return int(_KNOWN[lowered])
    parts = _PART.findall(lowered)
    if len(parts) > 1 and not (len(parts) == 2 and "'" in lowered):
        return sum(syllables(part) for part in parts)
    if not parts:
        return _spoken_digits(lowered)
    return _spoken(parts[0])


def _spoken(word: str) -> int:
    if word in _KNOWN:
        return int(_KNOWN[word])
    count = len(_GROUP.findall(word)) + len(_APART.findall(word)) - len(_MIDDLE_E.findall(word))
    if len(word) > 2 and _SILENT_ENDING.search(word) and not _SPOKEN_ES.search(word) and count > 1:
        count -= 1
    if _SPOKEN_SM.search(word):
        count += 1
    return max(1, count)


def _spoken_digits(word: str) -> int:
    """A number is read aloud: about one and a half syllables a digit is near enough."""
    digits = sum(character.isdigit() for character in word)
    return max(1, digits * 3 // 2)


def reading_grade(document: Document) -> float:
    """The Flesch-Kincaid grade: about the years of school that a reader of this text needs.

    0.39 · words per sentence + 11.8 · syllables per word - 15.59 (Kincaid et al., 1975), over the sentences
    that have words; 0.0 for a text without any.
    """
    sentences = sum(count > 0 for count in document.word_counts)
    if not sentences:
        return 0.0
    view = document.view
    spoken = 0
    for sentence in document.sentences:
        for span in words(view[sentence.start : sentence.end]):
            spoken += syllables(view[sentence.start + span.start : sentence.start + span.end])
    return 0.39 * document.words / sentences + 11.8 * spoken / document.words - 15.59
