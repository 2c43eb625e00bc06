from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import torch

from redraft.errors import InputError
from redraft.train.loop import Config, Trainer, _factor
from redraft.train.objective import CrossEntropy
from tests.train.tiny import tiny_examples, tiny_model, tiny_training

ROOT = Path(__file__).parents[2]


def weights_of(model: Any) -> dict[str, torch.Tensor]:
    return {name: weight.detach() for name, weight in model.named_parameters() if weight.requires_grad}


def assert_same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> None:
    assert one.keys() == other.keys()
    for name, weight in one.items():
        assert torch.equal(weight, other[name]), name


def script(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)


def test_a_training_killed_and_resumed_ends_with_the_same_weights_bit_for_bit(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for out in (whole, killed):
        out.mkdir()
    assert script("-m", "tests.train.tiny", str(whole), "0").returncode == 0
    # The fifth step comes after the checkpoint of the fourth, and is done again.
    assert script("-m", "tests.train.tiny", str(killed), "5").returncode == -signal.SIGKILL
    assert not (killed / "end.pt").exists()
    assert script("-m", "tests.train.tiny", str(killed), "0").returncode == 0
    ends = [torch.load(out / "end.pt", weights_only=True) for out in (whole, killed)]
    assert_same(*ends)
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
            assert told.wait(10)

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
    launch = (
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc_per_node",
        "2",
        "-m",
        "tests.train.tiny",
    )
    ends = []
    for name, command, accumulate in (("one", ("-m", "tests.train.tiny"), "2"), ("two", launch, "1")):
        (tmp_path / name).mkdir()
        done = script(*command, str(tmp_path / name), "0", accumulate)
        assert done.returncode == 0, done.stderr
        ends.append(torch.load(tmp_path / name / "end.pt", weights_only=True))
    for name, weight in ends[0].items():
        torch.testing.assert_close(weight, ends[1][name], rtol=1e-3, atol=1e-5)


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
