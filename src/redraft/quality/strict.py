"""What a few patterns know of broken sentences: the commonest ways in which a cut or a split breaks one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Final

from redraft.quality.base import Judge
from redraft.text import BY_FORM, FINITE, Tagged, tagged

_USUAL: Final = 2.5
"""The log-odds that a sentence with nothing against it is good English."""
_FAULT: Final = 3.5
"""What a fault of the patterns below takes off."""
_NO_VERB: Final = "no verb"
_SURE: Final = 0.8
_LEAST_WORDS: Final = 4
"""Words from which on a sentence needs a verb."""
_HANGING: Final = re.compile(
    r"(?i)\A(?:this|it|that|these|they) (?:is|are|was|were) (?:\w+ )?(?:which|whom|whose|who|than|whereas)\b"
    r"|\A(?:this|these) (?:is|are|was|were) (?:also )?"
    r"(?:by|from|into|through|during|until|upon|without|per|via) "
    r"|\A(?:this|these) (?:is|are|was|were) also to (?!be\b)"
    r"|(?<!likely), not[.!?]+\Z|\b(?:may|must|shall|can|could|will|would|should) (?:\w+ )?only[.!?]+\Z"
    r"|\b(?:a|an|the|of|and|or|but|nor|with|from|into|because|although|than|which|whose|very)[.!?]+\Z"
    r"|(?<!\bever), (?:provided|providing|unless|whereas|except|including)(?: that)?[.!?]+\Z"
)
_JOINED: Final = re.compile(
    r"(?i)(?<=\w )(?:and|or|but) (?:(?:to|in|of|for|from|with|by|at|on|under|during) )?"
    r"(?:which|whom|who|whose)\b"
)
"""What goes on with a relative clause, which has to have begun before."""
_RELATIVE: Final = re.compile(r"(?i)\b(?:who|whom|whose|which|that|what|whether|when|where|how|why)\b")
_REASONING: Final = frozenset({"because", "whereas", "unless"})
_NAMING: Final = frozenset({"DT", "PRP$", "PRP", "NN", "NNS", "NNP", "NNPS", "CD"})
_AFTER_MODAL: Final = frozenset({"VB", "VBP", "VBN"})
_THIRD: Final = frozenset({"it", "he", "she"})


class StrictJudge:
    """A judge, and what the patterns know besides: a sentence is as sound as the stricter of the two says."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    async def soundness(self, sentences: Sequence[str]) -> tuple[float, ...]:
        """Less where a sentence is built wrongly, whatever the judge says."""
        found = await self._judge.soundness(sentences)
        return tuple(
            min(one, _probability(_USUAL - _FAULT * len(faults)))
            if (faults := _believed(sentence, one))
            else one
            for sentence, one in zip(sentences, found, strict=True)
        )

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """As the judge says."""
        return await self._judge.sameness(pairs)

    async def improvement(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """As the judge says."""
        return await self._judge.improvement(pairs)


def _believed(sentence: str, soundness: float) -> list[str]:
    """The faults of a sentence; of a judge who is sure of it, no tagger that sees no verb is believed."""
    return [fault for fault in faults_of(sentence) if fault != _NO_VERB or soundness < _SURE]


def _lacks_verb(words: Sequence[Tagged]) -> bool:
    """Whether a modal has no verb, or none after the comma that parts them ("shall not, without …")."""
    tags = [word.tag for word in words]
    if "MD" not in tags:
        return False
    if not _AFTER_MODAL & set(tags):
        return True
    after = len(tags) - tags[::-1].index("MD")
    rest = [word for word in words[after:] if word.text.lower() != "not"]
    return bool(rest) and rest[0].text == "," and not {"VB", "VBP"} & {word.tag for word in rest}


def _breaks_off(words: Sequence[Tagged]) -> bool:
    """Whether a clause at the end has come to its subject, and not to its verb: ", although the time." """
    for place, word in enumerate(words[:-1]):
        if not place or words[place - 1].text != ",":
            continue
        low, rest = word.text.lower(), words[place + 1 :]
        # "Although a strict teacher" says what he is; "although the average time" has only begun.
        opens = rest[0].text.lower() == "the" if low == "although" else rest[0].tag in _NAMING
        if opens and low in {"although", *_REASONING} and rest[0].text.lower() != "of":
            return FINITE.isdisjoint(one.tag for one in rest)
    return False


def _joins_nothing(sentence: str) -> bool:
    """Whether "and to which …" goes on with a relative clause that is not there."""
    found = _JOINED.search(sentence)
    return found is not None and not _RELATIVE.search(sentence, 0, found.start())


def _is_command(words: Sequence[Tagged]) -> bool:
    """Whether the first word may be the base of a verb: taggers take "Separate" for an adjective."""
    first = next((word.text.lower() for word in words if not word.text.isdigit()), "")
    forms = BY_FORM.get(first)
    return forms is not None and forms.base == first


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def faults_of(sentence: str) -> Iterator[str]:
    """What is broken in the build of a sentence."""
    words = tagged(sentence)
    tags = [word.tag for word in words]
    asks = sentence.rstrip('"”’)').endswith("?")
    spoken = [word for word in words if word.text[:1].isalnum()]
    if _HANGING.search(sentence):
        yield "a clause that hangs on nothing"
    has_verb = any(tag in FINITE or tag == "VB" for tag in tags) or _is_command(spoken)
    if len(spoken) >= _LEAST_WORDS and not has_verb:
        yield _NO_VERB
    if spoken and spoken[0].tag in ("WDT", "WP", "WP$") and not asks:
        yield "a relative clause alone"
    if _breaks_off(words):
        yield "a clause without its verb"
    if _joins_nothing(sentence) and not asks:
        yield "a relative clause that joins nothing"
    if _lacks_verb(words) and not sentence.rstrip().endswith("?"):
        yield "a modal without its verb"
    if len(spoken) > 1 and spoken[0].text.lower() in _THIRD:
        forms = BY_FORM.get(spoken[1].text)
        if forms is not None and spoken[1].text == forms.base != forms.past:
            yield "a verb that does not agree"
