"""`esporles retire` voids exactly the matches under rules that are no longer played."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from uuid import UUID

import msgspec
import pytest

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.title import AnyRules, Titles
from domain.titles import TITLES
from ops.cli import main
from ops.service_client import ServiceAddress, write_address
from ops.stores import settings_for
from tests.api.service import SERVICE_TOKEN, behind_sockets
from tests.domain.matches.match_helpers import BOT, START, act_once, play_out, start_match
from tests.seeding import entropy

OLD, OLD_TABLE, ENDED, PRESENT = (UUID(int=number) for number in range(1, 5))


def titles_before() -> Titles:
    """El Grande with an outdated version of its rules."""
    title = TITLES["el_grande"]
    rules = SimpleNamespace(**{**vars(title.rules), "RULES_VERSION": title.rules.RULES_VERSION - 1})
    return {"el_grande": replace(title, rules=cast("AnyRules", rules))}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Provide a store with matches of both versions."""
    file = settings_for(tmp_path).log_file
    assert file is not None
    with closing(open_store(store_env(file), titles=titles_before(), entropy=entropy())) as old_matches:
        act_once(old_matches, start_match(old_matches, OLD, ("ann", "ben"), title="el_grande"))
        old_matches.open(OLD_TABLE, title="el_grande", seats=2, by="ann", at=START)
        play_out(old_matches, start_match(old_matches, ENDED, (BOT, BOT), title="el_grande"))
    with closing(open_store(store_env(file), entropy=entropy())) as current_matches:
        start_match(current_matches, PRESENT, ("ann", "ben"), title="el_grande")
    return tmp_path


def statuses(data: Path) -> dict[UUID, str]:
    file = settings_for(data).log_file
    assert file is not None
    with closing(open_store(store_env(file), entropy=entropy())) as matches:
        return {each: matches.get(each).status for each in (OLD, OLD_TABLE, ENDED, PRESENT)}


def test_matches_under_retired_rules_are_voided_with_a_notice(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retire", "--data", str(data), "--json"]) == 0

    document = msgspec.json.decode(capsys.readouterr().out)
    assert {each["match"]: each["status"] for each in document["voided"]} == {
        str(OLD): "running",
        str(OLD_TABLE): "open",
    }
    assert statuses(data) == {OLD: "void", OLD_TABLE: "void", ENDED: "ended", PRESENT: "running"}

    assert main(["retire", "--data", str(data)]) == 0
    assert "no running match uses retired rules" in capsys.readouterr().out


def test_listing_changes_nothing(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = statuses(data)

    assert main(["retire", "--list", "--data", str(data)]) == 0

    assert str(OLD) in capsys.readouterr().out
    assert statuses(data) == before


def test_a_running_service_prevents_retiring(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with behind_sockets(data) as service:
        write_address(data, ServiceAddress(str(service.path), SERVICE_TOKEN))
        assert main(["retire", "--data", str(data)]) == 1

    assert "stop it" in capsys.readouterr().err


def test_the_log_of_an_ended_match_is_shown_with_its_unchecked_parts(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "m.jsonl"
    assert main(["export", str(ENDED), "--out", str(out), "--data", str(data)]) == 0

    assert main(["verify", str(out)]) == 0

    assert "of the rules is no longer supported" in capsys.readouterr().out
