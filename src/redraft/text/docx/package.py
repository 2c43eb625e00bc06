"""The .docx as a package: a zip of XML parts, which comes from a stranger.

Nothing in it is trusted: sizes are looked at before anything is unpacked, no name is a path, and XML with a
DOCTYPE is refused, so that there are no entities and nothing outside is ever asked for.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from redraft.errors import FileError, MissingExtra

try:
    from lxml import etree as etree  # noqa: PLC0414  the others take it from here
except ImportError:
    raise MissingExtra("a .docx file", "docx") from None

Element = etree._Element

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_STRICT: Final = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_RELATION: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_TYPE: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"

LARGEST: Final = 64 * 2**20
"""Bytes of a file, at the most."""
_LARGEST_UNPACKED: Final = 256 * 2**20
_LARGEST_PART: Final = 32 * 2**20
"""Of a part that is parsed."""
_MOST_PARTS: Final = 10_000
_SMALL: Final = 2**20  # a part below this harms nobody, however well it is packed
_RATIO: Final = 250  # the text of a large document is packed to a twentieth or so, a bomb to a thousandth

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SAVE_AS: Final = "open it in Word or LibreOffice and save it as .docx"


@dataclass(frozen=True, slots=True)
class Package:
    """A .docx: its parts, and which of them is the document."""

    parts: Mapping[str, bytes]
    main: str
    infos: tuple[zipfile.ZipInfo, ...]

    @property
    def document(self) -> Element:
        """The document, parsed anew."""
        root = parse_xml(self.parts[self.main], self.main)
        if root.tag == f"{{{_STRICT}}}document":
            raise FileError("the .docx is in the Strict form of Open XML: save it as an ordinary .docx first")
        if root.tag != f"{W}document" or root.find(f"{W}body") is None:
            raise FileError(f"the .docx is damaged: there is no Word document in {self.main}")
        return root

    def beside(self, name: str) -> Element | None:
        """A part in the folder of the document, such as styles.xml; None where there is none."""
        path = f"{self.main.rpartition('/')[0]}/{name}".lstrip("/")
        return parse_xml(self.parts[path], path) if path in self.parts else None

    def with_document(self, root: Element) -> bytes:
        """The package with another document; every other part has the bytes that it had."""
        tree = root.getroottree()
        data = etree.tostring(
            tree, xml_declaration=True, encoding="UTF-8", standalone=tree.docinfo.standalone is not False
        )
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for info in self.infos:
                part = zipfile.ZipInfo(info.filename, info.date_time)
                part.compress_type = info.compress_type
                part.external_attr = info.external_attr
                archive.writestr(part, data if info.filename == self.main else self.parts[info.filename])
        return packed.getvalue()


def open_package(data: bytes) -> Package:
    """The parts of a .docx; FileError where it is none, or where it would be unsafe to read."""
    if data.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise FileError("the .docx is encrypted: take its password off in Word first")
        raise FileError(f"this is an old .doc and no .docx: {_SAVE_AS}")
    if not data.startswith(b"PK"):
        raise FileError("this is no .docx: it is not a zip of XML, as they are")
    if len(data) > LARGEST:
        raise FileError(f"the .docx has more than {LARGEST >> 20} MB: take its pictures out, or split it")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = tuple(info for info in archive.infolist() if not info.is_dir())
            _check(infos)
            parts = {info.filename: _unpacked(archive, info) for info in infos}
    except (
        zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, NotImplementedError, RuntimeError
    ) as error:  # fmt: skip
        raise FileError(f"the .docx is damaged: {error}") from None
    return Package(parts, _find_main(parts), infos)


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """A part, no more of it than it says it has: without a size, far more is inflated before it is cut."""
    with archive.open(info) as part:
        return part.read(info.file_size)


def _check(infos: tuple[zipfile.ZipInfo, ...]) -> None:
    """Look at what a zip says of itself before anything is unpacked; no part gives more than it says."""
    if len(infos) > _MOST_PARTS:
        raise FileError(f"the .docx has more than {_MOST_PARTS} parts: it is refused")
    if len({info.filename for info in infos}) < len(infos):
        raise FileError("the .docx is damaged: it has two parts of one name")
    if sum(info.file_size for info in infos) > _LARGEST_UNPACKED:
        raise FileError(f"the .docx would unpack to more than {_LARGEST_UNPACKED >> 20} MB: it is refused")
    for info in infos:
        if info.flag_bits & 1:
            raise FileError("the .docx is encrypted: take its password off first")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FileError(f"the .docx is packed in a way that Word does not use ({info.filename})")
        if info.file_size > _SMALL and info.file_size > _RATIO * max(1, info.compress_size):
            raise FileError(f"the .docx is packed too well to be true ({info.filename}): it is refused")


def _find_main(parts: Mapping[str, bytes]) -> str:
    """The name of the document, by the relations of the package and its type."""
    if "[Content_Types].xml" not in parts or "_rels/.rels" not in parts:
        raise FileError(f"this is a zip, but no .docx: it has no list of parts; {_SAVE_AS}")
    targets = [
        relation.get("Target", "").lstrip("/")
        for relation in parse_xml(parts["_rels/.rels"], "_rels/.rels").iter(_RELATION)
        if relation.get("Type", "").endswith("/officeDocument")
    ]
    types = dict(_types(parse_xml(parts["[Content_Types].xml"], "[Content_Types].xml")))
    for target in targets:
        kind = types.get(target, "")
        if "macroEnabled" in kind or any(name.endswith("vbaProject.bin") for name in parts):
            raise FileError("the document has macros: save it as .docx, which has none")
        if target in parts and ("wordprocessingml" in kind or not kind):
            return target
    raise FileError(f"this is no .docx: there is no Word document in it; {_SAVE_AS}")


def _types(root: Element) -> Iterator[tuple[str, str]]:
    for one in root.iter(f"{_TYPE}Override"):
        yield one.get("PartName", "").lstrip("/"), one.get("ContentType", "")


def parse_xml(data: bytes, name: str) -> Element:
    """The root of a part: without entities, without a DTD, without the network, of bounded size and depth."""
    if len(data) > _LARGEST_PART:
        raise FileError(f"the .docx has more than {_LARGEST_PART >> 20} MB of text in {name}: split it")
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, remove_blank_text=False
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise FileError(f"the .docx is damaged: {name} is no XML ({error})") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise FileError(f"the .docx is refused: {name} has a DOCTYPE, which no .docx has")
    return root
