"""Automatic consequences of a position: bots get ready, the match starts, seats are skipped, the match ends."""

from datetime import datetime, timedelta
from uuid import UUID

from domain.kernel.chance import SeededChance
from domain.kernel.title import AnyTitle
from domain.matches.aggregate import RULED_ON, Match, Result, pause_is_agreed, seats_to_act
from domain.matches.apply import apply_fact, begin
from domain.matches.facts import (
    SERVICE,
    ActionTaken,
    Fact,
    MatchEnded,
    MatchForked,
    MatchOpened,
    MatchStarted,
    Paused,
    Resigned,
    Resumed,
    SeatReplaced,
    Standing,
    TableReopened,
    Voided,
)
from domain.matches.log.entries import NO_DIGEST, Entry, seal
from domain.matches.play.commands import skip
from domain.matches.rulings.ruling import find_set_result
from domain.matches.seats.luck_shares import luck_key, next_closing, next_reopening
from domain.matches.seats.opening import dissolution_reason, ready
from domain.matches.titles import read_fact


def build_match_start(match: Match) -> MatchStarted[object]:
    """Return the fact that starts the match, drawn with the key that combines all shares of luck.

    It also lists the seats with provisional players, guests and bots.
    """
    key = luck_key(match)
    assert key is not None
    rules, chance = match.definition.rules, SeededChance(key)
    effects = rules.start(rules.options(match.options), len(match.seats), chance)
    provisional, guests, programs = (
        seats_with_standing(match, standing) for standing in ("provisional", "guest", "bot")
    )
    return MatchStarted(effects, chance.draws, provisional, guests, programs)


def seats_with_standing(match: Match, standing: Standing) -> tuple[int, ...]:
    """Return the seats whose players have a standing."""
    return tuple(seat for seat, info in enumerate(match.seats) if info.standing == standing)


def places(match: Match) -> tuple[int, ...]:
    """Return the place of each seat, shared on ties: active seats as the title ranks them, then resigned ones.

    The first seat to resign is last. Active seats share place 1 while the title has no ranking.
    """
    ranking, active_seats = (
        match.definition.rules.ranking(match.state),
        [s for s, i in enumerate(match.seats) if not i.resigned],
    )
    order = ranking if ranking is not None else (1,) * len(match.seats)
    place_of = {seat: 1 + sum(order[other] < order[seat] for other in active_seats) for seat in active_seats}
    place_of |= {seat: len(match.seats) - index for index, seat in enumerate(match.resigned)}
    return tuple(place_of[seat] for seat in range(len(match.seats)))


def result_of(match: Match) -> Result:
    """Return the result if the match ended now: the one set by a ruling, otherwise by position."""
    if match.docket.is_cut_short and (set_result := find_set_result(match)) is not None:
        return set_result
    return Result(match.definition.rules.scores(match.state), places(match))


def find_match_end(match: Match) -> MatchEnded | None:
    """Return the end of the match, or None while it continues.

    It ends after a ruling that requires it, if no seat owes a decision, or if only one seat has not resigned (DESIGN
    §3).
    """
    if match.docket.is_cut_short:
        return build_match_end(result_of(match))
    if not is_alone(match) and match.definition.rules.seats_to_act(match.state):
        return None
    return build_match_end(result_of(match))


def is_alone(match: Match) -> bool:
    """Return whether at most one seat has not resigned; False while no seat has resigned."""
    return bool(match.resigned) and len(match.seats) - len(match.resigned) <= 1


def build_match_end(result: Result) -> MatchEnded:
    """Return the fact that ends a match with a result."""
    return MatchEnded(result.scores, result.ranking)


def pause_consequence(match: Match) -> Fact | None:
    """Return the end of the match if it is due, the resumption once the dispute is ruled on, or None."""
    ending = find_match_end(match)
    if ending is None and match.docket.held_by == RULED_ON:
        return Resumed(SERVICE)
    return ending


def opening_consequence(match: Match) -> Fact | None:
    """Return the next automatic fact at an open table, or None.

    In this order: the table reopens, is dissolved (voided), a bot gets ready, the table closes, the match starts.
    """
    if (reopening := next_reopening(match)) is not None:
        return reopening
    if reason := dissolution_reason(match):
        return Voided(SERVICE, reason)
    for seat, info in enumerate(match.seats):
        if info.actor is not None and info.is_bot and not info.ready:
            return ready(match, seat, info.actor)
    if (closing := next_closing(match)) is not None:
        return closing
    return build_match_start(match) if all(info.ready for info in match.seats) else None


def waiting_consequence(match: Match) -> Fact | None:
    """Return the next automatic fact of a fork with fresh luck, or None.

    The match ends, the table closes, or the fork resumes once all shares are open.
    """
    if (ending := find_match_end(match)) is not None:
        return ending
    if (closing := next_closing(match)) is not None:
        return closing
    return Resumed(SERVICE) if all(info.ready for info in match.seats) else None


def time_out_consequence(match: Match) -> Fact | None:
    """Return the fact that the policy requires right after a time-out, or None: resign, replace with a bot, or skip."""
    timed_out = match.timed_out
    if timed_out is None:
        return None
    if timed_out.policy == "resign":
        return Resigned(timed_out.seat, SERVICE)
    if timed_out.policy == "bot":
        assert timed_out.bot is not None
        return SeatReplaced(timed_out.seat, SERVICE, timed_out.bot, reason="time_out" if match.format > 2 else "")
    return skip(match, timed_out.seat)


def next_consequence(match: Match) -> Fact | None:
    """Return the next automatic fact, or None if a player must choose or the match is over.

    While running: the time-out policy, the end of the match, the skip of a resigned seat, then an agreed pause.
    """
    if match.status == "open":
        return opening_consequence(match)
    if match.status == "waiting":
        return waiting_consequence(match)
    if match.status == "paused":
        return pause_consequence(match)
    if match.status != "running":
        return None
    time_out_fact = time_out_consequence(match)
    if time_out_fact is not None:
        return time_out_fact
    ending = find_match_end(match)
    if ending is not None:
        return ending
    if match.resigned:
        for seat in seats_to_act(match):
            if seat in match.resigned:
                return skip(match, seat)
    if pause_is_agreed(match):
        return Paused(SERVICE)
    return None


Appended = tuple[Match, tuple[Entry, ...]]
"""The match after a transaction, and the entries added to its log."""


def append(match: Match, fact: Fact, at: datetime, step: timedelta = timedelta(0)) -> Appended:
    """Append a fact and its consequences, each `step` later than the one before."""
    match, entry = append_one(match, fact, at, match.id)
    return follow_up(match, entry, at, step)


def open_line(
    title: AnyTitle, fact: MatchOpened, match_id: UUID, at: datetime, step: timedelta = timedelta(0)
) -> Appended:
    """Open a match: return it with its first entry and the consequences."""
    seed = bytes.fromhex(fact.seed.value)
    entry = seal(fact, match_id=match_id, version=1, previous=NO_DIGEST, timestamp=at, seed=seed)
    return follow_up(begin({title.name: title}, entry), entry, at, step)


def fork_line(match: Match, fact: MatchForked, fork_id: UUID, at: datetime, step: timedelta = timedelta(0)) -> Appended:
    """Fork the line at `match`: return the fork with its first entry and the consequences."""
    match, entry = append_one(match, fact, at, fork_id)
    return follow_up(match, entry, at, step)


def follow_up(match: Match, entry: Entry, at: datetime, step: timedelta) -> Appended:
    """Append all consequences of a position, each `step` later; return the match, and `entry` with the new ones."""
    entries = [entry]
    while (following := next_consequence(match)) is not None:
        at = at + step
        match, entry = append_one(match, following, at, match.id)
        entries.append(entry)
    return match, tuple(entries)


def append_one(match: Match, fact: Fact, at: datetime, match_id: UUID) -> tuple[Match, Entry]:
    """Append one sealed entry, never earlier than the last one. A new seed in the fact seals this entry."""
    new_seed = fact.seed if isinstance(fact, MatchForked | TableReopened) else None
    seed = match.seed if new_seed is None else bytes.fromhex(new_seed.value)
    entry = seal(
        fact,
        match_id=match_id,
        version=match.version + 1,
        previous=match.head_digest,
        timestamp=max(at, match.timestamp),
        seed=seed,
    )
    # Other facts need commitments during apply, which only the sealed entry has.
    decoded = fact if isinstance(fact, ActionTaken | MatchStarted) else read_fact(match.definition, entry)
    return apply_fact(match, entry, decoded), entry
