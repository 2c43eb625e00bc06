"""What the trained editor is asked for a bound or a wish: of which sentences, and by which control.

Only sentences that break a bound, or can help the text to keep one, are asked about.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from redraft.constraints import Interval
from redraft.editor import Value, control_instruction
from redraft.revision.candidates import alike_openings
from redraft.revision.draft import WRITER, Draft, content_stems, ordered_stems, places_within
from redraft.revision.losses import cut_loss
from redraft.revision.rewriting.compressions import tightened
from redraft.revision.rewriting.forms import without_form
from redraft.revision.rewriting.splits import splits
from redraft.revision.rewriting.voice import OBJECTS, forms_of
from redraft.revision.task import Task
from redraft.revision.tuning import (
    CONCISE_SHARES,
    CONCISE_WORD,
    CUT_SHARES,
    GOAL,
    LEAST_SPLIT,
    LOST_CONTENT_COST,
    SHORTENED_FROM,
    SPARE_WORDS,
)
from redraft.text import (
    FORMS,
    FORMULAS,
    analyse_syntax,
    find_marks,
    free_marks,
    opening_word,
    tagged,
    word_sets,
)

_FEWEST_WORDS: Final = 4
_MOST_WORDS: Final = 120
"""Words that the editor was trained on at the most."""
_WORDY_FROM: Final = 8
"""Words from which on a sentence may be wordy."""
_LEAST_TERM: Final = 4
"""Letters of a term: "us" is not "US"."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_NEW_WORDS: Final = 2
_JOINTS: Final = content_stems(" ".join(word_sets(__package__)["controls.joints"]))
"""Words that join clauses, by their stems: a split or a merge may do without them."""
_ACTORS: Final = frozenset(
    {"i", "we", "you", "he", "she", "they", "one", "someone", "somebody", "people", "anyone"}
)
_SUBJECTS: Final = {other: one for one, other in OBJECTS.items()}
_CONTROLS: Final = {
    "passive": "active",
    "first person": "impersonal",
    "first person singular": "impersonal",
    "present tense": "past",
    "past tense": "present",
}
"""By which control a sentence is rid of a form of words."""
_SPEAKING: Final = frozenset(word[:_LEAST_TERM] for word in word_sets(__package__)["controls.speaking"])
"""Who or what may be said to speak where the writer does not."""
_TONES: Final = ("formal", "friendly", "polite", "plain")
_TONE_WORDS: Final = {
    (tone, way): frozenset(word[:_LEAST_TERM] for word in word_sets(__package__)[f"controls.{tone}_{way}"])
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
_NUMBERED: Final = "|".join(sorted(word_sets(__package__)["controls.numbered"]))
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
_ARTICLES: Final = word_sets(__package__)["controls.articles"]
_BINDING: Final = word_sets(__package__)["controls.binding"]
"""Words that say under what condition, or in which order."""
_OPENS_CLAUSE: Final = word_sets(__package__)["controls.clauses"]
_RULED: Final = re.compile(r"(?i)\b(?:shall|must|may|not|liable|if|unless|provided|only)\b")
_RESTRICTED: Final = re.compile(r"(?i)(?<!,) (?:which|that|who) ((?:[\w'’]+ ){2}[\w'’]+)")
_FORBIDS: Final = re.compile(
    r"(?i)\b(?:not|no|never|cannot|must|shall|unless|until|only|refuse\w*|reject\w*|demand\w*"
    r"|need|have to|want|expect|should|ask|send|tell|give)\b|n['’]t\b"
)
"""What a request, a refusal or a demand has in it."""
_PROMISES: Final = re.compile(
    r"(?i)(?:(?:I|we|it|they|he|she)(?:['’]ll| will| shall| can| have| are| am| is)|your|there)\b"
    r"(?!.*(?:\bnot\b|n['’]t\b|cannot))"
)
"""What is promised or told is not to be asked of the reader."""


@dataclass(frozen=True, slots=True)
class ControlRequest:
    """A control of the editor, and its values, for the units from `start` up to `stop`.

    What is `wished` is asked for by the instruction itself, and not for a bound.
    """

    start: int
    stop: int
    control: str
    values: tuple[tuple[str, Value], ...] = ()
    wished: bool = False

    @property
    def splits(self) -> bool:
        """Whether a sentence is to be split for a bound."""
        return self.control == "split" and not self.wished

    @property
    def instruction(self) -> str:
        """The words by which the editor is asked."""
        return control_instruction(self.control, **dict(self.values))


def control_requests(task: Task, draft: Draft, *, wishes: bool = True) -> list[ControlRequest]:
    """All that is asked of the editor for a draft, the bounds first."""
    wished = wish_requests(task, draft) if wishes else ()
    return list(dict.fromkeys((*bound_requests(task, draft), *wished)))


def bound_requests(task: Task, draft: Draft) -> Iterator[ControlRequest]:
    """What the sentences are asked for that break a bound, or by which the text may keep one."""
    if not task.is_english:
        return
    sizes = _sizes(task, draft)
    yield from _for_lengths(task, draft, sizes)
    yield from _for_words(task, draft, sizes)
    yield from _for_keywords(task, draft, sizes)
    yield from _for_grade(task, draft, sizes)
    yield from _for_sentences(task, draft, sizes)
    yield from _for_parts(task, draft, sizes)
    yield from _for_forms(task, draft, sizes)
    yield from _for_openings(task, draft, sizes)


def wish_requests(task: Task, draft: Draft) -> Iterator[ControlRequest]:
    """What the instruction wishes of the style, asked of the writer's own sentences that it is about."""
    if not task.is_english:
        return
    sizes = _sizes(task, draft)
    own = {
        place: size
        for place, size in sizes.items()
        if draft.units[place].by == WRITER and not task.is_reworded(draft.units[place].text)
    }
    for control in task.wishes:
        if control == "active" and "passive" in task.marks:
            continue  # it is a bound
        fits = _FITTING.get(control, _any)
        for place, size in own.items():
            if fits(draft.units[place].text):
                yield ControlRequest(place, place + 1, control, wished=True)
                if control == "concise":
                    yield from _shortened(place, size, CONCISE_SHARES, wished=True)


def helps(task: Task, request: ControlRequest, before: str, after: str) -> bool:
    """Whether an answer does what was asked for, or goes some way: it is mended and judged later."""
    if _repeats_number(before, after) or _renames_number(before, after):
        return False
    if set(_CONTRASTS.findall(before.lower())) - set(_CONTRASTS.findall(after.lower())):
        return False
    if _closes_brackets(before) and not _closes_brackets(after):
        return False
    if request.control in ("shorten", "concise", "split", "merge", "simpler") and not _keeps_articles(
        before, after
    ):
        return False
    old, new = task.read(before), task.read(after)
    if any(map(_is_fragment, (one.text for one in new.sentences))) and not any(
        map(_is_fragment, (one.text for one in old.sentences))
    ):
        return False
    values = dict(request.values)
    match request.control:
        case "shorten" | "concise":
            if new.words >= old.words or _only_drops_articles(before, after):
                return False
            # Where the rules say it as shortly, nothing speaks for another order, or for saying less.
            tight = tightened(before)
            if tight is None or task.read(tight.text).words > new.words + _NEW_WORDS:
                return True
            return cut_loss(tight.text, after) < LOST_CONTENT_COST and _keeps_order(before, after)
        case "split":
            more = len(new.sentences) > len(old.sentences)
            told = _repeats_words(before, after) or _asserts_restriction(before, after)
            told |= bool(_BINDING & set(_words(before)) - set(_words(after)))
            return more and _keeps_words(before, after, most=0) and not told
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
            gone, new_words = _changed_words(before, after)
            return fewer and not ordered and len(gone) <= 1 >= len(new_words - _SPEAKING)
        case "without_word":
            word = str(values["word"])
            return len(new.uses(word)) < len(old.uses(word))
        case "with_word":
            word = str(values["word"])
            return len(new.occurrences(word)) > len(old.occurrences(word))
        case "paraphrasing":
            return opening_word(after) != opening_word(before)
        case "simpler":
            formulas = task.scores or ("flesch-kincaid",)
            return any(_hardness(task, after, one) < _hardness(task, before, one) for one in formulas)
        case "active":
            fewer = len(find_marks(after, "passive")) < len(find_marks(before, "passive"))
            return fewer and _keeps_words(before, after) and not _invents_actor(before, after)
        case "past" | "present":
            return _same_words(before, after)
    return True


def only_rewords(request: ControlRequest, before: str, after: str) -> bool:
    """Whether a tone adds nothing, nor leaves it out: its own words may come and go, and one other word."""
    if request.control not in _TONES:
        return True
    gone, new = _changed_words(before, after)
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
        and _limits(before) == _limits(after)
        and (_MAY.search(after) is None or _MAY.search(before) is not None)
        and not (_MUST.search(after) and not _MUST.search(before))
    )


def _apologises(before: str, after: str) -> bool:
    """Whether somebody is sorry who has refused nothing, and announced nothing bad."""
    return bool(_SORRY.search(after)) and not (_SORRY.search(before) or _FORBIDS.search(before))


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


def _only_drops_articles(before: str, after: str) -> bool:
    """Whether nothing is shorter but for articles: "leave the water" is not "leave water"."""
    old, new = (Counter(text.lower().split()) for text in (before, after))
    return not new - old and set(old - new) <= {"the", "a", "an"}


def _keeps_words(before: str, after: str, most: int = _NEW_WORDS) -> bool:
    """Whether the words of content are the same, but for `most` new ones: nothing else was asked for."""
    gone, new = _changed_words(before, after)
    return not gone and len(new) <= most


def _changed_words(before: str, after: str) -> tuple[set[str], set[str]]:
    """The words of content that are gone, and those that are new, by their first letters."""
    old, new = ({stem[:_LEAST_TERM] for stem in content_stems(text) - _JOINTS} for text in (before, after))
    return old - new, new - old


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


def _repeats_words(before: str, after: str) -> bool:
    """Whether more than the one thing that is taken up again is said twice."""
    again = Counter(ordered_stems(after)) - Counter(ordered_stems(before))
    return sum(again[stem] for stem in content_stems(before)) > _NEW_WORDS


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


def _sizes(task: Task, draft: Draft) -> dict[int, int]:
    """The words of the units that the editor can be asked about, by their places."""
    words = {place: task.read(unit.text).words for place, unit in enumerate(draft.units) if unit.free}
    return {place: count for place, count in words.items() if _FEWEST_WORDS <= count <= _MOST_WORDS}


def _one(place: int, control: str, **values: Value) -> ControlRequest:
    return ControlRequest(place, place + 1, control, tuple(values.items()))


def _for_lengths(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """Splits and cuts of the sentences that are too long; the short ones are joined with a neighbour."""
    low, high = task.lengths.low, task.lengths.high
    for place in sizes:
        counts = task.read(draft.units[place].text).sentence_words
        if max(counts, default=0) > high:
            most = max(int(high), 1)
            ours = (task.read(one.text).sentence_words for one in splits(draft.units[place].text, most)[:1])
            if any(max(words, default=0) <= high for words in ours):
                continue  # our rules keep every word, and the editor does not
            yield _one(place, "split", n=most)
            if max(counts) <= SHORTENED_FROM * high:
                yield _one(place, "shorten", n=most)
        if min(counts, default=low) < low:
            yield from (_joined(at) for at in _neighbours(draft, sizes) if at in (place - 1, place))


def _for_words(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """Cuts of several lengths of the longest sentences: as many as it takes, and some to choose from."""
    words, characters = task.read(draft.text).words, len(draft.text.strip())
    too_many = words - task.bounds("words").high
    too_long = (characters - task.bounds("characters").high) * words / max(characters, 1)
    yield from _cuts(max(too_many, too_long), sizes)


def _cuts(excess: float, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    if excess <= 0:
        return
    spare = 0.0
    for place, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        if spare >= SPARE_WORDS * excess:
            break
        spare += (1 - min(CUT_SHARES)) * size
        yield from _shortened(place, size, CUT_SHARES)


def _shortened(
    place: int, size: int, shares: Sequence[float], *, wished: bool = False
) -> Iterator[ControlRequest]:
    for share in shares:
        values = (("n", max(round(share * size), _FEWEST_WORDS)),)
        yield ControlRequest(place, place + 1, "shorten", values, wished)


def _for_keywords(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """Other words for what may not occur, or not so often; a sentence or two for what must."""
    whole = task.read(draft.text)
    used = {
        keyword: [place for place in sizes if task.read(draft.units[place].text).uses(keyword)]
        for keyword in (*task.banned, *task.frequencies)
    }
    for keyword, allowed in {**task.frequencies, **dict.fromkeys(task.banned, Interval(0, 0))}.items():
        count = len(whole.uses(keyword) if keyword in task.banned else whole.occurrences(keyword))
        if count > allowed.high:
            yield from (_one(place, "without_word", word=keyword) for place in used[keyword])
        elif count < allowed.low:
            others = [place for place in sizes if place not in used[keyword]]
            longest = sorted(others, key=lambda place: (-sizes[place], place))
            asked = longest[: int(allowed.low) - count + 2]
            yield from (_one(place, "with_word", word=keyword) for place in asked)


def _for_grade(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """Simpler sentences for those above the grade; the long ones also split."""
    for formula, allowed in task.scores.items():
        if not _is_too_hard(task, draft.text, formula):
            continue
        grade = _SCHOOL_GRADES.get(formula, _same)(_hardest(formula, allowed))
        for place, size in sizes.items():
            if _is_too_hard(task, draft.units[place].text, formula):
                yield _one(place, "simpler", n=max(int(grade), 1))
                if size > LEAST_SPLIT:
                    yield _one(place, "split", n=max(round(size / 2) + 2, LEAST_SPLIT))


def _hardest(formula: str, allowed: Interval) -> float:
    """The score of the hardest text that is allowed."""
    return allowed.low if FORMULAS[formula].is_ease else allowed.high


def _is_too_hard(task: Task, text: str, formula: str) -> bool:
    sign = -1 if FORMULAS[formula].is_ease else 1
    return _hardness(task, text, formula) > sign * _hardest(formula, task.scores[formula])


def _hardness(task: Task, text: str, formula: str) -> float:
    """The score of a text by a formula; the negative of one for ease."""
    words, *rest = task.reading_amounts(text, formula)
    score = FORMULAS[formula].score([max(words, 1), *rest])
    return -score if FORMULAS[formula].is_ease else score


def _same(grade: float) -> float:
    return grade


_SCHOOL_GRADES: Final[Mapping[str, Callable[[float], float]]] = {
    "reading ease": lambda ease: (130 - ease) / 8,
    "dale-chall": lambda score: 2 * score - 6,
}
"""About which school grade a score stands for, where it is none itself."""


def _for_openings(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """Other words for the sentences that begin like a neighbour; our rules join them better."""
    alike = alike_openings(task, draft)
    yield from (_one(place, "paraphrasing") for place in sizes if place in alike)


def _for_sentences(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """The shortest neighbours as one where there are too many, the longest in two where too few."""
    yield from _to_count(draft, sizes, len(task.read(draft.text).sentences), task.bounds("sentences"))


def _to_count(
    draft: Draft, sizes: Mapping[int, int], count: int, allowed: Interval
) -> Iterator[ControlRequest]:
    if count > allowed.high:
        pairs = sorted(_neighbours(draft, sizes), key=lambda at: (sizes[at] + sizes[at + 1], at))
        yield from (_joined(at) for at in pairs[: 2 * int(count - allowed.high) + 1])
    elif count < allowed.low:
        longest = sorted(sizes, key=lambda place: (-sizes[place], place))
        for place in longest[: int(allowed.low) - count + 2]:
            yield _one(place, "split", n=max(math.ceil(0.6 * sizes[place]), _FEWEST_WORDS))


def _for_parts(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """The same for the sentences of a part that has a bound of its own."""
    document = task.read(draft.text).document
    for part in task.part_lengths:
        places = places_within(draft, part, task.format)
        own = {place: size for place, size in sizes.items() if place in places}
        measured = part.measure(document)
        if part.unit == "sentences":
            yield from _to_count(draft, own, measured, part.allowed)
        else:
            words = sum(task.read(draft.units[place].text).words for place in places)
            share = words / max(measured, 1) if part.unit == "characters" else 1.0
            yield from _cuts((measured - part.allowed.high) * share, own)


def _for_forms(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """The active voice, another tense, or a sentence without a pronoun, where these are asked for."""
    for mark, allowed in task.marks.items():
        if mark not in FORMS or task.count_marks(draft.text, mark) <= allowed.high:
            continue
        if mark == "first person singular" and "first person" in task.marks:
            continue  # the one is part of the other
        for place in sizes:
            text = draft.units[place].text
            found = free_marks(text, mark)
            if found and not _has_rule(task, text, mark):
                if mark in _CONTROLS:
                    yield _one(place, _CONTROLS[mark])
                else:
                    words = dict.fromkeys(text[one.start : one.end] for one in found)
                    yield from (_one(place, "without_word", word=word) for word in words)


def _has_rule(task: Task, text: str, mark: str) -> bool:
    """Whether a rule is rid of a form of words by itself: then there is nothing to ask."""
    return any(not free_marks(one.text, mark) for one in without_form(text, mark, task.banned_marks))


def _neighbours(draft: Draft, sizes: Mapping[int, int]) -> list[int]:
    """The places of units that could be joined with the next one."""
    pairs = [(at, other) for at, other in pairwise(sizes) if other == at + 1]
    return [at for at, other in pairs if "\n" not in draft.units[other].gap]


def _joined(place: int) -> ControlRequest:
    return ControlRequest(place, place + 2, "merge")


def _is_passive(text: str) -> bool:
    return bool(find_marks(text, "passive"))


def _is_request(text: str) -> bool:
    """Whether it asks for something, or refuses it."""
    if _PROMISES.match(text):
        return False
    first = next(iter(tagged(text)), None)
    return bool(_FORBIDS.search(text)) or (first is not None and first.tag in ("VB", "VBP"))


def _is_order(text: str) -> bool:
    """Whether it tells somebody to do something."""
    syntax = analyse_syntax(text)
    return "please" in syntax.low or (syntax.main is not None and syntax.tags[syntax.main] == "VB")


def _is_wordy(text: str) -> bool:
    return len(text.split()) >= _WORDY_FROM


def _is_no_thanks(text: str) -> bool:
    """Whether it does not thank already: whoever is thanked needs no warmer word."""
    return not text.lower().startswith("thank")


def _any(text: str) -> bool:
    return True


_FITTING: Final[Mapping[str, Callable[[str], bool]]] = {
    "active": _is_passive,
    "concise": _is_wordy,
    "friendly": _is_no_thanks,
    "polite": _is_request,
}
"""What a sentence must be for a control to be about it."""
