"""Habits count when a match ends, not before, and without actions taken back."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.kernel.values import replace
from domain.matches.aggregate import Match, Origin
from domain.matches.apply import fold
from domain.matches.facts import ActionTaken, MatchEnded, TakenBack, Voided
from domain.matches.log.entries import Entry
from domain.matches.log.log_files import read_log
from domain.matches.log.records import Record
from domain.matches.titles import read_fact
from domain.titles import TITLES
from projections.follow import FollowedStep
from projections.loop import FollowerLoop
from projections.matches import habits
from projections.platform.store import ReadStore

GOLDEN = Path(__file__).parents[2] / "golden"


class Line:
    """A log store with a single match."""

    titles = TITLES

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries

    def read_log_items(self, after: int, limit: int) -> list[tuple[int, Entry]]:
        return [(entry.version, entry) for entry in self.entries if entry.version > after][:limit]

    def verify_stream(self, event: Entry | Record) -> None:
        """Accept every stream, because there is no tree."""

    def is_imported(self, match_id: UUID) -> bool:
        del match_id
        return False

    def at(self, match_id: UUID, version: int) -> Match:
        del match_id
        return fold(TITLES, self.entries[:version])


def tag_of(fact: ActionTaken[Any, Any]) -> str:
    return str(fact.action.__struct_config__.tag) if fact.action is not None else ""


def golden(title: str) -> tuple[Entry, ...]:
    """Return a whole match of greedy bots."""
    return read_log(min(GOLDEN.glob(f"{title}-[34]-greedy-*.jsonl"))).entries


@pytest.mark.parametrize(
    ("title", "kinds"),
    [("el_grande", {"action_card", "region"}), ("la_granja", {"field", "barrow", "extension", "helper"})],
)
def test_choices_are_counted_once_the_match_has_ended(store: ReadStore, title: str, kinds: set[str]) -> None:
    entries = golden(title)
    line = Line(entries[:-1])
    loop = FollowerLoop(line, store, [habits])
    loop.catch_up()
    match = fold(TITLES, entries)
    players = {info.actor for info in match.seats if info.actor}
    before = [habit for player in players for habit in habits.of_player(store, player)]
    line.entries = entries
    loop.catch_up()
    found = [habit for player in players for habit in habits.of_player(store, player)]
    facts = [read_fact(match.definition, entry) for entry in entries]
    tags = [tag_of(fact) for fact in facts if isinstance(fact, ActionTaken)]

    assert before == []
    assert {habit.kind for habit in found} <= kinds
    assert {habit.title for habit in found} == {match.title}
    count = sum(habit.times for habit in found if habit.kind != "region")
    assert count == sum(tag in {"la_granja.play_card", "el_grande.take_action_card"} for tag in tags) > 0
    assert store.rows("SELECT * FROM habit_actions") == []


def test_taken_back_and_voided_choices_do_not_count(store: ReadStore) -> None:
    entries = golden("el_grande")
    match = fold(TITLES, entries)
    loop = FollowerLoop(Line(()), store, [habits])
    loop.catch_up()
    facts = ((entry, read_fact(match.definition, entry)) for entry in entries)
    actions = [(entry, fact) for entry, fact in facts if isinstance(fact, ActionTaken)]
    entry, fact = next(each for each in actions if tag_of(each[1]) == "el_grande.take_action_card")
    first = FollowedStep(entry.version, entry, fact, match)

    def happens(*steps: FollowedStep) -> list[tuple[object, ...]]:
        with store.transaction() as transaction:
            habits.follow(transaction, steps)
        return store.rows("SELECT version FROM habit_actions ORDER BY version")

    assert happens(first) == [(entry.version,)]
    back = FollowedStep(entry.version, entry, TakenBack(0, "ann", entry.version - 1), match)
    assert happens(back) == []
    assert happens(first) == [(entry.version,)]
    assert happens(FollowedStep(entry.version, entry, Voided("org", "power cut"), match)) == []
    assert happens(FollowedStep(entry.version, entry, MatchEnded((1, 0, 0), (1, 2, 2)), match)) == []
    assert habits.of_player(store, fact.by) == ()


def test_forks_and_imported_matches_do_not_count(store: ReadStore) -> None:
    entries = golden("el_grande")
    match = fold(TITLES, entries)
    FollowerLoop(Line(()), store, [habits]).catch_up()
    facts = ((entry, read_fact(match.definition, entry)) for entry in entries)
    actions = [(entry, fact) for entry, fact in facts if isinstance(fact, ActionTaken)]
    entry, fact = next(each for each in actions if tag_of(each[1]) == "el_grande.take_action_card")
    with store.transaction() as transaction:
        for tried in (
            FollowedStep(entry.version, entry, fact, match, imported=True),
            FollowedStep(entry.version, entry, fact, replace(match, origin=Origin(UUID(int=1), 4, "same"))),
        ):
            habits.follow(transaction, [tried])
    assert store.rows("SELECT * FROM habit_actions") == []
    resumed = replace(match, origin=Origin(UUID(int=1), 4, "same"), docket=replace(match.docket, ruling="r1"))
    with store.transaction() as transaction:
        habits.follow(transaction, [FollowedStep(entry.version, entry, fact, resumed)])
    assert len(store.rows("SELECT * FROM habit_actions")) == 1
