"""Queries on the log of a match for a reader: legal actions, redacted entries, owed decisions, replay bounds."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import msgspec

from api.http.etags import contains_tag, tag_of
from api.http.guards import Caller
from api.matches.callers import own_seat
from api.matches.guidance import actions_for
from api.matches.schemas import EntriesShown, LegalAction, LegalActions, OwedShown
from api.roles.conflicts import is_neutral, is_neutral_at
from api.roles.grants import has_role_in
from domain.eventstore.application import Matches
from domain.kernel.messages import Message, say
from domain.kernel.refusals import Refusal
from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.matches.aggregate import (
    Match,
    bot_seed,
    legal_actions,
    open_take_backs,
    require_running,
    seat_of,
    view,
)
from domain.matches.apply import apply, begin
from domain.matches.errors import NotAllowed
from domain.matches.facts import is_bot
from domain.matches.forks.lineage import list_past_players
from domain.matches.log.log_files import line_of
from domain.matches.play.foresight import FutureChoice, list_future_actions
from domain.roles.commands import roles_of
from projections.matches.service_decisions import actor_for, service_seats


def legal_actions_of(matches: Matches, match_id: UUID, caller: Caller) -> LegalActions:
    """Return the legal actions of the caller's seat; raise `NotSeated` or `NotHeld` without one."""
    match = matches.get(match_id)
    return legal_at(match, own_seat(match, caller))


def legal_at(match: Match, seat: int) -> LegalActions:
    """Return the legal actions of a seat, with descriptions in English, and the versions to which it may take back."""
    return LegalActions(
        match.id, match.version, match.head, seat, describe_legal(match, seat), open_take_backs(match, seat)
    )


def describe_legal(match: Match, seat: int, translate: Callable[[Message], str] = say) -> tuple[LegalAction, ...]:
    """Return the legal actions of a seat with descriptions, in English or translated by `translate`."""
    legal = legal_actions(match, seat)
    if not legal:
        return ()
    seat_view, describe = view(match, seat), match.definition.rules.describe
    return tuple(LegalAction(action, translate(describe(seat_view, action))) for action in legal)


def explain(matches: Matches, match_id: UUID, part: str, caller: Caller) -> tuple[Match, Refusal | None]:
    """Return the match, and why the caller's seat has no action at a part of the board; `None` if it has one.

    Raises `NotSeated` or `NotHeld` without a seat, and as `require_running` does unless the match is running.
    """
    match = matches.get(match_id)
    seat = Seat(own_seat(match, caller))
    require_running(match)
    assert match.state is not None, "a match that is played has begun"
    return match, match.definition.rules.why_not(match.state, seat, part)


def actions_ahead(matches: Matches, match_id: UUID, caller: Caller) -> tuple[Match, tuple[FutureChoice, ...]]:
    """Return the match, and the actions that the caller's seat can choose before its turn.

    Raises `NotSeated` or `NotHeld` without a seat.
    """
    match = matches.get(match_id)
    return match, list_future_actions(match, own_seat(match, caller))


def readable_until(matches: Matches, match_id: UUID, caller: Caller) -> int:
    """Return the last version that the caller may read.

    Until its replacement has ended, a superseded part is readable only by neutral arbiters who have not sat there.
    """
    visible, match = matches.lines.last_visible_version(match_id), matches.get(match_id)
    if visible == match.version or (
        caller.person is not None and caller.person.id in list_past_players(matches, match_id)
    ):
        return visible
    event = match.table.event_id
    is_arbiter = has_role_in(roles_of(matches), caller, "arbiter", event or None) and is_neutral(matches, event, caller)
    return match.version if is_arbiter else visible


def position_for(matches: Matches, match_id: UUID, version: int, caller: Caller) -> Match:
    """Return the match after an entry; raise `NoSuchEntry`, or `NotAllowed` if the caller may not read it yet.

    An entry from before a fork is returned with the id and the table options of the fork.
    """
    match = matches.at(match_id, version)
    if version > readable_until(matches, match_id, caller):
        raise NotAllowed(f"entry {version} was replaced; it can be read when the new line has ended")
    if match.id == match_id:
        return match
    # A fork is never rated, so entries shared with its parent are shown with the fork's table options.
    return replace(match, id=match_id, table=matches.get(match_id).table)


def entries_for(matches: Matches, match_id: UUID, caller: Caller, after: int, limit: int) -> EntriesShown:
    """Return at most `limit` entries after a version that the caller may read, redacted for the caller."""
    match = matches.get(match_id)
    end = readable_until(matches, match_id, caller)
    return read_entries(matches, match, seat_of(match, caller.person_id), after, limit, end)


def encode_entries_for(
    matches: Matches, match_id: UUID, caller: Caller, after: int, limit: int, if_none_match: str | None
) -> tuple[str, bytes | None]:
    """Return the entity tag and the encoded entries, or only the tag if it is among `if_none_match`.

    The tag depends only on values the reader may know: head, visible and closed versions.
    """
    match, end = matches.get(match_id), readable_until(matches, match_id, caller)
    seat, closed = seat_of(match, caller.person_id), matches.lines.last_closed_version(match_id)
    tag = tag_of("entries", str(match.id), match.head, seat, end, closed, after, limit)
    if contains_tag(tag, if_none_match):
        return tag, None
    return tag, msgspec.json.encode(read_entries(matches, match, seat, after, limit, end))


def entries_at(matches: Matches, match_id: UUID, seat: int | None, after: int, limit: int) -> EntriesShown:
    """Return at most `limit` entries after a version, redacted for a seat or for spectators (`None`).

    Superseded entries that are not public yet are left out.
    """
    return read_entries(
        matches, matches.get(match_id), seat, after, limit, matches.lines.last_visible_version(match_id)
    )


def read_entries(matches: Matches, match: Match, seat: int | None, after: int, limit: int, end: int) -> EntriesShown:
    """Return at most `limit` entries after `after` up to `end`, redacted for a seat or for spectators (`None`).

    `more` reports whether further entries up to `end` follow.
    """
    entries = matches.lines.read(match.id, seat, after, limit, last=end)
    last = entries[-1].version if entries else after
    encoded_lines = tuple(msgspec.Raw(msgspec.json.encode(line_of(entry))) for entry in entries)
    return EntriesShown(match.id, match.version, match.head, encoded_lines, more=last < end)


def read_owed(matches: Matches, match_id: UUID) -> OwedShown:
    """Return the first decision that the service owes, with everything a bot may know; no seat if none is owed."""
    return find_owed(matches.get(match_id))


def find_owed(match: Match) -> OwedShown:
    """Return the first decision that the service owes, for itself or a bot, with actions and view.

    Without a seat if none is owed. A bot's decision has a seed for its choice.
    """
    seat = next(iter(service_seats(match)), None)
    header = (match.id, match.title, match.version, match.head)
    if seat is None:
        return OwedShown(*header)
    by = actor_for(match, seat)
    seed = bot_seed(match, seat).hex() if is_bot(by) else None
    seat_view = view(match, seat if seat >= 0 else None)
    return OwedShown(*header, seat=seat, by=by, actions=actions_for(match, seat), view=seat_view, seed=seed)


class Bounds(msgspec.Struct, frozen=True):
    """The match, the last entry visible to the reader, and whether all secrets of its line are open."""

    match: Match
    last: int
    is_open: bool
    is_for_arbiters: bool
    """The reader is an arbiter who may fork the running match."""


def bounds_of(matches: Matches, match_id: UUID, caller: Caller) -> Bounds:
    """Return the bounds of a replay for the caller: its match, the last entry that they may read, and two flags.

    The flags are whether all secrets are open, and whether the caller is a neutral arbiter.
    """
    match, last = matches.get(match_id), readable_until(matches, match_id, caller)
    return Bounds(
        match, last, matches.lines.last_closed_version(match_id) == 0, is_neutral_arbiter(matches, match, caller)
    )


def is_neutral_arbiter(matches: Matches, match: Match, caller: Caller) -> bool:
    """Return whether the caller is an arbiter who has sat at no line of the match and does not play in its event."""
    if caller.person is None or not has_role_in(roles_of(matches), caller, "arbiter", match.table.event_id or None):
        return False
    return is_neutral_at(matches, match.id, caller)


def scores_through(matches: Matches, match_id: UUID) -> list[tuple[int, ...]]:
    """Return the points of the seats after each entry, secret ones included; an empty tuple before the start."""
    found = list[tuple[int, ...]]()
    match: Match | None = None
    for entry in matches.entries(match_id):
        match = begin(matches.titles, entry) if match is None else apply(match, entry)
        found.append(() if match.state is None else match.definition.rules.scores(match.state))
    return found
