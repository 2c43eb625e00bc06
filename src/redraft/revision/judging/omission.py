"""What leaving a sentence out costs beyond its words, by what kind it is, and what has to go with it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

from redraft.revision.draft import Unit, content_stems
from redraft.revision.judging.losses import cut_loss
from redraft.revision.records import Reason
from redraft.revision.rewriting.splits.orders import first_order
from redraft.revision.tuning import (
    LOST_FACT_COST,
    LOST_LIMIT_COST,
    LOST_LINK_COST,
    LOST_SCOPE_COST,
    LOST_STATEMENT_COST,
    OMISSION_COSTS,
)
from redraft.text import FINITE, analyse_syntax, is_letter_line, tagged

Kind = Literal["repetition", "ceremony", "example", "attribution", "other", "claim", "step", "rule"]

_SAID_BEFORE: Final = 0.8
"""The share of its words of content that another sentence has, where one repeats it."""
_LEAST_STEMS: Final = 3
_EXAMPLE: Final = re.compile(
    r"(?i)\A\W*(?:for (?:example|instance)|to illustrate|as an (?:example|illustration)|an example\b|e\.g\.)"
    r"|\b(?:for (?:example|instance)),"
)
_CEREMONY: Final = re.compile(
    r"(?i)\bthank(?:s|ed)?\b[^.]*\b(?:for (?:coming|attending|taking|reading|their|your|the)|present"
    r"|everybody|everyone)\b"
    r"|\blet (?:me|us) know if (?:you (?:have|need)|(?:this|that|it|there) (?:is|are|works)|anything)\b"
    r"|\bdo not hesitate\b|\blook(?:ing)? forward to (?:hear|see|meet|your)"
    r"|\b(?:following|these) (?:conclusions?|points|topics|decisions)"
    r"(?: were (?:raised|discussed|made|taken))?[.:]\Z"
    r"|\A(?:good|great|exciting) news\b[^.]*!\Z"
    r"|\bwithout further ado\b"
    r"|\bmeeting (?:was )?(?:opened|closed|adjourned|ended|called to order)\b"
    r"|\A\W*(?:ladies and gentlemen, )?it (?:gives|is) (?:me|us|my|our) (?:very |a )*(?:great )?"
    r"(?:pleasure|honou?r)\b"
)
"""What is said for form's sake, or only announces what follows."""
_ATTRIBUTION: Final = re.compile(
    r"(?i)\A\W*according to\b"
    r"|\b(?:said|says|told|tells|added|adds|noted|notes|explained|reported|reports|wrote|writes|argued)\b"
)
_INVITING: Final = re.compile(r"(?i)(?:please )?(?:meet|discover|imagine|enjoy|say|think|visit|feel|let)\b")
"""Orders that nobody has to follow."""
_REQUEST: Final = re.compile(
    r"(?i)\bplease (?!note|find|accept|be aware|see\b)\w+"
    r"|\b(?:is|are) (?:kindly )?(?:asked|requested|urged) to\b"
    r"|\b(?:I|we)(?: would|['’]d) (?:like|prefer|appreciate|be (?:very )?grateful)\b"
    r"(?! (?:to (?:thank|say|take|point|mention|add|note|make|congratulate|express|introduce|begin|start"
    r"|stress)\b|for your))"
    r"|\b(?:I|we) (?:(?:now|hereby|therefore|kindly|also) )?(?:ask|request|demand|insist)\b"
    r"|\A\W*(?:so )?(?:could|can|would|will) you (?!imagine|believe)\w+"
    r"|\A(?:anyone|anybody|those|everyone|everybody) who\b.*\bshould\b"
)
_RULE: Final = re.compile(
    r"(?i)\b(?:shall|must|may not|is not (?:allowed|permitted)|are not (?:allowed|permitted)|prohibited"
    r"|required to|entitled to|provided that|unless)\b"
    r"|(?<!\bI )(?<!\bwe )\b(?:has|have) to be \w+(?:ed|en|pt|ld|ut)\b"
    r"|\A\W*(?:never|do not|don['’]t|under no circumstances)\b"
    r"|\A\W*(?:any(?:one|body)|whoever|those|every(?:one|body)|people|members|staff|tenants|students|guests)"
    r" (?:who )?(?:fails?|do(?:es)? not|is not|are not|is late|are late|breaks?|damages?|loses?)\b"
    r"|\b(?:I|we) (?:was|were|am|are) (?:wrong|at fault|to blame|mistaken|sorry|responsible)\b"
    r"|\b(?:my|our) (?:fault|mistake)\b|\byou (?:were|are) right\b"
    r"|\b(?:danger|risk) of\b|\bdangerous\b|\b(?:do(?:es)?|did) not (?:apply|cover|include)\b"
    r"|\b(?:I|we) (?:promise|agree|undertake|guarantee|commit|pledge|will|shall|accept|apologi[sz]e)\b"
)
_CLAIM: Final = re.compile(
    r"(?i)\b(?:not|no|never|nobody|nothing|none|neither|nor|cannot|without|will|only|except)\b|n['’]t\b"
    r"|\d|%|\A(?:conclusions?|results?|findings?|in conclusion)\b"
    r"|\b(?:a|one|two) (?:third|quarter|fifth)s?\b|\bthe majority\b"
    r"|\bwe (?:find|found|show|showed|conclude|propose|demonstrate|prove|report|observe)\b"
)
_MONTH: Final = r"(?:(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber)\b"
FACT: Final = re.compile(
    rf"\d[\d.,]*(?:(?:th|st|nd|rd)?(?: of)? {_MONTH})?|\b{_MONTH}(?: \d+)?"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
    r"|\b(?i:by|until|before|from) the (?i:end|start|beginning|middle) of(?: the| this| next)? [a-z]+"
    r"|\b(?i:a|one) (?i:third|quarter|fifth|tenth)\b"
    r"|\b(?i:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|half|twice)\b"
    r"|\b(?i:(?:once|twice) an? (?:hour|day|week|month|year)|every (?:hour|day|week|month|year))\b"
    r"|(?P<limit>\b(?i:unless|until|otherwise|except|only|if|provided|at least|at most|no more than|up to"
    r"|initially|solely|in writing|by order|in full|in part|in advance|in a row|by hand|on average"
    r"|in person)\b"
    r"|\b(?i:over|under|above|below)(?= \d)"
    r"|(?:\A|(?<=[.!?] )|(?<=applies ))(?i:where|when|whenever|once|in case|in the event)\b)"
)
"""A day, a number or a condition: it is a statement however short it is."""
_DATED: Final = re.compile(rf"\b\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}|\b{_MONTH} \d|\d[:.]\d\d\b|[$€£]\d")
_DENIED: Final = re.compile(
    r"(?i)\b(?:not|no(?! doubt| longer)|never|cannot|nobody|nothing|none|neither|nor|without)\b|n['’]t\b"
)

_STATEMENTS: Final = frozenset(
    {"the clause", "the first part", "the second part", "the further verbs", "the defining clause"}
)
"""What says something by itself, of all that a cut may take along."""
_SCOPES: Final = frozenset({"the phrase", "the opening phrase", "the purpose", "the participle"})
"""What says of whom, when or where a denial holds."""
_NOT: Final = re.compile(r"(?i)\b(?:not|no|never|cannot|nobody|nothing|none)\b|n['’]t\b")
_CONDITION: Final = re.compile(r"(?i)\b(?:if|unless|only|provided|as long as)\b")
_LINK: Final = re.compile(
    r"(?i)\b(?:however|nevertheless|nonetheless|on the other hand|on the contrary|in contrast|instead"
    r"|although|therefore|consequently|as a result|for this reason)\b|(?:\A|, )(?:but|so|thus|hence)\b"
)
_LINKED: Final = re.compile(
    _LINK.pattern + r"|\b(?:but|yet|though|while|whereas|despite|only|so|thus|because|as|since|due to"
    r"|that is why|which|thanks to|still|rather than)\b|;"
)
"""What tells how two statements hang together, and what may stand for it."""

_POINTS_BACK: Final = re.compile(
    r"(?i)\W*(?:(?:this|that|these|those|such|he|she|they|his|her|their|its|both|neither|either|then|but|yet"
    r"|so|however|nevertheless|otherwise|instead|still|thus|therefore|hence|consequently|even so|that is why"
    r"|(?:until|by|since|after|before) (?:then|that)|there(?! (?:is|are|was|were|has|have|will|may|can)\b)"
    r"|(?:one|two|some|several|many|most|all|none|each|half|others?) of (?:them|these|those)"
    r"|another|the others?|the (?:latter|former|same)|for (?:this|that) reason|as a result"
    r"|in (?:response|contrast|that case))\b"
    r"|it (?!(?:is|was|will be|seems|would be) (?:not |very |also )?(?:important|possible|impossible|likely"
    r"|unlikely|clear|unclear|hard|easy|difficult|necessary|essential|vital|true|known|believed|hoped|expected"
    r"|estimated|recommended|advisable|best|better|worth|time|unusual|common|good|sad|strange)\b))"
)
"""How a sentence opens that cannot do without the one before it."""
_SPEAKS_OF_IT: Final = re.compile(
    r"(?i)\W*(?:(?:[\w'’]+ ){0,6}(?:this|that|it|them|so)|(?:[\w'’]+ ){7,12}it)\W*\Z"
)
"""One that ends with what it is about: "We are sorry about this." """

_LABEL: Final = re.compile(r"(?:[^\s.!?:;,]+\s+){0,3}[^\s.!?:;,]+")
"""A line of a few words without an end."""
_LONGEST_SPEECH: Final = 8
"""Units of a quotation that is looked at as one."""
_PRONOUN_SPEAKS: Final = re.compile(
    r"\A[“\"][^”\"]*[”\"] (?:he|she|they) (?:said|says|added|asked|wrote|told)\b"
)
_BARE_SPEECH: Final = re.compile(r"(?:“[^“”]+”|\"[^\"]+\")\Z")


def inseparable(units: Sequence[Unit]) -> dict[int, tuple[int, int]]:
    """Units that are left out only together with others: from the first up to the last of them.

    A quotation over several sentences keeps its end, where its speaker is named; and one without a word about
    who speaks keeps the sentence before it.
    """
    found: dict[int, tuple[int, int]] = {}
    for place, unit in enumerate(units):
        if opened := _unclosed(unit.text):
            near = range(place + 1, min(place + _LONGEST_SPEECH, len(units)))
            end = next((end for end in near if _closes(units[end].text, opened)), place)
            if end > place:
                found[place] = found[end] = place, end + 1
        elif place and _BARE_SPEECH.fullmatch(unit.text) and "\n" not in unit.gap and units[place - 1].text:
            found.setdefault(place - 1, (place - 1, place + 1))
        elif place and _PRONOUN_SPEAKS.search(unit.text) and "\n" not in unit.gap and units[place - 1].text:
            found.setdefault(place - 1, (place - 1, place + 1))  # she was named there
    return found


def _unclosed(text: str) -> str:
    """The mark of a quotation that begins in a text and does not end there."""
    if text.count("“") > text.count("”"):
        return "“"
    return '"' if text.startswith('"') and text.count('"') % 2 else ""


def _closes(text: str, opened: str) -> bool:
    return text.count("”") > text.count("“") if opened == "“" else text.count('"') % 2 == 1


def kind_of_sentence(sentence: str, others: Sequence[str] = ()) -> Kind:
    """What kind of sentence it is, as to whether it can be spared; `others` are the rest of the text."""
    if is_letter_line(sentence) or _LABEL.fullmatch(sentence.strip()):
        return "rule"  # nobody leaves out a greeting, who writes, or a heading
    stems = _stems(sentence)
    repeated = any(len(stems & _stems(other)) >= _SAID_BEFORE * len(stems) for other in others)
    if repeated and len(stems) >= _LEAST_STEMS:
        return "repetition"
    # "Thank you for the invitation to speak on 12 October" says when that is.
    says_more = _DATED.search(sentence) or _DENIED.search(sentence.replace("do not hesitate", ""))
    if _CEREMONY.search(sentence) and not says_more:
        return "ceremony"
    if _EXAMPLE.search(sentence):
        return "example"
    if _RULE.search(sentence):
        return "rule"
    ordered = first_order(analyse_syntax(sentence)) is not None and not _INVITING.match(sentence)
    if ordered or _REQUEST.search(sentence):
        return "step"
    if (_CLAIM.search(sentence) or FACT.search(sentence)) and any(
        one.tag in FINITE for one in tagged(sentence)
    ):
        return "claim"
    return "attribution" if _ATTRIBUTION.search(sentence) else "other"


def omission_cost(sentence: str, others: Sequence[str] = ()) -> float:
    """What it costs to leave a sentence out, in nats."""
    return OMISSION_COSTS[kind_of_sentence(sentence, others)]


def cut_cost(source: str, text: str) -> float:
    """What it costs that facts, conditions and denials of a passage are not in what was made of it."""
    old, new = (_facts(one) for one in (source, text))
    # Another word for it is no loss: "two times" is "twice", "provided that" is "if".
    numbers, limits = ((a - b).total() - (b - a).total() for a, b in zip(old, new, strict=True))
    denials = len(_DENIED.findall(source)) - len(_DENIED.findall(text))
    unsaid = bool(text) and bool(_ATTRIBUTION.search(source)) and not _ATTRIBUTION.search(text)
    facts = max(numbers, 0) + unsaid
    unlinked = bool(text and _LINK.search(source)) and not _LINKED.search(text)
    lost = LOST_FACT_COST * facts + LOST_LIMIT_COST * (max(limits, 0) + max(denials, 0))
    return lost + LOST_LINK_COST * unlinked


def lost_statements(source: str, why: Sequence[Reason]) -> float:
    """What it costs that cuts took along whole statements, or of whom a denial holds."""
    cuts = [one for one in why if one.kind == "cut"]
    ruled = 1 + bool(_CONDITION.search(source))
    said = [one for one in cuts if one.detail in _STATEMENTS or _says(one)]
    statements = sum(ruled + bool(_RULE.search(one.before)) for one in said)
    scopes = sum(one.detail in _SCOPES for one in cuts) if _NOT.search(source) else 0
    return LOST_STATEMENT_COST * statements + LOST_SCOPE_COST * scopes


def missed(source: str, text: str, why: Sequence[Reason]) -> float:
    """What a reader would miss of a passage in what such cuts have left of it."""
    return cut_loss(source, text) + cut_cost(source, text) + lost_statements(source, why)


def _says(one: Reason) -> bool:
    """Whether a phrase that was cut holds a clause: "(on it, or there may be residues)"."""
    return one.detail in _SCOPES and any(word.tag in FINITE for word in tagged(one.before))


def points_back(text: str) -> bool:
    """Whether a sentence cannot do without the one before it."""
    return bool(_POINTS_BACK.match(text) or _SPEAKS_OF_IT.fullmatch(text))


def _facts(text: str) -> tuple[Counter[str], Counter[str]]:
    """The numbers and days, and the conditions, that a text names."""
    found = list(FACT.finditer(text))
    numbers = Counter(one[0].rstrip(".,") for one in found if not one["limit"])
    return numbers, Counter(one["limit"].lower() for one in found if one["limit"])


@lru_cache(maxsize=4096)
def _stems(sentence: str) -> frozenset[str]:
    return frozenset(content_stems(sentence))
