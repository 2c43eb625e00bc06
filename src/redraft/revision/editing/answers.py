"""Whether an answer of the editor does what a control asks for, and nothing else; and what it is worth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice, pairwise
from typing import Final

from redraft.revision.draft import content_stems, ordered_stems
from redraft.revision.editing.controls import FORBIDS, ControlRequest, hardness
from redraft.revision.judging.losses import cut_loss
from redraft.revision.rewriting.cuts.compressions import tightened
from redraft.revision.rewriting.voice.voice import OBJECTS, SETS, forms_of
from redraft.revision.task import Task
from redraft.revision.tuning import CONCISE_WORD, GOAL, LOST_CONTENT_COST
from redraft.text import (
    NOUN,
    analyse_syntax,
    bases,
    find_marks,
    opening_word,
    passive_verbs,
    singular,
    tagged,
    word_sets,
)

_LEAST_TERM: Final = 4
"""Letters of a term: "us" is not "US"."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_NEW_WORDS: Final = 2
_GONE_WORDS: Final = 1
_GONE_SHARE: Final = 0.08
"""The share of its words of content that a sentence may lose where it is split, and more than one."""
LINKING: Final = frozenset(word[:_LEAST_TERM] for word in word_sets(__package__)["answers.splitting"])
"""Words that link the sentences that one was split into, by their first letters."""
_OTHERWISE: Final = {
    "while": re.compile(r"(?i)\b(?:however|but|yet|even so|by contrast)\b"),
    "since": re.compile(r"(?i)\b(?:because|therefore|so|reason|as a result|this is why)\b"),
    "because": re.compile(r"(?i)\b(?:therefore|so|reason|as a result|this is why)\b"),
    "if": re.compile(r"(?i)\b(?:if so|in (?:that|this|either|such a) case)\b"),
    "unless": re.compile(r"(?i)\bdoes not apply if\b"),
}
_JOINTS: Final = content_stems(" ".join(word_sets(__package__)["answers.joints"]))
"""Words that join clauses, by their stems: a split or a merge may do without them."""
_ACTORS: Final = frozenset(
    {"i", "we", "you", "he", "she", "they", "one", "someone", "somebody", "people", "anyone"}
)
_CIRCUMSTANCES: Final = frozenset(
    {"in", "on", "at", "to", "into", "during", "since", "until", "after", "before"}
)
"""Behind these stands where, when or to whom something is done, and not who does it."""
_SUBJECTS: Final = {other: one for one, other in OBJECTS.items()}
_SPEAKING: Final = frozenset(word[:_LEAST_TERM] for word in word_sets(__package__)["answers.speaking"])
"""Who or what may be said to speak where the writer does not."""
_TONES: Final = ("formal", "friendly", "polite", "plain")
_TONE_WORDS: Final = {
    (tone, way): frozenset(word[:_LEAST_TERM] for word in word_sets(__package__)[f"answers.{tone}_{way}"])
    for tone in _TONES
    for way in ("new", "gone")
}
"""Words that come, and words that go, where nothing but the tone changes; by their first letters."""
_LIMITS: Final = re.compile(
    r"\b(?:not|no|never|nobody|nothing|none|without|cannot|only|unless|until|except|half|late|once)\b|n['’]t\b"
)
_NOT: Final = re.compile(r"not|cannot|n['’]t")
_SORRY: Final = re.compile(r"(?i)\b(?:sorry|afraid|regret|apologi[sz]\w+)\b")
_MUST: Final = re.compile(
    r"(?i)\b(?:must|shall|ha(?:ve|s|d) to|need|required?|requires|obliged|compulsory)\b"
)
_MAY: Final = re.compile(r"(?i)\b(?:may|welcome to|free to|allowed to|permitted to|entitled)\b")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_CONTRASTS: Final = re.compile(r"\b(?:old|new|former|latter|previous)\b")
"""Words that tell one thing from another: the old system is not the system."""
_NUMBERED: Final = "|".join(sorted(word_sets(__package__)["answers.numbered"]))
_NAMED: Final = re.compile(rf"(?i)\b({_NUMBERED})s?\s(\d+)")
"""What is called by a number."""
_CAPITALISED: Final = re.compile(r"(?<=[\w,;] )[A-Z][a-z]+\b")
"""A word with a capital that does not begin a sentence."""
_AUXILIARIES: Final = {
    **dict.fromkeys(("is", "are", "am", "was", "were", "s", "m", "re"), "be"),
    **dict.fromkeys(("has", "have", "had", "ve"), "have"),
    **dict.fromkeys(("does", "do", "did"), "do"),
    **{"would": "will", "could": "can", "ca": "can", "might": "may", "wo": "will", "ll": "will", "d": "will"},
}
_ARTICLES: Final = word_sets(__package__)["answers.articles"]
_CONDITIONS: Final = frozenset({"until", "unless", "if", "before", "once", "because"})
_CONJUNCTIONS: Final = frozenset({"and", "or", "but", "so", "yet", "nor"})
_BINDING: Final = word_sets(__package__)["answers.binding"]
"""Words that say under what condition, or in which order."""
_OPENS_CLAUSE: Final = word_sets(__package__)["answers.clauses"]
_KNOWN_NUMBER: Final = re.compile(
    r"\b(?:the|these|those) (two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+)\b"
    r"(?! (?:of|%|percent))"
)
_BY_THEMSELVES: Final = word_sets(__package__)["answers.by_themselves"]
"""What a thing does as well as somebody does it to it."""
_ASKS_US: Final = re.compile(r"(?i)\b(?:ask|tell|want|get) us to\b")
"""What was for the reader to do is not for us: "you may ask us to address questions"."""
_THINGS: Final = frozenset({"NN", "NNS"})
_LEAST_ALIKE: Final = 5
_ALIKE: Final = 0.7
"""How much of two words is spelt alike that are taken for one another."""
_RULED: Final = re.compile(r"(?i)\b(?:shall|must|may|not|liable|if|unless|provided|only)\b")
_BARE_THERE: Final = re.compile(r"(?i)\bthan there[.!?]")
_THERE_WAS: Final = re.compile(r"(?i)\bthan there (?:is|are|was|were|has|have|had)\b")
_AS_SOON: Final = re.compile(r"(?i)\b(?:I|you|he|she|it|we|they) (?:may|must|shall|should)(?=[.!?]\W*\Z)")
_BARE_DENIAL: Final = re.compile(r"(?i)\b(?:but|and) not (?:in|on|at|for|by|to|of|with|from|during)\b")
_OF_WHICH: Final = re.compile(
    r"(?i)\b(?:of|for|in|on|at|from|with) (?:[\w'’-]+ ){0,3}[\w'’-]+, "
    r"(?:which|who) (?P<said>[\w'’-]+ [\w'’-]+)"
)
_WHERE: Final = re.compile(r"(?i), where\b")
_THERE: Final = re.compile(r"(?i)\b(?:where|there|here|in (?:this|that|these|those))\b")
_POINTING: Final = frozenset({"it", "this", "that", "they", "these", "those", "he", "she"})
_FOUND_AT: Final = re.compile(r"(?i)\bcan be (?:reached|contacted|called|found)\b")
"""What a split says of a number or an address that stood behind a name."""
_SMALL_START: Final = re.compile(r"[a-z][.!?] [a-z]")
_RESTRICTED: Final = re.compile(r"(?i)(?<!,) (?:which|that|who) ((?:[\w'’]+ ){2}[\w'’]+)")


def helps(task: Task, request: ControlRequest, before: str, after: str) -> bool:
    """Whether an answer does what was asked for, or goes some way: it is mended and judged later."""
    if changes_numbers(before, after) or _mistakes_word(before, after):
        return False
    if set(_CONTRASTS.findall(before.lower())) - set(_CONTRASTS.findall(after.lower())):
        return False
    if _closes_brackets(before) and not _closes_brackets(after):
        return False
    if request.control in ("merge", "simpler") and not _keeps_articles(before, after):
        return False
    old, new = task.read(before), task.read(after)
    if any(map(_is_fragment, (one.text for one in new.sentences))) and not any(
        map(_is_fragment, (one.text for one in old.sentences))
    ):
        return False
    values = dict(request.values)
    match request.control:
        case "shorten" | "concise":
            if _ends_early(before, after) or _denies_less(before, after):
                return False
            return new.words < old.words and not _only_drops_articles(before, after)
        case "split":
            more = len(new.sentences) - len(old.sentences)
            return more > 0 and not _repeats_words(before, after, more)
        case "merge":
            fewer = len(new.sentences) < len(old.sentences)
            return (
                fewer
                and _keeps_words(before, after)
                and _keeps_verbs(before, after)
                and _keeps_order(before, after)
            )
        case "impersonal":
            fewer = task.form_fault(after) < task.form_fault(before)
            # What somebody did is not what the reader is asked to do.
            ordered = _is_order(after) and not _is_order(before)
            gone, new_words = changed_words(before, after)
            return fewer and not ordered and len(gone) <= 1 >= len(new_words - _SPEAKING)
        case "without_word":
            word = str(values["word"])
            return len(new.uses(word)) < len(old.uses(word))
        case "with_word":
            word = str(values["word"])
            return len(new.occurrences(word)) > len(old.occurrences(word))
        case "paraphrasing":
            # It is asked for another first word, and for nothing else.
            first = opening_word(after)
            moved = first != opening_word(before) and first not in _CONJUNCTIONS
            moved = moved and _keeps_words(before, after, most=0)
            return moved and len(new.sentences) == len(old.sentences) and _keeps_sense(before, after)
        case "simpler":
            formulas = task.scores or ("flesch-kincaid",)
            easier = any(hardness(task, after, one) < hardness(task, before, one) for one in formulas)
            return easier and _says_as_much(before, after)
        case "active":
            fewer = len(find_marks(after, "passive")) < len(find_marks(before, "passive"))
            acts = _acts_itself(before, after) or _invents_actor(before, after)
            acts = acts or _mistakes_actor(before, after)
            return fewer and _keeps_words(before, after) and not acts
        case "past" | "present":
            return _same_words(before, after)
    return True


def is_doubtful(task: Task, request: ControlRequest, before: str, after: str) -> bool:
    """Whether a split or a cut that helps may say something else, so that a judge has to be sure of it."""
    match request.control:
        case "shorten" | "concise":
            if not _keeps_articles(before, after):
                return True
            # Where the rules say it as shortly, nothing speaks for another order, or for saying less.
            tight = tightened(before)
            if tight is None or task.read(tight.text).words > task.read(after).words + _NEW_WORDS:
                return False
            return cut_loss(tight.text, after) >= LOST_CONTENT_COST or not _keeps_order(before, after)
        case "split":
            freed = (_BINDING & set(_words(before))) - set(_words(after)) - _said_otherwise(after)
            return (
                bool(freed)
                or not (_keeps_articles(before, after) and _splits_words(before, after))
                or not _binds_same(before, after)
                or _asserts_restriction(before, after)
                or _loses_thread(before, after)
            )
    return False


def _says_as_much(before: str, after: str) -> bool:
    """Whether easier words say the same: one may stand for one other, and nobody is acted on who acted."""
    gone, new = changed_words(before, after)
    fewer_acts = len(find_marks(after, "passive")) > len(find_marks(before, "passive"))
    told = fewer_acts or _repeats_words(before, after) or _loses_thread(before, after)
    return len(new) <= len(gone) <= 1 and _limits(before) == _limits(after) and not told


def _loses_thread(before: str, after: str) -> bool:
    """Whether a sentence that was made of a clause may be of something else, or says what nothing said.

    "The edge of the field, which is dry" may be either; "where it is thin" is not true of everywhere.
    """
    found = _OF_WHICH.search(before)
    if found and not _OF_WHICH.search(after) and not _is_named_anew(found["said"], after):
        return True
    if _WHERE.search(before) and not _THERE.search(after):
        return True
    if _SMALL_START.search(after) and not _SMALL_START.search(before):
        return True
    old = _modals(before)
    new = _modals(after) - old - Counter(old.keys())  # "it will rise and fall" in two
    if "if" in _said_otherwise(after):
        new.pop("may", None)  # "You may be late. If so, call us." for "If you are late, call us"
    if _FOUND_AT.search(after):
        new.pop("can", None)
    return bool(new) or _says_twice(after) > _says_twice(before)


def _is_named_anew(said: str, after: str) -> bool:
    """Whether what a relative clause said is said of something by its name, and not of "it"."""
    found = re.search(rf"(?:\A|[.!?] )([^.!?]*?)\b{re.escape(said)}\b", after)
    return found is not None and found[1] != "" and found[1].split()[0].lower() not in _POINTING


def _modals(text: str) -> Counter[str]:
    return Counter(word.text.lower() for word in tagged(text) if word.tag == "MD")


def _says_twice(text: str) -> int:
    """The most often that one sentence says a word: "the start will start"."""
    stems = (Counter(ordered_stems(one)) for one in re.split(r"(?<=[.!?]) ", text))
    return max((count for found in stems for count in found.values()), default=0)


def _ends_early(before: str, after: str) -> bool:
    """Whether a sentence ends where the verb was to come: "fewer than there", "as soon as you may"."""
    if _BARE_THERE.search(after) and _THERE_WAS.search(before):
        return True
    found = _AS_SOON.search(after)
    return found is not None and found[0].lower() not in before.lower()


def _denies_less(before: str, after: str) -> bool:
    """Whether what is denied has lost its verb: "but not in any year" for "it did not fall in any year"."""
    return _BARE_DENIAL.search(after) is not None and _BARE_DENIAL.search(before) is None


def changes_numbers(before: str, after: str) -> bool:
    """Whether a number is said twice, or of something else, or some have become all there are."""
    return _repeats_number(before, after) or _renames_number(before, after) or _knows_number(before, after)


def _mistakes_word(before: str, after: str) -> bool:
    """Whether a noun has become one that only looks like it: "visits" are no "visions"."""
    old, new = (Counter(_things(text)) for text in (before, after))
    fewer, come = old - new, new.keys() - old.keys()
    return any(_looks_like(one, other) for one in fewer for other in come)


def _things(text: str) -> Iterator[str]:
    """The nouns of a text, in the singular; its first word may be one whatever the tagger says."""
    for place, word in enumerate(tagged(text)):
        if word.tag in _THINGS or not place:
            low = word.text.lower()
            yield singular(low) or low.removesuffix("s")


def _looks_like(one: str, other: str) -> bool:
    if min(len(one), len(other)) < _LEAST_ALIKE or one.startswith(other) or other.startswith(one):
        return False
    return one[:3] == other[:3] and SequenceMatcher(None, one, other).ratio() >= _ALIKE


def _knows_number(before: str, after: str) -> bool:
    """Whether some have become all there are: "two countries" is not "the two countries"."""
    old, new = (Counter(_KNOWN_NUMBER.findall(text.lower())) for text in (before, after))
    some = [number for number, count in (new - old).items() if count]
    return any(re.search(rf"\b{number}\b", before.lower()) for number in some)


def only_rewords(request: ControlRequest, before: str, after: str) -> bool:
    """Whether a tone adds nothing, nor leaves it out: its own words may come and go, and one other word."""
    if request.control not in _TONES:
        return True
    gone, new = changed_words(before, after)
    gone -= _TONE_WORDS[request.control, "gone"]
    new -= _TONE_WORDS[request.control, "new"]
    articles = [len(re.findall(r"(?i)\b(?:the|an?)\b", text)) for text in (before, after)]
    stops = [len(re.findall(r"[.!?](?=\s|\Z)", text)) for text in (before, after)]
    return (
        len(new) <= len(gone) <= 1
        and abs(articles[0] - articles[1]) <= 1
        and 0 <= stops[1] - stops[0] <= 1
        and not _invents_actor(before, after, request.control)
        and not _apologises(before, after)
        and not (_ASKS_US.search(after) and not _ASKS_US.search(before))
        and _limits(before) == _limits(after)
        and (_MAY.search(after) is None or _MAY.search(before) is not None)
        and not (_MUST.search(after) and not _MUST.search(before))
    )


def _apologises(before: str, after: str) -> bool:
    """Whether somebody is sorry who has refused nothing, and announced nothing bad."""
    return bool(_SORRY.search(after)) and not (_SORRY.search(before) or FORBIDS.search(before))


def _limits(text: str) -> Counter[str]:
    """The denials and the limits in a text: a tone leaves them alone."""
    return Counter("not" if _NOT.fullmatch(word) else word for word in _LIMITS.findall(text.lower()))


def _invents_actor(before: str, after: str, tone: str = "") -> bool:
    """Whether somebody acts of whom nothing was said: "it was put away" is not "we put it away".

    A tone may speak to the reader, and a polite one of who writes: "Could you …", "I am afraid".
    """
    old, new = (
        {_SUBJECTS.get(word, word) for word in _WORD.findall(text.lower())} for text in (before, after)
    )
    spoken = {"polite": {"i", "we", "you"}, "friendly": {"i", "we", "you"}, "plain": {"you"}}.get(tone, set())
    return bool((new - old) & _ACTORS - spoken)


_NO_OBJECT: Final = ("IN", ".", ",", "RB", "TO", "CC", "")


def _acts_itself(before: str, after: str) -> bool:
    """Whether what something is done to does it: "it will be repaired" is not "it will repair (it)"."""
    if opening_word(before) != opening_word(after):
        return False
    old, new = analyse_syntax(before), analyse_syntax(after)
    done = {base for verb in passive_verbs(old) for base in bases(old.low[verb.participle], "VBN")}
    still = {verb.participle for verb in passive_verbs(new)}
    # "The well, which is old, lights at night": a verb that is taken for a noun
    tags = ["VBZ" if tag == "NNS" and new.tag(at - 1) == "," else tag for at, tag in enumerate(new.tags)]
    verbs = [at for at, tag in enumerate(tags) if tag[:1] == "V" and at not in still]
    first = islice((at for at in verbs if at >= (new.main or 0)), 1)
    alone = [at for at in verbs if new.tag(at + 1) in _NO_OBJECT and tags[at] not in ("VBN", "VBG")]
    acting = [set(bases(new.low[at], tags[at])) for at in (*first, *alone)]
    return any(one & done and not one & _BY_THEMSELVES for one in acting)


def _mistakes_actor(before: str, after: str) -> bool:
    """Whether a time or a place acts: "it was sold last year" is not "last year sold it"."""
    old, new = analyse_syntax(before), analyse_syntax(after)
    head = (new.main or 0) - 1
    while head > 0 and new.tags[head] in ("RB", "MD"):
        head -= 1
    if head < 0 or new.tags[head] not in NOUN or new.low[head] not in old.low:
        return False
    place = old.low.index(new.low[head])
    start = old.phrase_start(place + 1)
    timed = new.low[head] in SETS["times"] and old.main is not None and place > old.main
    return timed or (start > 0 and old.low[start - 1] in _CIRCUMSTANCES and place > (old.main or 0))


def _only_drops_articles(before: str, after: str) -> bool:
    """Whether nothing is shorter but for articles: "leave the water" is not "leave water"."""
    old, new = (Counter(text.lower().split()) for text in (before, after))
    return not new - old and set(old - new) <= {"the", "a", "an"}


def _splits_words(before: str, after: str) -> bool:
    """Whether a split says what was said: hardly a word is gone, and hardly one new but for what links."""
    gone, new = changed_words(before, after)
    most = max(_GONE_WORDS, round(_GONE_SHARE * len(content_stems(before))))
    return len(gone) <= most and len(new - LINKING) <= _GONE_WORDS


def _said_otherwise(after: str) -> set[str]:
    """The conjunctions for which a split has other words: "even so" for "while", "if so" for "if"."""
    return {word for word, pattern in _OTHERWISE.items() if pattern.search(after)}


def _keeps_words(before: str, after: str, most: int = _NEW_WORDS) -> bool:
    """Whether the words of content are the same, but for `most` new ones: nothing else was asked for."""
    gone, new = changed_words(before, after)
    return not gone and len(new) <= most


def changed_words(before: str, after: str) -> tuple[set[str], set[str]]:
    """The words of content that are gone, and those that are new, by their first letters."""
    old, new = ({stem[:_LEAST_TERM] for stem in content_stems(text) - _JOINTS} for text in (before, after))
    return old - new, new - old


def _keeps_sense(before: str, after: str) -> bool:
    """Whether what is known is still known ("the" is not "a"), and what was so is still told as past."""
    old, new = ([(word.text.lower(), word.tag) for word in tagged(text)] for text in (before, after))
    known, unknown = (
        {noun for (word, _), (noun, _) in pairwise(words) if word in articles}
        for words, articles in ((old, ("the", "my", "our", "his", "her")), (new, ("a", "an")))
    )
    past, then = ("VBD" in {tag for _, tag in words} for words in (old, new))
    return not known & unknown and past == then


def _keeps_order(before: str, after: str) -> bool:
    """Whether things are spoken of in their order: else what is said of the one is said of another."""
    old, new = (list(dict.fromkeys(ordered_stems(text))) for text in (before, after))
    return [stem for stem in old if stem in new] == [stem for stem in new if stem in old]


def _asserts_restriction(before: str, after: str) -> bool:
    """Whether a rule about "repairs which he made" has become the statement that he made some."""
    if not _RULED.search(before):
        return False
    clauses = (found[1].lower() for found in _RESTRICTED.finditer(before))
    return any(re.search(rf"(?:\A|[.!?] ){re.escape(clause)}\b", after.lower()) for clause in clauses)


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _binds_same(before: str, after: str) -> bool:
    """Whether what held "until" or "if" something holds until that still, and is not stated for itself."""
    old, new = ({*zip(words, words[1:], words[2:], strict=False)} for words in map(_words, (before, after)))
    bound = _CONDITIONS - _said_otherwise(after)
    return all(one in new for one in old if one[0] in bound)


def _repeats_words(before: str, after: str, splits: int = 0) -> bool:
    """Whether more than the one thing that is taken up again, at each split, is said twice."""
    again = Counter(ordered_stems(after)) - Counter(ordered_stems(before))
    return sum(again[stem] for stem in content_stems(before)) > _NEW_WORDS + splits


def _keeps_articles(before: str, after: str) -> bool:
    """Whether no noun has lost its article: "under MIT licence", "leave water"."""
    words = _words(after)
    bare = {word for last, word in pairwise(["", *words]) if last not in _ARTICLES}
    dressed = {word for last, word in pairwise(["", *words]) if last in _ARTICLES}
    own = _words(before)
    had = {word for last, word in pairwise(own) if last in ("the", "a", "an")}
    had -= {word for last, word in pairwise(["", *own]) if last not in _ARTICLES}
    return not any(word in bare and word not in dressed for word in had)


def _is_fragment(text: str) -> bool:
    """Whether a sentence is only a clause that opens another: "When the oil has run out." """
    read = analyse_syntax(text)
    return read.word(0) in _OPENS_CLAUSE and read.main is None and not text.endswith("?")


def _keeps_verbs(before: str, after: str) -> bool:
    """Whether what will be is still so ("will end" is not "ending"), and no comma joins two sentences."""
    old, new = ([word for word in tagged(text) if word.tag == "MD"] for text in (before, after))
    if len(new) < len(old):
        return False
    return not _is_spliced(after)


def _is_spliced(text: str) -> bool:
    """Whether a comma alone joins two sentences: "he left, she stayed"."""
    read = analyse_syntax(text)
    if read.main is None:
        return False
    commas = (at for at in range(read.main, read.stop) if read.tags[at] == ",")
    return any(read.subject_and_verb(at + 1) or read.tag(at + 1) == "CD" for at in commas)


def _same_words(before: str, after: str) -> bool:
    """Whether the words are the same but for the forms of verbs: another tense, and nothing else."""
    return _lemmas(before) == _lemmas(after)


def _lemmas(text: str) -> list[str]:
    return [_lemma(word) for word in _WORD.findall(text.lower().replace("’", "'").replace("n't", " not"))]


def _lemma(word: str) -> str:
    if word in _AUXILIARIES:
        return _AUXILIARIES[word]
    forms = next(filter(None, (forms_of(word, tag) for tag in ("VBP", "VBZ", "VBD"))), None)
    return forms.base if forms else word


def _repeats_number(before: str, after: str) -> bool:
    """Whether a number is said more often than before: of 386 patients, 386 are not in each group."""
    return bool(Counter(_NUMBER.findall(after)) - Counter(_NUMBER.findall(before)))


def _renames_number(before: str, after: str) -> bool:
    """Whether a number has another name than before: "batch 6" is not "batches of 6"."""
    names = ({(name.lower(), number) for name, number in _NAMED.findall(text)} for text in (before, after))
    old, new = names
    kept = set(_NUMBER.findall(after))
    return any(number in kept for _, number in old - new)


def _closes_brackets(text: str) -> bool:
    return all(text.count(left) == text.count(right) for left, right in ("()", "[]", "“”"))


def with_capitals(source: str, text: str) -> str:
    """A text with the capitals of its source: what is written only with one there is a name or a term."""
    written = set(_WORD.findall(source))
    terms = {
        word.lower(): word
        for word in _CAPITALISED.findall(source)
        if word.lower() not in written and len(word) >= _LEAST_TERM
    }
    return _WORD.sub(lambda word: terms.get(word[0], word[0]), text)


def ended_like(source: str, text: str) -> str:
    """A text without a full stop where its source, such as a heading, has none."""
    return text[:-1] if text.endswith(".") and source[-1:].isalnum() else text


def wish_value(request: ControlRequest, before: str, after: str) -> float:
    """What an answer to a wish is worth before it is scored."""
    return shorter_value(before, after) if request.control in ("concise", "shorten") else GOAL


def shorter_value(before: str, after: str) -> float:
    """What a shorter text is worth to who wishes for one: each word that goes counts."""
    return GOAL + CONCISE_WORD * (len(before.split()) - len(after.split()))


def _is_order(text: str) -> bool:
    """Whether it tells somebody to do something."""
    syntax = analyse_syntax(text)
    return "please" in syntax.low or (syntax.main is not None and syntax.tags[syntax.main] == "VB")
