"""Looks by arbiters of which the person concerned may know."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.roles.audit import IntegritySeen
from domain.roles.commands import append_to_trail
from projections.catalogue import PROJECTIONS
from projections.integrity_looks import DISCREET, Look, looks_at
from projections.loop import FollowerLoop
from projections.platform.store import ReadStore
from tests.domain.disputes.disputing import E, M, file_appeal, give_ruling, raise_dispute, start_running_match
from tests.projections.tables import START, matches_in

LATER = START + timedelta(hours=1)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


def record_look(matches: Matches, **look: object) -> None:
    fact = IntegritySeen(by="art", role="arbiter", **look)  # type: ignore[arg-type]
    matches.transact(lambda batch: append_to_trail(batch, fact), at=LATER)


def visible_looks(matches: Matches, store: ReadStore, person: str, days: float = 0) -> tuple[Look, ...]:
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()
    return looks_at(store, person, LATER + timedelta(days=days))


def test_a_look_is_disclosed_once_the_dispute_is_closed(matches: Matches, store: ReadStore) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    record_look(matches, match=M, named=("anna", "bea"))
    before = visible_looks(matches, store, "anna", 89)
    give_ruling(matches, 100)

    assert before == ()
    assert visible_looks(matches, store, "anna") == (Look(LATER, "arbiter", "", M),)
    assert visible_looks(matches, store, "bea") == visible_looks(matches, store, "anna")
    assert visible_looks(matches, store, "carl") == (), "no figure of his was shown"


def test_after_ninety_days_a_look_is_disclosed_although_the_dispute_waits(matches: Matches, store: ReadStore) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    record_look(matches, match=M, named=("anna",))

    assert visible_looks(matches, store, "anna", DISCREET.days - 1) == ()
    assert visible_looks(matches, store, "anna", DISCREET.days) == (Look(LATER, "arbiter", "", M),)


def test_a_look_without_an_open_dispute_is_disclosed_at_once(matches: Matches, store: ReadStore) -> None:
    """Disputes that were closed before, are raised later, or concern another event do not matter."""
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    give_ruling(matches, 100)
    record_look(matches, match=M, named=("anna",))
    record_look(matches, person="anna", event="cup", named=("anna",))
    raise_dispute(matches, match.version, by="bea", id=E, at=LATER + timedelta(minutes=1))

    assert [look.match_id for look in visible_looks(matches, store, "anna")] == [None, M]


def test_a_look_stays_hidden_while_another_dispute_waits(matches: Matches, store: ReadStore) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    give_ruling(matches, 100)
    raise_dispute(matches, match.version, by="bea", id=E)
    record_look(matches, match=M, named=("anna",))
    before = visible_looks(matches, store, "anna")
    give_ruling(matches, 101, id=E)

    assert before == ()
    assert visible_looks(matches, store, "anna") == (Look(LATER, "arbiter", "", M),)


def test_an_appeal_hides_only_later_looks(matches: Matches, store: ReadStore) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    give_ruling(matches, 100)
    file_appeal(matches)
    record_look(matches, match=M, named=("anna",))

    assert visible_looks(matches, store, "anna") == ()
