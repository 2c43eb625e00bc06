"""A revision from end to end: conflicts, limits, interrupts, failures, and what comes back each time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from redraft.constraints import check
from redraft.constraints.kinds import content
from redraft.errors import BudgetExceeded, ConnectionFailed, InputError, ModelError
from redraft.house import House
from redraft.models import Completion, Embedder, Model, Models, Request, Scorer
from redraft.revision import running
from redraft.revision.records import Node
from redraft.revision.revising import arevise
from redraft.revision.revision import ReviseOptions, Revision, Strategy
from redraft.revision.search.evaluation import Switches
from redraft.revision.showing.trace import read_trace
from redraft.revision.strategies import ending
from redraft.settings import Settings
from tests.revision.asking_parts import Answering
from tests.revision.fakes import FakeEmbedder, FakeScorer, ScriptedJudge

TEXT = (
    "The harbour froze over in January 1963, and the ferries stayed in port for six weeks. "
    "Nobody in the town had seen anything like it. "
    "The council met twice a week and, after some debate, decided to ration coal."
)
SHORT = 'word_count_check(30, "less than")'


class Offline(Models):
    """Models that take no time; every role has the same one."""

    def __init__(self, model: Model, folder: Path, **settings: Any) -> None:
        super().__init__(Settings(cache_dir=folder, **settings))
        self._model = model

    def scorer(self) -> Scorer:
        return FakeScorer()

    def embedder(self) -> Embedder:
        return FakeEmbedder()

    def for_role(self, role: str) -> Model:
        return self._model


class Failing:
    """A Model that answers so many times, and then fails."""

    spec = "fake"

    def __init__(self, error: ModelError, answers: int = 0) -> None:
        self._error = error
        self._left = answers

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        self._left -= 1
        if self._left < 0:
            raise self._error
        return tuple(Completion("none") for _ in range(request.n))


class Slow:
    """A Model that takes its time."""

    spec = "fake"

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        self.asked.set()
        await asyncio.sleep(600)
        raise AssertionError("nobody waited")


QUIET = Answering(lambda request: "none")


def revise(
    folder: Path,
    *calls: str,
    model: Model = QUIET,
    options: ReviseOptions | None = None,
    text: str = TEXT,
    instruction: str = "",
    stop: asyncio.Event | None = None,
    heard: Callable[[Node], None] | None = None,
    trace: Path | None = None,
    **settings: Any,
) -> Revision:
    async def run() -> Revision:
        async with Offline(model, folder, **settings) as models:
            return await arevise(
                text,
                instruction,
                calls,
                models=models,
                options=options,
                stop=stop,
                reached=heard,
                trace=trace,
            )

    return asyncio.run(run())


UNREAD = "Bitte nicht so formal"
HOUSE = House(spelling="british")


@pytest.mark.parametrize(
    ("calls", "settings", "is_in_vain"),
    [
        ([], {}, True),
        (['spelling_check("british")'], {"house": HOUSE}, True),
        (['word_count_check(300, "less than")'], {"house": HOUSE}, False),
        ([], {"reviser": "http://localhost:1/v1#reads-all"}, False),
    ],
)
def test_what_is_done_beside_an_instruction_that_nobody_read_is_not_what_was_asked(
    tmp_path: Path, calls: list[str], settings: dict[str, Any], is_in_vain: bool
) -> None:
    options = ReviseOptions("repair")
    found = revise(tmp_path, *calls, instruction=UNREAD, options=options, **settings)
    assert found.findings.met
    assert (found.in_vain, found.met, found.status) == (is_in_vain, not is_in_vain, int(is_in_vain))
    assert found.to_dict()["met"] is found.met
    assert found.to_dict()["in_vain"] is is_in_vain


def test_a_conflict_is_named_before_anything_is_done(tmp_path: Path) -> None:
    heard: list[Node] = []
    model = Answering(lambda request: "none")
    found = revise(tmp_path, SHORT, 'word_count_check(40, "more than")', model=model, heard=heard.append)
    assert (found.status, found.text, heard, model.requests) == (3, TEXT, [], [])
    (conflict,) = found.infeasible
    assert [one.call for one in conflict.constraints] == [SHORT, 'word_count_check(40, "more than")']


def test_the_findings_of_the_best_effort_are_of_all_that_was_asked(tmp_path: Path) -> None:
    calls = (SHORT, 'word_count_check(40, "more than")', 'sentence_modification_check([2], "unchange")')
    found = revise(tmp_path, *calls, options=ReviseOptions(best_effort=True))
    assert [finding.constraint.call for finding in found.findings] == list(calls)
    assert sum(not finding.met for finding in found.findings) == 1
    assert (found.status, len(found.infeasible)) == (1, 1)
    assert "Nobody in the town had seen anything like it." in found.text


@pytest.mark.parametrize("strategy", ["search", "repair"])
def test_what_is_met_is_met_by_the_checker(tmp_path: Path, strategy: Strategy) -> None:
    calls = (SHORT, 'keyword_keep_removal_check("coal", "remove")')
    found = revise(tmp_path, *calls, options=ReviseOptions(strategy))
    assert (found.status, found.failure, found.interrupted) == (0, None, False)
    assert check(found.text, calls, original=TEXT).met
    assert found.before is not None
    assert found.after is not None


@pytest.mark.parametrize("opening", ["The harbour", "Nobody"])
def test_a_pattern_that_never_ends_is_the_users_to_simplify(
    tmp_path: Path, opening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "_SECONDS", 0.25)
    # On the whole text, or only on a sentence by itself.
    with pytest.raises(InputError, match=r"takes more than 0\.25 s on this text; simplify it"):
        revise(tmp_path, SHORT, f'pattern_check("^{opening}(.|.)*7$", "forbid")')


def test_a_text_that_would_take_hours_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    book = (TEXT + "\n\n") * (5_000_000 // len(TEXT))
    heard: list[Node] = []
    model = Answering(lambda request: "none")
    with pytest.raises(InputError, match=r"has 5,0\d\d,\d{3} characters, .* revise it in parts"):
        revise(tmp_path, SHORT, text=book, model=model, heard=heard.append)
    assert (heard, model.requests) == ([], [])


def test_told_to_stop_the_best_so_far_comes_back(tmp_path: Path) -> None:
    stop = asyncio.Event()

    def heard(node: Node) -> None:
        if node.id == 1:
            asyncio.get_running_loop().call_soon(stop.set)

    found = revise(tmp_path, SHORT, model=Slow(), stop=stop, heard=heard)
    assert (found.status, found.stopped, found.interrupted) == (130, "interrupted", True)
    assert found.findings.met
    assert found.text != TEXT


@pytest.mark.parametrize("strategy", ["search", "direct"])
def test_told_to_stop_before_it_began_the_original_comes_back(tmp_path: Path, strategy: Strategy) -> None:
    stop = asyncio.Event()
    stop.set()
    found = revise(tmp_path, SHORT, model=Slow(), stop=stop, options=ReviseOptions(strategy))
    assert (found.status, found.text, found.changes) == (130, TEXT, ())


def test_the_time_is_a_limit(tmp_path: Path) -> None:
    found = revise(tmp_path, SHORT, model=Slow(), options=ReviseOptions("direct", max_seconds=0.1))
    assert (found.status, found.stopped) == (1, "the time is spent")


def test_what_was_reached_by_then_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()

    async def until(
        work: Coroutine[Any, Any, None], stop: asyncio.Event, seconds: float | None
    ) -> asyncio.Task[None]:
        """The time is spent as soon as a model is asked."""
        assert seconds is not None
        working = asyncio.create_task(work)
        await slow.asked.wait()
        working.cancel()
        await asyncio.wait([working])
        return working

    monkeypatch.setattr(ending, "run_until", until)
    found = revise(tmp_path, SHORT, model=slow, options=ReviseOptions("search", max_seconds=600))
    assert (found.status, found.stopped) == (0, "the time is spent")


def test_a_spent_budget_is_no_failure(tmp_path: Path) -> None:
    found = revise(tmp_path, SHORT, model=Failing(BudgetExceeded("spent"), answers=2))
    assert (found.status, found.failure, found.stopped) == (0, None, "the budget is spent")


@pytest.mark.parametrize("answers", [0, 1, 3, 4])
def test_a_model_that_fails_leaves_the_best_so_far(tmp_path: Path, answers: int) -> None:
    found = revise(tmp_path, SHORT, model=Failing(ConnectionFailed("refused"), answers))
    assert found.status == 4
    assert isinstance(found.failure, ConnectionFailed)
    assert found.findings.met
    assert found.stopped == "the model failed: refused"


def test_a_baseline_whose_model_fails_has_nothing_to_show(tmp_path: Path) -> None:
    with pytest.raises(ConnectionFailed):
        revise(tmp_path, SHORT, model=Failing(ConnectionFailed("refused")), options=ReviseOptions("direct"))


def test_a_baseline_is_checked_and_not_repaired(tmp_path: Path) -> None:
    model = Answering(lambda request: "The harbour froze over in January 1963. " * 6)
    found = revise(tmp_path, SHORT, model=model, options=ReviseOptions("direct"))
    assert (found.status, found.findings.met) == (1, False)
    assert found.text.count("froze over") == 6


@pytest.mark.parametrize("text", ["", "  \n", "?! … —"])
def test_a_text_without_words_is_no_input(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="no words"):
        revise(tmp_path, SHORT, text=text)


def test_white_space_and_paragraphs_stay_as_they_are(tmp_path: Path) -> None:
    text = "\n  " + TEXT.replace(". ", ".  ", 1).replace("it. ", "it.\n\n\n") + " \n\n"
    found = revise(tmp_path, text=text)
    assert found.text == text


def test_a_revision_is_the_same_each_time(tmp_path: Path) -> None:
    first, second = (revise(tmp_path / name, SHORT, options=ReviseOptions(seed=3)).to_dict() for name in "ab")
    for one in (first, second):
        one["usage"].pop("seconds")
    assert first == second


def test_the_ablations_change_the_reward(tmp_path: Path) -> None:
    def rewards(**switches: bool) -> tuple[float, float, float | None]:
        heard: list[Node] = []
        revise(
            tmp_path,
            SHORT,
            options=ReviseOptions("repair", switches=Switches(**switches)),
            heard=heard.append,
        )
        return heard[0].reward.quality, heard[0].reward.constraints, heard[0].reward.preserved

    quality, constraints, preserved = rewards()
    # One constraint, not met; every name is there.
    assert (constraints, preserved) == (0.5, 1.0)
    assert 0 < quality <= 1
    assert rewards(quality=False) == (0.0, 0.5, 1.0)
    assert rewards(constraints=False) == (quality, 0.0, 1.0)
    assert rewards(preservation=False) == (quality, 0.0, None)


def test_the_trace_is_whole_even_if_the_model_fails(tmp_path: Path) -> None:
    found = revise(tmp_path, SHORT, model=Failing(ConnectionFailed("refused"), 1), trace=tmp_path / "trace")
    kept = read_trace(tmp_path / "trace")
    assert kept.result is not None
    assert kept.result.text == found.text
    assert len(kept.nodes) == found.nodes


@pytest.mark.parametrize("options", [{"strategy": "guess"}, {"effort": "huge"}])
def test_an_unknown_way_is_named(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="use "):
        ReviseOptions(**options)


NINE = 'sentence_length_check(10, "less than")'
REPAIR = ReviseOptions(strategy="repair")


def judge_with(monkeypatch: pytest.MonkeyPatch, is_broken: Callable[[str], bool]) -> None:
    monkeypatch.setattr(running, "open_judge", lambda models: ScriptedJudge(is_broken))


def test_what_obeys_and_reads_badly_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The tenant shall return every key of the house, and the agent shall destroy all the copies."
    judge_with(monkeypatch, lambda sentence: sentence != text)
    found = revise(tmp_path, NINE, text=text, options=REPAIR, trace=tmp_path / "trace")
    assert found.status == 0
    assert "reads badly" in {concern.kind for concern in found.concerns}
    assert [set(one) for one in found.to_dict()["concerns"]] == [
        {"kind", "sentence", "text", "why"} for _ in found.concerns
    ]
    traced = read_trace(tmp_path / "trace").result
    assert traced is not None
    assert traced.concerns == found.concerns
    assert "reads badly" in (tmp_path / "trace" / "search.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("by_setting", [True, False])
def test_a_sound_revision_keeps_what_would_be_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_setting: bool
) -> None:
    judge_with(monkeypatch, lambda sentence: sentence not in TEXT)
    options = REPAIR if by_setting else replace(REPAIR, sound=True)
    found = revise(tmp_path, NINE, options=options, **({"sound": True} if by_setting else {}))
    assert (found.text, found.status) == (TEXT, 1)
    assert {concern.kind for concern in found.concerns} == {"kept"}
    assert found.changes == ()


def test_an_option_outranks_the_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge_with(monkeypatch, lambda sentence: sentence not in TEXT)
    found = revise(tmp_path, NINE, options=replace(REPAIR, sound=False), sound=True)
    assert found.status == 0


class Editing(Answering):
    """The embedded model, by its name."""

    spec = "embedded"


def test_a_good_text_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge_with(monkeypatch, lambda sentence: False)
    model = Editing(lambda request: "Something else altogether is said here.")
    found = revise(tmp_path, model=model, options=ReviseOptions(effort="low"))
    assert (found.text, model.requests) == (TEXT, [])
    assert "nothing to mend" in found.stopped


def test_an_answer_without_scores_has_no_concerns(tmp_path: Path) -> None:
    options = ReviseOptions(strategy="direct", scored=False)
    found = revise(tmp_path, model=Answering(lambda request: "The harbour froze."), options=options)
    assert found.concerns == ()


def test_conventions_alone_need_no_model(tmp_path: Path) -> None:
    model = Answering(lambda request: "none")
    calls = ('spelling_check("american")', 'serial_comma_check("use")')
    text = "The colour is grey. We sell apples, pears and plums."
    found = revise(tmp_path, *calls, model=model, text=text, trace=tmp_path / "trace")
    assert found.text == "The color is gray. We sell apples, pears, and plums."
    assert (found.status, model.requests, found.usage.calls) == (0, [], 0)
    assert [change.by for change in found.changes] == ["convention", "convention"]


def test_conventions_go_with_what_else_is_asked_for(tmp_path: Path) -> None:
    text = "The colour is grey. It is a very nice colour in my opinion. Nobody here likes it."
    found = revise(tmp_path, 'spelling_check("american")', 'word_count_check(14, "less than")', text=text)
    assert found.findings.met
    assert "colour" not in found.text
