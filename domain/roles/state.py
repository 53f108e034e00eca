"""Roles: annotators, arbiters, organisers and operators, for the whole service or one event.

Everyone is a player. Grants and revocations are records of one stream; uses of a role are recorded in the audit trail.
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
"""The scope of a role for the whole service; any other scope is the id of a tournament or league."""
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
"""Role -> roles that include its permissions."""


class RoleFact(Value, frozen=True, tag_field="type", tag=tagger("roles"), omit_defaults=True):
    """Base of the facts about roles."""


class RoleGranted(RoleFact, frozen=True):
    """A role was granted."""

    person: Actor
    role: Role
    by: Actor
    scope: str = EVERYWHERE
    keys: tuple[str, ...] = ()
    """The keys (hex) that the person signs with by this role."""
    signed: Signed | None = None


class RoleRevoked(RoleFact, frozen=True):
    """A role was revoked."""

    person: Actor
    role: Role
    by: Actor
    scope: str = EVERYWHERE
    signed: Signed | None = None


class Grant(Value, frozen=True):
    """A role that a person holds, with the granter and the time."""

    person: Actor
    role: Role
    scope: str
    by: Actor
    since: datetime
    keys: tuple[str, ...] = ()


class Roles(Value, frozen=True):
    """All grants that hold."""

    grants: tuple[Grant, ...] = ()

    def find_grant(self, person: Actor, role: str, scope: str) -> Grant | None:
        """Return the grant of exactly this person, role and scope, or None."""
        return next((g for g in self.grants if (g.person, g.role, g.scope) == (person, role, scope)), None)


NOBODY: Final = Roles()


def with_openers(roles: Roles, openers: Iterable[Grant]) -> Roles:
    """Return the roles with the openers of tournaments and leagues added, who organise them without a grant."""
    added = tuple(each for each in openers if roles.find_grant(each.person, each.role, each.scope) is None)
    return replace(roles, grants=(*added, *roles.grants)) if added else roles


def opener_grant(person: Actor, scope: str, since: datetime) -> Grant:
    """Return the implicit grant of the person who opened a tournament or league; it cannot be revoked."""
    return Grant(person, "organiser", scope, SERVICE, since)


def evolve(roles: Roles | None, record: Record, fact: RoleGranted | RoleRevoked) -> Roles:
    """Return the roles after one more record; a grant replaces an earlier one of the same role and scope."""
    current = roles or NOBODY
    remaining = tuple(g for g in current.grants if (g.person, g.role, g.scope) != (fact.person, fact.role, fact.scope))
    if isinstance(fact, RoleRevoked):
        return replace(current, grants=remaining)
    return replace(
        current, grants=(*remaining, Grant(fact.person, fact.role, fact.scope, fact.by, record.timestamp, fact.keys))
    )


ROLES: Final[Kind[RoleGranted | RoleRevoked, Roles]] = Kind("roles", RoleGranted | RoleRevoked, evolve)


def holds(roles: Roles, person: Actor, role: str, scope: str = EVERYWHERE) -> bool:
    """Return whether a person has the permissions of a role in a tournament, or everywhere without one.

    Roles that imply it count too; everyone is a "player".
    """
    if role == "player":
        return True
    enough = IMPLIED_BY[role]
    return any(g.person == person and g.role in enough and g.scope in (EVERYWHERE, scope) for g in roles.grants)


def official_keys(roles: Roles, person: Actor) -> tuple[str, ...]:
    """Return the keys (hex) that a person signs with by any role."""
    return tuple(dict.fromkeys(key for grant in roles.grants if grant.person == person for key in grant.keys))


def may_grant(roles: Roles, by: Actor, role: str, scope: str) -> bool:
    """Return whether a person may grant a role: operators and the service any, organisers all but operator.

    Organisers grant only in their event.
    """
    if by == SERVICE or holds(roles, by, "operator"):
        return True
    return scope != EVERYWHERE and role != "operator" and holds(roles, by, "organiser", scope)


def require_may_grant(roles: Roles, person: Actor, role: str, scope: str, by: Actor) -> None:
    """Raise `RoleRefused` unless `by` may grant or revoke the role."""
    check_change(person, role, scope, by, is_allowed=may_grant(roles, by, role, scope))


def check_change(person: Actor, role: str, scope: str, by: Actor, *, is_allowed: bool) -> None:
    """Raise `RoleRefused` for a role that cannot be granted or revoked; `is_allowed`: the caller has the right.

    Bots have no roles, "player" is not given, and an operator's scope is everywhere. Raise `UnknownActor` for a
    malformed id of a person.
    """
    check_player(person)
    check_host(by)
    if person.startswith("bot:"):
        raise RoleRefused(f"{person!r} is a bot and cannot have roles")
    check_role(role, scope)
    if not is_allowed:
        raise RoleRefused(
            f"{by!r} cannot change the role {role} {'of the service' if scope == EVERYWHERE else 'of this event'}"
        )


def check_role(role: str, scope: str) -> None:
    """Raise `RoleRefused` for an impossible role: "player", an unknown one, or one of a bad scope."""
    if role == "player" or role not in ROLE_NAMES:
        raise RoleRefused(f"unknown role {role!r}; known: {', '.join(ROLE_NAMES[1:])}")
    if role == "operator" and scope != EVERYWHERE:
        raise RoleRefused("the role operator cannot be limited to one event")
    if len(scope) > SCOPE_MAX:
        raise RoleRefused(f"the id of an event has at most {SCOPE_MAX} characters, not {len(scope)}")


def grant(
    roles: Roles, person: Actor, role: Role, by: Actor, scope: str = EVERYWHERE, keys: tuple[str, ...] = ()
) -> RoleGranted | None:
    """Return the grant, or None if the role is held already with these keys; raise `RoleRefused` if `by` may not."""
    require_may_grant(roles, person, role, scope, by)
    existing = roles.find_grant(person, role, scope)
    return None if existing is not None and existing.keys == keys else RoleGranted(person, role, by, scope, keys)


def revoke(roles: Roles, person: Actor, role: Role, by: Actor, scope: str = EVERYWHERE) -> RoleRevoked | None:
    """Return the revocation, or None if the role is not held; raise `RoleRefused` if `by` may not.

    Also raise it for the last operator, unless the service revokes.
    """
    require_may_grant(roles, person, role, scope, by)
    if roles.find_grant(person, role, scope) is None:
        return None
    if role == "operator" and by != SERVICE and sum(g.role == "operator" for g in roles.grants) == 1:
        raise RoleRefused("the last operator cannot be removed here")
    return RoleRevoked(person, role, by, scope)
