"""Specs: what each opens, what is refused and how, and how third parties add one."""

from __future__ import annotations

import asyncio
import sys
from importlib.metadata import EntryPoint

import pytest

from redraft.errors import BudgetExceeded, ModelError, UnknownModel
from redraft.models import Completion, Model, Models, Request, Usage, spec, trust_of
from redraft.settings import Settings


class Echo:
    """A third party's backend."""

    def __init__(self, name: str) -> None:
        self.spec = name
        self.drawn: list[tuple[int, int]] = []

    def identity(self, request: Request) -> str:
        return self.spec

    async def sample(self, request: Request, first: int, count: int) -> tuple[Completion, ...]:
        await asyncio.sleep(0)
        self.drawn.append((first, count))
        text = request.messages[-1].content
        return tuple(
            Completion(f"{text} {first + i}", usage=Usage(calls=int(i == 0), prompt_tokens=3))
            for i in range(count)
        )

    async def aclose(self) -> None:
        return


def open_echo(name: str, settings: Settings) -> Echo:
    return Echo(name)


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("echo", "tests.models.test_spec:open_echo", spec.ENTRY_POINTS)
    monkeypatch.setattr(spec, "entry_points", lambda group: [point])


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("embeded", "did you mean embedded?"),
        ("gpt-4o", "did you mean openai:gpt-4o?"),
        ("model.gguf", "did you mean embedded:model.gguf?"),
        ("opanai:gpt-4o", "did you mean openai:gpt-4o?"),
        ("", "valid are: embedded · embedded:base"),
        ("openai:", "openai:MODEL"),
        ("http://localhost:80/v1", "after the #"),
        ("https:///v1#x", "no host"),
    ],
)
def test_unknown_specs_say_what_is_valid(name: str, hint: str, settings: Settings) -> None:
    with pytest.raises(UnknownModel) as caught:
        spec.open_backend(name, settings)
    assert hint in str(caught.value)


@pytest.mark.parametrize("name", ["embedded", "embedded:base", "http://localhost:1/v1#m", "https://h/v1#m"])
def test_valid_specs_open_without_work(name: str, settings: Settings) -> None:
    async def run() -> None:
        async with Models(settings) as models:
            model = models.open(name)
            assert isinstance(model, Model)
            assert model.spec == name

    asyncio.run(run())


@pytest.mark.usefixtures("echo")
def test_entry_points_add_a_scheme(settings: Settings) -> None:
    model = Models(settings.model_copy(update={"cache": False})).open("echo:anything")
    answers = asyncio.run(model.complete(Request.of("hi", n=2)))
    assert [answer.text for answer in answers] == ["hi 0", "hi 1"]


@pytest.mark.usefixtures("echo")
def test_only_missing_samples_are_drawn(settings: Settings) -> None:
    async def run() -> None:
        async with Models(settings) as models:
            model = models.open("echo:x", role="planner")
            backend = models._backends["echo:x"]
            assert isinstance(backend, Echo)
            await model.complete(Request.of("hi", n=2))
            answers = await model.complete(Request.of("hi", n=5))
            assert [answer.text for answer in answers] == [f"hi {i}" for i in range(5)]
            await model.complete(Request.of("hi", n=5, seed=1))
            assert backend.drawn == [(0, 2), (2, 3), (0, 5)]
            assert models.ledger.by_role()["planner"] == Usage(calls=3, prompt_tokens=30, cached=2)

    asyncio.run(run())


@pytest.mark.usefixtures("echo")
def test_the_same_request_at_once_is_paid_for_once(settings: Settings) -> None:
    async def run() -> None:
        async with Models(settings) as models:
            asked = (models.open("echo:x").complete(Request.of("hi", n=n)) for n in (1, 1, 2))
            answers = await asyncio.gather(*asked)
            assert [[answer.text for answer in found] for found in answers] == [
                ["hi 0"],
                ["hi 0"],
                ["hi 0", "hi 1"],
            ]
            backend = models._backends["echo:x"]
            assert isinstance(backend, Echo)
            assert sum(count for _, count in backend.drawn) == 2
            assert len(models._asked) == 0

    asyncio.run(run())


@pytest.mark.usefixtures("echo")
def test_roles_take_their_own_model(settings: Settings) -> None:
    async def run() -> None:
        async with Models(settings.model_copy(update={"model": "echo:a", "judge": "echo:b"})) as models:
            assert models.for_role("planner").spec == "echo:a"
            assert models.for_role("judge").spec == "echo:b"
            assert models.for_role("writer").spec == "echo:a"

    asyncio.run(run())


@pytest.mark.usefixtures("echo")
def test_a_budget_of_calls_holds_under_concurrency(settings: Settings) -> None:
    async def run() -> None:
        async with Models(settings.model_copy(update={"max_calls": 3, "cache": False})) as models:
            model = models.open("echo:x")
            asked = (model.complete(Request.of(str(i))) for i in range(8))
            results = await asyncio.gather(*asked, return_exceptions=True)
            assert sum(isinstance(result, BudgetExceeded) for result in results) == 5
            assert models.ledger.total.calls == 3

    asyncio.run(run())


@pytest.mark.parametrize(
    "wrong", [{"max_tokens": 0}, {"n": 0}, {"temperature": -1}, {"temperature": 3}, {"top_p": 0}]
)
def test_requests_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must be|out of range"):
        Request.of("x", **wrong)


@pytest.mark.parametrize("name", ["embedded", "embedded:base", "embedded:a.gguf", "hf:a", "torch", "echo:x"])
def test_a_small_or_unknown_model_is_not_taken_at_its_word_unless_told(name: str) -> None:
    assert trust_of(name) == "low"
    assert trust_of(name, "high") == "high"


@pytest.mark.parametrize("name", ["openai:gpt-4o", "http://localhost:80/v1#a", "https://host/v1#a"])
def test_a_service_is_taken_at_its_word_unless_told(name: str) -> None:
    assert trust_of(name) == "high"
    assert trust_of(name, "low") == "low"


def test_a_larger_model_pulled_by_name_is_taken_at_its_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spec, "PULLED", ("large",))
    assert trust_of("embedded:large") == "high"
    assert trust_of("embedded:./large") == "low"


def test_a_library_that_a_slim_system_lacks_is_named(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    for name in ("redraft.models.llama", "redraft.models.embedded"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ModelError, match=r"llama.cpp cannot be loaded.*\n.*apt-get install libgomp1"):
        spec.open_backend("embedded", settings)
