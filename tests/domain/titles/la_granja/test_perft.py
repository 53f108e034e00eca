"""Counts of possible continuations: any change of the legal actions or their order fails here."""

import hashlib
from pathlib import Path
from typing import Final

import msgspec
import pytest

from domain.kernel.chance import SeededChance
from domain.titles import la_granja
from domain.titles.la_granja.state import State
from tests.domain.titles.la_granja.table import random_match

TABLE: Final = Path(__file__).parents[3] / "perft" / "la_granja.txt"
ROWS: Final = [line.split() for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]


def continuations(state: State, depth: int, chance: SeededChance) -> int:
    """Return the number of sequences of `depth` actions by all seats to act."""
    if depth == 0:
        return 1
    total = 0
    for seat in la_granja.seats_to_act(state):
        for action in la_granja.legal_actions(state, seat):
            after = state
            for effect in la_granja.decide(state, seat, action, chance):
                after = la_granja.evolve(after, effect)
            total += continuations(after, depth - 1, chance)
    return total


def order_of(state: State) -> str:
    """Return a digest of the ordered legal actions of every seat to act."""
    listed = [la_granja.legal_actions(state, seat) for seat in la_granja.seats_to_act(state)]
    return hashlib.sha256(msgspec.json.encode(listed)).hexdigest()[:12]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(row[:4]))
def test_the_number_of_continuations_is_pinned(row: list[str]) -> None:
    """Columns: seats, seed, actions played, depth, phase, count, and a digest of the legal actions in order."""
    seats, seed, index, depth = (int(each) for each in row[:4])
    state = next(state for number, (state, _) in enumerate(random_match(seats, seed)) if number == index)

    counted = continuations(state, depth, SeededChance(seed.to_bytes(32, "big")))

    assert [la_granja.phase(state), str(counted), order_of(state)] == row[4:]
