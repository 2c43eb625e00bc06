"""Everything that ships and is no code is accounted for in NOTICE, and the package says so of itself."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENTRY = re.compile(r"^(src/redraft/\S+) \(([^)]+)\): \S", re.MULTILINE)
WRITTEN_HERE = (
    "*/prompts/*.md",
    "*/rubrics/*.toml",
    "*/recipes/*.toml",
    "*/policies/*.yaml",
    "*/adapters/*.md",
    "src/redraft/web/pages/*.js",
    "src/redraft/web/pages/*.css",
)
"""A star may stand for these, but for what lies in a folder `vendor`; whatever else there is may be of others, and is named one by one."""


def entries() -> dict[str, str]:
    return dict(ENTRY.findall((ROOT / "NOTICE").read_text(encoding="utf-8")))


def shipped() -> list[str]:
    found = (path for path in (ROOT / "src/redraft").rglob("*") if path.is_file())
    return sorted(
        path.relative_to(ROOT).as_posix()
        for path in found
        if path.suffix not in (".py", ".pyi", ".pyc") and not path.name.startswith(".")
    )


def names(expression: str) -> set[str]:
    return set(expression.split(" AND "))


def accounts_for(pattern: str, file: str) -> bool:
    if "/vendor/" not in file and any(fnmatchcase(file, written) for written in WRITTEN_HERE):
        return fnmatchcase(file, pattern)
    return file == pattern


def test_each_file_that_is_no_code_has_its_line_in_the_notice() -> None:
    missing = [file for file in shipped() if not any(accounts_for(pattern, file) for pattern in entries())]
    assert not missing, f"NOTICE has no line that says what they are, and under which licence: {missing}"


def test_each_line_of_the_notice_is_of_a_file() -> None:
    code = [path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob("*.py")]
    files = [*shipped(), *code]
    stale = [pattern for pattern in entries() if not any(accounts_for(pattern, file) for file in files)]
    assert not stale, f"NOTICE has lines of files that are not there: {stale}"


def test_a_file_of_data_is_not_accounted_for_by_a_star() -> None:
    assert accounts_for("src/redraft/*/prompts/*.md", "src/redraft/judge/prompts/score.md")
    assert not accounts_for("src/redraft/text/data/*", "src/redraft/text/data/new.txt")
    assert not accounts_for("src/redraft/models/adapters/*", "src/redraft/models/adapters/new.gguf")
    assert not accounts_for("src/redraft/web/pages/*.js", "src/redraft/web/pages/vendor/new.js")


def test_the_package_names_the_licences_of_the_notice_and_carries_their_texts() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    noticed = set.union(*(names(licence) for licence in entries().values()))
    assert names(project["license"]) == noticed
    texts = {path.stem for path in (ROOT / "LICENSES").iterdir()}
    assert texts == noticed - {"Apache-2.0"}, "LICENSE is the text of Apache-2.0"
    assert {"LICENSE", "NOTICE", "LICENSES/*"} == {*project["license-files"]}
