"""The commands and the Python of the pages are run, and print what the pages say that they print.

A block after `<!-- a model's words: … -->` shows words that a model chose, and on another processor it may choose
others: what such a block prints is held to what was asked for, and not to the page.
"""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import redraft
from redraft.models.llama import close_engines
from tests.docs.in_process import Shell

DOCS = Path(__file__).parents[2] / "docs"
ROOT = DOCS.parent
PAGES = [*sorted(DOCS.glob("*.md")), ROOT / "README.md"]
FENCE = re.compile(
    r"(?P<model><!-- a model's words: .*? -->\n)?(?:<!-- file: (?P<file>\S+) -->\n)?"
    r"```(?P<kind>\w+)\n(?P<body>.*?)```",
    re.DOTALL,
)
MODELS_WORDS = doctest.register_optionflag("MODELS_WORDS")


@pytest.fixture(scope="module", autouse=True)
def engines() -> Iterator[None]:
    yield
    close_engines()


def commands(body: str) -> list[tuple[str, str]]:
    """Pairs of a command and what it should print."""
    parts = re.split(r"^\$ (.*)\n", body, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_the_page_shows_is_what_happens(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    status = 0
    with Shell(tmp_path) as shell:
        for block in FENCE.finditer(page.read_text(encoding="utf-8")):
            if block["file"]:
                (tmp_path / block["file"]).write_text(block["body"], encoding="utf-8")
            for command, expected in commands(block["body"]) if block["kind"] == "console" else ():
                if command == "echo $?":
                    assert f"{status}\n" == expected
                    continue
                status, printed = shell.run(command)
                if block["model"]:
                    assert status == 0, printed
                    obeys(command, printed, tmp_path)
                else:
                    assert printed == expected, command


def obeys(command: str, printed: str, folder: Path) -> None:
    """What a command printed keeps all numbers, and is as its instruction says."""
    assert printed.strip(), command
    words = shlex.split(command)
    if not {"revise", "simplify"} & set(words) or "--quiet" not in words:
        return
    file = words[words.index("redraft") + 2]
    original = words[1] if file == "-" else (folder / file).read_text(encoding="utf-8")
    asked = words[words.index("-i") + 1] if "-i" in words else ""
    assert printed.strip() != original.strip(), command
    for constraints in (asked, ['preserve_check("numbers")']):
        found = redraft.check(printed, constraints, original=original)
        assert found.met, (command, printed, found)


class Checker(doctest.OutputChecker):
    """Holds everything to the page but what a model says, which is only to be something."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(want, got, optionflags) or bool(
            optionflags & MODELS_WORDS and want and got
        )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_on_the_page_is_true(page: Path) -> None:
    examples = []
    for block in FENCE.finditer(page.read_text(encoding="utf-8")):
        if block["kind"] == "python":
            found = doctest.DocTestParser().get_examples(block["body"])
            for example in found:
                example.options[MODELS_WORDS] = bool(block["model"])
            examples += found
    test = doctest.DocTest(examples, {}, page.stem, str(page), 0, None)
    assert not doctest.DocTestRunner(Checker()).run(test).failed


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
