"""Forks: new matches that start from a position of another match (DESIGN §3)."""

from typing import Final

from msgspec import UNSET

from domain.kernel.hidden import Hidden
from domain.kernel.values import replace
from domain.matches.aggregate import Match, require_played_rules
from domain.matches.errors import AlreadySeated, ForkRefused, ForkTooDeep, WrongSeatCount
from domain.matches.facts import SERVICE, Actor, Luck, MatchForked, is_bot
from domain.matches.play.hint_tables import check_alone
from domain.matches.seats.bots import check_bot
from domain.matches.seats.one_device import require_matching_player
from domain.matches.seats.opening import check_host, check_player

CLOCK_MAX: Final = 2**53 - 1
"""Milliseconds; the largest integer that JSON readers handle exactly."""
PRACTICE_MAX: Final = 80
"""Maximum characters of the description of a practice match."""
DEPTH_MAX: Final = 16
"""Maximum fork depth. Reading a line requires reading all its ancestors."""


def check_position(match: Match, version: int) -> None:
    """Raise `RulesRetired` under retired rules, or `ForkRefused` before the start or after the end of the match."""
    require_played_rules(match)
    if match.started_version is None:
        raise ForkRefused(f"match {match.id} had not started at entry {version}")
    if match.is_over:
        raise ForkRefused(f"match {match.id} was over at entry {version}")


def check_forkable(match: Match, version: int) -> None:
    """Reject a new fork at this position as `check_position` does; raise `ForkTooDeep` from depth `DEPTH_MAX` on.

    Forks that are already stored, and lines that replace another after a ruling, only need to pass `check_position`.
    """
    check_position(match, version)
    if match.depth >= DEPTH_MAX:
        raise ForkTooDeep(f"match {match.id} is a fork of depth {match.depth}; the maximum is {DEPTH_MAX}")


def default_seats(match: Match, by: Actor) -> tuple[Actor | None, ...]:
    """Return the default seats of a fork: bots and the person who forks stay, all other seats are empty."""
    return tuple(info.actor if info.is_bot or info.actor == by else None for info in match.seats)


def check_players(match: Match, seats: tuple[Actor | None, ...]) -> None:
    """Reject players who may not sit on these seats of the fork; None is an empty seat.

    Raise `WrongSeatCount` for the wrong number, `HintsRefused` for several people with hints, `UnknownActor`,
    `OneDeviceRefused` for local guests, `BotCannotPlay`, or `AlreadySeated` for a person on two seats.
    """
    if len(seats) != len(match.seats):
        raise WrongSeatCount(f"match {match.id} has {len(match.seats)} seats, not {len(seats)}")
    people = [actor for actor in seats if actor is not None and not is_bot(actor)]
    check_alone(match.table, people)
    for actor in filter(None, seats):
        check_player(actor)
        require_matching_player(replace(match.table, one_device=UNSET), actor)
        check_bot(match.definition, actor)
        if people.count(actor) > 1:
            raise AlreadySeated(f"{actor!r} cannot take two seats of a match")


def fork(
    match: Match,
    *,
    luck: Luck,
    by: Actor,
    seats: tuple[Actor | None, ...] | None = None,
    seed: bytes,
    parent_is_over: bool,
    dispute: str = "",
    awaits: tuple[int, ...] = (),
    format: int | None = None,
    practice: str = "",
) -> MatchForked:
    """Return the fork of the line at the position of `match`; it waits for the shares of the seats in `awaits`.

    `seats` defaults to the bots and `by`. `format` is set when a stored fork is repeated; a new one has its parent's,
    at least 2. Raise `ForkRefused` for the same luck before the parent has ended, because the fork would reveal its
    future; also as `check_players`, `check_awaited` and `check_practice` do.
    """
    check_host(by)
    fork_seats = default_seats(match, by) if seats is None else seats
    check_players(match, fork_seats)
    if luck == "same" and not parent_is_over:
        raise ForkRefused(f"match {match.id} is still running; a fork with the same luck is possible when it has ended")
    if luck not in ("same", "fresh"):
        raise ForkRefused(f"invalid luck {luck!r}: expected same or fresh")
    hidden = Hidden(seed.hex(), ()) if luck == "fresh" else None
    fork_format = format_of_fork(match) if format is None else format
    check_awaited(match, fork_seats, awaits, luck, fork_format)
    check_practice(practice, luck)
    return MatchForked(
        str(match.id),
        match.version,
        luck,
        by,
        fork_seats,
        hidden,
        dispute=dispute,
        format=fork_format,
        awaits=awaits,
        practice=practice,
    )


def check_replacement(match: Match, fact: MatchForked) -> None:
    """Raise `ForkRefused` for a fork by a ruling that `build_replacement` does not give, or another one with clocks.

    The seed may be closed to the reader.
    """
    if fact.ruling == "":
        if fact.clocks:
            raise ForkRefused("only a ruling can set the clocks of a line, one per seat")
        return
    expected = build_replacement(match, ruling=fact.ruling, clocks=fact.clocks, seed=b"", format=fact.format)
    if replace(expected, seed=fact.seed) != fact:
        raise ForkRefused(f"the fork does not continue match {match.id} as the ruling {fact.ruling} requires")


def check_practice(practice: str, luck: Luck) -> None:
    """Raise `ForkRefused` for a practice match with fresh luck or a description over `PRACTICE_MAX` characters."""
    if practice and luck != "same":
        raise ForkRefused(f"a practice match requires luck=same, not {luck}")
    if len(practice) > PRACTICE_MAX:
        raise ForkRefused(f"the subject of a practice match has at most {PRACTICE_MAX} characters, not {len(practice)}")


def check_awaited(
    match: Match, seats: tuple[Actor | None, ...], awaits: tuple[int, ...], luck: Luck, format: int
) -> None:
    """Raise `ForkRefused` if awaited seats are not people's, sorted and unique.

    Raise it also if there are any with the same luck, or in format 1, and for the same luck as a line that waits, which
    has no luck yet.
    """
    if luck == "same" and match.status == "waiting":
        raise ForkRefused(f"match {match.id} still waits for shares of luck, so a fork cannot have the same luck")
    if awaits and (luck == "same" or format == 1):
        kind = "with the same luck" if luck == "same" else "of log format 1"
        raise ForkRefused(f"a fork {kind} takes no shares of luck")
    for seat in awaits:
        actor = seats[seat] if 0 <= seat < len(seats) else None
        if actor is None or is_bot(actor):
            raise ForkRefused(f"seat {seat} has no person who could contribute a share of luck")
    if list(awaits) != sorted(set(awaits)):
        raise ForkRefused(f"{awaits} does not list each seat once, in order")


def format_of_fork(match: Match) -> int:
    """Return the format in which a fork is written: its parent's, but 2 where the parent's is 1.

    Format 1 cannot store shares of luck in a fork.
    """
    return max(match.format, 2)


def check_format(match: Match, format: int) -> None:
    """Raise `ForkRefused` for another format than the parent's; from format 1 a fork may move to format 2."""
    if format != match.format and (match.format, format) != (1, 2):
        raise ForkRefused(f"a line of format {match.format} cannot continue in format {format}")


def list_people_seats(match: Match, seats: tuple[Actor | None, ...]) -> tuple[int, ...]:
    """Return the seats of people who have not resigned."""
    people = (seat for seat, actor in enumerate(seats) if actor is not None and not is_bot(actor))
    return tuple(seat for seat in people if not match.seats[seat].resigned)


def build_replacement(
    match: Match, *, ruling: str, clocks: tuple[int, ...], seed: bytes, format: int | None = None
) -> MatchForked:
    """Return the fork that replaces a line from here on: by the service, same players, fresh luck, given clocks.

    From format 2 on it waits for the shares of all people who have not resigned. Raise `ForkRefused` for a clock below
    0 or over `CLOCK_MAX`, `WrongSeatCount` unless there are no clocks or one per seat.
    """
    assert ruling, "only a ruling can replace a line"
    if any(not 0 <= clock <= CLOCK_MAX for clock in clocks):
        raise ForkRefused(f"a clock has at most {CLOCK_MAX} milliseconds, and at least 0")
    if clocks and len(clocks) != len(match.seats):
        raise WrongSeatCount(f"match {match.id} has {len(match.seats)} clocks, not {len(clocks)}")
    format = format_of_fork(match) if format is None else format
    seats = tuple(info.actor for info in match.seats)
    hidden = Hidden(seed.hex(), ())
    return MatchForked(
        str(match.id),
        match.version,
        "fresh",
        SERVICE,
        seats,
        hidden,
        ruling=ruling,
        clocks=clocks,
        format=format,
        awaits=() if format == 1 else list_people_seats(match, seats),
    )
