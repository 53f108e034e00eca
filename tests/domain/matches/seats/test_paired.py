"""Tables for paired players: opened by the service, without an opener, and dissolved when all players have left."""

from datetime import timedelta
from typing import Any

import pytest

from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.entropy import server_seed
from domain.matches.errors import NotAllowed, NotSeated
from domain.matches.facts import SERVICE, Clock, MatchOpened, Table, Voided
from domain.matches.play.deadlines import pass_deadline
from domain.matches.seats.event_tables import open_table
from domain.matches.seats.opening import NOBODY_LEFT, READY_LIVE, open_match, take_seat
from tests.domain.matches.match_helpers import START, TOY, facts, play_out, uuid, verify_log

M = uuid(1)
LIVE = Table(clock=Clock("per_move", 60))


def open_paired_table(matches: Matches, *players: str) -> Match:
    def compose(batch: Any) -> Match:
        seed = server_seed(matches.entropy, M)
        match = open_table(
            batch, TOY, M, seats=len(players), options={}, table=LIVE, by=SERVICE, seed=seed, paired=True
        )
        for seat, player in enumerate(players):
            match = batch.add(M, take_seat(match, seat, player))
        return match

    return matches.transact(compose, at=START)


def test_a_paired_table_has_no_opener(sqlite: Matches) -> None:
    match = open_paired_table(sqlite, "anna", "bea")

    assert (match.opened_by, match.paired, match.status) == (SERVICE, True, "open")
    assert not match.is_demonstration
    for person in ("anna", "bea", "carl"):
        with pytest.raises(NotAllowed, match="cannot void match"):
            sqlite.void(M, by=person, at=START)
    with pytest.raises(NotSeated, match="'anna' may not leave seat 1"):
        sqlite.leave_seat(M, 1, "anna", at=START)
    for seat, person in enumerate(("anna", "bea")):
        match = sqlite.ready(M, seat, person, at=START)
    play_out(sqlite, match)
    verify_log(sqlite, M)


def test_a_paired_table_dissolves_when_all_players_have_left(sqlite: Matches) -> None:
    open_paired_table(sqlite, "anna", "bea")
    left = sqlite.leave_seat(M, 0, "anna", at=START)
    again = sqlite.take_seat(M, 0, "carl", at=START)
    sqlite.leave_seat(M, 1, "bea", at=START)

    match = sqlite.leave_seat(M, 0, "carl", at=START)

    assert (left.status, again.status, match.status) == ("open", "open", "void")
    assert facts(sqlite, M)[-1] == Voided(SERVICE, NOBODY_LEFT)
    verify_log(sqlite, M)


def test_a_paired_table_dissolves_when_no_player_gets_ready(sqlite: Matches) -> None:
    match = open_paired_table(sqlite, "anna", "bea")

    match = pass_deadline(sqlite, M, expected_version=match.version, at=START + READY_LIVE + timedelta(seconds=1))

    assert match.status == "void"
    assert facts(sqlite, M)[-1] == Voided(SERVICE, NOBODY_LEFT)
    verify_log(sqlite, M)


@pytest.mark.parametrize(
    ("by", "table"),
    [
        ("anna", Table()),
        (SERVICE, Table(event=str(M))),
        (SERVICE, Table(hints=True)),
        (SERVICE, Table(one_device=True)),
    ],
)
def test_only_the_service_opens_a_paired_table(by: str, table: Table) -> None:
    with pytest.raises(NotAllowed, match="of paired people"):
        open_match(TOY, seats=2, options={}, table=table, by=by, seed=b"\x01" * 32, paired=True)


def test_other_tables_do_not_encode_the_paired_flag(sqlite: Matches) -> None:
    sqlite.open(M, title="toy", seats=2, by="anna", at=START)

    (entry,) = sqlite.entries(M)
    assert b"paired" not in bytes(entry.body)
    assert isinstance(facts(sqlite, M)[0], MatchOpened)
