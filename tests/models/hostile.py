"""The answers in data/hostile_answers.jsonl, served by a scripted service to whoever names one as its model.

A record: `name`; `status` (200), `headers`; what is sent (`body`, or `base64`, or `repeated` pieces of text,
`packed` by gzip) and how (a `length` that is a lie, `chunked`, `endless`, `bare` of any HTTP); `n` samples to
ask for (1). Expected is what is `read` (with `reason`, `thoughts`, `tokens`, `calls`), or an `error`.
"""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

from tests.models.scripted import Answer, Handler

ANSWERS: dict[str, dict[str, Any]] = {
    record["name"]: record
    for record in map(
        json.loads,
        (Path(__file__).parent / "data" / "hostile_answers.jsonl").read_text(encoding="utf-8").splitlines(),
    )
}


def hostile() -> Answer:
    """Answers with the record that is named as the model."""
    return lambda handler, body: _send(handler, ANSWERS[body["model"]])


def _send(handler: Handler, record: dict[str, Any]) -> None:
    data = _data(record)
    if record.get("bare"):
        handler.wfile.write(data)
        handler.close_connection = True
        return
    handler.send_response(record.get("status", 200))
    for name, value in record.get("headers", {"Content-Type": "application/json"}).items():
        handler.send_header(name, value)
    if record.get("chunked"):
        data = b"%x\r\n%s\r\n0\r\n\r\n" % (len(data), data)
    elif not record.get("endless") and "Transfer-Encoding" not in record.get("headers", {}):
        handler.send_header("Content-Length", str(record.get("length", len(data))))
    handler.end_headers()
    try:
        handler.wfile.write(data)
        while record.get("endless"):
            handler.wfile.write(data)
    except OSError:
        handler.close_connection = True  # whoever asked has heard enough


def _data(record: dict[str, Any]) -> bytes:
    if "base64" in record:
        return base64.b64decode(record["base64"])
    pieces = record.get("repeated") or [[record["body"], 1]]
    data = "".join(text * times for text, times in pieces).encode()
    return gzip.compress(data) if record.get("packed") else data
