"""Commands of players and arbiters about disputes, each one transaction."""

from datetime import datetime
from typing import Final
from uuid import UUID

from domain.disputes.committee import seat_committee
from domain.disputes.errors import ArbiterPlays, NotAParty
from domain.disputes.facts import ArbiterAssigned, WhatIfMade
from domain.disputes.state import (
    DISPUTE,
    DOCKET,
    Dispute,
    DisputeDocket,
    DisputeDone,
    DisputeListed,
    appeal,
    check_no_committee,
    check_waiting,
    docket_stream,
    raise_dispute,
    withdraw,
)
from domain.disputes.timing import check_in_time
from domain.matches.aggregate import Match
from domain.matches.entropy import server_seed
from domain.matches.errors import ForkRefused
from domain.matches.facts import SERVICE, Actor
from domain.matches.forks import forking
from domain.matches.forks.lineage import list_past_players, read_official_line, root_of
from domain.matches.log.records import Stream
from domain.matches.play import commands
from domain.matches.play.pauses import PAUSE_LIMIT_FORMAT
from domain.matches.rulings.orders import StreamHead
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.roles.audit import DisputeTaken, HiddenSeen, RunningForked
from domain.roles.commands import ARBITERS, HEADS, acting_role, append_to_trail, roles_in, roles_of
from domain.roles.errors import RoleMissing
from domain.roles.state import Role

DisputeStream = Stream[Dispute]
WITHOUT_DISPUTE: Final = "desk"
"""The dispute id of a what-if that an arbiter made without a dispute."""


# Players.


def open_dispute(
    matches: MatchWriter,
    dispute_id: UUID,
    match_id: UUID,
    *,
    entry: int,
    by: Actor,
    reason: str,
    at: datetime,
    players: frozenset[Actor],
) -> DisputeStream:
    """Raise a dispute, or return the known dispute of that id; the match pauses if its table has that option.

    Only a player's first dispute about the match pauses it, see `may_stop`. `players`: players of the event,
    who judge nothing there. Raise `NotAParty` or `DisputeRefused` as `raise_dispute`.
    """
    root = root_of(matches, matches.get(match_id))

    def compose(batch: Transaction) -> DisputeStream:
        existing = batch.find(DISPUTE, dispute_id)
        if existing is not None:
            return existing
        match, docket = batch.match(match_id), batch.find(DOCKET, docket_stream(root))
        docket_state = DisputeDocket() if docket is None else docket.state
        fact = raise_dispute(match, root, docket_state, entry=entry, by=by, reason=reason)
        head = StreamHead(match.id, entry, matches.at(match.id, entry).head_digest, is_elsewhere=True)
        fact = batch.sign_official_order(fact, head, tuple(each.key for each in match.seats[fact.seat].keys))
        add_to_docket(batch, root, match, dispute_id, by, may_stop=may_stop(matches, batch, match, players))
        return batch.record(DISPUTE, dispute_id, fact, as_order=False)

    return matches.transact(compose, at=at)


def add_to_docket(batch: Transaction, root: UUID, match: Match, dispute_id: UUID, by: Actor, *, may_stop: bool) -> None:
    """Put a dispute on the docket; pause the match if allowed and if it is the person's first dispute."""
    docket = batch.record(DOCKET, docket_stream(root), DisputeListed(dispute_id, by)).state
    if docket.waiting[-1].stops and may_stop:
        pause_for_dispute(batch, match, dispute_id)


def may_stop(
    matches: MatchReader, batch: Transaction, match: Match, players: frozenset[Actor], dispute: Dispute | None = None
) -> bool:
    """Return whether a dispute may stop a match: at rated and event tables only if an official may rule on it.

    Matches of formats before `PAUSE_LIMIT_FORMAT` always may. The officials are arbiters, for an appeal head
    arbiters or the committee that hears it, without players of the event (`players`) and people who have sat at any
    line of the match. `dispute`: None while it is raised.
    """
    if match.format < PAUSE_LIMIT_FORMAT or not match.table.counts:
        return True
    roles, hearing = roles_in(batch), None if dispute is None else dispute.hearing
    is_head = dispute is not None and dispute.status == "appealed" and hearing is None
    people = {grant.person for grant in roles.grants} if hearing is None else {*hearing.members}
    # The official line may have just begun by a ruling; the line of the dispute is in the store.
    line_id = match.id if dispute is None else dispute.line
    excluded = players | list_past_players(matches, line_id) | {*match.docket.sat}
    role_names = HEADS if is_head else ARBITERS
    return any(acting_role(roles, each, match.table.event_id, *role_names) for each in people - excluded)


def pause_for_dispute(batch: Transaction, match: Match, dispute_id: UUID) -> None:
    """Pause the match for a dispute if its table has that option and no other dispute pauses it.

    Only running and paused matches are paused.
    """
    going_on = match.status in ("running", "paused") and not match.docket.held_by
    if match.table.pause_on_dispute is True and going_on:
        batch.append(match.id, lambda match: commands.pause(match, SERVICE, str(dispute_id)))


def leave_docket(
    matches: MatchReader,
    batch: Transaction,
    dispute: Dispute,
    dispute_id: UUID,
    players: frozenset[Actor],
    *,
    withdrawn: bool = False,
) -> None:
    """Take a dispute off the docket, resume the match that it paused, then pause it for the next dispute, if any.

    If the dispute is withdrawn, the pause is charged to the clock of the seat that raised it. A dispute for
    which the match was paused before does not pause it again.
    """
    docket = batch.record(DOCKET, docket_stream(dispute.match), DisputeDone(dispute_id)).state
    match = read_official_line(batch, dispute.line)
    if match.docket.held_by == str(dispute_id):
        charged_seat = dispute.seat if withdrawn and match.docket.held_since is not None else None
        match = batch.append(match.id, lambda match: commands.resume(match, SERVICE, charged_seat))
    next_listed = next((each for each in docket.waiting if each.stops), None)
    # A pause that has run out does not begin again, else disputes raised and withdrawn would prolong it.
    if next_listed is None or str(next_listed.dispute) in match.docket.paused_for:
        return
    if may_stop(matches, batch, match, players, batch.get(DISPUTE, next_listed.dispute).state):
        pause_for_dispute(batch, match, next_listed.dispute)


def withdraw_dispute(
    matches: MatchWriter, dispute_id: UUID, *, by: Actor, at: datetime, players: frozenset[Actor]
) -> DisputeStream:
    """Withdraw a dispute; raise `NotAParty` unless `by` raised it, and `DisputeSettled` after a ruling.

    The dispute leaves the docket, which may resume the match. `players` as for `open_dispute`.
    """

    def compose(batch: Transaction) -> DisputeStream:
        dispute = batch.get(DISPUTE, dispute_id).state
        stream = batch.record(DISPUTE, dispute_id, withdraw(dispute, by))
        leave_docket(matches, batch, dispute, dispute_id, players, withdrawn=True)
        return stream

    return matches.transact(compose, at=at)


def appeal_ruling(
    matches: MatchWriter,
    dispute_id: UUID,
    *,
    by: Actor,
    reason: str,
    at: datetime,
    players: frozenset[Actor] = frozenset(),
) -> DisputeStream:
    """Appeal a ruling, to a head arbiter or the committee of the event; the match may pause as for a dispute.

    Raise `NotAParty` if `by` has no seat, `AppealRefused` without a ruling, after an appeal or too late, and
    `DisputeRefused` for a bad reason. `players`: players of the event, who judge nothing there.
    """

    def compose(batch: Transaction) -> DisputeStream:
        dispute = batch.get(DISPUTE, dispute_id).state
        match = read_official_line(batch, dispute.line)
        fact = appeal(dispute, match, by, reason)
        check_in_time(dispute, match, at)
        stream = batch.record(DISPUTE, dispute_id, fact)
        stream = seat_committee(matches, batch, stream, players)
        can_stop = may_stop(matches, batch, match, players, stream.state)
        add_to_docket(batch, dispute.match, match, dispute_id, by, may_stop=can_stop)
        return stream

    return matches.transact(compose, at=at)


# Arbiters.


def official_role(matches: MatchReader, dispute: Dispute, match: Match, by: Actor) -> Role:
    """Return the role by which a person may be an arbiter of a dispute; appeals need a head arbiter.

    If a committee hears the appeal, only its chair must be a head arbiter. Raise `RoleMissing` without such a role, and
    `ArbiterPlays` if the person has sat at the match.
    """
    hearing = dispute.hearing if dispute.is_waiting else None
    is_head = dispute.status == "appealed" and (hearing is None or hearing.chair == by)
    role_names = HEADS if is_head else ("arbiter", *HEADS)
    role = acting_role(roles_of(matches), by, dispute.event, *role_names)
    if role is None:
        raise RoleMissing(f"{by!r} is not {'a head arbiter' if is_head else 'an arbiter'} of this match")
    if by in list_past_players(matches, dispute.line):
        raise ArbiterPlays(f"{by!r} plays in the match {match.id} and cannot be its arbiter")
    return role


def arbiter_role(matches: MatchReader, dispute: Dispute, match: Match, by: Actor) -> Role:
    """Return the role by which a person decides a dispute, alone or as a member of the committee that hears the appeal.

    Raise `RoleMissing` or `ArbiterPlays` as `official_role`, and `NotAParty` if a committee without them hears the
    appeal.
    """
    role = official_role(matches, dispute, match, by)
    if dispute.is_waiting and dispute.hearing is not None and by not in dispute.hearing.members:
        raise NotAParty("only members of its committee can decide the appeal")
    return role


def sole_arbiter_role(matches: MatchReader, dispute: Dispute, match: Match, by: Actor) -> Role:
    """Return the role by which a person decides a dispute alone.

    Raise `RoleMissing` or `ArbiterPlays` as `official_role`, and `AppealRefused` if a committee hears the appeal.
    """
    role = official_role(matches, dispute, match, by)
    check_no_committee(dispute)
    return role


def assign(matches: MatchWriter, dispute_id: UUID, *, by: Actor, at: datetime) -> DisputeStream:
    """Assign the dispute to an arbiter and, if its table has that option, pause the match for it.

    It need not be the first dispute of its player. Record it in the audit trail; nothing happens if they have it
    already. Raise `RoleMissing` or `ArbiterPlays` if they may not rule, `DisputeSettled` unless a ruling is due,
    and `AppealRefused` if a committee hears it.
    """

    def compose(batch: Transaction) -> DisputeStream:
        stream = batch.get(DISPUTE, dispute_id)
        dispute, match = stream.state, read_official_line(batch, stream.state.line)
        role = sole_arbiter_role(matches, dispute, match, by)
        check_waiting(dispute)
        if dispute.arbiter == by:
            return stream
        append_to_trail(batch, DisputeTaken(by=by, role=role, event=dispute.event, match=match.id, dispute=dispute_id))
        pause_for_dispute(batch, match, dispute_id)
        return batch.record(DISPUTE, dispute_id, ArbiterAssigned(by=by))

    return matches.transact(compose, at=at)


def see_hidden(matches: MatchWriter, dispute_id: UUID, *, by: Actor, entry: int, at: datetime) -> DisputeStream:
    """Give an arbiter access to hidden information; if the match hides any, record it in the audit trail first.

    Return the unchanged dispute. Raise `RoleMissing`, `ArbiterPlays` or `NotAParty` if they may not rule on it.
    """

    def compose(batch: Transaction) -> DisputeStream:
        stream = batch.get(DISPUTE, dispute_id)
        dispute, match = stream.state, read_official_line(batch, stream.state.line)
        role = arbiter_role(matches, dispute, match, by)
        if matches.lines.last_closed_version(dispute.line):
            why = f"the dispute about entry {dispute.entry}"
            append_to_trail(
                batch,
                HiddenSeen(
                    by=by,
                    role=role,
                    event=dispute.event,
                    match=dispute.line,
                    version=entry,
                    why=why,
                    dispute=dispute_id,
                ),
            )
        return stream

    return matches.transact(compose, at=at)


def what_if(
    matches: MatchWriter,
    dispute_id: UUID,
    *,
    new_line: UUID,
    entry: int,
    by: Actor,
    seats: tuple[Actor | None, ...],
    at: datetime,
) -> Match:
    """Fork a what-if for the arbiters of a dispute, with fresh luck, recorded in the audit trail.

    A known `new_line` is returned. Raise `RoleMissing`, `ArbiterPlays` or `NotAParty` if `by` may not rule on the
    dispute, `DisputeSettled` unless a ruling is due, `ForkRefused` if the entry cannot be forked or a seat is for a
    person other than the arbiter, and the errors of `fork` for other bad seats.
    """
    seed = server_seed(matches.entropy, new_line)

    def compose(batch: Transaction) -> Match:
        dispute = batch.get(DISPUTE, dispute_id).state
        match = read_official_line(batch, dispute.line)
        role = arbiter_role(matches, dispute, match, by)
        if matches.lines.has(new_line):
            return batch.match(new_line)
        check_waiting(dispute)
        base = matches.at(dispute.line, entry)
        forking.check_forkable(base, entry)
        if any(actor is not None and not actor.startswith("bot:") and actor != by for actor in seats):
            raise ForkRefused("only bots and the arbiter can play in a what-if")
        fact = forking.fork(
            base, luck="fresh", by=by, seats=seats, seed=seed, parent_is_over=False, dispute=str(dispute_id)
        )
        what_if_match = batch.fork(base, fact, new_line)
        batch.record(DISPUTE, dispute_id, WhatIfMade(by=by, line=new_line, entry=entry))
        used = RunningForked(
            by=by, role=role, event=dispute.event, match=base.id, version=entry, line=new_line, dispute=dispute_id
        )
        append_to_trail(batch, used)
        return what_if_match

    return matches.transact(compose, at=at)


def fork_running(
    matches: MatchWriter,
    parent_id: UUID,
    *,
    new_line: UUID,
    entry: int,
    by: Actor,
    role: Role,
    seats: tuple[Actor | None, ...] | None,
    at: datetime,
) -> Match:
    """Fork a running match for an arbiter without a dispute, with fresh luck, recorded in the audit trail.

    A known `new_line` is returned. Raise `ArbiterPlays` if they have sat there, and `ForkRefused` if the entry
    does not exist or cannot be forked. The caller checks the role.
    """
    seed = server_seed(matches.entropy, new_line)

    def compose(batch: Transaction) -> Match:
        if by in list_past_players(matches, parent_id):
            raise ArbiterPlays(f"{by!r} plays in the match {parent_id} and cannot see its hidden information")
        if matches.lines.has(new_line):
            return batch.match(new_line)
        if not 1 <= entry <= batch.match(parent_id).version:
            raise ForkRefused(f"match {parent_id} has no entry {entry}")
        base = matches.at(parent_id, entry)
        forking.check_forkable(base, entry)
        fact = forking.fork(
            base, luck="fresh", by=by, seats=seats, seed=seed, parent_is_over=False, dispute=WITHOUT_DISPUTE
        )
        append_to_trail(
            batch,
            RunningForked(by=by, role=role, event=base.table.event_id, match=base.id, version=entry, line=new_line),
        )
        return batch.fork(base, fact, new_line)

    return matches.transact(compose, at=at)
