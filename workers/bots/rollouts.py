"""Matches played on in thought: from an imagined position over some stages, by a small greedy for every seat.

Nested roll-outs are played by somebody better: whoever is to act plays some of the choices on to the end of the stage,
by a small greedy in turn, and takes what does best (nested Monte Carlo search: Cazenave, 2009).
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from domain.kernel.rules import HOUSE, Seat
from domain.kernel.settle import position_after
from domain.kernel.title import AnyRules
from workers.bots.evaluation import Weights
from workers.bots.luck import SEED_BYTES, Luck

FOLLOWED_MAX: Final = 8
"""More choices than these in the middle of something are not looked through."""


ENDS: Final = 2
"""What imagining a position and judging it at the end take beside the actions between, as a number of tries."""
LIKED_MAX: Final = 5
"""How many actions of a step are liked."""
NOTHING: Final[frozenset[Any]] = frozenset()
TO_THE_END: Final = sys.maxsize
"""Nested roll-outs are nested to the end, whatever they take."""


Step = Callable[[Any, Seat, Luck], Any]
"""Position, seat to act, luck -> the position after its action."""


class RollOuts:
    """Roll-outs for one choice of a seat. `tries` counts the actions tried out so far."""

    def __init__(
        self,
        rules: AnyRules,
        weights: Weights,
        seat: Seat,
        stages: int,
        choices: int = 1,
        nested_tries: int = TO_THE_END,
    ) -> None:
        """`stages`: so many are played, if the title's outline allows as many; where it is more than one, rivals do all
        that the seat does, for what they leave undone is missed in the next. `choices`: so many of each step, those
        that look best, are played on before one of them is taken; where it is one, it is taken unseen.
        `nested_tries`: once a roll-out has tried out so many, the small greedy plays the rest."""
        self._rules = rules
        self._weights = weights
        self._outline = weights.known_outline
        self._seat = seat
        self._stages = min(stages, self._outline.stages_max)
        self._rival = self._outline.rival if self._stages == 1 else self._outline.own
        self._choices = choices
        self._nested_tries = nested_tries
        self._nested_until = 0
        self._disliked: tuple[Seat, frozenset[Any]] = HOUSE, NOTHING
        self._dreamt = Luck(b"")
        self.tries = 0

    def worth_after(self, state: object, action: object, luck: bytes) -> int:
        """What the action is worth to the seat: the mean of what the position is worth at the end of each stage that is
        played, the second counted twice, the third three times. The near has less luck in it, the far fewer errors of
        judgement."""
        chance, stage, total = self._begin(luck), self._outline.stage(state), 0
        state = self._after(state, self._seat, action, chance)
        for weight in range(1, self._stages + 1):
            state = self._play_on(state, stage, chance)
            total += weight * self._judge(state, self._seat, stage)
            stage = self._outline.stage(state)
        return total // (self._stages * (self._stages + 1) // 2)

    def _play_on(self, state: object, stage: int, chance: Luck) -> Any:
        """The position at the end of the stage; nothing is played on where the match is over."""
        return self._play_by(self._step if self._choices == 1 else self._nested_step, state, stage, chance)

    def _play_by(self, step: Step, state: object, stage: int, chance: Luck) -> Any:
        while self._outline.stage(state) == stage and (to_act := self._rules.seats_to_act(state)):
            state = step(state, to_act[0], chance)
        return state

    def _judge(self, state: object, seat: Seat, stage: int) -> int:
        """What a position is worth to a seat that was reached from this stage."""
        now = self._outline.stage(state)
        if now == stage:
            return self._weights.worth(state, seat)
        return self._weights.judge(state, seat, len(self._rules.scores(state)), now)

    def end_after(self, state: object, action: object, luck: bytes, then: object = None) -> Any:
        """The position at the end of the last stage that is played, if the seat takes the action now, and `then` right
        after it where there is such an action and it may be taken."""
        chance, stage = self._begin(luck), self._outline.stage(state)
        after = self._after(state, self._seat, action, chance)
        if then is not None and self._may(after, then):
            after = self._after(after, self._seat, then, chance)
        return self._play_stages(after, stage, chance)

    def may_follow(self, state: object, action: object, luck: bytes, then: object) -> bool:
        """Whether the seat may take `then` right after the action."""
        return self._may(self._after(state, self._seat, action, self._begin(luck)), then)

    def _may(self, state: object, action: object) -> bool:
        rules, seat = self._rules, self._seat
        return seat in rules.seats_to_act(state) and action in rules.legal_actions(state, seat)

    def end_of(self, state: object, luck: bytes) -> Any:
        """The same as everybody plays on from here."""
        return self._play_stages(state, self._outline.stage(state), self._begin(luck))

    def _begin(self, luck: bytes) -> Luck:
        """The luck of a roll-out that begins."""
        self._dreamt = Luck(luck[SEED_BYTES:])
        self._disliked = HOUSE, NOTHING
        self.tries += ENDS
        self._nested_until = self.tries + self._nested_tries
        return Luck(luck)

    def _play_stages(self, state: object, stage: int, chance: Luck) -> Any:
        for _ in range(self._stages):
            state = self._play_on(state, stage, chance)
            stage = self._outline.stage(state)
        return state

    def _step(self, state: object, seat: Seat, chance: Luck) -> Any:
        """The position after the action that the seat likes best, of those that are tried."""
        tried = self._tried(state, seat)
        if len(tried) == 1:
            return self._after(state, seat, tried[0], chance)
        looked = self._look(state, seat, tried, chance)
        last, disliked = self._disliked
        self._disliked = seat, (disliked if seat == last else NOTHING).union([each[1] for each in looked[LIKED_MAX:]])
        _, best, after = looked[0]
        return self._after(state, seat, best, chance) if after is None else after

    def _look(self, state: object, seat: Seat, tried: Sequence[Any], chance: Luck) -> list[tuple[int, Any, Any]]:
        """What each action is worth at once, the best first, with the position after it where that had to be known."""
        looked: list[tuple[int, Any, Any]] = []
        for action in tried:
            if self._weights.closes(state, seat, action):
                looked.append((self._weights.worth(state, seat), action, None))
            else:
                after = self._after(state, seat, action, chance)
                looked.append((self._worth_of(after, seat, chance), action, after))
        looked.sort(key=lambda look: -look[0])
        return looked

    def _nested_step(self, state: object, seat: Seat, chance: Luck) -> Any:
        """The position after that of the actions liked best that brings the seat most by the end of the stage, as a
        small greedy plays on. That one meets another luck: nobody chooses by what is still to be drawn."""
        if self.tries >= self._nested_until:
            return self._step(state, seat, chance)
        tried = self._sketched(state, seat)
        if len(tried) == 1:
            return self._after(state, seat, tried[0], chance)
        stage, best = self._outline.stage(state), None
        for _, action, after in self._look(state, seat, tried, chance)[: self._choices]:
            self._disliked = HOUSE, NOTHING
            begun = self._after(state, seat, action, self._dreamt)
            worth = self._judge(self._play_by(self._step, begun, stage, self._dreamt), seat, stage)
            if best is None or worth > best[0]:
                best = worth, action, after
        assert best is not None, "a step has actions"
        _, action, after = best
        # What was disliked in a dream says nothing to the small greedy that may play on from here.
        self._disliked = HOUSE, NOTHING
        return self._after(state, seat, action, chance) if after is None else after

    def _sketched(self, state: object, seat: Seat) -> Sequence[Any]:
        """What the title's outline tries; the house has no choice."""
        if seat == HOUSE:
            return self._rules.legal_actions(state, seat)[:1]
        return (self._outline.own if seat == self._seat else self._rival)(state, seat)

    def _tried(self, state: object, seat: Seat) -> Sequence[Any]:
        """The same; but a seat that goes on leaves out what it has looked at and not liked, the first apart, which
        closes: deliveries are made one by one, and what was bad a moment ago still is."""
        tried, (last, disliked) = self._sketched(state, seat), self._disliked
        if seat != last or len(tried) <= LIKED_MAX:
            return tried
        return [tried[0], *(action for action in tried[1:] if action not in disliked)]

    def _worth_of(self, state: object, seat: Seat, chance: Luck) -> int:
        """What a position is worth that the seat has just come to; in the middle of something, what its best end is."""
        weights, choices = self._weights, self._outline.follow(state, seat)
        if not 0 < len(choices) <= FOLLOWED_MAX:
            return weights.worth(state, seat)
        return max(
            weights.worth(
                state if weights.closes(state, seat, action) else self._after(state, seat, action, chance), seat
            )
            for action in choices
        )

    def _after(self, state: object, seat: Seat, action: object, chance: Luck) -> Any:
        self.tries += 1
        return position_after(self._rules.decide(state, seat, action, chance), state, self._rules.evolve)
