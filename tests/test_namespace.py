from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import redraft
from redraft import editor, errors, quality
from redraft.constraints import checking


def test_everything_public_is_there_and_sorted() -> None:
    assert redraft.__all__ == sorted(redraft.__all__)
    for name in redraft.__all__:
        assert getattr(redraft, name) is not None


def test_what_few_need_is_imported_late() -> None:
    code = (
        "import sys, redraft; print(*{'harper', 'torch', 'xllamacpp', 'redraft.quality'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "\n"
    assert redraft.Editor is editor.Editor
    assert redraft.QualityScorer is quality.QualityScorer
    assert not hasattr(redraft, "Nothing")


@pytest.mark.parametrize(
    ("job", "part", "name"),
    [("revise", "base", "How"), ("simplify", "policy", "Policy"), ("compose", "state", "Composition")],
)
def test_a_job_can_be_called_whatever_was_imported_first(job: str, part: str, name: str) -> None:
    code = f"import redraft; redraft.{name}; print(callable(redraft.{job}), redraft.{job}.{part}.__name__)"
    for first in ("pass", f"import redraft.{job}", f"from redraft.{job}.{part} import dataclass"):
        done = subprocess.run(
            [sys.executable, "-c", f"{first}; {code}"], capture_output=True, check=True, text=True
        )
        assert done.stdout == f"True redraft.{job}.{part}\n"


def test_every_exception_is_public_and_in_the_tree() -> None:
    drawn = set(re.findall(r"[├└]── (\w+)", errors.__doc__ or "")) | {"RedraftError"}
    defined = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    assert drawn == defined
    assert defined <= set(redraft.__all__)


def test_the_examples_in_docstrings_are_true() -> None:
    for module in (redraft, checking):
        failures, tried = doctest.testmod(module)
        assert tried
        assert not failures


def test_a_module_imports_only_from_the_floors_below() -> None:
    floors = [
        "text",
        "models",
        "constraints",
        "metrics",
        "quality",
        "judge",
        "editor",
        "revise",
        "simplify",
        "compose",
        "train",
        "bench",
        "cli",
    ]
    source = Path(redraft.__file__).parent
    for height, floor in enumerate(floors):
        for file in (source / floor).rglob("*.py"):
            imported = set(
                re.findall(r"^\s*(?:from|import) redraft\.(\w+)", file.read_text(encoding="utf-8"), re.M)
            )
            assert not imported & set(floors[height + 1 :]), f"{file} reaches up: {imported}"
