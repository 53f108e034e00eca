"""The record of matches left: every kind of leaving, and matches that count for no record."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE, Clock, Table, TimeOutPolicy
from domain.matches.play.commands import replace_seat
from domain.matches.play.deadlines import pass_deadline
from domain.matches.rulings.measures import MatchVoided, PointsTaken, ResultSet
from domain.matches.seats.event_tables import seat_match, start_without_late_players
from domain.ratings.errors import LeavesTooOften
from domain.ratings.leaving import LIMITED_MATCHES_MIN, Leaving, LeavingHabit, Stay, habit_of, require_staying, stays_of
from tests.domain.matches.match_helpers import (
    ALL_TITLES,
    BOT,
    START,
    TOY,
    act_once,
    apply_ruling,
    build_ruling,
    play_out,
    resume_match,
    start_match,
    uuid,
    verify_log,
)
from tests.seeding import entropy

M = uuid(1)
CLOCK = Clock("per_move", 60)
LATE = START + timedelta(days=30)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"), titles=ALL_TITLES, entropy=entropy())
    yield matches
    matches.close()


def rounds_on(matches: Matches, match: Match, rounds: int) -> Match:
    """Play until every player has acted in the given number of rounds."""
    while any(starter.rounds < rounds for starter in match.starters):
        match = act_once(matches, match)
    return match


def leavings(match: Match) -> dict[str, str]:
    return {stay.player: stay.leaving for stay in stays_of(match)}


def test_playing_to_the_end_counts_as_staying(matches: Matches) -> None:
    running = start_match(matches, M, ("anna", BOT, "bea"))
    assert stays_of(running) == ()

    assert stays_of(play_out(matches, running)) == (Stay("anna", ""), Stay("bea", ""))


@pytest.mark.parametrize("policy", ["bot", "resign", "skip"])
def test_a_timeout_counts_as_leaving_under_every_policy(matches: Matches, policy: TimeOutPolicy) -> None:
    match = rounds_on(matches, start_match(matches, M, ("anna", "bea", "carl"), table=Table(CLOCK, time_out=policy)), 3)
    bot = BOT if policy == "bot" else None
    seat = match.definition.rules.seats_to_act(match.state)[0]
    late = match.starters[seat].actor
    match = play_out(matches, matches.time_out(M, seat, SERVICE, at=LATE, bot=bot))

    assert {player for player, leaving in leavings(match).items() if leaving == "timed_out"} == {late}
    verify_log(matches, M)


@pytest.mark.parametrize(("rounds", "leaving"), [(0, "resigned"), (1, "resigned"), (2, "")])
def test_resigning_before_two_rounds_counts_as_leaving(matches: Matches, rounds: int, leaving: str) -> None:
    match = rounds_on(matches, start_match(matches, M, ("anna", "bea", "carl")), rounds)
    match = play_out(matches, matches.resign(M, 1, "bea", at=START))

    assert leavings(match) == {"anna": "", "bea": leaving, "carl": ""}


def test_handing_over_to_a_bot_counts_as_leaving_but_a_substitute_does_not(matches: Matches) -> None:
    rounds_on(matches, start_match(matches, M, ("anna", "bea", "carl")), 3)
    match = play_out(matches, matches.replace_seat(M, 1, "bea", actor=BOT, at=START))
    assert leavings(match) == {"anna": "", "bea": "abandoned", "carl": ""}

    official = in_event(matches, uuid(2), ("anna", "bea", "carl"), comes="anna bea carl")
    substitute(matches, official, 1, "sue")
    assert leavings(play_out(matches, matches.get(uuid(2)))) == {"anna": "", "bea": "", "carl": ""}


def at_an_event(matches: Matches, match_id: UUID, players: tuple[str, ...]) -> Match:
    """Return a match of an event with all players in their seats."""
    return matches.transact(
        lambda batch: seat_match(
            batch,
            TOY,
            match_id,
            of=uuid(77),
            table=Table(),
            options={},
            players=players,
            entrants=players,
            seed=bytes(32),
        ),
        at=START,
    )


def in_event(matches: Matches, match_id: UUID, players: tuple[str, ...], comes: str) -> Match:
    """Return a match of an event that begins with a player missing."""
    at_an_event(matches, match_id, players)
    for seat, player in enumerate(players):
        if player in comes.split():
            matches.ready(match_id, seat, player, at=START)
    return matches.transact(
        lambda batch: start_without_late_players(batch, batch.match(match_id), matches.standing), at=START
    )


def substitute(matches: Matches, match: Match, seat: int, actor: str) -> None:
    entrant = match.seats[seat].actor or ""
    matches.transact(
        lambda batch: batch.append(match.id, lambda line: replace_seat(line, seat, SERVICE, actor, entrant)), at=START
    )


def test_a_late_entrant_joins_with_the_first_action(matches: Matches) -> None:
    """A bot that the service seats for an absent player does not change that."""
    match = in_event(matches, M, ("anna", "bea", "carl"), comes="anna")
    matches.replace_seat(M, 2, SERVICE, actor=BOT, at=START)
    match = play_out(matches, matches.get(M))

    assert leavings(match) == {"anna": "", "bea": "", "carl": "no_show"}


def test_an_entrant_replaced_by_a_bot_at_the_start_is_a_no_show(matches: Matches) -> None:
    match = at_an_event(matches, M, ("anna", "bea", "carl"))
    substitute(matches, match, 2, BOT)
    substitute(matches, match, 1, "sue")
    for number, player in enumerate(("anna", "sue")):
        matches.ready(M, number, player, at=START)

    assert leavings(play_out(matches, matches.get(M))) == {"anna": "", "carl": "no_show", "sue": ""}


def full_table(matches: Matches, *players: str) -> None:
    matches.open(M, title="toy", seats=len(players), by=players[0], at=START, table=Table(CLOCK))
    for seat, player in enumerate(players):
        matches.take_seat(M, seat, player, at=START)


def test_a_player_not_ready_in_time_is_a_no_show_unless_seated_again(matches: Matches) -> None:
    full_table(matches, "anna", "bea", "carl")
    matches.ready(M, 0, "anna", at=START)
    pass_deadline(matches, M, expected_version=matches.get(M).version, at=LATE)
    matches.take_seat(M, 1, "bea", at=LATE)
    matches.take_seat(M, 2, "dora", at=LATE)
    for seat, player in ((1, "bea"), (2, "dora")):
        matches.ready(M, seat, player, at=LATE)

    match = play_out(matches, matches.get(M))
    assert leavings(match) == {"anna": "", "bea": "", "carl": "no_show", "dora": ""}


def test_a_dissolved_table_only_counts_for_absent_players(matches: Matches) -> None:
    full_table(matches, "anna", "bea", "carl")
    matches.ready(M, 0, "anna", at=START)
    assert matches.leave_seat(M, 1, "bea", at=START).unready == ("bea",)

    assert leavings(matches.void(M, "anna", at=START)) == {"bea": "no_show"}


def test_solo_matches_and_matches_with_bots_do_not_count(matches: Matches) -> None:
    start_match(matches, M, ("anna", BOT))

    assert stays_of(matches.resign(M, 0, "anna", at=START)) == ()


@pytest.mark.parametrize(
    ("measure", "is_taken_back"),
    [(MatchVoided(), True), (ResultSet((1, 0), (1, 2)), True), (PointsTaken(0, 1), False)],
)
def test_a_ruling_on_the_result_removes_the_record(
    matches: Matches, measure: MatchVoided | ResultSet | PointsTaken, is_taken_back: bool
) -> None:
    start_match(matches, M, ("anna", "bea"))
    assert leavings(matches.resign(M, 1, "bea", at=START)) == {"anna": "", "bea": "resigned"}

    ruled = apply_ruling(matches, M, build_ruling("ruled", measure))
    assert leavings(ruled) == ({} if is_taken_back else {"anna": "", "bea": "resigned"})


def test_a_replacement_line_counts_and_forks_do_not(matches: Matches) -> None:
    match = rounds_on(matches, start_match(matches, M, ("anna", "bea")), 1)
    before = match.version
    ended = play_out(matches, matches.replace_seat(M, 1, "bea", actor=BOT, at=START))
    assert leavings(ended)["bea"] == "abandoned"
    fork = fork_match(
        matches, M, at_version=before, new_id=uuid(2), luck="same", by="x", at=START, seats=("anna", "bea")
    )
    assert stays_of(play_out(matches, fork)) == ()

    resume_match(matches, M, before, uuid(3))
    assert stays_of(matches.get(M)) == ()
    assert leavings(play_out(matches, matches.get(uuid(3)))) == {"anna": "", "bea": ""}


# The share of matches left, and the limit of a table.


def test_only_the_last_fifty_matches_count() -> None:
    recent: tuple[Leaving, ...] = ("timed_out", "resigned", "no_show", "abandoned", "")
    stayed: tuple[Leaving, ...] = ("",) * 45
    habit = habit_of((*recent, *stayed, *recent))

    assert habit == LeavingHabit(50, timed_out=1, resigned=1, no_show=1, abandoned=1)
    assert (habit.left_count, habit.share, LeavingHabit().share, LeavingHabit(50, resigned=5).share) == (4, 8, 0, 10)
    assert LeavingHabit(49, resigned=5).share == 11


@pytest.mark.parametrize(
    ("habit", "most", "is_refused"),
    [
        (LeavingHabit(50, no_show=5), 10, False),
        (LeavingHabit(49, no_show=5), 10, True),
        (LeavingHabit(LIMITED_MATCHES_MIN, no_show=1), 0, True),
        (LeavingHabit(LIMITED_MATCHES_MIN - 1, no_show=LIMITED_MATCHES_MIN - 1), 0, False),
    ],
)
def test_a_limit_refuses_frequent_leavers_after_a_few_matches(habit: LeavingHabit, most: int, is_refused: bool) -> None:
    table = Table(leaving_max=most)
    require_staying(Table(), "anna", habit)
    require_staying(Table(leaving_max=most, event="cup"), "anna", habit)
    if not is_refused:
        require_staying(table, "anna", habit)
        return
    with pytest.raises(LeavesTooOften, match=f"'anna' left {habit.left_count} of the last {habit.matches}") as refusal:
        require_staying(table, "anna", habit)
    assert refusal.value.values == {
        "left": habit.left_count,
        "matches": habit.matches,
        "share": habit.share,
        "most": most,
    }
