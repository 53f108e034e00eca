"""What comes in and goes out: messages for who hands them over, and what people say of themselves."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec

from api.http.wire import Asked, Wire
from api.notifications.outbox import Outcome
from domain.notifications.kinds import Kind, Pace, Way

ENDPOINT_MAX = 1_024
KEY_MAX = 128
MAIL_MAX = 254
"""RFC 5321, 4.5.3.1.3, without the angle brackets."""
MAILS_LEASED = 50
PUSHES_LEASED = 50


class MailToSend(Wire, frozen=True):
    """A letter. `bounces`: to where it comes back if it cannot be delivered; `unsubscribe`: empty where it is the one
    with which an address is confirmed."""

    message: str
    to: str
    sender: str
    bounces: str
    message_id: str
    subject: str
    text: str
    html: str
    unsubscribe: str


class PushToSend(Wire, frozen=True):
    """A message for a push service (RFC 8030), with the keys it is encrypted with (RFC 8291)."""

    message: str
    endpoint: str
    p256dh: str
    auth: str
    topic: str
    seconds: int
    urgency: Literal["normal", "high"]
    payload: str
    authorization: str


class Leased(Wire, frozen=True):
    """What is to be handed over now; `more`: there may be more after that."""

    mails: tuple[MailToSend, ...] = ()
    pushes: tuple[PushToSend, ...] = ()
    more: bool = False


class LeaseOutgoing(Asked, frozen=True):
    """The next messages of a way."""

    way: Way


class SettleOutgoing(Asked, frozen=True):
    """What became of a message."""

    message: Annotated[str, msgspec.Meta(max_length=64)]
    way: Way
    outcome: Outcome


class NoteBounce(Asked, frozen=True):
    """A message came back to this address."""

    address: Annotated[str, msgspec.Meta(max_length=MAIL_MAX)]


class AddDevice(Asked, frozen=True):
    """A subscription as a browser gives it (Push API)."""

    endpoint: Annotated[str, msgspec.Meta(max_length=ENDPOINT_MAX)]
    p256dh: Annotated[str, msgspec.Meta(max_length=KEY_MAX)]
    auth: Annotated[str, msgspec.Meta(max_length=KEY_MAX)]


class SetAddress(Asked, frozen=True):
    """Where mails go."""

    address: Annotated[str, msgspec.Meta(min_length=3, max_length=MAIL_MAX)]


class ChoosePaces(Asked, frozen=True):
    """How often, by kind; what is left out stays as it is."""

    mail: dict[Kind, Pace] = msgspec.field(default_factory=dict)
    push: dict[Kind, Literal["once", "off"]] = msgspec.field(default_factory=dict)


class AddressShown(Wire, frozen=True):
    """The mail address of the caller, and whether it is used."""

    address: str
    state: Literal["unconfirmed", "good", "bounced"]


class DeviceShown(Wire, frozen=True):
    """A device of the caller."""

    id: str
    agent: str
    created: datetime


class NotificationsShown(Wire, frozen=True):
    """How the caller is told: the ways the service has, where to, how often. `pushKey`: what a browser subscribes
    with."""

    ways: tuple[Way, ...]
    push_key: str
    address: AddressShown | None
    devices: tuple[DeviceShown, ...]
    mail: dict[Kind, Pace]
    push: dict[Kind, Pace]
