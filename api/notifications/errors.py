"""Errors of notifications."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.notifications.endpoints import EndpointRefused


class BadAddress(Exception):
    """The text is not a mail address."""


class BadToken(Exception):
    """A link was forged or truncated."""


class BadDevice(Exception):
    """The push subscription of a browser is invalid."""


class TooManyLetters(Exception):
    """The daily limit of confirmation letters is reached."""


REFUSALS: Final[Refusals] = {
    BadAddress: (422, "mail/bad_address"),
    TooManyLetters: (429, "mail/too_many_letters"),
    BadToken: (404, "mail/bad_link"),
    EndpointRefused: (422, "push/endpoint_refused"),
    BadDevice: (422, "push/bad_device"),
}
"""Error -> HTTP status and code."""
