"""Rated events: only an organiser of the whole service opens them, because an event chooses its officials."""

from domain.kernel.values import replace
from domain.matches.facts import SERVICE, Actor, Table
from domain.roles.errors import RatedWithoutOrganiser
from domain.roles.state import Roles, holds


def may_rate(roles: Roles, opener: Actor) -> bool:
    """Return whether the tables of an event that this account opened may be rated."""
    return opener == SERVICE or holds(roles, opener, "organiser")


def require_rater(roles: Roles, table: Table, opener: Actor) -> None:
    """Raise `RatedWithoutOrganiser` for a plan with rated tables if the event's opener may not rate."""
    if table.rated and not may_rate(roles, opener):
        raise RatedWithoutOrganiser(
            f"{opener!r} is not an organiser of this service and can only create unrated events"
        )


def table_for_opener(table: Table, roles: Roles, opener: Actor) -> Table:
    """Return the planned table, unrated if the opener of its event may not rate now."""
    return replace(table, rated=False) if table.rated and not may_rate(roles, opener) else table
