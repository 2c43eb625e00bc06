"""Files are read without loss, refused with reasons, and written whole or not at all."""

import contextlib
import io
import os
from pathlib import Path

import pytest

from redraft.errors import FileError
from redraft.text import check_writable, open_for_writing, read_text, write_text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"Hello.\n",
        b"\xef\xbb\xbfHello.\r\n",
        "naïve 你好 😀\r\n\r\n".encode(),
        b"a\rb\x0bc\x85".replace(b"\x85", b""),
    ],
)
def test_reading_and_writing_back_is_the_same_file(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    write_text(path, read_text(path))
    assert path.read_bytes() == data


def test_utf16_with_its_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("Grüße\r\n".encode("utf-16"))
    assert read_text(path) == "Grüße\r\n"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("Grüße aus Köln, schöne Straße".encode("cp1252"), "iconv -f WINDOWS-1252 -t UTF-8"),
        ("Привет, как дела? Сегодня хорошая погода.".encode("cp1251"), "WINDOWS-1251"),
        ("这是一个简单的测试文件，里面有中文。".encode("gb18030"), "GB18030"),
        ("これはテストです。ひらがなとカタカナ。".encode("shift_jis"), "SHIFT_JIS"),
        ("Hello, this is wide".encode("utf-16-le"), "UTF-16LE"),
        (b"\x00\x01\x02\xff\xfe\x00binary", "zero bytes"),
        (b"%PDF-1.7\n\xff", "pdftotext"),
        (b"PK\x03\x04\x14\x00", "office document"),
    ],
)
def test_what_is_no_utf8_is_refused_with_the_way_out(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "a file.txt"
    path.write_bytes(data)
    with pytest.raises(FileError, match=r"a file\.txt") as caught:
        read_text(path)
    assert told in str(caught.value)


def test_missing_folder_and_forbidden(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        read_text(tmp_path / "none.txt")
    with pytest.raises(FileError, match="is a folder"):
        read_text(tmp_path)
    with pytest.raises(FileError, match="is a folder"):
        write_text(tmp_path, "x")
    with pytest.raises(FileError, match="there is no folder"):
        write_text(tmp_path / "none" / "a.txt", "x")
    with pytest.raises(FileError, match="cannot be written: embedded null"):
        write_text("a\0b", "x")


def test_whether_a_text_can_be_written_is_known_before_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "target.txt")
    assert check_writable(link) == (tmp_path / "target.txt").resolve()
    assert not (tmp_path / "target.txt").exists()
    assert check_writable(os.devnull) == Path(os.devnull)
    for path, told in ((tmp_path, "is a folder"), (tmp_path / "none" / "a.txt", "there is no folder")):
        with pytest.raises(FileError, match=told):
            check_writable(path)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(FileError, match=r"you may not write there \(permission denied\)"):
        check_writable(link)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("né\r\n".encode())))
    assert read_text("-") == "né\r\n"


def test_writing_keeps_the_mode_and_follows_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.txt", "target.txt"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="no space left"):
        write_text(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_a_read_only_file_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o444)
    # Whoever runs the tests may be allowed everything.
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).stat().st_mode & 0o200 != 0)
    with pytest.raises(FileError, match="is read-only"):
        write_text(path, "new")
    assert path.read_text(encoding="utf-8") == "old"


def test_what_is_open_already_is_written_on_to(tmp_path: Path) -> None:
    reading, writing_end = os.pipe()
    write_text(f"/dev/fd/{writing_end}", "né")
    os.close(writing_end)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == "né".encode()
    log = tmp_path / "log.txt"
    log.write_text("old\n", encoding="utf-8")
    with log.open("ab") as file:  # as the shell's >> does for /dev/stdout
        write_text(f"/dev/fd/{file.fileno()}", "new\n")
    assert log.read_text(encoding="utf-8") == "old\nnew\n"
    with pytest.raises(FileError, match="no space left"):
        write_text("/dev/full", "x")


def test_text_that_is_no_unicode(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="character 2"):
        write_text(tmp_path / "a.txt", "a\ud800")


def test_lines_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_text("old", encoding="utf-8")
    with contextlib.suppress(RuntimeError), open_for_writing(path) as file:
        file.write("half")
        raise RuntimeError
    assert path.read_text(encoding="utf-8") == "old"
    assert [found.name for found in tmp_path.iterdir()] == ["lines.txt"]
    with open_for_writing(path) as file:
        file.writelines(["one\n", "twö\n"])
    assert path.read_bytes() == "one\ntwö\n".encode()
    with pytest.raises(FileError, match="there is no folder"), open_for_writing(tmp_path / "none" / "x"):
        pass
