"""Access to hidden information of a running match outside its dispute, recorded in the audit trail.

What-ifs use information that their match hides, and a replaced part shows cards that seats still hold. Making a what-if
records its maker's access already.
"""

from datetime import datetime
from uuid import UUID

from domain.disputes.commands import DESK
from domain.matches.aggregate import Match
from domain.matches.facts import Actor
from domain.matches.forks.lineage import have_sat, tried_out
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.roles.audit import HiddenSeen
from domain.roles.commands import ARBITERS, acting_role, keep_in_trail, roles_of
from domain.roles.state import Role


def is_look(matches: MatchReader, line: UUID, by: Actor) -> bool:
    """Return whether a reader of this line learns information that a running match hides."""
    match = matches.get(line)
    if match.docket.dispute:
        return match.opened_by != by and matches.lines.closed_until(tried_out(matches, match).id) > 0
    return matches.lines.visible_until(line) < match.version and by not in have_sat(matches, line)


def keep_look(matches: MatchWriter, line: UUID, *, by: Actor, at: datetime) -> None:
    """Record an arbiter's access to hidden information; call it before showing the line."""

    def compose(batch: Transaction) -> None:
        match = batch.match(line)
        role = acting_role(roles_of(matches), by, match.table.event_id, *ARBITERS)
        if role is not None and is_look(matches, line, by):
            keep_in_trail(batch, seen_of(match, by, role))

    matches.transact(compose, at=at)


def seen_of(match: Match, by: Actor, role: Role) -> HiddenSeen:
    """Return the audit record naming the match and entry whose hidden information a line shows."""
    event, dispute = match.table.event_id, match.docket.dispute
    if dispute and match.origin is not None:
        origin, why, about = match.origin, f"the what-if {match.id}", None if dispute == DESK else UUID(dispute)
        seen, version = origin.match_id, origin.version
        return HiddenSeen(by=by, role=role, event=event, match=seen, version=version, why=why, dispute=about)
    why = "the part that was replaced"
    return HiddenSeen(by=by, role=role, event=event, match=match.id, version=match.version, why=why)
