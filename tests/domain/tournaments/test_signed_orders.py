"""Organisers sign their decisions about tables; the service signs its automatic steps."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.errors import OrderUnsigned
from domain.matches.rulings.orders import StreamHead, check_order
from domain.tournaments import commands, rounds
from domain.tournaments.state import TOURNAMENT, Tournament
from tests.domain.tournaments.building import AT, BY, EVENT
from tests.domain.tournaments.test_commands import start_event
from tests.signing import Pen, signing

HOUSE, ORGANISER, STRANGER = Pen("house"), Pen("organiser"), Pen("stranger")


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"), service_key=HOUSE)
    start_event(matches, "ann", "ben")
    matches.dependencies.official_keys = lambda _batch, actor: (ORGANISER.key,) if actor == BY else ()
    yield matches
    matches.close()


def test_a_ruling_on_a_table_is_signed_by_the_organiser(matches: Matches) -> None:
    commands.open_table(matches, EVENT, 1, 1, at=AT)

    def rules() -> Any:
        def ruling(state: Tournament) -> Any:
            return rounds.rule_table(state, 1, 1, (1, 0), (1, 2), "late", BY)

        return commands.rule_table(matches, EVENT, ruling, at=AT)

    with pytest.raises(OrderUnsigned):
        signing(matches, STRANGER, rules)
    signing(matches, ORGANISER, rules)
    record = matches.streams.records(EVENT)[-1]
    fact = TOURNAMENT.read(record)

    assert msgspec.json.decode(record.body)["signed"]["key"] == ORGANISER.key
    check_order(fact, StreamHead(EVENT, record.version - 1, record.previous))
