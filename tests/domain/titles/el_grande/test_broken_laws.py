"""Each law of El Grande detects the fault it is meant for."""

import dataclasses
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

import pytest

from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles import el_grande
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.components import COURT
from domain.titles.el_grande.title import EL_GRANDE
from ops.dev.laws.check import check_match
from ops.dev.laws.walk import LawBroken

NAMES: Final = {name: getattr(el_grande, name) for name in el_grande.__all__}


def after(kind: type, change: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return an `evolve` that applies a further change after effects of a kind."""

    def evolve(state: Any, effect: Any) -> Any:
        done = el_grande.evolve(state, effect)
        return change(done, effect) if isinstance(effect, kind) else done

    return evolve


def losing_one(state: Any, _: Any) -> Any:
    """Remove a caballero of seat 0 from the Court."""
    court = (state.pieces[COURT][0] - 1, *state.pieces[COURT][1:])
    return replace(state, pieces=(*state.pieces[:COURT], court, *state.pieces[COURT + 1 :]))


def paying_a_point(state: Any, effect: Any) -> Any:
    """Charge a point for taking an action card."""
    scores = (score - (seat == effect.seat) for seat, score in enumerate(state.scores))
    return replace(state, scores=tuple(scores))


def giving_a_card_back(state: Any, effect: Any) -> Any:
    """Return a played power card to the hand."""
    hands = (
        tuple(sorted((*hand, effect.power))) if seat == effect.seat else hand for seat, hand in enumerate(state.hands)
    )
    return replace(state, hands=tuple(hands))


def ignoring_the_result(state: Any, _: Any) -> Any:
    """Count every played power card as 1."""
    return replace(state, results=tuple(min(1, result) for result in state.results))


def using_up_the_special(state: Any, _: Any) -> Any:
    """Mark the special action as used."""
    return replace(state, special_used=True)


def showing_hands(state: Any, seat: Seat | None) -> Any:
    view = el_grande.view(state, seat)
    players = tuple(replace(player, hand=state.hands[player.seat]) for player in view.players)
    return replace(view, players=players)


@pytest.mark.parametrize(
    ("fault", "law"),
    [
        ({"evolve": after(e.ActionCardTaken, losing_one)}, "thirty of each colour"),
        ({"evolve": after(e.ActionCardTaken, paying_a_point)}, "scores never fall"),
        ({"evolve": after(e.PowerCardPlayed, giving_a_card_back)}, "hands shrink by one a round"),
        ({"evolve": after(e.PowerCardPlayed, ignoring_the_result)}, "results on the table differ"),
        ({"evolve": after(e.DraftDropped, using_up_the_special)}, "a correction changes the draft alone"),
        ({"view": showing_hands}, "views differ in what is hidden only"),
    ],
)
def test_a_broken_law_is_reported_with_match_and_options(fault: dict[str, Any], law: str) -> None:
    """EG-24.1, EG-24.4, EG-24.5, EG-24.6, EG-24.9, EG-12.2."""
    title = dataclasses.replace(EL_GRANDE, rules=SimpleNamespace(**{**NAMES, **fault}))

    with pytest.raises(LawBroken) as broken:
        check_match(title, 3, "fault", {"short": "yes"})

    assert law in str(broken.value)
    assert "seed fault, short=yes" in str(broken.value)
