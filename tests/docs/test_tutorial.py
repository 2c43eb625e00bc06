"""The tutorial's commands are run, and print what the page says that they print."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
ROOT = DOCS.parent
PAGES = [*sorted(DOCS.glob("*.md")), ROOT / "README.md"]
FENCE = re.compile(r"(?:<!-- file: (?P<file>\S+) -->\n)?```(?P<kind>\w+)\n(?P<body>.*?)```", re.DOTALL)


def commands(body: str) -> list[tuple[str, str]]:
    """Pairs of a command and what it should print."""
    parts = re.split(r"^\$ (.*)\n", body, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def shell(command: str, folder: Path) -> str:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, text=True, encoding="utf-8", check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_the_page_shows_is_what_happens(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for block in FENCE.finditer(page.read_text(encoding="utf-8")):
        if block["file"]:
            (tmp_path / block["file"]).write_text(block["body"], encoding="utf-8")
        if block["kind"] == "console":
            script = ""
            for command, expected in commands(block["body"]):
                # `echo $?` speaks of the command before it, so they share a shell.
                script = f"{script} >/dev/null 2>&1; {command}" if command == "echo $?" else command
                assert shell(script, tmp_path) == expected, command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_on_the_page_is_true(page: Path) -> None:
    blocks = [
        block["body"]
        for block in FENCE.finditer(page.read_text(encoding="utf-8"))
        if block["kind"] == "python"
    ]
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.stem, str(page), 0)
    assert not doctest.DocTestRunner().run(test).failed


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"],
                         ids=lambda page: page.stem)  # fmt: skip
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_to_a_heading_find_it(page: Path) -> None:
    for target, heading in re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", page.read_text(encoding="utf-8")):
        there = (page.parent / target if target else page).read_text(encoding="utf-8")
        assert heading in anchors(there), f"{target}#{heading}"


def anchors(page: str) -> set[str]:
    """The headings of a page as links name them."""
    heads = re.findall(r"^#+ (.+)$", page, flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
