"""Names and passwords in addresses, which are taken out where an address comes in.

A model's spec is written down in many places: runs, traces, reports, messages. So
`http://user:password@host/v1#model` loses its login in the settings, on the command line and where a model is
opened; it is kept here for the host.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote, urlsplit

LOGINS: Final[dict[str, tuple[str, str]]] = {}
"""By scheme, host and port, the name and the password that the user gave."""

_LOGIN: Final = re.compile(r"(https?://)([^/?#\s]*)@([^/?#\s@]*)", re.IGNORECASE)


def without_login(text: str) -> str:
    """A spec or an address, or what holds one, without the name and password of a service."""
    return _LOGIN.sub(r"\1\3", text)


def take_login(text: str) -> str:
    """The same; the name and password are kept for whoever asks the service."""
    for scheme, login, host in _LOGIN.findall(text):
        name, _, password = login.partition(":")
        LOGINS[origin_of(scheme + host)] = (unquote(name), unquote(password))
    return without_login(text)


def origin_of(url: str) -> str:
    """Who is asked at an address: scheme, host and port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower()
