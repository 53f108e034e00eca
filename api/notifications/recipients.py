"""Where people are told of things, and how often: mail addresses, devices and choices, in the erasable store of people.

An address is good once its holder has followed the link that was sent there; one that refuses mail is used no more.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, Literal

import msgspec

from api.accounts.store import Store
from domain.notifications.kinds import USUAL_PACE, Kind, Pace, Way

ID_BYTES: Final = 8
DEVICES_MAX: Final = 20
"""The most devices of one person; a further one takes the place of the oldest."""

AddressState = Literal["unconfirmed", "good", "bounced"]


class MailAddress(msgspec.Struct, frozen=True):
    """Somebody's mail address; `id` is what links and bounces name in its place."""

    person: str
    id: str
    address: str
    state: AddressState
    language: str
    created: str


class Device(msgspec.Struct, frozen=True):
    """A browser that shows what is pushed to it: where its push service takes messages, and the keys they are
    encrypted with."""

    person: str
    id: str
    endpoint: str
    p256dh: str
    auth: str
    agent: str
    language: str
    created: str


class Reached(msgspec.Struct, frozen=True):
    """How somebody is reached."""

    address: MailAddress | None = None
    devices: tuple[Device, ...] = ()
    paces: Mapping[tuple[Way, Kind], Pace] = {}

    def pace(self, way: Way, kind: Kind) -> Pace:
        return self.paces.get((way, kind), USUAL_PACE)


READ_ADDRESS: Final = "SELECT person, id, address, state, language, created FROM mail_addresses"
READ_DEVICE: Final = "SELECT person, id, endpoint, p256dh, auth, agent, language, created FROM push_subscriptions"


class Recipients(Store):
    """The store of people, as far as it says how they are reached."""

    # Mail

    def address_of(self, person: str) -> MailAddress | None:
        row = self._row(f"{READ_ADDRESS} WHERE person = ?", person)
        return None if row is None else MailAddress(*row)

    def address(self, address_id: str) -> MailAddress | None:
        row = self._row(f"{READ_ADDRESS} WHERE id = ?", address_id)
        return None if row is None else MailAddress(*row)

    def set_address(self, person: str, address: str, language: str, at: datetime) -> MailAddress:
        """In place of the one before, and unconfirmed; what was to go to that one is not sent."""
        made = MailAddress(person, secrets.token_hex(ID_BYTES), address, "unconfirmed", language, at.isoformat())
        with self._writing() as database:
            database.change(
                "UPDATE outbox SET state = 'dropped' WHERE person = ? AND way = 'mail' AND state = 'waiting'", (person,)
            )
            database.change("DELETE FROM mail_addresses WHERE person = ?", (person,))
            database.change(
                "INSERT INTO mail_addresses (person, id, address, state, language, created) VALUES (?, ?, ?, ?, ?, ?)",
                (made.person, made.id, made.address, made.state, made.language, made.created),
            )
        return made

    def confirm_address(self, address_id: str) -> bool:
        """Whether it is good from now on; one that bounced stays as it is."""
        with self._writing() as database:
            sql = "UPDATE mail_addresses SET state = 'good' WHERE id = ? AND state <> 'bounced'"
            return bool(database.change(sql, (address_id,)))

    def stop_address(self, address_id: str) -> bool:
        """Nothing is sent there any more: it refused a message, or a report of that came back."""
        with self._writing() as database:
            return bool(database.change("UPDATE mail_addresses SET state = 'bounced' WHERE id = ?", (address_id,)))

    def remove_address(self, person: str) -> None:
        with self._writing() as database:
            database.change(
                "UPDATE outbox SET state = 'dropped' WHERE person = ? AND way = 'mail' AND state = 'waiting'", (person,)
            )
            database.change("DELETE FROM mail_addresses WHERE person = ?", (person,))

    # Devices

    def devices(self, person: str) -> tuple[Device, ...]:
        """The oldest first."""
        return tuple(Device(*row) for row in self._rows(f"{READ_DEVICE} WHERE person = ? ORDER BY created, id", person))

    def device(self, device_id: str) -> Device | None:
        row = self._row(f"{READ_DEVICE} WHERE id = ?", device_id)
        return None if row is None else Device(*row)

    def add_device(self, person: str, endpoint: str, keys: tuple[str, str], said: tuple[str, str], at: datetime) -> str:
        """The id of the device; the same endpoint again takes the place of what was known of it. `keys`: p256dh and
        auth; `said`: what the browser is called, and its language."""
        made, known = secrets.token_hex(ID_BYTES), self.devices(person)
        with self._writing() as database:
            stale = [each.id for each in known[: max(0, len(known) - DEVICES_MAX + 1)]]
            gone = database.rows("SELECT id FROM push_subscriptions WHERE endpoint = ?", (endpoint,))
            for device_id in (*stale, *(row[0] for row in gone)):
                forget_device(database, device_id)
            database.change(
                "INSERT INTO push_subscriptions (id, person, endpoint, p256dh, auth, agent, language, created)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (made, person, endpoint, *keys, *said, at.isoformat()),
            )
        return made

    def remove_device(self, device_id: str, person: str | None = None) -> None:
        """A device is told nothing any more; with a person, only one of theirs."""
        device = self.device(device_id)
        if device is None or person not in {None, device.person}:
            return
        with self._writing() as database:
            forget_device(database, device_id)

    # Choices

    def is_known(self, person: str) -> bool:
        """Whether there is such an account."""
        return self._row("SELECT 1 FROM people WHERE id = ?", person) is not None

    def paces(self, person: str) -> dict[tuple[Way, Kind], Pace]:
        rows = self._rows("SELECT way, kind, pace FROM paces WHERE person = ?", person)
        return {(way, kind): pace for way, kind, pace in rows}

    def choose(self, person: str, chosen: Mapping[tuple[Way, Kind], Pace]) -> None:
        """How often, by way and kind; what is turned off is not sent even if it waits already."""
        rows = [(person, way, kind, pace) for (way, kind), pace in chosen.items()]
        sql = (
            "INSERT INTO paces (person, way, kind, pace) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (person, way, kind) DO UPDATE SET pace = excluded.pace"
        )
        with self._writing() as database:
            database.change_all(sql, rows)
            off = [(person, way, kind) for (way, kind), pace in chosen.items() if pace == "off"]
            database.change_all(
                "UPDATE outbox SET state = 'dropped' WHERE person = ? AND way = ? AND kind = ? AND state = 'waiting'",
                off,
            )

    def reached(self, people: Iterable[str]) -> dict[str, Reached]:
        """How each of these is reached; whose account is gone is left out."""
        wanted = sorted(set(people))
        if not wanted:
            return {}
        places = f"person IN ({', '.join('?' for _ in wanted)})"
        addresses = {row[0]: MailAddress(*row) for row in self._rows(f"{READ_ADDRESS} WHERE {places}", *wanted)}
        devices: dict[str, list[Device]] = {}
        for row in self._rows(f"{READ_DEVICE} WHERE {places} ORDER BY created, id", *wanted):
            devices.setdefault(row[0], []).append(Device(*row))
        paces: dict[str, dict[tuple[Way, Kind], Pace]] = {}
        for person, way, kind, pace in self._rows(f"SELECT person, way, kind, pace FROM paces WHERE {places}", *wanted):  # noqa: S608  (places alone)
            paces.setdefault(person, {})[way, kind] = pace
        return {
            person: Reached(addresses.get(person), tuple(devices.get(person, ())), paces.get(person, {}))
            for person in addresses.keys() | devices.keys()
        }


def forget_device(database: Any, device_id: str) -> None:
    database.change("DELETE FROM outbox WHERE way = 'push' AND device = ?", (device_id,))
    database.change("DELETE FROM push_subscriptions WHERE id = ?", (device_id,))
