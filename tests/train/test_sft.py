"""Fine-tuning as a whole: what it leaves, how it goes on, and what it makes of damage and of a full disk."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.numpy import load_file

from redraft import __version__
from redraft.errors import FileError, InputError
from redraft.models import Message, load_gguf, load_tokenizer
from redraft.text.files import lock_folder
from redraft.train.batches import BatchFeed
from redraft.train.checkpoint import Checkpoints, MetricsLog
from redraft.train.config import Config
from redraft.train.conversations import Conversation
from redraft.train.loop import Outcome
from redraft.train.model import Lora
from redraft.train.sft import TrainingJob, fine_tune
from tests.models.tiny_llama import write_folder, write_model
from tests.train.tiny import tiny_examples, tiny_model

CONFIG = Config(max_steps=4, tokens=256, longest=64, check_every=2)
TURNS = tuple(
    Conversation((Message("user", f"fix: he go {number}"), Message("assistant", f"he goes {number}")))
    for number in range(8)
)
Listener = Callable[[dict[str, Any]], None]


pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("base") / "tiny.gguf")


@pytest.fixture
def job(base: Path, tmp_path: Path) -> TrainingJob:
    return TrainingJob(
        base, tmp_path / "out", Lora(rank=2), CONFIG, {"data": [{"file": "a.jsonl", "sha256": "12"}]}
    )


def train(
    job: TrainingJob, listener: Listener = lambda _: None, dev: Sequence[Conversation] = TURNS[:2]
) -> Outcome:
    return fine_tune(job, lambda _: TURNS, dev, listener)


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def adapter(job: TrainingJob) -> dict[str, Any]:
    return {
        name: weight.tolist() for name, weight in load_file(job.result / "adapter_model.safetensors").items()
    }


def current_mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def change(path: Path, **values: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def stopped_after(step: int) -> Listener:
    def stop(values: dict[str, Any]) -> None:
        if values["step"] == step and "loss" in values:
            raise RuntimeError("the power is gone")

    return stop


def test_a_training_leaves_an_adapter_a_record_and_its_losses_and_then_nothing_changes(
    job: TrainingJob,
) -> None:
    outcome = train(job)
    record = json.loads((job.out / "train.json").read_text())
    assert record["outcome"]["progress"]["step"] == outcome.progress.step == 4
    assert record["base"]["file"] == "tiny.gguf"
    assert record["lora"] == {"rank": 2, "scale": 2.0, "dropout": 0.0}
    lines = [json.loads(line) for line in (job.out / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines if "loss" in line] == [1, 2, 3, 4]
    assert [line["step"] for line in lines if "dev_loss" in line] == [2, 4]
    weights = job.result / "adapter_model.safetensors"
    assert not (job.result / "README.md").exists()
    assert weights.stat().st_mode == (job.result / "adapter_config.json").stat().st_mode
    assert weights.stat().st_mode & 0o777 == 0o644 & ~current_mask()
    before = state(job.out)
    assert train(job) == replace(outcome, already=True)
    assert state(job.out) == before


def test_a_record_whose_adapter_is_gone_gets_it_again_without_training(job: TrainingJob) -> None:
    train(job)
    weights = adapter(job)
    shutil.rmtree(job.result)
    steps: list[int] = []
    train(job, lambda values: steps.append(values["step"]))
    assert adapter(job) == weights
    assert steps == []


def test_a_folder_can_be_the_base_and_an_adapter_of_it_the_start(
    base: Path, job: TrainingJob, tmp_path: Path
) -> None:
    pretrained = load_gguf(base)
    pretrained.model.save_pretrained(tmp_path / "folder")
    load_tokenizer(base).save(str(tmp_path / "folder" / "tokenizer.json"))
    whole = replace(job, base=tmp_path / "folder")
    assert train(whole).progress.step == CONFIG.max_steps
    # The same weights, read in another way, learn the same.
    assert train(replace(job, out=tmp_path / "other")).progress.best == pytest.approx(
        train(whole).progress.best, rel=1e-4
    )
    train(replace(whole, out=tmp_path / "second", start=job.out))
    with pytest.raises(InputError, match=r"holds an adapter, which is no base.*--start"):
        train(replace(job, base=job.out, out=tmp_path / "third"))


def test_a_model_of_another_build_is_no_base(job: TrainingJob, tmp_path: Path) -> None:
    template = "{% for m in messages %}<s>{{ m['role'] }} {{ m['content'] }}</s>{% endfor %}"
    folder = write_folder(tmp_path / "stable", "StableLm", template)
    with pytest.raises(InputError, match=r"is a 'stablelm', and cannot be trained: known are llama"):
        train(replace(job, base=folder))
    with pytest.raises(InputError, match="has no chat template"):
        train(replace(job, base=write_folder(tmp_path / "plain", "Llama", "")))


def test_a_training_that_lost_patience_stays_ended(job: TrainingJob) -> None:
    job = replace(job, config=replace(CONFIG, max_steps=60, rate=0.5, check_every=1, patience=1))
    outcome = train(job)
    assert outcome.progress.step < 60
    weights = adapter(job)
    record = json.loads((job.out / "train.json").read_text())
    record.pop("outcome")  # as if it had been killed just before its end
    (job.out / "train.json").write_text(json.dumps(record))
    again = train(job)
    assert (again.progress, again.reason) == (outcome.progress, outcome.reason)
    assert adapter(job) == weights


def test_damaged_best_weights_are_an_error_that_says_what_to_do(job: TrainingJob) -> None:
    job = replace(job, config=replace(CONFIG, check_every=1, patience=5))
    train(job)
    (job.out / "checkpoints/best.pt").write_bytes(b"")
    shutil.rmtree(job.result)
    with pytest.raises(InputError, match=r"best\.pt.* is damaged; delete it to take the last ones"):
        train(job)
    (job.out / "checkpoints/best.pt").unlink()
    assert train(job).progress.step == 4


def test_ctrl_c_in_the_last_step_lets_the_training_end(job: TrainingJob) -> None:
    def interrupt(values: dict[str, Any]) -> None:
        if values["step"] == 4 and "loss" in values:
            signal.raise_signal(signal.SIGINT)

    assert train(job, interrupt).reason == "done"
    lines = (job.out / "metrics.jsonl").read_text().splitlines()
    assert "dev_loss" in lines[-1]


def test_patience_without_a_dev_set_is_an_error(job: TrainingJob) -> None:
    job = replace(job, config=replace(CONFIG, patience=1))
    with pytest.raises(InputError, match="patience needs a dev set"):
        train(job, dev=())
    assert list(job.out.iterdir()) == []


def test_a_folder_that_another_process_trains_in_is_left_alone(job: TrainingJob) -> None:
    with (
        lock_folder(job.out, "--out"),
        pytest.raises(InputError, match=r"another process is writing .* another --out"),
    ):
        train(job)
    assert list(job.out.iterdir()) == []


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"lora": Lora(rank=4)}, r"another adapter \(rank is 2 there, 4 here\)"),
        ({"lora": None}, "another adapter"),
        ({"config": replace(CONFIG, rate=0.5)}, r"another setting \(rate is 0.001 there, 0.5 here\)"),
        ({"record": {"data": [{"file": "a.jsonl", "sha256": "34"}]}}, r'a.jsonl: sha256 is "12" there, "34"'),
        ({"record": {"data": []}}, r"another data \(1 entries there, 0 here\)"),
    ],
)
def test_another_training_in_the_same_folder_is_an_error(
    job: TrainingJob, other: dict[str, Any], says: str
) -> None:
    with pytest.raises(RuntimeError, match="power"):
        train(job, stopped_after(1))
    before = state(job.out)
    with pytest.raises(InputError, match=says):
        train(replace(job, **other))
    assert state(job.out) == before


def test_a_record_of_another_version(job: TrainingJob) -> None:
    with pytest.raises(RuntimeError, match="power"):
        train(job, stopped_after(3))
    path = job.out / "train.json"
    record = json.loads(path.read_text())
    # An older version may not have known of an option that is left alone now.
    older = {key: value for key, value in record["config"].items() if key not in ("compile", "betas")}
    change(path, config=older, versions={"redraft": "0.0.1"})
    with pytest.warns(UserWarning, match=f"begun by redraft 0.0.1, and this is {__version__}"):
        assert train(job).progress.step == 4
    change(path, outcome={"progress": {"step": 4, "mood": "good"}})
    with pytest.raises(InputError, match=r"train\.json is of another version"):
        train(job)
    for text in ("[]", "{", "\x00"):
        path.write_text(text)
        with pytest.raises(InputError, match=r"train\.json is no record of a training"):
            train(job)
    path.unlink()
    with pytest.raises(InputError, match=r"holds checkpoints, but no train\.json"):
        train(job)


def test_how_often_it_is_kept_may_change(job: TrainingJob) -> None:
    with pytest.raises(RuntimeError, match="power"):
        train(job, stopped_after(3))
    assert train(replace(job, config=replace(CONFIG, save_seconds=7))).progress.step == 4


def test_a_folder_that_cannot_be_made_is_an_error(job: TrainingJob) -> None:
    job.out.write_text("a file")
    with pytest.raises(FileError, match=r"Not a directory|cannot be made"):
        train(job)
    with pytest.raises(FileError, match=r"Not a directory|cannot be made"):
        train(replace(job, out=job.out / "inner"))


def test_a_damaged_checkpoint_is_passed_over_for_the_one_before(job: TrainingJob) -> None:
    whole = replace(job, out=job.out.with_name("whole"))
    train(whole)
    with pytest.raises(RuntimeError, match="power"):
        train(replace(job, config=replace(CONFIG, check_every=1)), stopped_after(4))
    change(job.out / "train.json", config=json.loads((whole.out / "train.json").read_text())["config"])
    newest = job.out / "checkpoints/00000003.pt"
    content = newest.read_bytes()
    newest.write_bytes(content[: len(content) // 2])
    with pytest.warns(UserWarning, match=r"00000003\.pt is damaged; going on from 00000002\.pt"):
        train(job)
    assert newest.with_suffix(".damaged").exists()
    assert adapter(job) == adapter(whole)


def test_where_every_checkpoint_is_damaged_nothing_is_trained_over_them(job: TrainingJob) -> None:
    with pytest.raises(RuntimeError, match="power"):
        train(job, stopped_after(3))
    for garbage in (b"", b"no checkpoint at all", b"PK\x03\x04"):
        for path in (job.out / "checkpoints").glob("*.pt"):
            path.write_bytes(garbage)
        before = state(job.out)
        with pytest.raises(InputError, match=r"no checkpoint in .* can be read"):
            train(job)
        assert state(job.out) == before


@contextlib.contextmanager
def disk_with_room_for(size: int) -> Iterator[None]:
    """No file grows beyond: the system refuses to write as it does on a full disk."""
    resource = pytest.importorskip("resource", reason="needs limits on the size of files: Linux or macOS")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_said_and_leaves_the_checkpoints_that_were_there(tmp_path: Path) -> None:
    model = tiny_model()
    optimiser = torch.optim.AdamW(model.parameters())
    checkpoints = Checkpoints(tmp_path, model, optimiser, keep=1)
    checkpoints.save({"step": 1})
    before = state(tmp_path)
    with (
        disk_with_room_for(2000),
        pytest.raises(FileError, match=r"00000002\.pt cannot be written: File too large; what was there"),
    ):
        checkpoints.save({"step": 2})
    assert state(tmp_path) == before
    assert checkpoints.resume() == {"step": 1}


def test_a_journal_keeps_what_is_whole_up_to_the_step(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_text('{"step": 1}\n\x00\x00\n[]\n{"step": 2}\n{"step": 3}\n{"step": 2')
    MetricsLog(path, 2).write({"step": 3})
    assert path.read_text() == '{"step": 1}\n{"step": 2}\n{"step": 3}\n'
    MetricsLog(path, 0)
    assert path.read_text() == ""


def feeding_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("batches")]


def test_who_stops_feeding_early_leaves_no_thread() -> None:
    feed = BatchFeed(lambda epoch: tiny_examples(40, seed=epoch), 64, "packed", 0, 1)
    groups = feed.groups(0, 0)
    next(groups)
    assert len(feeding_threads()) == 2
    groups.close()
    assert feeding_threads() == []


def test_an_error_in_the_data_arrives_where_it_is_used_and_leaves_no_thread() -> None:
    def data(epoch: int) -> list[Any]:
        if epoch:
            raise SystemExit("of a kind that threads swallow")
        return tiny_examples(4)

    with pytest.raises(SystemExit, match="swallow"):
        list(BatchFeed(data, 64, "packed", 0, 1).groups(0, 0))
    assert feeding_threads() == []


def test_a_stop_while_the_first_epoch_is_made_gives_no_batch_and_makes_no_other_epoch() -> None:
    stopping = threading.Event()
    made: list[int] = []

    def data(epoch: int) -> list[Any]:
        made.append(epoch)
        stopping.set()
        time.sleep(0.5)
        return tiny_examples(4)

    assert list(BatchFeed(data, 64, "packed", 0, 1).groups(0, 0, stopping)) == []
    assert made == [0]
    assert feeding_threads() == []


def test_a_loss_that_is_no_number_ends_the_training(
    job: TrainingJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("redraft.train.model.token_losses", lambda hidden, *_: hidden.sum() * float("nan"))
    with pytest.raises(InputError, match="the loss is nan at step 1: train anew with a lower --rate"):
        train(job)
    assert not (job.out / "checkpoints").exists()
