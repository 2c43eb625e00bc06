from __future__ import annotations

import doctest
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import grimp
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


GRAPH = grimp.build_graph("redraft")
PACKAGES = sorted(path.parent.name for path in Path(redraft.__file__).parent.glob("*/__init__.pyi"))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_has_what_its_face_names(package: str) -> None:
    face = import_module(f"redraft.{package}")
    assert face.__all__
    for name in face.__all__:
        assert not isinstance(getattr(face, name), ModuleType), name


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


def test_a_package_is_used_by_its_face() -> None:
    deep = [
        f"{importer} imports {imported}"
        for package in PACKAGES
        for imported in GRAPH.find_descendants(f"redraft.{package}")
        for importer in GRAPH.find_modules_that_directly_import(imported)
        if not importer.startswith(f"redraft.{package}")
        and imported.removeprefix(f"redraft.{package}.") not in import_module(f"redraft.{package}").__all__
    ]
    assert not deep
