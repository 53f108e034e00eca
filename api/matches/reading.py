"""What a reader may know of a match's log: legal actions of the own seat, entries redacted for the reader."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import msgspec

from api.matches.commands import own_seat
from api.matches.service import seat_of_caller
from api.matches.wire import EntriesShown, LegalAction, LegalActions
from api.roles.service import holds_in
from api.web.guards import Caller
from domain.kernel.messages import Message, say
from domain.kernel.values import replace
from domain.matches.aggregate import Match, legal_actions, view
from domain.matches.application import Matches
from domain.matches.errors import NotAllowed
from domain.matches.file import line_of
from domain.matches.lineage import have_sat
from domain.roles import commands


def legal_actions_of(matches: Matches, match_id: UUID, caller: Caller) -> LegalActions:
    """What the caller's seat may do now."""
    match = matches.get(match_id)
    seat = own_seat(match, caller)
    return LegalActions(match.id, match.version, match.head, seat, describe_legal(match, seat))


def describe_legal(match: Match, seat: int, said: Callable[[Message], str] = say) -> tuple[LegalAction, ...]:
    """The legal actions of a seat with their sentences, in English or as the reader wants them said."""
    legal = legal_actions(match, seat)
    if not legal:
        return ()
    seen, describe = view(match, seat), match.definition.rules.describe
    return tuple(LegalAction(action, said(describe(seen, action))) for action in legal)


def readable_until(matches: Matches, match_id: UUID, caller: Caller) -> int:
    """The last entry the caller may read: of a part that was replaced, before its replacement has ended, arbiters alone
    read it, unless they have sat there."""
    visible, match = matches.lines.visible_until(match_id), matches.get(match_id)
    if visible == match.version or (caller.person is not None and caller.person.id in have_sat(matches, match_id)):
        return visible
    is_arbiter = holds_in(commands.roles_of(matches), caller, "arbiter", match.table.event_id or None)
    return match.version if is_arbiter else visible


def position_for(matches: Matches, match_id: UUID, version: int, caller: Caller) -> Match:
    """The match after an entry; of a part that was replaced, only for arbiters until its replacement has ended."""
    match = matches.at(match_id, version)
    if version > readable_until(matches, match_id, caller):
        raise NotAllowed(f"entry {version} was replaced; it can be read when the line in its place has ended")
    if match.id == match_id:
        return match
    # Of what a fork shares with its parent, the fork shows its own terms: it is never rated, whatever the parent is.
    return replace(match, id=match_id, table=matches.get(match_id).table)


def entries_for(matches: Matches, match_id: UUID, caller: Caller, after: int, limit: int) -> EntriesShown:
    """The next entries after a version, as the caller may hold them."""
    match = matches.get(match_id)
    end = readable_until(matches, match_id, caller)
    entries = matches.lines.read(match_id, seat_of_caller(match, caller), after, limit, last=end)
    last = entries[-1].version if entries else after
    lines = tuple(msgspec.Raw(msgspec.json.encode(line_of(entry))) for entry in entries)
    return EntriesShown(match.id, match.version, match.head, lines, more=last < end)
