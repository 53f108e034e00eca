"""Looks by arbiters of which the person concerned may know."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.roles.audit import IntegritySeen
from domain.roles.commands import keep_in_trail
from projections.catalogue import PROJECTIONS
from projections.looks import DISCREET, Look, looks_at
from projections.loop import Loop
from projections.platform.store import ReadStore
from tests.domain.disputes.disputing import E, M, appeals, raises, rules, running
from tests.projections.tables import START, matches_in

LATER = START + timedelta(hours=1)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


def looked(matches: Matches, **look: object) -> None:
    fact = IntegritySeen(by="art", role="arbiter", **look)  # type: ignore[arg-type]
    matches.transact(lambda batch: keep_in_trail(batch, fact), at=LATER)


def known(matches: Matches, store: ReadStore, person: str, days: float = 0) -> tuple[Look, ...]:
    Loop(matches, store, tuple(PROJECTIONS.values())).catch_up()
    return looks_at(store, person, LATER + timedelta(days=days))


def test_a_look_is_disclosed_once_the_dispute_is_closed(matches: Matches, store: ReadStore) -> None:
    match = running(matches)
    raises(matches, match.version)
    looked(matches, match=M, named=("anna", "bea"))
    before = known(matches, store, "anna", 89)
    rules(matches, 100)

    assert before == ()
    assert known(matches, store, "anna") == (Look(LATER, "arbiter", "", M),)
    assert known(matches, store, "bea") == known(matches, store, "anna")
    assert known(matches, store, "carl") == (), "no figure of his was shown"


def test_after_ninety_days_a_look_is_disclosed_although_the_dispute_waits(matches: Matches, store: ReadStore) -> None:
    match = running(matches)
    raises(matches, match.version)
    looked(matches, match=M, named=("anna",))

    assert known(matches, store, "anna", DISCREET.days - 1) == ()
    assert known(matches, store, "anna", DISCREET.days) == (Look(LATER, "arbiter", "", M),)


def test_a_look_without_an_open_dispute_is_disclosed_at_once(matches: Matches, store: ReadStore) -> None:
    """Disputes that were closed before, are raised later, or concern another event do not matter."""
    match = running(matches)
    raises(matches, match.version)
    rules(matches, 100)
    looked(matches, match=M, named=("anna",))
    looked(matches, person="anna", event="cup", named=("anna",))
    raises(matches, match.version, by="bea", id=E, at=LATER + timedelta(minutes=1))

    assert [look.match_id for look in known(matches, store, "anna")] == [None, M]


def test_a_look_stays_hidden_while_another_dispute_waits(matches: Matches, store: ReadStore) -> None:
    match = running(matches)
    raises(matches, match.version)
    rules(matches, 100)
    raises(matches, match.version, by="bea", id=E)
    looked(matches, match=M, named=("anna",))
    before = known(matches, store, "anna")
    rules(matches, 101, id=E)

    assert before == ()
    assert known(matches, store, "anna") == (Look(LATER, "arbiter", "", M),)


def test_an_appeal_hides_only_later_looks(matches: Matches, store: ReadStore) -> None:
    match = running(matches)
    raises(matches, match.version)
    rules(matches, 100)
    appeals(matches)
    looked(matches, match=M, named=("anna",))

    assert known(matches, store, "anna") == ()
