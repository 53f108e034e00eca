"""What is refused about notifications."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.notifications.endpoints import EndpointRefused


class BadAddress(Exception):
    """The word is no mail address."""


class BadToken(Exception):
    """A link that this service has not made, or not as it is."""


class BadDevice(Exception):
    """What a browser sent is no subscription that anything can be pushed to."""


class TooManyLetters(Exception):
    """As many letters of confirmation as are allowed were sent today."""


REFUSALS: Final[Refusals] = {
    BadAddress: (422, "mail/bad_address"),
    TooManyLetters: (429, "mail/too_many_letters"),
    BadToken: (404, "mail/bad_link"),
    EndpointRefused: (422, "push/endpoint_refused"),
    BadDevice: (422, "push/bad_device"),
}
"""The status and the code on the wire for each refusal."""
