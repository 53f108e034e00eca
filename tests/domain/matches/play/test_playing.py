"""Commands of a running match: permissions, effects and rejections (DESIGN §3, §6)."""

from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.kernel.rules import IllegalAction
from domain.matches.aggregate import bot_seed, legal_actions, seats_to_act
from domain.matches.apply import fold
from domain.matches.errors import NotSeated, TakeBackRefused
from domain.matches.facts import ActionTaken, Clock, Table
from domain.matches.log.log_files import read_log
from domain.matches.play.commands import take_back
from domain.matches.titles import read_fact
from domain.titles import TITLES
from domain.titles.el_grande import effects as e
from tests.domain.matches.match_helpers import BOT, START, act_once, start_match, uuid, verify_log, with_pearls
from tests.domain.matches.toy import AddPearl, Pass, Play

M = uuid(1)
PEOPLE = ("anna", "bea", "carl")
CLOCKED = Clock("per_move", 60)


def test_an_illegal_action_changes_nothing(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE)

    with pytest.raises(IllegalAction, match="seat 0"):
        sqlite.act(M, 0, "anna", Pass(), expected_version=match.version, at=START)
    with pytest.raises(NotSeated, match="'bea' may not act for seat 0"):
        sqlite.act(M, 0, "bea", Pass(), expected_version=match.version, at=START)
    assert sqlite.get(M).version == match.version


def test_a_secret_action_is_stored_whole_as_hidden(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE)
    card = match.state.hands[0][0]
    after = sqlite.act(M, 0, "anna", Play(card), expected_version=match.version, at=START)

    (spectators,) = sqlite.read(M, None, after.version - 1)
    (annas,) = sqlite.read(M, 0, after.version - 1)
    assert b'"action"' not in bytes(spectators.body)
    assert spectators.secrets == ()
    assert len(annas.secrets) == 2
    fact = read_fact(match.definition, annas)
    assert isinstance(fact, ActionTaken)
    assert fact.hidden_action is not None
    assert fact.hidden_action.value == Play(card)


def test_a_bots_seed_changes_with_every_action_of_its_seat_and_with_nothing_else(sqlite: Matches) -> None:
    match = start_match(sqlite, M, (BOT, BOT))
    moved = act_once(sqlite, match)

    assert bot_seed(moved, 0) != bot_seed(match, 0)
    assert bot_seed(moved, 1) == bot_seed(match, 1)


def test_open_steps_of_the_own_turn_are_taken_back(sqlite: Matches) -> None:
    match = with_pearls(sqlite, start_match(sqlite, M, PEOPLE))
    (seat,) = seats_to_act(match)
    moved = sqlite.act(M, seat, PEOPLE[seat], AddPearl(), expected_version=match.version, at=START)
    assert moved.state != match.state

    with pytest.raises(NotSeated):
        sqlite.take_back(M, seat, "nobody", to_version=match.version, at=START)
    back = sqlite.take_back(M, seat, PEOPLE[seat], to_version=match.version, at=START)

    assert back.state == match.state
    assert back.version == moved.version + 1
    assert legal_actions(back, seat) == legal_actions(match, seat)
    sqlite.lines.clear_caches()
    assert sqlite.get(M).turn == back.turn
    verify_log(sqlite, M)


def test_a_take_back_counts_against_the_turn_until_the_tables_number_is_used(sqlite: Matches) -> None:
    match = with_pearls(sqlite, start_match(sqlite, M, PEOPLE, table=Table(take_backs=1)))
    (seat,) = seats_to_act(match)
    by, base = PEOPLE[seat], match.version
    match = sqlite.act(M, seat, by, AddPearl(), expected_version=base, at=START)
    match = sqlite.take_back(M, seat, by, to_version=base, at=START)
    sqlite.act(M, seat, by, AddPearl(), expected_version=match.version, at=START)

    with pytest.raises(TakeBackRefused, match="has used its 1 take-backs"):
        sqlite.take_back(M, seat, by, to_version=base, at=START)


def test_nothing_is_taken_back_past_a_draw_a_secret_or_another_seats_entry(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE)
    first = sqlite.act(M, 0, "anna", legal_actions(match, 0)[0], expected_version=match.version, at=START)
    with pytest.raises(TakeBackRefused, match="cannot take back to entry"):
        sqlite.take_back(M, 0, "anna", to_version=match.version, at=START)
    second = sqlite.act(M, 1, "bea", legal_actions(first, 1)[0], expected_version=first.version, at=START)
    with pytest.raises(TakeBackRefused):
        sqlite.take_back(M, 0, "anna", to_version=match.version, at=START)

    match = with_pearls(sqlite, second)
    (seat,) = seats_to_act(match)
    by = PEOPLE[seat]
    match_after = sqlite.act(M, seat, by, Pass(), expected_version=match.version, at=START)
    with pytest.raises(TakeBackRefused):
        sqlite.take_back(M, seat, by, to_version=match.version, at=START)
    with pytest.raises(TakeBackRefused):
        sqlite.take_back(M, seat, by, to_version=match_after.version, at=START)


DRAFTED = Path(__file__).parents[3] / "golden" / "el_grande-4-greedy-4.jsonl"


def test_a_draft_that_nobody_else_has_seen_is_taken_back_until_it_is_announced() -> None:
    entries = read_log(DRAFTED).entries
    effects = [getattr(read_fact(TITLES["el_grande"], entry), "effects", ()) for entry in entries]
    taken_up = next(
        index for index, caused in enumerate(effects) if any(isinstance(each, e.SourceChosen) for each in caused)
    )
    before, match = fold(TITLES, entries[:taken_up]), fold(TITLES, entries[: taken_up + 2])
    assert [type(effect) for effect in effects[taken_up + 1]] == [e.LineDrafted]
    (seat,) = seats_to_act(match)
    by = match.seats[seat].actor
    assert by is not None

    for version in (before.version, before.version + 1):
        assert take_back(match, seat, by, version).to_version == version
    assert {mark.version: mark.state for mark in match.turn.marks}[before.version] == before.state
