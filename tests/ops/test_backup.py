"""A backup contains the data that cannot be rebuilt, and a service starts from it."""

from pathlib import Path

import msgspec
import pytest

from api.accounts.people import People
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from ops.cli import main
from ops.stores import settings_for
from tests.api.service import PASSWORD, behind_sockets
from tests.seeding import entropy

DECKS = Path("la_granja") / "deck"


def test_a_backup_taken_while_the_service_runs_holds_log_people_and_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    (data / DECKS).mkdir(parents=True)
    (data / DECKS / "notes.txt").write_text("a file of the operator's")
    with behind_sockets(data) as service:
        token = service.token_of("Ann")
        match_id = service.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"]
        assert main(["backup", str(copy), "--data", str(data), "--json"]) == 0
    document = msgspec.json.decode(capsys.readouterr().out)
    # A service that has not signed anything yet has no latest checkpoint.
    written = [name for name in document["written"] if name != "latest.checkpoint"]
    assert written == ["tree.db", "log.db", "people.db", "la_granja/deck"]
    assert (copy / "log.db").stat().st_mode & 0o077 == 0

    with behind_sockets(copy) as service:
        assert service.ask("GET", f"/matches/{match_id}")[1]["status"] == "open"
        assert service.ask("POST", "/tokens", {"name": "Ann", "password": PASSWORD})[0] == 201
    assert (copy / DECKS / "notes.txt").is_file()


def test_a_backup_into_a_used_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = settings_for(tmp_path)
    People(settings.people_place).close()
    assert main(["backup", str(tmp_path / "copy"), "--data", str(tmp_path)]) == 1
    assert "log.db" in capsys.readouterr().err
    open_store(store_env(settings.log_file or ""), entropy=entropy()).close()

    assert main(["backup", str(tmp_path), "--data", str(tmp_path)]) == 2
    assert "is not an empty folder" in capsys.readouterr().err
    assert main(["backup", str(tmp_path / "copy"), "--data", str(tmp_path)]) == 0
