"""Sentences that say the same in another order, made by rule: what the judge has to let pass.

Parts of the sentence move, or a clause is joined by another word; nothing is added and nothing is lost. A
rule answers with None where its pattern is not surely there: there are sentences enough.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Final

from redraft.text import NOUNS, Clauses, as_sentence, read_clauses, word_sets

_JOINS: Final = "when|if|because|although|though|while|unless|until|once|before|after|since|whereas|where"
_FRONTED: Final = re.compile(rf"(?P<join>(?i:{_JOINS}))\b(?P<part>[^,;:()—–]{{8,}}), (?P<rest>[^;:()—–]+)$")
_TRAILING: Final = re.compile(
    r"(?P<rest>[^,;:()—–]{12,}?),? (?P<join>when|if|because|although|unless|until|once|while|before|after)"
    r" (?P<part>[^,;:()—–]{8,})$"
)
_PHRASE: Final = re.compile(
    r"(?P<part>(?:In|At|On|During|By|Since|Until|Under|Throughout|Within|After|Before|For|From)"
    r"(?! example| instance| fact| addition| contrast| particular) [^,;:()]{3,50}"
    r"|Recently|Currently|Today|Yesterday|Now|Here|Initially|Previously|Historically|Traditionally),"
    r" (?P<rest>[^;:()]+)$"
)
_LINK: Final = re.compile(
    r"(?P<part>However|Therefore|Moreover|Furthermore|For example|For instance|In fact|Indeed|Of course"
    r"|Nevertheless|In contrast|By contrast|Consequently), (?P<rest>.+)$"
)
_REASON: Final = re.compile(
    r"(?P<rest>[^,;:()—–]{15,}?),? "
    r"(?P<join>because|despite|in addition to|due to|in contrast to|in line with) (?P<part>[^;:()—–]{6,})$"
)
_JOINED: Final = {"because": "so", "although": "but", "though": "but"}
_TOLD: Final = re.compile(r'(?P<part>[^,;:()"“]+), (?P<by>[^,;:()"“]+)$')
_SETS: Final = word_sets("redraft.train")
_REPORTS: Final = _SETS["restating.reports"]
_OF: Final = re.compile(
    r"\b[Tt]he (?P<thing>[a-z]+) of (?P<name>[A-Z][a-z]{2,})\b"
    r"(?=$| (?:is|was|has|in|to|at|on|by|from|with)\b)"
)
_BY_ORDER: Final = re.compile(r"\b(?:respectively|former|latter|between|from|first|then|later|each other)\b")

Rule = Callable[[str, str, random.Random], str | None]
"""What a rule makes of a sentence without its end mark, of the mark, and by chance."""


def restatements(sentence: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """What each rule makes of the sentence, with the name of the rule, in an order by chance.

    Where two rules do, the last of them is done upon the first as well.
    """
    made = list(_each(sentence, rng))
    yield from made
    if made:
        name, text = made[0]
        for further, again in _each(text, rng):
            if further != name and again != sentence:
                yield f"{name}+{further}", again
                return


def _each(sentence: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    body, mark = _parted(sentence)
    if mark not in (".", "!") or re.search(r"[.!?]\s", body):
        return
    for rule in rng.sample(_RULES, len(_RULES)):
        made = rule(body, mark, rng)
        if made is not None and made != sentence:
            yield rule.__name__.strip("_"), made


def _parted(sentence: str) -> tuple[str, str]:
    return (sentence[:-1], sentence[-1]) if sentence[-1:] in (".", "!", "?") else (sentence, "")


def lowered(text: str) -> str:
    """The text as it stands within a sentence: names and "I" keep their capital."""
    found = read_clauses(text)
    first = text.split(" ", 1)[0]
    is_name = bool(found.words) and found.words[0].tag.startswith("NNP") and first.lower() not in NOUNS
    if not text or is_name or re.match(r"I\b", first):
        return text
    return text if first[1:] != first[1:].lower() else text[0].lower() + text[1:]


def is_clause(text: str) -> bool:
    """Whether a text opens with its subject, has a verb, and has no other clause joined to it."""
    found = read_clauses(text)
    main = found.main()
    return main is not None and main.start == 0 and main.plain and not main.imperative


def _clause_to_the_end(body: str, mark: str, _: random.Random) -> str | None:
    found = _FRONTED.match(body)
    if not found or not is_clause(found["rest"]) or re.search(r", (?:and|but|or|so|which)\b", found["rest"]):
        return None
    if not is_clause(found["part"].strip()):
        return None
    comma = "," if found["join"].lower() in ("although", "though", "whereas", "while") else ""
    return as_sentence(f"{found['rest']}{comma} {found['join'].lower()}{found['part']}", mark)


def _clause_to_the_front(body: str, mark: str, _: random.Random) -> str | None:
    found = _TRAILING.match(body)
    if not found or not is_clause(found["rest"]) or not is_clause(found["part"]):
        return None
    if found["rest"].split()[-1].lower() in _SETS["restating.asking"] or re.search(
        r"\b(?:and|but|that|which)\b", found["rest"]
    ):
        return None
    return as_sentence(f"{found['join'].capitalize()} {found['part']}, {lowered(found['rest'])}", mark)


def _phrase_to_the_end(body: str, mark: str, _: random.Random) -> str | None:
    found = _PHRASE.match(body)
    if not found or not is_clause(found["rest"]) or re.search(r", (?:and|but|or|so|which)\b", found["rest"]):
        return None
    if read_clauses(found["part"]).main() is not None:
        return None
    return as_sentence(f"{found['rest']} {lowered(found['part'])}", mark)


def _link_after_the_subject(body: str, mark: str, _: random.Random) -> str | None:
    found = _LINK.match(body)
    clauses = read_clauses(found["rest"]) if found else None
    main = clauses.main() if clauses else None
    if not found or clauses is None or main is None or main.start or main.stop != main.verb or not main.plain:
        return None
    verb = clauses.words[main.verb].start
    rest = found["rest"]
    return as_sentence(
        f"{rest[:verb].rstrip()}, {found['part'][0].lower()}{found['part'][1:]}, {rest[verb:]}", mark
    )


def _another_join(body: str, mark: str, _: random.Random) -> str | None:
    """ "Because A, B." is "A, so B.", and "Although A, B." is "A, but B."."""
    found = _FRONTED.match(body)
    joined = (
        {"because": "so", "although": "but", "though": "but"}.get(found["join"].lower()) if found else None
    )
    if not found or joined is None or not is_clause(found["part"].strip()) or not is_clause(found["rest"]):
        return None
    return as_sentence(f"{found['part'].strip()}, {joined} {lowered(found['rest'])}", mark)


def _reason_apart(body: str, mark: str, _: random.Random) -> str | None:
    """ "A because B." as "A. This is because B."."""
    found = _REASON.match(body)
    if not found or not is_clause(found["rest"]) or re.search(r"\b(?:not|no|if|that|only)\b", found["rest"]):
        return None
    if found["rest"].split()[-1].lower() in _SETS["restating.asking"]:
        return None
    if found["join"] == "because" and not is_clause(found["part"]):
        return None
    reason = as_sentence(f"This is {found['join']} {found['part']}", mark)
    return f"{as_sentence(found['rest'], '.')} {reason}"


def _report_to_the_end(body: str, mark: str, _: random.Random) -> str | None:
    clauses = read_clauses(body)
    main = clauses.main()
    if main is None or main.imperative or main.start or main.stop > 6:
        return None
    if clauses.lower(main.verb) not in _REPORTS:
        return None
    if clauses.lower(main.verb + 1) != "that" or re.search(r"[;:()]|, (?:and|but|which)\b", body):
        return None
    told = body[clauses.words[main.verb + 2].start :] if main.verb + 2 < len(clauses.words) else ""
    if not is_clause(told) or len(told.split()) < 4:
        return None
    return as_sentence(f"{told}, {lowered(clauses.span(0, main.verb + 1))}", mark)


def _report_to_the_front(body: str, mark: str, _: random.Random) -> str | None:
    found = _TOLD.match(body)
    if not found or not is_clause(found["part"]):
        return None
    clauses = read_clauses(found["by"])
    main = clauses.main()
    is_report = main is not None and main.verb == len(clauses.words) - 1 and main.start == 0
    if not is_report or clauses.lower(len(clauses.words) - 1) not in _REPORTS:
        return None
    return as_sentence(f"{found['by']} that {lowered(found['part'])}", mark)


def _coordination_turned(body: str, mark: str, rng: random.Random) -> str | None:
    """ "A and B" as "B and A", where both are of the same shape and nothing hangs on their order."""
    if _BY_ORDER.search(body):
        return None
    clauses = read_clauses(body)
    found = list(_joined(clauses))
    if not found:
        return None
    start, middle, stop = rng.choice(found)
    one, other = clauses.span(start, middle), clauses.span(middle + 1, stop)
    first, last = clauses.words[start].start, clauses.words[stop - 1].end
    one, other = (lowered(one), other) if start == 0 else (one, other)
    return as_sentence(f"{body[:first]}{other} and {one}{body[last:]}", mark)


def _joined(clauses: Clauses) -> Iterator[tuple[int, int, int]]:
    """Where two nouns or names of the same shape are joined by "and": start, "and", stop."""
    letters = clauses.letters
    for match in re.finditer(r"(?<![DJCNSg&,n])(D?J?N)&(D?J?N)(?![NSg&,I])", letters):
        middle = match.start(2) - 1
        if clauses.lower(middle) != "and" or match[1] != match[2]:
            continue
        tags = [clauses.tag(middle - 1), clauses.tag(match.end() - 1)]
        if len(set(tags)) == 1:
            yield match.start(), middle, match.end()


def _name_as_owner(body: str, mark: str, _: random.Random) -> str | None:
    """ "the capital of France" as "France's capital"."""
    found = _OF.search(body)
    if not found or found["thing"] in (
        "rest",
        "city",
        "state",
        "lot",
        "kind",
        "sort",
        "number",
        "use",
        "town",
    ):
        return None
    owner = f"{found['name']}'" if found["name"].endswith("s") else f"{found['name']}'s"
    return as_sentence(f"{body[: found.start()]}{owner} {found['thing']}{body[found.end() :]}", mark)


_RULES: Final[tuple[Rule, ...]] = (
    _clause_to_the_end,
    _clause_to_the_front,
    _phrase_to_the_end,
    _link_after_the_subject,
    _another_join,
    _reason_apart,
    _report_to_the_end,
    _report_to_the_front,
    _coordination_turned,
    _name_as_owner,
)
