"""OpenAI-compatible services: a real one (llama.cpp's own HTTP server) and scripted misbehaviour."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import socket
import time
from base64 import b64encode
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import xllamacpp
from pydantic import BaseModel, SecretStr

from redraft import errors
from redraft.models import Completion, Models, Request, ask, cached as retry, hosts, open_backend, service
from redraft.models.base import Message, schema_text
from redraft.models.llama import QUIET
from redraft.models.weights import CHAT, MODEL_FILE, ensure
from redraft.project import trust
from redraft.settings import Price, Settings, load_settings
from tests.models.scripted import Answer, Handler, ScriptedServer, die_half_way, fail, hang, raw, say

HELLO = Request.of("Hello", max_tokens=8)
SCHEMA = schema_text({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]})


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.01)


def complete(
    url: str, settings: Settings, request: Request = HELLO, **changes: object
) -> tuple[Completion, ...]:
    async def run() -> tuple[Completion, ...]:
        async with Models(settings.model_copy(update={"cache": False, **changes})) as models:
            return await models.open(f"{url}#tiny").complete(request)

    return asyncio.run(run())


KEY = "llama-cpp-key"


@pytest.fixture(scope="module")
def llama(weights_root: Path) -> Iterator[str]:
    """The address of llama.cpp's own HTTP server, which embedded models keep closed."""
    params = xllamacpp.CommonParams()
    params.model.path = str(ensure(CHAT, weights_root) / MODEL_FILE)
    params.n_parallel, params.n_ctx, params.verbosity = 2, 1024, QUIET
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup = params.fit_params = False
    params.hostnames, params.api_keys = ["127.0.0.1"], [KEY]
    served = xllamacpp.Server(params)
    yield f"{served.listening_address}/v1"
    del served  # and with it the server


class Pet(BaseModel):
    name: str
    legs: int


def test_a_real_server_answers(llama: str, settings: Settings) -> None:
    settings = settings.model_copy(update={"api_key": SecretStr(KEY), "cache": False})
    url = llama
    pair = complete(url, settings, Request.of("Tell me a long story.", max_tokens=2, temperature=0.9, n=2))
    assert len(pair) == 2
    assert pair[0].usage.prompt_tokens > 0
    assert pair[0].finish == "length"
    three = complete(url, settings, Request.of("Name a colour.", max_tokens=4, temperature=0.9, n=3))
    assert len(three) == 3, "the server takes n up to 2 only, so the rest is asked for singly"

    async def structured() -> Pet:
        async with Models(settings) as models:
            question = [Message("user", "A dog named Rex. Give JSON.")]
            return await ask(models.open(f"{url}#tiny"), question, Pet, max_tokens=60)

    assert isinstance(asyncio.run(structured()), Pet)
    with pytest.raises(errors.ContextOverflow):
        complete(url, settings, Request.of("word " * 800))


def test_a_real_server_refuses_a_wrong_key(llama: str, settings: Settings) -> None:
    with pytest.raises(errors.MissingKey, match="OPENAI_API_KEY"):
        complete(llama, settings, api_key=SecretStr("wrong-key"))


def test_rate_limit_is_waited_out(server: ScriptedServer, settings: Settings) -> None:
    server.answers = [fail(429, headers={"Retry-After": "1"}), say("fine")]
    started = time.monotonic()
    assert complete(server.url, settings)[0].text == "fine"
    assert time.monotonic() - started >= 1


def test_rate_limit_that_stays_is_an_error(server: ScriptedServer, settings: Settings) -> None:
    server.answers = [fail(429)]
    with pytest.raises(errors.RateLimited, match="concurrency"):
        complete(server.url, settings)
    assert len(server.requests) == 1 + settings.retries


def test_a_wait_beyond_the_time_limit_is_final(server: ScriptedServer, settings: Settings) -> None:
    server.answers = [fail(429, headers={"Retry-After": "3600"})]
    with pytest.raises(errors.RateLimited):
        complete(server.url, settings)
    assert len(server.requests) == 1


def test_a_spent_quota_is_not_retried(server: ScriptedServer, settings: Settings) -> None:
    server.answers = [fail(429, "quota", code="insufficient_quota")]
    with pytest.raises(errors.RateLimited, match="quota"):
        complete(server.url, settings)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "trouble",
    [
        *(fail(500), fail(503), die_half_way, raw(b"{not json"), raw(b"<html>", "text/html"), raw(b"{}")),
        say("Half a", finish="insufficient_system_resource"),
    ],
)
def test_passing_trouble_is_tried_again(server: ScriptedServer, settings: Settings, trouble: object) -> None:
    server.answers = [trouble, say("fine")]  # type: ignore[list-item]
    assert complete(server.url, settings)[0].text == "fine"


@pytest.mark.parametrize(
    ("trouble", "error", "words"),
    [
        (fail(500, "boom"), errors.ModelError, "500: boom"),
        (die_half_way, errors.ConnectionFailed, "no connection"),
        (raw(b"{not json"), errors.BadAnswer, "cannot be read"),
        (raw(b"<html>", "text/html"), errors.BadAnswer, "ends where /chat/completions begins"),
        (raw(b"{}"), errors.BadAnswer, "it has no choices"),
        (fail(401, "bad key"), errors.MissingKey, "OPENAI_API_KEY"),
        (fail(404, "no such model"), errors.UnknownModel, "it has: tiny"),
        (fail(400, "too long", code="context_length_exceeded"), errors.ContextOverflow, "context"),
        (fail(400, "maximum context length is 10 tokens"), errors.ContextOverflow, "shorten"),
        (fail(400, "no idea"), errors.ModelError, "no idea"),
    ],
)
def test_lasting_trouble_is_a_clear_error(
    server: ScriptedServer, settings: Settings, trouble: object, error: type[Exception], words: str
) -> None:
    server.answers = [trouble]  # type: ignore[list-item]
    with pytest.raises(error, match=words):
        complete(server.url, settings)


def test_a_list_of_models_may_be_anything(server: ScriptedServer, settings: Settings) -> None:
    server.answers = [fail(404, "no such model")]
    strange: list[object] = [
        None,
        [],
        {"data": None},
        {"data": [None, 7, {}, {"id": 7}, {"id": [1]}]},
        b"[" * 99_999,
    ]
    for listed in strange:
        server.listed = listed
        with pytest.raises(errors.UnknownModel, match="no such model"):
            complete(server.url, settings)


def test_a_server_that_hangs_times_out(server: ScriptedServer, settings: Settings) -> None:
    server.answers = [hang]
    started = time.monotonic()
    with pytest.raises(errors.ConnectionFailed, match=r"within 0\.5 seconds"):
        complete(server.url, settings, timeout=0.5, retries=1)
    assert time.monotonic() - started < 5


def test_a_refused_connection_says_so(settings: Settings) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(errors.ConnectionFailed, match="server is running"):
        complete(url, settings, retries=0)


def test_n_is_made_up_by_more_calls(server: ScriptedServer, settings: Settings) -> None:
    server.answers = [say("a"), say("b"), say("c")]
    answers = complete(server.url, settings, Request.of("x", n=3, temperature=1.0, seed=5))
    assert [answer.text for answer in answers] == ["a", "b", "c"]
    assert [body["seed"] for body in server.requests] == [5, 6, 7]


class TestRefusedParameters:
    """What a model does not take is found out from the words of the service, once."""

    @pytest.fixture(autouse=True)
    def nothing_known(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(service, "_refused", {})

    def test_each_is_left_out_or_said_otherwise(self, server: ScriptedServer, settings: Settings) -> None:
        server.answers = [
            fail(400, "Unsupported parameter: 'max_tokens', use 'max_completion_tokens'", param="max_tokens"),
            fail(400, "response_format json_schema is not supported"),
            say('{"a": 1}'),
        ]
        request = Request.of("x", schema=SCHEMA)
        assert json.loads(complete(server.url, settings, request)[0].text) == {"a": 1}
        last = server.requests[-1]
        assert "response_format" not in last
        assert last["max_completion_tokens"] == request.max_tokens
        assert [message["role"] for message in last["messages"]] == ["user"]
        assert SCHEMA in last["messages"][-1]["content"]

    @pytest.mark.parametrize(
        ("name", "refusal"),
        [
            (
                "temperature",
                fail(400, "'temperature' does not support 0 with this model.", param="temperature"),
            ),
            (
                "seed",
                raw(
                    b'{"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}',
                    status=422,
                ),
            ),
            ("seed", fail(400, 'Unknown name "seed": Cannot find field.')),
            ("top_k", fail(400, "Unrecognized request argument supplied: top_k")),
            ("top_p", fail(400, "top_p is not supported with reasoning")),
            ("response_format", fail(400, "This response_format type is unavailable now")),
        ],
    )
    def test_the_words_of_services(
        self, server: ScriptedServer, settings: Settings, name: str, refusal: Answer
    ) -> None:
        request = Request.of("x", top_p=0.9, top_k=20, schema=SCHEMA)
        server.answers = [refusal, say("{}")]
        complete(server.url, settings, request)
        first, second = server.requests
        assert first.keys() - second.keys() == {name}
        complete(server.url, settings, request)
        assert len(server.requests) == 3, "it is remembered for the process"

    @pytest.mark.parametrize(
        "told",
        [
            "'messages[0].role' does not support 'system' with this model.",
            "System role not supported",
            "Developer instruction is not enabled for models/small",
        ],
    )
    def test_a_model_without_system_messages_is_told_by_the_user(
        self, server: ScriptedServer, settings: Settings, told: str
    ) -> None:
        server.answers = [fail(400, told), say("ok")]
        complete(server.url, settings, Request.of("Hello", system="Be brief."))
        assert server.requests[-1]["messages"] == [{"role": "user", "content": "Be brief.\n\nHello"}]

    def test_it_is_remembered_in_the_cache_folder(
        self, server: ScriptedServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        server.answers = [fail(400, "Unsupported value: temperature"), say("ok")]
        complete(server.url, settings, Request.of("one"), cache=True)
        monkeypatch.setattr(service, "_refused", {})  # another process
        complete(server.url, settings, Request.of("two"), cache=True)
        assert ["temperature" in body for body in server.requests] == [True, False, False]

    def test_a_value_that_does_not_fit_is_no_lasting_matter(
        self, server: ScriptedServer, settings: Settings
    ) -> None:
        server.answers = [fail(400, "temperature must be at most 1", param="temperature"), say("ok")]
        complete(server.url, settings, Request.of("one", temperature=1.5))
        complete(server.url, settings, Request.of("two", temperature=0.5))
        assert [body.get("temperature") for body in server.requests] == [1.5, None, 0.5]

    def test_what_does_not_help_is_not_remembered(self, server: ScriptedServer, settings: Settings) -> None:
        server.answers = [fail(400, "unsupported: seed")]
        with pytest.raises(errors.ModelError, match="unsupported: seed"):
            complete(server.url, settings)
        server.answers = [say("ok")]
        complete(server.url, settings)
        assert ["seed" in body for body in server.requests] == [True, False, True]

    def test_requests_at_once_find_out_together(self, server: ScriptedServer, settings: Settings) -> None:
        def strict(handler: Handler, body: dict[str, Any]) -> None:
            answer = fail(400, "Unsupported parameter: seed") if "seed" in body else say("ok")
            answer(handler, body)

        server.answers = [strict]

        async def many() -> list[tuple[Completion, ...]]:
            async with Models(settings.model_copy(update={"cache": False})) as models:
                model = models.open(f"{server.url}#tiny")
                return await asyncio.gather(*(model.complete(Request.of(str(i))) for i in range(9)))

        assert [answer.text for (answer,) in asyncio.run(many())] == ["ok"] * 9


@pytest.mark.parametrize(
    ("answer", "finish"),
    [
        (say("Half a", finish="length"), "length"),
        (say("Half a", finish="MAX_TOKENS"), "length"),
        (say("Half a", finish="content_filter"), "filtered"),
        (say("", finish="SAFETY"), "filtered"),
        (say("", refusal="I'm sorry, I can't help with that."), "refused"),
        (say("Half a", refusal="I'm sorry."), "refused"),
        (say("", finish="refusal"), "refused"),
        (fail(400, "The prompt triggered the content management policy.", code="content_filter"), "filtered"),
        (fail(403, "Your input was flagged for harassment."), "filtered"),
    ],
)
def test_what_is_no_whole_answer_says_so(
    server: ScriptedServer, settings: Settings, answer: Answer, finish: str
) -> None:
    server.answers = [answer]
    (found,) = complete(server.url, settings)
    assert found.finish == finish
    assert found.problem
    server.answers = [say("Whole.")]
    assert not complete(server.url, settings)[0].problem


def test_a_schema_goes_by_its_title(server: ScriptedServer, settings: Settings) -> None:
    titled = schema_text({"title": "Two words", "type": "object"})
    complete(server.url, settings, Request.of("x", schema=titled))
    assert server.requests[0]["response_format"]["json_schema"]["name"] == "Two_words"


def test_concurrency_is_limited(server: ScriptedServer, settings: Settings) -> None:
    server.answers = [say("ok", wait=0.1)]

    async def many() -> None:
        async with Models(settings.model_copy(update={"concurrency": 3, "cache": False})) as models:
            model = models.open(f"{server.url}#tiny")
            await asyncio.gather(*(model.complete(Request.of(str(i))) for i in range(9)))

    asyncio.run(many())
    assert server.most_at_once == 3


def test_cost_and_budget(server: ScriptedServer, settings: Settings) -> None:
    prices = {"tiny": Price(prompt=1e5, completion=2e5)}
    limited = settings.model_copy(update={"prices": prices, "max_cost": 4.0, "cache": False})

    async def spend() -> None:
        async with Models(limited) as models:
            model = models.open(f"{server.url}#tiny", role="judge")
            await model.complete(HELLO)
            assert models.ledger.total.cost == pytest.approx(2.0)
            await model.complete(HELLO)
            with pytest.raises(errors.BudgetExceeded, match="max_cost"):
                await model.complete(HELLO)
            assert models.ledger.by_role()["judge"].calls == 2

    asyncio.run(spend())
    assert len(server.requests) == 2


class TestKeys:
    KEY = "sk-very-secret-key"

    def test_missing(self, settings: Settings) -> None:
        with pytest.raises(errors.MissingKey, match="OPENAI_API_KEY"):
            open_backend("openai:gpt-4o-mini", settings)

    def test_is_sent_and_never_shown(self, server: ScriptedServer, settings: Settings) -> None:
        server.answers = [fail(401, f"Incorrect API key provided: {self.KEY}")]
        with pytest.raises(errors.MissingKey) as caught:
            complete(server.url, settings, api_key=SecretStr(self.KEY))
        assert server.keys == [f"Bearer {self.KEY}"]
        backend = open_backend(
            f"{server.url}#tiny", settings.model_copy(update={"api_key": SecretStr(self.KEY)})
        )
        shown = f"{caught.value} {caught.value!r} {backend!r} {backend.identity(HELLO)} {settings!r}"
        assert self.KEY not in shown

    def test_environment_key_is_not_read_behind_our_back(
        self, server: ScriptedServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", self.KEY)
        complete(server.url, settings)
        assert server.keys == ["Bearer none"]


class TestHosts:
    """What goes to whom, and who is told of it."""

    SENT = ("openai-organization", "openai-project", "x-team")
    LOGIN = ("ada", "p@ss/word:17")

    @pytest.fixture(autouse=True)
    def environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
        monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-1")
        monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Team: seven\nAuthorization: Bearer theirs")
        monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin")
        monkeypatch.setattr(hosts, "_announced", set())

    def with_login(self, server: ScriptedServer) -> str:
        return server.url.replace("://", "://{}:{}@".format(*map(partial(quote, safe=""), self.LOGIN)))

    def test_the_environments_headers_go_only_where_they_are_meant_to(
        self, server: ScriptedServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        complete(server.url, settings, api_key=SecretStr("sk-own"))
        monkeypatch.setenv("OPENAI_BASE_URL", server.url.replace("://", "://me:pw@") + "/deeper")
        complete(server.url, settings, api_key=SecretStr("sk-own"))
        elsewhere, home = server.headers
        assert not elsewhere.keys() & set(self.SENT)
        assert elsewhere["authorization"] == "Bearer sk-own"
        assert [home[name] for name in self.SENT] == ["org-1", "proj-1", "seven"]
        assert "sk-admin" not in str(server.headers)

    def test_a_login_is_sent_and_never_shown(
        self, server: ScriptedServer, settings: Settings, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        server.answers = [fail(500, f"who is {self.LOGIN[1]}?")]
        spec = f"{self.with_login(server)}#tiny"
        named = Settings(**settings.model_dump() | {"model": spec, "base_url": spec.partition("#")[0]})
        with pytest.raises(errors.ModelError) as caught:
            complete(self.with_login(server), named, api_key=SecretStr("sk-own"))
        sent = b64encode(":".join(self.LOGIN).encode()).decode()
        assert {headers["authorization"] for headers in server.headers} == {f"Basic {sent}"}
        backend = open_backend(spec, named)
        assert backend.spec == f"{server.url}#tiny"
        shown = f"{caught.value} {caught.value.provider} {backend.identity(HELLO)} {named!r} {caplog.text}"
        for secret in (self.LOGIN[1], quote(self.LOGIN[1], safe=""), sent, "ada:"):
            assert secret not in shown

    def test_a_login_is_for_its_own_host(self, server: ScriptedServer, settings: Settings) -> None:
        open_backend("http://ada:pw@elsewhere.example/v1#m", settings)
        complete(server.url, settings)
        assert server.keys == ["Bearer none"]
        travelled = pickle.loads(pickle.dumps(settings))
        assert travelled.login("http://elsewhere.example/other") == ("ada", "pw")
        assert travelled.login("https://elsewhere.example/v1") is None

    @pytest.mark.usefixtures("own_trust")
    @pytest.mark.parametrize("line", ['base_url = "{url}"', 'model = "{url}#tiny"'])
    def test_a_host_that_a_file_chose_is_told_of_once_before_anything_is_sent(
        self, server: ScriptedServer, tmp_path: Path, caplog: pytest.LogCaptureFixture, line: str
    ) -> None:
        file = tmp_path / "redraft.toml"
        file.write_text(line.format(url=server.url))
        trust(file)
        settings = load_settings(
            {"cache": False}, directory=tmp_path, environment={"OPENAI_API_KEY": "sk-own"}
        )
        told_before: list[str] = []

        def answer(handler: Any, body: dict[str, Any]) -> None:
            told_before.append(caplog.text)
            say("ok")(handler, body)

        server.answers = [answer]
        spec = settings.model if "model" in line else "openai:tiny"

        async def ask() -> None:
            async with Models(settings) as models:
                model = models.open(spec)
                assert not caplog.records
                await model.complete(HELLO)
                await model.complete(HELLO)

        asyncio.run(ask())
        host = server.url.removeprefix("http://").removesuffix("/v1")
        told = f"sending texts and your key to {host}, which redraft.toml at {tmp_path} chose"
        assert told in told_before[0]
        assert [record.getMessage() for record in caplog.records] == [told]

    @pytest.mark.usefixtures("own_trust")
    def test_a_host_that_the_user_chose_is_not_told_of(
        self, server: ScriptedServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        (tmp_path / "redraft.toml").write_text('base_url = "http://evil.example/v1"\njudge = "openai:tiny"')
        flags = {"cache": False, "model": "openai:tiny"}
        settings = load_settings(flags, directory=tmp_path, environment={"OPENAI_BASE_URL": server.url})
        complete(server.url, settings)
        assert settings.chosen_by("openai:tiny") is None
        assert not caplog.records
        chosen = load_settings(directory=tmp_path, environment={"OPENAI_BASE_URL": server.url})
        hosts.announce_hosts(chosen)
        assert f"which redraft.toml at {tmp_path} chose" in caplog.text
