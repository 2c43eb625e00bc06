"""Budgets: reserved before a call, settled after it, and overspent by one call at most."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from redraft.errors import BadAnswer, BudgetExceeded, ConnectionFailed, SettingsError
from redraft.models import Budget, Ledger, Models, Request, Usage, cached as retry, check_prices
from redraft.models.ledger import UNKNOWN
from redraft.settings import Price, Settings
from tests.models.scripted import Handler, ScriptedServer, hang, raw, say

CALL = Usage(calls=1)
TWO = {"tiny": Price(prompt=1e5, completion=2e5)}
"""With these a call of the scripted server costs 2: it says that it took 10 tokens and wrote 5."""


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.001)


def hello(number: int = 0, **options: Any) -> Request:
    return Request.of(f"Hello {number}", max_tokens=8, **options)


def using(settings: Settings, work: Callable[[Models], Awaitable[None]], **changes: Any) -> None:
    async def run() -> None:
        async with Models(settings.model_copy(update=changes)) as models:
            await work(models)

    asyncio.run(asyncio.wait_for(run(), 60))


async def spend(ledger: Ledger, most: Usage, used: Usage | None = None) -> None:
    async with ledger.reserved(most):
        ledger.add("m", "model", most if used is None else used)


class TestLedger:
    def test_adds_up(self) -> None:
        ledger = Ledger(Budget(tokens=100))
        ledger.add("a", "planner", Usage(1, 50, 10, 0.5, 0.1))
        ledger.add("a", "judge", Usage(1, 20, 5, 0.5, 0.2))
        ledger.add("b", "judge", Usage(cached=1))
        assert ledger.by_model()["a"] == Usage(2, 70, 15, 1.0, pytest.approx(0.3))
        assert set(ledger.by_role()) == {"planner", "judge"}

        async def more() -> None:
            await spend(ledger, Usage(1, 10, 10))
            with pytest.raises(BudgetExceeded, match="105 of 100 tokens"):
                await spend(ledger, Usage(1, 10, 10))

        asyncio.run(more())

    def test_what_cannot_have_been_spent_is_nothing(self) -> None:
        ledger = Ledger()
        ledger.add("m", "model", Usage(1, -5, 7, math.nan, math.inf, -1))
        assert ledger.total == Usage(1, 0, 7, 0, 0, 0)

    def test_pages_are_counted_apart_and_together(self) -> None:
        async def run() -> None:
            whole = Ledger(Budget(calls=3))
            first, second = Ledger(parent=whole), Ledger(Budget(calls=2), parent=whole)
            await spend(first, CALL)
            await spend(second, CALL)
            await spend(second, CALL)
            assert [each.total.calls for each in (first, second, whole)] == [1, 2, 3]
            for page in (first, second, Ledger(parent=first)):
                with pytest.raises(BudgetExceeded):
                    await spend(page, CALL)

        asyncio.run(run())

    def test_a_call_waits_for_those_under_way_and_goes_where_they_left_enough(self) -> None:
        async def run() -> None:
            ledger = Ledger(Budget(cost=10))
            went: list[int] = []

            async def call(number: int) -> None:
                async with ledger.reserved(Usage(1, cost=6)):
                    went.append(number)
                    await asyncio.sleep(0)
                    ledger.add("m", "model", Usage(1, cost=2))

            found = await asyncio.gather(*map(call, range(8)), return_exceptions=True)
            assert sum(isinstance(one, BudgetExceeded) for one in found) == 3
            assert (len(went), ledger.total.cost) == (5, 10)

        asyncio.run(run())

    def test_as_many_go_together_as_the_budget_covers(self) -> None:
        async def run() -> None:
            ledger, together = Ledger(Budget(cost=10)), 0

            async def call() -> None:
                nonlocal together
                async with ledger.reserved(Usage(1, cost=3)):
                    together = max(together, len(ledger._reserved))
                    await asyncio.sleep(0)
                    ledger.add("m", "model", Usage(1, cost=1))

            await asyncio.gather(*(call() for _ in range(9)))
            assert together == 3

        asyncio.run(run())

    def test_alone_a_call_goes_while_anything_is_left(self) -> None:
        async def run() -> None:
            ledger = Ledger(Budget(cost=10))
            await spend(ledger, Usage(1, cost=9))
            await spend(ledger, UNKNOWN, Usage(1, cost=4))
            with pytest.raises(BudgetExceeded, match="13 of 10 cost"):
                await spend(ledger, Usage(1, cost=0.01))

        asyncio.run(run())

    def test_what_is_free_is_not_held_back(self) -> None:
        async def run() -> None:
            ledger = Ledger(Budget(cost=0))
            await spend(ledger, CALL)
            async with ledger.reserved(CALL):
                await spend(ledger, CALL)
            with pytest.raises(BudgetExceeded):
                await spend(ledger, UNKNOWN)

        asyncio.run(run())

    def test_who_waits_may_be_cancelled_and_nobody_waits_for_ever(self) -> None:
        async def run() -> None:
            ledger = Ledger(Budget(calls=2))
            page = Ledger(parent=ledger)
            done = asyncio.Event()

            async def hold() -> None:
                async with ledger.reserved(CALL):
                    await done.wait()

            held = [asyncio.create_task(hold()) for _ in range(2)]
            waiting = [asyncio.create_task(spend(page, CALL)) for _ in range(4)]
            await asyncio.sleep(0)
            waiting[0].cancel()
            held[0].cancel()  # it was never answered, and leaves room for one
            await asyncio.gather(held[0], waiting[0], return_exceptions=True)
            await asyncio.wait(waiting[1:], return_when=asyncio.FIRST_COMPLETED)
            assert sum(task.done() for task in waiting[1:]) == 1
            done.set()
            found = await asyncio.gather(*waiting[1:], return_exceptions=True)
            assert [isinstance(one, BudgetExceeded) for one in found] == [False, False, True]
            assert ledger.total.calls == 2

        asyncio.run(asyncio.wait_for(run(), 60))


class TestService:
    def test_calls_at_once_do_not_overspend(self, server: ScriptedServer, settings: Settings) -> None:
        first, go = threading.Event(), threading.Event()

        def slow(handler: Handler, body: dict[str, Any]) -> None:
            first.set()
            go.wait(30)
            say("ok")(handler, body)

        server.answers = [slow]

        async def work(models: Models) -> None:
            model = models.open(f"{server.url}#tiny")
            asked = asyncio.gather(*(model.complete(hello(i)) for i in range(8)), return_exceptions=True)
            await asyncio.to_thread(first.wait, 30)
            go.set()
            assert sum(isinstance(one, BudgetExceeded) for one in await asked) == 7
            assert models.ledger.total.cost == 2

        using(settings, work, max_cost=2.0, prices=TWO)
        assert len(server.requests) == 1

    def test_where_the_budget_covers_them_calls_go_together(
        self, server: ScriptedServer, settings: Settings
    ) -> None:
        both = threading.Barrier(2)

        def meeting(handler: Handler, body: dict[str, Any]) -> None:
            both.wait(30)  # one alone would wait in vain
            say("ok")(handler, body)

        server.answers = [meeting]

        async def work(models: Models) -> None:
            model = models.open(f"{server.url}#tiny")
            await asyncio.gather(*(model.complete(hello(i)) for i in range(4)))

        using(settings, work, max_cost=1000.0, prices=TWO, concurrency=2)

    def test_a_server_that_ignores_n_is_paid_for_as_often_as_it_is_asked(
        self, server: ScriptedServer, settings: Settings
    ) -> None:
        server.answers = [say("a"), say("b"), say("c")]

        async def work(models: Models) -> None:
            model = models.open(f"{server.url}#tiny")
            with pytest.raises(BudgetExceeded, match="2 of 2 calls"):
                await model.complete(hello(n=8))
            assert len(server.requests) == models.ledger.total.calls == 2
            two = await model.complete(hello(n=2))
            assert [(one.text, one.usage) for one in two] == [("a", Usage(cached=1)), ("b", Usage(cached=1))]

        using(settings, work, max_calls=2)
        assert len(server.requests) == 2

    @pytest.mark.parametrize("limit", ["max_calls", "max_tokens", "max_cost"])
    def test_a_limit_of_nothing_is_no_call_at_all(
        self, server: ScriptedServer, settings: Settings, limit: str
    ) -> None:
        async def work(models: Models) -> None:
            with pytest.raises(BudgetExceeded, match="0 of 0"):
                await models.open(f"{server.url}#tiny").complete(hello())

        using(settings, work, prices=TWO, **{limit: 0})
        assert server.requests == []

    def test_an_answer_that_cannot_be_read_is_paid_for(
        self, server: ScriptedServer, settings: Settings
    ) -> None:
        server.answers = [raw(b"<html>")]

        async def twice(models: Models) -> None:
            with pytest.raises(BadAnswer):
                await models.open(f"{server.url}#tiny").complete(hello())
            spent = models.ledger.total
            assert (spent.calls, spent.estimated) == (2, 2)
            assert 0 < spent.cost < 8

        async def once(models: Models) -> None:
            with pytest.raises(BudgetExceeded):
                await models.open(f"{server.url}#tiny").complete(hello())

        using(settings, twice, prices=TWO, retries=5)
        assert len(server.requests) == 2, (
            "an answer that cannot be read is asked for once more, whatever retries say"
        )
        using(settings, once, prices=TWO, max_calls=1)
        assert len(server.requests) == 3

    def test_a_call_that_was_given_up_may_be_paid_for(
        self, server: ScriptedServer, settings: Settings
    ) -> None:
        got = threading.Event()

        def silent(handler: Handler, body: dict[str, Any]) -> None:
            got.set()
            hang(handler, body)

        server.answers = [silent]

        async def late(models: Models) -> None:
            with pytest.raises(ConnectionFailed):
                await models.open(f"{server.url}#tiny").complete(hello())
            assert models.ledger.total.calls == models.ledger.total.estimated == 2

        async def cancelled(models: Models) -> None:
            asked = asyncio.create_task(models.open(f"{server.url}#tiny").complete(hello()))
            await asyncio.to_thread(got.wait, 30)
            asked.cancel()
            await asyncio.wait([asked])
            spent = models.ledger.total
            assert (spent.calls, spent.estimated) == (1, 1)
            assert spent.cost >= 8 * 0.2 if models.settings.prices else spent.cost == 0

        using(settings, late, prices=TWO, timeout=0.2, retries=1)
        got.clear()
        using(settings, cancelled, prices=TWO)
        got.clear()
        using(settings, cancelled)

    def test_a_cached_answer_costs_nothing_and_needs_no_budget(
        self, server: ScriptedServer, settings: Settings
    ) -> None:
        async def work(models: Models) -> None:
            model = models.open(f"{server.url}#tiny")
            await model.complete(hello())
            for _ in range(3):
                (again,) = await model.complete(hello())
                assert again.usage == Usage(cached=1)
            assert models.ledger.total.cost == 2
            with pytest.raises(BudgetExceeded):
                await model.complete(hello(1))

        using(settings, work, max_calls=1, prices=TWO)


class TestPrices:
    def test_a_limit_that_cannot_be_kept_is_refused(self, server: ScriptedServer, settings: Settings) -> None:
        async def work(models: Models) -> None:
            with pytest.raises(SettingsError, match=r'\[prices\."tiny"\]'):
                models.open(f"{server.url}#tiny")
            models.open("embedded")

        using(settings, work, max_cost=1.0)
        assert server.requests == []

    def test_before_the_first_model_is_asked(self, settings: Settings) -> None:
        limited = settings.model_copy(update={"max_cost": 1.0, "prices": TWO})
        check_prices(
            limited, ["embedded", "torch:PATH", "http://localhost/v1#tiny", "openai:tiny", "own:model"]
        )
        with pytest.raises(SettingsError, match="gpt has no price"):
            check_prices(limited, ["openai:tiny", "openai:gpt"])
        check_prices(settings, ["openai:gpt"])

    def test_a_price_of_nothing_is_a_price(self, server: ScriptedServer, settings: Settings) -> None:
        async def work(models: Models) -> None:
            await models.open(f"{server.url}#tiny").complete(hello())
            assert models.ledger.total.cost == 0

        using(settings, work, max_cost=0.0, prices={"tiny": Price(prompt=0, completion=0)})
