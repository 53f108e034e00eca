"""given(position).when(seat, action).then(effects), for any title; and chance that falls as a test says."""

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
    """Outcomes by label; where a test says nothing, dice show 1 and the first items of the pool are drawn."""

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
    """A state of a title, reached by effects alone. `untold` are effects that only keep the agenda."""

    rules: Any
    state: Any
    untold: tuple[type, ...] = ()
    chance: ScriptedChance = field(default_factory=ScriptedChance)

    def with_chance(self, outcomes: Mapping[str, tuple[Any, ...]]) -> Position:
        """The same position, where luck will fall like this."""
        return Position(self.rules, self.state, self.untold, ScriptedChance(outcomes))

    def when(self, seat: int, *actions: Any) -> Happening:
        """The seat takes these actions, one after the other."""
        state, effects = self.state, list[Any]()
        for action in actions:
            caused = checked_decide(self.rules, state, Seat(seat), action, self.chance)
            for effect in caused:
                state = self.rules.evolve(state, effect)
            effects += caused
        return Happening(Position(self.rules, state, self.untold, self.chance), tuple(effects))

    def refuses(self, seat: int, action: Any, refusal: type[Exception]) -> None:
        """The action is not legal, and the refusal is a named one."""
        with pytest.raises(refusal):
            checked_decide(self.rules, self.state, Seat(seat), action, self.chance)

    def legal(self, seat: int, *kinds: type) -> tuple[Any, ...]:
        """The legal actions of the seat, of these kinds only if any are named."""
        actions = self.rules.legal_actions(self.state, Seat(seat))
        return tuple(action for action in actions if isinstance(action, kinds)) if kinds else actions


@dataclass(frozen=True)
class Happening:
    """What the actions brought about, and the position after it."""

    position: Position
    effects: tuple[Any, ...]

    @property
    def state(self) -> Any:
        return self.position.state

    def then(self, *expected: Any) -> Happening:
        """Exactly these effects, in this order, apart from those that only keep the agenda."""
        assert tuple(effect for effect in self.effects if not isinstance(effect, self.position.untold)) == expected
        return self

    def of(self, *kinds: type) -> tuple[Any, ...]:
        """The effects of these kinds."""
        return tuple(effect for effect in self.effects if isinstance(effect, kinds))

    def when(self, seat: int, *actions: Any) -> Happening:
        """What comes next."""
        return self.position.when(seat, *actions)


def given(rules: ModuleType, *effects: Any, untold: tuple[type, ...] = ()) -> Position:
    """The position after these effects, the first of which begins a match."""
    state = None
    for effect in effects:
        state = rules.evolve(state, effect)
    return Position(rules, state, untold)
