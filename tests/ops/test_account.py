"""`esporles account`: roles are recorded whether the service runs or not; passwords, erasure and keys."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from api.accounts.access import SESSION_DAYS
from api.accounts.people import People
from api.clubs.store import ClubTexts
from domain.clubs.commands import change_club, found_club
from domain.clubs.facts import ClubFounded
from domain.clubs.membership import join
from domain.clubs.state import CLUB
from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.roles.commands import roles_of
from ops.cli import main
from ops.keys import fingerprint
from ops.service_client import ServiceAddress, write_address
from ops.stores import settings_for
from projections.platform.clock import now
from tests.api.service import PASSWORD, SERVICE_TOKEN, behind_sockets
from tests.seeding import entropy


@pytest.fixture
def anna(tmp_path: Path) -> str:
    people = People(settings_for(tmp_path).people_place)
    people.create("Anna", PASSWORD, now())
    people.close()
    return "Anna"


def account(folder: Path, *options: str) -> int:
    return main(["account", "role", "Anna", "--data", str(folder), "--json", *options])


@contextmanager
def open_log(folder: Path) -> Iterator[Matches]:
    matches = open_store(store_env(settings_for(folder).log_file or ""), entropy=entropy())
    try:
        yield matches
    finally:
        matches.close()


def granted_roles(folder: Path) -> set[tuple[str, str]]:
    with open_log(folder) as matches:
        return {(grant.role, grant.scope) for grant in roles_of(matches).grants}


def test_roles_are_granted_and_revoked_while_the_service_is_stopped(
    tmp_path: Path, anna: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert account(tmp_path, "--role", "operator") == 0
    assert account(tmp_path, "--role", "arbiter", "--event", "cup") == 0
    person = People(settings_for(tmp_path).people_place).by_name(anna)
    assert person is not None
    assert person.role == "operator"
    assert granted_roles(tmp_path) == {("operator", ""), ("arbiter", "cup")}

    capsys.readouterr()
    assert account(tmp_path, "--role", "arbiter", "--event", "cup", "--revoke") == 0
    document = msgspec.json.decode(capsys.readouterr().out)
    assert (document["role"], document["event"], document["granted"]) == ("arbiter", "cup", False)
    assert account(tmp_path, "--role", "player") == 0
    assert granted_roles(tmp_path) == set()


def test_the_running_service_records_the_role(tmp_path: Path, anna: str) -> None:
    with behind_sockets(tmp_path) as service:
        write_address(tmp_path, ServiceAddress(str(service.path), SERVICE_TOKEN))
        assert account(tmp_path, "--role", "organiser") == 0
        assert account(tmp_path, "--role", "operator", "--event", "cup") == 1

    assert granted_roles(tmp_path) == {("organiser", "")}


def test_invalid_roles_are_wrong_usage(tmp_path: Path, anna: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert account(tmp_path, "--role", "operator", "--event", "cup") == 2
    assert "the role operator cannot be limited to one event" in capsys.readouterr().err
    assert main(["account", "role", "Nobody", "--role", "arbiter", "--data", str(tmp_path)]) == 1


def test_a_new_password_ends_sessions_and_tokens(tmp_path: Path, anna: str) -> None:
    people = People(settings_for(tmp_path).people_place)
    person = people.check(anna, PASSWORD)
    session, (_, token) = people.access.start_session(person, now()), people.access.issue_token(person, "", now())
    command = [sys.executable, "-m", "ops.cli", "account", "password", anna, "--data", str(tmp_path)]

    process = subprocess.run(command, input="short\n", capture_output=True, text=True, check=False)
    assert (process.returncode, "8 to 256 characters, not 5" in process.stderr) == (2, True)
    bearer = people.access.bearer(token, now())
    assert bearer is not None
    assert bearer.person == person
    subprocess.run(command, input="another battery\n", capture_output=True, text=True, check=True)

    assert people.access.session(session, now()) is None
    assert people.access.bearer(token, now()) is None
    assert people.check(anna, "another battery") == person
    people.close()


def test_an_account_is_erased_by_name(tmp_path: Path, anna: str) -> None:
    assert main(["account", "erase", anna, "--data", str(tmp_path)]) == 0
    assert main(["account", "erase", anna, "--data", str(tmp_path)]) == 1


@pytest.mark.parametrize("is_running", [True, False])
def test_erasing_an_account_leaves_its_matches_and_clubs(tmp_path: Path, anna: str, is_running: bool) -> None:
    with closing(People(settings_for(tmp_path).people_place)) as people:
        person = people.by_name(anna)
    assert person is not None
    with open_log(tmp_path) as matches:
        matches.open(UUID(int=1), title="la_granja", seats=2, by=person.id, at=now())
        for seat, player in enumerate((person.id, "bela")):
            matches.take_seat(UUID(int=1), seat, player, at=now())
        for seat, player in enumerate((person.id, "bela")):
            matches.ready(UUID(int=1), seat, player, at=now())
        found_club(matches, UUID(int=2), ClubFounded("bela", "open"), at=now())
        found_club(matches, UUID(int=3), ClubFounded(person.id), at=now())
        change_club(matches, UUID(int=2), lambda club: join(club, person.id, now()), at=now())
        change_club(matches, UUID(int=3), lambda club: join(club, "bela", now()), at=now())
    with closing(ClubTexts(settings_for(tmp_path).people_place)) as texts:
        texts.set_message(UUID(int=3), person.id, "Hello")

    if is_running:
        with behind_sockets(tmp_path) as service:
            write_address(tmp_path, ServiceAddress(str(service.path), SERVICE_TOKEN))
            assert main(["account", "erase", anna, "--data", str(tmp_path)]) == 0
    else:
        assert main(["account", "erase", anna, "--data", str(tmp_path)]) == 0

    with open_log(tmp_path) as matches:
        assert matches.get(UUID(int=1)).seats[0].resigned
        left, closed = (matches.streams.get(CLUB, UUID(int=number)).state for number in (2, 3))
    assert tuple(left.members) == ("bela",)
    assert not closed.is_open
    with closing(ClubTexts(settings_for(tmp_path).people_place)) as texts:
        assert texts.messages(UUID(int=3)) == {}


def test_purge_erases_only_guests_without_a_trace(
    tmp_path: Path, anna: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Guests with a session, a token, an account or any table in the log are kept."""
    long_ago = now() - timedelta(days=SESSION_DAYS + 1)
    with closing(People(settings_for(tmp_path).people_place)) as people, open_log(tmp_path) as matches:
        traceless, opener, sitter, active, token_owner = (people.create_guest(long_ago) for _ in range(5))
        people.access.start_session(traceless, long_ago)
        people.access.start_session(active, now())
        people.access.issue_token(token_owner, "", long_ago)
        matches.open(UUID(int=1), title="la_granja", seats=2, by=opener.id, at=long_ago)
        matches.take_seat(UUID(int=1), 0, sitter.id, at=long_ago)
        matches.leave_seat(UUID(int=1), 0, sitter.id, at=long_ago)

        assert main(["account", "purge", "--data", str(tmp_path), "--json"]) == 0

        assert msgspec.json.decode(capsys.readouterr().out) == {"forgotten": [traceless.id]}
        assert people.find(traceless.id) is None
        kept_ids = (opener.id, sitter.id, active.id, token_owner.id)
        assert all(people.find(each) is not None for each in kept_ids)
        assert people.by_name(anna) is not None


@pytest.mark.parametrize("args", [["purge", "Anna"], ["erase"], ["create"]])
def test_a_missing_or_superfluous_name_is_wrong_usage(
    tmp_path: Path, args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["account", *args, "--data", str(tmp_path)]) == 2
    assert "NAME" in capsys.readouterr().err


def test_the_first_operator_has_a_key_that_the_grant_names(
    anna: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The fingerprint is printed; the key file is readable only by its owner and reused if it exists."""
    file = tmp_path / "anna.key"
    documents = []
    for role in ("operator", "organiser"):
        assert account(tmp_path, "--role", role, "--key", str(file)) == 0
        documents.append(msgspec.json.decode(capsys.readouterr().out))

    assert documents[0]["fingerprint"] == documents[1]["fingerprint"] == fingerprint(documents[0]["key"])
    assert documents[0]["fingerprint"].startswith("SHA256:")
    assert file.stat().st_mode & 0o777 == 0o600
    with open_log(tmp_path) as matches:
        assert {grant.keys for grant in roles_of(matches).grants} == {(documents[0]["key"],)}
    assert main(["account", "role", "Anna", "--data", str(tmp_path), "--role", "arbiter", "--key", str(file)]) == 0
    assert f"signs with {documents[0]['fingerprint']}" in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"ab" * 31, b"AB" * 32, b"\xff" * 64])
def test_a_file_that_holds_no_key_is_wrong_usage(
    anna: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    file = tmp_path / "anna.key"
    file.write_bytes(content)

    assert account(tmp_path, "--role", "operator", "--key", str(file)) == 2
    assert "invalid key in" in capsys.readouterr().err
    assert account(tmp_path, "--role", "operator", "--key", str(tmp_path / "no" / "folder")) == 2


def test_while_the_service_runs_a_key_is_registered_on_its_page(
    anna: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No account is created in vain either."""
    key, data = ("--key", str(tmp_path / "anna.key")), ("--data", str(tmp_path))
    command = [sys.executable, "-m", "ops.cli", "account", "create", "Bela", *key, *data]
    with behind_sockets(tmp_path) as service:
        write_address(tmp_path, ServiceAddress(str(service.path), SERVICE_TOKEN))
        assert account(tmp_path, "--role", "operator", *key) == 1
        assert "/account/keys" in capsys.readouterr().err
        process = subprocess.run(command, input=f"{PASSWORD}\n", capture_output=True, text=True, check=False)
        assert (process.returncode, "/account/keys" in process.stderr) == (1, True)
        assert main(["account", "role", "Bela", "--role", "arbiter", *data]) == 1
        assert "no account named 'Bela'" in capsys.readouterr().err


@pytest.mark.parametrize("file", ["bad.key", "no/folder/key"])
def test_no_account_is_created_for_a_bad_key_file(tmp_path: Path, file: str) -> None:
    (tmp_path / "bad.key").write_text("no key")
    key, data = ("--key", str(tmp_path / file)), ("--data", str(tmp_path / "data"))
    command = [sys.executable, "-m", "ops.cli", "account", "create", "Bela", *key, *data]

    refused = subprocess.run(command, input=f"{PASSWORD}\n", capture_output=True, text=True, check=False)

    assert (refused.returncode, str(tmp_path / file) in refused.stderr) == (2, True)
    with closing(People(settings_for(tmp_path / "data").people_place)) as people:
        assert people.by_name("Bela") is None


def test_no_account_is_created_and_no_key_registered_for_an_invalid_role(anna: str, tmp_path: Path) -> None:
    words = ["--role", "operator", "--event", "cup", "--data", str(tmp_path)]
    command = [sys.executable, "-m", "ops.cli", "account", "create", "Bela", *words]

    refused = subprocess.run(command, input=f"{PASSWORD}\n", capture_output=True, text=True, check=False)

    assert (refused.returncode, "cannot be limited to one event" in refused.stderr) == (2, True)
    with closing(People(settings_for(tmp_path).people_place)) as people:
        assert people.by_name("Bela") is None
    assert main(["account", "role", anna, "--key", str(tmp_path / "anna.key"), *words]) == 2
    assert not (tmp_path / "anna.key").exists()
