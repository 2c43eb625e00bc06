"""The pages and the README hold to the house style of this project."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from redraft.cli import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_holds_to_the_house_style(page: Path) -> None:
    result = CliRunner().invoke(app, ["check", str(page), "--house", str(ROOT / "docs" / "house.toml")])
    assert result.exit_code == 0, result.output
