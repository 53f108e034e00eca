"""The part of the service's API that delivery jobs use."""

from __future__ import annotations

import time
from http.client import HTTPException
from typing import Final, Literal, Protocol

import msgspec

from domain.kernel.values import Value
from domain.notifications.kinds import Channel
from workers.client import RequestSender, ServiceRefused

SETTLE_PAUSES: Final = (0.1, 0.5, 1.0, 2.0, 4.0)
"""Seconds between attempts to report an outcome; a message without a reported outcome would be sent again."""
NO_ANSWER: Final = (HTTPException, OSError)

Outcome = Literal["sent", "later", "refused", "gone", "away", "unbegun"]


class Mail(Value, frozen=True):
    """A mail to send (`api.notifications.schemas.MailToSend`)."""

    message: str
    to: str
    sender: str
    bounces: str
    message_id: str
    subject: str
    text: str
    html: str
    unsubscribe: str


class Push(Value, frozen=True):
    """A message for a push service (`api.notifications.schemas.PushToSend`)."""

    message: str
    endpoint: str
    p256dh: str
    auth: str
    topic: str
    seconds: int
    urgency: str
    payload: str
    authorization: str


class Leased(Value, frozen=True):
    """Messages leased for delivery; `more` if others are due."""

    mails: tuple[Mail, ...] = ()
    pushes: tuple[Push, ...] = ()
    more: bool = False


class OutgoingService(Protocol):
    """The part of the service's interface that delivery jobs use."""

    def lease(self, channel: Channel) -> Leased:
        """Lease the next messages of a channel."""
        ...

    def settle(self, message: str, channel: Channel, outcome: Outcome) -> None:
        """Report the outcome of a message."""
        ...


class OutgoingClient:
    """A client of the service over a persistent connection; not thread-safe."""

    def __init__(self, client: RequestSender) -> None:
        self._client = client

    def lease(self, channel: Channel) -> Leased:
        """Lease the next messages of a channel, with one retry; raise `ServiceRefused` if the service refuses."""
        body = msgspec.json.encode({"way": channel})
        try:
            response = self._client.request("POST", "/api/outgoing/leases", body)
        except (HTTPException, ConnectionError):
            # The service may have closed the idle connection.
            response = self._client.request("POST", "/api/outgoing/leases", body)
        if response.is_refusal:
            raise ServiceRefused(f"the service responded with {response.status}")
        return msgspec.json.decode(response.body, type=Leased)

    def settle(self, message: str, channel: Channel, outcome: Outcome) -> None:
        """Report the outcome of a message, with retries while there is no response or an error of the server.

        Raise the last error, or `ServiceRefused` if the service refuses.
        """
        body = msgspec.json.encode({"message": message, "way": channel, "outcome": outcome})
        for pause in (*SETTLE_PAUSES, None):
            try:
                response = self._client.request("POST", "/api/outgoing/outcomes", body)
                if response.status < 500:
                    break
            except NO_ANSWER:
                if pause is None:
                    raise
            time.sleep(pause or 0)
        if response.is_refusal:
            raise ServiceRefused(f"the service responded with {response.status}")

    def close(self) -> None:
        """Close the connection."""
        self._client.close()
