"""Action cards that send caballeros away, directly or by secret choice. A test for each card, named after it."""

from domain.kernel.hidden import Hidden
from domain.kernel.rules import IllegalAction
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from tests.domain.titles.el_grande.table import A, B, C, D, acting, areas, counts, line, table

OLDER = {"cards": "2006"}


def secret(seat: int, region: str | None) -> e.SecretChosen:
    return e.SecretChosen(seat, Hidden(region, (seat,)))  # type: ignore[arg-type]  # regions of the test


def test_withdrawal() -> None:
    """EG-23.15, EG-12.6, EG-25.10: clockwise from the left, from regions and/or the Court, one after the other."""
    pieces = "court 0 5 2 0\nvalencia 0 1 1 1\ntoledo 0 0 0 2"
    position = table(acting(A, "s2-withdrawal"), king="galicia", pieces=pieces)

    position = position.when(A, a.UseSpecial()).position
    assert position.state.to_act == (B,)
    outcome = position.when(B, a.SendBack("court", 3))

    moved = [effect.lines for effect in outcome.of(e.CaballerosMoved)]
    assert moved == [
        (line(B, "court", "province", 3),),
        (line(C, "court", "province", 2), line(C, "valencia", "province", 1)),
        (line(D, "toledo", "province", 2), line(D, "valencia", "province", 1)),
    ]


def test_withdrawal_is_sent_place_by_place() -> None:
    """EG-12.6, EG-5.12: a player must send caballeros until 3 are sent, but never from the king's region."""
    pieces = "court 0 5 0 0\nvalencia 0 1 0 0\ncastilla 0 4 0 0"
    position = table(acting(A, "s2-withdrawal"), pieces=pieces).when(A, a.UseSpecial()).position
    position.refuses(B, a.SendBack("castilla", 1), IllegalAction)

    outcome = position.when(B, a.SendBack("valencia", 1))

    outcome.then(
        e.CaballerosMoved(B, (line(B, "valencia", "province"),)),
        e.CaballerosMoved(B, (line(B, "court", "province", 2),)),
    )


def test_loss_of_favour() -> None:
    """EG-12.6: every opponent sends 3 from the Court, or fewer if it holds fewer; no opponent chooses."""
    position = table(acting(A, "s2-court-loss-three"), pieces="court 5 5 2 0")

    outcome = position.when(A, a.UseSpecial())

    outcome.then(e.CaballerosMoved(A, (line(B, "court", "province", 3), line(C, "court", "province", 2))))


def test_disgrace() -> None:
    """EG-12.6: every opponent sends the whole Court."""
    position = table(acting(A, "s2-court-loss-all"), pieces="court 5 5 2 0")

    outcome = position.when(A, a.UseSpecial())

    assert counts(outcome.state, "court") == (5, 0, 0, 0)


def test_disgrace_of_empty_courts_changes_nothing() -> None:
    """EG-12.20: it can be chosen all the same."""
    table(acting(A, "s2-court-loss-all")).when(A, a.UseSpecial()).then()


def test_arrest() -> None:
    """EG-12.7: one caballero of each opponent who has one in a region other than the king's."""
    position = table(acting(A, "s2-return-one-each"), pieces="granada 1 2 0 0\naragon 0 1 1 0\ncastilla 0 0 0 3")
    assert position.legal(A, a.ChooseSource) == (a.ChooseSource(B, "aragon"), a.ChooseSource(B, "granada"))
    position = position.when(A, a.ChooseSource(B, "granada")).position
    assert position.legal(A) == (a.DropDraft(), a.ChooseSource(C, "aragon"))

    outcome = position.when(A, a.ChooseSource(C, "aragon"), a.CloseDraft())

    outcome.then(e.CaballerosMoved(A, (line(B, "granada", "province"), line(C, "aragon", "province"))))


def test_arrest_without_caballeros_to_choose() -> None:
    """EG-12.20: it changes nothing."""
    table(acting(A, "s2-return-one-each"), pieces="granada 3 0 0 0").when(A, a.UseSpecial()).then()


def test_desertion() -> None:
    """EG-12.8, EG-22.10, EG-22.11: regions with 2, or else with 1; opponents without any are skipped."""
    pieces = "granada 4 2 0 1\naragon 4 3 0 1\ntoledo 0 1 0 0"
    position = table(acting(A, "s2-secret-return-two"), pieces=pieces).when(A, a.UseSpecial()).position
    assert position.state.to_act == (B, D)
    assert areas(position.legal(B), a.ChooseRegion, "region") == {"granada", "aragon"}
    assert areas(position.legal(D), a.ChooseRegion, "region") == {"granada", "aragon"}

    outcome = position.when(D, a.ChooseRegion("aragon")).when(B, a.ChooseRegion("granada"))

    outcome.then(
        secret(B, "granada"),
        e.SecretsRevealed((B, D), ("granada", "aragon")),
        e.CaballerosMoved(A, (line(B, "granada", "province", 2), line(D, "aragon", "province", 1))),
    )


def test_desertion_of_2006_affects_every_player() -> None:
    """EG-26.1: every player is affected, the acting one included."""
    position = table(acting(A, "s2-secret-return-two"), pieces="granada 4 2 0 0\naragon 4 3 0 0", chosen=OLDER)

    assert position.when(A, a.UseSpecial()).state.to_act == (A, B)


def test_civil_war() -> None:
    """EG-12.8, EG-13.1, EG-13.5: all caballeros of the region leave after the reveal; the king's is taboo."""
    pieces = "granada 4 2 0 1\naragon 4 3 2 0\ncastilla 0 5 5 5"
    position = table(acting(A, "s2-civil-war"), pieces=pieces).when(A, a.UseSpecial()).position
    assert position.state.to_act == (B,)
    position.refuses(B, a.ChooseRegion("castilla"), IllegalAction)

    outcome = position.when(B, a.ChooseRegion("aragon"))

    outcome.then(
        secret(B, "aragon"),
        e.SecretsRevealed((B, C, D), ("aragon", "aragon", "granada")),
        e.CaballerosMoved(
            A,
            (
                line(B, "aragon", "province", 3),
                line(C, "aragon", "province", 2),
                line(D, "granada", "province", 1),
            ),
        ),
    )


def test_civil_war_of_2006_affects_every_player() -> None:
    """EG-26.1: every player is affected, the acting one included."""
    position = table(acting(A, "s2-civil-war"), pieces="granada 4 2 0 0\naragon 4 3 0 0", chosen=OLDER)

    assert position.when(A, a.UseSpecial()).state.to_act == (A, B)


def test_civil_war_without_decisions_ends_at_once() -> None:
    """EG-13.4: single choices are made automatically; players without a choice are left out."""
    position = table(acting(A, "s2-civil-war"), pieces="granada 4 2 0 0")

    outcome = position.when(A, a.UseSpecial())

    outcome.then(
        e.SecretsRevealed((B,), ("granada",)),
        e.CaballerosMoved(A, (line(B, "granada", "province", 2),)),
    )


def test_coup() -> None:
    """EG-23.16, EG-12.17, EG-22.12: opponents with 1, 2 and 2 in Toledo go elsewhere; the acting player's 2 stay."""
    position = table(acting(A, "s4-coup"), pieces="toledo 2 1 2 2").when(A, a.NameArea("toledo")).position
    assert position.state.to_act == (B, C, D)
    regions = areas(position.legal(B), a.ChooseRegion, "region")
    assert len(regions) == 7
    assert not regions & {"toledo", "castilla", "castillo"}

    outcome = position.when(B, a.ChooseRegion("cataluna"))
    outcome = outcome.when(D, a.ChooseRegion("valencia")).when(C, a.ChooseRegion("granada"))

    outcome.then(
        secret(C, "granada"),
        e.SecretsRevealed((B, C, D), ("cataluna", "granada", "valencia")),
        e.CaballerosMoved(
            A, (line(B, "toledo", "cataluna", 1), line(C, "toledo", "granada", 2), line(D, "toledo", "valencia", 2))
        ),
    )
    assert counts(outcome.state, "toledo") == (2, 0, 0, 0)


def test_coup_on_the_kings_region_is_refused() -> None:
    """EG-12.17: the acting player names a region other than the king's."""
    table(acting(A, "s4-coup")).refuses(A, a.NameArea("castilla"), IllegalAction)


def test_coup_on_a_region_without_opponents() -> None:
    """EG-12.20: no player decides and nothing moves."""
    outcome = table(acting(A, "s4-coup"), pieces="toledo 2 0 0 0").when(A, a.NameArea("toledo"))

    outcome.then(e.SecretsRevealed((), ()))


def test_secret_council() -> None:
    """EG-19.6: every player chooses a region, the king's included; each chosen by exactly one player is scored."""
    chosen = {"cards": "2023", "veterans": "vet-secret-scoring"}
    pieces = "castilla 2 1 0 0\ngranada 0 0 3 1\ntoledo 1 0 0 0"
    position = table(acting(A, "vet-secret-scoring"), pieces=pieces, chosen=chosen).when(A, a.UseSpecial()).position
    assert position.state.to_act == (A, B, C, D)
    assert len(position.legal(B)) == 9

    outcome = position.when(A, a.ChooseRegion("castilla")).when(B, a.ChooseRegion("toledo"))
    outcome = outcome.when(C, a.ChooseRegion("granada")).when(D, a.ChooseRegion("toledo"))

    outcome.then(
        secret(D, "toledo"),
        e.SecretsRevealed((A, B, C, D), ("castilla", "toledo", "granada", "toledo")),
        e.AreaScored("castilla", (8, 4, 0, 0)),
        e.AreaScored("granada", (0, 0, 6, 3)),
    )


def test_an_unclear_choice_for_a_card_is_refused() -> None:
    """EG-13.2, EG-22.6: a single legal region is required; anything else is refused."""
    position = table(acting(A, "s2-civil-war"), pieces="granada 0 2 0 0\naragon 0 3 0 0")
    position = position.when(A, a.UseSpecial()).position

    position.refuses(B, a.SetDisc(), IllegalAction)
    position.refuses(B, a.ChooseRegion("toledo"), IllegalAction)
    assert position.state.to_act == (B,)


def test_a_secret_choice_is_final() -> None:
    """EG-13.3: a seat that has chosen cannot choose again."""
    position = table(acting(A, "s4-coup"), pieces="toledo 2 1 2 2").when(A, a.NameArea("toledo")).position
    position = position.when(B, a.ChooseRegion("cataluna")).position

    position.refuses(B, a.ChooseRegion("granada"), IllegalAction)
