"""Local guests: what those are called who play at somebody's table on one device. Their names go with its opener."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple
from uuid import UUID, uuid5

from sqlalchemy import bindparam, delete, select

from api.accounts.names import NameTaken, acceptable_name, name_key
from api.accounts.store import Store
from api.accounts.tables.accounts import LOCAL_GUESTS
from domain.matches.facts import LOCAL, Actor
from projections.platform.statements import any_of, insert_new

COLUMNS: Final = LOCAL_GUESTS.c
KEEP: Final = insert_new(LOCAL_GUESTS)
FORGET: Final = delete(LOCAL_GUESTS).where(COLUMNS.id == bindparam("id"))
NAMES: Final = select(COLUMNS.id, COLUMNS.name).where(COLUMNS.id.in_(any_of("ids")))
OF_OPENER: Final = (
    select(COLUMNS.id, COLUMNS.match_id, COLUMNS.name)
    .where(COLUMNS.opener == bindparam("opener"))
    .order_by(COLUMNS.match_id, COLUMNS.id)
)


class LocalGuest(NamedTuple):
    """Somebody at a table on one device."""

    id: Actor
    match_id: UUID
    name: str


def local_id(match_id: UUID, seat: int) -> Actor:
    """The id of a local guest, the same for a request that is repeated."""
    return f"{LOCAL}{uuid5(match_id, f'local/{seat}').hex}"


def acceptable_names(names: Iterable[str]) -> list[str]:
    """The names as they are shown; refused where two at one table are called the same."""
    shown, keys = [acceptable_name(name) for name in names], set[str]()
    for name in shown:
        if name_key(name) in keys:
            raise NameTaken(f"two people at this table are called {name!r}")
        keys.add(name_key(name))
    return shown


class LocalGuests:
    """The names of local guests in the store of people."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store

    def keep_locals(self, opener: str, match_id: UUID, names: Mapping[Actor, str]) -> tuple[Actor, ...]:
        """Keeps what the opener calls those that are not there already, and answers which they are."""
        table = {"opener": opener, "match_id": str(match_id)}
        with self._store.writing() as database:
            return tuple(id for id, name in names.items() if database.change(KEEP, id=id, name=name, **table) > 0)

    def forget_locals(self, ids: Iterable[Actor]) -> None:
        """Their table has come to nothing."""
        with self._store.writing() as database:
            database.change_all(FORGET, ({"id": id} for id in ids))

    def local_names(self, ids: Iterable[Actor]) -> dict[Actor, str]:
        """What these are called, as far as it is known."""
        wanted = sorted(id for id in ids if id.startswith(LOCAL))
        return dict(self._store.rows(NAMES, ids=wanted)) if wanted else {}

    def locals_of(self, opener: str) -> tuple[LocalGuest, ...]:
        """All whom somebody has named at tables of their own."""
        rows = self._store.rows(OF_OPENER, opener=opener)
        return tuple(LocalGuest(id, UUID(match_id), name) for id, match_id, name in rows)
