"""What the names in the store look like: no new one looks like one that is there."""

from __future__ import annotations

import msgspec

from api.accounts.names import MADE_BY, BadName, NameAlike, acceptable_name, looks_of
from projections.platform.database import Database, Readable


class Collision(msgspec.Struct, frozen=True):
    """Names of accounts that look alike: each is somebody's, and none could be had today beside the others."""

    names: tuple[str, ...]
    ids: tuple[str, ...]


class Doubtful(msgspec.Struct, frozen=True):
    """A name that nobody could have today, and why."""

    name: str
    id: str
    reason: str


def without_looks(database: Readable) -> list[tuple[str, str]]:
    """Ids and names of accounts that have no looks yet, or those that were made by another version of the rule."""
    sql = (
        "SELECT id, name FROM people WHERE password IS NOT NULL"
        " AND id NOT IN (SELECT person FROM looks WHERE made_by = ?)"
    )
    return [(person_id, name) for person_id, name in database.rows(sql, (MADE_BY,))]


def renew_looks(database: Database) -> None:
    """Looks of those that lack them, in a transaction."""
    for person_id, name in without_looks(database):
        keep_looks(database, person_id, name)


def keep_looks(database: Database, person_id: str, name: str) -> None:
    """What the person's name looks like from now on."""
    database.change("DELETE FROM looks WHERE person = ?", (person_id,))
    rows = {(look, person_id, MADE_BY) for look in looks_of(name)}
    database.change_all("INSERT INTO looks (look, person, made_by) VALUES (?, ?, ?)", sorted(rows))


def require_unlike(database: Readable, person_id: str, name: str) -> None:
    """`NameAlike` where somebody else has a name that looks the same."""
    sql = "SELECT 1 FROM looks WHERE look IN (?, ?) AND person != ?"
    if database.rows(sql, (*looks_of(name), person_id)):
        raise NameAlike(f"the name {name!r} looks like the name of somebody else")


def find_collisions(database: Readable) -> tuple[Collision, ...]:
    """Groups of accounts whose names share a look, by name."""
    sql = (
        "SELECT looks.look, people.id, people.name FROM looks JOIN people ON people.id = looks.person"
        " WHERE looks.look IN (SELECT look FROM looks GROUP BY look HAVING count(*) > 1)"
        " ORDER BY people.name, people.id"
    )
    groups: dict[str, list[tuple[str, str]]] = {}
    for look, person_id, name in database.rows(sql):
        groups.setdefault(look, []).append((name, person_id))
    found = sorted({tuple(group) for group in groups.values()})
    return tuple(Collision(tuple(name for name, _ in group), tuple(id for _, id in group)) for group in found)


def find_doubtful(database: Readable) -> tuple[Doubtful, ...]:
    """Accounts with a name that nobody could have today, by name."""
    found = []
    sql = "SELECT id, name FROM people WHERE password IS NOT NULL ORDER BY name, id"
    for person_id, name in database.rows(sql):
        try:
            acceptable_name(name)
        except BadName as refused:
            found.append(Doubtful(name, person_id, str(refused)))
    return tuple(found)
