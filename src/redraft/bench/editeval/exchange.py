"""Data sets and outputs to and from files: what a user fetched, and the form that EditEval's evaluator reads.

Its `main.py` scores a file of one data set's outputs, `{"id": …, "output": …}` a line in the order of the
data set, and writes inputs as `NAME_input.jsonl`.
"""

from __future__ import annotations

import shutil
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from redraft.addresses import without_login
from redraft.bench.benchmark import DataSet, Sample
from redraft.errors import FileError, InputError
from redraft.runs import RunDir
from redraft.text import json_lines, write_text

_SECONDS = 60
_MOST_BYTES = 4 * 2**30
"""What an archive may unpack to."""


def download(address: str, folder: Path) -> Path:
    """The file at an http or https address, put into a folder; an archive is unpacked there."""
    if urlsplit(address).scheme not in {"http", "https"}:
        raise InputError(
            f"{without_login(address)} is neither a file nor an http address: fetch it yourself, and name the"
            " folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    name = Path(unquote(urlsplit(address).path)).name or "download"
    file = folder / name
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer, file.open("wb") as out:
            shutil.copyfileobj(answer, out)
    except OSError as error:
        file.unlink(missing_ok=True)
        raise FileError(f"{without_login(address)} could not be fetched: {error}") from None
    _unpack(file, folder)
    return folder


def _unpack(file: Path, folder: Path) -> None:
    """Unpack an archive beside itself; members that would lie elsewhere are refused or kept inside."""
    try:
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive:
                _check_size(file, (member.file_size for member in archive.infolist()))
                archive.extractall(folder)
        elif tarfile.is_tarfile(file):
            with tarfile.open(file) as archive:
                _check_size(file, (member.size for member in archive.getmembers()))
                archive.extractall(folder, filter="data")
    except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise InputError(f"{file} cannot be unpacked: {error}") from None


def _check_size(file: Path, sizes: Iterable[int]) -> None:
    if sum(sizes) > _MOST_BYTES:
        raise InputError(f"{file} would unpack to more than {_MOST_BYTES // 2**30} GiB: unpack it yourself")


def write_datasets(datasets: Sequence[DataSet], out: Path) -> list[Path]:
    """Each data set as NAME.jsonl in our form, which `bench run` reads."""
    return [_write(out / f"{each.name}.jsonl", map(_own, each.samples)) for each in datasets]


def write_inputs(datasets: Sequence[DataSet], out: Path) -> list[Path]:
    """Each data set's inputs as NAME_input.jsonl, as EditEval writes them for a model to answer."""
    return [_write(out / f"{each.name}_input.jsonl", map(_theirs, each.samples)) for each in datasets]


def write_predictions(datasets: Sequence[DataSet], run: RunDir, out: Path) -> tuple[list[Path], int]:
    """A run's outputs as EditEval scores them: a file a data set, or for each of several prompts.

    The files, and how many items have no output.
    """
    outputs: dict[tuple[str, int], dict[str, str]] = {}
    missing = 0
    for record in run.latest().values():
        if record["error"] or record["output"] is None:
            missing += 1
            continue
        outputs.setdefault((record["dataset"], record["prompt"]), {})[record["id"]] = record["output"]
    written = []
    for dataset in datasets:
        prompts = sorted(prompt for name, prompt in outputs if name == dataset.name)
        for prompt in prompts:
            found = outputs[dataset.name, prompt]
            ids = [sample.id for sample in dataset.samples if sample.id in found]
            if len(ids) < len(found):
                raise InputError(f"{run.path} has outputs for samples of {dataset.name} that --data has not")
            name = dataset.name if len(prompts) == 1 else f"{dataset.name}.{prompt}"
            rows = ({"id": each, "output": found[each]} for each in ids)
            written.append(_write(out / f"{name}.jsonl", rows))
    if not written:
        raise InputError(f"{run.path} has no output for a data set of --data")
    return written, missing


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{path.parent} cannot be made: {error}") from None
    write_text(path, json_lines(rows))
    return path


def _own(sample: Sample) -> dict[str, Any]:
    return {
        "id": sample.id,
        "input": sample.input,
        "references": list(sample.references),
        "task": sample.task,
        "documents": list(sample.documents),
    }


def _theirs(sample: Sample) -> dict[str, Any]:
    return {
        "id": sample.id,
        "input": sample.input,
        "retrieved_documents": list(map(_document, sample.documents)),
        "title": "",
        "task_type": sample.task,
        "meta": [],
    }


def _document(text: str) -> dict[str, str]:
    title, bar, rest = text.partition(" | ")
    return {"title": title, "text": rest} if bar else {"title": "", "text": text}
