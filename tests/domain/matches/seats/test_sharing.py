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


def test_shares_are_committed_to_then_the_table_is_closed_then_they_are_opened(sqlite: Matches) -> None:
    match = close_table(sqlite)
    assert (match.closed, match.status) == (True, "open")
    show(sqlite, M, 2, "bea", 2)
    match = show(sqlite, M, 0, "anna", 1)

    assert match.status == "running"
    assert kinds(sqlite) == [
        "MatchOpened",
        *("SeatTaken", "SeatTaken", "SeatReady", "SeatTaken"),
        *("TableClosed", "SeatReady", "SeatReady", "MatchStarted"),
    ]
    assert match.seed is not None
    shares = (bytes.fromhex(make_share(1).share), service_share(match.seed, M, 1), bytes.fromhex(make_share(2).share))
    assert match.key == match_key(match.seed, shares, M.bytes)
    assert seats_with_own_luck(match) == (0, 2)
    verify_log(sqlite, M)


def test_no_share_is_opened_while_a_seat_is_free(sqlite: Matches) -> None:
    """The service and one accomplice could choose the accomplice's share if all other shares were known."""
    table(sqlite)
    before = sit(sqlite, M, 0, "anna", 1)

    with pytest.raises(NotAllowed, match="not closed yet"):
        show(sqlite, M, 0, "anna", 1)
    assert sqlite.get(M).version == before.version
    early = SeatReady(0, "anna", make_share(1).share, make_share(1).salt)
    entry = append_one(before, early, START, M)[1]
    report = verify(log_of((*sqlite.entries(M), entry)), titles=sqlite.titles)
    assert report.fault is not None
    assert "not closed yet" in report.fault.why


@pytest.mark.parametrize(
    ("share", "salt", "expected"),
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
    sqlite: Matches, share: str | None, salt: str | None, expected: str
) -> None:
    before = close_table(sqlite)

    with pytest.raises(WrongShare, match=expected):
        sqlite.ready(M, 0, "anna", at=START, share=share, salt=salt)
    assert sqlite.get(M).version == before.version


def test_the_share_of_a_bot_is_fixed_by_the_opening(sqlite: Matches) -> None:
    """Otherwise sitting down and leaving would change the bot's share."""
    match = table(sqlite, 3)
    assert match.seed is not None
    for _ in range(3):
        sqlite.take_seat(M, 1, BOT, at=START)
        sqlite.leave_seat(M, 1, "anna", at=START)
    sqlite.take_seat(M, 0, BOT, at=START)
    sqlite.take_seat(M, 2, BOT, at=START)
    match = sqlite.take_seat(M, 1, BOT, at=START)

    assert match.seed is not None
    assert match.key == match_key(match.seed, [service_share(match.seed, M, seat) for seat in range(3)], M.bytes)
    assert seats_with_own_luck(match) == ()
    verify_log(sqlite, M)


def test_the_commitment_of_another_seat_player_or_match_is_good_for_nobody_else(sqlite: Matches) -> None:
    table(sqlite, 3)
    first = sit(sqlite, M, 0, "anna", 1).seats[0].share_commitment
    sqlite.take_seat(M, 1, BOT, at=START)
    sqlite.take_seat(M, 2, "bea", at=START, share_commitment=first)
    show(sqlite, M, 0, "anna", 1)

    with pytest.raises(WrongShare, match="do not open its commitment"):
        show(sqlite, M, 2, "bea", 1)
    share, salt = (bytes.fromhex(part) for part in make_share(1))
    places = [(M, 0, "anna"), (F, 0, "anna"), (M, 1, "anna"), (M, 0, "bea")]
    assert len({share_commitment(id, seat, actor, salt, share) for id, seat, actor in places}) == 4


def test_leaving_a_closed_table_voids_all_shares(sqlite: Matches) -> None:
    before = close_table(sqlite)
    show(sqlite, M, 0, "anna", 1)

    match = sqlite.leave_seat(M, 2, "bea", at=START)

    assert [type(fact) for fact in facts(sqlite, M)[-3:]] == [SeatLeft, TableReopened, SeatReady]
    assert (match.closed, match.reopened, match.seats[0].share_by) == (False, 1, "awaited")
    assert match.seed != before.seed
    sit(sqlite, M, 2, "carl", 3)
    with pytest.raises(NotAllowed, match="has not committed"):
        show(sqlite, M, 0, "anna", 1)
    commit(sqlite, M, 0, "anna", 4)
    show(sqlite, M, 0, "anna", 4)
    match = show(sqlite, M, 2, "carl", 3)
    assert match.seed is not None
    shares = (bytes.fromhex(make_share(4).share), service_share(match.seed, M, 1), bytes.fromhex(make_share(3).share))
    assert match.key == match_key(match.seed, shares, M.bytes)
    play_out(sqlite, match)
    verify_log(sqlite, M)


def test_leaving_a_table_that_was_never_closed_changes_no_luck(sqlite: Matches) -> None:
    table(sqlite, 3)
    sit(sqlite, M, 0, "anna", 1)
    before = sit(sqlite, M, 1, "bea", 2)

    match = sqlite.leave_seat(M, 1, "bea", at=START)

    assert (match.seed, match.reopened, match.seats[0].share_by) == (before.seed, 0, "client")


def test_a_table_that_was_left_three_times_after_it_was_closed_dissolves(sqlite: Matches) -> None:
    table(sqlite)
    sit(sqlite, M, 0, "anna", 0)
    for number, player in enumerate(("bea", "carl", "dora"), 1):
        sit(sqlite, M, 1, player, number)
        commit(sqlite, M, 0, "anna", number) if number > 1 else None
        match = sqlite.leave_seat(M, 1, player, at=START)

    assert (match.status, match.reopened) == ("void", 3)
    assert facts(sqlite, M)[-1] == Voided(SERVICE, LEFT_TOO_OFTEN)
    verify_log(sqlite, M)


def test_a_player_who_commits_but_does_not_open_in_time_loses_the_seat(sqlite: Matches) -> None:
    match = close_table(sqlite)
    assert deadline(match) == START + MINUTES

    match = pass_deadline(sqlite, M, expected_version=match.version, at=START + MINUTES)

    assert [info.actor for info in match.seats] == [None, BOT, None]
    assert kinds(sqlite)[-4:] == ["SeatLeft", "SeatLeft", "TableReopened", "SeatReady"]
    verify_log(sqlite, M)


def test_a_player_who_does_not_commit_in_time_loses_the_seat(sqlite: Matches) -> None:
    table(sqlite)
    sit(sqlite, M, 0, "anna", 1)
    match = sqlite.take_seat(M, 1, "bea", at=START, share_by="awaited")
    assert not match.closed

    match = pass_deadline(sqlite, M, expected_version=match.version, at=START + MINUTES)

    assert [info.actor for info in match.seats] == ["anna", None]
    assert (match.reopened, match.seats[0].share_by) == (0, "client")
    verify_log(sqlite, M)


def test_a_commitment_can_be_replaced_until_the_table_is_closed(sqlite: Matches) -> None:
    table(sqlite)
    sqlite.take_seat(M, 0, "anna", at=START, share_by="awaited")
    once = commit(sqlite, M, 0, "anna", 1)
    assert commit(sqlite, M, 0, "anna", 1).version == once.version
    match = sqlite.commit_share(M, 0, "anna", at=START)
    assert match.seats[0].share_by == "service"
    commit(sqlite, M, 0, "anna", 2)
    match = sit(sqlite, M, 1, "bea", 3)

    with pytest.raises(NotAllowed, match="is closed: all shares are fixed"):
        commit(sqlite, M, 0, "anna", 4)
    with pytest.raises(NotAllowed, match="is closed: all shares are fixed"):
        sqlite.commit_share(M, 1, "bea", at=START)
    with pytest.raises(NotSeated):
        commit_share(match, 0, "bea")
    sqlite.open(F, title="toy", seats=2, by="anna", at=START)
    with pytest.raises(NotAllowed, match="the bot 'bot:random@1' cannot have a share of luck"):
        sqlite.take_seat(F, 0, BOT, at=START, share_by="awaited")
    show(sqlite, M, 0, "anna", 2)
    match = show(sqlite, M, 1, "bea", 3)
    with pytest.raises(NotOpen, match="is not waiting for shares of luck"):
        commit(sqlite, M, 0, "anna", 4)
    with pytest.raises(NotOpen, match="has started"):
        ready(match, 0, "anna")


def test_ready_players_and_the_service_cannot_commit(sqlite: Matches) -> None:
    table(sqlite)
    sqlite.take_seat(M, 0, "anna", at=START, share_by="awaited")
    match = sqlite.ready(M, 0, "anna", at=START)
    assert (match.seats[0].share_by, match.seats[0].ready) == ("service", True)
    assert sqlite.ready(M, 0, "anna", at=START).version == match.version

    with pytest.raises(NotAllowed, match="seat 0 is already ready"):
        commit(sqlite, M, 0, "anna", 1)
    with pytest.raises(NotSeated):
        commit_share(match, 0, SERVICE)
    sqlite.take_seat(M, 1, "bea", at=START)
    with pytest.raises(WrongShare, match="has no committed share to open"):
        show(sqlite, M, 1, "bea", 2)


def event_table(matches: Matches) -> Match:
    """Seat Anna, Bea and a bot as a tournament does."""
    matches.open(M, title="toy", seats=3, by=SERVICE, at=START, table=Table(clock=LIVE.clock, event="cup"))
    seat_entrants(matches, M, "anna", "bea", BOT, at=START)
    return matches.get(M)


def start_at(matches: Matches, minutes: int) -> Match:
    at = START + timedelta(minutes=minutes)
    return matches.transact(lambda batch: start_without_late_players(batch, batch.match(M), matches.standing), at=at)


def test_entrants_bring_their_own_shares_when_they_come(sqlite: Matches) -> None:
    match = event_table(sqlite)
    assert [info.share_by for info in match.seats] == ["awaited", "awaited", "service"]
    assert deadline(match) is None

    commit(sqlite, M, 0, "anna", 1)
    commit(sqlite, M, 1, "bea", 2)
    show(sqlite, M, 1, "bea", 2)
    match = show(sqlite, M, 0, "anna", 1)

    assert seats_with_own_luck(match) == (0, 1)
    verify_log(sqlite, M)


def test_the_service_supplies_the_shares_of_absent_players(sqlite: Matches) -> None:
    event_table(sqlite)
    commit(sqlite, M, 0, "anna", 1)

    match = start_at(sqlite, 10)

    assert facts(sqlite, M)[-3:] == [ShareCommitted(1, SERVICE, "service"), TableClosed(SERVICE), SeatReady(1, SERVICE)]
    assert match.closed
    assert (match.status, start_at(sqlite, 11).version) == ("open", match.version)
    match = show(sqlite, M, 0, "anna", 1)
    assert (match.status, seats_with_own_luck(match)) == ("running", (0,))
    verify_log(sqlite, M)


def test_a_committed_player_who_does_not_open_gets_the_services_share(sqlite: Matches) -> None:
    event_table(sqlite)
    commit(sqlite, M, 0, "anna", 1)
    start_at(sqlite, 10)

    match = start_at(sqlite, 12)

    assert (match.status, seats_with_own_luck(match)) == ("running", ())
    assert match.seed is not None
    assert match.key == match_key(match.seed, [service_share(match.seed, M, seat) for seat in range(3)], M.bytes)
    verify_log(sqlite, M)


def test_the_service_opens_no_share_of_a_seat_that_nobody_waits_for(sqlite: Matches) -> None:
    event_table(sqlite)
    commit(sqlite, M, 0, "anna", 1)
    with pytest.raises(NotAllowed, match="the service cannot open the share of seat 0"):
        sqlite.ready(M, 0, SERVICE, at=START)
    with pytest.raises(NotAllowed, match="the service has no share for seat 1"):
        sqlite.commit_share(M, 1, SERVICE, at=START, share_commitment="ab" * 32)


@pytest.mark.parametrize("substitute", ["carl", BOT])
def test_a_substitute_at_a_closed_table_makes_all_shares_void_and_it_never_dissolves(
    sqlite: Matches, substitute: str
) -> None:
    event_table(sqlite)
    for number in range(4):
        commit(sqlite, M, 0, "anna", number)
        if sqlite.get(M).seats[1].is_person:
            commit(sqlite, M, 1, sqlite.get(M).seats[1].actor or "", number)
        assert sqlite.get(M).closed
        wanted = ("bea", substitute)[number % 2 == 0]
        match = sqlite.transact(lambda batch: seat_substitute(batch, batch.match(M), 1, wanted, "bea"), at=START)  # noqa: B023

    assert (match.status, match.reopened, match.closed) == ("open", 4, False)
    verify_log(sqlite, M)
