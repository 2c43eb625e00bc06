from __future__ import annotations

import gzip
import json
from pathlib import Path

from typer.testing import CliRunner

from redraft.cli import app
from redraft.composition import Brief, Memory, SentenceChecker
from redraft.train import Passage, read_passages, read_taught, writer_rows
from redraft.train.composing import clean_run, headline, key_phrases

TREES = (
    "Street trees give shade to people who walk along hot pavements in summer. "
    "Their leaves cool the air by letting water pass into it all day long. "
    "Houses that stand behind a row of tall trees need less energy for cooling."
)
COSTS = (
    "Looking after a tree takes money every year, even when nothing seems to happen. "
    "Workers prune branches, water young roots and check old trunks for signs of rot. "
    "A city that saves on this work pays more when a branch falls in a storm."
)


def answers(*passages: Passage) -> list[str]:
    return [row["messages"][1]["content"] for row in writer_rows(passages)]


def test_a_paragraph_is_learnt_after_its_request() -> None:
    passage = Passage("article", "street trees", "Shade", (TREES, COSTS), ("shade", "cost"), ("", ""))
    first, second = writer_rows([passage])
    asked, answer = (message["content"] for message in first["messages"])
    assert answer == TREES
    assert 'the part "Shade" and says: shade.' in asked
    assert "about 40 words" in asked
    assert "It comes after: Houses that stand" in second["messages"][0]["content"]


def test_what_compose_would_not_let_stand_is_not_learnt() -> None:
    figure = "In 1987 the city planted 4,000 trees along its streets and squares."
    (kept,) = answers(Passage("article", "street trees", "Shade", (f"{figure} {TREES}",)))
    assert kept == TREES
    assert not answers(Passage("article", "street trees", "Shade", ("Trees are green. They grow.",)))
    (once,) = answers(Passage("article", "street trees", "Shade", (TREES, TREES)))
    assert once == TREES


def test_a_run_that_leans_on_what_is_gone_is_cut_at_its_head() -> None:
    standard = SentenceChecker(Brief("street trees", genre="article"))
    leaning = f"Their roots are often older than the houses beside them. {TREES}"
    assert " ".join(clean_run(leaning, standard, Memory())) == TREES


def test_what_a_text_speaks_of_most() -> None:
    assert "shade" in key_phrases("The shade is deep. People like shade and cool air.")
    assert headline(TREES)[0].isupper()
    assert headline("") == "Overview"


def test_passages_come_from_sets_and_from_a_teacher(tmp_path: Path) -> None:
    (tmp_path / "longform").mkdir()
    post = {"title": "Trees", "sections": [{"heading": "Shade", "blocks": [{"p": TREES}, {"list": ["a"]}]}]}
    with gzip.open(tmp_path / "longform/gov_posts.jsonl.gz", "wt") as file:
        file.write(json.dumps(post) + "\n" + json.dumps(post) + "\n")
    assert [(each.section, tuple(each.paragraphs)) for each in read_passages(tmp_path, most=1)] == [
        ("Shade", (TREES,))
    ]
    row = {"genre": "story", "subject": "a tree", "section": "Trouble", "text": f"{TREES}\n\n{COSTS}"}
    (tmp_path / "taught.jsonl").write_text(json.dumps(row | {"points": ["a", "b"], "angles": ["", ""]}))
    (taught,) = read_taught(tmp_path / "taught.jsonl")
    assert taught.paragraphs == [TREES, COSTS]
    assert taught.points == ["a", "b"]


def test_records_under_share_alike_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "prose").mkdir()
    with gzip.open(tmp_path / "prose/manuals.jsonl.gz", "wt") as file:
        for licence in ("CC BY-SA 2.5", "MIT"):
            file.write(json.dumps({"text": TREES, "licence": licence}) + "\n")
    assert len(list(read_passages(tmp_path))) == 1


def test_the_command_writes_what_is_learnt_and_keeps_out_what_is_tested(tmp_path: Path) -> None:
    row = {"genre": "article", "subject": "trees", "section": "Shade", "points": ["shade"], "angles": [""]}
    taught, tests = tmp_path / "taught.jsonl", tmp_path / "tests.jsonl"
    taught.write_text("".join(json.dumps(row | {"text": text}) + "\n" for text in (TREES, COSTS)))
    tests.write_text(json.dumps({"reference": COSTS}) + "\n")
    words = ["train", "writer-data", "--taught", str(taught), "--tests", str(tests), "--out", str(tmp_path)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    (learnt,) = (tmp_path / "train.jsonl").read_text().splitlines()
    assert json.loads(learnt)["messages"][1] == {"role": "assistant", "content": TREES}
    nothing = CliRunner().invoke(app, ["train", "writer-data", "--out", str(tmp_path)])
    assert nothing.exit_code == 2
    assert "nothing that was read" in nothing.output
