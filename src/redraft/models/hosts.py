"""Where texts are sent: said once, before the first one goes, if that was not the user's own choice."""

from __future__ import annotations

import logging
from urllib.parse import urlsplit

from redraft.settings import ROLES, Settings

_log = logging.getLogger(__name__)
_announced: set[str] = set()


def announce_hosts(settings: Settings) -> None:
    """Say where the models of the settings are, if files chose them: workers elsewhere are not heard."""
    for spec in dict.fromkeys(settings.spec_for(role) for role in ("model", *ROLES)):
        if spec.startswith(("openai:", "http:", "https:")):
            address = settings.base_url if spec.startswith("openai:") else spec.partition("#")[0]
            announce(address, settings.chosen_by(spec), "texts may be sent")


def announce(url: str, chosen_by: str | None, what: str) -> None:
    """Say where texts go, if that was not the user's own choice."""
    host = urlsplit(url).netloc
    if chosen_by is not None and host not in _announced:
        _announced.add(host)
        _log.warning("%s to %s, which %s chose", what, host, chosen_by)
