from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import torch

from redraft.errors import InputError
from redraft.train.loop import Config, Trainer, _factor
from redraft.train.model import CrossEntropy
from tests.train.tiny import tiny_examples, tiny_model, tiny_training

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.usefixtures("one_thread")


def weights_of(model: Any) -> dict[str, torch.Tensor]:
    return {name: weight.detach() for name, weight in model.named_parameters() if weight.requires_grad}


def assert_same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> None:
    assert one.keys() == other.keys()
    for name, weight in one.items():
        assert torch.equal(weight, other[name]), name


def script(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.train.tiny", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_training_killed_and_resumed_ends_with_the_same_weights_bit_for_bit(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    # The fifth step comes after the checkpoint of the fourth, and is done again.
    with script(str(killed), "5") as process:
        _, printed = process.communicate()
    assert process.returncode == -signal.SIGKILL, printed
    assert not (killed / "end.pt").exists()
    steps: list[int] = []
    ends = [
        tiny_training(whole)[0],
        tiny_training(killed, lambda values: steps.append(values["step"]))[0],
    ]
    assert steps[0] == 5
    assert_same(*map(weights_of, ends))
    losses = [
        [{k: v for k, v in json.loads(line).items() if k != "seconds"} for line in text.splitlines()]
        for text in ((out / "metrics.jsonl").read_text() for out in (whole, killed))
    ]
    assert losses[0] == losses[1]


def looks(out: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    return [{**line, "seconds": 0} for line in lines if "dev_loss" in line]


def test_checkpoints_by_time_change_nothing_and_are_gone_on_from_bit_for_bit(tmp_path: Path) -> None:
    def die(values: dict[str, Any]) -> None:
        if values["step"] == 6 and "loss" in values:
            raise RuntimeError("the power is gone")

    often, out = {"check_every": 4, "save_seconds": 1e-9}, tmp_path / "often"
    with pytest.raises(RuntimeError, match="power"):
        tiny_training(out, die, **often)
    assert sorted(path.name for path in (out / "checkpoints").iterdir()) == ["00000004.pt", "00000005.pt"]
    steps: list[int] = []
    resumed, _ = tiny_training(out, lambda values: steps.append(values["step"]), **often)
    whole, _ = tiny_training(tmp_path / "whole", check_every=4)
    assert steps == [6, 7, 8, 8]
    assert_same(weights_of(resumed), weights_of(whole))
    assert looks(out) == looks(tmp_path / "whole")
    assert [look["step"] for look in looks(out)] == [4, 8]


def test_a_signal_is_told_of_while_the_step_goes_on(tmp_path: Path) -> None:
    told = threading.Event()

    def interrupt(values: dict[str, Any]) -> None:
        if values["step"] == 1 and "loss" in values:
            signal.raise_signal(signal.SIGTERM)
            assert told.wait(300)

    trainer = Trainer(
        CrossEntropy(tiny_model()), lambda _: tiny_examples(), Config(max_steps=4, tokens=64, longest=32),
        tmp_path, listener=interrupt, interrupted=told.set,
    )  # fmt: skip
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with pytest.raises(KeyboardInterrupt):
        trainer.run()
    assert before == [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    assert [thread.name for thread in threading.enumerate() if thread.name == "signals"] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_training_keeps_its_last_step(tmp_path: Path, number: signal.Signals) -> None:
    def interrupt(values: dict[str, Any]) -> None:
        if values["step"] == 3:
            signal.raise_signal(number)

    with pytest.raises(KeyboardInterrupt):
        tiny_training(tmp_path / "stopped", interrupt)
    assert [path.name for path in (tmp_path / "stopped/checkpoints").glob("*3.pt")] == ["00000003.pt"]
    resumed, outcome = tiny_training(tmp_path / "stopped")
    whole, _ = tiny_training(tmp_path / "whole")
    assert outcome.progress.step == 8
    assert_same(weights_of(resumed), weights_of(whole))


def test_a_finished_training_is_not_trained_further(tmp_path: Path) -> None:
    first, _ = tiny_training(tmp_path)
    again, outcome = tiny_training(tmp_path)
    assert outcome.progress.step == 8
    assert_same(weights_of(first), weights_of(again))


def test_a_half_written_checkpoint_is_never_seen(tmp_path: Path) -> None:
    tiny_training(tmp_path)
    folder = tmp_path / "checkpoints"
    assert sorted(path.name for path in folder.iterdir()) == ["00000006.pt", "00000008.pt"]
    (folder / "00000010.part").write_bytes(b"half")
    _, outcome = tiny_training(tmp_path)
    assert outcome.progress.step == 8


def test_a_checkpoint_of_another_model_is_an_error(tmp_path: Path) -> None:
    tiny_training(tmp_path)
    trainer = Trainer(
        CrossEntropy(tiny_model()),
        lambda _: tiny_examples(),
        Config(max_steps=9, tokens=64, longest=32),
        tmp_path,
    )
    with pytest.raises(InputError, match="checkpoint of another model"):
        trainer.run()


def test_accumulated_batches_are_one_large_batch(tmp_path: Path) -> None:
    ends = []
    for name, tokens, accumulate in (("large", 400, 1), ("small", 40, 100)):
        model = tiny_model()
        config = Config(max_steps=3, tokens=tokens, longest=32, accumulate=accumulate, rate=0.01)
        Trainer(CrossEntropy(model), lambda _: tiny_examples(), config, tmp_path / name).run()
        ends.append(weights_of(model))
    for name, weight in ends[0].items():
        torch.testing.assert_close(weight, ends[1][name], rtol=1e-3, atol=1e-5)


def test_two_processes_train_as_one_with_twice_the_batches(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    both = {"WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    two = [  # as torchrun starts them
        script(str(tmp_path / "two"), "0", "1", RANK=rank, LOCAL_RANK=rank, **both) for rank in ("0", "1")
    ]
    printed = [process.communicate()[1] for process in two]
    assert [process.returncode for process in two] == [0, 0], printed
    one, _ = tiny_training(tmp_path / "one", accumulate=2, dropout=0.0)
    end = torch.load(tmp_path / "two" / "end.pt", weights_only=True)
    for name, weight in weights_of(one).items():
        torch.testing.assert_close(weight, end[name], rtol=1e-3, atol=1e-5)


def test_it_learns_a_toy_set_by_heart(tmp_path: Path) -> None:
    model = tiny_model()
    examples = tiny_examples(4)
    config = Config(max_steps=150, tokens=128, longest=32, rate=0.02, check_every=1000)
    losses: list[float] = []
    Trainer(
        CrossEntropy(model), lambda _: examples, config, tmp_path, listener=lambda v: losses.append(v["loss"])
    ).run()
    assert losses[0] > 3
    assert losses[-1] < 0.05
    # Greedy decoding from each prompt gives its learnt half back.
    for example in examples:
        start = int(example.weights.argmax())
        prompt = torch.from_numpy(example.tokens[:start])[None]
        model.set_attn_implementation("sdpa")
        written = model.generate(
            prompt, max_new_tokens=len(example) - start, do_sample=False, eos_token_id=None, pad_token_id=0
        )
        assert written[0].tolist() == example.tokens.tolist()


def test_it_stops_when_the_dev_loss_does_not_fall_and_gives_the_best_weights(tmp_path: Path) -> None:
    model, outcome = tiny_training(tmp_path, max_steps=200, rate=0.5, patience=2)
    assert outcome.progress.step < 200
    assert "has not fallen for 2 looks" in outcome.reason
    best = torch.load(tmp_path / "checkpoints/best.pt", weights_only=True)
    assert_same({f"model.{name}": weight for name, weight in weights_of(model).items()}, best)


def test_epochs_and_their_share_end_the_training(tmp_path: Path) -> None:
    _, outcome = tiny_training(tmp_path / "whole", max_steps=None, epochs=1.0)
    _, half = tiny_training(tmp_path / "half", max_steps=None, epochs=0.5)
    assert outcome.progress.share == half.progress.share == 1.0
    assert 0 < half.progress.step < outcome.progress.step


def test_the_rate_rises_then_falls_to_zero() -> None:
    assert _factor(0.0, 0.1) < 0.02
    assert _factor(0.1, 0.1) == 1.0
    assert _factor(0.55, 0.1) == pytest.approx(0.5)
    assert _factor(1.0, 0.1) == pytest.approx(0.0)


def test_no_example_is_an_error(tmp_path: Path) -> None:
    trainer = Trainer(CrossEntropy(tiny_model()), lambda _: [], Config(tokens=64, longest=32), tmp_path)
    with pytest.raises(InputError, match="nothing to train on"):
        trainer.run()
