"""Small .docx files for tests, and what Word does when changes in one are accepted or rejected."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
_STYLES = (
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="Section"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>'
)
_NUMBERS = (
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>'
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
)


def make_docx(body: str) -> bytes:
    """A .docx with this body."""
    return zipped(make_parts(body))


def make_parts(body: str) -> dict[str, str | bytes]:
    """The parts of one."""
    return {
        "[Content_Types].xml": _HEAD + _TYPES,
        "_rels/.rels": _HEAD + _RELATIONS,
        "word/document.xml": f"{_HEAD}<w:document {_NAMESPACES}><w:body>{body}<w:sectPr/></w:body></w:document>",
        "word/styles.xml": f"{_HEAD}<w:styles {_NAMESPACES}>{_STYLES}</w:styles>",
        "word/numbering.xml": f"{_HEAD}<w:numbering {_NAMESPACES}>{_NUMBERS}</w:numbering>",
    }


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip of parts."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return packed.getvalue()


def parts_of(data: bytes) -> dict[str, bytes]:
    """The parts of a .docx."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def paragraph(*runs: str, style: str = "", number: str = "") -> str:
    """A paragraph of runs, each a text or XML; a style, or a numbering."""
    numbering = f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{number}"/></w:numPr>' if number else ""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    properties = f"<w:pPr>{named}{numbering}</w:pPr>" if named or numbering else ""
    return f"<w:p>{properties}{''.join(one if one.startswith('<') else run(one) for one in runs)}</w:p>"


def run(text: str, formatting: str = "") -> str:
    """A run of words in a formatting, such as b."""
    properties = f"<w:rPr><w:{formatting}/></w:rPr>" if formatting else ""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    return f'<w:r>{properties}<w:t xml:space="preserve">{escaped}</w:t></w:r>'


def accepted(data: bytes, author: str = "redraft") -> bytes:
    """The .docx with an author's changes accepted, as the standard says what that means."""
    return _settled(data, author, keep="ins", drop="del")


def rejected(data: bytes, author: str = "redraft") -> bytes:
    """The .docx with an author's changes rejected."""
    return _settled(data, author, keep="del", drop="ins")


def _settled(data: bytes, author: str, *, keep: str, drop: str) -> bytes:
    parts = parts_of(data)
    root = etree.fromstring(parts["word/document.xml"])
    gone = []
    for change in list(root.iter(f"{W}{drop}", f"{W}{keep}")):
        if change.get(f"{W}author") != author:
            continue
        parent = change.getparent()
        if parent.tag == f"{W}rPr":
            if change.tag == f"{W}{drop}":
                gone.append(parent.getparent().getparent())
        elif change.tag == f"{W}{keep}":
            for child in list(change):
                change.addprevious(child)
        parent.remove(change)
    for old, new in (("delText", "t"), ("delInstrText", "instrText")):
        for text in root.iter(f"{W}{old}"):
            if not any(up.tag == f"{W}del" for up in text.iterancestors()):
                text.tag = f"{W}{new}"
    for one in gone:  # without its mark, a paragraph goes on in the next
        following = one.getnext()
        left = [child for child in one if child.tag != f"{W}pPr"]
        if following is not None and following.tag == f"{W}p":
            at = 1 if following.find(f"{W}pPr") is not None else 0
            for child in reversed(left):
                following.insert(at, child)
            left = []
        if not left:
            one.getparent().remove(one)
    return zipped({**parts, "word/document.xml": etree.tostring(root)})
