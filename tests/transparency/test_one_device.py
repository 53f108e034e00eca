"""Logs of tables on one device: both verifiers reject what such tables cannot have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.matches.entropy import server_seed
from domain.matches.facts import Table
from domain.matches.log.entries import ALL
from domain.matches.log.log_files import log_bytes
from domain.matches.seats.event_tables import begin_on_one_device
from domain.proofs.match import verify_content
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, START, TOY, play_out, uuid
from tests.projections.tables import matches_in
from tests.transparency.logs import Log, content, rechain
from tests.transparency.second import SecondVerifier

LOCALS: Final = ("local-" + "a" * 32, "local-" + "b" * 32)
M: Final = uuid(1)


@pytest.fixture
def device_log(tmp_path: Path) -> Iterator[bytes]:
    with matches_in(tmp_path / "log.db", titles=ALL_TITLES) as matches:
        yield log_bytes(played_on_one_device(matches))
        matches.close()


def played_on_one_device(matches: Matches) -> Any:
    match = matches.transact(
        lambda batch: begin_on_one_device(
            batch,
            TOY,
            M,
            players=(*LOCALS, BOT),
            options={},
            table=Table(one_device=True),
            by="opener",
            seed=server_seed(matches.entropy, M),
        ),
        at=START,
    )
    return export_log(matches, play_out(matches, match).id, ALL, at=START)


def change(kind: str, **fields: Any) -> Callable[[Log], int]:
    """Change fields of the first such fact not by a bot; return the index of the first invalid entry."""

    def change_log(log: Log) -> int:
        index = next(index for index in log.indices(kind) if log.body(index)["by"] != BOT)
        body = log.body(index)
        container = body["table"] if kind == "match_opened" else body
        last = {name: container.pop(name) for name in ("oneDevice",) if name in container}
        container |= fields | last
        for name in [name for name, value in container.items() if value is None]:
            del container[name]
        return index + 1

    return change_log


FALSE: Final[dict[str, Callable[[Log], int]]] = {
    "a clock": change("match_opened", clock={"kind": "per_move", "seconds": 60, "increment": 0}),
    "rated": change("match_opened", rated=True),
    "hints": change("match_opened", hints=True),
    "somebody with an account": change("seat_taken", by="zoe"),
    "a guest of no standing": change("seat_ready", standing=None),
}


def test_both_accept_a_match_on_one_device(second_verifier: SecondVerifier, device_log: bytes) -> None:
    report = second_verifier.examine(device_log)

    assert (verify_content(device_log, titles=ALL_TITLES).fault, report.fault) == (None, None)
    assert report.own_luck == []


def test_both_refuse_what_such_a_table_cannot_have(second_verifier: SecondVerifier, device_log: bytes) -> None:
    for name, damage in FALSE.items():
        log = Log(device_log)
        entry = damage(log)
        rechain(log)
        first, fault = (
            verify_content(content(log), titles=ALL_TITLES).fault,
            second_verifier.examine(content(log)).fault,
        )
        assert first is not None, name
        assert fault is not None, name
        assert (first.entry, fault.entry) == (entry, entry), (name, first, fault)


def test_local_guests_sit_at_no_other_table(second_verifier: SecondVerifier, device_log: bytes) -> None:
    log = Log(device_log)
    del log.body(0)["table"]["oneDevice"]
    rechain(log)
    first, fault = verify_content(content(log), titles=ALL_TITLES).fault, second_verifier.examine(content(log)).fault

    assert first is not None
    assert fault is not None
    assert (first.entry, fault.entry) == (2, 2)
