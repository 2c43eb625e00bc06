"""Small English words that turn a sentence round, and what may stand for them."""

from __future__ import annotations

import re
from typing import Final


def listed(words: str) -> frozenset[str]:
    """The words of a list that is easy to read."""
    return frozenset(words.split())


NEGATIONS: Final = listed("not no never none nobody nothing neither nor nowhere without")
# These may say what a negation said: "did not win" is "failed to win".
DENIALS: Final = listed(
    """
    hardly barely scarcely rarely seldom fail fails failed failing failure lack lacks lacked lacking
    deny denies denied denying refuse refuses refused refusing refusal reject rejects rejected rejection
    avoid avoids avoided avoiding prevent prevents prevented preventing unable impossible unlikely
    unwilling unclear unaware unknown absence absent except excluding instead stop stops stopped
    stopping ban bans banned false wrong lose loses lost losing loss miss missing missed against unless
    untrue zero cease ceased oppose opposed disagree disagreed doubt doubted forbid forbidden illegal
    decline declined denial withdraw exempt prohibit prohibits prohibited unlike despite
    anything anyone anywhere rather longer
    """
)
PREFIX: Final = re.compile(r"(?:un|in|im|il|ir|dis|non|non-)(?=[a-z]{4})")
IDIOM: Final = re.compile(
    r"\b(?:not only|not just|not merely|not simply|no doubt|no wonder|whether or not|if not|no matter"
    r"|no\.? ?\d+|why not|not to mention|no longer than|nothing but|none other than"
    r"|cannot help|no less than|or not)\b"
)
CONTRACTIONS: Final = (
    (re.compile(r"\bcan(?:not|'t)\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bshan't\b"), "shall not"),
    (re.compile(r"n't\b|(?<=[a-z]) n't\b"), " not"),
    (re.compile(r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should)nt\b"), r"\1 not"),
    (re.compile(r"\bcant\b"), "can not"),
    (re.compile(r"\bno one\b"), "nobody"),
    (re.compile(r"\bno,"), "idiom,"),
    (re.compile(r"\b(?:far from|yet to)\b"), "not"),
    (re.compile(r"\bnot so much\b"), "less"),
    (re.compile(r"\ba few\b"), "several"),
    (re.compile(r"\bha(?:ve|s|d) to\b"), "must"),
    (re.compile(r"\b(?:is|are|was|were) able to\b"), "can"),
    (re.compile(r"\bthe most\b"), "superlative"),
    (re.compile(r"\b(?:after|at|above|not at|first of|all of a sudden|once and for) all\b"), "idiom"),
    (re.compile(r"\bsome (?=\d)"), "about "),
)
TOKEN: Final = re.compile(r"[a-z]+(?:-[a-z]+)*|[.,;:!?()]|--|—")
BREAK: Final = frozenset(".,;:!?()—") | {"--", "but", "because", "although", "though", "while", "and", "or"}
FUNCTION: Final = listed(
    """
    a an the this that these those it its he she they we you i him her them us my your his our their
    there here is are was were be been being am do does did done has have had having will would shall
    should can could may might must to of in on at by for from with as into onto than then so if or and
    yet also too very any some all each every either both one who whom whose which what when where how
    about over up out off just only even still such more most much many other another same own not no
    never none nor neither nobody nothing nowhere without several idiom superlative s t re ve ll d m
    said says say get got go went make made really quite ever going own like because until before after
    while during though although however therefore since
    """
)
QUANTIFIERS: Final = {
    "all": listed("all every each everyone everybody everything always"),
    "most": listed("most mostly"),
    "some": listed("some several sometimes someone somebody"),
    "few": listed("few rarely seldom hardly scarcely barely"),
}
MODALS: Final = {"must": listed("must shall"), "may": listed("may might could possibly perhaps maybe")}
ONLY: Final = listed("only solely exclusively")
ONLY_TOO: Final = ONLY | listed(
    "just merely alone sole single but unless until except limited simply purely one"
)
OPPOSITES: Final = tuple(
    tuple(frozenset(side.split("/")) for side in pair.split())
    for pair in (
        "more less/fewer", "increase/increases/increased/increasing decrease/decreases/decreased/decreasing",
        "rise/rises/rose/risen/rising fall/falls/fell/fallen/falling", "always never", "higher lower",
        "high low", "accept/accepts/accepted reject/rejects/rejected", "won/win/wins lost/lose/loses",
        "best worst", "better worse", "largest/biggest smallest", "larger/bigger smaller",
        "maximum minimum", "northern southern",
        "eastern western", "north south", "east west", "guilty innocent", "true false",
        "allow/allows/allowed forbid/forbids/forbade/forbidden/ban/bans/banned",
        "support/supports/supported oppose/opposes/opposed",
        "male female", "older younger", "oldest youngest", "earlier later", "import/imports export/exports",
        "strong/stronger weak/weaker", "above below", "positive negative", "success failure", "rich poor",
    )
)  # fmt: skip
