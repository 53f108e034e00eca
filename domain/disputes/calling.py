"""Calls for an arbiter in the store: each function composes one transaction."""

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
from domain.matches.forks.lineage import have_sat, official, root_of
from domain.matches.log.records import Stream
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.roles.commands import ARBITERS, acting_role, roles_in
from domain.roles.errors import RoleMissing
from domain.roles.state import Grant, with_openers


def calls_of(matches: MatchReader, match_id: UUID) -> Calls | None:
    """The calls about a match, whichever of its lines is named."""
    stream = matches.streams.find(CALLS, calls_stream(root_of(matches, matches.get(match_id))))
    return None if stream is None else stream.state


def call_arbiter(matches: MatchWriter, match_id: UUID, *, by: Actor, words: str, at: datetime) -> Stream[Calls]:
    """A player calls an arbiter to their table; the same call again is there."""
    stream_id = calls_stream(root_of(matches, matches.get(match_id)))

    def compose(batch: Transaction) -> Stream[Calls]:
        known = batch.find(CALLS, stream_id)
        if known is not None and known.state.newest.is_waiting and known.state.newest.by == by:
            return known
        calls = None if known is None else known.state
        return batch.record(CALLS, stream_id, call(official(batch, match_id), calls, by=by, words=words, at=at))

    return matches.transact(compose, at=at)


def withdraw_call(matches: MatchWriter, match_id: UUID, *, by: Actor, at: datetime) -> Stream[Calls]:
    """Whoever called takes the call back."""
    if by not in have_sat(matches, match_id):
        raise NotAParty(f"{by!r} does not play at the match {match_id}")
    stream_id = calls_stream(root_of(matches, matches.get(match_id)))

    def compose(batch: Transaction) -> Stream[Calls]:
        known = batch.find(CALLS, stream_id)
        return batch.record(CALLS, stream_id, withdraw(None if known is None else known.state, by))

    return matches.transact(compose, at=at)


def come(
    matches: MatchWriter, match_id: UUID, *, by: Actor, is_here: bool, at: datetime, openers: tuple[Grant, ...] = ()
) -> Stream[Calls]:
    """An official looks after the call, or has come to the table; another one may take it over."""

    def decide(calls: Calls | None) -> ArbiterComes | None:
        waiting = waiting_call(calls)
        told = (waiting.status, waiting.official)
        return None if told == ("here" if is_here else "looking", by) else ArbiterComes(by=by, is_here=is_here)

    return deal_with(matches, match_id, decide, by=by, at=at, openers=openers)


def answer_call(
    matches: MatchWriter, match_id: UUID, *, by: Actor, words: str, at: datetime, openers: tuple[Grant, ...] = ()
) -> Stream[Calls]:
    """An official has dealt with the call, with a word to the players."""

    def decide(calls: Calls | None) -> CallAnswered:
        waiting_call(calls)
        return CallAnswered(by=by, words=check_words(words))

    return deal_with(matches, match_id, decide, by=by, at=at, openers=openers)


def deal_with(
    matches: MatchWriter,
    match_id: UUID,
    decide: Callable[[Calls | None], ArbiterComes | CallAnswered | None],
    *,
    by: Actor,
    at: datetime,
    openers: tuple[Grant, ...],
) -> Stream[Calls]:
    """What an arbiter or organiser of the event who has not sat there does about its call."""
    stream_id = calls_stream(root_of(matches, matches.get(match_id)))

    def compose(batch: Transaction) -> Stream[Calls]:
        event = batch.match(match_id).table.event_id
        if acting_role(with_openers(roles_in(batch), openers), by, event, *ARBITERS, "organiser") is None:
            raise RoleMissing(f"{by!r} is no arbiter of this match")
        if by in have_sat(matches, match_id):
            raise ArbiterPlays(f"{by!r} plays at the match {match_id} and is no arbiter of it")
        known = batch.find(CALLS, stream_id)
        fact = decide(None if known is None else known.state)
        if fact is None:
            assert known is not None, "a call waits"
            return known
        return batch.record(CALLS, stream_id, fact)

    return matches.transact(compose, at=at)
