"""Adapters by name: added, listed, outranking shipped ones, removed; and never a path."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path

import gguf
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from redraft import errors
from redraft.cli import app
from redraft.models import Request, adapters, weights
from redraft.models.adapters import (
    add_adapter,
    find_adapter,
    known_adapters,
    list_adapters,
    remove_adapter,
)
from redraft.models.embedded import open_embedded
from redraft.models.lora import Base, Heads, Lora, read_lora, write_lora as write_adapter
from redraft.models.weights import CHAT, MANIFEST, MODEL_FILE, sha256_of
from redraft.settings import Settings
from tests.models.tiny_llama import (
    GROUPS,
    HEADS,
    INNER,
    LAYERS,
    WIDTH,
    finish,
    random_pairs,
    write_lora,
    write_model,
)
from tests.train.test_export import write_training


@pytest.fixture
def root(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A weights folder of the test's own, with a tiny model in place of the embedded, and no shipped adapters."""
    folder = tmp_path / "weights"
    facts = {"size": tiny.stat().st_size, "sha256": sha256_of(tiny)}
    for one in (CHAT, weights.ORIGINAL):
        own = folder / one.name
        own.mkdir(parents=True)
        (own / MODEL_FILE).symlink_to(tiny)
        (own / MANIFEST).write_text(json.dumps({"version": one.version, "files": {MODEL_FILE: facts}}))
    monkeypatch.setattr(weights, "ORIGINAL", replace(weights.ORIGINAL, pins={}))
    monkeypatch.setattr(adapters, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setenv("REDRAFT_WEIGHTS_DIR", str(folder))
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_added_listed_and_removed(root: Path, tmp_path: Path) -> None:
    path = write_lora(tmp_path / "mine.gguf", 1)
    assert "adapters  none" in run("models", "list").stdout
    added = run("models", "add", str(path))
    kept = root / "adapters" / "mine.gguf"
    assert (added.exit_code, added.stdout) == (0, f"mine  {path.stat().st_size / 1e6:.1f} MB  {kept}\n")
    assert kept.read_bytes() == path.read_bytes()
    assert [file.name for file in kept.parent.iterdir()] == ["mine.gguf"]
    assert f"added  {kept}" in run("models", "list").stdout
    assert find_adapter("mine", root) == kept
    removed = run("models", "remove", "mine")
    assert (removed.exit_code, removed.stdout) == (0, f"removed mine  {kept}\n")
    assert not kept.exists()
    again = run("models", "remove", "mine")
    assert again.exit_code == 2
    assert "no adapter 'mine'; added are: none" in again.stderr


def test_a_name_that_is_taken(root: Path, tmp_path: Path) -> None:
    one, two = (write_lora(tmp_path / f"{seed}.gguf", seed) for seed in (1, 2))
    add_adapter(one, "mine", root)
    refused = run("models", "add", str(two), "--name", "mine")
    assert refused.exit_code == 2
    assert "--replace it" in refused.stderr
    assert find_adapter("mine", root).read_bytes() == one.read_bytes()
    assert run("models", "add", str(two), "--name", "mine", "--replace").exit_code == 0
    assert find_adapter("mine", root).read_bytes() == two.read_bytes()


def test_an_added_one_outranks_a_shipped_one(root: Path, tmp_path: Path) -> None:
    adapters.SHIPPED.mkdir()
    shipped = write_lora(adapters.SHIPPED / "editor.gguf", 1)
    own = write_lora(tmp_path / "own.gguf", 2)
    with pytest.raises(errors.InputError, match="comes with redraft"):
        remove_adapter("editor", root)
    assert add_adapter(own, "editor", root).outranks
    assert find_adapter("editor", root) == root / "adapters" / "editor.gguf"
    assert "added (outranks the shipped one)" in run("models", "list").stdout
    assert remove_adapter("editor", root) == shipped
    assert find_adapter("editor", root) == shipped


@pytest.mark.parametrize("name", ["", "../x", "a/b", "a.b", "-x", "é", "x" * 65, "a b", "C:x", "x\n"])
def test_names_are_plain(root: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(errors.InputError, match="is no name for an adapter"):
        add_adapter(write_lora(tmp_path / "mine.gguf", 1), name, root)
    assert list_adapters(root) == ()


def test_a_training_is_exported_first(root: Path, tmp_path: Path) -> None:
    folder = write_training(tmp_path / "run", root / CHAT.name / MODEL_FILE)
    assert add_adapter(folder, None, root).name == "run"
    assert add_adapter(folder / "adapter", "peft", root).path.read_bytes()
    heads = Heads(HEADS, GROUPS)
    ours, theirs = read_lora(find_adapter("run", root), heads), read_lora(folder / "adapter", heads)
    assert ours.scale == theirs.scale
    assert np.abs(ours.pairs[0, "q_proj"][1] - theirs.pairs[0, "q_proj"][1]).max() < 0.001
    with pytest.raises(errors.InputError, match="holds no adapter"):
        add_adapter(tmp_path / "weights", "x", root)


def test_what_is_no_adapter_of_the_embedded_model(root: Path, tmp_path: Path) -> None:
    def other(name: str, rows: int, tensor: str) -> Path:
        writer = gguf.GGUFWriter(tmp_path / name, "llama")
        writer.add_string("general.type", "adapter")
        writer.add_string("adapter.type", "lora")
        writer.add_tensor(f"{tensor}.lora_a", np.zeros((4, INNER), np.float32))
        writer.add_tensor(f"{tensor}.lora_b", np.zeros((rows, 4), np.float32))
        finish(writer)
        return tmp_path / name

    text = tmp_path / "text.gguf"
    text.write_text("hello")
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(write_lora(tmp_path / "whole.gguf", 1).read_bytes()[:-1000])
    assert run("models", "add", str(cut)).exit_code == 2
    for path, words in (
        (text, "no GGUF file"),
        (cut, "damaged GGUF file"),
        (root / CHAT.name / MODEL_FILE, "it is no LoRA adapter"),
        (other("shape.gguf", WIDTH + 1, "blk.0.ffn_down.weight"), "trained for another model"),
        (other("layer.gguf", WIDTH, f"blk.{LAYERS}.ffn_down.weight"), "has not"),
        (other("name.gguf", WIDTH, "output.weight"), "no adapter of a Llama may"),
    ):
        with pytest.raises(errors.InputError, match=words):
            add_adapter(path, "x", root)
    missing = run("models", "add", str(tmp_path / "nowhere.gguf"))
    assert (missing.exit_code, "no file or folder" in missing.stderr) == (2, True)
    assert list_adapters(root) == ()


def test_added_ones_answer_side_by_side(root: Path, tmp_path: Path) -> None:
    """One model is loaded, and each request has its own adapter."""
    for name, seed in (("one", 1), ("two", 2)):
        add_adapter(write_lora(tmp_path / f"{seed}.gguf", seed), name, root)
    model = open_embedded("embedded", Settings(weights_dir=root, cache_dir=tmp_path / "cache", context=512))
    requests = [Request.of("Name a colour.", max_tokens=12, adapter=name) for name in ("one", "two", None)]

    async def ask(times: int) -> list[str]:
        found = await asyncio.gather(*(model.sample(request, 0, 1) for request in requests * times))
        return [answer.text for (answer,) in found]

    alone = [asyncio.run(model.sample(request, 0, 1))[0].text for request in requests]
    assert len(set(alone)) == 3
    assert asyncio.run(ask(3)) == alone * 3


def test_an_added_one_is_tried_from_the_command_line(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    path = write_lora(tmp_path / "file.gguf", 1)
    add_adapter(path, "mine", root)
    ask = ("models", "test", "embedded", "--prompt", "Name a colour.", "--no-cache")
    named, given = run(*ask, "--adapter", "mine"), run(*ask, "--adapter", str(path))
    assert (named.exit_code, given.exit_code) == (0, 0), named.output
    assert named.stdout == given.stdout != run(*ask).stdout
    assert run(*ask, "--adapter", "min").exit_code == 4
    refused = run("models", "test", "embedded:base", "--adapter", "mine")
    assert (refused.exit_code, "takes no adapter" in refused.stderr) == (2, True)


def test_an_adapter_is_no_model(root: Path, tmp_path: Path) -> None:
    path = write_lora(tmp_path / "file.gguf", 1)
    add_adapter(path, "mine", root)
    settings = Settings(weights_dir=root)
    with pytest.raises(errors.UnknownModel, match="that is an adapter: redraft models test --adapter mine"):
        open_embedded("embedded:mine", settings)
    with pytest.raises(errors.UnknownModel, match=r"this is an adapter: redraft models add .*file\.gguf"):
        open_embedded(f"embedded:{path}", settings)


def test_an_adapter_for_a_larger_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, root: Path) -> None:
    model = write_model(tmp_path / "model.gguf", architecture="qwen2", words="qwen2")
    monkeypatch.setattr(adapters, "larger_file", lambda name, _: model)
    base = Base.of(model)
    right, wrong = tmp_path / "right.gguf", write_lora(tmp_path / "wrong.gguf", 1)
    write_adapter(right, Lora(2.0, random_pairs(1)), base.heads, "editor", precise=True)
    added = add_adapter(right, "editor", root, base="qwen-1.5b")
    assert known_adapters(root, "qwen-1.5b")["editor"] == added.path
    assert added.path not in known_adapters(root).values()
    assert not find_adapter("editor", root, "qwen-1.5b").samefile(right)
    with pytest.raises(errors.InputError, match="another model: that is a llama, and this a qwen2"):
        add_adapter(wrong, "other", root, base="qwen-1.5b")


def test_rows_of_a_qwen2_are_in_the_order_of_transformers(tmp_path: Path) -> None:
    heads = Base.of(write_model(tmp_path / "model.gguf", architecture="qwen2", words="qwen2")).heads
    pairs = random_pairs(1)
    write_adapter(tmp_path / "one.gguf", Lora(2.0, pairs), heads, "one", precise=True)
    reader = gguf.GGUFReader(tmp_path / "one.gguf")
    (rows,) = (one.data for one in reader.tensors if one.name == "blk.0.attn_q.weight.lora_b")
    assert np.allclose(rows, pairs[0, "q_proj"][1], atol=1e-3)
    assert reader.fields["general.architecture"].contents() == "qwen2"


def test_none_is_removed_by_a_path(root: Path, tmp_path: Path) -> None:
    other = write_lora(tmp_path / "mine.gguf", 1)
    outside = os.path.relpath(tmp_path, root / "adapters")
    with pytest.raises(errors.InputError, match="there is no model"):
        remove_adapter("mine", root, outside)
    assert other.exists()
