"""Shares of luck: commit, close, open; leaving gains nothing (DESIGN §3, docs/specifications/chance.md)."""

from datetime import timedelta

import pytest

from domain.eventstore.application import Matches
from domain.kernel.chance import match_key
from domain.matches.aggregate import Match
from domain.matches.consequences import append_one
from domain.matches.errors import NotAllowed, NotOpen, NotSeated, WrongShare
from domain.matches.facts import (
    SERVICE,
    Clock,
    SeatLeft,
    SeatReady,
    ShareCommitted,
    Table,
    TableClosed,
    TableReopened,
    Voided,
)
from domain.matches.log.log_files import log_of
from domain.matches.play.deadlines import deadline, pass_deadline
from domain.matches.seats.event_tables import seat_substitute, start_without_late_players
from domain.matches.seats.luck_shares import commit_share, seats_with_own_luck, service_share, share_commitment
from domain.matches.seats.opening import LEFT_TOO_OFTEN, ready
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import (
    BOT,
    START,
    commit,
    facts,
    make_share,
    play_out,
    show,
    sit,
    uuid,
    verify_log,
)
from tests.domain.tournaments.building import seat_entrants

M, F = uuid(1), uuid(2)
LIVE = Table(clock=Clock("per_move", 60))
MINUTES = timedelta(minutes=2)


def kinds(matches: Matches) -> list[str]:
    return [type(fact).__name__ for fact in facts(matches, M)]


def table(matches: Matches, seats: int = 2) -> Match:
    return matches.open(M, title="toy", seats=seats, by="anna", at=START, table=LIVE)


def close_table(matches: Matches) -> Match:
    """Return a closed table: Anna and Bea have committed, with a bot between them."""
    table(matches, 3)
    sit(matches, M, 0, "anna", 1)
    matches.take_seat(M, 1, BOT, at=START)
    return sit(matches, M, 2, "bea", 2)


def test_shares_are_committed_to_then_the_table_is_closed_then_they_are_opened(quick: Matches) -> None:
    match = close_table(quick)
    assert (match.closed, match.status) == (True, "open")
    show(quick, M, 2, "bea", 2)
    match = show(quick, M, 0, "anna", 1)

    assert match.status == "running"
    assert kinds(quick) == [
        "MatchOpened",
        *("SeatTaken", "SeatTaken", "SeatReady", "SeatTaken"),
        *("TableClosed", "SeatReady", "SeatReady", "MatchStarted"),
    ]
    assert match.seed is not None
    shares = (bytes.fromhex(make_share(1).share), service_share(match.seed, M, 1), bytes.fromhex(make_share(2).share))
    assert match.key == match_key(match.seed, shares, M.bytes)
    assert seats_with_own_luck(match) == (0, 2)
    verify_log(quick, M)


def test_no_share_is_opened_while_a_seat_is_free(quick: Matches) -> None:
    """The service and one accomplice could choose the accomplice's share if all other shares were known."""
    table(quick)
    before = sit(quick, M, 0, "anna", 1)

    with pytest.raises(NotAllowed, match="not closed yet"):
        show(quick, M, 0, "anna", 1)
    assert quick.get(M).version == before.version
    early = SeatReady(0, "anna", make_share(1).share, make_share(1).salt)
    entry = append_one(before, early, START, M)[1]
    report = verify(log_of((*quick.entries(M), entry)), titles=quick.titles)
    assert report.fault is not None
    assert "not closed yet" in report.fault.why


@pytest.mark.parametrize(
    ("share", "salt", "said"),
    [
        ("ac" * 32, make_share(1).salt, "do not open its commitment"),
        (make_share(1).share, "ce" * 32, "do not open its commitment"),
        (make_share(1).share, "", "64 lower-case hexadecimal digits each"),
        ("AB" * 32, make_share(1).salt, "64 lower-case hexadecimal digits each"),
        ("ab", make_share(1).salt, "64 lower-case hexadecimal digits each"),
        (make_share(1).share, "cd" * 33, "64 lower-case hexadecimal digits each"),
        (None, None, "64 lower-case hexadecimal digits each"),
    ],
)
def test_another_share_than_the_one_committed_to_is_refused(
    quick: Matches, share: str | None, salt: str | None, said: str
) -> None:
    before = close_table(quick)

    with pytest.raises(WrongShare, match=said):
        quick.ready(M, 0, "anna", at=START, share=share, salt=salt)
    assert quick.get(M).version == before.version


def test_the_share_of_a_bot_is_fixed_by_the_opening(quick: Matches) -> None:
    """Otherwise sitting down and leaving would change the bot's share."""
    match = table(quick, 3)
    assert match.seed is not None
    for _ in range(3):
        quick.take_seat(M, 1, BOT, at=START)
        quick.leave_seat(M, 1, "anna", at=START)
    quick.take_seat(M, 0, BOT, at=START)
    quick.take_seat(M, 2, BOT, at=START)
    match = quick.take_seat(M, 1, BOT, at=START)

    assert match.seed is not None
    assert match.key == match_key(match.seed, [service_share(match.seed, M, seat) for seat in range(3)], M.bytes)
    assert seats_with_own_luck(match) == ()
    verify_log(quick, M)


def test_the_commitment_of_another_seat_player_or_match_is_good_for_nobody_else(quick: Matches) -> None:
    table(quick, 3)
    first = sit(quick, M, 0, "anna", 1).seats[0].share_commitment
    quick.take_seat(M, 1, BOT, at=START)
    quick.take_seat(M, 2, "bea", at=START, share_commitment=first)
    show(quick, M, 0, "anna", 1)

    with pytest.raises(WrongShare, match="do not open its commitment"):
        show(quick, M, 2, "bea", 1)
    share, salt = (bytes.fromhex(part) for part in make_share(1))
    places = [(M, 0, "anna"), (F, 0, "anna"), (M, 1, "anna"), (M, 0, "bea")]
    assert len({share_commitment(id, seat, actor, salt, share) for id, seat, actor in places}) == 4


def test_leaving_a_closed_table_voids_all_shares(quick: Matches) -> None:
    before = close_table(quick)
    show(quick, M, 0, "anna", 1)

    match = quick.leave_seat(M, 2, "bea", at=START)

    assert [type(fact) for fact in facts(quick, M)[-3:]] == [SeatLeft, TableReopened, SeatReady]
    assert (match.closed, match.reopened, match.seats[0].share_by) == (False, 1, "awaited")
    assert match.seed != before.seed
    sit(quick, M, 2, "carl", 3)
    with pytest.raises(NotAllowed, match="has not committed"):
        show(quick, M, 0, "anna", 1)
    commit(quick, M, 0, "anna", 4)
    show(quick, M, 0, "anna", 4)
    match = show(quick, M, 2, "carl", 3)
    assert match.seed is not None
    shares = (bytes.fromhex(make_share(4).share), service_share(match.seed, M, 1), bytes.fromhex(make_share(3).share))
    assert match.key == match_key(match.seed, shares, M.bytes)
    play_out(quick, match)
    verify_log(quick, M)


def test_leaving_a_table_that_was_never_closed_changes_no_luck(quick: Matches) -> None:
    table(quick, 3)
    sit(quick, M, 0, "anna", 1)
    before = sit(quick, M, 1, "bea", 2)

    match = quick.leave_seat(M, 1, "bea", at=START)

    assert (match.seed, match.reopened, match.seats[0].share_by) == (before.seed, 0, "client")


def test_a_table_that_was_left_three_times_after_it_was_closed_dissolves(quick: Matches) -> None:
    table(quick)
    sit(quick, M, 0, "anna", 0)
    for number, player in enumerate(("bea", "carl", "dora"), 1):
        sit(quick, M, 1, player, number)
        commit(quick, M, 0, "anna", number) if number > 1 else None
        match = quick.leave_seat(M, 1, player, at=START)

    assert (match.status, match.reopened) == ("void", 3)
    assert facts(quick, M)[-1] == Voided(SERVICE, LEFT_TOO_OFTEN)
    verify_log(quick, M)


def test_a_player_who_commits_but_does_not_open_in_time_loses_the_seat(quick: Matches) -> None:
    match = close_table(quick)
    assert deadline(match) == START + MINUTES

    match = pass_deadline(quick, M, expected_version=match.version, at=START + MINUTES)

    assert [info.actor for info in match.seats] == [None, BOT, None]
    assert kinds(quick)[-4:] == ["SeatLeft", "SeatLeft", "TableReopened", "SeatReady"]
    verify_log(quick, M)


def test_a_player_who_does_not_commit_in_time_loses_the_seat(quick: Matches) -> None:
    table(quick)
    sit(quick, M, 0, "anna", 1)
    match = quick.take_seat(M, 1, "bea", at=START, share_by="awaited")
    assert not match.closed

    match = pass_deadline(quick, M, expected_version=match.version, at=START + MINUTES)

    assert [info.actor for info in match.seats] == ["anna", None]
    assert (match.reopened, match.seats[0].share_by) == (0, "client")
    verify_log(quick, M)


def test_a_commitment_can_be_replaced_until_the_table_is_closed(quick: Matches) -> None:
    table(quick)
    quick.take_seat(M, 0, "anna", at=START, share_by="awaited")
    once = commit(quick, M, 0, "anna", 1)
    assert commit(quick, M, 0, "anna", 1).version == once.version
    match = quick.commit_share(M, 0, "anna", at=START)
    assert match.seats[0].share_by == "service"
    commit(quick, M, 0, "anna", 2)
    match = sit(quick, M, 1, "bea", 3)

    with pytest.raises(NotAllowed, match="is closed: all shares are fixed"):
        commit(quick, M, 0, "anna", 4)
    with pytest.raises(NotAllowed, match="is closed: all shares are fixed"):
        quick.commit_share(M, 1, "bea", at=START)
    with pytest.raises(NotSeated):
        commit_share(match, 0, "bea")
    quick.open(F, title="toy", seats=2, by="anna", at=START)
    with pytest.raises(NotAllowed, match="the bot 'bot:random@1' cannot have a share of luck"):
        quick.take_seat(F, 0, BOT, at=START, share_by="awaited")
    show(quick, M, 0, "anna", 2)
    match = show(quick, M, 1, "bea", 3)
    with pytest.raises(NotOpen, match="is not waiting for shares of luck"):
        commit(quick, M, 0, "anna", 4)
    with pytest.raises(NotOpen, match="has started"):
        ready(match, 0, "anna")


def test_ready_players_and_the_service_cannot_commit(quick: Matches) -> None:
    table(quick)
    quick.take_seat(M, 0, "anna", at=START, share_by="awaited")
    match = quick.ready(M, 0, "anna", at=START)
    assert (match.seats[0].share_by, match.seats[0].ready) == ("service", True)
    assert quick.ready(M, 0, "anna", at=START).version == match.version

    with pytest.raises(NotAllowed, match="seat 0 is ready already"):
        commit(quick, M, 0, "anna", 1)
    with pytest.raises(NotSeated):
        commit_share(match, 0, SERVICE)
    quick.take_seat(M, 1, "bea", at=START)
    with pytest.raises(WrongShare, match="has no committed share to open"):
        show(quick, M, 1, "bea", 2)


def event_table(matches: Matches) -> Match:
    """Seat Anna, Bea and a bot as a tournament does."""
    matches.open(M, title="toy", seats=3, by=SERVICE, at=START, table=Table(clock=LIVE.clock, event="cup"))
    seat_entrants(matches, M, "anna", "bea", BOT, at=START)
    return matches.get(M)


def start_at(matches: Matches, minutes: int) -> Match:
    at = START + timedelta(minutes=minutes)
    return matches.transact(lambda batch: start_without_late_players(batch, batch.match(M), matches.standing), at=at)


def test_entrants_bring_their_own_shares_when_they_come(quick: Matches) -> None:
    match = event_table(quick)
    assert [info.share_by for info in match.seats] == ["awaited", "awaited", "service"]
    assert deadline(match) is None

    commit(quick, M, 0, "anna", 1)
    commit(quick, M, 1, "bea", 2)
    show(quick, M, 1, "bea", 2)
    match = show(quick, M, 0, "anna", 1)

    assert seats_with_own_luck(match) == (0, 1)
    verify_log(quick, M)


def test_the_service_supplies_the_shares_of_absent_players(quick: Matches) -> None:
    event_table(quick)
    commit(quick, M, 0, "anna", 1)

    match = start_at(quick, 10)

    assert facts(quick, M)[-3:] == [ShareCommitted(1, SERVICE, "service"), TableClosed(SERVICE), SeatReady(1, SERVICE)]
    assert match.closed
    assert (match.status, start_at(quick, 11).version) == ("open", match.version)
    match = show(quick, M, 0, "anna", 1)
    assert (match.status, seats_with_own_luck(match)) == ("running", (0,))
    verify_log(quick, M)


def test_a_committed_player_who_does_not_open_gets_the_services_share(quick: Matches) -> None:
    event_table(quick)
    commit(quick, M, 0, "anna", 1)
    start_at(quick, 10)

    match = start_at(quick, 12)

    assert (match.status, seats_with_own_luck(match)) == ("running", ())
    assert match.seed is not None
    assert match.key == match_key(match.seed, [service_share(match.seed, M, seat) for seat in range(3)], M.bytes)
    verify_log(quick, M)


def test_the_service_opens_no_share_of_a_seat_that_nobody_waits_for(quick: Matches) -> None:
    event_table(quick)
    commit(quick, M, 0, "anna", 1)
    with pytest.raises(NotAllowed, match="the service cannot open the share of seat 0"):
        quick.ready(M, 0, SERVICE, at=START)
    with pytest.raises(NotAllowed, match="the service has no share for seat 1"):
        quick.commit_share(M, 1, SERVICE, at=START, share_commitment="ab" * 32)


@pytest.mark.parametrize("substitute", ["carl", BOT])
def test_a_substitute_at_a_closed_table_makes_all_shares_void_and_it_never_dissolves(
    quick: Matches, substitute: str
) -> None:
    event_table(quick)
    for number in range(4):
        commit(quick, M, 0, "anna", number)
        if quick.get(M).seats[1].is_person:
            commit(quick, M, 1, quick.get(M).seats[1].actor or "", number)
        assert quick.get(M).closed
        wanted = ("bea", substitute)[number % 2 == 0]
        match = quick.transact(lambda batch: seat_substitute(batch, batch.match(M), 1, wanted, "bea"), at=START)  # noqa: B023

    assert (match.status, match.reopened, match.closed) == ("open", 4, False)
    verify_log(quick, M)
