"""Hypothesis plays anything legal, in any order of the seats, and shrinks what goes wrong."""

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant

from domain.kernel.rules import Seat
from domain.titles import TITLES
from ops.dev.titles.la_granja.laws import markers_in_use
from tests.simulation.machine import QUICK, AnythingLegal


class LaGranja(AnythingLegal):
    RULES = TITLES["la_granja"].rules

    @initialize(seats=st.integers(2, 4), key=st.binary(min_size=32, max_size=32))
    def begin(self, seats: int, key: bytes) -> None:
        self.start(seats, key, {})

    @invariant()
    def markers_are_conserved(self) -> None:
        """LG-0.9."""
        for seat, farm in enumerate(self.state.farms if self.state else ()):
            assert farm.markers + markers_in_use(self.state, Seat(seat)) == 25

    @invariant()
    def nothing_is_negative(self) -> None:
        for farm in self.state.farms if self.state else ():
            assert min(farm.silver, farm.vp, farm.markers) >= 0


LaGranja.TestCase.settings = QUICK

TestLaGranja = LaGranja.TestCase
