"""How many small faults in the code the tests catch.

    python benchmarks/mutation.py constraints metrics --tests "tests/constraints tests/metrics"
    python benchmarks/mutation.py models/cache.py:120 --tests tests/models/test_cache.py

A mutant is the package with one small change: another comparison, a number one higher, an argument or a
statement left out. Mutants are drawn by the seed, of each file as many as it has a share of the lines; of a
file with a line, all those of that line. Each runs in a process of its own, against the tests that enter the
changed function and then those that enter the module, the quickest first, up to the first failure. Nothing is
written: the mutant takes the place of the module as it is imported. (A test that starts another process
cannot see it there.) One that takes three times as long as all its tests should is caught, too.

The tests first run once without a change, to see what they enter; one that fails then is left out. Hypothesis
draws the same examples each time, so that a run can be repeated.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import importlib.util
import json
import os
import random
import resource
import shlex
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, FrameType

import pytest
from hypothesis import HealthCheck, Phase, settings

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "redraft"
MEMORY = 8 * 2**30
SWAPS: Mapping[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or,
    ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}  # fmt: skip
UNSEEN = {"annotation", "returns", "decorator_list", "format_spec", "bases"}
"""Parts of the syntax that are not changed: what only a type checker or a clock would notice."""
TYPING = {"TypeVar", "Literal", "cast", "__all__", "TYPE_CHECKING"}
HOW = ("-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning",
       "--hypothesis-profile", "mutation")  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    file: Path
    line: int
    scope: int
    """The first line of the function with the change; 0 outside all functions."""
    what: str
    text: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(PACKAGE)}:{self.line}  {self.what}"


def changed(node: ast.AST) -> Iterator[ast.AST]:
    """What a node may be replaced by."""

    def like(**fields: object) -> ast.AST:
        found = copy.copy(node)
        vars(found).update(fields)
        return found

    def without(name: str, places: Sequence[int]) -> Iterator[ast.AST]:
        items = getattr(node, name)
        return (like(**{name: items[:at] + items[at + 1 :]}) for at in places)

    if type(node) in SWAPS:
        yield SWAPS[type(node)]()
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Constant(value=str(value)):
            yield ast.Constant("XX" if value != "XX" else "")
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.BoolOp(values=values):
            yield from values if len(values) == 2 else without("values", range(len(values)))
        case ast.If() | ast.IfExp():
            yield from (like(test=ast.Constant(value)) for value in (True, False))
        case ast.While():
            yield like(test=ast.Constant(False))
        case ast.comprehension(ifs=ifs):
            yield from without("ifs", range(len(ifs)))
        case ast.Call(args=args, keywords=keywords):
            yield from without("keywords", [i for i, k in enumerate(keywords) if not _is_unseen(k)])
            yield from without("args", [len(args) - 1] if len(args) > 1 else [])
        case ast.Slice():
            yield from (like(**{name: None}) for name in ("lower", "upper") if getattr(node, name))
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Await() | ast.YieldFrom()) | ast.AugAssign() | ast.Raise():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()


@dataclass(frozen=True)
class Place:
    """Where a node stands in its tree."""

    owner: ast.AST
    name: str
    index: int | None
    line: int
    scope: int

    def put(self, node: ast.AST) -> None:
        """Let a node stand there."""
        if self.index is None:
            setattr(self.owner, self.name, node)
        else:
            getattr(self.owner, self.name)[self.index] = node


def places(node: ast.AST, line: int = 0, scope: int = 0) -> Iterator[tuple[Place, ast.AST]]:
    """Every place of a tree that may be changed, with what stands there."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        scope = min(each.lineno for each in (node, *node.decorator_list))
    for name, value in ast.iter_fields(node):
        many = isinstance(value, list)
        for index, child in enumerate(value if many else [value]):
            if name in UNSEEN or not isinstance(child, ast.AST) or _is_unseen(child):
                continue
            here = getattr(child, "lineno", line)
            yield Place(node, name, index if many else None, here, scope), child
            yield from places(child, here, scope)


def _is_unseen(node: ast.AST) -> bool:
    """Whether it is a docstring, typing, or a check that a sound programme never fails."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assert() | ast.keyword(arg="strict"):
            return True
        case ast.Call(func=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)):
            return name in TYPING
        case ast.If(test=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return name in TYPING
    return False


def mutants_of(file: Path) -> list[Mutant]:
    """All mutants of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found = []
    for place, node in places(tree):
        for new in changed(node):
            what = f"{_shown(node)}  →  {_shown(new)}"
            place.put(new)
            found.append(Mutant(file, place.line, place.scope, what, ast.unparse(tree)))
            place.put(node)
    return found


def _shown(node: ast.AST) -> str:
    if isinstance(node, ast.If | ast.While):
        return f"{type(node).__name__.lower()} {ast.unparse(node.test)}"
    if isinstance(node, ast.cmpop | ast.boolop | ast.operator):
        return type(node).__name__
    return " ".join(ast.unparse(node).split())[:90]


def drawn(names: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """The mutants to try."""
    found: list[Mutant] = []
    lines: dict[Path, int] = {}
    for name in names:
        path, _, line = name.partition(":")
        start = PACKAGE / path
        if line:
            found += [each for each in mutants_of(start) if each.line == int(line)]
            continue
        for file in sorted(start.rglob("*.py")) if start.is_dir() else [start]:
            lines[file] = len(file.read_text(encoding="utf-8").splitlines())
    seen = taken = 0
    for file, size in lines.items():
        seen += size
        share = round(count * seen / sum(lines.values())) - taken
        pool = mutants_of(file)
        chosen = random.Random(f"{seed} {file.relative_to(PACKAGE)}").sample(pool, min(share, len(pool)))
        taken += len(chosen)  # what a file cannot give, the next one does
        found += chosen
    return found


@dataclass(eq=False)
class Reach:
    """A plugin of pytest: which functions each test enters, and how long it takes."""

    files: frozenset[str]
    entered: dict[str, set[tuple[str, int]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Watch a test, its fixtures included."""
        codes: set[CodeType] = set()

        def trace(frame: FrameType, event: str, value: object) -> None:
            codes.add(frame.f_code)

        start = time.process_time()
        threading.settrace(trace)
        sys.settrace(trace)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            self.seconds[item.nodeid] = time.process_time() - start
            reached = {(each.co_filename, each.co_firstlineno) for each in codes}
            self.entered[item.nodeid] = {each for each in reached if each[0] in self.files}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what fails."""
        if report.failed:
            self.failed.add(report.nodeid)

    def order(self, mutant: Mutant) -> list[str]:
        """The tests that may catch a mutant, the likeliest first; all, if it is in no function."""
        quick = sorted(self.entered.keys() - self.failed, key=lambda test: self.seconds[test])
        near = [test for test in quick if (str(mutant.file), mutant.scope) in self.entered[test]]
        module = [test for test in quick if any(path == str(mutant.file) for path, _ in self.entered[test])]
        return list(dict.fromkeys([*near, *module, *(() if near and mutant.scope else quick)]))


@dataclass(eq=False)
class Chosen:
    """A plugin of pytest: only these tests, in this order."""

    order: Mapping[str, int]

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the others."""
        items[:] = sorted((i for i in items if i.nodeid in self.order), key=lambda i: self.order[i.nodeid])


@dataclass(frozen=True)
class InPlace:
    """A finder of modules that gives a mutant where its file is asked for."""

    mutant: Mutant

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The mutant, for its own name."""
        parts = self.mutant.file.relative_to(SOURCE).with_suffix("").parts
        if name != ".".join(parts[:-1] if parts[-1] == "__init__" else parts):
            return None
        loader = SourceFileLoader(name, str(self.mutant.file))
        loader.get_code = lambda _: compile(self.mutant.text, self.mutant.file, "exec")  # type: ignore
        return importlib.util.spec_from_file_location(name, self.mutant.file, loader=loader)


def forked(work: Callable[[], int], seconds: float) -> int | None:
    """What work returns in a process of its own, with so much of the processor; None where that ran out."""
    child = os.fork()
    if not child:
        code = 70
        try:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            code = work()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    deadline = time.monotonic() + 20 * seconds  # for one that waits and never works
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else None
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def tested(words: Sequence[str], plugin: object) -> int:
    """What pytest says, in silence."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    settings.register_profile(
        "mutation",
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    return int(pytest.main([*HOW, *words], plugins=[plugin]))


def reach(words: Sequence[str], mutants: Sequence[Mutant]) -> Reach:
    """Run the tests as they are."""
    found = Reach(frozenset(str(each.file) for each in mutants))
    with tempfile.NamedTemporaryFile("w+") as file:

        def work() -> int:
            code = tested(words, found)
            entered = {test: sorted(where) for test, where in found.entered.items()}
            ours = ("redraft", "tests", "torch", "ray")
            modules = [name for name in sys.modules if name.split(".")[0] not in ours]
            json.dump([entered, found.seconds, sorted(found.failed), modules], file)
            file.flush()
            return code

        if forked(work, 3600) is None:
            raise SystemExit("the tests did not come to an end")
        file.seek(0)
        entered, found.seconds, failed, modules = json.load(file)
    for name in modules:  # once here, and not in each process again
        with suppress(Exception):
            importlib.import_module(name)
    found.failed = set(failed)
    found.entered = {test: {(path, line) for path, line in where} for test, where in entered.items()}
    return found


def survives(mutant: Mutant, found: Reach) -> bool:
    """Whether every test that reaches a mutant passes with it."""
    order = {test: at for at, test in enumerate(found.order(mutant))}

    def work() -> int:
        sys.meta_path.insert(0, InPlace(mutant))
        files = dict.fromkeys(test.partition("::")[0] for test in order)
        return tested(["-x", *files], Chosen(order))

    seconds = 60 + 3 * sum(found.seconds[test] for test in order)
    return forked(work, seconds) == pytest.ExitCode.OK


def main() -> None:
    """Print each mutant that no test catches, and how many were caught."""
    parser = argparse.ArgumentParser(description="how many small faults in the code the tests catch")
    parser.add_argument("modules", nargs="+", metavar="PATH[:LINE]", help="files and folders of src/redraft")
    parser.add_argument(
        "--tests", default="tests", metavar="WORDS", help="what pytest is to run, as it takes it"
    )
    parser.add_argument("--count", type=int, default=200, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(SOURCE), str(ROOT)]
    mutants = drawn(asked.modules, asked.count, asked.seed)
    found = reach(shlex.split(asked.tests), mutants)
    if not found.entered:
        raise SystemExit(f"pytest finds no tests with: {asked.tests}")
    print(f"{len(mutants)} mutants, {len(found.entered)} tests", flush=True)
    for test in sorted(found.failed):
        print(f"left out, it fails without a change: {test}")
    survivors = 0
    for number, mutant in enumerate(mutants, 1):
        print(f"{number}/{len(mutants)} {mutant}", file=sys.stderr, flush=True)
        if survives(mutant, found):
            survivors += 1
            print(f"survives: {mutant}", flush=True)
    caught = len(mutants) - survivors
    print(f"caught: {caught} of {len(mutants)} ({caught / max(len(mutants), 1):.1%})")


if __name__ == "__main__":
    main()
