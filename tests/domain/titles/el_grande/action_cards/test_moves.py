"""Action cards of stack 1, and Recruitment: caballeros moved by draft. A test for each card, named after it."""

from domain.kernel.rules import IllegalAction
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from tests.domain.titles.el_grande.table import A, B, C, D, acting, areas, counts, go, line, table

BOARD = """
granada 4 2 0 0
toledo  0 3 1 0
aragon  1 1 1 1
"""


def test_intrigue() -> None:
    """EG-23.18, EG-12.3: own Granada to Castilla and Castillo, opposing Aragón to Valencia and Valencia to Castilla."""
    pieces = "granada 2 0 0 0\naragon 0 1 0 0\nvalencia 0 0 1 0"
    position = table(acting(A, "s1-intrigue-1"), king="galicia", pieces=pieces)

    outcome = position.when(
        A,
        *go(A, "granada", "castilla"),
        *go(A, "granada", "castillo"),
        *go(B, "aragon", "valencia"),
        *go(C, "valencia", "castilla"),
        a.CloseDraft(),
    )

    outcome.then(
        e.CaballerosMoved(
            A,
            (
                line(A, "granada", "castilla"),
                line(A, "granada", "castillo"),
                line(B, "aragon", "valencia"),
                line(C, "valencia", "castilla"),
            ),
        )
    )


def test_intrigue_keeps_own_and_opposing_apart() -> None:
    """EG-12.3: after two own only opposing ones, after two opposing only own ones."""
    position = table(acting(A, "s1-intrigue-1"), pieces=BOARD)

    own = position.when(A, *go(A, "granada", "navarra", 2)).position
    opposing = position.when(A, *go(B, "granada", "navarra", 2)).position

    assert A not in areas(own.legal(A), a.ChooseSource, "colour")
    assert areas(opposing.legal(A), a.ChooseSource, "colour") == {A}


def test_upheaval() -> None:
    """EG-12.3: up to 5 of any colours, all out of one region."""
    position = table(acting(A, "s1-one-region-five-1"), pieces=BOARD)
    position = position.when(A, *go(A, "granada", "navarra", 3)).position
    assert areas(position.legal(A), a.ChooseSource, "source") == {"granada"}

    outcome = position.when(A, *go(B, "granada", "castillo", 2), a.CloseDraft())

    outcome.then(e.CaballerosMoved(A, (line(A, "granada", "navarra", 3), line(B, "granada", "castillo", 2))))


def test_machination() -> None:
    """EG-12.3: up to 4 of any colours, from any regions."""
    position = table(acting(A, "s1-any-four"), pieces=BOARD)

    outcome = position.when(A, *go(B, "toledo", "navarra", 3), *go(D, "aragon", "granada"), a.CloseDraft())

    outcome.then(e.CaballerosMoved(A, (line(B, "toledo", "navarra", 3), line(D, "aragon", "granada"))))


def test_regrouping() -> None:
    """EG-12.3: up to 4 own ones; opposing ones are not touched."""
    position = table(acting(A, "s1-own-four"), pieces=BOARD)
    assert areas(position.legal(A), a.ChooseSource, "colour") == {A}

    outcome = position.when(A, *go(A, "granada", "galicia", 4), a.CloseDraft())

    outcome.then(e.CaballerosMoved(A, (line(A, "granada", "galicia", 4),)))


def test_slander() -> None:
    """EG-12.3: up to 3 opposing ones; own ones are not touched."""
    position = table(acting(A, "s1-opponent-three"), pieces=BOARD)
    assert areas(position.legal(A), a.ChooseSource, "colour") == {B, C, D}

    outcome = position.when(A, *go(B, "toledo", "galicia", 3), a.CloseDraft())

    outcome.then(e.CaballerosMoved(A, (line(B, "toledo", "galicia", 3),)))


def test_plot() -> None:
    """EG-12.3: up to 3 of any colours, and no fourth."""
    position = table(acting(A, "s1-any-three"), pieces=BOARD)
    position = position.when(A, a.ChooseSource(A, "granada")).position

    assert max(action.count for action in position.legal(A, a.SendCaballeros)) == 3


def test_militia() -> None:
    """EG-12.5: up to 2 from the Court to one or two regions, near the king or not; not the king's, not the Castillo."""
    position = table(acting(A, "s1-militia"), pieces="court 5 0 0 0")
    targets = areas(position.legal(A), a.SendCaballeros, "target")
    assert "granada" in targets
    assert not targets & {"castilla", "castillo"}

    outcome = position.when(A, a.SendCaballeros("granada", 1), a.SendCaballeros("sevilla", 1), a.CloseDraft())

    outcome.then(e.CaballerosMoved(A, (line(A, "court", "granada"), line(A, "court", "sevilla"))))


def test_militia_of_2006_reaches_the_castillo() -> None:
    """EG-26.1: the Castillo is an allowed destination, unless the king is next to it (EG-18.8)."""
    older = {"cards": "2006"}
    position = table(acting(A, "s1-militia"), pieces="court 5 0 0 0", chosen=older)
    beside = table(acting(A, "s1-militia"), pieces="court 5 0 0 0", chosen=older, king="castillo")

    assert "castillo" in areas(position.legal(A), a.SendCaballeros, "target")
    assert "castillo" not in areas(beside.legal(A), a.SendCaballeros, "target")


def test_evacuation() -> None:
    """EG-12.4: all own caballeros leave one region, each to any allowed destination."""
    position = table(acting(A, "s1-evacuation"), pieces=BOARD)
    position = position.when(A, *go(A, "granada", "navarra", 3)).position
    assert position.legal(A)[0] == a.DropDraft()
    position.refuses(A, a.CloseDraft(), IllegalAction)

    outcome = position.when(A, a.SendCaballeros("castillo", 1), a.CloseDraft())

    outcome.then(e.CaballerosMoved(A, (line(A, "granada", "navarra", 3), line(A, "granada", "castillo"))))


def test_a_dropped_evacuation_changes_nothing() -> None:
    """EG-5.8, EG-5.12: a special action is skipped or carried out to the full."""
    position = table(acting(A, "s1-evacuation"), pieces=BOARD)

    outcome = position.when(A, a.ChooseSource(A, "granada"), a.DropDraft(), a.EndTurn())

    outcome.then()
    assert counts(outcome.state, "granada") == (4, 2, 0, 0)
    assert outcome.state.to_act == (B,)


def test_evacuation_never_from_the_kings_region() -> None:
    """EG-12.4, EG-6.1: a region other than the king's."""
    position = table(acting(A, "s1-evacuation"), pieces=BOARD, king="granada")

    assert areas(position.legal(A), a.ChooseSource, "source") == {"aragon"}


def test_double_game() -> None:
    """EG-19.5: either all own caballeros leave a region, or up to 2 leave the Court; exactly one of the two."""
    chosen = {"cards": "2023", "veterans": "vet-either-or"}
    position = table(acting(A, "vet-either-or"), pieces=f"{BOARD}\ncourt 3 0 0 0", chosen=chosen)

    out = position.when(A, *go(A, "granada", "navarra", 4)).position
    in_ = position.when(A, a.SendCaballeros("granada", 1)).position

    assert out.legal(A) == (a.CloseDraft(), a.DropDraft())
    assert in_.legal(A, a.ChooseSource) == ()
    assert max(action.count for action in in_.legal(A, a.SendCaballeros)) == 1
    out.when(A, a.CloseDraft()).then(e.CaballerosMoved(A, (line(A, "granada", "navarra", 4),)))
    in_.when(A, a.CloseDraft()).then(e.CaballerosMoved(A, (line(A, "court", "granada"),)))


def test_double_game_of_2006_reaches_the_castillo_from_the_court() -> None:
    """EG-26.1: the Castillo is an allowed destination from the Court."""
    position = table(acting(A, "vet-either-or"), pieces="court 3 0 0 0", chosen={"cards": "2006"})

    assert a.SendCaballeros("castillo", 2) in position.legal(A)


def test_double_game_with_nothing_to_do() -> None:
    """EG-12.20: it may still be chosen and does nothing."""
    chosen = {"cards": "2023", "veterans": "vet-either-or"}
    position = table(acting(A, "vet-either-or"), chosen=chosen)

    position.when(A, a.UseSpecial()).then()


def test_recruitment() -> None:
    """EG-12.18: up to 2 from the Province to the Court."""
    position = table(acting(A, "s4-recruitment"))

    outcome = position.when(A, a.SendCaballeros("court", 2), a.CloseDraft())

    outcome.then(e.CaballerosMoved(A, (line(A, "province", "court", 2),)))
    assert areas(outcome.position.legal(A), a.PlaceCaballeros, "count") == {1, 2}


def test_recruitment_makes_up_from_regions() -> None:
    """EG-5.6, EG-12.18: once the Province is empty, regions may supply own caballeros."""
    position = table(acting(A, "s4-recruitment"), pieces="castillo 25 0 0 0\ngranada 4 0 0 0")
    position = position.when(A, a.SendCaballeros("court", 1)).position
    assert position.legal(A)[:-1] == (a.CloseDraft(), a.ChooseSource(A, "granada"))
    taken_up = position.when(A, a.ChooseSource(A, "granada")).position
    assert taken_up.legal(A)[:-2] == (a.CloseDraft(), a.SendCaballeros("court", 1))

    outcome = position.when(A, *go(A, "granada", "court"), a.CloseDraft())

    outcome.then(e.CaballerosMoved(A, (line(A, "province", "court"), line(A, "granada", "court"))))


def test_recruitment_is_limited_by_the_region() -> None:
    """EG-5.5, EG-12.2: each caballero moves once; with an empty Province only regions supply any."""
    position = table(acting(A, "s4-recruitment"), pieces="castillo 27 0 0 0\ngranada 1 0 0 0\naragon 2 0 0 0")
    taken_up = position.when(A, a.ChooseSource(A, "granada")).position
    assert taken_up.legal(A, a.SendCaballeros) == (a.SendCaballeros("court", 1),)

    position = taken_up.when(A, a.SendCaballeros("court", 1)).position

    assert position.legal(A)[:-1] == (a.CloseDraft(), a.ChooseSource(A, "aragon"))
    assert position.when(A, *go(A, "aragon", "court")).position.legal(A)[:-2] == (a.CloseDraft(),)


def test_a_line_needs_another_destination_and_enough_caballeros() -> None:
    """EG-12.2, EG-22.7: source and destination differ, each caballero moves once, the source must hold that many."""
    position = table(acting(A, "s1-any-four"), pieces="granada 2 0 0 0")
    position = position.when(A, *go(A, "granada", "toledo", 1)).position

    assert areas(position.legal(A), a.ChooseSource, "source") == {"granada"}
    position = position.when(A, a.ChooseSource(A, "granada")).position
    assert "granada" not in areas(position.legal(A), a.SendCaballeros, "target")
    assert areas(position.legal(A), a.SendCaballeros, "count") == {1}


def test_an_empty_draft_may_be_announced() -> None:
    """EG-12.3, EG-12.20: the number moved may be 0."""
    position = table(acting(A, "s1-any-four"), pieces=BOARD)

    position.when(A, a.ChooseSource(A, "granada"), a.CloseDraft()).then()


def test_the_castillo_takes_any_colour_and_number() -> None:
    """EG-7.2: own caballeros by placement, and any colours that the card moves by a move action."""
    position = table(acting(A, "s1-one-region-five-2"), pieces="granada 1 4 0 0")

    outcome = position.when(A, *go(B, "granada", "castillo", 4), *go(A, "granada", "castillo"), a.CloseDraft())

    assert counts(outcome.state, "castillo") == (1, 4, 0, 0)
