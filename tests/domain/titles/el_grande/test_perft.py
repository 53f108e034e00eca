"""Counts of possible continuations (perft): any change of legal actions or their order fails here."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
import pytest

from domain.kernel.chance import SeededChance
from domain.titles import el_grande
from domain.titles.el_grande.state import State
from tests.domain.titles.el_grande.table import play_randomly

TABLE: Final = Path(__file__).parents[3] / "perft" / "el_grande.txt"
ROWS: Final = [line.split() for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]


def continuations(state: State, depth: int, chance: SeededChance) -> int:
    """Return the number of action sequences of length `depth`, over all seats to act."""
    if depth == 0:
        return 1
    total = 0
    for seat in el_grande.seats_to_act(state):
        for action in el_grande.legal_actions(state, seat):
            after = state
            for effect in el_grande.decide(state, seat, action, chance):
                after = el_grande.evolve(after, effect)
            total += continuations(after, depth - 1, chance)
    return total


def order_of(state: State) -> str:
    """Return a digest of the legal actions of every seat to act, in order."""
    listed = [el_grande.legal_actions(state, seat) for seat in el_grande.seats_to_act(state)]
    return hashlib.sha256(msgspec.json.encode(listed)).hexdigest()[:12]


def parse_chosen(text: str) -> Mapping[str, str]:
    """Parse `-` or options separated by semicolons."""
    return {} if text == "-" else dict(each.split("=") for each in text.split(";"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(row[:5]))
def test_the_number_of_continuations_is_pinned(row: list[str]) -> None:
    """Columns: options, seats, seed, actions played, depth, phase, count, digest of the legal actions."""
    seats, seed, index, depth = (int(each) for each in row[1:5])
    states = play_randomly(seats, seed, parse_chosen(row[0]))
    state = next(state for number, (state, _) in enumerate(states) if number == index)

    counted = continuations(state, depth, SeededChance(seed.to_bytes(32, "big")))

    assert [el_grande.phase(state), str(counted), order_of(state)] == row[5:]
