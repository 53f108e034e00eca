"""What a reader may know of a match's log: legal actions of the own seat, entries redacted for the reader."""

from __future__ import annotations

from uuid import UUID

import msgspec

from api.commands import own_seat
from api.guards import Caller
from api.schemas import EntriesShown, LegalAction, LegalActions
from api.tables import seat_of_caller
from domain.kernel.messages import say
from domain.match.aggregate import Match, legal_actions, view
from domain.match.application import Matches
from domain.match.file import line_of


def legal_actions_of(matches: Matches, match_id: UUID, caller: Caller) -> LegalActions:
    """What the caller's seat may do now."""
    match = matches.get(match_id)
    seat = own_seat(match, caller)
    return LegalActions(match.id, match.version, match.head, seat, described(match, seat))


def described(match: Match, seat: int) -> tuple[LegalAction, ...]:
    """The legal actions of a seat with their sentences."""
    legal = legal_actions(match, seat)
    if not legal:
        return ()
    seen, describe = view(match, seat), match.game.rules.describe
    return tuple(LegalAction(action, say(describe(seen, action))) for action in legal)


def entries_for(matches: Matches, match_id: UUID, caller: Caller, after: int, limit: int) -> EntriesShown:
    """The next entries after a version, as the caller may hold them."""
    match = matches.get(match_id)
    entries = matches.read(match_id, seat_of_caller(match, caller), after, limit)
    last = entries[-1].version if entries else after
    lines = tuple(msgspec.Raw(msgspec.json.encode(line_of(entry))) for entry in entries)
    return EntriesShown(match.id, match.version, match.head, lines, more=last < match.version)
