"""Access to hidden information of a running match outside its dispute, recorded in the audit trail.

What-ifs use information that their match hides, and a replaced part shows cards that seats still hold. Making a what-if
records its maker's access already.
"""

from datetime import datetime
from uuid import UUID

from domain.disputes.commands import WITHOUT_DISPUTE
from domain.matches.aggregate import Match
from domain.matches.facts import Actor
from domain.matches.forks.lineage import list_past_players, resolve_what_if
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.roles.audit import HiddenSeen
from domain.roles.commands import ARBITERS, acting_role, append_to_trail, roles_of
from domain.roles.state import Role


def reveals_hidden(matches: MatchReader, line_id: UUID, by: Actor) -> bool:
    """Return whether a reader of this line learns information that a running match hides.

    Never for the opener of a what-if, and on other lines never for anyone who has sat at the match.
    """
    match = matches.get(line_id)
    if match.docket.dispute:
        return match.opened_by != by and matches.lines.last_closed_version(resolve_what_if(matches, match).id) > 0
    return matches.lines.last_visible_version(line_id) < match.version and by not in list_past_players(matches, line_id)


def record_hidden_access(matches: MatchWriter, line_id: UUID, *, by: Actor, at: datetime) -> None:
    """Record an arbiter's access to hidden information in the audit trail; call it before showing the line.

    Nothing is recorded for others, or if the line reveals nothing hidden to them.
    """

    def compose(batch: Transaction) -> None:
        match = batch.match(line_id)
        role = acting_role(roles_of(matches), by, match.table.event_id, *ARBITERS)
        if role is not None and reveals_hidden(matches, line_id, by):
            append_to_trail(batch, hidden_access_record(match, by, role))

    matches.transact(compose, at=at)


def hidden_access_record(match: Match, by: Actor, role: Role) -> HiddenSeen:
    """Return the audit record naming the match and entry whose hidden information a line shows.

    For a what-if this is the forked match and entry, with its dispute if it has one; else the line itself.
    """
    event, dispute = match.table.event_id, match.docket.dispute
    if dispute and match.origin is not None:
        origin, why, about = (
            match.origin,
            f"the what-if {match.id}",
            None if dispute == WITHOUT_DISPUTE else UUID(dispute),
        )
        origin_id, version = origin.match_id, origin.version
        return HiddenSeen(by=by, role=role, event=event, match=origin_id, version=version, why=why, dispute=about)
    why = "the part that was replaced"
    return HiddenSeen(by=by, role=role, event=event, match=match.id, version=match.version, why=why)
