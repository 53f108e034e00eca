"""What the greedy bot thinks of positions of El Grande; with it, it beats random play clearly."""

import pytest

from domain.kernel.chance import SeededChance, below, numbers
from domain.kernel.rules import Seat
from domain.titles import el_grande
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.state import State
from tests.domain.titles.el_grande.table import A, B, C, acting, go, table
from workers.bots.greedy import DEPTH_MAX, LookAhead
from workers.bots.titles.el_grande import WEIGHTS

EVERYTHING = {"cards": "2023", "veterans": "all", "new_regency": "yes", "shift_of_power": "yes"}


def chosen_by_greed(state: State, seat: int, budget: int = 300) -> a.Action:
    """The action of a greedy bot that imagines the position from its view."""
    imagined = el_grande.imagine(el_grande.view(state, Seat(seat)), SeededChance(b"imagine"))
    look = LookAhead(el_grande, WEIGHTS, Seat(seat), b"luck")
    action: a.Action = look.best_of(imagined, el_grande.legal_actions(imagined, Seat(seat)), DEPTH_MAX, budget)[1]
    return action


def match(greedy: set[int], seats: int, seed: int, chosen: dict[str, str]) -> State:
    """A whole match; who is not greedy plays at random."""
    key, state = seed.to_bytes(32, "big"), None
    for effect in el_grande.start(el_grande.options(chosen), seats, SeededChance(key)):
        state = el_grande.evolve(state, effect)
    assert state is not None
    for node in range(2_000):
        if not state.to_act:
            break
        seat = Seat(state.to_act[0])
        legal = el_grande.legal_actions(state, seat)
        action = legal[below(numbers(key, str(node)), len(legal))]
        if seat in greedy:
            action = chosen_by_greed(state, seat, 100)
            assert action in legal
        for effect in el_grande.decide(state, seat, action, SeededChance(key)):
            state = el_grande.evolve(state, effect)
    return state


@pytest.mark.parametrize(
    ("seats", "chosen"), [(2, {}), (3, {"short": "yes"}), (5, EVERYTHING), (4, {"castillo": "open"})]
)
def test_greed_beats_chance(seats: int, chosen: dict[str, str]) -> None:
    """At every number of players, with every variant."""
    state = match({1}, seats, 7, chosen)

    ranking = el_grande.ranking(state)
    assert ranking is not None
    assert ranking[1] == 1


def test_a_whole_draft_is_seen_through() -> None:
    """EG-12.2: taking caballeros up is worth what moving them brings: here a tie is broken in Toledo."""
    pieces = "toledo 2 2 0 0\naragon 0 0 3 0\nnavarra 1 2 0 0"
    state = table(acting(A, "s1-own-four"), pieces=pieces).state

    assert chosen_by_greed(state, A) == a.ChooseSource(A, "navarra")


def test_a_scoring_that_helps_others_is_left_out() -> None:
    """EG-5.12: the first legal action leaves the special action out."""
    state = table(acting(A, "s3-six-seven"), pieces="toledo 0 3 0 0\ngranada 0 2 1 0").state

    assert chosen_by_greed(state, A) == a.EndTurn()


def test_an_announced_special_action_is_hoped_for() -> None:
    """EG-19.4: it is judged as if nobody vetoed it."""
    chosen = {"cards": "2023", "veterans": "all"}
    position = table(e.VetoLaid(B, "vet-veto-1", 1), acting(A, "s3-six-seven"), pieces="toledo 3 0 0 0", chosen=chosen)

    assert chosen_by_greed(position.state, A) == a.UseSpecial()


def test_a_secret_choice_is_judged_by_what_it_will_bring() -> None:
    """EG-12.8: the fewest majorities are lost in Aragón; EG-9.1: a disc goes where it wins a region."""
    war = table(acting(B, "s2-civil-war"), pieces="toledo 3 0 0 0\naragon 1 2 4 0\ngranada 0 1 0 0")
    asked = war.when(B, a.UseSpecial()).state
    discs = table(e.StepBegun("discs", (A, C)), pieces="castillo 1 0 1 0\ngranada 2 2 0 0").state

    assert asked.to_act == (A,)
    assert chosen_by_greed(asked, A) == a.ChooseRegion("aragon")
    assert chosen_by_greed(discs, A) == a.SetDisc("toledo")


def test_a_holder_vetoes_what_hurts() -> None:
    """EG-19.4: a scoring of the others' majorities is cancelled."""
    chosen = {"cards": "2023", "veterans": "all"}
    pieces = "toledo 4 0 0 0\ngranada 3 0 0 0\naragon 0 1 0 0"
    position = table(e.VetoLaid(B, "vet-veto-1", 1), acting(A, "s3-six-seven"), pieces=pieces, chosen=chosen)

    assert chosen_by_greed(position.when(A, a.UseSpecial()).state, B) == a.UseVeto()


def test_an_evacuation_in_progress_is_followed() -> None:
    """EG-12.4: what must still leave is looked at, too."""
    position = table(acting(A, "s1-evacuation"), pieces="granada 3 0 0 0\ntoledo 0 2 0 0")
    state = position.when(A, *go(A, "granada", "toledo", 1)).state

    assert isinstance(chosen_by_greed(state, A), a.SendCaballeros)


def test_a_draft_is_not_corrected() -> None:
    """EG-12.2: a bot that looks ahead before it drafts would go round in circles."""
    position = table(acting(A, "s1-any-three"), pieces="granada 3 0 0 0\ntoledo 0 2 0 0")
    state = position.when(A, *go(A, "granada", "galicia", 1), a.ChooseSource(A, "granada")).state

    assert {a.CorrectDraft(), a.DropDraft()} < set(el_grande.legal_actions(state, Seat(A)))
    assert isinstance(chosen_by_greed(state, A), a.CloseDraft | a.SendCaballeros)
