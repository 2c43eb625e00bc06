from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from redraft.bench.benchmark import Item, Plan, Sample, Task
from redraft.bench.systems import registry
from redraft.bench.systems.kind import CallEstimate, Edited, System, SystemKind, SystemResources
from redraft.bench.systems.outputs import FunctionSystem, Predictions, SubprocessSystem
from redraft.bench.systems.prompted import Prompted
from redraft.bench.systems.registry import read_system
from redraft.errors import InputError, ModelError
from redraft.quality import EmbeddedQuality
from redraft.runs.jobs import TakesAll
from tests.models.scripted import FakeModel
from tests.quality.fakes import FakeEmbedder, FakeScorer

ITEM = Item(Sample("s1", "jfleg", "fluency", "He go.", ("He goes.",), ("A page.",)), 2, "Fix it")


def edit(system: System, *items: Item) -> list[Edited]:
    async def work() -> list[Edited]:
        try:
            if isinstance(system, TakesAll):
                system.expect(len(items))
            return await asyncio.gather(*(system.edit(item) for item in items))
        finally:
            await system.aclose()

    return asyncio.run(work())


def unwanted() -> Any:
    raise AssertionError("neither a model nor a scorer is wanted")


ALONE = SystemResources(unwanted, unwanted, unwanted, unwanted)


def test_copy_gives_the_input_back() -> None:
    assert edit(read_system("copy").open(ALONE), ITEM)[0].text == "He go."


def test_a_prompted_model_sees_the_papers_template_and_never_the_data_set() -> None:
    model = FakeModel(["Output: He goes.\nNote: fixed"])
    assert edit(Prompted(model), ITEM)[0].text == "He goes."
    prompt = model.requests[0].messages[-1].content
    assert prompt == "Task: Fix it\nInput: He go.\nReference: [0] A page.\nOutput:"


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("model:definition", "Definition: Fix it\nInput: He go.\nReference: [0] A page.\nOutput:"),
        ("model:instruction", "Reference: [0] A page.\nFix it: He go."),
    ],
)
def test_a_model_may_be_asked_in_the_form_that_it_was_trained_with(spec: str, wanted: str) -> None:
    model = FakeModel(["He goes."])
    assert edit(read_system(spec).open(replace(ALONE, model=lambda: model)), ITEM)[0].text == "He goes."
    assert model.requests[0].messages[-1].content == wanted
    with pytest.raises(InputError, match="model:instruction; choose the model with --model"):
        read_system("model:gpt-5")


@pytest.mark.parametrize(
    "row",
    [
        {"key": "jfleg/s1/2", "output": "x"},
        {"id": "s1", "prediction": "x"},
        {"id": "s1", "dataset": "jfleg", "output": "x"},
        {"id": "s1", "dataset": "jfleg", "prompt": 2, "output": "x"},
    ],
)
def test_predictions_are_matched_by_key_or_id(tmp_path: Path, row: dict[str, object]) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text(json.dumps(row) + "\n\n", encoding="utf-8")
    assert edit(Predictions(file), ITEM)[0].text == "x"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nope", "line 1"),
        ('{"id": 3}', "needs"),
        ('{"id":"t","output":"x"}', "no output for"),
        ('{"id":"t","output":"x"}\n{"id":"t","output":"y"}', "a second output for 't'"),
    ],
)
def test_predictions_that_do_not_fit_are_named(tmp_path: Path, line: str, says: str) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        edit(Predictions(file), ITEM)


async def shout(task: Task) -> str:
    return task.input.upper()


@pytest.mark.parametrize("function", [lambda task: task.input.upper(), shout])
def test_any_function_is_a_system(function: Callable[[Task], str]) -> None:
    assert edit(FunctionSystem(function), ITEM, ITEM)[1].text == "HE GO."


def test_a_function_can_be_named() -> None:
    assert edit(read_system(f"python:{__name__}:shout").open(ALONE), ITEM)[0].text == "HE GO."
    with pytest.raises(InputError, match="cannot be loaded"):
        read_system("python:nowhere:f").open(ALONE)


ECHO = """
import json, sys
waiting = []
for line in sys.stdin:
    row = json.loads(line)
    assert "dataset" not in row and "task" not in row
    waiting.append(row)
    if len(waiting) == 3:      # answers come late and backwards
        for row in reversed(waiting):
            output = row["input"] + str(len(row["documents"]))
            print(json.dumps({"id": row["id"], "output": output}), flush=True)
        waiting = []
"""


def command(tmp_path: Path, code: str) -> str:
    script = tmp_path / "editor.py"
    script.write_text(code, encoding="utf-8")
    return f"{sys.executable} {script}"


def test_a_command_may_answer_in_any_order(tmp_path: Path) -> None:
    items = [Item(Sample(str(n), "d", "t", f"text {n} ", (), ()), 1, "i") for n in range(3)]
    texts = [found.text for found in edit(SubprocessSystem(command(tmp_path, ECHO)), *items)]
    assert texts == ["text 0 0", "text 1 0", "text 2 0"]


BUFFERED = """
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(json.dumps({"id": row["id"], "output": row["input"]}))
"""
READS_ALL_FIRST = """
import json, os, sys
rows = [json.loads(line) for line in sys.stdin.readlines()]
answers = "".join(json.dumps({"id": row["id"], "output": row["input"]}) + chr(10) for row in rows)
os.write(1, answers.encode())
"""


@pytest.mark.parametrize("program", ["sed", BUFFERED, READS_ALL_FIRST])
def test_a_command_need_not_flush_nor_answer_before_it_has_read_all(
    tmp_path: Path, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    spec = """sed 's/"input"/"output"/'""" if program == "sed" else command(tmp_path, program)
    items = [Item(Sample(str(n), "d", "t", f"text {n}", (), ()), 1, "i") for n in range(1000)]
    texts = [found.text for found in edit(SubprocessSystem(spec, silence=20), *items)]
    assert texts == [f"text {n}" for n in range(1000)]


def test_a_command_that_falls_silent_is_given_up(tmp_path: Path) -> None:
    items = [Item(Sample(str(n), "d", "t", "x" * 1000, (), ()), 1, "i") for n in range(500)]

    async def work() -> list[object]:
        system = SubprocessSystem(command(tmp_path, "import time; time.sleep(60)"), silence=0.5)
        try:
            return list(await asyncio.gather(*(system.edit(item) for item in items), return_exceptions=True))
        finally:
            await system.aclose()

    failures = asyncio.run(work())
    assert all(isinstance(failure, ModelError) for failure in failures)
    assert {str(failure).split("\n")[0] for failure in failures} == {
        f"{sys.executable} gave no answer for 0.5 s"
    }


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("import sys; sys.stdin.readline(); sys.exit(3)", "ended"),
        ("print('hello', flush=True); import time; time.sleep(20)", "wrote a line"),
    ],
)
def test_a_command_that_fails_fails_the_item_and_not_the_run(tmp_path: Path, code: str, says: str) -> None:
    with pytest.raises(ModelError, match=says):
        edit(SubprocessSystem(command(tmp_path, code)), ITEM)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("cpoy", "did you mean copy"),
        ("zzz", "known are"),
        ("cmd:", "needs"),
        ("cmd:/no/such/thing", "cannot be started"),
        ("copy:x", "takes nothing"),
        ("model:embedded", "--model"),
        ("predictions:/no/such/file", "no such file"),
        ("python:module", "MODULE:NAME"),
    ],
)
def test_a_spec_that_is_wrong_is_explained(spec: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        edit(read_system(spec).open(ALONE), ITEM)


def test_the_editor_sends_its_adapter_and_asks_once() -> None:
    model = FakeModel(["He goes."])
    assert (
        edit(read_system("editor").open(SystemResources(lambda: model, unwanted, unwanted, unwanted)), ITEM)[
            0
        ].text
        == "He goes."
    )
    (request,) = model.requests
    assert (request.adapter, request.temperature) == ("editor", 0)
    assert request.messages[-1].content == "Fix it:\nHe go.\nReference [0]: A page."


@pytest.mark.parametrize(
    "spec", ["editor:0", "editor:x", "editor:-1", "editor:", "editor:65", "editor:" + "9" * 5000]
)
def test_an_editor_takes_a_number_of_samples(spec: str) -> None:
    with pytest.raises(InputError, match="editor:8"):
        read_system(spec).open(ALONE)


def test_revise_corrects_and_then_asks_for_several_answers() -> None:
    model = FakeModel(["He goes."] * 8)
    item = Item(
        Sample("s1", "jfleg", "fluency", "He go teh way.", ("He goes.",), ()), 1, "Fix grammar errors"
    )
    system = read_system("revise").open(
        SystemResources(
            lambda: model, lambda: EmbeddedQuality(FakeScorer(), FakeEmbedder()), FakeScorer, unwanted
        ),
    )
    assert edit(system, item)[0].text == "He goes."
    assert [(request.n, request.temperature) for request in model.requests] == [(1, 0), (7, 0.8)]


@pytest.mark.parametrize("spec", ["revise:0", "revise:x", "revise:", "revise:65"])
def test_revise_takes_a_number_of_samples(spec: str) -> None:
    with pytest.raises(InputError, match="revise:8"):
        read_system(spec).open(ALONE)


def test_what_decides_a_system_is_recorded() -> None:
    assert read_system("copy").parameters == {}
    assert read_system("editor").parameters == {"adapter": "editor"}
    found = read_system("revise:2").parameters
    assert set(found) == {"adapter", "margins", "caution", "temperature", "weights"}
    assert found["weights"]["simplify"] == read_system("editor:2").parameters["weights"]["simplify"]
    assert found["weights"]["correct"] != read_system("editor:2").parameters["weights"]["correct"]
    assert read_system("revise").options == 8


@dataclass(frozen=True)
class Louder:
    """What the spec of a system of another package says."""

    mark: str


def parse_louder(argument: str | None) -> Louder:
    if argument not in ("!", "?"):
        raise InputError("louder takes ! or ?")
    return Louder(argument)


LOUDER = SystemKind(
    "louder",
    parse_louder,
    lambda options, resources: FunctionSystem(lambda task: task.input.upper() + options.mark),
    roles=lambda options: ("model",),
    calls=lambda options, item: CallEstimate(3, 2, 1),
    parameters=lambda options: {"mark": options.mark},
    covers=lambda options, item: item.sample.input.endswith("."),
    lacking=lambda options, plan: "sentences",
)


def factory(argument: str, resources: SystemResources) -> System:
    return FunctionSystem(lambda task: f"{task.input} {argument}")


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [EntryPoint(name, f"{__name__}:{name.upper()}", registry.GROUP) for name in ("louder", "copy")]
    found.append(EntryPoint("plain", f"{__name__}:factory", registry.GROUP))
    monkeypatch.setattr(registry, "entry_points", lambda group: found)


@pytest.mark.usefixtures("plugins")
def test_a_system_of_another_package_can_do_what_ours_can() -> None:
    system = read_system("louder:!")
    assert (system.roles, system.parameters) == (("model",), {"mark": "!"})
    assert system.calls(ITEM) == CallEstimate(3, 2, 1)
    other = Item(replace(ITEM.sample, input="No end"), 1, "")
    assert system.covered(Plan((other, ITEM), ())).items == (ITEM,)
    with pytest.raises(InputError, match="the data has no sentences"):
        system.covered(Plan((other,), ()))
    with pytest.raises(InputError, match="louder takes"):
        read_system("louder")
    assert edit(system.open(ALONE), ITEM)[0].text == "HE GO.!"


@pytest.mark.usefixtures("plugins")
def test_a_function_that_another_package_registers_is_a_system_and_none_replaces_ours() -> None:
    system = read_system("plain:x")
    assert system.kind.may_ask
    assert edit(system.open(ALONE), ITEM)[0].text == "He go. x"
    assert edit(read_system("copy").open(ALONE), ITEM)[0].text == "He go."
    with pytest.raises(InputError, match="did you mean louder"):
        read_system("loudr")
