"""A draft can be corrected until it is announced (EG-12.2, EG-5.8)."""

from typing import Any

import pytest

from domain.kernel.hidden import Hidden
from domain.kernel.rules import IllegalAction, Seat
from domain.titles import el_grande
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.state import CORRECTIONS_MAX
from tests.domain.titles.el_grande.table import A, B, C, D, acting, calling, counts, go, line, table
from tests.scenario import Position

BOARD = """
granada 4 2 0 0
toledo  0 3 1 0
aragon  1 1 1 1
court   5 0 0 0
"""


def view_draft(position: Position, seat: int = A) -> Any:
    """Return the draft that the seat sees."""
    return el_grande.view(position.state, Seat(seat)).draft


def test_a_dropped_draft_leaves_the_special_action_available() -> None:
    """EG-12.2, EG-12.4: after a dropped Evacuation another region can be evacuated."""
    before = table(acting(A, "s1-evacuation"), pieces=BOARD)

    dropped = before.when(A, *go(A, "granada", "toledo", 3), a.DropDraft())

    dropped.then()
    assert dropped.position.legal(A) == before.legal(A)
    assert view_draft(dropped.position) is None
    again = dropped.when(A, *go(A, "aragon", "toledo"), a.CloseDraft())
    again.then(e.CaballerosMoved(A, (line(A, "aragon", "toledo"),)))


def test_a_draft_that_could_be_announced_can_be_dropped() -> None:
    """EG-12.2: with Intrigue, announcing is the first legal action and dropping the last."""
    position = table(acting(A, "s1-intrigue-1"), pieces=BOARD).when(A, *go(A, "granada", "castillo")).position
    legal = position.legal(A)
    assert (legal[0], legal[-1]) == (a.CloseDraft(), a.DropDraft())

    outcome = position.when(A, a.DropDraft(), *go(B, "toledo", "navarra"), a.CloseDraft())

    outcome.then(e.CaballerosMoved(A, (line(B, "toledo", "navarra"),)))


def test_a_draft_is_corrected_step_by_step() -> None:
    """EG-12.2: corrections first put down the picked-up caballeros, then remove one line after another."""
    position = table(acting(A, "s1-intrigue-1"), pieces=BOARD)
    steps = position.when(A, *go(A, "granada", "castillo"), *go(B, "toledo", "navarra"), a.ChooseSource(C, "toledo"))
    whole = (line(A, "granada", "castillo"), line(B, "toledo", "navarra"))
    assert (view_draft(steps.position).source, view_draft(steps.position).lines) == ("toledo", whole)

    put_down = steps.when(A, a.CorrectDraft())
    one_line = put_down.when(A, a.CorrectDraft())

    assert (view_draft(put_down.position).source, view_draft(put_down.position).lines) == (None, whole)
    assert view_draft(one_line.position).lines == whole[:1]
    one_line.then()
    one_line.position.refuses(A, a.CorrectDraft(), IllegalAction)
    one_line.when(A, *go(C, "toledo", "sevilla"), a.CloseDraft()).then(
        e.CaballerosMoved(A, (whole[0], line(C, "toledo", "sevilla")))
    )


@pytest.mark.parametrize(
    ("card", "king", "lines"),
    [
        ("s1-evacuation", "castilla", (go(A, "granada", "toledo", 2), (a.SendCaballeros("navarra", 1),))),
        ("s1-one-region-five-1", "castilla", (go(A, "granada", "toledo", 2), go(B, "granada", "toledo"))),
        ("s1-militia", "castilla", ((a.SendCaballeros("granada", 1),), (a.SendCaballeros("sevilla", 1),))),
        ("s2-return-one-each", "castilla", ((a.ChooseSource(B, "toledo"),), (a.ChooseSource(C, "aragon"),))),
        ("nr-escort", "toledo", ((a.ChooseSource(B, "toledo"),), (a.ChooseSource(C, "toledo"),))),
        ("s4-recruitment", "castilla", ((a.SendCaballeros("court", 1),), go(A, "granada", "court"))),
        ("vet-either-or", "castilla", ((a.SendCaballeros("granada", 1),), (a.SendCaballeros("sevilla", 1),))),
    ],
)
def test_every_kind_of_draft_is_corrected(card: str, king: str, lines: tuple[tuple[a.Action, ...], ...]) -> None:
    """EG-12.2: Evacuation, Upheaval, Militia, Arrest, Escort, Recruitment, Double Game; one line or the whole draft."""
    chosen = {"veterans": "all", "new_regency": "yes"}
    few_left = [e.CaballerosMoved(A, (line(A, "province", "castillo", 19),))] if card == "s4-recruitment" else []
    begun = table(few_left, acting(A, card), king=king, pieces=BOARD, chosen=chosen)
    first = begun.when(A, *lines[0]).position
    both = first.when(A, *lines[1]).position

    back = both.when(A, a.CorrectDraft()).position

    assert view_draft(back) == view_draft(first)
    assert back.legal(A) == first.legal(A)
    first.refuses(A, a.CorrectDraft(), IllegalAction)
    for drafted in (first, both, back):
        assert drafted.when(A, a.DropDraft()).position.legal(A) == begun.legal(A)


def test_a_placement_continues_after_a_dropped_draft() -> None:
    """EG-5.8: no part of the special action was carried out, so the placement continues."""
    position = table(acting(A, "s4-recruitment"), pieces=BOARD).when(A, a.PlaceCaballeros("aragon", 1)).position
    drafted = position.when(A, a.SendCaballeros("court", 1))

    dropped = drafted.when(A, a.DropDraft())

    assert dropped.position.legal(A) == position.legal(A)
    dropped.when(A, a.PlaceCaballeros("aragon", 3))


def test_a_dropped_grey_draft_leaves_the_effect_available() -> None:
    """EG-20.5, EG-20.8: the effect can still be used or declined."""
    shift = {"shift_of_power": "yes"}
    dealt = e.GreyCardsDealt(A, Hidden(("grey-1-own", "grey-2-opp", "grey-3-muster"), (A,)))
    position = table(dealt, calling(A, 13, grey="grey-1-own"), e.StepBegun("grey", (A,)), pieces=BOARD, chosen=shift)

    dropped = position.when(A, *go(A, "granada", "toledo"), a.DropDraft()).position

    assert dropped.legal(A) == position.legal(A)
    assert dropped.when(A, a.DeclineGrey()).state.step == "take"


def test_corrections_are_invisible_to_others() -> None:
    """EG-12.2, EG-21.3: others see neither the draft nor its existence."""
    before = table(acting(A, "s1-intrigue-1"), pieces=BOARD)
    after = before.when(A, *go(A, "granada", "castillo"), *go(B, "toledo", "navarra"), a.CorrectDraft(), a.DropDraft())

    for reader in (Seat(B), Seat(C), Seat(D), None):
        assert el_grande.view(after.state, reader) == el_grande.view(before.state, reader)
    assert el_grande.view(after.state, Seat(A)).corrections == 2


def test_corrections_fold_without_the_draft() -> None:
    """EG-12.2: the effects are public, but the corrected draft is missing from the reader's state."""
    state = table(acting(A, "s1-intrigue-1"), pieces=BOARD).state

    after = el_grande.evolve(el_grande.evolve(state, e.DraftCorrected(A)), e.DraftDropped(A))

    assert (after.drafting, after.draft, after.picked) == (False, (), None)
    assert el_grande.view(after, Seat(B)) == el_grande.view(state, Seat(B))


def test_an_announced_action_cannot_be_corrected() -> None:
    """EG-12.2, EG-19.4c: an announced action cannot be corrected, neither before nor after the Veto decision."""
    laid = e.VetoLaid(B, "vet-veto-1", 1)
    position = table(laid, acting(A, "s1-intrigue-1"), pieces=BOARD, chosen={"veterans": "all"})

    announced = position.when(A, *go(A, "granada", "castillo"), a.CloseDraft()).position

    for seat in (A, B):
        announced.refuses(seat, a.CorrectDraft(), IllegalAction)
        announced.refuses(seat, a.DropDraft(), IllegalAction)


def use_up_corrections(position: Position) -> Position:
    """Return the position after the maximum number of corrections."""
    for _ in range(CORRECTIONS_MAX):
        position = position.when(A, a.ChooseSource(A, "granada"), a.DropDraft()).position
    return position


def test_corrections_are_limited_by_turn() -> None:
    """EG-12.2: every turn ends; dropping a draft after the last correction gives up the special action."""
    position = use_up_corrections(table(acting(A, "s1-evacuation"), pieces=BOARD))
    drafted = position.when(A, *go(A, "granada", "toledo", 3)).position
    assert drafted.legal(A) == (a.DropDraft(), *drafted.legal(A, a.SendCaballeros))

    dropped = drafted.when(A, a.DropDraft())

    assert e.SpecialEnded(A) in dropped.effects
    assert not dropped.position.legal(A, a.ChooseSource)


def test_a_complete_draft_must_be_used_after_the_last_correction() -> None:
    """EG-12.2: the draft can be announced or continued, but not dropped."""
    position = use_up_corrections(table(acting(A, "s1-intrigue-1"), pieces=BOARD))

    drafted = position.when(A, *go(A, "granada", "toledo")).position

    assert drafted.legal(A)[0] == a.CloseDraft()
    assert not drafted.legal(A, a.DropDraft, a.CorrectDraft)


def test_the_next_turn_starts_without_corrections() -> None:
    """EG-12.2: corrections are counted by turn."""
    used_up = use_up_corrections(table(acting(A, "s1-evacuation", offer=("s1-any-four",)), pieces=BOARD))

    after = used_up.when(A, a.EndTurn())

    assert after.state.corrections == 0
    assert counts(after.state, "granada") == (4, 2, 0, 0)
