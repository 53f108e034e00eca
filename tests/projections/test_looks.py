"""Looks by arbiters of which the person concerned may know."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from domain.disputes import commands
from domain.matches.application import Matches
from domain.roles.audit import IntegritySeen
from domain.roles.commands import keep_in_trail
from projections.catalogue import PROJECTIONS
from projections.looks import DISCREET, Look, looks_at
from projections.loop import Loop
from projections.store import ReadStore
from tests.domain.disputes.disputing import D, M, raises, rules, running
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


def test_a_look_is_told_once_the_dispute_is_closed(matches: Matches, store: ReadStore) -> None:
    match = running(matches)
    raises(matches, match.version)
    looked(matches, match=M, named=("anna", "bea"))
    before = known(matches, store, "anna", 89)
    rules(matches, 100)

    assert before == ()
    assert known(matches, store, "anna") == (Look(LATER, "arbiter", "", M),)
    assert known(matches, store, "bea") == known(matches, store, "anna")
    assert known(matches, store, "carl") == (), "no figure of his was shown"


def test_without_a_dispute_a_look_is_told_after_ninety_days(matches: Matches, store: ReadStore) -> None:
    looked(matches, person="anna", event="cup", named=("anna",))

    assert known(matches, store, "anna", DISCREET.days - 1) == ()
    assert known(matches, store, "anna", DISCREET.days) == (Look(LATER, "arbiter", "cup", None),)


def test_a_dispute_of_another_event_or_of_later_does_not_tell(matches: Matches, store: ReadStore) -> None:
    match = running(matches)
    looked(matches, person="anna", event="cup")
    raises(matches, match.version)
    commands.withdraw_(matches, D, by="anna", at=LATER)

    assert known(matches, store, "anna") == ()
