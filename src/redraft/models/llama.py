"""llama.cpp in this process, through xllamacpp: quiet, out of others' reach, stoppable.

xllamacpp always serves HTTP beside its in-process calls. Ours does so on a socket in a folder that only the
user can enter, and not on a port: no page in a browser can reach that. It wants a random key all the same.
"""

from __future__ import annotations

import http.client
import json
import os
import secrets
import socket
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from redraft.errors import ContextOverflow, ModelError
from redraft.models.engines import Shared, thread_count
from redraft.models.gguf_file import check_gguf

try:
    import xllamacpp
except ImportError as error:
    raise ModelError(
        f"llama.cpp cannot be loaded: {error}",
        hint="it needs OpenMP, which a slim system lacks: on Debian, apt-get install libgomp1",
    ) from error

ENGINE = f"llama.cpp {version('xllamacpp')}, alone in its batch"
"""What computes, as a cached answer names it: another release, or other batches, may answer otherwise."""
QUIET = -1
PROMPT_BATCH = 512
"""Tokens of a prompt read at a time: a cancelled request ends at the next batch."""
LONGEST_FOLDER = 70
"""Bytes of a folder in which a socket still has a name that the system takes (104 bytes on macOS)."""

Version = tuple[int, int, int]
"""What changes when a file is replaced: its number, its size, its time."""


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """What an engine is made from; equal configurations share one engine.

    0 threads are as many as are idle; no template is the model's own.
    """

    path: Path
    threads: int = 0
    context: int = 4096
    template: str = ""


class Engine:
    """One loaded GGUF. Calls block; `workers` runs them one after another.

    Requests in one batch change each other's last bits, and with them a choice between two words that are
    about as likely. So a request is alone in its batch, and the same request gets the same answer, whatever
    else goes on. On two to four cores that costs next to nothing.
    """

    def __init__(self, config: EngineConfig) -> None:
        check_gguf(config.path)
        self.config = config
        self.workers = ThreadPoolExecutor(1, thread_name_prefix="llama")
        self._threads = thread_count(config.threads)
        self._key = secrets.token_urlsafe(32)
        self._adapters: dict[Path, Version | None] = {}
        self._turn = threading.Condition()
        self._active = 0
        self._reloading = False
        self._closing = threading.Event()
        self._folder = _private_folder()
        try:
            self._server: Any = self._start()
        except ModelError:
            self._folder.cleanup()
            raise

    @property
    def socket(self) -> Path:
        """Where llama.cpp listens."""
        return Path(self._folder.name) / "llama.sock"

    def chat(
        self, payload: dict[str, Any], adapter: Path | None, cancelled: threading.Event
    ) -> list[dict[str, Any]]:
        """The chunks of a streamed chat completion; ends early, and raises, once `cancelled` is set."""
        chunks: list[dict[str, Any]] = []

        def receive(chunk: dict[str, Any]) -> bool:
            chunks.append(chunk)
            return cancelled.is_set() or self._closing.is_set()

        with self._using(adapter):
            # An empty list would mean every adapter at full strength, so each is named with its scale.
            scales = [
                {"id": index, "scale": 1.0 if path == adapter else 0.0}
                for index, path in enumerate(self._adapters)
            ]
            request = {**payload, "lora": scales} if scales else payload
            try:
                self._server.handle_chat_completions({**request, "stream": True}, receive)
            except (RuntimeError, ValueError) as error:
                raise ModelError(f"llama.cpp refused the request: {error}", provider="embedded") from None
        if cancelled.is_set() or self._closing.is_set():
            raise ModelError("the request was cancelled", provider="embedded")
        for chunk in chunks:
            if "error" in chunk:
                raise _as_error(chunk["error"])
        return chunks

    def count_tokens(self, messages: list[dict[str, str]]) -> int:
        """Tokens of a conversation in the model's own template."""
        return len(self.tokens(messages))

    def tokens(self, messages: list[dict[str, str]]) -> list[int]:
        """The numbers of these tokens."""
        prompt = self._post("/apply-template", {"messages": messages})["prompt"]
        found: list[int] = self._post("/tokenize", {"content": prompt, "parse_special": True})["tokens"]
        return found

    def close(self) -> None:
        """Stop what is running and free the model."""
        self._closing.set()
        self.workers.shutdown(wait=True, cancel_futures=True)
        self._server = None
        self._folder.cleanup()

    def _start(self) -> Any:
        config = self.config
        params = xllamacpp.CommonParams()
        params.model.path = str(config.path)
        params.verbosity = QUIET
        params.n_parallel = 1
        params.n_ctx = config.context
        params.n_batch = params.n_ubatch = PROMPT_BATCH
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = self._threads
        # Flash attention shares a long context out among the threads: the sums would depend on their number.
        params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        params.cache_ram_mib = 0
        params.fit_params = False  # the context is what was asked for, not what a first trial load suggests
        params.warmup = False
        params.chat_template = config.template
        params.reasoning_format = xllamacpp.common_reasoning_format.COMMON_REASONING_FORMAT_NONE
        self.socket.unlink(missing_ok=True)  # of the server before, which had one adapter less
        params.hostnames = [str(self.socket)]
        params.api_keys = [self._key]
        params.cors_origins = "null"
        params.cors_credentials = False
        params.ui = False
        params.endpoint_slots = False
        if self._adapters:
            params.lora_adapters = [
                xllamacpp.CommonAdapterLoraInfo(str(path), 1.0) for path in self._adapters
            ]
        try:
            server = xllamacpp.Server(params)
        except RuntimeError:
            raise ModelError(
                f"llama.cpp cannot load {config.path}",
                provider="embedded",
                hint="the file is damaged, made for another program, or too large for this machine's memory",
            ) from None
        # Freed before it has begun to work, it would never end: this is answered by what works.
        self._asked("GET", "/lora-adapters")
        return server

    @contextmanager
    def _using(self, adapter: Path | None) -> Iterator[None]:
        """Hold the engine with this adapter loaded; a new one is loaded when nothing else runs."""
        with self._turn:
            self._turn.wait_for(lambda: not self._reloading)
            while adapter is not None and not self._has(adapter):
                self._load_adapter(adapter)
            self._active += 1
        try:
            yield
        finally:
            with self._turn:
                self._active -= 1
                self._turn.notify_all()

    def _has(self, adapter: Path) -> bool:
        """Whether an adapter is loaded, and is what its file holds now."""
        return adapter in self._adapters and self._adapters[adapter] == _version(adapter)

    def _load_adapter(self, adapter: Path) -> None:
        """Start llama.cpp again with one more, and without those whose files have changed since."""
        version = _version(adapter)
        check_gguf(adapter)
        self._reloading = True
        self._turn.wait_for(lambda: self._active == 0)
        self._server = None
        self._adapters = {path: known for path, known in self._adapters.items() if self._has(path)}
        self._adapters[adapter] = version
        try:
            self._server = self._start()
        except ModelError:
            del self._adapters[adapter]
            self._server = self._start()
            raise ModelError(
                f"llama.cpp cannot apply the adapter {adapter} to {self.config.path}",
                provider="embedded",
                hint="the adapter is damaged, or was trained for another model",
            ) from None
        finally:
            self._reloading = False
            self._turn.notify_all()

    def _post(self, route: str, payload: dict[str, Any]) -> Any:
        """Ask for what xllamacpp has no in-process call for."""
        with self._using(None):
            return self._asked("POST", route, payload)

    def _asked(self, method: str, route: str, payload: dict[str, Any] | None = None) -> Any:
        connection = _Connection(self.socket)
        try:
            connection.request(method, route, json.dumps(payload), {"Authorization": f"Bearer {self._key}"})
            answer = json.loads(connection.getresponse().read())
        except (OSError, ValueError) as error:
            raise ModelError(f"llama.cpp did not answer {route}: {error}", provider="embedded") from None
        finally:
            connection.close()
        if isinstance(answer, dict) and "error" in answer:
            raise _as_error(answer["error"])
        return answer


class _Connection(http.client.HTTPConnection):
    """HTTP on a socket of this machine."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=600)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def _private_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder that is the user's alone."""
    try:
        usual = tempfile.gettempdir()
        where = usual if len(os.fsencode(usual)) <= LONGEST_FOLDER else "/tmp"
        return tempfile.TemporaryDirectory(prefix="redraft-", dir=where)
    except OSError as error:
        raise ModelError(
            f"llama.cpp needs a folder for its socket: {error}", provider="embedded", hint="set TMPDIR to one"
        ) from None


def _version(path: Path) -> Version | None:
    try:
        found = path.stat()
    except OSError:
        return None  # the check of the file says what is wrong
    return found.st_ino, found.st_size, found.st_mtime_ns


def _as_error(error: dict[str, Any]) -> ModelError:
    message = str(error.get("message", error))
    if error.get("type") == "exceed_context_size_error":
        return ContextOverflow(
            message, provider="embedded", hint="shorten the text, or raise the setting context"
        )
    return ModelError(f"llama.cpp: {message}", provider="embedded")


_shared: Shared[EngineConfig, Engine] = Shared(Engine)
shared_engine = _shared.get
close_engines = _shared.close
