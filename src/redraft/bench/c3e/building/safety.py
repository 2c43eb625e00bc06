"""What must not be published: personal data, by rule and by a model's verdict, and what does harm."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from redraft.bench.c3e.building.asking import Unusable, settled
from redraft.bench.c3e.reading import Language
from redraft.judge import tagged
from redraft.models import Models
from redraft.runs import Record

_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONES: Final = (
    re.compile(r"(?<![\w.])\+\d{1,3}[\s.-]?\(?\d{1,4}\)?(?:[\s.-]?\d{2,4}){2,4}(?!\w)"),
    re.compile(r"(?<![\w.-])(?:\(\d{2,4}\)\s?|\d{3,4}[.-])\d{3,4}[.-]\d{4}(?![\w-])"),
    re.compile(r"(?<!\d)1[3-9]\d{9}(?!\d)"),
    re.compile(r"(?i)(?:\btel|\bphone|\bmobile|电话|手机)[^\d\n]{0,8}\+?\d(?:[ ().-]{0,2}\d){6,}"),
)
_SOCIAL: Final = re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])")
_CHINESE: Final = re.compile(r"(?<!\d)\d{17}[\dXx](?![\dXx])")
_CARD: Final = re.compile(r"(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])")
_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def personal(text: str) -> str | None:
    """What personal data a text holds, by the rules for addresses and numbers; None where they see none."""
    if _EMAIL.search(text):
        return "e-mail address"
    if _SOCIAL.search(text) or any(_is_identity(number) for number in _CHINESE.findall(text)):
        return "identity number"
    if any(_is_card(match[0]) for match in _CARD.finditer(text)):
        return "card number"
    if any(phone.search(text) for phone in _PHONES):
        return "phone number"
    return None


def _is_identity(number: str) -> bool:
    """Whether the last digit of a Chinese identity number is the one that the others call for."""
    total = sum(int(digit) * weight for digit, weight in zip(number, _WEIGHTS, strict=False))
    return "10X98765432"[total % 11] == number[-1].upper()


def _is_card(number: str) -> bool:
    """Whether the digits are those of a payment card (Luhn)."""
    digits = [int(digit) for digit in number if digit.isdigit()][::-1]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return len(set(digits)) > 1 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


class _Verdict(BaseModel):
    reason: str
    personal_data: bool
    harmful: bool


@dataclass(frozen=True, slots=True)
class CheckSafety:
    """Whether a record may be published."""

    text: str
    lang: Language

    async def do(self, models: Models) -> Record:
        """Look by rule, then ask; Unusable says what is there."""
        if found := personal(self.text):
            raise Unusable(f"personal data: {found}")
        said = await settled(
            models.for_role("model"),
            "safety",
            self.lang,
            tagged("text", self.text),
            _Verdict,
            lambda _: None,
        )
        if said.personal_data or said.harmful:
            kind = "personal data" if said.personal_data else "harmful"
            raise Unusable(f"{kind}: {said.reason}")
        return {"safe": True}
