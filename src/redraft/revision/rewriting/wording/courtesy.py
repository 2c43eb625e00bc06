"""Orders, reproaches, threats and bad news, said politely."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.rewriting.edits import WORDS
from redraft.revision.rewriting.forms.impersonal import impersonal
from redraft.text import VERBS, analyse_syntax, bases, list_lines, tagged, wordings, zipf

_ORDERS: Final = frozenset({*WORDS.given_orders, *VERBS, *(one.removeprefix("re") for one in VERBS)})
_GOING: Final = frozenset(
    {"go", "come", "return", "listen", "talk", "reply", "write", "apply", "ask", "wait", "move", "refer"}
)
_ORDER_FOLLOWS: Final = (
    "VBG",
    "DT",
    "PRP",
    "IN",
    "TO",
    "RB",
    "JJ",
    "NN",
    "CD",
    "RP",
    "WRB",
    "WP",
    "EX",
    "PDT",
)
_WORDINGS: Final = wordings(__package__, "courtesy.txt")
_POLITE: Final = re.compile(rf"(?i)\b(?:{_WORDINGS['polite']})\b")
_NOT: Final = re.compile(r"(?i)\A(?:do not|don['’]t) ")
_HAVE_DONE: Final = re.compile(r"(?i)\Ahave (?:it|them|this|the \w+|your \w+) \w+(?:ed|en|n|t)\b")
_NEVER: Final = re.compile(r"(?i)\Anever (?=[a-z]+ )")
_BAD: Final = re.compile(rf"(?i)\b(?:{_WORDINGS['bad_news']})\b")
_PLAIN_START: Final = re.compile(r"(?:Your|The|There|Our|We|I|It|This|Some|One)\b")
_I: Final = re.compile(r"\bI\b|\b[Mm]y\b|\bme\b")
_LEAD: Final = re.compile(
    r"(?i)\A(?:(also|then|next|now|just|so|and|finally|instead|first|again),? )(?=[a-z])"
)
_CONDITION: Final = re.compile(
    r"\A((?:If|When|Once|After|Before|Until|As soon as|Unless|In case|For|To|By|On|At|In|Next time)"
    r" ?[^,;.!?]*), ([a-z]+)(?= )"
)
_FAILED: Final = re.compile(
    r"(?i)\A(you(?: also)?) (?:have |'ve )?(?:failed|forgot|forgotten|neglected|omitted) to (\w+)"
)
_OBLIGED: Final = re.compile(
    r"(?i)\Ayou (?:(?:must|should|had better|are required to)(?P<not> not|n['’]t)?|have to|need to"
    r"|['’]?ve got to) "
    r"(?:now |first |always |then )?(?!be\b|have\b|also\b|not\b)(?=[a-z])"
)
_UNLIKE: Final = re.compile(r"(?i)\A(you) (?:clearly|obviously|just|simply|even) (?=\w)")
_BETTER: Final = re.compile(r"(?i)\Ayou should (?P<not>not |n['’]t )?have (?P<act>\w+) (?P<rest>.+)")
_UNANSWERED: Final = re.compile(
    r"(?i)\Ayou(?:['’]ve)? (?:have |still |just |simply )?(?:ignored|(?:did not|didn['’]t|have not"
    r"|haven['’]t|never) "
    r"(?:answer|answered|reply to|replied to|respond to|responded to)) (?P<what>(?:my|our|any of my|any"
    r" of our|both "
    r"my|both our|all my|all our) [^.,;!]+)"
)
_THREAT: Final = re.compile(
    r"(?i)(?P<if>\Aif (?:you|I|we) (?:do not|don['’]t|fail to|have not|haven['’]t|can['’]?t|cannot"
    r"|refuse to)\b[^,;.!?]*, |"
    r"\Aif (?:it|this|that|they|nothing)\b[^,;.!?]*, |\A(?:otherwise|or else),? )(?P<who>I|we)(?: will"
    r"|['’]ll| shall)(?: then| just| simply)? (?!be glad|be happy)"
)
_COMPLAINS: Final = re.compile(
    r"(?i)(?:your\b|it (?:has|is|does) (?:not|still|late|broken)|the \w+ (?:has|have|is|are|does"
    r"|do)\b)[^?]*\Z"
)
_PERSONAL: Final = re.compile(r"\b(?:me|us|my|our|your|by|before|after|today|tomorrow|soon)\b")
"""What is asked of somebody for the writer, and is not a step of instructions."""
_PAST_ACT: Final = re.compile(
    r"(?i)\b(?:copied|skipped|cheated|ignored|missed|forgot|broke|lost|wasted|damaged|spoilt|deadline"
    r"|wrong|again|late|without"
    r"|instead|twice|my|our)\b"
)
_SOFTER: Final = dict(line.split(" | ") for line in list_lines(__package__, "softer.txt"))
_JUDGED: Final = re.compile(
    r"(?i)\A(?P<what>(?:your|the|this) (?:\w+ ){0,2}?\w+|it|this|that|they) (?P<be>is|are|was|were)"
    r" (?:very |really |so |quite |rather |just "
    rf"|pretty |extremely |completely |totally |far |much |way"
    rf" )?(?P<bad>{'|'.join(sorted(_SOFTER, key=len, reverse=True))})"
    r"(?: and (?:boring|dull|confusing|vague|slow|wordy|repetitive))?(?=[.,;!]| and | but )"
)
_SEEMING: Final = ("It seems that", "It looks as though", "It appears that")
_BARRED: Final = re.compile(r"\ANo (?=[a-z]+(?:ing|s)?\b)[^,;:?]*\Z")
_WARNED: Final = re.compile(r"(?i)\b(?:or|otherwise)(?: else)? (?:you|I|we|it|they)\b")


def courteous(sentence: str, apologetic: bool = False, *, speaker: str = "", turn: int = 0) -> Iterator[str]:
    """Polite ways to say a sentence, the best first; nothing where none fits.

    Where the writer speaks, as "I" or "we", an order may become a question or a wish; `turn` says how many
    there were before it, so that they do not all sound alike.

    >>> next(courteous("Send the form by Friday."))
    'Please send the form by Friday.'
    >>> next(courteous("You did not pay the invoice."))
    'It seems that the invoice was not paid.'
    """
    if _POLITE.search(sentence):
        return
    if (order := _ordered(sentence)) is not None:
        must = re.match(r"(?i)you\b", sentence) is not None
        yield from _asked(order, "" if must else speaker, turn)
    elif judged := _JUDGED.match(sentence):
        could = "could be" if judged["be"].lower() in ("is", "are") else "could have been"
        yield f"{judged['what']} {could} {_SOFTER[judged['bad'].lower()]}{sentence[judged.end() :]}"
    elif blameless := _without_blame(sentence):
        yield blameless.replace("It seems that", _SEEMING[turn % len(_SEEMING)], 1)
    elif threat := _THREAT.match(sentence):
        rest = sentence[threat.end() :]
        lead = "Otherwise, " if not threat["if"].lower().startswith("if") else threat["if"]
        yield f"{lead}{threat['who']} will unfortunately have to {rest}"
    elif _BARRED.match(sentence) and sentence.endswith((".", "!")) and len(sentence.split()) <= 8:
        yield f"{sentence.rstrip('!.')}, please."
    elif speaker and _COMPLAINS.match(sentence) and _BAD.search(sentence) and turn % 2 == 0:
        yield f"{'I am' if speaker == 'I' else 'We are'} afraid that {_inside(sentence).rstrip('!.')}."
    elif apologetic and _BAD.search(sentence) and _PLAIN_START.match(sentence) and not sentence.endswith("?"):
        who = "I am" if _I.search(sentence) else "We are"
        yield f"{who} sorry that {_inside(sentence).rstrip('!.')}."


def _inside(sentence: str) -> str:
    """A sentence as a clause of another."""
    first = sentence.split(maxsplit=1)[0]
    return sentence if first in ("I", "I'm", "I’m") else sentence[:1].lower() + sentence[1:]


def _ordered(sentence: str) -> tuple[str, str] | None:
    """What stands before an order, and the order itself in small letters; None where there is none."""
    if sentence.rstrip().endswith("?"):
        return None
    if (found := _CONDITION.match(sentence)) and found[2] in VERBS:
        order = sentence[found.start(2) :]
        if is_order(order[:1].upper() + order[1:]) and analyse_syntax(sentence).tag(0) != "NNP":
            return f"{found[1]}, ", order
    obliged = _OBLIGED.match(sentence)
    said = f"{'Do not ' if obliged['not'] else ''}{sentence[obliged.end() :]}" if obliged else sentence
    said = _NEVER.sub("Do not ", said)
    lead = _LEAD.match(said)
    body = said[lead.end() :] if lead else said
    if not (is_order(body[:1].upper() + body[1:]) or (obliged and body.split()[0] in _ORDERS)):
        return None
    body = _NOT.sub("do not ", body)
    body = body[:1].lower() + body[1:]
    word = lead[1].lower() if lead else ""
    if word in ("also", "now"):
        return "", f"{word} {body}"
    opener = {
        "then": "Then ",
        "finally": "Finally, ",
        "instead": "Instead, ",
        "first": "First, ",
        "next": "Next, ",
    }
    return opener.get(word, ""), body


def _asked(order: tuple[str, str], speaker: str, turn: int) -> Iterator[str]:
    """An order as a request, in several ways."""
    lead, body = order
    body = body.rstrip()
    end = body[-1] if body[-1:] in ".!" else ""
    bare = body.rstrip("!.")
    please = f"{lead}{'please' if lead else 'Please'} {bare}{'.' if end else ''}"
    able = not (
        lead or _WARNED.search(bare) or bare.startswith(("do not", "then ")) or len(bare) < 12 or not end
    )
    if not (speaker and able and _PERSONAL.search(bare)):
        yield please
        return
    wish = f"{speaker[:1].upper()}{speaker[1:]} would be grateful if you could {bare}."
    yield (please, f"Could you please {bare}?", wish)[turn % 3]


def _without_blame(sentence: str) -> str | None:
    """A reproach that says what is the matter, and not whose fault it is."""
    if found := _UNANSWERED.match(sentence):
        who = "I have" if re.search(r"(?i)\bmy\b", found["what"]) else "We have"
        return f"{who} not yet had a reply to {found['what']}{sentence[found.end() :]}"
    if found := _BETTER.match(sentence):
        base = _base(found["act"].lower())
        if base:
            return f"It would have been better {'not ' if found['not'] else ''}to {base} {found['rest']}"
    plain = _FAILED.sub(r"\1 did not \2", _UNLIKE.sub(r"\1 ", sentence))
    plain = re.sub(r"(?i)\A(you) also ", r"\1 ", plain)
    if not re.match(r"(?i)you (?!can|may|will|are|were|should|must|need|have to|could|would|might)", plain):
        return None
    read = analyse_syntax(plain)
    denied = bool({"not", "n't", "never"} & {*read.low})
    if not (denied or _BAD.search(plain) or (read.tag(1) == "VBD" and _PAST_ACT.search(plain))):
        return None
    timed = re.search(
        r"(?i)\b(?:\d+|two|three|four|five|six|ten) (?:minutes?|hours?|days?|weeks?|months?)\b", plain
    )
    made = next(iter(impersonal(plain, "second")), None) if not timed else None
    if made is not None:
        return f"It seems that {_inside(made)}"
    return f"It seems that {_inside(plain)}" if denied or read.tag(1) == "VBD" else None


def _base(participle: str) -> str:
    """The verb that a participle is of, as far as words are known."""
    return max(bases(participle, "VBN"), key=zipf, default="")


def is_order(sentence: str) -> bool:
    """Whether it begins with the verb of an order."""
    if _NOT.match(sentence) or _HAVE_DONE.match(sentence):
        return True
    words = tagged(sentence)
    if len(words) < 2 or sentence.rstrip().endswith("?"):
        return False
    known = words[0].text.lower().removeprefix("re") in _ORDERS or words[0].tag == "VB"
    if not known and (words[0].tag not in ("NN", "NNP") or words[1].tag not in ("DT", "PRP$")):
        return False
    if words[0].tag.startswith("NN") and words[1].text in ("to", "for", "of", "from"):
        return words[0].text.lower() in _GOING  # "notice to all staff"
    if not words[1].tag.startswith(_ORDER_FOLLOWS):
        return False
    clause = next((at for at, one in enumerate(words) if one.text in (",", ";", ":")), len(words))
    if words[0].tag in ("VB", "VBP"):
        return True
    return not any(one.tag in ("VBZ", "VBD", "VBP", "MD") for one in words[1:clause])
