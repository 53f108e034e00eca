"""Hypothesis plays random legal actions in any order of seats and shrinks failures."""

from collections.abc import Mapping
from typing import Any, Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain.kernel.chance import SeededChance
from domain.kernel.gate import checked_decide
from domain.kernel.rules import SERVICE_SEAT, IllegalAction, Rules, Seat
from domain.titles import TITLES
from ops.dev.titles.la_granja.laws import markers_in_use
from tests.seeding import example_count

QUICK: Final = settings(
    max_examples=example_count(20),
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


class AnythingLegal(RuleBasedStateMachine):
    """A match whose actions Hypothesis chooses; refusals are also checked after the end."""

    RULES: Rules[Any, Any, Any, Any]

    def __init__(self) -> None:
        super().__init__()
        self.state: Any = None
        self.key = bytes(32)
        self.last: Any = None
        self.seats = 0

    def start(self, seats: int, key: bytes, chosen: Mapping[str, str]) -> None:
        options = self.RULES.options(chosen)
        self.key, self.seats = key, min(max(seats, options.seats_min), options.seats_max)
        for effect in self.RULES.start(options, self.seats, SeededChance(key)):
            self.state = self.RULES.evolve(self.state, effect)

    @precondition(lambda self: self.RULES.seats_to_act(self.state) != ())
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(self.RULES.seats_to_act(self.state)))
        self.last = data.draw(st.sampled_from(self.RULES.legal_actions(self.state, seat)))
        for effect in checked_decide(self.RULES, self.state, seat, self.last, SeededChance(self.key)):
            self.state = self.RULES.evolve(self.state, effect)

    @rule(data=st.data())
    def refuse(self, data: st.DataObject) -> None:
        """Check that the last action is refused for every seat to which it is not offered."""
        seat = data.draw(st.sampled_from((SERVICE_SEAT, *map(Seat, range(self.seats)))))
        if self.last in self.RULES.legal_actions(self.state, seat):
            return
        try:
            checked_decide(self.RULES, self.state, seat, self.last, SeededChance(self.key))
        except IllegalAction:
            return
        raise AssertionError(f"seat {seat} may do {self.last!r}")


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
