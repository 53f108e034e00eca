"""The tree of forks of a match."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from api.accounts.display_names import Names
from api.http.guards import Caller
from api.matches.schemas import ForkShown
from api.roles.grants import has_role_in
from domain.matches.facts import Actor
from domain.roles.state import Roles
from projections.matches import forks as match_forks
from projections.matches import lobby
from projections.matches.forks import Fork
from projections.matches.lobby import LobbyRow
from projections.platform.paging import Page
from projections.platform.store import ReadStore


def read_family(
    store: ReadStore, match_id: UUID, limit: int, before: int | None
) -> tuple[UUID, Page[Fork], dict[UUID, LobbyRow]]:
    """Return the root of the match's tree, a page of its forks (latest first), and the lobby rows by match id.

    There are rows for the root and the forks on the page, except for lines that the lobby does not have.
    """
    root = match_forks.root_of(store, match_id)
    forks = match_forks.tree(store, root, limit, before)
    lobby_rows = ((line_id, lobby.get(store, line_id)) for line_id in (root, *(fork.line_id for fork in forks.items)))
    return root, forks, {line_id: row for line_id, row in lobby_rows if row is not None}


def may_see(
    fork: Fork,
    row: LobbyRow | None,
    requested_line: UUID,
    roles: Roles,
    past_players: Collection[Actor],
    caller: Caller,
) -> bool:
    """Return whether the caller may see a line of the tree; False without a lobby row.

    Visible are public lines, lines where the caller sits or that they forked, `requested_line`, and all lines for
    operators. A what-if is visible only to arbiters who have not sat in the tree (`past_players`).
    """
    if row is None:
        return False
    person = caller.person.id if caller.person else ""
    if fork.dispute:
        return person not in past_players and has_role_in(roles, caller, "arbiter", row.table.event_id or None)
    has_seat = any(seat.actor == person for seat in row.seats)
    return row.table.public or has_seat or fork.by == person or fork.line_id == requested_line or caller.is_operator


def encode_fork(fork: Fork | None, row: LobbyRow, names: Names) -> ForkShown:
    """Encode a line of the tree for a response; `fork` is None for the root.

    A line is official unless superseded, if it is the root or continues by a ruling.
    """
    return ForkShown(
        line=row.match_id,
        parent=fork.parent if fork else None,
        version=fork.version if fork else 0,
        luck=fork.luck if fork else None,
        by=fork.by if fork else None,
        name=names[fork.by] if fork else None,
        at=fork.at if fork else row.opened_at,
        ruling=(fork.ruling or None) if fork else None,
        what_if=fork is not None and fork.dispute != "",
        status=row.status,
        entries=row.version,
        official=row.status != "superseded" and (fork is None or bool(fork.ruling)),
        scores=row.scores,
        ranking=row.ranking,
    )
