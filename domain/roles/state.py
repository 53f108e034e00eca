"""Roles: who may annotate for the service, arbitrate, organise and operate, everywhere or in one tournament.

Everybody is a player. Grants and revocations are records of one stream; what somebody does by a role stands in the
audit trail.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, Literal, get_args
from uuid import UUID

from domain.kernel.values import Value, replace, tagger
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.records import Kind, Record
from domain.matches.seats.opening import check_host, check_player
from domain.roles.errors import RoleRefused
from domain.signatures.acts import Signed

Role = Literal["player", "annotator", "arbiter", "head_arbiter", "organiser", "operator"]
ROLE_NAMES: Final[tuple[str, ...]] = get_args(Role)
EVERYWHERE: Final = ""
"""The scope of a role that is held for the whole service; any other is the id of a tournament or league."""
SCOPE_MAX: Final = 64
ROLES_STREAM: Final = UUID("6c0e5b0a-33a5-5b1e-9c0e-000000000001")

IMPLIED_BY: Final[dict[str, frozenset[str]]] = {
    "player": frozenset(ROLE_NAMES),
    "annotator": frozenset({"annotator", "arbiter", "head_arbiter", "organiser", "operator"}),
    "arbiter": frozenset({"arbiter", "head_arbiter", "operator"}),
    "head_arbiter": frozenset({"head_arbiter", "operator"}),
    "organiser": frozenset({"organiser", "operator"}),
    "operator": frozenset({"operator"}),
}
"""Holding one of these is enough to do what the role may do."""


class RoleFact(Value, frozen=True, tag_field="type", tag=tagger("roles"), omit_defaults=True):
    """Base of what happens to roles."""


class RoleGranted(RoleFact, frozen=True):
    person: Actor
    role: Role
    by: Actor
    scope: str = EVERYWHERE
    keys: tuple[str, ...] = ()
    """The keys (hex) that the person signs with by this role."""
    signed: Signed | None = None


class RoleRevoked(RoleFact, frozen=True):
    person: Actor
    role: Role
    by: Actor
    scope: str = EVERYWHERE
    signed: Signed | None = None


class Grant(Value, frozen=True):
    """A role somebody holds, since when and by whom."""

    person: Actor
    role: Role
    scope: str
    by: Actor
    since: datetime
    keys: tuple[str, ...] = ()


class Roles(Value, frozen=True):
    grants: tuple[Grant, ...] = ()

    def of(self, person: Actor, role: str, scope: str) -> Grant | None:
        """The very grant, if it is held."""
        return next((g for g in self.grants if (g.person, g.role, g.scope) == (person, role, scope)), None)


NOBODY: Final = Roles()


def with_openers(roles: Roles, openers: Iterable[Grant]) -> Roles:
    """The same roles, and those of whoever opened tournaments or leagues: they organise them without a grant."""
    more = tuple(each for each in openers if roles.of(each.person, each.role, each.scope) is None)
    return replace(roles, grants=(*more, *roles.grants)) if more else roles


def opener(person: Actor, scope: str, since: datetime) -> Grant:
    """What somebody is in the tournament or league they opened; nobody gave it, and nobody can take it."""
    return Grant(person, "organiser", scope, SERVICE, since)


def evolve(roles: Roles | None, record: Record, fact: RoleGranted | RoleRevoked) -> Roles:
    known = roles or NOBODY
    rest = tuple(g for g in known.grants if (g.person, g.role, g.scope) != (fact.person, fact.role, fact.scope))
    if isinstance(fact, RoleRevoked):
        return replace(known, grants=rest)
    return replace(
        known, grants=(*rest, Grant(fact.person, fact.role, fact.scope, fact.by, record.timestamp, fact.keys))
    )


ROLES: Final[Kind[RoleGranted | RoleRevoked, Roles]] = Kind("roles", RoleGranted | RoleRevoked, evolve)


def holds(roles: Roles, person: Actor, role: str, scope: str = EVERYWHERE) -> bool:
    """Whether somebody may do what the role may do, in a tournament or (without one) everywhere."""
    if role == "player":
        return True
    enough = IMPLIED_BY[role]
    return any(g.person == person and g.role in enough and g.scope in (EVERYWHERE, scope) for g in roles.grants)


def official_keys(roles: Roles, person: Actor) -> tuple[str, ...]:
    """The keys (hex) that somebody signs with by any role."""
    return tuple(dict.fromkeys(key for grant in roles.grants if grant.person == person for key in grant.keys))


def may_grant(roles: Roles, by: Actor, role: str, scope: str) -> bool:
    """Operators give any role; organisers those of their own tournament, but never the operator's."""
    if by == SERVICE or holds(roles, by, "operator"):
        return True
    return scope != EVERYWHERE and role != "operator" and holds(roles, by, "organiser", scope)


def check(roles: Roles, person: Actor, role: str, scope: str, by: Actor) -> None:
    check_change(person, role, scope, by, may=may_grant(roles, by, role, scope))


def check_change(person: Actor, role: str, scope: str, by: Actor, *, may: bool) -> None:
    """`RoleRefused` for a role that cannot be given or taken; `may`: who does it is free to."""
    check_player(person)
    check_host(by)
    if person.startswith("bot:"):
        raise RoleRefused(f"{person!r} is a bot; roles are for people")
    if role == "player" or role not in ROLE_NAMES:
        raise RoleRefused(f"the role {role!r} is not given; there are: {', '.join(ROLE_NAMES[1:])}")
    if role == "operator" and scope != EVERYWHERE:
        raise RoleRefused("an operator runs the whole service, not one event")
    if len(scope) > SCOPE_MAX:
        raise RoleRefused(f"the id of an event has at most {SCOPE_MAX} characters, not {len(scope)}")
    if not may:
        raise RoleRefused(f"{by!r} may not change who is {role} {'everywhere' if scope == EVERYWHERE else 'there'}")


def grant(
    roles: Roles, person: Actor, role: Role, by: Actor, scope: str = EVERYWHERE, keys: tuple[str, ...] = ()
) -> RoleGranted | None:
    """The grant; `None` when it is held already, with these keys."""
    check(roles, person, role, scope, by)
    held = roles.of(person, role, scope)
    return None if held is not None and held.keys == keys else RoleGranted(person, role, by, scope, keys)


def revoke(roles: Roles, person: Actor, role: Role, by: Actor, scope: str = EVERYWHERE) -> RoleRevoked | None:
    """The revocation; `None` when it is not held. The last operator stays one."""
    check(roles, person, role, scope, by)
    if roles.of(person, role, scope) is None:
        return None
    if role == "operator" and by != SERVICE and sum(g.role == "operator" for g in roles.grants) == 1:
        raise RoleRefused("the last operator cannot be taken away here")
    return RoleRevoked(person, role, by, scope)
