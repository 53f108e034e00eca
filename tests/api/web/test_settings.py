"""What the service takes from its environment."""

from pathlib import Path

import pytest

from api.settings import BadSetting, Settings
from workers.bots import BOTS


def test_an_empty_environment_keeps_everything_in_one_folder() -> None:
    settings = Settings.from_environment({})

    assert settings.data == Path("var")
    assert settings.log_file == Path("var/log.db")
    assert settings.reads_url == "sqlite:///var/reads.db"
    assert settings.demo


def test_a_postgresql_store_is_no_file() -> None:
    settings = Settings.from_environment({"ESPORLES_STORE": "postgresql://somewhere/esporles"})

    assert settings.log_file is None


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("ESPORLES_STORE", "mysql://x"),
        ("ESPORLES_READS", "x"),
        ("ESPORLES_PORT", "70000"),
        ("ESPORLES_PORT", "eighty"),
        ("ESPORLES_DEMO", "maybe"),
        ("ESPORLES_SOCKET", "/" + "x" * 200),
    ],
)
def test_a_bad_value_is_refused_by_name(name: str, word: str) -> None:
    with pytest.raises(BadSetting, match=name):
        Settings.from_environment({name: word})


def test_the_bots_that_can_be_asked_for_are_those_the_workers_have() -> None:
    assert sorted(f"bot:{bot}" for bot in Settings().bots) == sorted(kind.actor for kind in BOTS.values())
