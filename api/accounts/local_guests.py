"""Names of local guests, who play on a shared device. They belong to the account that opened the table."""

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
    """A local guest at a table on one device."""

    id: Actor
    match_id: UUID
    name: str


def local_id(match_id: UUID, seat: int) -> Actor:
    """Return the id of a local guest, the same for a repeated request."""
    return f"{LOCAL}{uuid5(match_id, f'local/{seat}').hex}"


def acceptable_names(names: Iterable[str]) -> list[str]:
    """Return the normalised names, in order; raise `NameTaken` if two are the same, ignoring case.

    Raises also as `acceptable_name` does for each name.
    """
    accepted, keys = [acceptable_name(name) for name in names], set[str]()
    for name in accepted:
        if name_key(name) in keys:
            raise NameTaken(f"two players at this table have the name {name!r}")
        keys.add(name_key(name))
    return accepted


class LocalGuests:
    """The names of local guests in the accounts database."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store

    def store_locals(self, opener: str, match_id: UUID, names: Mapping[Actor, str]) -> tuple[Actor, ...]:
        """Store the names of new local guests and return their ids; known ids keep their name and are left out."""
        table = {"opener": opener, "match_id": str(match_id)}
        with self._store.transaction() as database:
            return tuple(id for id, name in names.items() if database.change(KEEP, id=id, name=name, **table) > 0)

    def forget_locals(self, ids: Iterable[Actor]) -> None:
        """Delete local guests whose table was not created."""
        with self._store.transaction() as database:
            database.change_all(FORGET, ({"id": id} for id in ids))

    def local_names(self, ids: Iterable[Actor]) -> dict[Actor, str]:
        """Return the known names by id; other ids are left out."""
        local_ids = sorted(id for id in ids if id.startswith(LOCAL))
        return dict(self._store.rows(NAMES, ids=local_ids)) if local_ids else {}

    def locals_of(self, opener: str) -> tuple[LocalGuest, ...]:
        """Return all local guests of an opener's tables."""
        rows = self._store.rows(OF_OPENER, opener=opener)
        return tuple(LocalGuest(id, UUID(match_id), name) for id, match_id, name in rows)
