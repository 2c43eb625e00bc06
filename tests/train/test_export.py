"""Exported adapters: the same numbers, the same answers in llama.cpp and in torch, the same bytes each time."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from markdown_it import MarkdownIt
from safetensors.numpy import load_file, save_file
from typer.testing import CliRunner

from redraft import errors
from redraft.cli import app
from redraft.models import Request
from redraft.models.embedded import Embedded, open_embedded
from redraft.models.families import PROJECTIONS
from redraft.models.hf import open_hf
from redraft.models.hf_engine import Engine, close_engines
from redraft.models.llama import close_engines as close_llama
from redraft.models.lora import Base, Heads, read_lora
from redraft.models.weights import CHAT, MODEL_FILE, ensure
from redraft.settings import Settings, load_settings
from redraft.train.export import Card, export

QUESTIONS = (
    "Write a sentence about music.",
    "What is the capital of France?",
    "Name a colour.",
    "Fix: I is.",
)
RECORD = {
    "command": "redraft train editor --data '/home/me/my data/fluency_a.jsonl' --out /tmp/x --watch dev=/home/me/dev.jsonl --rank 8",
    "seed": 3,
    "data": [
        {"file": "fluency_a.jsonl", "sha256": "ab" * 32, "weight": 2.0},
        {"file": "own.jsonl", "rows": 7, "licence": "CC0-1.0"},
    ],
    "counts": [{"file": "fluency_a", "task": "fluency", "rows": 1200}, {"file": "fluency_a", "rows": 34}],
    "config": {"rate": 0.001, "betas": [0.9, 0.99]},
    "outcome": {"progress": {"best": math.inf, "step": 12}},
}


@pytest.fixture(scope="module")
def base() -> Path:
    return ensure(CHAT, load_settings().weights()) / MODEL_FILE


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(
        weights_dir=load_settings().weights(), cache_dir=tmp_path_factory.mktemp("c"), context=512
    )


@pytest.fixture(scope="module")
def embedded(settings: Settings) -> Iterator[Embedded]:
    yield open_embedded("embedded", settings)
    close_llama()
    close_engines()


def write_training(folder: Path, base: Path, rank: int = 8, **config: object) -> Path:
    """A training that left random numbers: large in q and k, whose rows have another order in a GGUF."""
    numbers = np.random.default_rng(1)
    tensors = {}
    for (layer, name), (rows, columns) in Base.of(base).shapes.items():
        part = "mlp" if name in ("gate_proj", "up_proj", "down_proj") else "self_attn"
        stem = f"base_model.model.model.layers.{layer}.{part}.{name}"
        size = 0.1 if name in ("q_proj", "k_proj") else 0.02
        tensors[f"{stem}.lora_A.weight"] = (size * numbers.normal(size=(rank, columns))).astype(np.float32)
        tensors[f"{stem}.lora_B.weight"] = (size * numbers.normal(size=(rows, rank))).astype(np.float32)
    (folder / "adapter").mkdir(parents=True)
    save_file(tensors, folder / "adapter" / "adapter_model.safetensors")
    settings = {"r": rank, "lora_alpha": 2 * rank, "base_model_name_or_path": "/home/me/base", **config}
    (folder / "adapter" / "adapter_config.json").write_text(json.dumps(settings))
    (folder / "train.json").write_text(json.dumps(RECORD))
    return folder


def surprise(engine: Engine, adapter: Path | None, question: str, answer: str) -> list[float]:
    """By how much each token of an answer is less likely than the likeliest, in log-probability."""
    prompt = engine.prompt(Request.of(question))
    tokens = engine.tokenizer.encode(answer, add_special_tokens=False)
    engine.use(adapter)
    with torch.inference_mode():
        logits = engine.model(torch.tensor([[*prompt, *tokens]])).logits[0, len(prompt) - 1 : -1]
    return [float(row.max() - row[token]) for row, token in zip(logits, tokens, strict=True)]


def test_llama_cpp_and_torch_agree(
    tmp_path: Path, base: Path, settings: Settings, embedded: Embedded
) -> None:
    """llama.cpp rounds activations to 8 bits, so that near ties fall either way; all else must be the same."""
    written = export(write_training(tmp_path / "run", base), tmp_path / "one.gguf", base)
    backend = open_hf("torch", settings)
    engine = backend._engine()
    requests = [Request.of(text, max_tokens=5, adapter=str(written.gguf)) for text in QUESTIONS]

    async def ask(model: object) -> list[str]:
        return [answer.text for (answer,) in await asyncio.gather(*(model.sample(r, 0, 1) for r in requests))]  # type: ignore[attr-defined]

    theirs, ours = asyncio.run(ask(embedded)), asyncio.run(ask(backend))
    assert any(first == second for first, second in zip(theirs, ours, strict=True))
    with_adapter, without = (
        [
            gap
            for question, answer in zip(QUESTIONS, theirs, strict=True)
            for gap in surprise(engine, adapter, question, answer)
        ]
        for adapter in (written.gguf, None)
    )
    # How near the ties are depends on the processor; with the adapter the two must be the nearer.
    assert sum(gap == 0 for gap in with_adapter) > 0.6 * len(with_adapter)
    assert sum(with_adapter) < sum(without)


def test_numbers_survive(tmp_path: Path, base: Path) -> None:
    folder = write_training(tmp_path / "run", base, rank=32, use_rslora=True)
    heads = Heads(9, 3)
    first = read_lora(folder / "adapter", heads)
    assert first.scale == pytest.approx(64 / math.sqrt(32))
    written = export(folder, tmp_path / "one.gguf", base)
    found = read_lora(written.gguf, heads)
    assert found.scale == pytest.approx(first.scale)
    assert found.pairs.keys() == first.pairs.keys()
    for place, (a, b) in found.pairs.items():
        assert np.abs(a - first.pairs[place][0]).max() < 0.002
        assert np.abs(b - first.pairs[place][1]).max() < 0.0002
    precise = read_lora(export(folder, tmp_path / "p.gguf", base, precise=True).gguf, heads)
    assert all(np.abs(a - first.pairs[place][0]).max() < 0.0002 for place, (a, _) in precise.pairs.items())
    halves = read_lora(written.peft, heads)
    assert halves.scale == pytest.approx(first.scale)
    assert {tensor.dtype for tensor in load_file(written.peft / "adapter_model.safetensors").values()} == {
        np.dtype(np.float16)
    }
    assert {projection for _, projection in halves.pairs} == set(PROJECTIONS)


def test_the_mean_of_two_adapters(tmp_path: Path, base: Path) -> None:
    first = export(write_training(tmp_path / "one", base, rank=8), tmp_path / "first.gguf", base)
    folder = write_training(tmp_path / "two", base, rank=16)
    written = export(folder, tmp_path / "mean.gguf", base, average=(first.gguf, 0.7))
    assert read_lora(written.gguf, Heads(9, 3)).rank == 16
    assert written.error < 0.9
    assert "| averaged.own share | 0.7 |" in written.card.read_text()


def test_the_same_bytes_each_time(tmp_path: Path, base: Path) -> None:
    folder = write_training(tmp_path / "run", base)
    contents = []
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
        written = export(folder, tmp_path / place / "one.gguf", base, scores={"jfleg": {"sari": 42.123}})
        files = (written.gguf, written.card, *sorted(written.peft.iterdir()))
        contents.append([path.read_bytes() for path in files])
    assert contents[0] == contents[1]
    assert str(tmp_path).encode() not in b"".join(contents[0])
    assert b"/home/me" not in b"".join(contents[0])


def test_the_card() -> None:
    card = Card(
        "editor",
        "a base",
        8,
        {"editor.gguf": (1234567, "cd" * 32)},
        RECORD,
        {"jfleg": {"sari": 42.123}, "runs": [{}, {}]},
        {"fluency_*": "CC BY 4.0"},
    ).markdown()
    for line in (
        "# editor",
        "    redraft models add editor.gguf",
        f"| `editor.gguf` | 1,234,567 | `{'cd' * 32}` |",
        "    redraft train editor --data fluency_a.jsonl --out x --watch dev=dev.jsonl --rank 8",
        r"| fluency\_a.jsonl | 1,234 | 2 | CC BY 4.0 | `abababababababab` |",
        "| own.jsonl | 7 |  | CC0-1.0 |  |",
        "| config.betas | 0.9, 0.99 |",
        "| outcome.progress.step | 12 |",
        "| jfleg.sari | 42.123 |",
        "| runs | 2 entries |",
    ):
        assert line in card.splitlines(), line
    assert "inf" not in card


def test_hostile_names_stay_names_on_a_card() -> None:
    name = "x\n# head `a` | <b> ]("
    record = {"command": f"redraft {name}", "data": [{"file": name, "sha256": name}], name: name}
    card = Card(name, name, 8, {name: (1, name)}, record, {name: name}, {name: name}).markdown()
    read = MarkdownIt("gfm-like", {"linkify": False}).parse(card)
    assert [token.tag for token in read if token.type == "heading_open"] == ["h1", "h2", "h2", "h2"]
    inside = {child.type for token in read for child in token.children or ()}
    assert inside <= {"text", "text_special", "code_inline", "softbreak"}


def test_folders_without_an_adapter(tmp_path: Path, base: Path) -> None:
    with pytest.raises(errors.InputError, match="holds no adapter"):
        export(tmp_path, tmp_path / "one.gguf", base)
    (tmp_path / "model").mkdir()
    with pytest.raises(errors.InputError, match="holds a whole model"):
        export(tmp_path, tmp_path / "one.gguf", base)
    with pytest.raises(errors.InputError, match=r"end in \.gguf"):
        export(tmp_path, tmp_path / "one.bin", base)


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path, base: Path) -> None:
    folder = write_training(tmp_path / "run", base)
    (tmp_path / "good.jsonl").write_text("mine")
    for out in (tmp_path / "good.jsonl" / "x.gguf", Path("/proc/zz/x.gguf")):
        done = CliRunner().invoke(app, ["train", "export", str(folder), "--out", str(out)])
        assert done.exit_code == 2, done.stderr
        assert "cannot be written" in done.stderr


def test_nothing_is_exported_into_a_training(tmp_path: Path, base: Path) -> None:
    folder = write_training(tmp_path / "7", base)
    before = sorted(tmp_path.rglob("*"))
    for source, out in (
        (folder, tmp_path / "7.gguf"),
        (folder, folder / "adapter.gguf"),
        (folder / "adapter", tmp_path / "7.gguf"),
    ):
        with pytest.raises(errors.InputError, match="choose another name"):
            export(source, out, base)
    assert sorted(tmp_path.rglob("*")) == before


def test_the_command(tmp_path: Path, base: Path) -> None:
    folder = write_training(tmp_path / "run", base)
    out = tmp_path / "deep" / "editor.gguf"
    (tmp_path / "scores.json").write_text('{"sari": 40.5}')
    words = [
        "train",
        "export",
        str(folder),
        "--out",
        str(out),
        "--scores",
        str(tmp_path / "scores.json"),
        "--name",
        "ed",
    ]
    done = CliRunner().invoke(app, words)
    assert (done.exit_code, done.stdout) == (0, f"{out}\n")
    assert "| sari | 40.5 |" in out.with_suffix(".md").read_text()
    assert "# ed\n" in out.with_suffix(".md").read_text()
