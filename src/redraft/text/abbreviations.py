"""English abbreviations, by what may follow their full stop."""

from __future__ import annotations

from typing import Final


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


# A name or a noun always follows.
TITLES: Final = _listed(
    """dr mr mrs ms mx messrs mmes prof profs rev fr hon gen maj col lt capt cmdr cdr adm sgt cpl pvt sen
    rep gov pres amb supt insp det mt ft msgr rt assoc asst m mme mlle"""
)

# Titles in capitals too; any other word in capitals may be an acronym: "We use MT. This works."
HONORIFICS: Final = _listed("mr mrs ms mx dr prof profs messrs rev hon st")

# The clause always goes on.
INNER: Final = _listed(
    """e.g i.e eg ie cf viz vs v approx ca c resp incl excl esp usu orig aka a.k.a w.r.t n.b nb ibid op cit
    i.a s.t q.v et trans transl ed eds edn repr illus fl circa abbr"""
)
# Of these, the ones that are words of their own in capitals: "Miami, FL. They", "with ED. This".
ACRONYMS: Final = _listed("ca fl ed eds et trans cit op incl esp")
# Opens a sentence that goes on, and ends one elsewhere.
POSTSCRIPTS: Final = _listed("p.s p.p.s ps pps")

# A number, a letter or a reference follows, or else it is a word that ends its sentence.
NUMBERED: Final = _listed(
    """fig figs eq eqs eqn eqns no nos nr sec secs sect ch chap chaps p pp vol vols art arts tab tabs ref
    refs thm lem prop cor def ex app par para pt pts ser cl ll col cols pl op bk bks fol est deg n°
    exp alg obs rem rs"""
)

# A day follows, or else the sentence may end.
CALENDAR: Final = _listed(
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun"
)

# May end a sentence: it does where a word follows that usually opens one.
CLOSING: Final = _listed(
    """inc ltd co corp llc plc gmbh bros jr sr esq al st ave blvd rd sq ln pl dept univ inst assn dist div
    intl natl govt mfg mgmt misc
    u.s u.s.a u.k u.n e.u d.c l.a n.y n.y.c u.s.s.r ph.d m.d b.a m.a b.s b.sc m.sc m.b.a d.phil ll.b ll.m
    r.i.p p.o b.c a.d b.c.e c.e s.a n.v s.p.a
    calif mass conn penn tenn wash ariz colo fla ill ind ala ark ga kan ky la md mich minn miss mo mont neb
    nev okla ore tex va vt wis wyo"""
)

# Ends its sentence before any capital, except those of a time zone or a day.
ENDING: Final = _listed("a.m p.m etc yrs yr hrs hr mins min secs kg km cm mm lb lbs oz sq ft mph ver")
TIMES: Final = frozenset({"a.m", "p.m"})
# "At 5 a.m. I left" has not got its verb yet.
BEFORE_TIME: Final = _listed("at by around about before after on from until till since between every")
# Names whose exclamation mark ends nothing.
EXCLAIMED: Final = frozenset({"Yahoo", "Jeopardy", "Oklahoma"})
AFTER_TIME: Final = _listed(
    """EST EDT CST CDT MST MDT PST PDT ET CT MT PT GMT UTC BST CET CEST Monday Tuesday Wednesday Thursday
    Friday Saturday Sunday Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr Jun Jul Aug Sep Oct Nov Dec January
    February March April June July August September October November December Eastern Central Pacific"""
)

# Words that, with a capital, nearly always open a sentence.
OPENERS: Final = _listed(
    """A About Above According Across After Afterwards Again All Almost Along Already Also Although Always
    Among An And Another Any Anyone Are As At Because Before Below Besides Between Both But By Can Could Did
    Do Does Despite During Each Either Even Every Everyone Few Finally First For From Given Had Has Have He
    Hence Her Here His How However I If In Indeed Instead Is It Its It's Just Last Later Let Like Many Maybe
    Meanwhile More Moreover Most Much My Nearly Neither Never Nevertheless Next No Nobody None Nor Not Nothing
    Now Of Often On Once One Only Or Other Others Otherwise Our Over People Perhaps Please Rather Second
    Several She Should Similarly Since So Some Someone Sometimes Soon Still Such Surely That The Their
    Then There
    Therefore These They Third This Those Though Three Through Thus To Today Together Tomorrow Too Two Under
    Unfortunately Unless Unlike Until Upon Was We Were What When Whenever Where Whereas Whether Which While
    Who Whose Why Will With Within Without Would Yes Yesterday Yet You Your He's She's They're We're I'm
    I've It’s
    He’s She’s They’re We’re I’m I’ve There's There’s That's That’s Don't Don’t"""
)
