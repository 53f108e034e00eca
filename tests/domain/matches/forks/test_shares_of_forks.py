"""Forks with fresh luck wait for the shares of their players (DESIGN §3, docs/specifications/chance.md)."""

from datetime import timedelta
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.kernel.chance import match_key
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.consequences import append_one
from domain.matches.errors import ForkRefused, NotAllowed, NotOpen
from domain.matches.facts import (
    SERVICE,
    Clock,
    Luck,
    SeatReady,
    ShareCommitted,
    Table,
)
from domain.matches.forks.forking import fork
from domain.matches.log.entries import ALL, Reader
from domain.matches.log.log_files import log_of, read_log
from domain.matches.play.deadlines import deadline, pass_deadline
from domain.matches.seats.luck_shares import seats_with_own_luck, service_share
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import (
    ALL_TITLES,
    BOT,
    START,
    act_once,
    commit,
    forge_entry,
    make_share,
    play_out,
    resume_match,
    show,
    start_match,
    uuid,
    verify_log,
    version_of,
)

GOLDEN = Path(__file__).parents[3] / "golden"
M, F = uuid(1), uuid(2)
LIVE = Table(clock=Clock("per_move", 60))
MINUTES = timedelta(minutes=2)


def fork_finished(matches: Matches, *, own_luck: bool) -> Match:
    """Fork a finished match of Anna's."""
    match = play_out(matches, start_match(matches, M, ("anna", BOT, "bea"), table=LIVE))
    assert match.started_version is not None
    return fork_match(
        matches,
        M,
        at_version=match.started_version + 3,
        new_id=F,
        luck="fresh",
        by="anna",
        at=START,
        seats=("anna", BOT, BOT),
        awaits_own_luck=own_luck,
    )


def resumed_line(matches: Matches) -> Match:
    """Resume the match from its start by a ruling."""
    match = matches.get(M)
    assert match.started_version is not None
    return resume_match(matches, M, match.started_version, F)


def test_a_fork_waits_for_the_shares_of_its_fresh_luck(sqlite: Matches) -> None:
    """Otherwise seeds could be tried until the dice fell as wanted, because all other inputs would be known."""
    match = fork_finished(sqlite, own_luck=True)
    assert (match.status, match.key, seats_to_act(match)) == ("waiting", None, ())
    with pytest.raises(NotAllowed, match="has not committed"):
        show(sqlite, F, 0, "anna", 1)
    commit(sqlite, F, 0, "anna", 1)

    match = show(sqlite, F, 0, "anna", 1)

    assert match.status == "running"
    assert match.seed is not None
    shares = [bytes.fromhex(make_share(1).share), service_share(match.seed, F, 1), service_share(match.seed, F, 2)]
    assert match.key == match_key(match.seed, shares, F.bytes)
    verify_log(sqlite, F)
    play_out(sqlite, match)
    verify_log(sqlite, F)


def test_a_fork_continues_with_the_services_share_after_the_deadline(sqlite: Matches) -> None:
    match = fork_finished(sqlite, own_luck=True)
    assert deadline(match) == START + MINUTES

    match = pass_deadline(sqlite, F, expected_version=match.version, at=START + MINUTES)

    assert (match.status, seats_with_own_luck(match)) == ("running", ())
    assert match.clocks[0].left == 60_000_000
    verify_log(sqlite, F)


def test_a_committed_player_of_a_fork_who_does_not_open_gets_the_services_share(sqlite: Matches) -> None:
    fork_finished(sqlite, own_luck=True)
    match = commit(sqlite, F, 0, "anna", 1)
    assert match.closed

    match = pass_deadline(sqlite, F, expected_version=match.version, at=START + MINUTES)

    assert (match.status, seats_with_own_luck(match)) == ("running", ())
    verify_log(sqlite, F)


def test_a_fork_without_awaited_shares_starts_at_once(sqlite: Matches) -> None:
    match = fork_finished(sqlite, own_luck=False)

    assert (match.status, seats_with_own_luck(match)) == ("running", ())
    verify_log(sqlite, F)


def test_seats_are_not_taken_or_left_after_play_has_begun(sqlite: Matches) -> None:
    fork_finished(sqlite, own_luck=True)

    with pytest.raises(NotOpen):
        sqlite.take_seat(F, 1, "carl", at=START)
    with pytest.raises(NotOpen):
        sqlite.leave_seat(F, 0, "anna", at=START)


@pytest.mark.parametrize(
    ("luck", "awaits", "why"),
    [
        ("same", (0,), "a fork with the same luck takes no shares of luck"),
        ("fresh", (1,), "no person"),
        ("fresh", (7,), "no person"),
        ("fresh", (2, 0), "in order"),
    ],
)
def test_a_fork_awaits_shares_of_people_for_fresh_luck_only(
    sqlite: Matches, luck: Luck, awaits: tuple[int, ...], why: str
) -> None:
    match = play_out(sqlite, start_match(sqlite, M, ("anna", BOT, "bea")))
    assert match.started_version is not None
    base = sqlite.at(M, match.started_version)

    with pytest.raises(ForkRefused, match=why):
        fork(
            base,
            luck=luck,
            by="anna",
            seats=("anna", BOT, "bea"),
            seed=bytes(32),
            parent_is_over=True,
            awaits=awaits,
        )


def test_a_waiting_line_ends_when_one_seat_is_left(sqlite: Matches) -> None:
    act_once(sqlite, start_match(sqlite, M, ("anna", "bea"), table=LIVE))
    line = resumed_line(sqlite)
    assert (line.status, [info.share_by for info in line.seats]) == ("waiting", ["awaited", "awaited"])

    match = sqlite.resign(F, 0, "anna", at=START)

    assert match.status == "ended"
    verify_log(sqlite, F)


def test_a_player_who_hands_over_to_a_bot_is_no_longer_awaited(sqlite: Matches) -> None:
    act_once(sqlite, start_match(sqlite, M, ("anna", "bea"), table=LIVE))
    resumed_line(sqlite)
    sqlite.replace_seat(F, 0, "anna", actor=BOT, at=START)
    commit(sqlite, F, 1, "bea", 1)

    match = show(sqlite, F, 1, "bea", 1)

    assert (match.status, seats_with_own_luck(match)) == ("running", (1,))
    verify_log(sqlite, F)


@pytest.mark.parametrize("number", [0, 1, 3])
def test_a_line_does_not_change_its_format(number: int) -> None:
    """In format 1 the service alone determined the luck of a fork."""
    log = read_log(GOLDEN / "el_grande-forked-own-luck.jsonl")
    version = version_of(log, "match_forked")

    report = verify(forge_entry(log, version, lambda body: body.update(format=number)))

    assert report.fault is not None
    assert report.fault.entry in (version, None)


def test_a_line_continues_once_all_committed_shares_are_open(sqlite: Matches) -> None:
    act_once(sqlite, start_match(sqlite, M, ("anna", "bea"), table=LIVE))
    resumed_line(sqlite)
    match = commit(sqlite, F, 0, "anna", 1)
    match = pass_deadline(sqlite, F, expected_version=match.version, at=START + MINUTES)
    assert (match.closed, [info.ready for info in match.seats]) == (True, [False, True])

    match = show(sqlite, F, 0, "anna", 1, START + MINUTES)

    assert (match.status, seats_with_own_luck(match)) == ("running", (0,))
    verify_log(sqlite, F)


@pytest.mark.parametrize("reader", [ALL, None])
@pytest.mark.parametrize("commits", [True, False])
def test_the_service_supplies_no_share_before_the_deadline(sqlite: Matches, commits: bool, reader: Reader) -> None:
    """Otherwise the service could determine the luck of the line with its seed."""
    act_once(sqlite, start_match(sqlite, M, ("anna", "bea"), table=LIVE))
    match = resumed_line(sqlite)
    early = START + MINUTES - timedelta(seconds=1)
    if commits:
        commit(sqlite, F, 0, "anna", 1)
        match = commit(sqlite, F, 1, "bea", 2)
    fact = SeatReady(0, SERVICE) if commits else ShareCommitted(0, SERVICE, "service")
    entry = append_one(match, fact, early, F)[1]

    report = verify(log_of((*sqlite.entries(F), entry), reader), titles=ALL_TITLES)

    assert report.fault is not None
    assert "has until" in report.fault.why


def test_a_seat_taken_over_in_a_closed_line_leaves_its_share_to_the_service(sqlite: Matches) -> None:
    """Otherwise the line would wait forever, because all other shares are fixed."""
    act_once(sqlite, start_match(sqlite, M, ("anna", "bea"), table=LIVE))
    resumed_line(sqlite)
    for seat, name in enumerate(("anna", "bea")):
        commit(sqlite, F, seat, name, seat)
    show(sqlite, F, 0, "anna", 0)
    match = sqlite.replace_seat(F, 1, SERVICE, actor="carl", at=START)
    with pytest.raises(NotAllowed, match="all shares are fixed"):
        commit(sqlite, F, 1, "carl", 1)

    match = pass_deadline(sqlite, F, expected_version=match.version, at=START + MINUTES)

    assert (match.status, seats_with_own_luck(match)) == ("running", (0,))
    verify_log(sqlite, F)


def test_a_line_that_waits_has_no_luck_that_a_fork_could_keep(sqlite: Matches) -> None:
    act_once(sqlite, start_match(sqlite, M, ("anna", "bea"), table=LIVE))

    with pytest.raises(ForkRefused, match="still waits for shares of luck"):
        fork(resumed_line(sqlite), luck="same", by="anna", seed=bytes(32), parent_is_over=True)
