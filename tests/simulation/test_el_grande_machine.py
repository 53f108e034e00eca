"""Hypothesis plays random legal actions of El Grande in any order of seats and shrinks failures."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant

from domain.titles import TITLES
from ops.dev.titles.el_grande.laws import OPTIONS
from tests.simulation.test_state_machine import QUICK, AnythingLegal


class ElGrande(AnythingLegal):
    RULES = TITLES["el_grande"].rules

    @initialize(
        seats=st.integers(2, 5),
        chosen=st.sampled_from(OPTIONS),
        key=st.binary(min_size=32, max_size=32),
    )
    def begin(self, seats: int, chosen: Any, key: bytes) -> None:
        self.start(seats, key, chosen)

    @invariant()
    def caballeros_are_conserved(self) -> None:
        """EG-24.1: 30 of each colour, each in exactly one place."""
        if self.state:
            assert set(map(sum, zip(*self.state.pieces, strict=True))) == {30}
            assert min(map(min, self.state.pieces)) >= 0

    @invariant()
    def points_never_fall(self) -> None:
        if self.state:
            assert min(self.state.scores) >= 0

    @invariant()
    def somebody_acts_until_the_end(self) -> None:
        if self.state:
            assert bool(self.RULES.seats_to_act(self.state)) == (self.RULES.ranking(self.state) is None)


ElGrande.TestCase.settings = QUICK

TestElGrande = ElGrande.TestCase
