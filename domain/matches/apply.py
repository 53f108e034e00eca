"""The fold: apply facts, entry by entry, without repeating any decision."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec

from domain.kernel.bounds import check_bounds
from domain.kernel.settle import position_after
from domain.kernel.title import AnyTitle, Titles, title_at
from domain.kernel.values import replace
from domain.matches.aggregate import (
    RULED_ON,
    Handover,
    Match,
    Origin,
    Result,
    SeatInfo,
    Starter,
    TakeBackPosition,
    Turn,
    pause_is_agreed,
)
from domain.matches.errors import LogFault
from domain.matches.facts import (
    SERVICE,
    ActionTaken,
    Actor,
    Fact,
    KeyNamed,
    MatchEnded,
    MatchForked,
    MatchOpened,
    MatchStarted,
    PauseAsked,
    Paused,
    Resigned,
    Resumed,
    RulingGiven,
    SeatLeft,
    SeatReady,
    SeatReplaced,
    SeatTaken,
    ShareCommitted,
    SigningStopped,
    TableClosed,
    TableReopened,
    TakenBack,
    TimedOut,
    Voided,
    is_bot,
)
from domain.matches.log.entries import Entry, digest, microseconds, peek_fact_type
from domain.matches.play.absences import AbsenceAnnounced, AbsenceEnded, end_absences
from domain.matches.play.clocks import update_clocks
from domain.matches.play.pauses import pause_length
from domain.matches.play.turns import absence_announced, absence_ended, marks_after, taken_back
from domain.matches.rulings.measures import LineResumed
from domain.matches.rulings.ruling import find_set_result, is_voided
from domain.matches.seats.luck_shares import luck_key
from domain.matches.seats.seat_changes import (
    add_past_player,
    awaiting_share,
    key_named,
    seat_left,
    seat_ready,
    seat_taken,
    seat_with_fresh_luck,
    secret_bytes,
    set_seat,
    share_committed,
    signing_stopped,
    table_closed,
    table_reopened,
)
from domain.matches.seats.starters import (
    note_action,
    note_leaving,
    note_replacement,
    note_resignation,
    seats_given_up,
    standing_at,
)
from domain.matches.seats.taken_seats import is_explained
from domain.matches.titles import find_title, read_fact

SEATS_MAX: Final = 20
"""Maximum number of seats, above every title."""


def evolve_all(title: AnyTitle, state: object, effects: tuple[Any, ...]) -> Any:
    """Return the state after effects, from the cache if they were settled just before."""
    return position_after(effects, state, title.rules.evolve)


def match_opened(title: AnyTitle, entry: Entry, fact: MatchOpened) -> Match:
    """Create an open match with free seats from its first entry; raise `ValueError` for more than `SEATS_MAX` seats."""
    return Match(
        id=entry.originator_id,
        definition=title_at(title, fact.rules_version),
        version=entry.version,
        timestamp=entry.timestamp,
        head_digest=digest(entry),
        opened_by=fact.by,
        rules_version=fact.rules_version,
        data_digest=fact.data,
        options=fact.options,
        table=fact.table,
        seats=(SeatInfo(),) * check_bounds("the seats", fact.seats, SEATS_MAX),
        seed=secret_bytes(fact.seed),
        luck_id=entry.originator_id,
        format=fact.format,
        house=fact.house,
        paired=fact.paired,
        action_counts=(0,) * fact.seats,
    )


def match_started(match: Match, entry: Entry, fact: MatchStarted[Any]) -> Match:
    """Set the match running with the title's initial state, and note its starters.

    The table becomes public if that is due at the start.
    """
    return replace(
        match,
        status="running",
        key=luck_key(match),
        state=evolve_all(match.definition, None, fact.effects),
        started_version=entry.version,
        starters=tuple(
            Starter(info.actor, standing_at(fact, seat), awaited=info.awaited) for seat, info in enumerate(match.seats)
        ),
        table=replace(match.table, public=True) if match.table.public_once_started is True else match.table,
    )


def action_taken(match: Match, entry: Entry, fact: ActionTaken[Any, Any]) -> Match:
    """Apply the effects, count the action, and update the starters and the positions that the seat may take back to.

    An action that the service took for the seat makes the positions before it final.
    """
    version = entry.originator_version
    state, seat, counts = evolve_all(match.definition, match.state, fact.effects), fact.seat, match.action_counts
    if seat >= 0:
        counts = (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :])
    turn = match.turn
    if turn.seat != seat:
        turn = Turn(seat, (TakeBackPosition(match.version, match.state),))
    marks = marks_after(match, turn.marks, entry, fact, state)
    starters = note_action(match, fact)
    final = version if fact.by == SERVICE else turn.final_version
    turn = Turn(seat, marks, turn.taken_back_count, final)
    return replace(match, state=state, action_counts=counts, turn=turn, starters=starters)


def resigned(match: Match, entry: Entry, fact: Resigned) -> Match:
    """Mark the seat as resigned and given up; this ends its current absence and the turn.

    A waiting fork no longer waits for its share of luck.
    """
    info = replace(match.seats[fact.seat], resigned=True)
    if match.status == "waiting":
        info = seat_with_fresh_luck(info, is_awaited=False)
    return replace(
        match,
        seats=set_seat(match, fact.seat, info),
        starters=note_resignation(match, fact),
        resigned=(*match.resigned, fact.seat),
        gave_up=(*match.gave_up, fact.seat),
        absences=end_absences(match.absences, microseconds(entry.timestamp), fact.seat),
        turn=Turn(),
    )


def seat_replaced(match: Match, entry: Entry, fact: SeatReplaced) -> Match:
    """Give the seat to another player with their keys; before the start they must get ready again.

    Before the start, an entrant whose seat goes to a bot is noted as absent. After it, the handover is recorded and the
    absence of the seat ends.
    """
    info, is_open = match.seats[fact.seat], match.status == "open"
    # Once a substitute has played, the result belongs to both players for good.
    stands_in_for = fact.stands_in_for or ("" if is_open else info.stands_in_for)
    info = replace(info, actor=fact.actor, stands_in_for=stands_in_for, keys=fact.keys, stopped_signing=False)
    if is_open:
        info = replace(info, ready=False) if match.format == 1 else awaiting_share(info, match.closed)
    elif match.status == "waiting":
        info = seat_with_fresh_luck(info, is_awaited=info.is_person)
    docket, former = add_past_player(match.docket, fact.actor), match.seats[fact.seat]
    after = replace(match, seats=set_seat(match, fact.seat, info), turn=Turn(), docket=docket)
    if not is_explained(match, fact):
        after = replace(after, taken_over=(*match.taken_over, entry.version))
    if is_open and info.is_person and match.table.wait_seconds is not msgspec.UNSET:
        # The new player gets the full waiting time.
        after = replace(after, full_since=entry.timestamp)
    if is_open:
        is_absent = is_bot(fact.actor) and former.is_person and former.stands_in_for == "" and former.actor is not None
        return replace(after, absent=(*match.absent, former.actor)) if is_absent else after
    gave_up = seats_given_up(match, fact)
    after = replace(after, absences=end_absences(match.absences, microseconds(entry.timestamp), fact.seat))
    handover = Handover(fact.seat, fact.actor, entry.version)
    starters = note_replacement(match, fact)
    return replace(after, handovers=(*match.handovers, handover), starters=starters, gave_up=gave_up)


def timed_out(match: Match, _entry: Entry, fact: TimedOut) -> Match:
    """Record that the seat ran out of time."""
    return replace(match, turn=Turn(), starters=note_leaving(match, fact.seat, "timed_out", missed=True))


def pause_asked(match: Match, _entry: Entry, fact: PauseAsked) -> Match:
    """Record that the seat asked for a pause."""
    return replace(match, pause_asked_by=(*match.pause_asked_by, fact.seat), turn=Turn())


def paused(match: Match, entry: Entry, fact: Paused) -> Match:
    """Pause the match, clear the pause requests, and set the time limit; a dispute holds the match until its ruling.

    A pause for a dispute does not count among the pauses the players agreed on.
    """
    docket = match.docket
    if fact.dispute:
        since = entry.timestamp if match.status == "running" else None
        docket = replace(docket, held_by=fact.dispute, held_since=since, paused_for=(*docket.paused_for, fact.dispute))
    is_agreed = fact.dispute == "" and pause_is_agreed(match)
    length = pause_length(match, is_agreed=is_agreed, is_disputed=fact.dispute != "")
    return replace(
        match,
        status="paused",
        pause_asked_by=(),
        pause_count=match.pause_count + is_agreed,
        pause_until=None if length is None else entry.timestamp + length,
        turn=Turn(),
        docket=docket,
    )


def resumed(match: Match, _entry: Entry, fact: Resumed) -> Match:
    """Resume a paused match or a waiting fork and lift its hold, or only withdraw one seat's pause request."""
    if fact.withdrawn is not None:
        remaining = tuple(seat for seat in match.pause_asked_by if seat != fact.withdrawn)
        return replace(match, pause_asked_by=remaining, turn=Turn())
    if match.status == "waiting":
        return replace(match, status="running", key=luck_key(match), turn=Turn(), full_since=None)
    docket = replace(match.docket, held_by="", held_since=None) if match.docket.held_by else match.docket
    return replace(match, status="running", turn=Turn(), docket=docket, pause_until=None)


def voided(match: Match, _entry: Entry, _fact: Voided) -> Match:
    """Void the match."""
    return replace(match, status="void", turn=Turn())


def match_forked(match: Match, entry: Entry, fact: MatchForked) -> Match:
    """Copy the position under a new id with its players; unrated unless a ruling made it official (DESIGN §3).

    Clears the turn, pause requests and hold. An unofficial fork leaves its event; a what-if or practice match is not
    public. With a new seed all shares of luck are new, and the fork waits for the awaited ones.
    """
    official = fact.ruling != ""
    table = match.table if official else replace(match.table, rated=False)
    if not official and fact.dispute == "":
        table = replace(table, event=msgspec.UNSET, wait_seconds=msgspec.UNSET, one_device=msgspec.UNSET)
    docket = add_past_player(match.docket, *fact.seats)
    fork = replace(
        match,
        id=entry.originator_id,
        opened_by=match.opened_by if official else fact.by,
        status="running",
        table=replace(table, public=False) if fact.dispute or fact.practice else table,
        docket=replace(docket, held_by="", held_since=None, ruling=fact.ruling, dispute=fact.dispute),
        seats=tuple(map(seat_of_fork, match.seats, fact.seats)),
        origin=Origin(UUID(fact.parent), fact.at, fact.luck),
        practice=fact.practice,
        depth=match.depth + 1,
        starters=match.starters if official else tuple(map(Starter, fact.seats)),
        handovers=match.handovers if official else (),
        gave_up=match.gave_up if official else match.resigned,
        pause_asked_by=(),
        absences=match.absences if official else end_absences(match.absences, microseconds(entry.timestamp)),
        turn=Turn(),
    )
    if fact.seed is None:
        return fork
    fresh = replace(fork, seed=secret_bytes(fact.seed), luck_id=fork.id, format=fact.format)
    if fact.format == 1:
        return replace(fresh, key=luck_key(fresh))
    seats = tuple(seat_with_fresh_luck(info, seat in fact.awaits) for seat, info in enumerate(fresh.seats))
    fresh = replace(fresh, seats=seats, closed=False, reopened=0)
    if fact.awaits:
        return replace(fresh, status="waiting", key=None, full_since=entry.timestamp)
    return replace(fresh, key=luck_key(fresh))


def seat_of_fork(info: SeatInfo, actor: Actor | None) -> SeatInfo:
    """Return the seat of a fork; a player who stays keeps their keys."""
    return info if info.actor == actor else replace(info, actor=actor, keys=(), stopped_signing=False)


def match_ended(match: Match, _entry: Entry, fact: MatchEnded) -> Match:
    """End the match with its result."""
    return replace(match, status="ended", result=Result(fact.scores, fact.ranking), turn=Turn())


def ruling_given(match: Match, _entry: Entry, fact: RulingGiven) -> Match:
    """Record a ruling, which may void the match or supersede its line.

    A result set by the ruling follows as a consequence of the new position; a match that is over gets it at once.
    """
    docket = replace(match.docket, rulings=(*match.docket.rulings, fact))
    if docket.held_by == fact.dispute:
        docket = replace(docket, held_by=RULED_ON)
    after = replace(match, docket=docket, turn=Turn())
    resumption = next((m for m in fact.measures if isinstance(m, LineResumed) and m.line != str(match.id)), None)
    if resumption is not None:
        docket = replace(docket, superseded_by=UUID(resumption.line), superseded_from=resumption.version + 1)
        return replace(after, status="superseded", docket=docket)
    was_running = not match.is_over
    if is_voided(after) or (match.status == "void" and not is_voided(match)):
        return replace(after, status="void", docket=replace(docket, is_cut_short=docket.is_cut_short or was_running))
    if was_running:
        return replace(after, docket=replace(docket, is_cut_short=find_set_result(after) is not None))
    # If an appeal overturns a void, the match regains its earlier result or gets the result that was set.
    return replace(after, status="ended", result=match.result or find_set_result(after))


APPLY: Final[Mapping[type[Any], Callable[[Match, Entry, Any], Match]]] = {
    SeatTaken: seat_taken,
    SeatLeft: seat_left,
    KeyNamed: key_named,
    SigningStopped: signing_stopped,
    ShareCommitted: share_committed,
    TableClosed: table_closed,
    TableReopened: table_reopened,
    SeatReady: seat_ready,
    MatchStarted: match_started,
    ActionTaken: action_taken,
    TakenBack: taken_back,
    Resigned: resigned,
    SeatReplaced: seat_replaced,
    AbsenceAnnounced: absence_announced,
    AbsenceEnded: absence_ended,
    TimedOut: timed_out,
    PauseAsked: pause_asked,
    Paused: paused,
    Resumed: resumed,
    Voided: voided,
    MatchForked: match_forked,
    RulingGiven: ruling_given,
    MatchEnded: match_ended,
}


def apply_fact(match: Match, entry: Entry, fact: Fact) -> Match:
    """Return the match after an entry with its decoded fact; raise `LogFault` if it does not continue the chain."""
    version = entry.originator_version
    if entry.previous != match.head_digest or version != match.version + 1:
        raise LogFault(version, "chain", f"it does not follow entry {match.version} of match {match.id}")
    after = replace(
        APPLY[type(fact)](match, entry, fact),
        version=version,
        timestamp=entry.timestamp,
        head_digest=digest(entry),
        timed_out=fact if isinstance(fact, TimedOut) else None,
    )
    if after.absences and after.is_over and not match.is_over:
        after = replace(after, absences=end_absences(after.absences, microseconds(entry.timestamp)))
    clocks = update_clocks(match, after, fact)
    return replace(after, clocks=clocks) if clocks else after


def apply(match: Match, entry: Entry) -> Match:
    """Return the match after one more entry."""
    return apply_fact(match, entry, read_fact(match.definition, entry))


def begin(titles: Titles, entry: Entry) -> Match:
    """Create a match from the first entry of its line; raise `LogFault` if it opens none, or `UnknownTitle`."""
    excerpt = peek_fact_type(entry)
    if excerpt.type != "match_opened" or entry.version != 1:
        raise LogFault(entry.version, "body", f"a log begins with match_opened, not with {excerpt.type}")
    title = find_title(titles, excerpt.title)
    fact = read_fact(title, entry)
    assert isinstance(fact, MatchOpened)
    return match_opened(title, entry, fact)


def fold(titles: Titles, entries: Iterable[Entry], match: Match | None = None) -> Match:
    """Apply entries to `match`, or from the start of a line, and return the match after the last one.

    Without `match`, at least one entry is required, and `LogFault` is raised if the first is not `match_opened`.
    """
    for entry in entries:
        match = begin(titles, entry) if match is None else apply(match, entry)
    assert match is not None
    return match
