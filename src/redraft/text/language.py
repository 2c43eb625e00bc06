"""Which language a text is in: well enough to warn that a part of redraft does not know it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

_SAMPLE: Final = 20_000
_SCRIPTS: Final = (
    ("ja", "\u3041-\u3096\u30a1-\u30fa"),
    ("zh", "\u3400-\u4dbf\u4e00-\u9fff"),
    ("ko", "\uac00-\ud7a3\u1100-\u11ff"),
    ("ru", "\u0400-\u04ff"),
    ("el", "\u0370-\u03ff\u1f00-\u1fff"),
    ("he", "\u0590-\u05ff"),
    ("ar", "\u0600-\u06ff\u0750-\u077f"),
    ("hi", "\u0900-\u097f"),
    ("bn", "\u0980-\u09ff"),
    ("ta", "\u0b80-\u0bff"),
    ("th", "\u0e00-\u0e7f"),
    ("ka", "\u10a0-\u10ff"),
    ("hy", "\u0530-\u058f"),
)
_SCRIPT: Final = re.compile("|".join(f"(?P<{code}>[{characters}])" for code, characters in _SCRIPTS))
_WORD: Final = re.compile(r"[^\W\d_]+")
_SCRIPT_ENOUGH: Final = 4
_WORDS_ENOUGH: Final = 4

_COMMON: Final = {
    "en": """
        the of and to in is that it was for on are as with his they be at one have this from or had
        by but not what all were we when your can said there use an each which she do how their if
        will up other about out many then them these so some her would make like him into has more
        two who than been its my i you he our because very could should
    """,
    "de": """
        der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an
        werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum
        war haben nur oder aber vor zur bis mehr durch man sein wurde wir ich kann gegen vom können
        schon wenn
    """,
    "fr": """
        de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il
        sont la avec son mais comme ou si leur elle nous vous été être cette fait aux même d l qu c
        je ces ses tout deux où très sans entre
    """,
    "es": """
        de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le
        ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años
        hasta desde está mi porque qué
    """,
    "it": """
        di e il la che in a per un è del una non i le si con da come della sono dei nel alla più al
        ha anche gli lo ma o se dal delle ai questo suo stato della nella loro essere tra quando
        molto sua c l ci questa perché era
    """,
    "pt": """
        de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele
        das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela
        entre era depois sem mesmo aos são você
    """,
    "nl": """
        de en van het een in is dat op te zijn met voor niet die aan er om ook als dan maar bij nog
        uit door naar heeft hebben ik over wordt we deze tot je ze werd geen was kan worden zo wel
        meer hij waar moet deze veel onder mijn
    """,
}
_PROFILES: Final = {code: frozenset(words.split()) for code, words in _COMMON.items()}


def language(text: str) -> str | None:
    """The ISO 639-1 code of a text's language; None where it is too short, or none that is known."""
    sample = text[:_SAMPLE]
    scripts = Counter(match.lastgroup for match in _SCRIPT.finditer(sample))
    found = _WORD.findall(sample.lower())
    latin = sum(len(word) for word in found if word[0] < "\u0250")
    if scripts:
        if scripts["ja"] * 10 > scripts["zh"]:
            scripts["ja"] += scripts["zh"]  # Japanese is written with Chinese characters too
        code, count = scripts.most_common(1)[0]
        if count >= _SCRIPT_ENOUGH and count * 3 > latin:  # a Chinese word says more in fewer characters
            return _cyrillic(sample) if code == "ru" else code
    if len(found) < _WORDS_ENOUGH:
        return None
    scores = sorted(((sum(word in common for word in found), code) for code, common in _PROFILES.items()))
    (second, _), (best, code) = scores[-2:]
    if best * 8 < len(found) or best < 2 or best == second:
        return None
    return code


def _cyrillic(sample: str) -> str:
    return "uk" if re.search("[іїєґ]", sample.lower()) and not re.search("[ыэъ]", sample.lower()) else "ru"
