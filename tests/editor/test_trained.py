"""Which larger models have learnt to edit."""

from __future__ import annotations

from pathlib import Path

from redraft.editor import is_trained_editor


def test_a_larger_model_edits_where_an_adapter_is_for_it(tmp_path: Path) -> None:
    assert is_trained_editor("embedded:qwen-1.5b", tmp_path)  # it ships
    assert not is_trained_editor("embedded:qwen-0.5b", tmp_path)
    assert not is_trained_editor("embedded:./qwen-1.5b", tmp_path)
    assert not is_trained_editor("openai:qwen-1.5b", tmp_path)


def test_an_adapter_that_was_added_counts(tmp_path: Path) -> None:
    own = tmp_path / "adapters" / "qwen-0.5b" / "editor.gguf"
    own.parent.mkdir(parents=True)
    own.write_bytes(b"GGUF")
    assert is_trained_editor("embedded:qwen-0.5b", tmp_path)
