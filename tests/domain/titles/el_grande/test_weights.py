"""The greedy bot's evaluation of El Grande positions beats random play clearly."""

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
    """Return the action of a greedy bot that imagines the position from its view."""
    imagined = el_grande.imagine(el_grande.view(state, Seat(seat)), SeededChance(b"imagine"))
    look = LookAhead(el_grande, WEIGHTS, Seat(seat), b"luck")
    action: a.Action = look.best_of(imagined, el_grande.legal_actions(imagined, Seat(seat)), DEPTH_MAX, budget)[1]
    return action


def match(greedy: set[int], seats: int, seed: int, chosen: dict[str, str]) -> State:
    """Play a match in which seats outside `greedy` play at random."""
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
def test_the_greedy_bot_beats_random_play(seats: int, chosen: dict[str, str]) -> None:
    state = match({1}, seats, 7, chosen)

    ranking = el_grande.ranking(state)
    assert ranking is not None
    assert ranking[1] == 1


def test_lookahead_covers_a_whole_draft() -> None:
    """EG-12.2: picking up caballeros is worth as much as moving them; here the move breaks a tie in Toledo."""
    pieces = "toledo 2 2 0 0\naragon 0 0 3 0\nnavarra 1 2 0 0"
    state = table(acting(A, "s1-own-four"), pieces=pieces).state

    assert chosen_by_greed(state, A) == a.ChooseSource(A, "navarra")


def test_a_scoring_that_helps_others_is_skipped() -> None:
    """EG-5.12: the first legal action skips the special action."""
    state = table(acting(A, "s3-six-seven"), pieces="toledo 0 3 0 0\ngranada 0 2 1 0").state

    assert chosen_by_greed(state, A) == a.EndTurn()


def test_an_announced_special_action_counts_as_carried_out() -> None:
    """EG-19.4: the evaluation assumes that no opponent vetoes."""
    chosen = {"cards": "2023", "veterans": "all"}
    position = table(e.VetoLaid(B, "vet-veto-1", 1), acting(A, "s3-six-seven"), pieces="toledo 3 0 0 0", chosen=chosen)

    assert chosen_by_greed(position.state, A) == a.UseSpecial()


def test_a_secret_choice_is_evaluated_by_its_result() -> None:
    """EG-12.8: Aragón loses the fewest majorities; EG-9.1: a disc goes where it wins a region."""
    war = table(acting(B, "s2-civil-war"), pieces="toledo 3 0 0 0\naragon 1 2 4 0\ngranada 0 1 0 0")
    pending = war.when(B, a.UseSpecial()).state
    discs = table(e.StepBegun("discs", (A, C)), pieces="castillo 1 0 1 0\ngranada 2 2 0 0").state

    assert pending.to_act == (A,)
    assert chosen_by_greed(pending, A) == a.ChooseRegion("aragon")
    assert chosen_by_greed(discs, A) == a.SetDisc("toledo")


def test_a_veto_holder_cancels_a_harmful_scoring() -> None:
    """EG-19.4: a scoring of the others' majorities is cancelled."""
    chosen = {"cards": "2023", "veterans": "all"}
    pieces = "toledo 4 0 0 0\ngranada 3 0 0 0\naragon 0 1 0 0"
    position = table(e.VetoLaid(B, "vet-veto-1", 1), acting(A, "s3-six-seven"), pieces=pieces, chosen=chosen)

    assert chosen_by_greed(position.when(A, a.UseSpecial()).state, B) == a.UseVeto()


def test_an_evacuation_in_progress_is_completed() -> None:
    """EG-12.4: caballeros that must still leave are evaluated too."""
    position = table(acting(A, "s1-evacuation"), pieces="granada 3 0 0 0\ntoledo 0 2 0 0")
    state = position.when(A, *go(A, "granada", "toledo", 1)).state

    assert isinstance(chosen_by_greed(state, A), a.SendCaballeros)


def test_a_draft_is_not_corrected() -> None:
    """EG-12.2: a bot that looks ahead would otherwise correct forever."""
    position = table(acting(A, "s1-any-three"), pieces="granada 3 0 0 0\ntoledo 0 2 0 0")
    state = position.when(A, *go(A, "granada", "galicia", 1), a.ChooseSource(A, "granada")).state

    assert {a.CorrectDraft(), a.DropDraft()} < set(el_grande.legal_actions(state, Seat(A)))
    assert isinstance(chosen_by_greed(state, A), a.CloseDraft | a.SendCaballeros)
