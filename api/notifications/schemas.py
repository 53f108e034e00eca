"""Requests and responses of the notifications API, including deliveries."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec

from api.http.structs import RequestStruct, ResponseStruct
from api.notifications.outbox import Outcome
from domain.notifications.kinds import Channel, Frequency, Kind

ENDPOINT_MAX = 1_024
KEY_MAX = 128
MAIL_MAX = 254
"""Maximum length of an address (RFC 5321, 4.5.3.1.3, without angle brackets)."""
MAILS_LEASED = 50
PUSHES_LEASED = 50


class MailToSend(ResponseStruct, frozen=True):
    """A mail. `bounces`: its envelope sender; `unsubscribe`: empty for a confirmation letter."""

    message: str
    to: str
    sender: str
    bounces: str
    message_id: str
    subject: str
    text: str
    html: str
    unsubscribe: str


class PushToSend(ResponseStruct, frozen=True):
    """A message for a push service (RFC 8030), with encryption keys (RFC 8291)."""

    message: str
    endpoint: str
    p256dh: str
    auth: str
    topic: str
    seconds: int
    urgency: Literal["normal", "high"]
    payload: str
    authorization: str


class Leased(ResponseStruct, frozen=True):
    """Messages to deliver now; `more`: more may be waiting."""

    mails: tuple[MailToSend, ...] = ()
    pushes: tuple[PushToSend, ...] = ()
    more: bool = False


class LeaseOutgoing(RequestStruct, frozen=True):
    """A request for the next messages of a channel."""

    way: Channel


class SettleOutgoing(RequestStruct, frozen=True):
    """The result of a delivery."""

    message: Annotated[str, msgspec.Meta(max_length=64)]
    way: Channel
    outcome: Outcome


class NoteBounce(RequestStruct, frozen=True):
    """A bounce to this address."""

    address: Annotated[str, msgspec.Meta(max_length=MAIL_MAX)]


class AddDevice(RequestStruct, frozen=True):
    """A browser's push subscription (Push API)."""

    endpoint: Annotated[str, msgspec.Meta(max_length=ENDPOINT_MAX)]
    p256dh: Annotated[str, msgspec.Meta(max_length=KEY_MAX)]
    auth: Annotated[str, msgspec.Meta(max_length=KEY_MAX)]


class SetAddress(RequestStruct, frozen=True):
    """A mail address."""

    address: Annotated[str, msgspec.Meta(min_length=3, max_length=MAIL_MAX)]


class ChoosePaces(RequestStruct, frozen=True):
    """Frequencies by kind; omitted ones stay unchanged."""

    mail: dict[Kind, Frequency] = msgspec.field(default_factory=dict)
    push: dict[Kind, Literal["once", "off"]] = msgspec.field(default_factory=dict)


class AddressShown(ResponseStruct, frozen=True):
    """The caller's mail address and its state."""

    address: str
    state: Literal["unconfirmed", "good", "bounced"]


class DeviceShown(ResponseStruct, frozen=True):
    """A device of the caller."""

    id: str
    agent: str
    created: datetime


class NotificationsShown(ResponseStruct, frozen=True):
    """The caller's settings: channels of the service, addresses and frequencies.

    `pushKey`: the key for push subscriptions.
    """

    ways: tuple[Channel, ...]
    push_key: str
    address: AddressShown | None
    devices: tuple[DeviceShown, ...]
    mail: dict[Kind, Frequency]
    push: dict[Kind, Frequency]
