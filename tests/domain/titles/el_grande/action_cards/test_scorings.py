"""Action cards of stack 3, and Assessment: areas scored during a round. A test for each card, named after it."""

from domain.kernel.rules import IllegalAction
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from tests.domain.titles.el_grande.table import A, acting, areas, counts, table

BOARD = """
galicia  2 1 0 0
sevilla  0 2 0 0
aragon   1 2 3 0
granada  4 1 0 0
castillo 3 2 1 0
"""


def test_assessment() -> None:
    """EG-12.9, EG-22.13: any one region, the king's included; not the Castillo with the 2023 cards."""
    position = table(acting(A, "s2-choose-region-1"), pieces=BOARD, king="granada")
    assert len(areas(position.legal(A), a.NameArea, "area")) == 9
    position.refuses(A, a.NameArea("castillo"), IllegalAction)

    position.when(A, a.NameArea("granada")).then(e.AreaScored("granada", (8, 3, 0, 0)))


def test_assessment_of_2006_may_open_the_castillo() -> None:
    """EG-26.1, EG-22.13: it keeps its contents."""
    position = table(acting(A, "s2-choose-region-4"), pieces=BOARD, chosen={"cards": "2006"})

    outcome = position.when(A, a.NameArea("castillo"))

    outcome.then(e.CastilloOpened((3, 2, 1, 0)), e.AreaScored("castillo", (5, 3, 1, 0)))
    assert counts(outcome.state, "castillo") == (3, 2, 1, 0)


def test_bases() -> None:
    """EG-12.10, EG-11.3: every region whose first place is currently worth 4."""
    table(acting(A, "s3-bases-1"), pieces=BOARD).when(A, a.UseSpecial()).then(
        e.AreaScored("galicia", (4, 2, 0, 0)),
        e.AreaScored("cataluna", (0, 0, 0, 0)),
        e.AreaScored("sevilla", (0, 4, 0, 0)),
    )


def test_fiesta() -> None:
    """EG-12.10, EG-23.14: Navarra, Aragón, Valencia, never the Castillo."""
    table(acting(A, "s3-fiesta-1"), pieces=BOARD).when(A, a.UseSpecial()).then(
        e.AreaScored("navarra", (0, 0, 0, 0)),
        e.AreaScored("aragon", (1, 4, 5, 0)),
        e.AreaScored("valencia", (0, 0, 0, 0)),
    )


def test_great_houses() -> None:
    """EG-12.10: Castilla and Granada with 6, Toledo with 7; the king's region included."""
    table(acting(A, "s3-six-seven"), pieces=BOARD, king="granada").when(A, a.UseSpecial()).then(
        e.AreaScored("castilla", (0, 0, 0, 0)),
        e.AreaScored("toledo", (0, 0, 0, 0)),
        e.AreaScored("granada", (8, 3, 0, 0)),
    )


def test_revelation() -> None:
    """EG-12.11: it is opened, scored with bonuses where they apply, and keeps its contents."""
    position = table(acting(A, "s3-revelation-1"), pieces=BOARD, grandes={A: "castillo"})

    outcome = position.when(A, a.UseSpecial())

    outcome.then(e.CastilloOpened((3, 2, 1, 0)), e.AreaScored("castillo", (7, 3, 1, 0)))
    assert counts(outcome.state, "castillo") == (3, 2, 1, 0)
    assert outcome.state.grandes[A] == 9


def test_precedence() -> None:
    """EG-12.12: first places of all regions; neither the Castillo nor other places."""
    outcome = table(acting(A, "s3-firsts-only"), pieces=BOARD).when(A, a.UseSpecial())

    points = {effect.area: effect.points for effect in outcome.of(e.AreaScored)}
    assert len(points) == 9
    assert points["granada"] == (6, 0, 0, 0)
    assert points["aragon"] == (0, 0, 5, 0)


def test_throng() -> None:
    """EG-12.13: the region or regions with the most caballeros in total."""
    outcome = table(acting(A, "s3-most"), pieces=f"{BOARD}\ntoledo 6 0 0 0").when(A, a.UseSpecial())

    outcome.then(e.AreaScored("aragon", (1, 4, 5, 0)), e.AreaScored("toledo", (7, 0, 0, 0)))


def test_backwater() -> None:
    """EG-12.13: the region or regions with the fewest, empty ones excluded."""
    table(acting(A, "s3-fewest"), pieces=BOARD).when(A, a.UseSpecial()).then(e.AreaScored("sevilla", (0, 4, 0, 0)))


def test_scores_add_up() -> None:
    """EG-24.6: a scoring never reduces points."""
    outcome = table(acting(A, "s3-bases-2"), pieces=BOARD).when(A, a.UseSpecial())

    assert outcome.state.scores == (4, 6, 0, 0)
