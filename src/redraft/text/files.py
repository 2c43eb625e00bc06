"""Files: read without loss, written so that no crash leaves half a file, private to their owner, and locked.

A byte order mark of UTF-8 stays in the text as its first character (a Document holds it in its first gap),
and line ends stay as they are, so that what is read and written back is the same file.

What is kept between runs holds users' texts: it is for its owner's eyes alone. A link to a folder is followed
where it is the user's own; a link in the place of a file never is. What belongs to somebody else is refused:
they could read it, or put something else in its place.

The locks are ours and not those of filelock: a folder, or the very file that is written, is locked, and no
lock file is left beside it.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import os
import re
import shlex
import stat
import sys
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, BinaryIO, Final, TextIO

from redraft.errors import FileError, InputError

try:
    import fcntl
except ImportError:  # not on Windows, where a file cannot be opened twice for writing anyway
    fcntl = None  # type: ignore[assignment]

# The longer marks first: that of UTF-16 opens that of UTF-32.
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ZIP: Final = b"PK\x03\x04"
_SIGNATURES: Final = (
    (b"%PDF-", "a PDF; convert it with pdftotext first"),
    (_ZIP, "a zip archive or an office document; save it as .docx or plain text first"),
    (b"\xd0\xcf\x11\xe0", "an old .doc, or another office document; save it as .docx first"),
    (b"{\\rtf", "a rich-text document; save it as plain text first"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
)
_FREQUENT: Final = (
    ("WINDOWS-1251", frozenset("оеаинтсрвл")),
    ("KOI8-R", frozenset("оеаинтсрвл")),
    ("SHIFT_JIS", frozenset("のにはをたがでとしいるもなかす。、")),
    ("EUC-JP", frozenset("のにはをたがでとしいるもなかす。、")),
    ("EUC-KR", frozenset("이다는의을에가하고를은도지로어사한기")),
    ("GB18030", frozenset("的一是不了在有人我他这中大来上个国到，。")),
    ("BIG5", frozenset("的一是不了在有人我他這中大來上個國到，。")),
)
_SURE: Final = 0.18  # the share of frequent letters below which Western European is the better guess
_SAMPLE: Final = 1 << 16
_OPEN_ALREADY: Final = re.compile(r"/dev/(stdout|stderr|fd/(\d+))|/proc/self/fd/(\d+)")
"""Names for what this process has open: a terminal, a pipe, or a file that may be added to."""

_OTHERS: Final = 0o077
_OTHERS_WRITE: Final = 0o022
_INSTEAD: Final = "name a folder of your own with REDRAFT_CACHE_DIR"


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file, or of standard input where the path is `-`; that of a .docx as Markdown."""
    return decode_text(read_bytes(path), path)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file, or of standard input where the path is `-`."""
    name = _named(path)
    try:
        return sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
    except FileNotFoundError:
        raise FileError(f"{name}: there is no such file") from None
    except IsADirectoryError:
        raise FileError(f"{name} is a folder; name a file in it") from None
    except PermissionError:
        raise FileError(f"{name}: you may not read it (permission denied)") from None
    except (OSError, ValueError) as error:
        raise FileError(f"{name} cannot be read: {_reason(error)}") from None


def decode_text(data: bytes, path: str | os.PathLike[str]) -> str:
    """The text that was read from a path; FileError where it is none."""
    name = _named(path)
    if is_docx(data, path):
        from redraft.text.docx.reading import read_docx  # noqa: PLC0415  an optional part

        try:
            return read_docx(data).text
        except FileError as error:
            raise FileError(f"{name}: {error}") from None
    return _decoded(data, name)


def is_docx(data: bytes, path: str | os.PathLike[str]) -> bool:
    """Whether what was read is to be read as a .docx: by its name, or what is piped by how it opens."""
    return str(path).lower().endswith(".docx") or (str(path) == "-" and data.startswith(_ZIP))


def _named(path: str | os.PathLike[str]) -> str:
    return "standard input" if str(path) == "-" else str(path)


def write_text(path: str | os.PathLike[str], text: str, *, private: bool = False) -> None:
    """Write a text as UTF-8: whole or not at all, keeping the file's mode, through a link to its target.

    A private one takes the place of what is there, a link too, and nobody but its owner may read it.
    """
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise FileError(
            f"{path}: character {error.start + 1} of the text cannot be written as UTF-8"
        ) from None
    write_bytes(path, data, private=private)


def write_bytes(path: str | os.PathLike[str], data: bytes, *, private: bool = False) -> None:
    """The same for bytes."""
    with _write_errors(path), _beside(Path(path), 0o600) if private else _writing(path) as file:
        file.write(data)


def keep_copy(path: str | os.PathLike[str], data: bytes) -> Path:
    """Keep what a file held beside it, as FILE~, or FILE~2 and so on: no older copy is ever replaced."""
    target = Path(os.path.realpath(path))
    copy, number = target.with_name(f"{target.name}~"), 1
    with _write_errors(copy):
        while True:
            try:
                descriptor = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                break
            except FileExistsError:
                number += 1
                copy = target.with_name(f"{target.name}~{number}")
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        copy.chmod(_mode(target))
    return copy


def replace_surrogates(text: str) -> str:
    """Text that can be written: half a surrogate pair, which a model may give, becomes a replacement mark."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@contextlib.contextmanager
def open_for_writing(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """A file for lines that are written one by one; it takes its name once all of them are there."""
    with _writing(path) as file:
        lines = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
        try:
            yield lines
        finally:
            lines.detach()  # writes what it holds, and leaves the file open


def check_writable(path: str | os.PathLike[str]) -> Path:
    """The file that a text for this path would be written to; a FileError if it cannot be.

    Long work asks before it begins: nobody wants to hear of it afterwards.
    """
    with _write_errors(path):
        try:
            if _is_special(Path(path)):
                return Path(path)
            target = Path(os.path.realpath(path))
        except ValueError as error:
            raise FileError(f"{path} cannot be written: {_reason(error)}") from None
        if target.is_dir():
            raise FileError(f"{path} is a folder; name a file in it")
        if not target.parent.is_dir():
            raise FileError(f"{path}: there is no folder {target.parent}")
        if not os.access(target.parent, os.W_OK | os.X_OK):
            raise PermissionError
        if target.exists() and not os.access(target, os.W_OK):
            raise FileError(f"{path} is read-only: name another file, or allow it to be written")
        return target


@contextlib.contextmanager
def _writing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    target = check_writable(path)
    with _write_errors(path), _opened(target) if _is_special(target) else _beside(target) as file:
        yield file


def _is_special(path: Path) -> bool:
    """Whether it is a pipe, a device or open already: there is nothing to put in its place."""
    is_open = _OPEN_ALREADY.fullmatch(str(path)) is not None
    return is_open or (path.exists() and not path.is_file() and not path.is_dir())


def _opened(path: Path) -> BinaryIO:
    if (found := _OPEN_ALREADY.fullmatch(str(path))) is None:
        return path.open("wb")
    number = found[2] or found[3] or {"stdout": 1, "stderr": 2}[found[1]]
    return os.fdopen(os.dup(int(number)), "wb")


@contextlib.contextmanager
def _write_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except PermissionError:
        raise FileError(f"{path}: you may not write there (permission denied)") from None
    except OSError as error:
        raise FileError(f"{path} cannot be written: {_reason(error)}") from None


@contextlib.contextmanager
def _beside(target: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(_mode(target) if mode is None else mode)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    with contextlib.suppress(OSError):  # the new name is safe only once its folder is written; not all can be
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _mode(target: Path) -> int:
    with contextlib.suppress(FileNotFoundError):
        return stat.S_IMODE(target.stat().st_mode)
    return new_mode()


def new_mode() -> int:
    """The mode of a file that is made in the ordinary way; a temporary one is its owner's alone."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def _decoded(data: bytes, name: str) -> str:
    """The text in the bytes of a file; FileError where they are none, or not in Unicode."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError as error:
                raise FileError(
                    f"{name} opens like {encoding.upper()}, but breaks at byte {error.start}"
                ) from None
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            raise FileError(f"{name} is no text: it looks like {kind}")
    sample = data[:_SAMPLE]
    if b"\0" in sample:
        wide = _wide(sample)
        if wide is None:
            raise FileError(f"{name} is no text: it holds zero bytes, as binary files do")
        raise FileError(_convert(name, wide))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise FileError(f"{_convert(name, _likely(sample))} (byte {error.start} is not UTF-8)") from None


def _convert(name: str, encoding: str) -> str:
    source = "-" if name == "standard input" else shlex.quote(name)
    new = "text.utf8.txt" if name == "standard input" else f"{Path(name).stem}.utf8{Path(name).suffix}"
    return (
        f"{name} is not in UTF-8, but likely in {encoding}; convert it with: "
        f"iconv -f {encoding} -t UTF-8 {source} > {shlex.quote(new)}"
    )


def _wide(sample: bytes) -> str | None:
    """UTF-16 without its mark, told by zeros in every second byte."""
    half = len(sample) // 2
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > 0.4 * half and even < 0.05 * half:
        return "UTF-16LE"
    if even > 0.4 * half and odd < 0.05 * half:
        return "UTF-16BE"
    return None


def _likely(sample: bytes) -> str:
    """The likely encoding of text that is not UTF-8: the one that gives the most frequent letters."""
    best, likely = _SURE, ""
    # Where most letters are plain ones, the others are accents: western Europe, not another script.
    accents = sum(byte > 0x7F for byte in sample) < sum(
        byte < 0x80 and chr(byte).isalpha() for byte in sample
    )
    for encoding, frequent in () if accents else _FREQUENT:
        characters = [
            character for character in sample.decode(encoding, errors="replace") if character > "\x7f"
        ]
        share = sum(character in frequent for character in characters) / max(1, len(characters))
        if share > best:
            best, likely = share, encoding
    undefined = {0x81, 0x8D, 0x8F, 0x90, 0x9D}
    return likely or ("ISO-8859-1" if undefined.intersection(sample) else "WINDOWS-1252")


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


def make_private(folder: Path) -> None:
    """Make a folder, and all that lead to it, where they are missing; what is there stays as it is."""
    for missing in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        with contextlib.suppress(FileExistsError):  # another process may have been faster
            missing.mkdir(mode=0o700)


def private_folder(folder: Path, ours: Collection[str]) -> None:
    """Make a folder private, and all that is in it; OSError where it cannot be.

    One that was there before, and that others may look into, is only closed to them if it holds nothing but
    what is `ours`, by the beginnings of names: a user may have named a folder that is for other things too.
    """
    make_private(folder)
    if not hasattr(os, "geteuid"):  # Windows has no such modes, and keeps a user's folders to the user
        return
    for found in (folder.lstat(), folder.stat()):
        _check_owner(folder, found)
    mode = folder.stat().st_mode
    if not mode & _OTHERS:
        return
    if all(name.startswith(tuple(ours)) for name in os.listdir(folder)):
        _close(folder)
    elif mode & _OTHERS_WRITE:
        raise _refused(folder, f"others may write to it; {_INSTEAD}")


def private_file(path: Path) -> None:
    """Make a file that only its owner may read, or make sure that one is; OSError where it is another's.

    One that is there is not opened: whoever closes a file again gives up all locks of its process on it.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            raise _refused(path, "it is a link; delete it, or link its folder instead") from None
        _check_owner(path, found)
        if hasattr(os, "geteuid") and found.st_mode & _OTHERS:
            path.chmod(0o600)


def is_private(folder: Path) -> bool:
    """Whether a folder is there, and nobody but its owner may look into it."""
    return folder.is_dir() and not folder.stat().st_mode & _OTHERS


def _check_owner(path: Path, found: os.stat_result) -> None:
    # Root may use what others own: a folder that was lent to a container, say.
    if hasattr(os, "geteuid") and os.geteuid() not in (found.st_uid, 0):
        raise _refused(path, f"it belongs to another user; {_INSTEAD}")


def _close(folder: Path) -> None:
    """Take from others what they may do with a folder and all in it; links stay as they are."""
    folder.chmod(0o700)
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place, name)
            if not path.is_symlink():
                with contextlib.suppress(OSError):  # it may be gone by now, or another's
                    path.chmod(stat.S_IMODE(path.lstat().st_mode) & 0o700)


def _refused(path: Path, why: str) -> OSError:
    return OSError(errno.EPERM, why, str(path))


def lock(file: int | IO[bytes], path: Path, option: str) -> None:
    """Have an open file until it is closed; InputError where another process has it.

    Some file systems have no locks, or none on folders (NFS): there nobody is kept out.
    """
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
            return
        raise InputError(
            f"another process is writing {path}: wait for it, or choose another {option}"
        ) from None


@contextlib.contextmanager
def lock_folder(folder: Path, option: str) -> Iterator[None]:
    """Have a folder, which is made where there is none; nothing is left in it to tell."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = None if fcntl is None else os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise FileError(f"the folder {folder} cannot be made: {error.strerror}") from None
    try:
        if descriptor is not None:
            lock(descriptor, folder, option)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)
