"""Records with values that no tournament has are refused, also where a replay would not notice."""

from __future__ import annotations

from typing import Any, Final

import pytest

from domain.matches.errors import LogFault
from domain.proofs.record_form import require_form
from domain.tournaments import facts
from domain.tournaments.claim_facts import ResultClaimed, ResultConfirmed
from domain.tournaments.fact_base import SeatedAnew
from tests.domain.matches.match_helpers import uuid
from tests.domain.tournaments.building import BY, Story

STORY: Final = Story(4).set(("e1", "e2"), ("e3", "e4"))
PROBLEM: Final = STORY.state.rounds[0].problem


def seat_anew(table: int, *entries: str, byes: tuple[str, ...] = ()) -> facts.TablesReseated:
    return facts.TablesReseated(BY, 1, (SeatedAnew(table, entries, uuid(1), ()),), byes, (), "Swapped.")


def propose(*tables: tuple[str, ...], byes: tuple[str, ...] = ()) -> facts.PairingProposed:
    return facts.PairingProposed(1, tables, byes, (), tuple(() for _ in tables), "tables")


POSSIBLE: Final = (
    facts.EntryMade(BY, "e5"),
    facts.EntryPromoted("e1"),
    facts.RoundClosed(BY, 1),
    facts.ResultEntered(BY, 1, 2, (1, 1), (1, 1)),
    facts.PairingAsked(BY, 2, 0, PROBLEM, "tables"),
    propose(("e1", "e2"), byes=("e3", "e4")),
    seat_anew(2, "e1", "e4"),
)
IMPOSSIBLE: Final = (
    (facts.EntryMade(BY, "e4"), "the entry 'e4' is made twice"),
    (facts.EntryPromoted("e9"), "there is no entry 'e9'"),
    (facts.RoundClosed(BY, 2), "there is no round 2"),
    (facts.RoundClosed(BY, 0), "there is no round 0"),
    (facts.ResultWithdrawn(BY, 1, 0), "round 1 has no table 0"),
    (facts.ResultRuled(BY, 1, 3, (1, 1), (1, 1), "So."), "round 1 has no table 3"),
    (ResultClaimed(1, 3, "e1", (1, 1), (1, 1), uuid(1)), "round 1 has no table 3"),
    (ResultConfirmed(2, 1, "e1", "e2", uuid(1)), "there is no round 2"),
    (facts.ResultEntered(BY, 1, 2, (1, 1), (0, 1)), "there is no place 0"),
    (facts.PairingAsked(BY, 0, 0, PROBLEM, "tables"), "there is no round 0"),
    (facts.PairingAsked(BY, 2, -1, PROBLEM, "tables"), "there is no stage -1"),
    (propose(("e1", "e9")), "there is no entry 'e9'"),
    (propose(("e1", "e2"), byes=("e9",)), "there is no entry 'e9'"),
    (seat_anew(1, "e1", "e9"), "there is no entry 'e9'"),
    (seat_anew(3, "e1", "e2"), "round 1 has no table 3"),
    (seat_anew(0, "e1", "e2"), "round 1 has no table 0"),
)


@pytest.mark.parametrize("fact", POSSIBLE, ids=lambda fact: type(fact).__name__)
def test_a_possible_record_is_accepted(fact: Any) -> None:
    require_form(STORY.state, fact)


@pytest.mark.parametrize(("fact", "why"), IMPOSSIBLE, ids=[why for _, why in IMPOSSIBLE])
def test_an_impossible_record_is_refused(fact: Any, why: str) -> None:
    with pytest.raises(LogFault, match=why):
        require_form(STORY.state, fact)
