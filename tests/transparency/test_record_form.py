"""Both verifiers refuse records that no tournament has, and count the same rounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

import pytest

from domain.proofs.event import verify_event
from tests.transparency.second import SecondVerifier
from tests.transparency.whole import PLAN, PROBLEM, Cup, file_of

Forgery = Callable[[Cup], None]
KEY: Final = str(UUID(int=7))
RESULT: Final = {"round": 2, "scores": [1, 0], "places": [1, 2], "key": KEY}


def change_plan(**changes: Any) -> Forgery:
    return lambda tournament: tournament.say("plan_changed", by="olga", plan=PLAN | changes, signs=False)


def saying(kind: str, **fields: Any) -> Forgery:
    return lambda tournament: tournament.say(kind, **fields)


def confirm_own_claim(tournament: Cup) -> None:
    tournament.say("result_claimed", table=1, entry="b", **RESULT, signs=False)
    tournament.say("result_confirmed", round=2, table=1, entry="b", agreesWith="b", key=KEY, signs=False)


IMPOSSIBLE: Final[dict[str, Forgery]] = {
    "an entry that is made twice": saying("entry_made", by="anna", entry="a", actor="anna", signs=False),
    "an unknown entry": saying("entry_withdrawn", by="olga", entry="z", signs=False),
    "an unknown round": saying("round_closed", by="olga", round=7),
    "an unknown table": saying("result_entered", by="olga", round=2, table=2, scores=[1, 0], places=[1, 2]),
    "place 0": saying("result_entered", by="olga", round=2, table=1, scores=[1, 0], places=[0, 1]),
    "a claim at an unknown table": saying("result_claimed", table=9, entry="b", **RESULT, signs=False),
    "a claim in round 0": saying("result_claimed", table=1, entry="b", **(RESULT | {"round": 0}), signs=False),
    "a claim that confirms itself": confirm_own_claim,
    "an absence from no table": saying("no_show_noted", by="olga", round=2, entry="c"),
    "a return to no table": saying("no_show_withdrawn", by="olga", round=2, entry="c", reason="x"),
    "a match without a table": saying("round_published", by="olga", round=2, matches=[KEY, KEY], signs=False),
    "an unknown measure": change_plan(scoring={"measure": "luck"}),
    "a bye worth more than anything": change_plan(scoring={"bye": 10**9}),
    "a negative list of points": change_plan(scoring={"points": [{"size": 2, "points": [-1]}]}),
    "an unknown kind of stage": change_plan(stages=[{"kind": "lottery", "rounds": 3}]),
    "a stage without a kind": change_plan(stages=[{"rounds": 3}]),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_both_refuse_a_record_that_no_tournament_has(second_verifier: SecondVerifier, name: str) -> None:
    tournament = Cup()
    tournament.pair(1, [["a", "b"]], ["c"], tournament.matches[0])
    tournament.say("round_closed", by="olga", round=1)
    tournament.pair(2, [["b", "a"]], ["c"], tournament.matches[1])
    IMPOSSIBLE[name](tournament)
    tournament.say("tournament_ended", by="olga")
    content = file_of(tournament.lines())
    first, second = verify_event(content).fault, second_verifier.examine(content).fault

    assert first is not None
    assert first.part == "tournament"
    assert "record " in first.why
    assert second is not None
    assert second.part == {"name": "records"}


ASKED: Final = {"by": "olga", "round": 3, "stage": 0, "problem": PROBLEM, "way": "tables"}
EDITED: Final = {"tables": [["c", "a"]], "byes": ["b"], "levels": [], "reasons": [[]], "reason": "x"}
UNDONE: Final[dict[str, Forgery]] = {
    "failed": saying("pairing_failed", round=3, why="x", signs=False),
    "edited": saying("pairing_edited", by="olga", round=3, **EDITED, signs=False),
}


@pytest.mark.parametrize("name", UNDONE)
def test_both_leave_out_a_round_whose_pairing_is_undone(second_verifier: SecondVerifier, name: str) -> None:
    """In format 1, in which nothing proves the authors: the standings that count the round are false."""
    tournament = Cup()
    tournament.play()
    UNDONE[name](tournament)
    content = file_of(tournament.lines())
    first, second = verify_event(content).fault, second_verifier.examine(content).fault

    assert first is not None
    assert first.kind == "standings"
    assert second is not None
    assert second.part == {"name": "standings"}


def test_both_refuse_a_tournament_that_goes_on_after_its_end(second_verifier: SecondVerifier) -> None:
    tournament = Cup()
    tournament.play()
    tournament.say("pairing_asked", **(ASKED | {"round": 4}), signs=False)
    content = file_of(tournament.lines())
    first, second = verify_event(content).fault, second_verifier.examine(content).fault

    assert first is not None
    assert first.why == "the tournament has not ended"
    assert second is not None
    assert second.why == "the tournament has not ended"


def test_both_leave_out_a_table_without_a_match_in_an_open_round(second_verifier: SecondVerifier) -> None:
    """In format 1, in which a round may stay open; the match of the next table is its own."""
    tournament = Cup()
    for entry in ("x", "y"):
        tournament.say("entry_made", by="olga", entry=entry, name=entry, signs=False)
    tournament.pair(1, [["x", "y"], ["a", "b"]], ["c"], tournament.matches[1], tournament.matches[0])
    tournament.matches.pop()
    tournament.say("tournament_ended", by="olga")
    content = file_of(tournament.lines())
    first, second = verify_event(content).fault, second_verifier.examine(content).fault

    assert first is not None
    assert first.kind == "standings"
    assert second is not None
    assert second.part == {"name": "standings"}
