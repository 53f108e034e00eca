"""Logs of paired tables: both verifiers check who opens them and when they dissolve."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final
from uuid import UUID

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.eventstore.log_files import export_log
from domain.matches.entropy import server_seed
from domain.matches.facts import SERVICE, Table
from domain.matches.log.entries import ALL
from domain.matches.log.log_files import log_bytes
from domain.matches.seats.event_tables import open_table
from domain.matches.seats.opening import take_seat
from domain.proofs.match import verify_content
from tests.domain.matches.match_helpers import ALL_TITLES, START, TOY, play_out, uuid
from tests.projections.tables import matches_in
from tests.transparency.logs import Log, content, rechain
from tests.transparency.second import SecondVerifier

PLAYERS: Final = ("anna", "bea")
M, LEFT = uuid(1), uuid(2)


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matches]:
    with matches_in(tmp_path_factory.mktemp("paired") / "log.db", titles=ALL_TITLES) as matches:
        for match_id in (M, LEFT):
            pair(matches, match_id)
        for seat, player in enumerate(PLAYERS):
            match = matches.ready(M, seat, player, at=START)
            matches.leave_seat(LEFT, seat, player, at=START)
        play_out(matches, match)
        yield matches
        matches.close()


def pair(matches: Matches, match_id: UUID) -> None:
    def compose(batch: Batch) -> None:
        seed = server_seed(matches.entropy, match_id)
        match = open_table(batch, TOY, match_id, seats=2, options={}, table=Table(), by=SERVICE, seed=seed, paired=True)
        for seat, player in enumerate(PLAYERS):
            match = batch.add(match_id, take_seat(match, seat, player))

    matches.transact(compose, at=START)


def opened_by_a_player(log: Log) -> int:
    log.body(0)["by"] = "anna"
    return 1


def with_hints(log: Log) -> int:
    log.body(0)["table"]["hints"] = True
    return 1


def dissolved_by_its_player(log: Log) -> int:
    log.body(-1)["by"] = "bea"
    return len(log.entries)


def no_longer_marked(log: Log) -> int:
    """Without the flag, the table does not dissolve when all players have left, or only for another reason."""
    del log.body(0)["paired"]
    log.body(-1)["by"] = "anna"
    return len(log.entries)


@pytest.mark.parametrize("match_id", [M, LEFT])
def test_both_accept_played_and_dissolved_paired_tables(
    second_verifier: SecondVerifier, matches: Matches, match_id: UUID
) -> None:
    log = log_bytes(export_log(matches, match_id, ALL, at=START))

    assert (verify_content(log, titles=ALL_TITLES).fault, second_verifier.examine(log).fault) == (None, None)


@pytest.mark.parametrize("damage", [opened_by_a_player, with_hints, dissolved_by_its_player, no_longer_marked])
def test_both_refuse_what_such_a_table_cannot_have(
    second_verifier: SecondVerifier, matches: Matches, damage: Callable[[Log], int]
) -> None:
    log = Log(log_bytes(export_log(matches, LEFT, ALL, at=START)))
    entry = damage(log)
    rechain(log)
    first, fault = verify_content(content(log), titles=ALL_TITLES).fault, second_verifier.examine(content(log)).fault

    assert first is not None
    assert fault is not None
    assert (first.entry, fault.entry) == (entry, entry), (first, fault)
