"""Stored skeletons of names, so that no new name looks like an existing one."""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, func, select

from api.accounts.names import MADE_BY, BadName, NameAlike, acceptable_name, skeletons_of
from api.accounts.tables.accounts import LOOKS, PEOPLE
from projections.platform.database import Database, Readable
from projections.platform.statements import any_of, insert_row

NAMED: Final = select(PEOPLE.c.id, PEOPLE.c.name).where(PEOPLE.c.password.is_not(None))
UP_TO_DATE: Final = select(LOOKS.c.person).where(LOOKS.c.made_by == bindparam("made_by"))
WITHOUT: Final = NAMED.where(PEOPLE.c.id.not_in(UP_TO_DATE))
BY_NAME: Final = NAMED.order_by(PEOPLE.c.name, PEOPLE.c.id)
ALIKE: Final = select(LOOKS.c.look).where(LOOKS.c.look.in_(any_of("looks")), LOOKS.c.person != bindparam("person"))
SHARED_LOOKS: Final = LOOKS.alias()
SHARED: Final = select(SHARED_LOOKS.c.look).group_by(SHARED_LOOKS.c.look).having(func.count() > 1)
COLLISIONS: Final = (
    select(LOOKS.c.look, PEOPLE.c.id, PEOPLE.c.name)
    .join_from(LOOKS, PEOPLE, PEOPLE.c.id == LOOKS.c.person)
    .where(LOOKS.c.look.in_(SHARED))
    .order_by(PEOPLE.c.name, PEOPLE.c.id)
)
FORGET: Final = delete(LOOKS).where(LOOKS.c.person == bindparam("person"))
ADD: Final = insert_row(LOOKS)


class Collision(msgspec.Struct, frozen=True):
    """Accounts whose names look alike."""

    names: tuple[str, ...]
    ids: tuple[str, ...]


class Doubtful(msgspec.Struct, frozen=True):
    """An account with a name that is no longer allowed, and the reason."""

    name: str
    id: str
    reason: str


def accounts_without_skeletons(database: Readable) -> list[tuple[str, str]]:
    """Return ids and names of accounts whose skeletons are missing or outdated."""
    return [(person_id, name) for person_id, name in database.rows(WITHOUT, made_by=MADE_BY)]


def store_missing_skeletons(database: Database) -> None:
    """Store missing skeletons and replace outdated ones, inside a transaction."""
    for person_id, name in accounts_without_skeletons(database):
        store_skeletons(database, person_id, name)


def store_skeletons(database: Database, person_id: str, name: str) -> None:
    """Replace the stored skeletons of a person's name, by which lookalikes are found."""
    database.change(FORGET, person=person_id)
    skeletons = sorted(set(skeletons_of(name)))
    database.change_all(ADD, ({"look": skeleton, "person": person_id, "made_by": MADE_BY} for skeleton in skeletons))


def require_unlike(database: Readable, person_id: str, name: str) -> None:
    """Raise `NameAlike` if another person has a name that looks the same."""
    if database.rows(ALIKE, looks=skeletons_of(name), person=person_id):
        raise NameAlike(f"the name {name!r} looks like the name of another account")


def find_collisions(database: Readable) -> tuple[Collision, ...]:
    """Return each group of accounts whose names look alike once; groups and their members are sorted by name."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for skeleton, person_id, name in database.rows(COLLISIONS):
        groups.setdefault(skeleton, []).append((name, person_id))
    found = sorted({tuple(group) for group in groups.values()})
    return tuple(Collision(tuple(name for name, _ in group), tuple(id for _, id in group)) for group in found)


def find_doubtful(database: Readable) -> tuple[Doubtful, ...]:
    """Return accounts with names that are no longer allowed, with the reason, sorted by name."""
    found = []
    for person_id, name in database.rows(BY_NAME):
        try:
            acceptable_name(name)
        except BadName as refusal:
            found.append(Doubtful(name, person_id, str(refusal)))
    return tuple(found)
