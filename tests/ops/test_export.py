"""`esporles export`: invalid seats are refused, and exports of hidden data are recorded even without the service."""

from contextlib import closing
from pathlib import Path

import pytest

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.facts import SERVICE
from domain.roles.audit import AUDIT, AUDIT_STREAM, AuditFact, LogExported, LogImported
from ops.cli import main
from ops.service_client import ServiceAddress, write_address
from ops.stores import settings_for
from tests.api.service import SERVICE_TOKEN, behind_sockets
from tests.seeding import entropy


def export_refusal(capsys: pytest.CaptureFixture[str], folder: Path, match_id: str, seat: int) -> str:
    """Return the refusal of `export --seat`."""
    out = folder / "out.jsonl"
    command = ["export", match_id, "--data", str(folder), "--out", str(out), "--seat", str(seat)]
    assert main(command) == 2
    assert not out.exists()
    return capsys.readouterr().err


@pytest.mark.parametrize("seat", [2, -1])
def test_a_seat_the_match_does_not_have_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seat: int
) -> None:
    with behind_sockets(tmp_path) as service:
        token = service.token_of("Ann")
        match_id = service.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"]
        write_address(tmp_path, ServiceAddress(str(service.path), SERVICE_TOKEN))
        while_running = export_refusal(capsys, tmp_path, match_id, seat)
    while_stopped = export_refusal(capsys, tmp_path, match_id, seat)

    assert while_running == while_stopped == f"esporles export: invalid --seat {seat}: expected a seat from 0 to 1\n"


def trail(folder: Path) -> list[AuditFact]:
    """Return the content of the audit trail."""
    file = settings_for(folder).log_file
    assert file is not None
    with closing(open_store(store_env(file), entropy=entropy())) as matches:
        return [AUDIT.read(record) for record in matches.streams.records(AUDIT_STREAM)]


@pytest.mark.parametrize(("choice", "whole"), [(("--whole",), True), (("--seat", "1"), False), ((), None)])
def test_exports_of_hidden_data_are_recorded_while_the_service_is_stopped(
    tmp_path: Path, choice: tuple[str, ...], whole: bool | None
) -> None:
    with behind_sockets(tmp_path) as service:
        token = service.token_of("Ann")
        match_id = service.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"]

    assert main(["export", match_id, "--data", str(tmp_path), "--out", str(tmp_path / "out.jsonl"), *choice]) == 0

    exports = [fact for fact in trail(tmp_path) if isinstance(fact, LogExported)]
    assert [(str(fact.match), fact.whole, fact.by) for fact in exports] == (
        [] if whole is None else [(match_id, whole, SERVICE)]
    )


def test_an_import_is_in_the_audit_trail_once(tmp_path: Path) -> None:
    log = tmp_path / "m.jsonl"
    assert (
        main(["play", "--title", "el_grande", "--bots", "random", "--players", "2", "--seed", "02", "--out", str(log)])
        == 0
    )

    for _ in range(2):
        assert main(["import", str(log), "--data", str(tmp_path)]) == 0

    (imported,) = trail(tmp_path)
    assert isinstance(imported, LogImported)
    assert imported.by == SERVICE
