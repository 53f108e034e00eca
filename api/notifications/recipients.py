"""Mail addresses, push devices and frequencies of people, in the accounts database.

An address is used once its owner has followed the confirmation link; an address that rejects mail is disabled.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import and_, bindparam, delete, select, update

from api.accounts.store import Store
from api.accounts.tables.accounts import PEOPLE
from api.accounts.tables.notifications import MAIL_ADDRESSES, OUTBOX, PACES, PUSH_SUBSCRIPTIONS
from domain.notifications.kinds import DEFAULT_FREQUENCY, Channel, Frequency, Kind
from projections.platform.statements import any_of, insert_row, upsert

ID_BYTES: Final = 8
DEVICES_MAX: Final = 20
"""Maximum number of devices of a person; a further one replaces the oldest."""

AddressState = Literal["unconfirmed", "good", "bounced"]


class MailAddress(msgspec.Struct, frozen=True):
    """A mail address; links and bounces name its `id`."""

    person: str
    id: str
    address: str
    state: AddressState
    language: str
    created: str


class Device(msgspec.Struct, frozen=True):
    """A browser with push: the endpoint of its push service, and encryption keys."""

    person: str
    id: str
    endpoint: str
    p256dh: str
    auth: str
    agent: str
    language: str
    created: str


class PersonChannels(msgspec.Struct, frozen=True):
    """A person's channels and frequencies."""

    address: MailAddress | None = None
    devices: tuple[Device, ...] = ()
    paces: Mapping[tuple[Channel, Kind], Frequency] = {}

    def pace(self, channel: Channel, kind: Kind) -> Frequency:
        """Return the frequency of a kind by a channel."""
        return self.paces.get((channel, kind), DEFAULT_FREQUENCY)


ADDRESSES: Final = select(*(MAIL_ADDRESSES.c[name] for name in MailAddress.__struct_fields__))
IS_ADDRESS: Final = MAIL_ADDRESSES.c.id == bindparam("id")
ADDRESS_OF: Final = ADDRESSES.where(MAIL_ADDRESSES.c.person == bindparam("person"))
ADDRESS: Final = ADDRESSES.where(IS_ADDRESS)
ADDRESSES_OF: Final = ADDRESSES.where(MAIL_ADDRESSES.c.person.in_(any_of("people")))
ADD_ADDRESS: Final = insert_row(MAIL_ADDRESSES)
CONFIRM: Final = update(MAIL_ADDRESSES).where(IS_ADDRESS, MAIL_ADDRESSES.c.state != "bounced").values(state="good")
STOP: Final = update(MAIL_ADDRESSES).where(IS_ADDRESS).values(state="bounced")
REMOVE_ADDRESS: Final = delete(MAIL_ADDRESSES).where(MAIL_ADDRESSES.c.person == bindparam("person"))

DEVICES: Final = select(*(PUSH_SUBSCRIPTIONS.c[name] for name in Device.__struct_fields__)).order_by(
    PUSH_SUBSCRIPTIONS.c.created, PUSH_SUBSCRIPTIONS.c.id
)
IS_DEVICE: Final = PUSH_SUBSCRIPTIONS.c.id == bindparam("id")
DEVICES_OF_PERSON: Final = DEVICES.where(PUSH_SUBSCRIPTIONS.c.person == bindparam("person"))
DEVICE: Final = DEVICES.where(IS_DEVICE)
DEVICES_OF: Final = DEVICES.where(PUSH_SUBSCRIPTIONS.c.person.in_(any_of("people")))
AT_ENDPOINT: Final = select(PUSH_SUBSCRIPTIONS.c.id).where(PUSH_SUBSCRIPTIONS.c.endpoint == bindparam("endpoint"))
ADD_DEVICE: Final = insert_row(PUSH_SUBSCRIPTIONS)
REMOVE_DEVICE: Final = delete(PUSH_SUBSCRIPTIONS).where(IS_DEVICE)

IS_KNOWN: Final = select(PEOPLE.c.id).where(PEOPLE.c.id == bindparam("person"))
PACES_OF: Final = select(PACES).where(PACES.c.person.in_(any_of("people")))
CHOOSE: Final = upsert(PACES)

WAITS: Final = OUTBOX.c.state == "waiting"
OF_RECIPIENT: Final = and_(OUTBOX.c.person == bindparam("person"), WAITS)
DROP_MAIL: Final = update(OUTBOX).where(OF_RECIPIENT, OUTBOX.c.way == "mail").values(state="dropped")
DROP_KIND: Final = (
    update(OUTBOX)
    .where(OF_RECIPIENT, OUTBOX.c.way == bindparam("way"), OUTBOX.c.kind == bindparam("kind"))
    .values(state="dropped")
)
FORGET_PUSHED: Final = delete(OUTBOX).where(OUTBOX.c.way == "push", OUTBOX.c.device == bindparam("id"))


class Recipients(Store):
    """The recipients in the accounts database."""

    def address_of(self, person: str) -> MailAddress | None:
        """Return the address of a person; None if there is none."""
        row = self.row(ADDRESS_OF, person=person)
        return None if row is None else MailAddress(*row)

    def address(self, address_id: str) -> MailAddress | None:
        """Return the address with the id; None if unknown."""
        row = self.row(ADDRESS, id=address_id)
        return None if row is None else MailAddress(*row)

    def set_address(self, person: str, address: str, language: str, at: datetime) -> MailAddress:
        """Set an unconfirmed address, replacing the previous one and dropping its waiting mails."""
        mail_address = MailAddress(
            person, secrets.token_hex(ID_BYTES), address, "unconfirmed", language, at.isoformat()
        )
        with self.transaction() as database:
            database.change(DROP_MAIL, person=person)
            database.change(REMOVE_ADDRESS, person=person)
            database.change(ADD_ADDRESS, **msgspec.structs.asdict(mail_address))
        return mail_address

    def confirm_address(self, address_id: str) -> bool:
        """Confirm an address and return true; false if unknown or bounced."""
        with self.transaction() as database:
            return bool(database.change(CONFIRM, id=address_id))

    def stop_address(self, address_id: str) -> bool:
        """Disable an address that rejects mail; return false if unknown."""
        with self.transaction() as database:
            return bool(database.change(STOP, id=address_id))

    def remove_address(self, person: str) -> None:
        """Remove the address and drop its waiting mails."""
        with self.transaction() as database:
            database.change(DROP_MAIL, person=person)
            database.change(REMOVE_ADDRESS, person=person)

    def devices(self, person: str) -> tuple[Device, ...]:
        """Return a person's devices, oldest first."""
        return tuple(Device(*row) for row in self.rows(DEVICES_OF_PERSON, person=person))

    def device(self, device_id: str) -> Device | None:
        """Return the device with the id; None if unknown."""
        row = self.row(DEVICE, id=device_id)
        return None if row is None else Device(*row)

    def add_device(
        self, person: str, endpoint: str, keys: tuple[str, str], description: tuple[str, str], at: datetime
    ) -> str:
        """Add a device, replacing one with the same endpoint, and return its id; above `DEVICES_MAX` the oldest go.

        `keys`: p256dh and auth; `description`: user agent and language.
        """
        new_id, devices = secrets.token_hex(ID_BYTES), self.devices(person)
        with self.transaction() as database:
            stale = [each.id for each in devices[: max(0, len(devices) - DEVICES_MAX + 1)]]
            replaced = database.rows(AT_ENDPOINT, endpoint=endpoint)
            for device_id in (*stale, *(row[0] for row in replaced)):
                forget_device(database, device_id)
            device = Device(person, new_id, endpoint, *keys, *description, at.isoformat())
            database.change(ADD_DEVICE, **msgspec.structs.asdict(device))
        return new_id

    def remove_device(self, device_id: str, person: str | None = None) -> None:
        """Remove a device; if a person is given, only one of theirs. Nothing happens without such a device."""
        device = self.device(device_id)
        if device is None or person not in {None, device.person}:
            return
        with self.transaction() as database:
            forget_device(database, device_id)

    def is_known(self, person: str) -> bool:
        """Return whether the account exists."""
        return self.row(IS_KNOWN, person=person) is not None

    def paces(self, person: str) -> dict[tuple[Channel, Kind], Frequency]:
        """Return the frequencies of a person by channel and kind."""
        return {(channel, kind): pace for _person, channel, kind, pace in self.rows(PACES_OF, people=(person,))}

    def set_paces(self, person: str, paces: Mapping[tuple[Channel, Kind], Frequency]) -> None:
        """Set frequencies by channel and kind; waiting messages of disabled kinds are dropped."""
        rows = [
            {"person": person, "way": channel, "kind": kind, "pace": pace} for (channel, kind), pace in paces.items()
        ]
        with self.transaction() as database:
            database.change_all(CHOOSE, rows)
            switched_off = [(channel, kind) for (channel, kind), pace in paces.items() if pace == "off"]
            database.change_all(
                DROP_KIND, [{"person": person, "way": channel, "kind": kind} for channel, kind in switched_off]
            )

    def load_channels(self, people: Iterable[str]) -> dict[str, PersonChannels]:
        """Return channels and frequencies by person; people with neither address nor device are left out."""
        ids = sorted(set(people))
        if not ids:
            return {}
        addresses = {row[0]: MailAddress(*row) for row in self.rows(ADDRESSES_OF, people=ids)}
        devices: dict[str, list[Device]] = {}
        for row in self.rows(DEVICES_OF, people=ids):
            devices.setdefault(row[0], []).append(Device(*row))
        paces: dict[str, dict[tuple[Channel, Kind], Frequency]] = {}
        for person, channel, kind, pace in self.rows(PACES_OF, people=ids):
            paces.setdefault(person, {})[channel, kind] = pace
        return {
            person: PersonChannels(addresses.get(person), tuple(devices.get(person, ())), paces.get(person, {}))
            for person in addresses.keys() | devices.keys()
        }


def forget_device(database: Any, device_id: str) -> None:
    """Delete a device and its push messages."""
    database.change(FORGET_PUSHED, id=device_id)
    database.change(REMOVE_DEVICE, id=device_id)
