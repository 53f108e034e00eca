"""In no position of a random match can a seat take back an action that revealed anything to another reader."""

import random
from functools import partial
from typing import Any

import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.rules import Seat
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.consequences import append, open_line
from domain.matches.facts import SERVICE, ActionTaken, Table
from domain.matches.log.log_files import log_of
from domain.matches.play import commands
from domain.matches.play.in_memory import InMemoryMatch, seeded_origins
from domain.matches.redaction.disclosure import is_hidden_from_others
from domain.matches.seats import opening
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import ALL_TITLES, START
from tests.domain.matches.play.test_take_backs import read_action
from tests.seeding import example_count


def readers(match: Match) -> tuple[Seat | None, ...]:
    return (None, *map(Seat, range(len(match.seats))))


def check_nothing_learnt(match: Match, seat: int, undone: list[ActionTaken[Any, Any]], states: list[Any]) -> int:
    """Replay the undone actions in positions that another reader considers possible, and compare the reader's views.

    Secret choices belong to the seat; others could learn something from its legal actions.
    """
    rules, checked = match.definition.rules, 0
    for reader in readers(match):
        if reader == seat:
            continue
        state = rules.imagine(rules.view(states[0], reader), SeededChance(f"{match.version}/{reader}".encode()))
        if rules.seats_to_act(state) != rules.seats_to_act(states[0]):
            continue
        for fact, actual in zip(undone, states[1:], strict=True):
            action = fact.action if fact.hidden_action is None else fact.hidden_action.value
            assert action in rules.legal_actions(state, Seat(seat)), (reader, action)
            for effect in rules.decide(state, Seat(seat), action, SeededChance(b"none")):
                state = rules.evolve(state, effect)
            if not is_hidden_from_others(fact.effects, seat) or fact.hidden_action is None:
                assert rules.view(state, reader) == rules.view(actual, reader), (reader, action)
        checked += 1
    return checked


def random_table(title: str, options: dict[str, str], seats: int, seed: str) -> InMemoryMatch:
    origins = seeded_origins(seed.encode())
    fact = opening.open_match(
        ALL_TITLES[title], seats=seats, options=options, table=Table(take_backs=100), by="p0", seed=origins.seed
    )
    play = InMemoryMatch(*open_line(ALL_TITLES[title], fact, origins.match_id, origins.now(), origins.step), origins)
    for each in range(seats):
        play.append(partial(opening.take_seat, seat=each, by=f"p{each}"))
    for each in range(seats):
        play.append(partial(opening.ready, seat=each, by=f"p{each}"))
    return play


CASES = [
    ("el_grande", {"castillo": "remembered"}, 3),
    ("el_grande", {"shift_of_power": "yes", "veterans": "all"}, 4),
    ("el_grande", {"new_regency": "yes", "cards": "2006"}, 2),
    ("la_granja", {}, 2),
    ("la_granja", {"edition": "original"}, 3),
    ("la_granja", {"edition": "bga"}, 4),
    ("toy", {}, 3),
]


@pytest.mark.parametrize(("title", "options", "seats"), CASES)
def test_actions_that_can_be_taken_back_reveal_nothing(title: str, options: dict[str, str], seats: int) -> None:
    """Check the law at every position of random matches from which a seat may take back."""
    checked = single_marks = 0
    for number in range(example_count(1, 3)):
        rng = random.Random(f"{title}/{options}/{number}")
        play = random_table(title, options, seats, f"{title}/{options}/{number}")
        while not play.match.is_over:
            seat = rng.choice(seats_to_act(play.match))
            legal = legal_actions(play.match, seat)
            play.act(seat, SERVICE if seat < 0 else f"p{seat}", rng.choice(legal[1:] or legal))
            turn = play.match.turn
            single_marks += len(turn.marks) == 1
            if len(turn.marks) < 2 or turn.seat is None or play.match.is_over:
                continue
            first, *later = turn.marks
            if any(mark.is_draft for mark in turn.marks):
                continue
            undone = [read_action(play.match, play.entries[mark.version - 1]) for mark in later]
            if len(later) == play.match.version - first.version:
                states = [mark.state for mark in turn.marks]
                checked += check_nothing_learnt(play.match, turn.seat, undone, states)
                after, _ = append(
                    play.match, commands.take_back(play.match, turn.seat, f"p{turn.seat}", first.version), START
                )
                rules = play.match.definition.rules
                for reader in readers(after):
                    assert rules.view(after.state, reader) == rules.view(first.state, reader)
        assert verify(log_of(play.entries), titles=ALL_TITLES).is_good

    assert single_marks > 5
    assert checked > 5 or title == "toy"
