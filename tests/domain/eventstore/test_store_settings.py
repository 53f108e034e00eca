"""Parsing of PostgreSQL addresses for the driver."""

import pytest

from domain.eventstore.store_settings import store_env


@pytest.mark.parametrize(
    ("address", "hosts", "ports"),
    [
        ("postgresql://ann@one,two/log", "one,two", "5432"),
        ("postgresql://ann:a,b:c@one:5433,two/log", "one,two", "5433,5432"),
        ("postgresql://[::1]:5433,two:5434/log?target_session_attrs=read-write", "::1,two", "5433,5434"),
        ("postgresql://[::1]/log", "::1", "5432"),
        ("postgresql://%2Frun%2Fpostgresql/log", "/run/postgresql", "5432"),
        ("postgresql:///log?host=/run/postgresql&port=5433", "/run/postgresql", "5433"),
        ("postgresql:///log", "127.0.0.1", "5432"),
    ],
)
def test_an_address_names_one_host_or_several(address: str, hosts: str, ports: str) -> None:
    settings = store_env(address)

    assert (settings["POSTGRES_HOST"], settings["POSTGRES_PORT"]) == (hosts, ports)
