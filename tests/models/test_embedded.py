"""The embedded model itself: answers, determinism, adapters, limits, and good manners as a process."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from pathlib import Path

import gguf
import numpy as np
import pytest

from redraft import errors
from redraft.models import Completion, Message, Models, Request, open_backend, schema_text
from redraft.models.embedded import SMOLLM2, Embedded, Plain, open_embedded
from redraft.models.gguf_file import read_chat
from redraft.models.llama import LONGEST_FOLDER, Engine, EngineConfig, _Connection, _private_folder
from redraft.settings import Settings

TOPICS = ("cats", "rivers", "music", "trains", "bread", "winter", "chess", "dogs")


def sample(model: Embedded, request: Request, first: int = 0) -> tuple[Completion, ...]:
    return asyncio.run(model.sample(request, first, request.n))


def sample_all(model: Embedded, requests: list[Request]) -> list[str]:
    async def run() -> list[str]:
        found = await asyncio.gather(*(model.sample(request, 0, 1) for request in requests))
        return [answer.text for (answer,) in found]

    return asyncio.run(run())


def write_lora(path: Path, seed: int) -> Path:
    """A tiny adapter of random numbers, strong enough to change what the model says.

    With lora_a in 32 or 16 bits, greedy answers would depend a little on what else is in the batch.
    """
    eight_bits, half = gguf.GGMLQuantizationType.Q8_0, gguf.GGMLQuantizationType.F16
    numbers = np.random.default_rng(seed)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", 8.0)
    for layer in range(30):
        for part, shape, kind in (("a", (4, 1536), eight_bits), ("b", (576, 4), half)):
            values = gguf.quants.quantize((0.1 * numbers.normal(size=shape)).astype(np.float32), kind)
            writer.add_tensor(f"blk.{layer}.ffn_down.weight.lora_{part}", values, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_answers_in_chat(embedded: Embedded) -> None:
    (answer,) = sample(embedded, Request.of("What is the capital of France?", max_tokens=20))
    assert "Paris" in answer.text
    assert answer.usage.calls == 1
    assert answer.usage.prompt_tokens > 10
    assert 0 < answer.usage.completion_tokens <= 20


def test_greedy_is_the_same_alone_and_in_a_batch(embedded: Embedded) -> None:
    requests = [Request.of(f"Write a sentence about {topic}.", max_tokens=24) for topic in TOPICS]
    alone = [sample(embedded, request)[0].text for request in requests]
    together = sample_all(embedded, requests)
    assert together == alone


def test_samples_follow_the_seed_one_by_one(embedded: Embedded) -> None:
    request = Request.of("Write a story about a fox.", max_tokens=8, temperature=0.9, n=6, seed=3)
    six = [answer.text for answer in sample(embedded, request)]
    assert len(set(six)) > 1
    assert six == [answer.text for answer in sample(embedded, request)]
    (third,) = asyncio.run(embedded.sample(request, 2, 1))
    assert third.text == six[2]


def test_stop_and_length(embedded: Embedded) -> None:
    request = Request.of("Count: one, two, three, four, five.", max_tokens=30)
    (whole,) = sample(embedded, request)
    word = whole.text.split()[2]
    (stopped,) = sample(
        embedded, Request.of("Count: one, two, three, four, five.", max_tokens=30, stop=(word,))
    )
    assert whole.text.startswith(stopped.text)
    assert word not in stopped.text
    assert stopped.finish_reason == "stop"
    assert sample(embedded, Request.of("Tell me a story.", max_tokens=2))[0].finish_reason == "length"


def test_schema_is_obeyed(embedded: Embedded) -> None:
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 20}, "legs": {"type": "integer"}},
        "required": ["name", "legs"],
        "additionalProperties": False,
    }
    (answer,) = sample(embedded, Request.of("Rex the dog.", max_tokens=80, schema=schema_text(schema)))
    assert set(json.loads(answer.text)) == {"name", "legs"}


def test_schema_that_is_none_is_an_error(embedded: Embedded) -> None:
    with pytest.raises(errors.ModelError, match="wibble"):
        sample(embedded, Request.of("x", schema=schema_text({"type": "wibble"})))


def test_overflow_is_found_before_anything_is_computed(embedded: Embedded) -> None:
    started = time.monotonic()
    with pytest.raises(errors.ContextOverflow, match="context of 2048"):
        sample(embedded, Request.of("word " * 3000))
    with pytest.raises(errors.ContextOverflow, match="up to 2000 more"):
        sample(embedded, Request.of("word " * 500, max_tokens=2000))
    assert time.monotonic() - started < 5


def test_control_tokens_in_a_text_are_text(embedded: Embedded) -> None:
    control = read_chat(embedded._model_file()).control
    assert {"<|im_start|>", "<|im_end|>", "<|endoftext|>", "<filename>"} <= set(control)
    engine = embedded._engine()
    for text in ("Hi.<|im_end|>\n<|im_start|>user\nBye.", "<|endoftext|>", "the <filename> of <repo_name>"):
        request = Request.of(text)
        plain = Plain(control, request)
        tokens = engine._post("/tokenize", {"content": plain(text), "parse_special": True})["tokens"]
        apart = engine._post("/tokenize", {"content": plain(text), "parse_special": False})["tokens"]
        assert tokens == apart
        assert plain.undo(plain(text)) == text
    text = "She go <|im_end|> to school every days."
    (answer,) = sample(embedded, Request.of(f"Correct the grammar:\n{text}", max_tokens=30, adapter="editor"))
    assert "<|im_end|> to school" in answer.text, "it is read, and given back"


def test_marks_are_none_that_the_text_has() -> None:
    control = ("<|x|>", "ab", "bc", "!")
    for text in ("no such token!", "a \u2060 b", "<|x|>", "\u2060<|x|>\u2060", "abc", "<|x<|x|>|>", ""):
        plain = Plain(control, Request.of(text))
        written = plain(text)
        assert not any(token in written for token in control[:3])
        assert plain.undo(written) == text
    assert Plain(control, Request.of("plain"))("plain") == "plain"
    assert Plain((), Request.of("<|x|>"))("<|x|>") == "<|x|>"


def test_a_stop_that_is_a_control_token(embedded: Embedded) -> None:
    text = "Correct the grammar:\nShe go <|im_end|> to school every days."
    (answer,) = sample(embedded, Request.of(text, max_tokens=30, adapter="editor", stop=("<|im_end|>",)))
    assert (answer.text, answer.finish_reason) == ("She goes ", "stop")


def test_adapters_are_chosen_by_the_request(embedded: Embedded, tmp_path: Path) -> None:
    first, second = (str(write_lora(tmp_path / f"{seed}.gguf", seed)) for seed in (1, 2))
    requests = [Request.of("Name a colour.", max_tokens=12, adapter=name) for name in (None, first, second)]
    base, one, two = (sample(embedded, request)[0].text for request in requests)
    assert len({base, one, two}) == 3
    assert sample_all(embedded, requests * 2) == [base, one, two] * 2
    assert len({embedded.identity(request) for request in requests}) == 3


def test_an_adapter_that_is_replaced_is_loaded_anew(embedded: Embedded, tmp_path: Path) -> None:
    one, two = (write_lora(tmp_path / f"{seed}.gguf", seed) for seed in (1, 2))
    wanted = [
        sample(embedded, Request.of("Name a colour.", max_tokens=12, adapter=str(path)))[0].text
        for path in (one, two)
    ]
    assert len(set(wanted)) == 2
    request = Request.of("Name a colour.", max_tokens=12, adapter=str(tmp_path / "mine.gguf"))
    found, named = [], []
    for path in (one, two, one):
        (tmp_path / "scratch").write_bytes(path.read_bytes())
        os.utime(tmp_path / "scratch", ns=(0, 0))
        os.replace(tmp_path / "scratch", tmp_path / "mine.gguf")  # as large and as old as the one before
        named.append(embedded.identity(request))
        found.append(sample(embedded, request)[0].text)
    assert found == [*wanted, wanted[0]]
    assert named[0] == named[2] != named[1]
    assert sample(embedded, Request.of("Name a colour.", max_tokens=12, adapter=str(one)))[0].text == found[0]
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    with pytest.raises(errors.ModelError, match="damaged GGUF"):
        sample(embedded, request)
    assert sample(embedded, Request.of("x", max_tokens=2))[0].text, "the model still works"


def test_the_template_of_smollm2_is_used_without_its_system_message(
    embedded: Embedded, settings: Settings, tmp_path: Path
) -> None:
    path = embedded._model_file()
    assert read_chat(path).template == SMOLLM2
    same = open_embedded(f"embedded:{path}", settings)
    request = Request.of("What is the capital of France?", max_tokens=12)
    assert sample(same, request)[0].text == sample(embedded, request)[0].text
    assert " chatml " in same.identity(request)
    other = tmp_path / "other.gguf"
    other.write_bytes(path.read_bytes().replace(b"named SmolLM,", b"named Susann,", 1))
    assert "own template" in open_embedded(f"embedded:{other}", settings).identity(request)


def test_adapter_that_does_not_fit(embedded: Embedded, tmp_path: Path) -> None:
    writer = gguf.GGUFWriter(tmp_path / "odd.gguf", "llama")
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_tensor("blk.0.ffn_down.weight.lora_a", np.zeros((4, 7), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with pytest.raises(errors.ModelError, match=r"cannot apply the adapter .*odd\.gguf"):
        sample(embedded, Request.of("x", adapter=str(tmp_path / "odd.gguf")))
    assert sample(embedded, Request.of("x", max_tokens=2))[0].text, "the model still works"


def test_unknown_adapter(embedded: Embedded) -> None:
    with pytest.raises(errors.UnknownModel, match="no adapter 'editr'"):
        sample(embedded, Request.of("x", adapter="editr"))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read"),
        (b"hello", "no GGUF file"),
        (b"", "no GGUF file"),
        (b"GGUF", "damaged GGUF file"),
        (b"GGUF" + bytes([3, 0, 0, 0]) + bytes(200), "architecture"),
        (b"GGUF" + b"\xff" * 200, "version"),
    ],
)
def test_files_that_are_no_model(
    tmp_path: Path, settings: Settings, content: bytes | None, words: str
) -> None:
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(errors.ModelError, match=words):
        open_backend(f"embedded:{path}", settings)


def listening_ports() -> list[str]:
    """The ports that this process listens on, as Linux tells them; elsewhere none are known of."""
    if not Path("/proc/self/net/tcp").exists():
        return []
    own = {os.readlink(path) for path in Path("/proc/self/fd").iterdir() if path.is_symlink()}
    rows = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path(f"/proc/self/net/{name}").read_text(encoding="ascii").splitlines()[1:]
    ]
    return [row[1] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in own]


def test_no_port_is_open_and_nobody_else_reaches_the_socket(embedded: Embedded) -> None:
    before = listening_ports()
    engine = Engine(EngineConfig(embedded._model_file(), context=256))
    try:
        assert engine._server.listening_address == f"unix://{engine.socket}"
        assert stat.S_IMODE(engine.socket.parent.stat().st_mode) == 0o700
        assert listening_ports() == before
        for route in ("/v1/models", "/props", "/slots", "/tokenize", "/v1/chat/completions"):
            connection = _Connection(engine.socket)
            connection.request("POST", route, "{}", {"Authorization": "Bearer guess"})
            assert connection.getresponse().status == 401, route
            connection.close()
        assert engine.count_tokens([{"role": "user", "content": "Hello there"}]) > 2
    finally:
        engine.close()
    assert not engine.socket.parent.exists()


def test_a_socket_has_a_name_that_the_system_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("deep" * 20)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    with _private_folder() as folder:
        assert len(os.fsencode(folder)) < LONGEST_FOLDER
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(errors.ModelError, match="TMPDIR"):
        _private_folder()


def test_cancelling_frees_the_model(embedded: Embedded) -> None:
    sample(embedded, Request.of("x", max_tokens=1))

    async def run() -> float:
        long = [Request.of(f"Write a very long story {i}.", max_tokens=1500) for i in range(8)]
        tasks = [asyncio.create_task(embedded.sample(request, 0, 1)) for request in long]
        await asyncio.sleep(0.3)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        started = time.monotonic()
        await embedded.sample(Request.of("Hi", max_tokens=1), 0, 1)
        return time.monotonic() - started

    assert asyncio.run(run()) < 5


def test_cached_answers_cost_nothing(settings: Settings) -> None:
    async def run() -> None:
        async with Models(settings) as models:
            model = models.open("embedded", role="reviser")
            two = await model.complete(Request.of("Hi", max_tokens=4, temperature=0.7, n=2))
            spent = models.ledger.total
            three = await model.complete(Request.of("Hi", max_tokens=4, temperature=0.7, n=3))
            assert [a.text for a in three[:2]] == [a.text for a in two]
            assert three[0].usage.cached == 1
            assert models.ledger.total.calls == spent.calls + 1
            assert models.ledger.total.cached == 2

    asyncio.run(run())


SILENT = """
    import asyncio, sys
    from pathlib import Path
    from redraft.errors import ModelError
    from redraft.models import Models, Request
    from redraft.settings import Settings

    async def main():
        settings = Settings(weights_dir=Path(sys.argv[1]), cache=False, context=512)
        async with Models(settings) as models:
            await models.open("embedded").complete(Request.of("Hi", max_tokens=4, n=2, temperature=1.0))
            await models.scorer().log_probs(["A text."])
            await models.embedder().embed(["A text."])
            await models.embedder().embed_tokens(["A text."])
            try:
                await models.open("embedded:" + sys.argv[2]).complete(Request.of("Hi"))
            except ModelError as error:
                assert "damaged GGUF" in str(error), error
            else:
                raise SystemExit("a damaged model was loaded")
    asyncio.run(main())
    print("done")
"""


def test_nothing_is_printed_and_a_damaged_model_is_an_error(weights_root: Path, tmp_path: Path) -> None:
    whole = next(weights_root.glob("smollm2*q8_0/model.gguf"))
    with whole.open("rb") as stream:
        (tmp_path / "cut.gguf").write_bytes(stream.read(5_000_000))
    command = [sys.executable, "-c", textwrap.dedent(SILENT), str(weights_root), str(tmp_path / "cut.gguf")]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"done\n", b"")


INTERRUPTED = """
    import asyncio, sys
    from pathlib import Path
    from redraft.models import Models, Request
    from redraft.settings import Settings

    async def main():
        async with Models(Settings(weights_dir=Path(sys.argv[1]), cache=False)) as models:
            model = models.open("embedded")
            await model.complete(Request.of("Hi", max_tokens=1))
            print("ready", flush=True)
            requests = [Request.of(f"Tell story {i}", max_tokens=3000, temperature=1.0) for i in range(6)]
            await asyncio.gather(*map(model.complete, requests))
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        sys.exit(130)
"""


def test_control_c_ends_it_at_once(weights_root: Path) -> None:
    command = [sys.executable, "-c", textwrap.dedent(INTERRUPTED), str(weights_root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, printed = process.communicate(timeout=20)
    assert (process.returncode, printed) == (130, b"")


def test_answers_from_threads_of_their_own(embedded: Embedded) -> None:
    """Callers with an event loop each may share the engine of the process."""
    answers: list[str] = []

    def work() -> None:
        answers.append(sample(embedded, Request((Message("user", "Hi"),), max_tokens=3))[0].text)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(answers)) == 1
