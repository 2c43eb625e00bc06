from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from redraft.cli.app import app
from redraft.simplification.policy_files import policy_text


def redraft(*args: str, stdin: str = "") -> Result:
    """Run a command as a user would."""
    return CliRunner().invoke(app, args, input=stdin, catch_exceptions=False)


@pytest.mark.parametrize("args", [("policies",), ("policies", "list")])
def test_the_list_names_what_there_is(args: tuple[str, ...]) -> None:
    done = redraft(*args)
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["lexical", "rewrite"]


def test_what_is_shown_is_a_policy_to_start_from(tmp_path: Path) -> None:
    shown = redraft("policies", "show", "rewrite").stdout
    assert shown == policy_text("rewrite")
    (tmp_path / "mine.yaml").write_text(shown.replace("name: rewrite", "name: mine"), encoding="utf-8")
    done = redraft("policies", "check", str(tmp_path / "mine.yaml"))
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "mine can be used: Overall rewriting; the overall aspect decides\n"


def test_problems_are_errors_and_doubts_are_notes(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(policy_text("lexical").replace("      measure: split\n", ""), encoding="utf-8")
    done = redraft("policies", "check", str(file))
    assert done.exit_code == 0
    assert done.stderr == (
        "warning: principles.structural: 'long sentence split' names no measure: the rubric judge leaves it out\n"
    )
    file.write_text(policy_text("lexical").replace("points: 1", "points: one"), encoding="utf-8")
    done = redraft("policies", "check", str(file))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("should be a number from -5 to 5, not 'one'") == 3


def test_a_check_may_be_read_by_a_program() -> None:
    done = redraft("policies", "check", "-", "--json", stdin="name: x")
    assert done.exit_code == 2
    told = json.loads(done.stdout)
    assert told["usable"] is False
    assert {"line": 1, "place": "", "says": "title is missing"} in told["problems"]


def test_an_example_for_judges_is_drafted_for_a_person_to_judge() -> None:
    done = redraft("policies", "example", "He utilised it.", "He used it.", "It was used.")
    assert done.exit_code == 0, done.output
    drafted = done.stdout
    for blank, judged in (("lexical: ''", "lexical: So."), ("structural: ''", "structural: So."),
                          ("best: ''", "best: A"), ("worst: ''", "worst: B")):  # fmt: skip
        assert blank in drafted
        drafted = drafted.replace(blank, judged)
    told = redraft(
        "policies", "check", "-", stdin=f"{policy_text('rewrite').partition('judged:')[0]}judged:\n{drafted}"
    )
    assert told.exit_code == 0, told.output


def test_a_policy_that_is_not_there_is_bad_input() -> None:
    done = redraft("policies", "show", "lexcial")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "there is no policy 'lexcial'" in done.stderr
