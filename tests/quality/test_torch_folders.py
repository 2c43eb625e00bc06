"""Where published models are looked for, what is said where they are not, and the command."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import huggingface_hub
import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.errors import InputError, MissingExtra, ModelError, WeightsMissing
from redraft.models import Models, folder_fingerprint
from redraft.project import trust
from redraft.quality import EmbeddedQuality, TorchQuality, open_quality
from redraft.quality.published import GlinerFinder, find_folders
from redraft.settings import Settings, load_settings
from tests.quality.tiny_published import write_published

pytestmark = pytest.mark.usefixtures("one_thread", "unreachable")


@pytest.fixture
def unreachable(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """A hub that cannot be reached, and what it was asked for."""
    asked: list[tuple[str, bool]] = []

    def refuse(name: str, *, revision: str, allow_patterns: list[str], local_files_only: bool) -> str:
        assert re.fullmatch("[0-9a-f]{40}", revision), "a name alone may be anything tomorrow"
        asked.append((name, local_files_only))
        raise OSError("no network")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", refuse)
    return asked


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_published(tmp_path_factory.mktemp("published"))


def test_all_that_is_missing_is_said_at_once(tmp_path: Path, unreachable: list[tuple[str, bool]]) -> None:
    with pytest.raises(WeightsMissing) as caught:
        find_folders(Settings(quality_models=tmp_path))
    said = str(caught.value)
    for name in ("gpt2-large", "bart-large-cnn", "some/grammar", "some/fluency", "some/meaning"):
        assert f"{tmp_path / name}: " in said
    assert "openai-community/gpt2-large" in said
    assert "github.com/kokeman/SOME" in said
    assert "REDRAFT_QUALITY_MODELS" in said
    assert all(offline for _, offline in unreachable), "gigabytes that would not be enough"


def test_what_is_there_is_not_said_to_be_missing(
    root: Path, tmp_path: Path, unreachable: list[tuple[str, bool]]
) -> None:
    shutil.copytree(root, tmp_path / "models")
    (tmp_path / "models" / "bart-large-cnn" / "model.safetensors").unlink()
    with pytest.raises(WeightsMissing) as caught:
        find_folders(Settings(quality_models=tmp_path / "models"))
    assert "needs: bart-large-cnn\n" in str(caught.value)
    assert unreachable == [("facebook/bart-large-cnn", True), ("facebook/bart-large-cnn", False)]


def test_a_model_from_the_hub_takes_the_place_of_a_folder(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(root / "some", tmp_path / "some")

    def fetch(name: str, *, revision: str, allow_patterns: list[str], local_files_only: bool) -> str:
        assert not any(pattern.endswith((".py", ".bin", ".pt")) for pattern in allow_patterns)
        if local_files_only:
            raise OSError("not in the cache")
        return str(root / name.split("/")[1])

    monkeypatch.setattr(huggingface_hub, "snapshot_download", fetch)
    found = find_folders(Settings(quality_models=tmp_path))
    assert (found.gpt2, found.bart) == (root / "gpt2-large", root / "bart-large-cnn")
    assert found.gliner is None


def test_the_folders_of_the_authors_archive_will_do(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root, tmp_path / "models")
    archive = (tmp_path / "models" / "some" / "grammar").rename(tmp_path / "models" / "some" / "grammer")
    assert find_folders(Settings(quality_models=tmp_path / "models")).grammar == archive


def test_other_weights_have_another_fingerprint(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "gpt2"
    shutil.copytree(root / "gpt2-large", folder)
    before = folder_fingerprint(folder)
    assert folder_fingerprint(folder) == before
    (folder / "model.safetensors").write_bytes(b"x")
    assert folder_fingerprint(folder) != before


def test_without_torch_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redraft.quality.loading.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"redraft\[torch\]"):
        find_folders(Settings())


def test_torch_is_imported_only_where_it_is_used() -> None:
    code = "import sys, redraft.quality; print(*{'torch', 'transformers', 'gliner', 'harper'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "\n"


@pytest.mark.usefixtures("own_trust")
def test_the_settings_choose_the_provider(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "redraft.toml"
    file.write_text('quality = "torch"\nquality_models = "models"\n')
    trust(file)
    settings = load_settings(directory=tmp_path, environment={})
    assert settings.quality_folder() == tmp_path / "models"
    assert Settings(weights_dir=tmp_path).quality_folder() == tmp_path / "published"

    async def opened(settings: Settings) -> type:
        async with Models(settings) as models:
            return type(open_quality(models))

    assert asyncio.run(opened(Settings(cache=False))) is EmbeddedQuality
    assert asyncio.run(opened(Settings(cache=False, quality="torch", quality_models=root))) is TorchQuality


class TestCommand:
    def run(self, *words: str) -> Result:
        return CliRunner().invoke(app, ["quality", *words])

    @pytest.fixture
    def files(self, tmp_path: Path) -> list[str]:
        before, after = tmp_path / "before.txt", tmp_path / "after.txt"
        before.write_text("The shop did not open.\n", encoding="utf-8")
        after.write_text("The shop did not open today.\n", encoding="utf-8")
        return [str(after), "--original", str(before), "--no-cache"]

    def test_torch_scores_beside_the_original(self, root: Path, files: list[str]) -> None:
        torch = ["--provider", "torch", "--quality-models", str(root)]
        found = json.loads(self.run(*files, *torch, "--json").stdout)
        assert found["some"] != found["original"]["some"]
        assert found["perplexity"] != found["original"]["perplexity"]
        assert found["likelihood"] < 0
        shown = self.run(*files, *torch)
        assert shown.exit_code == 0
        assert "SOME, 1 is best" in shown.stdout
        assert shown.stderr == ""

    def test_missing_models_are_an_error(self, files: list[str], tmp_path: Path) -> None:
        result = self.run(*files, "--provider", "torch", "--quality-models", str(tmp_path / "none"))
        assert result.exit_code == 4
        assert "some/fluency" in result.stderr

    def test_the_embedded_provider_has_no_some(self, files: list[str]) -> None:
        result = self.run(*files)
        assert result.exit_code == 0
        assert "SOME" not in result.stdout


class FakeGliner:
    """The package's model, which knows two names."""

    def inference(self, texts: list[str], labels: list[str]) -> list[list[dict[str, Any]]]:
        known = {"Marie Curie": "person", "Ruritania": "location"}
        assert set(known.values()) <= set(labels)
        return [
            [
                {"start": start, "end": start + len(name), "text": name, "label": label, "score": 0.9}
                for name, label in known.items()
                if (start := text.find(name)) >= 0
            ]
            for text in texts
        ]

    def to(self, device: str) -> FakeGliner:
        return self

    def eval(self) -> FakeGliner:
        return self


def gliner_folder(folder: Path, **config: object) -> Path:
    folder.mkdir()
    facts = {"model_name": "microsoft/deberta-v3-base", **config}
    (folder / "gliner_config.json").write_text(json.dumps(facts), encoding="utf-8")
    return folder


class TestGliner:
    @pytest.fixture
    def package(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def load(folder: str, *, local_files_only: bool) -> FakeGliner:
            assert local_files_only
            return FakeGliner()

        module = SimpleNamespace(GLiNER=SimpleNamespace(from_pretrained=load))
        monkeypatch.setitem(sys.modules, "gliner", module)  # type: ignore[arg-type]

    @pytest.mark.usefixtures("package")
    def test_names_by_the_model_and_the_rest_by_rule(self, tmp_path: Path) -> None:
        text = "It rained. Marie Curie left Ruritania on 4 May 1911, with 12 cats. Bob Smith saw her."
        found = GlinerFinder(gliner_folder(tmp_path / "gliner")).find(text)
        assert [(entity.text, entity.kind) for entity in found] == [
            ("Marie Curie", "person"),
            ("Ruritania", "place"),
            ("4 May 1911", "date"),
            ("12", "number"),
        ]
        assert all(text[entity.start : entity.end] == entity.text for entity in found)
        assert GlinerFinder(tmp_path / "gliner").find("") == []

    @pytest.mark.usefixtures("package")
    @pytest.mark.parametrize(
        "config",
        [
            {"model_name": "someone/else"},
            {"encoder_config": {"model_type": "bert", "auto_map": {"AutoModel": "evil.Model"}}},
            {"labels_encoder": "someone/else"},
        ],
    )
    def test_a_model_that_may_bring_code_is_refused(self, tmp_path: Path, config: dict[str, object]) -> None:
        with pytest.raises(ModelError, match="code of its own"):
            GlinerFinder(gliner_folder(tmp_path / "gliner", **config)).find("Marie Curie left.")

    @pytest.mark.usefixtures("package")
    def test_a_folder_without_a_model_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match=r"gliner_config\.json"):
            GlinerFinder(tmp_path).find("Marie Curie left.")

    def test_without_the_package_it_is_said_what_to_install(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "gliner", None)
        with pytest.raises(InputError, match="pip install gliner"):
            GlinerFinder(gliner_folder(tmp_path / "gliner")).find("Marie Curie left.")
