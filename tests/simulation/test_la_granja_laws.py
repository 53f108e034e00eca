"""The laws hold at every node of seeded random matches, and each law detects the fault it is meant for."""

import dataclasses
from types import SimpleNamespace
from typing import Any, Final

import pytest

from domain.kernel.messages import Message
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.title import AnyTitle
from domain.kernel.values import replace
from domain.titles import TITLES, la_granja
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.title import LA_GRANJA
from ops.dev.law_runs import run_laws
from ops.dev.laws.check import audit_is_clean, cheap_laws, check_match
from ops.dev.laws.walk import LawBroken, differences
from tests.seeding import SEED, example_count

GAME: Final = TITLES["la_granja"]
SEATS: Final = (2, 3, 4)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("number", range(example_count(3, 67)))
def test_the_laws_hold_at_every_node(seats: int, number: int) -> None:
    """LG-0.9, LG-0.11 and the laws of every title, in reproducible matches."""
    assert check_match(GAME, seats, f"{SEED}/{number}") > 100


@pytest.mark.parametrize("seats", SEATS)
def test_a_random_match_is_audited_clean(seats: int) -> None:
    assert audit_is_clean(GAME, seats, SEED) > 100


def test_the_long_run_counts_matches_nodes_and_entries() -> None:
    progress = list[int]()

    run = run_laws("la_granja", 3, processes=1, seed="short", on_match=progress.append)

    assert (run.title, run.matches, run.broken) == ("la_granja", 3, ())
    assert run.nodes > 300
    assert run.entries_audited > 300
    assert progress == [1, 2, 3]


def broken_game(**changed: Any) -> AnyTitle:
    """Return La Granja with some functions replaced by faulty ones."""
    names = {name: getattr(la_granja, name) for name in dir(la_granja) if not name.startswith("_")}
    return dataclasses.replace(LA_GRANJA, rules=SimpleNamespace(**{**names, **changed}))


def showing_hands(state: Any, seat: Seat | None) -> Any:
    """Show all hands to every reader."""
    view = la_granja.view(state, seat)
    farms = tuple(replace(farm, hand=state.farms[farm.seat].hand) for farm in view.farms)
    return replace(view, farms=farms)


def forgetting_a_marker(state: Any, effect: Any) -> Any:
    """Charge a marker too many for deliveries."""
    after = la_granja.evolve(state, effect)
    if not isinstance(effect, e.Delivered):
        return after
    farm = after.farms[effect.seat]
    farms = list(after.farms)
    farms[effect.seat] = replace(farm, markers=farm.markers - 1)
    return replace(after, farms=tuple(farms))


def paying_with_nothing(state: Any, effect: Any) -> Any:
    """Charge payments twice."""
    after = la_granja.evolve(state, effect)
    return la_granja.evolve(after, effect) if isinstance(effect, e.GoodPaid) and not effect.place else after


def discarding_what_is_played(state: Any, effect: Any) -> Any:
    """Put a played card on the discard pile as well."""
    after = la_granja.evolve(state, effect)
    return replace(after, discard=(*after.discard, effect.card)) if isinstance(effect, e.CardPlayed) else after


def deciding_by_other_hands(state: Any, seat: Seat, action: Any, chance: Any) -> Any:
    """Give the acting seat a silver if the next seat's cards add up to an even number."""
    effects = la_granja.decide(state, seat, action, chance)
    is_odd = sum(state.farms[(seat + 1) % len(state.farms)].hand) % 2
    return effects if is_odd or seat == SERVICE_SEAT else (*effects, e.GoodGained(seat, "silver", 1, "", "test"))


def offering_to_all(state: Any, seat: Seat) -> Any:
    """Offer the legal actions of the first seat to act to every seat."""
    to_act = la_granja.seats_to_act(state)
    return la_granja.legal_actions(state, to_act[0]) if to_act else ()


def refusing_all(_: Any, __: Seat) -> tuple[()]:
    return ()


def telling_cards(_: Any, effects: tuple[Any, ...]) -> Any:
    """Narrate hidden values whenever the log holds them."""
    drawn = [effect.cards.known_or(()) for effect in effects if isinstance(effect, e.CardsDrawn)]
    return tuple(Message(str(cards)) for cards in drawn)


def imagining_nothing_hidden(view: Any, chance: Any) -> Any:
    """Imagine farms with a card too many in hand."""
    state = la_granja.imagine(view, chance)
    farms = tuple(replace(farm, hand=farm.hand[:-1]) for farm in state.farms)
    return replace(state, farms=farms)


def describing_alike(_: Any, __: Any) -> Any:
    return Message("Do something")


@pytest.mark.parametrize(
    ("fault", "law"),
    [
        ({"view": showing_hands}, "a redacted log folds to the same view"),
        ({"evolve": forgetting_a_marker}, "markers are conserved"),
        ({"evolve": paying_with_nothing}, "nothing is negative"),
        ({"evolve": discarding_what_is_played}, "places are consistent"),
        ({"legal_actions": offering_to_all}, "exactly the seats to act may act"),
        ({"legal_actions": refusing_all}, "is to act but has no legal action"),
        ({"decide": deciding_by_other_hands}, "nothing hidden decides"),
        ({"narrate": telling_cards}, "everything can be said"),
        ({"imagine": imagining_nothing_hidden}, "hidden things do not show"),
        ({"describe": describing_alike}, "everything can be said"),
        ({"ranking": lambda _: (1, 1)}, "somebody acts until the end"),
    ],
)
def test_a_broken_law_is_reported_with_match_and_node(fault: dict[str, Any], law: str) -> None:
    with pytest.raises(LawBroken) as error:
        check_match(broken_game(**fault), 2, "fault")

    assert law in str(error.value)
    assert "seed fault" in str(error.value)


def test_the_cheap_laws_alone_read_no_log() -> None:
    assert check_match(broken_game(view=showing_hands), 2, "fault", laws=cheap_laws(la_granja.TITLE)) > 100


def test_the_difference_of_two_values_is_reported() -> None:
    view = la_granja.view(la_granja.evolve(None, BEGUN), None)

    assert differences(view, replace(view, dice=(3,))) == ".dice: () against (3,)"
    assert differences(view, view) == ""


BEGUN: Final = e.MatchBegun("deluxe", "standard", 2, "small", 14, 25)
