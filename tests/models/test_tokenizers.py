"""Our tokenizers against the `tokenizers` library, on the files of both models."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import example, given, strategies as st
from tokenizers import Tokenizer

from redraft.models import convert, weights
from redraft.models.tokenization import _VISIBLE, BytePairEncoding, CharacterClass, WordPiece, members
from redraft.settings import load_settings

ROOT = load_settings().weights()
DROPPED_MARK = re.compile(f"[{members('mark')}]")
TEXTS = (
    "",
    "Statistical machine translation's results: it hasn't won, they'd 1,234.56 LOSSES!",
    "  two  spaces,\ttabs\r\n\r\n  and ends  ",
    "3 spaces   4, no-break\u00a0space, ideographic\u3000space, x² ½ Ⅷ ٣",
    "café cafe\u0301 Ünïcode İstanbul ΣΊΣΥΦΟΣ straße ﬁn Å \u212b a\u0323\u0307 ≠ =\u0338",
    "漢字かな交じり文 カ\u3099 한국어 각 नमस्ते ไทย עִבְרִית",
    "👩‍👩‍👧 👍🏽 zero\u200bwidth soft\u00adhyphen \ufeffmark \x00\x0b\x85\ufffd",
    "<|im_start|>user<|im_end|> <|endoftext|> [CLS] [SEP]x [[MASK]] [sep] [UNK][PAD]",
    "\x04\x06\x13 bytes that have no token \U000c0000",
    f"{'a' * 100} {'a' * 101} {'é' * 101}",
    "def f(x):\n    return {'a': [x, -1]}  # 'll 'LL ''s",
)
pieces = st.sampled_from([*(word for text in TEXTS for word in text.split()), " ", "  ", "\n", "'"])
texts = st.text() | st.lists(st.text(max_size=3) | pieces).map("".join)


@pytest.fixture(scope="module")
def bpe_file() -> Path:
    return weights.ensure(weights.SCORING, ROOT) / weights.TOKENIZER_FILE


@pytest.fixture(scope="module")
def bpe(bpe_file: Path) -> tuple[BytePairEncoding, Tokenizer]:
    return BytePairEncoding.from_file(bpe_file), Tokenizer.from_file(str(bpe_file))


@pytest.fixture(scope="module")
def wordpiece() -> tuple[WordPiece, Tokenizer]:
    path = weights.ensure(weights.EMBEDDING, ROOT) / weights.TOKENIZER_FILE
    library = Tokenizer.from_file(str(path))
    library.no_truncation()
    library.no_padding()
    return WordPiece.from_file(path), library


def same_bpe(pair: tuple[BytePairEncoding, Tokenizer], text: str) -> None:
    ours, library = pair
    tokens = ours.encode(text)
    assert tokens == library.encode(text).tokens
    assert [ours.decode(token) for token in tokens] == [library.decoder.decode([token]) for token in tokens]


def same_wordpiece(pair: tuple[WordPiece, Tokenizer], text: str) -> None:
    ours, library = pair
    found, expected = ours.encode(text), library.encode(text, add_special_tokens=False)
    assert found.ids == expected.ids
    if not any(map(is_kept_mark, text)):
        assert found.spans == expected.offsets


def is_kept_mark(char: str) -> bool:
    """A mark that WordPiece keeps: where NFD moves it, the library takes its neighbour's place for its own."""
    return unicodedata.combining(char) > 0 and not DROPPED_MARK.match(char)


@pytest.mark.parametrize("text", TEXTS)
def test_chosen_texts(
    bpe: tuple[BytePairEncoding, Tokenizer], wordpiece: tuple[WordPiece, Tokenizer], text: str
) -> None:
    same_bpe(bpe, text)
    same_wordpiece(wordpiece, text)


@given(text=texts)
def test_bpe_of_any_text(bpe: tuple[BytePairEncoding, Tokenizer], text: str) -> None:
    same_bpe(bpe, text)


@given(text=texts)
def test_wordpiece_of_any_text(wordpiece: tuple[WordPiece, Tokenizer], text: str) -> None:
    same_wordpiece(wordpiece, text)


@pytest.mark.parametrize("name", get_args(CharacterClass))
def test_characters_at_the_edges_of_their_class(
    bpe: tuple[BytePairEncoding, Tokenizer], wordpiece: tuple[WordPiece, Tokenizer], name: CharacterClass
) -> None:
    """Between letters, at the start of a word, before punctuation and alone."""
    edges = {int(digits, 16) for digits in re.findall(r"\\U(\w+)", members(name))}
    near = sorted({code + step for code in edges for step in (-1, 0, 1)} & set(range(0x110000)))
    chars = [chr(code) for code in near if not 0xD800 <= code <= 0xDFFF]
    text = "\n".join(f"a{char}{char}b  {char}! 1 {char} " for char in chars)
    same_bpe(bpe, text)
    same_wordpiece(wordpiece, text)


@pytest.mark.parametrize("text", ["ab" * 20_000, " " * 40_000 + "x", "e" + "\u0301\u0323" * 20_000])
def test_a_very_long_word(
    bpe: tuple[BytePairEncoding, Tokenizer], wordpiece: tuple[WordPiece, Tokenizer], text: str
) -> None:
    """A moment; with a cost that grows with the square of the length, it would be minutes."""
    same_bpe(bpe, text)
    same_wordpiece(wordpiece, text)


def test_half_a_character(
    bpe: tuple[BytePairEncoding, Tokenizer], wordpiece: tuple[WordPiece, Tokenizer]
) -> None:
    """The library refuses a lone surrogate; to us it is a character that cannot be read."""
    assert bpe[0].encode("a\ud800 b") == bpe[0].encode("a\ufffd b")
    assert wordpiece[0].encode("a\ud800 b") == wordpiece[0].encode("a\ufffd b")


@given(text=texts)
@example(text="\n".join(TEXTS))
def test_a_qwen2_s_pieces_are_the_library_s(qwen2: tuple[BytePairEncoding, Tokenizer], text: str) -> None:
    ours, library = qwen2
    assert ours.encode(text) == library.encode(text).tokens


@pytest.fixture(scope="module")
def qwen2(tmp_path_factory: pytest.TempPathFactory) -> tuple[BytePairEncoding, Tokenizer]:
    file = tmp_path_factory.mktemp("qwen2") / "tokenizer.json"
    merges = ["Ġ t", "h e", "Ġt he", "' l", "'l l", "1 2", "a a", "Ċ Ċ", "Ġ Ġ", "Ã ©"]
    tokens = [*_VISIBLE, *(merge.replace(" ", "") for merge in merges)]
    convert._save_byte_level_bpe(tokens, merges, file, is_qwen2=True)
    return BytePairEncoding.from_file(file), Tokenizer.from_file(str(file))


def test_the_file_we_write_is_the_library_s(bpe_file: Path, tmp_path: Path) -> None:
    written = bpe_file.read_text(encoding="utf-8")
    assert Tokenizer.from_file(str(bpe_file)).to_str(pretty=True) == written
    model = BytePairEncoding.from_file(bpe_file)
    merges = [" ".join(pair) for pair in model._ranks]
    tokens = list(Tokenizer.from_file(str(bpe_file)).get_vocab().items())
    names = [token for token, _ in sorted(tokens, key=lambda item: item[1])]
    convert._save_byte_level_bpe(names, merges, tmp_path / "tokenizer.json", is_qwen2=False)
    assert (tmp_path / "tokenizer.json").read_text(encoding="utf-8") == written
