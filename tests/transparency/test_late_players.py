"""Two players of a closed table are late: the service signs each removal, and both verifiers agree."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Final

from domain.eventstore.log_files import export_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.facts import Clock, Table
from domain.matches.log.entries import ALL
from domain.matches.log.log_files import log_bytes
from domain.matches.play.deadlines import pass_deadline
from domain.proofs.match import verify_content
from tests.domain.matches.match_helpers import ALL_TITLES, START, sit, uuid
from tests.seeding import entropy
from tests.signing import Pen
from tests.transparency.logs import Log, content, rechain
from tests.transparency.second import SecondVerifier

M: Final = uuid(1)
LIVE: Final = Table(clock=Clock("per_move", 60))


def late_players(folder: Path) -> bytes:
    """Return the log of a table of three that was closed, and where no one was ready in time."""
    matches = open_store(
        store_env(folder / "m.sqlite"), titles=ALL_TITLES, entropy=entropy(), service_key=Pen("the house")
    )
    try:
        matches.open(M, title="la_granja", seats=3, by="anna", at=START, table=LIVE)
        for seat, player in enumerate(("anna", "bea", "carl")):
            match = sit(matches, M, seat, player, seat)
        pass_deadline(matches, M, expected_version=match.version, at=START + timedelta(minutes=2))
        return log_bytes(export_log(matches, M, ALL, at=START))
    finally:
        matches.close()


def test_the_service_signs_the_removal_of_every_late_player(second_verifier: SecondVerifier, tmp_path: Path) -> None:
    log = Log(late_players(tmp_path))
    removals = log.indices("seat_left")

    assert len(removals) == 3
    assert verify_content(content(log)).fault is None
    assert second_verifier.examine(content(log)).fault is None
    for index in removals:
        forged = Log(content(log))
        del forged.body(index)["signed"]
        rechain(forged, index)
        first, second = verify_content(content(forged)).fault, second_verifier.examine(content(forged)).fault
        assert [None if fault is None else fault.entry for fault in (first, second)] == [index + 1] * 2
