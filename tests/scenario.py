"""A test language for any title: position_after(effects).when(seat, action).then(effects), with scripted chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest

from domain.kernel.gate import checked_decide
from domain.kernel.hidden import Audience
from domain.kernel.rules import Seat


@dataclass
class ScriptedChance:
    """Outcomes by label; by default dice show 1 and the first items of the pool are drawn."""

    outcomes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...]:
        outcome = self._outcome(label, (1,) * count)
        assert len(outcome) == count
        assert all(1 <= pips <= sides for pips in outcome)
        return outcome

    def draw(self, label: str, pool: Sequence[Any], count: int, audience: Audience | None = None) -> tuple[Any, ...]:
        assert audience is None or audience == tuple(sorted(audience))
        outcome = self._outcome(label, tuple(pool[:count]))
        assert len(outcome) == count
        assert set(outcome) <= set(pool), f"{label} is scripted to draw what the pool does not hold"
        return outcome

    def _outcome(self, label: str, otherwise: tuple[Any, ...]) -> tuple[Any, ...]:
        assert label not in self.asked, f"label {label} is used twice"
        self.asked.append(label)
        return self.outcomes.get(label, otherwise)


@dataclass(frozen=True)
class Position:
    """A state of a title, reached by effects alone. `untold`: effects that only maintain the agenda."""

    rules: Any
    state: Any
    untold: tuple[type, ...] = ()
    chance: ScriptedChance = field(default_factory=ScriptedChance)

    def with_chance(self, outcomes: Mapping[str, tuple[Any, ...]]) -> Position:
        """Return the same position with scripted outcomes."""
        return Position(self.rules, self.state, self.untold, ScriptedChance(outcomes))

    def when(self, seat: int, *actions: Any) -> Outcome:
        """Play the actions of the seat in order."""
        state, effects = self.state, list[Any]()
        for action in actions:
            caused = checked_decide(self.rules, state, Seat(seat), action, self.chance)
            for effect in caused:
                state = self.rules.evolve(state, effect)
            effects += caused
        return Outcome(Position(self.rules, state, self.untold, self.chance), tuple(effects))

    def refuses(self, seat: int, action: Any, refusal: type[Exception]) -> None:
        """Assert that the action is illegal and raises this error."""
        with pytest.raises(refusal):
            checked_decide(self.rules, self.state, Seat(seat), action, self.chance)

    def legal(self, seat: int, *kinds: type) -> tuple[Any, ...]:
        """Return the legal actions of the seat, optionally of these types only."""
        actions = self.rules.legal_actions(self.state, Seat(seat))
        return tuple(action for action in actions if isinstance(action, kinds)) if kinds else actions


@dataclass(frozen=True)
class Outcome:
    """The effects of actions, and the position after them."""

    position: Position
    effects: tuple[Any, ...]

    @property
    def state(self) -> Any:
        return self.position.state

    def then(self, *expected: Any) -> Outcome:
        """Assert these effects in this order, ignoring effects that only maintain the agenda."""
        assert tuple(effect for effect in self.effects if not isinstance(effect, self.position.untold)) == expected
        return self

    def of(self, *kinds: type) -> tuple[Any, ...]:
        """Return the effects of these types."""
        return tuple(effect for effect in self.effects if isinstance(effect, kinds))

    def when(self, seat: int, *actions: Any) -> Outcome:
        """Play the next actions."""
        return self.position.when(seat, *actions)


def position_after(rules: ModuleType, *effects: Any, untold: tuple[type, ...] = ()) -> Position:
    """Return the position after these effects, of which the first starts a match."""
    state = None
    for effect in effects:
        state = rules.evolve(state, effect)
    return Position(rules, state, untold)
