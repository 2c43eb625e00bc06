"""The language of a text, well enough to warn."""

import pytest

from redraft.text import is_english, language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("This is a short test of the language.", "en"),
        ("The committee had not yet decided what to do with it.", "en"),
        ("Das ist ein Test und nicht mehr als das.", "de"),
        ("C'est un test de la langue, et il est court.", "fr"),
        ("Esto es una prueba de la lengua y no es larga.", "es"),
        ("Questo è un test della lingua che non va.", "it"),
        ("Isto é um teste da língua que não vai.", "pt"),
        ("Dit is een test van de taal en niet meer.", "nl"),
        ("这是一个测试。", "zh"),
        ("これはテストです。", "ja"),
        ("이것은 테스트입니다.", "ko"),
        ("Это проверка языка.", "ru"),
        ("Це перевірка мови.", "uk"),
        ("Αυτό είναι ένα τεστ.", "el"),
        ("זה מבחן של השפה.", "he"),
        ("هذا اختبار للغة.", "ar"),
        ("यह भाषा का परीक्षण है।", "hi"),
        ("นี่คือการทดสอบภาษา", "th"),
        ("The word 你好 means hello in the language of China.", "en"),
        ("", None),
        ("Hello", None),
        ("12 34 56 78", None),
        ("Lorem ipsum dolor sit amet consectetur adipiscing elit", None),
    ],
)
def test_language(text: str, code: str | None) -> None:
    assert language(text) == code


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Mötet som var planerat till mars har flyttats, så de som vill delta måste anmäla sig.", False),
        ("Kokous siirretään myöhempään ajankohtaan, ja kaikki osallistujat saavat siitä sähköpostin.", False),
        (
            "The café in Zürich was closed, and so was the one in Malmö that we liked for its crème brûlée.",
            True,
        ),
        ("Lorem ipsum dolor sit amet consectetur adipiscing elit", True),
        ("Señor Müller", True),
    ],
)
def test_what_nobody_can_tell_is_english_unless_it_looks_foreign(text: str, english: bool) -> None:
    assert is_english(text) is english
