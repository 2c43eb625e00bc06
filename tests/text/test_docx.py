"""A .docx read as Markdown, and a revision of it written back."""

from __future__ import annotations

import contextlib
import random
import re
import shutil
import subprocess
import sys
import tracemalloc
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from lxml import etree
from tests.text.docx_files import (
    W,
    accepted,
    make_docx,
    make_parts,
    paragraph,
    parts_of,
    rejected,
    run,
    zipped,
)

from redraft.errors import FileError, MissingExtra
from redraft.text import Document, read_docx, write_docx
from redraft.text.docx import package
from redraft.text.docx.blocks import read_blocks, to_markdown

NOTE = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="2"/></w:r>'
FIELD = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> REF fig \\h </w:instrText></w:r>'
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>Figure 3</w:t></w:r>'
    '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
)
LINK = f'<w:hyperlink r:id="rId9">{run("the plan", "u")}</w:hyperlink>'
FORMULA = "<m:oMath><m:r><m:t>E=mc</m:t></m:r></m:oMath>"
PICTURE = "<w:r><w:drawing/></w:r>"
THEIRS = '<w:{0} w:id="7" w:author="Ann" w:date="2024-01-01T00:00:00Z">{1}</w:{0}>'
TABLE = (
    "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Name</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>A|B</w:t></w:r></w:p></w:tc>"
    "</w:tr></w:tbl>"
)
TODAY = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def text_of(*paragraphs: str) -> str:
    return read_docx(make_docx("".join(paragraphs))).text


def changed(body: str, after: str) -> tuple[bytes, str]:
    """A body with another text, and its document as XML; the laws hold."""
    data = make_docx(body)
    written = write_docx(data, after, date=TODAY)
    hold_laws(data, after, written)
    return written, parts_of(written)["word/document.xml"].decode()


def hold_laws(data: bytes, after: str, written: bytes) -> None:
    before = read_docx(data).text
    assert read_blocks(read_docx(written).text) == read_blocks(after)
    assert read_blocks(read_docx(accepted(written)).text) == read_blocks(after)
    assert read_docx(rejected(written)).text == before
    assert read_blocks(read_docx(write_docx(data, after, tracked=False)).text) == read_blocks(after)
    unchanged = {name: part for name, part in parts_of(data).items() if name != "word/document.xml"}
    assert unchanged.items() <= parts_of(written).items()


def words_in(xml: str, tag: str) -> list[str]:
    """The words of each deletion or insertion."""
    root = etree.fromstring(xml.encode())
    return ["".join(one.itertext()) for one in root.iter(f"{W}{tag}") if len(one)]


def test_kinds_of_paragraphs_are_marked_as_markdown_marks_them() -> None:
    text = text_of(
        paragraph("The title", style="H1"),
        paragraph("A ", run("bold", "b"), " word."),
        "<w:p/>",
        paragraph("A part", style="H2"),
        paragraph("one", number="1"),
        paragraph("two", number="1"),
        paragraph("first", number="2"),
        paragraph("second", number="2"),
        TABLE,
        paragraph("Contents .... 3", style="TOC1"),
    )
    assert text == (
        "# The title\n\nA bold word.\n\n## A part\n\n- one\n- two\n\n1. first\n2. second\n\n"
        "| Name | A\\|B |\n| --- | --- |\n"
    )


def test_what_word_wrote_around_the_words_is_no_text() -> None:
    was_item = '<w:pPrChange w:id="3" w:author="Ann"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:pPrChange>'
    drawing = (
        '<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps">'
        "<w:drawing><w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent></w:drawing></mc:Choice></mc:AlternateContent></w:r>"
    )
    control = "<w:sdt><w:sdtPr><w:text/></w:sdtPr><w:sdtContent><w:r><w:t>Ann Lee</w:t></w:r></w:sdtContent></w:sdt>"
    commented = '<w:commentRangeStart w:id="0"/><w:r><w:lastRenderedPageBreak/><w:t>today</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>'
    body = f'<w:p w:rsidR="00A1"><w:pPr>{was_item}</w:pPr>{run("Dear ")}{control}{run(", hello ")}<w:proofErr w:type="spellStart"/>{commented}{drawing}{run(".")}</w:p>'
    contents = (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
        f"<w:sdtContent>{paragraph('Part one .... 1')}</w:sdtContent></w:sdt>"
    )
    assert text_of(contents, body) == "Dear Ann Lee, hello today.\n"
    _, xml = changed(contents + body, "Dear Ann Lee, hello there.\r\n")
    assert (words_in(xml, "del"), words_in(xml, "ins")) == (["today"], ["there"])
    assert xml.index("commentRangeStart") < xml.index("today") < xml.index("commentRangeEnd")


def test_what_was_typed_is_no_mark_up() -> None:
    text = text_of(paragraph("1. Not *a* list # of [x](y) <b> $1 and a_b, C:\\*."), paragraph("- dash"))
    assert [one.text for one in Document(text, "markdown").sentences]
    assert read_blocks(text) == read_blocks(
        text_of(paragraph("1. Not *a* list # of [x](y) <b> $1 and a_b, C:\\*."), paragraph("- dash"))
    )
    assert read_blocks(text)[0].kind == "body"
    assert read_blocks(text)[1].plain == "- dash"


@settings(max_examples=80, deadline=None)
@given(st.text(st.sampled_from("ab1 .*_#[]()<>$`~\\|-=+!&;:\n\t"), max_size=25).map(str.strip))
def test_escaping_round_trip(plain: str) -> None:
    plain = re.sub(r"\s*\n\s*", "\n", plain)
    found = read_blocks(to_markdown(plain))
    assert [one.plain for one in found] == ([plain] if plain else [])
    assert all(one.kind == "body" for one in found)


def test_line_breaks_tabs_and_hyphens_are_text_and_hidden_text_is_not() -> None:
    runs = "<w:r><w:t>one</w:t><w:br/><w:t>two</w:t><w:tab/><w:t>well</w:t><w:noBreakHyphen/><w:t>known</w:t></w:r>"
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>"
    assert text_of(paragraph(runs, hidden, '<w:r><w:br w:type="page"/></w:r>')) == "one  \ntwo\twell‑known\n"


def test_what_others_have_tracked_is_read_as_accepted() -> None:
    deletion = THEIRS.format("del", "<w:r><w:delText>old </w:delText></w:r>")
    found = read_docx(make_docx(paragraph("A ", deletion, THEIRS.format("ins", run("new ")), "word.")))
    assert found.text == "A new word.\n"
    assert found.tracked == 2


def test_words_of_fields_over_several_paragraphs_are_no_text() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    assert (
        text_of(paragraph(begin, "Contents"), paragraph("a line"), paragraph(end), paragraph("Words."))
        == "Words.\n"
    )


def test_an_unchanged_text_gives_the_same_bytes() -> None:
    data = make_docx(paragraph("Some ", run("words", "i"), "."))
    assert write_docx(data, read_docx(data).text) == data


def test_words_are_tracked_and_keep_their_formatting() -> None:
    _, xml = changed(
        paragraph("We met in ", run("the old", "b"), " hall today."), "We met in the new hall today.\n"
    )
    assert words_in(xml, "del") == ["old"]
    assert words_in(xml, "ins") == ["new"]
    assert '<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">new</w:t></w:r></w:ins>' in xml
    assert 'w:author="redraft" w:date="2026-01-02T03:04:05Z"' in xml


def test_without_tracking_nothing_is_left_of_the_old_text() -> None:
    data = make_docx(paragraph("We met in ", run("the old", "b"), " hall.") + paragraph("Bye now."))
    xml = parts_of(write_docx(data, "We met in the new hall.\n", tracked=False))["word/document.xml"].decode()
    assert "w:del" not in xml
    assert "w:ins" not in xml
    assert "Bye" not in xml
    assert xml.count("<w:p>") == 1


def test_a_note_stays_with_its_words() -> None:
    _, xml = changed(
        paragraph("It rained all day.", NOTE, " We left."), "It rained the whole day. We left.\n"
    )
    assert not any(
        "footnoteReference" in etree.tostring(one).decode()
        for one in etree.fromstring(xml.encode()).iter(f"{W}del")
    )
    _, xml = changed(paragraph("We left. It rained all day.", NOTE), "We left.\n")
    assert "<w:footnoteReference" in xml.partition("<w:del ")[2].partition("</w:p>")[0]
    _, xml = changed(paragraph("It rained.", NOTE, " We left."), "It rained. It poured. We left.\n")
    assert xml.index("footnoteReference") < xml.index("poured")


def test_a_note_goes_with_its_sentence() -> None:
    body = paragraph("The weather was good. A second sentence stands here", NOTE, ". We left early.")
    _, xml = changed(body, "The weather was very fine. We left early.\n")
    assert words_in(xml, "del")[0] == "good"
    assert "<w:footnoteReference" in "".join(
        etree.tostring(one).decode() for one in etree.fromstring(xml.encode()).iter(f"{W}del")
    )


def test_new_words_after_a_link_are_no_part_of_it() -> None:
    _, xml = changed(paragraph("See ", LINK, " now."), "See the plan of May now.\n")
    assert "of" not in xml.partition("<w:hyperlink")[2].partition("</w:hyperlink>")[0]
    _, xml = changed(paragraph("See ", LINK, " now."), "See the old plan now.\n")
    assert "old" in xml.partition("<w:hyperlink")[2].partition("</w:hyperlink>")[0]


def test_fields_and_equations_stay_or_go_as_one() -> None:
    body = paragraph("As ", FIELD, " shows, ", FORMULA, " holds.")
    assert text_of(body) == "As Figure 3 shows, $E=mc$ holds.\n"
    _, xml = changed(body, "As Figure 3 says, $E=mc$ holds.\n")
    assert words_in(xml, "del") == ["shows"]
    _, xml = changed(body, "As Figure 4 shows, $E=mc$ holds.\n")
    assert "delInstrText" in xml
    assert "Figure 4" in words_in(xml, "ins")
    changed(body, "As Figure 3 shows, it holds.\n")


def test_pictures_stay() -> None:
    _, xml = changed(paragraph("A picture", PICTURE, " of a cat.") + paragraph("The end."), "The end.\n")
    assert "w:drawing" in accepted_xml(xml)


def accepted_xml(xml: str) -> str:
    return parts_of(accepted(zipped({"word/document.xml": xml})))["word/document.xml"].decode()


def test_paragraphs_are_inserted_deleted_joined_and_parted() -> None:
    body = (
        paragraph("Heading", style="H1")
        + paragraph("One sentence here. And two more.")
        + paragraph("Third one stands.")
    )
    written, xml = changed(
        body, "# Heading\n\nOne sentence here.\n\nAnd two more.\n\nThird one stands.\n\n# New part\n"
    )
    assert '<w:pStyle w:val="H1"/><w:rPr><w:ins' in xml
    assert parts_of(accepted(written))["word/document.xml"].count(b"<w:p>") == 5
    changed(body, "# Heading\n\nOne sentence here. And two more. Third one stands.\n")
    changed(body, "# Heading\n\nThird one stands.\n")
    changed(body, "Quite another text.\n")
    changed(body, "Third one stands.\n\nOne sentence here. And two more.\n\n# Heading\n")


def test_tables_stay_whatever_the_text_says() -> None:
    data = make_docx(paragraph("Before it.") + TABLE + paragraph("After it."))
    written = write_docx(data, read_docx(data).text.replace("Name", "Nome").replace("Before", "Well before"))
    assert "Well before it" in read_docx(written).text
    assert "| Name |" in read_docx(written).text


def test_changes_of_others_stay_theirs() -> None:
    body = paragraph(
        "We ",
        THEIRS.format("ins", run("really and truly ")),
        THEIRS.format("del", "<w:r><w:delText>once</w:delText></w:r>"),
        "met.",
    )
    written, _ = changed(body, "We really, honestly and fully met.\n")
    both = read_docx(accepted(accepted(written), "Ann")).text
    assert both == "We really, honestly and fully met.\n"
    assert read_docx(rejected(rejected(written), "Ann")).text == "We oncemet.\n"


def test_a_mark_of_a_section_is_never_deleted() -> None:
    section = "<w:p><w:pPr><w:sectPr/></w:pPr><w:r><w:t>Last words.</w:t></w:r></w:p>"
    _, xml = changed(section + paragraph("More."), "More.\n")
    assert xml.count("<w:sectPr") == 2


WORDS = [
    "the",
    "a",
    "cat",
    "sat",
    "on",
    "mat",
    "and",
    "then",
    "it",
    "rained.",
    "We",
    "left",
    "early,",
    "as",
    "planned.",
    "No",
    "one",
    "knew",
    "why",
]
PARTS = (NOTE, FIELD, LINK, FORMULA, PICTURE, THEIRS.format("ins", run("added words ")))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 32))
def test_any_revision_can_be_accepted_and_rejected(seed: int) -> None:
    draw = random.Random(seed)
    body = "".join(drawn_paragraph(draw) for _ in range(draw.randint(1, 6)))
    data = make_docx(body)
    after = revised(read_docx(data).text, draw)
    hold_laws(data, after, write_docx(data, after))


def drawn_paragraph(draw: random.Random) -> str:
    if draw.random() < 0.1:
        return TABLE
    runs = []
    for _ in range(draw.randint(1, 5)):
        words = " ".join(draw.choices(WORDS, k=draw.randint(1, 4)))
        runs.append(run(words + draw.choice(("", " ", "* ", "_")), draw.choice(("", "b", "i"))))
        if draw.random() < 0.3:
            runs.append(draw.choice(PARTS))
    kind = draw.random()
    return paragraph(*runs, style="H1" if kind < 0.15 else "", number=draw.choice("12") if kind > 0.7 else "")


def revised(text: str, draw: random.Random) -> str:
    """A text with some words replaced, left out or new, and some paragraphs parted, joined, new or gone."""
    blocks = []
    for block in text.strip("\n").split("\n\n"):
        if not block.startswith("|"):
            if draw.random() < 0.15:
                continue
            words = block.split(" ")
            for place in range(len(words) - 1, -1, -1):
                chance = draw.random()
                if chance < 0.1 and words[place].isalpha():
                    words[place] = draw.choice(WORDS)
                elif chance < 0.2 and words[place].isalpha():
                    del words[place]
                elif chance < 0.25 and place:
                    words.insert(place + 1, draw.choice(("quite", "rather so,", "then\n\nanew")))
            blocks.append(" ".join(words))
        else:
            blocks.append(block)
        if draw.random() < 0.1:
            blocks.append(" ".join(draw.choices(WORDS, k=5)))
    return draw.choice(("\n\n", "\n\n", " ")).join(blocks) if "|" not in text else "\n\n".join(blocks)


def test_without_lxml_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("redraft.text.docx")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "lxml", None)
    for name in ("reading", "writing"):
        with pytest.raises(MissingExtra, match=re.escape("pip install 'redraft[docx]'")):
            import_module(f"redraft.text.docx.{name}")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"no zip at all", "no .docx"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "old .doc"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (zipped({"a.txt": "hello"}), "no .docx"),
        (make_docx("<w:p/>")[:-30], "damaged"),
        (make_docx("<w:p>"), "damaged: word/document.xml is no XML"),
        (zipped({**make_parts(""), "word/vbaProject.bin": b"x"}), "macros"),
        (zipped({**make_parts(""), "word/document.xml": "<x/>"}), "no Word document"),
        (zipped({**make_parts(""), "word/document.xml": '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'}), "DOCTYPE"),
        (zipped({**make_parts(""), "word/styles.xml": '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>'}), "DOCTYPE"),
        (zipped({**make_parts(""), "word/media/bomb": b"\0" * (1 << 21)}), "too well"),
    ],
)  # fmt: skip
def test_what_is_no_safe_docx_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(FileError, match=re.escape(said)):
        read_docx(data)


def test_a_part_that_lies_about_its_size_is_not_unpacked() -> None:
    size = 1 << 25
    data = zipped({**make_parts(""), "word/media/bomb": b"\0" * size})
    lying = data.replace(size.to_bytes(4, "little"), (60_000).to_bytes(4, "little"))
    assert lying != data
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match="damaged"):
            read_docx(lying)
        assert tracemalloc.get_traced_memory()[1] < size / 8
    finally:
        tracemalloc.stop()


def test_size_and_number_of_parts_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    data = make_docx(paragraph("Words."))
    for name, limit in (
        ("LARGEST", 100),
        ("_LARGEST_UNPACKED", 100),
        ("_LARGEST_PART", 100),
        ("_MOST_PARTS", 2),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(package, name, limit)
            with pytest.raises(FileError):
                read_docx(data)


def test_an_encrypted_part_is_refused() -> None:
    data = bytearray(make_docx(paragraph("Words.")))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(FileError, match="encrypted"):
        read_docx(bytes(data))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2000), st.binary(min_size=1, max_size=8))
def test_a_damaged_file_is_read_or_refused(place: int, bits: bytes) -> None:
    data = bytearray(make_docx(paragraph("Some ", run("words", "i"), ".") + TABLE))
    place %= len(data)
    data[place : place + len(bits)] = bits
    with contextlib.suppress(FileError):
        read_docx(bytes(data))


@pytest.mark.skipif(
    shutil.which("soffice") is None, reason="needs LibreOffice: apt-get install libreoffice-writer-nogui"
)
def test_libreoffice_reads_the_changes_as_changes(tmp_path: Path) -> None:
    body = paragraph("The title", style="H1") + paragraph("We ", run("met", "b"), " in ", LINK, " today.")
    data = make_docx(body + TABLE + paragraph("one", number="1") + paragraph("two", number="1"))
    after = read_docx(data).text.replace("today", "yesterday").replace("- two\n", "- two\n\nA new end.\n")
    file = tmp_path / "written.docx"
    file.write_bytes(write_docx(data, after.replace("- one\n", "")))
    words = [
        "soffice",
        f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}",
        "--headless",
        "--convert-to",
        "docx",
    ]
    subprocess.run([*words, "--outdir", str(tmp_path / "out"), str(file)], check=True, capture_output=True)
    converted = (tmp_path / "out" / "written.docx").read_bytes()
    xml = parts_of(converted)["word/document.xml"].decode()
    assert {"today", "one"} <= set(words_in(xml, "del"))
    assert {"yesterday", "A new end."} <= set(words_in(xml, "ins"))
    assert read_docx(rejected(converted)).text == read_docx(data).text
