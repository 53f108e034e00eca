"""Commands about calls for an arbiter, each one transaction."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from domain.disputes.calls import (
    CALLS,
    ArbiterComes,
    CallAnswered,
    Calls,
    call,
    calls_stream,
    check_words,
    waiting_call,
    withdraw,
)
from domain.disputes.errors import ArbiterPlays, NotAParty
from domain.matches.facts import Actor
from domain.matches.forks.lineage import list_past_players, read_official_line, root_of
from domain.matches.log.records import Stream
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.roles.commands import ARBITERS, acting_role, roles_in
from domain.roles.errors import RoleMissing
from domain.roles.state import Grant, with_openers


def calls_of(matches: MatchReader, match_id: UUID) -> Calls | None:
    """Return the calls about a match, named by any of its lines; None if there were none."""
    stream = matches.streams.find(CALLS, calls_stream(root_of(matches, matches.get(match_id))))
    return None if stream is None else stream.state


def call_arbiter(matches: MatchWriter, match_id: UUID, *, by: Actor, words: str, at: datetime) -> Stream[Calls]:
    """Call an arbiter to a player's table; a call by the same player that still waits is returned.

    Raise `NotAParty` if `by` has no seat there, and `CallRefused` if no call is possible now (see `call`).
    """
    stream_id = calls_stream(root_of(matches, matches.get(match_id)))

    def compose(batch: Transaction) -> Stream[Calls]:
        stream = batch.find(CALLS, stream_id)
        if stream is not None and stream.state.newest.is_waiting and stream.state.newest.by == by:
            return stream
        calls = None if stream is None else stream.state
        return batch.record(
            CALLS, stream_id, call(read_official_line(batch, match_id), calls, by=by, words=words, at=at)
        )

    return matches.transact(compose, at=at)


def withdraw_call(matches: MatchWriter, match_id: UUID, *, by: Actor, at: datetime) -> Stream[Calls]:
    """Withdraw the call that waits; raise `NotAParty` unless `by` made it, and `CallRefused` if none waits."""
    if by not in list_past_players(matches, match_id):
        raise NotAParty(f"{by!r} does not play in the match {match_id}")
    stream_id = calls_stream(root_of(matches, matches.get(match_id)))

    def compose(batch: Transaction) -> Stream[Calls]:
        stream = batch.find(CALLS, stream_id)
        return batch.record(CALLS, stream_id, withdraw(None if stream is None else stream.state, by))

    return matches.transact(compose, at=at)


def attend_call(
    matches: MatchWriter, match_id: UUID, *, by: Actor, is_here: bool, at: datetime, openers: tuple[Grant, ...] = ()
) -> Stream[Calls]:
    """Record that an official handles a call, or (`is_here`) is at the table; another official may take over.

    Nothing is recorded if that is known already. Raise `CallRefused` if no call waits, `RoleMissing` unless
    `by` is an official there, and `ArbiterPlays` if they have sat at the match.
    """

    def decide(calls: Calls | None) -> ArbiterComes | None:
        open_call = waiting_call(calls)
        progress = (open_call.status, open_call.official)
        return None if progress == ("here" if is_here else "looking", by) else ArbiterComes(by=by, is_here=is_here)

    return handle_call(matches, match_id, decide, by=by, at=at, openers=openers)


def answer_call(
    matches: MatchWriter, match_id: UUID, *, by: Actor, words: str, at: datetime, openers: tuple[Grant, ...] = ()
) -> Stream[Calls]:
    """Close a call with an answer to the players; raise `CallRefused` if none waits or the answer is too long.

    Raise `RoleMissing` unless `by` is an official there, and `ArbiterPlays` if they have sat at the match.
    """

    def decide(calls: Calls | None) -> CallAnswered:
        waiting_call(calls)
        return CallAnswered(by=by, words=check_words(words))

    return handle_call(matches, match_id, decide, by=by, at=at, openers=openers)


def handle_call(
    matches: MatchWriter,
    match_id: UUID,
    decide: Callable[[Calls | None], ArbiterComes | CallAnswered | None],
    *,
    by: Actor,
    at: datetime,
    openers: tuple[Grant, ...],
) -> Stream[Calls]:
    """Record an official's step on a call; if `decide` returns None, nothing is recorded.

    Raise `RoleMissing` unless they are an arbiter, head arbiter or organiser there, `openers` included, and
    `ArbiterPlays` if they have sat at any line of the match.
    """
    stream_id = calls_stream(root_of(matches, matches.get(match_id)))

    def compose(batch: Transaction) -> Stream[Calls]:
        event = batch.match(match_id).table.event_id
        if acting_role(with_openers(roles_in(batch), openers), by, event, *ARBITERS, "organiser") is None:
            raise RoleMissing(f"{by!r} is not an arbiter of this match")
        if by in list_past_players(matches, match_id):
            raise ArbiterPlays(f"{by!r} plays in the match {match_id} and cannot be its arbiter")
        stream = batch.find(CALLS, stream_id)
        fact = decide(None if stream is None else stream.state)
        if fact is None:
            assert stream is not None, "a call waits"
            return stream
        return batch.record(CALLS, stream_id, fact)

    return matches.transact(compose, at=at)
