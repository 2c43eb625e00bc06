"""What only a real process shows: pipes, Ctrl-C, the console script."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

REDRAFT = [sys.executable, "-m", "redraft"]


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_text("One more sentence. " * 20_000, encoding="utf-8")
    process = subprocess.Popen(
        [*REDRAFT, "sentences", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait(30)


def test_ctrl_c_ends_with_130(tmp_path: Path) -> None:
    # Reading standard input waits for ever; Ctrl-C ends it.
    process = subprocess.Popen(
        [*REDRAFT, "check", "-", "-i", "under 9 words"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    # Once it reads, it has set up all that Ctrl-C needs: what is written fills the pipe, and more goes in then.
    assert process.stdin is not None
    process.stdin.write(b"One more sentence. " * 50_000)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err


def test_output_is_utf8_whatever_the_locale_and_no_module_is_taken_from_here(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    for name in ("typer", "rich", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a stranger wrote this')\n")
    file.write_text("Café — 東京。", encoding="utf-8")
    done = subprocess.run(
        [*REDRAFT, "sentences", str(file)], capture_output=True, check=True, cwd=tmp_path,
        env={**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert "Café — 東京。" in done.stdout.decode("utf-8")
