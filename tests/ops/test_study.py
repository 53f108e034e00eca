"""`esporles study` and `esporles dispute`, with a running service and without."""

from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.eventstore.log_files import import_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.log.log_files import read_log
from domain.studies import commands
from domain.studies.facts import PlaceMarked, Shape, StudyPlace
from domain.studies.state import STUDY
from ops.cli import main
from ops.service_client import ServiceAddress, write_address
from ops.stores import settings_for
from tests.api.service import SERVICE_TOKEN, behind_sockets
from tests.domain.matches.match_helpers import START
from tests.seeding import entropy

GOLDEN = Path(__file__).parent.parent / "golden" / "el_grande-2-eager-0.jsonl"
T = UUID(int=80)


def store_of(folder: Path) -> Matches:
    folder.mkdir(exist_ok=True)
    return open_store(store_env(settings_for(folder).log_file or ""), entropy=entropy())


@pytest.fixture
def service_folder(tmp_path: Path) -> Path:
    """Provide a store with a finished match and a study of it."""
    folder = tmp_path / "service"
    matches = store_of(folder)
    match = import_log(matches, read_log(GOLDEN), by="olga", at=START)
    commands.open_study(matches, T, match.id, title="Golden", visibility="public", by="anna", at=START)
    commands.add_comment(matches, T, StudyPlace(20), "A *fine* move", by="anna", at=START)
    matches.close()
    return folder


def run(*args: str) -> int:
    return main(["study", *args])


def test_a_study_moves_between_services_as_one_file(
    service_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, report, other = tmp_path / "study.jsonl", tmp_path / "study.md", tmp_path / "other"
    other.mkdir()
    assert run("export", str(T), "--out", str(file), "--log", "--data", str(service_folder)) == 0
    assert run("export", str(T), "--out", str(report), "--report", "--data", str(service_folder)) == 0
    assert "> A *fine* move" in report.read_text()

    assert run("import", str(file), "--data", str(other), "--json") == 0

    assert msgspec.json.decode(capsys.readouterr().out.splitlines()[-1])["study"] == str(T)
    store, other_store = store_of(service_folder), store_of(other)
    assert other_store.streams.get(STUDY, T) == store.streams.get(STUDY, T)
    store.close()
    other_store.close()
    second_export = tmp_path / "again.jsonl"
    assert run("export", str(T), "--out", str(second_export), "--log", "--data", str(other)) == 0
    assert second_export.read_bytes() == file.read_bytes()


def test_only_the_running_service_imports_marks(
    service_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the process that draws the board knows whether it has the marked parts."""
    file, other = tmp_path / "study.jsonl", tmp_path / "other"
    other.mkdir()
    store = store_of(service_folder)
    marked = PlaceMarked(by="anna", at=StudyPlace(20), shapes=(Shape("area-nowhere"),))
    commands.add_fact(store, T, marked, at=START)
    store.close()
    assert run("export", str(T), "--out", str(file), "--log", "--data", str(service_folder)) == 0

    assert run("import", str(file), "--data", str(other)) == 1
    assert "which only the running service can check" in capsys.readouterr().err
    with behind_sockets(other) as service:
        write_address(other, ServiceAddress(str(service.path), SERVICE_TOKEN))
        assert run("import", str(file), "--data", str(other)) == 1
    assert "the file marks 'area-nowhere'" in capsys.readouterr().err


def test_the_running_service_imports_and_exports_studies(service_folder: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "study.jsonl", tmp_path / "other"
    other.mkdir()
    run("export", str(T), "--out", str(file), "--log", "--data", str(service_folder))
    with behind_sockets(other) as service:
        write_address(other, ServiceAddress(str(service.path), SERVICE_TOKEN))
        assert run("import", str(file), "--data", str(other)) == 0
        second_export = tmp_path / "again.jsonl"
        assert run("export", str(T), "--out", str(second_export), "--log", "--data", str(other)) == 0
        assert second_export.read_bytes() == file.read_bytes()
        assert main(["dispute", "list", "--data", str(other), "--json"]) == 0
        assert main(["dispute", "show", str(T), "--data", str(other)]) == 1
        ruling = ["--by", "anna", "--rule", "4", "--reasons", "so", "--points", "1:2", "--result", "1,2:2,1"]
        assert main(["dispute", "rule", str(T), *ruling, "--data", str(other)]) == 1


@pytest.mark.parametrize(
    ("args", "status"),
    [
        (("study", "export", "no-id", "--out", "x"), 2),
        (("study", "export", str(T)), 2),
        (("study", "export", str(T), "--out", "x", "--log", "--report"), 2),
        (("study", "import", "no-file"), 2),
        (("dispute", "list"), 1),
        (("dispute", "show", "no-id"), 2),
        (("dispute", "rule", str(T)), 2),
        (("dispute", "rule", str(T), "--by", "a", "--rule", "1", "--reasons", "b", "--points", "x"), 2),
        (("dispute", "rule", str(T), "--by", "a", "--rule", "1", "--reasons", "b", "--result", "x"), 2),
    ],
)
def test_impossible_commands_are_explained(tmp_path: Path, args: tuple[str, ...], status: int) -> None:
    assert main([*args, "--data", str(tmp_path)]) == status


def test_a_false_study_file_is_a_finding(
    service_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "study.jsonl"
    run("export", str(T), "--out", str(file), "--data", str(service_folder))
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run("import", str(file), "--data", str(empty)) == 1
    file.write_bytes(file.read_bytes().replace(b"fine", b"poor"))

    assert run("import", str(file), "--data", str(service_folder)) == 1
    assert "entry 2: the line is not the canonical encoding" in capsys.readouterr().err
