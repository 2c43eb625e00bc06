"""Draws the pictures of the documentation: a revision as a terminal shows it, and the floors of the package.

    python examples/pictures.py

The first runs `redraft revise` on the embedded model in a terminal of its own; the second reads the
imports (it needs grimp, which comes with the tools for testing).
"""

from __future__ import annotations

import ast
import fcntl
import io
import os
import pty
import struct
import sys
import termios
import tomllib
from html import escape
from pathlib import Path

import grimp
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "redraft"
PICTURES = ROOT / "docs" / "pictures"
WIDTH = 100
INSTRUCTION = (
    "Cut this below 150 words, keep the third sentence, every sentence under 25 words, never say 'leverage'."
)
SHOWN = f'$ redraft revise examples/memo.txt -i "{INSTRUCTION}"'


def in_a_terminal(*arguments: str) -> str:
    """What a command of redraft shows on a terminal, with its colours."""
    child, terminal = pty.fork()
    if not child:
        os.execv(sys.executable, [sys.executable, "-P", "-m", "redraft", *arguments])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 200, WIDTH, 0, 0))
    said = b""
    try:
        while block := os.read(terminal, 65536):
            said += block
    except OSError:  # how a terminal ends
        pass
    os.waitpid(child, 0)
    return said.decode()


def without_progress(said: str) -> str:
    """From the first word of the text on."""
    said = said.replace("\r\n", "\n")
    return said[said.index("Dear") :].rstrip()


def revision() -> str:
    """A revision with its findings."""
    command = [
        "revise",
        str(ROOT / "examples/memo.txt"),
        "--effort",
        "low",
        "--no-cache",
        "-o",
        os.devnull,
        "-i",
        INSTRUCTION,
    ]
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    console.print(Text(SHOWN, style="bold"))
    console.print(Text.from_ansi(without_progress(in_a_terminal(*command))))
    return console.export_svg(title="redraft", unique_id="revision")


def floors() -> str:
    """The packages, each above those that it imports from, with what their docstrings say of them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = [layer.replace("redraft.", "").split(" | ") for layer in settings["contracts"][0]["layers"]]
    graph = grimp.build_graph("redraft")
    parts = []
    y = 0
    for layer in layers:
        packages = [name for name in layer if (SOURCE / name).is_dir()]
        for name in packages:
            tree = ast.parse((SOURCE / name / "__init__.py").read_text(encoding="utf-8"))
            first = (ast.get_docstring(tree) or "").split("\n")[0].replace("`", "")
            files = len(graph.find_descendants(f"redraft.{name}")) + 1
            parts.append(
                f'<rect x="8" y="{y + 8}" width="150" height="34" rx="5"/>'
                f'<text class="name" x="83" y="{y + 30}">{escape(name)}</text>'
                f'<text x="172" y="{y + 23}">{escape(first)}</text>'
                f'<text class="small" x="172" y="{y + 38}">{files} files</text>'
            )
            y += 38
        y += 10 if packages else 0
    style = (
        "rect{fill:#f4f1ea;stroke:#8a7f6a}text{font:14px sans-serif;fill:#333}"
        ".name{font-weight:bold;text-anchor:middle}.small{font-size:11px;fill:#666}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 {y + 8}" role="img"'
        f' aria-label="The floors of redraft, the highest first">'
        f'<rect width="900" height="{y + 8}" style="fill:#fff;stroke:none"/>'
        f"<style>{style}</style>{''.join(parts)}</svg>\n"
    )


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for name, draw in {"floors": floors, "revision": revision}.items():
        (PICTURES / f"{name}.svg").write_text(draw(), encoding="utf-8")
        print(PICTURES / f"{name}.svg")
