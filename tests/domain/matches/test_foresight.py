"""Before an action is taken it can be said whether it brings in chance at once, from what its seat sees alone."""

import pytest

from domain.kernel.rules import IllegalAction
from domain.matches.aggregate import legal_actions, seats_to_act
from domain.matches.application import Matches
from domain.matches.foresight import draws_at_once
from tests.domain.matches.toy import AddPearl, Play
from tests.domain.matches.world import START, facts, started, uuid

M = uuid(1)


def test_what_was_said_of_an_action_is_what_it_then_did(quick: Matches) -> None:
    match = started(quick, M, ("anna", "bea"))
    said = set()
    while match.status == "running" and (seats := [seat for seat in seats_to_act(match) if seat >= 0]):
        seat = seats[0]
        action = legal_actions(match, seat)[-1]
        told = draws_at_once(match, seat, action)
        by = match.seats[seat].actor
        assert by is not None
        version = match.version
        match = quick.act(M, seat, by, action, expected_version=version, at=START)
        assert told == bool(facts(quick, M)[version].draws)
        said.add((type(action), told))

    assert (Play, False) in said
    assert {told for _, told in said} == {True, False}


def test_what_is_not_legal_is_not_tried(quick: Matches) -> None:
    match = started(quick, M, ("anna", "bea"))

    with pytest.raises(IllegalAction):
        draws_at_once(match, 0, AddPearl())
