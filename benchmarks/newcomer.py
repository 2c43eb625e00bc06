"""How long a newcomer waits, from an empty virtual environment to a revised .docx, step by step.

    python benchmarks/newcomer.py [--fresh] [--keep FOLDER]

The wheel is built from this tree and installed with its server; the server is started, given a small .docx,
asked to revise it, and asked for the .docx with its changes tracked. No answer of a model is remembered. With
--fresh the weights of the embedded model are fetched too, into a folder that is deleted afterwards, and pip
takes nothing from its cache. Nothing but the standard library is imported here: a newcomer has nothing else.
The second figure of a step is processor time, which a busy machine stretches less than the first; that of the
server is known at its end.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

TREE = Path(__file__).parents[1]
LIMIT_S = 180
PATIENCE_S = 900
SENTENCES = (
    "The committee have decided that the new timetable will be introduced in the autumn, and that everybody"
    " who teaches is asked to look at it before the end of the month, because later changes are costly.",
    "Each of the rooms have been painted.",
    "Please send me your remarks.",
)
INSTRUCTION = "Fix the grammar, and no sentence over 20 words."
_PARTS = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
    'officeDocument" Target="word/document.xml"/></Relationships>',
    "word/document.xml": '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    "<w:body>{body}</w:body></w:document>",
}


def left_out(wheel: Path) -> list[str]:
    """Files of the package that a wheel does not hold: pages, prompts, data."""
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    files = (path for path in (TREE / "src" / "redraft").rglob("*") if path.is_file())
    named = [str(path.relative_to(TREE / "src")) for path in files if path.suffix != ".pyc"]
    return sorted(name for name in named if name not in held)


def make_docx() -> bytes:
    """A .docx with a paragraph a sentence."""
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in SENTENCES)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in _PARTS.items():
            archive.writestr(name, text.replace("{body}", body))
    return packed.getvalue()


def used() -> float:
    """The processor time of the processes that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


class Steps:
    """What was done, and the seconds that it took."""

    def __init__(self) -> None:
        self.total = 0.0
        self.processor = 0.0

    @contextmanager
    def step(self, name: str, *, counts: bool = True) -> Iterator[None]:
        """Time what is done within it, and print it."""
        started, before = time.monotonic(), used()
        yield
        seconds, processor = time.monotonic() - started, used() - before
        self.total += seconds if counts else 0
        self.processor += processor if counts else 0
        said = name if counts else f"{name}  (not counted)"
        print(f"{seconds:7.1f} s {processor:7.1f} s  {said}", flush=True)


def ask(url: str, body: object | None = None, method: str = "", **headers: str) -> Any:
    """The answer of the server: JSON as what it says, anything else as bytes."""
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **headers}
    request = Request(url, data, headers, method=method or ("GET" if data is None else "POST"))
    with urlopen(request, timeout=PATIENCE_S) as answer:
        found = answer.read()
        return json.loads(found) if "json" in answer.headers["Content-Type"] else found


def upload(url: str, name: str, data: bytes) -> Any:
    """The answer to a file that is sent as a form sends it."""
    edge = uuid.uuid4().hex
    head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    body = head.encode() + data + f"\r\n--{edge}--\r\n".encode()
    return ask(url, body, **{"Content-Type": f"multipart/form-data; boundary={edge}"})


@contextmanager
def served(program: Path, folder: Path, environment: dict[str, str]) -> Iterator[str]:
    """The address of a server that is asked for by its command, until the end."""
    command = [str(program), "serve", "--port", "0", "--no-open", "--data", str(folder / "data")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment, cwd=folder) as server:
        assert server.stderr is not None
        try:
            said = server.stderr.readline()
            found = re.search(r"http://\S+", said)
            if found is None:
                raise SystemExit(f"the server did not start: {said}{server.stderr.read()}")
            url = found[0].rstrip("/")
            wait_for(f"{url}/readyz")
            yield url
        finally:
            server.terminate()


def wait_for(url: str) -> None:
    """Until the server says that it is ready."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            ask(url)
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def weights_of(python: Path, environment: dict[str, str]) -> str:
    """The folder of the weights that this user has."""
    asked = "from redraft.settings import load_settings; print(load_settings().weights())"
    command = [str(python), "-c", asked]
    found = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
    return found.stdout.strip()


def revise(url: str, steps: Steps) -> tuple[str, bytes]:
    """What a person does in the page: open the .docx, revise it, take it away."""
    with steps.step("the .docx opened"):
        opened = upload(f"{url}/v1/files", "Letter.docx", make_docx())
        asked = {"title": opened["title"], "instruction": INSTRUCTION}
        document = ask(f"{url}/v1/documents", {**asked, **{k: opened[k] for k in ("text", "format", "file")}})
    with steps.step("revised"):
        wanted = {"text": opened["text"], "instruction": INSTRUCTION, "format": opened["format"]}
        found = ask(f"{url}/v1/revise", {**wanted, "document": document["id"], "best_effort": True})
    with steps.step("taken as .docx with its changes tracked"):
        where = f"{url}/v1/documents/{document['id']}"
        version = ask(where)["version"]
        changed = {"text": found["text"], "note": "revised"}
        ask(where, changed, "PUT", **{"If-Match": f'"{version}"'})
        written = ask(f"{where}/export?as=docx")
    return found["text"], written


def main() -> None:
    """Print the steps, and end with 1 where they took too long."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fresh", action="store_true", help="fetch the weights, and every package")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the .docx here")
    given = parser.parse_args()
    steps = Steps()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {key: value for key, value in os.environ.items() if not key.startswith("REDRAFT_")}
        environment.pop("PYTHONPATH", None)
        if given.fresh:
            environment["PIP_NO_CACHE_DIR"] = "1"

        def pip(python: Path, *arguments: str) -> None:
            command = [str(python), "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"]
            subprocess.run(command, check=True, env=environment, cwd=folder)

        python = folder / "venv" / "bin" / "python"
        with steps.step("wheel built from the tree", counts=False):
            pip(Path(sys.executable), "wheel", "--no-deps", "--wheel-dir", str(folder), str(TREE))
        (wheel,) = folder.glob("redraft-*.whl")
        missing = left_out(wheel)
        size = wheel.stat().st_size / 1e6
        print(f"                     {wheel.name}: {size:.1f} MB, {len(missing)} files missing")
        for path in missing:
            print(f"                     {path}")
        with steps.step("python -m venv"):
            subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True, env=environment)
        with steps.step("pip install 'redraft[serve]'"):
            pip(python, "install", f"redraft[serve] @ {wheel.as_uri()}")
        if not given.fresh:
            environment["REDRAFT_WEIGHTS_DIR"] = weights_of(python, environment)
        environment["REDRAFT_CACHE_DIR"] = str(folder / "answers")
        before = used()
        with ExitStack() as ending:
            with steps.step("redraft serve, until it is ready"):
                url = ending.enter_context(served(python.parent / "redraft", folder, environment))
            text, written = revise(url, steps)
        print(f"          {used() - before:7.1f} s  the server and its worker, in all")
        steps.processor += used() - before
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        body = archive.read("word/document.xml").decode()
    tracked = {kind: len(re.findall(f"<w:{kind} ", body)) for kind in ("ins", "del")}
    if given.keep:
        (given.keep / "newcomer.docx").write_bytes(written)
    print(f"\n{text}\n\ntracked: {tracked['ins']} insertions, {tracked['del']} deletions")
    print(f"{steps.total:.0f} s in all, {steps.processor:.0f} s of processor time; the limit is {LIMIT_S} s")
    is_done = all(tracked.values()) and not missing and steps.total <= LIMIT_S
    raise SystemExit(0 if is_done else 1)


if __name__ == "__main__":
    main()
