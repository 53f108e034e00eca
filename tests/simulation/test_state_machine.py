"""Hypothesis plays anything legal, in any order of the seats, and shrinks what goes wrong."""

from typing import Any, Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain.kernel.chance import SeededChance
from domain.kernel.gate import checked_decide
from domain.kernel.rules import HOUSE, IllegalAction, Seat
from domain.match.registry import GAMES
from ops.laws.la_granja import markers_in_use

RULES: Final = GAMES["la_granja"].rules


class AnythingLegal(RuleBasedStateMachine):
    """A match of La Granja in which each step is chosen by Hypothesis; refusing stays possible after the end."""

    def __init__(self) -> None:
        super().__init__()
        self.state: Any = None
        self.key = bytes(32)
        self.last: Any = None

    @initialize(seats=st.integers(2, 4), key=st.binary(min_size=32, max_size=32))
    def begin(self, seats: int, key: bytes) -> None:
        self.key = key
        for effect in RULES.start(RULES.options({}), seats, SeededChance(key)):
            self.state = RULES.evolve(self.state, effect)

    @precondition(lambda self: RULES.seats_to_act(self.state) != ())
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(RULES.seats_to_act(self.state)))
        self.last = data.draw(st.sampled_from(RULES.legal_actions(self.state, seat)))
        for effect in checked_decide(RULES, self.state, seat, self.last, SeededChance(self.key)):
            self.state = RULES.evolve(self.state, effect)

    @rule(data=st.data())
    def refuse(self, data: st.DataObject) -> None:
        """The last action is refused to every seat that is not offered it now."""
        seat = data.draw(st.sampled_from((HOUSE, *map(Seat, range(len(self.state.farms))))))
        if self.last in RULES.legal_actions(self.state, seat):
            return
        try:
            checked_decide(RULES, self.state, seat, self.last, SeededChance(self.key))
        except IllegalAction:
            return
        raise AssertionError(f"seat {seat} may do {self.last!r}")

    @invariant()
    def markers_are_conserved(self) -> None:
        """LG-0.9."""
        for seat, farm in enumerate(self.state.farms if self.state else ()):
            assert farm.markers + markers_in_use(self.state, Seat(seat)) == 25

    @invariant()
    def nothing_is_negative(self) -> None:
        for farm in self.state.farms if self.state else ():
            assert min(farm.silver, farm.vp, farm.markers) >= 0


AnythingLegal.TestCase.settings = settings(
    max_examples=20,
    stateful_step_count=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)

TestAnythingLegal = AnythingLegal.TestCase
