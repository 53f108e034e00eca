"""Entry by entry to the present position: facts only, nothing is decided again (the fold)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final
from uuid import UUID

from domain.kernel.chance import match_key
from domain.kernel.hidden import Hidden
from domain.kernel.values import replace
from domain.match.aggregate import Mark, Match, Origin, Result, SeatInfo, Turn
from domain.match.errors import LogFault
from domain.match.facts import (
    ActionTaken,
    Fact,
    MatchEnded,
    MatchForked,
    MatchOpened,
    MatchStarted,
    PauseAsked,
    Paused,
    Resigned,
    Resumed,
    SeatLeft,
    SeatReady,
    SeatReplaced,
    SeatTaken,
    TakenBack,
    TimedOut,
    Voided,
)
from domain.match.log import Entry, digest, first_look
from domain.match.registry import Game, Games, game_of

HIDDEN_MARK: Final = b'"commitment"'


def secret_bytes(hidden: Hidden[str]) -> bytes | None:
    """A hidden hexadecimal value as bytes; `None` where this reader does not hold it."""
    value = hidden.known_or(None)
    return None if value is None else bytes.fromhex(value)


def set_seat(match: Match, seat: int, info: SeatInfo) -> tuple[SeatInfo, ...]:
    return (*match.seats[:seat], info, *match.seats[seat + 1 :])


def shares_of(match: Match) -> tuple[bytes, ...]:
    """The shares of luck, in seat order."""
    shares = tuple(info.share for info in match.seats if info.share is not None)
    assert len(shares) == len(match.seats)
    return shares


def luck_key(match: Match) -> bytes | None:
    """The key of the match's luck, once every share is open; `None` where the seed is not in this log."""
    return None if match.seed is None else match_key(match.seed, shares_of(match), match.luck_id.bytes)


def evolved(game: Game, state: Any, effects: tuple[Any, ...]) -> Any:
    evolve = game.rules.evolve
    for effect in effects:
        state = evolve(state, effect)
    return state


def opened(game: Game, entry: Entry, fact: MatchOpened) -> Match:
    """The match of a first entry."""
    return Match(
        id=entry.originator_id,
        game=game,
        version=entry.version,
        timestamp=entry.timestamp,
        head_digest=digest(entry),
        opened_by=fact.by,
        rules_version=fact.rules_version,
        data_digest=fact.data,
        options=fact.options,
        table=fact.table,
        seats=(SeatInfo(),) * fact.seats,
        seed=secret_bytes(fact.seed),
        luck_id=entry.originator_id,
        action_counts=(0,) * fact.seats,
    )


def seat_taken(match: Match, entry: Entry, fact: SeatTaken) -> Match:
    info = SeatInfo(fact.by, share_commitment=fact.share.commitment or "", taken_at_version=entry.version)
    return replace(match, seats=set_seat(match, fact.seat, info))


def seat_left(match: Match, _entry: Entry, fact: SeatLeft) -> Match:
    return replace(match, seats=set_seat(match, fact.seat, SeatInfo()))


def seat_ready(match: Match, _entry: Entry, fact: SeatReady) -> Match:
    info = replace(match.seats[fact.seat], ready=True, share=bytes.fromhex(fact.share))
    return replace(match, seats=set_seat(match, fact.seat, info))


def started(match: Match, entry: Entry, fact: MatchStarted[Any]) -> Match:
    return replace(
        match,
        status="running",
        key=luck_key(match),
        state=evolved(match.game, None, fact.effects),
        started_version=entry.version,
    )


def action_taken(match: Match, entry: Entry, fact: ActionTaken[Any, Any]) -> Match:
    """The effects; and what of the turn may still be taken back: nothing that showed anybody something new."""
    state, seat, counts = evolved(match.game, match.state, fact.effects), fact.seat, match.action_counts
    if seat >= 0:
        counts = (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :])
    turn, mark = match.turn, Mark(entry.version, state)
    if turn.seat != seat:
        turn = Turn(seat, (Mark(match.version, match.state),))
    marks = (mark,) if fact.draws or HIDDEN_MARK in bytes(entry.body) else (*turn.marks, mark)
    return replace(match, state=state, action_counts=counts, turn=Turn(seat, marks, turn.taken_back_count))


def taken_back(match: Match, _entry: Entry, fact: TakenBack) -> Match:
    turn = match.turn
    marks = tuple(mark for mark in turn.marks if mark.version <= fact.to_version)
    return replace(match, state=marks[-1].state, turn=Turn(turn.seat, marks, turn.taken_back_count + 1))


def resigned(match: Match, _entry: Entry, fact: Resigned) -> Match:
    info = replace(match.seats[fact.seat], resigned=True)
    return replace(
        match,
        seats=set_seat(match, fact.seat, info),
        resigned=(*match.resigned, fact.seat),
        turn=Turn(),
    )


def seat_replaced(match: Match, _entry: Entry, fact: SeatReplaced) -> Match:
    info = replace(match.seats[fact.seat], actor=fact.actor)
    return replace(match, seats=set_seat(match, fact.seat, info), turn=Turn())


def timed_out(match: Match, _entry: Entry, _fact: TimedOut) -> Match:
    return replace(match, turn=Turn())


def pause_asked(match: Match, _entry: Entry, fact: PauseAsked) -> Match:
    return replace(match, pause_asked_by=(*match.pause_asked_by, fact.seat), turn=Turn())


def paused(match: Match, _entry: Entry, _fact: Paused) -> Match:
    return replace(match, status="paused", pause_asked_by=(), turn=Turn())


def resumed(match: Match, _entry: Entry, _fact: Resumed) -> Match:
    return replace(match, status="running", turn=Turn())


def voided(match: Match, _entry: Entry, _fact: Voided) -> Match:
    return replace(match, status="void", turn=Turn())


def forked(match: Match, entry: Entry, fact: MatchForked) -> Match:
    """The same position under another id; a fork is never rated (DESIGN §3)."""
    fork = replace(
        match,
        id=entry.originator_id,
        opened_by=fact.by,
        status="running",
        table=replace(match.table, rated=False),
        seats=tuple(replace(info, actor=actor) for info, actor in zip(match.seats, fact.seats, strict=True)),
        origin=Origin(UUID(fact.parent), fact.at, fact.luck),
        pause_asked_by=(),
        turn=Turn(),
    )
    if fact.seed is None:
        return fork
    fresh = replace(fork, seed=secret_bytes(fact.seed), luck_id=fork.id)
    return replace(fresh, key=luck_key(fresh))


def ended(match: Match, _entry: Entry, fact: MatchEnded) -> Match:
    return replace(match, status="ended", result=Result(fact.scores, fact.ranking), turn=Turn())


APPLY: Final[Mapping[type[Any], Callable[[Match, Entry, Any], Match]]] = {
    SeatTaken: seat_taken,
    SeatLeft: seat_left,
    SeatReady: seat_ready,
    MatchStarted: started,
    ActionTaken: action_taken,
    TakenBack: taken_back,
    Resigned: resigned,
    SeatReplaced: seat_replaced,
    TimedOut: timed_out,
    PauseAsked: pause_asked,
    Paused: paused,
    Resumed: resumed,
    Voided: voided,
    MatchForked: forked,
    MatchEnded: ended,
}


def apply_fact(match: Match, entry: Entry, fact: Fact) -> Match:
    """The match after an entry whose fact is at hand already."""
    if entry.previous != match.head_digest or entry.version != match.version + 1:
        raise LogFault(entry.version, "chain", f"it does not follow entry {match.version} of the match {match.id}")
    after = APPLY[type(fact)](match, entry, fact)
    return replace(
        after,
        version=entry.version,
        timestamp=entry.timestamp,
        head_digest=digest(entry),
        timed_out=fact if isinstance(fact, TimedOut) else None,
    )


def apply(match: Match, entry: Entry) -> Match:
    """The match after one more entry."""
    return apply_fact(match, entry, match.game.read(entry))


def begin(games: Games, entry: Entry) -> Match:
    """The match of a line's first entry."""
    look = first_look(entry)
    if look.type != "match_opened" or entry.version != 1:
        raise LogFault(entry.version, "body", f"a log begins with match_opened, not with {look.type}")
    game = game_of(games, look.title)
    fact = game.read(entry)
    assert isinstance(fact, MatchOpened)
    return opened(game, entry, fact)


def fold(games: Games, entries: Iterable[Entry], match: Match | None = None) -> Match:
    """The position after a whole line, or after the rest of one that stands at `match`."""
    for entry in entries:
        match = begin(games, entry) if match is None else apply(match, entry)
    assert match is not None
    return match
