"""Differences between editions (LG-12), and whole matches of each edition."""

from collections import Counter
from typing import Any, Final

import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.rules import Seat, UnknownOption
from domain.kernel.values import replace
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import CardStep, DeliveryStep, DeliveryTurn, DieResolution, DieWindow, StallChoice
from domain.titles.la_granja.cards import CARD_NUMBERS
from domain.titles.la_granja.components import BUILDINGS, EDITIONS, ROOF_EFFECTS, ROOF_TILES, STANDARD
from domain.titles.la_granja.components_market import MARKETS
from domain.titles.la_granja.editions import marker_supply
from domain.titles.la_granja.state import STEPS, State
from tests.domain.titles.la_granja.table import (
    A,
    B,
    cell_at,
    check_state,
    deal_cards,
    fill_row,
    give_goods,
    last_of,
    lay_cards,
    lay_table,
    load_barrow,
    opening,
    random_match,
    step,
)
from tests.scenario import Position

NAMES: Final = tuple(EDITIONS)
EDITION = pytest.mark.parametrize("edition", NAMES)
OTHERS = pytest.mark.parametrize("edition", ["original", "yucata", "bga"])


def test_a_match_chooses_one_of_four_editions() -> None:
    """LG-12: Deluxe by default."""
    assert set(NAMES) == {"original", "deluxe", "yucata", "bga"}
    assert la_granja.options({}).chosen["edition"] == "deluxe"
    assert all(la_granja.options({"edition": name}).chosen["edition"] == name for name in NAMES)


BOARDS: Final = {
    "original": ("large_closed", "large_closed", "large"),
    "yucata": ("large_closed", "large_closed", "large"),
    "bga": ("large_closed", "large_closed", "large"),
    "deluxe": ("small", "large_closed", "large"),
}


@EDITION
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_market_board_of_an_edition(edition: str, seats: int) -> None:
    """LG-12.1: one board with ten spaces closed for 2 and 3 players; the Deluxe edition has a board for 2."""
    state, _ = opening(seats, edition=edition)
    market = MARKETS[state.board]

    assert state.board == BOARDS[edition][seats - 2]
    assert len(market.cells) - len(market.open) == (10 if state.board == "large_closed" else 0)


SHORT: Final = [
    give_goods(A, olive=16, trade_commodity=4, pig=1),
    fill_row(A, 2, BUILDINGS[2].row, 0, 1, 2),
    [e.BuildingCompleted(A, 2)],
    [e.StallPlaced(A, cell) for cell in range(3)],
    give_goods(A, silver=20),
]


@pytest.mark.parametrize(("edition", "is_offered"), [("original", False), ("bga", False), ("deluxe", True)])
def test_which_markers_may_be_taken_back(edition: str, is_offered: bool) -> None:
    """LG-12.2: 25 markers; markers in completed buildings can be taken back in the Deluxe edition only."""
    position = lay_table(*SHORT, step("first_dice", DieWindow(A)), edition=edition)
    assert position.state.farms[A].markers == 0

    pending = position.when(A, a.BuyResource("grape")).position

    assert (a.TakeBackMarker("mark", "", 2) in pending.legal(A)) == is_offered
    assert a.TakeBackMarker("store", "olive") in pending.legal(A)
    assert a.TakeBackMarker("market", "", 1) in pending.legal(A)


def test_yucata_has_no_marker_limit() -> None:
    """LG-12.2: no seat runs out of markers, and the view shows no limit."""
    position = lay_table(*SHORT, give_goods(A, grain=40), step("first_dice", DieWindow(A)), edition="yucata")

    after = position.when(A, a.BuyResource("grape"))

    after.then(e.GoodPaid(A, "silver", 4, "", "buying"), e.GoodGained(A, "grape", 1, "store", "buying"))
    assert la_granja.view(after.state, A).marker_limit == 0


def visible_points(state: State, reader: int | None) -> tuple[int | None, ...]:
    """Return the VP of every farm as the reader sees them."""
    return tuple(farm.vp for farm in la_granja.view(state, None if reader is None else Seat(reader)).farms)


@pytest.mark.parametrize(
    ("edition", "spectator", "own"),
    [
        ("deluxe", (3, 5), (3, 5)),
        ("bga", (3, 5), (3, 5)),
        ("original", (None, None), (None, 5)),
        ("yucata", (None, None), (None, 5)),
    ],
)
def test_who_sees_victory_points(edition: str, spectator: tuple[int | None, ...], own: tuple[int | None, ...]) -> None:
    """LG-12.3: secret until the end in the original edition and at Yucata, open in the others."""
    position = lay_table(give_goods(A, vp=3), give_goods(B, vp=5), step("cards", CardStep(A)), edition=edition)

    assert visible_points(position.state, None) == spectator
    assert visible_points(position.state, B) == own
    over = la_granja.evolve(position.state, e.StepBegun(6, "over"))
    assert visible_points(over, None) == (3, 5)


def test_secret_victory_points_can_be_imagined() -> None:
    """LG-12.3: the assumed points change neither the reader's view nor the legal actions."""
    state = lay_table(give_goods(A, vp=3), step("cards", CardStep(A)), edition="original", seats=3).state
    state = la_granja.evolve(state, give_goods(B, vp=5)[0])
    view = la_granja.view(state, A)

    imagined = la_granja.imagine(view, Position(la_granja, state).chance)

    assert la_granja.view(imagined, A) == view
    assert [farm.vp > 0 for farm in imagined.farms] == [True, True, False]
    assert la_granja.legal_actions(imagined, A) == la_granja.legal_actions(state, A)


@EDITION
def test_extra_deliveries_are_bought_one_by_one_in_every_edition(edition: str) -> None:
    """LG-12.4, LG-13.12: the first brings a commodity that is exchanged for the silver of the second."""
    assert EDITIONS[edition].extra_delivery_purchase == "one_by_one"
    goods = (
        lay_cards(A, "barrow", 25, 2),
        load_barrow(A, 2, "pig"),
        give_goods(A, pig=2, silver=1),
        lay_cards(A, "extension", 2),
    )
    turn = step("extra_deliveries", DieWindow(B), DeliveryTurn(A, paid=True))
    position = lay_table(*goods, give_goods(B, trade_commodity=1), turn, edition=edition).when(B, a.Pass()).position

    first = position.when(A, a.DeliverToBarrow("pig", "pen", 2)).position
    placed = first.when(A, first.legal(A, a.PlaceStall)[0])
    again = placed.when(A, a.SpendCommodity("silver_4"), a.DeliverToBarrow("pig", "pen", 25))

    assert len(again.of(e.Delivered)) == 1
    assert again.state.farms[A].silver == 3


@EDITION
def test_an_extension_played_in_the_step_adds_no_extra_delivery(edition: str) -> None:
    """LG-12.4, LG-13.11: Yucata states this rule; it is applied in every edition."""
    goods = (give_goods(A, silver=3, pig=2, trade_commodity=1), give_goods(B, trade_commodity=1), deal_cards(A, 2))
    turn = step("extra_deliveries", DieWindow(B), DeliveryTurn(A, paid=True))
    position = lay_table(*goods, lay_cards(A, "barrow", 25), turn, edition=edition).when(B, a.Pass()).position

    after = position.when(A, a.SpendCommodity("play_or_draw_card"), a.PlayCard(2, "extension"), a.PayGood("silver", ""))

    assert after.state.agenda[-1] == DeliveryStep(A, left=1, paid=True)
    used_up = after.position.when(A, a.DeliverToBarrow("pig", "pen", 25))
    assert used_up.state.farms[A].pig == 1
    assert used_up.position.legal(A, a.DeliverToBarrow) == ()


def all_own(edition: str) -> Position:
    """Return a position in which A has completed a barrow of 6, all 6s are A's, and B has an adjacent 4."""
    sixes = MARKETS[EDITIONS[edition].market["2"]].by_value[6]
    tasks = step("free_deliveries", StallChoice(A, 2), StallChoice(A, 6))
    return lay_table([e.StallPlaced(A, cell) for cell in sixes], tasks, edition=edition)


@pytest.mark.parametrize("edition", ["original", "deluxe", "bga"])
def test_own_markers_are_not_replaced(edition: str) -> None:
    """LG-12.5: nothing is placed if all spaces of the value hold own markers."""
    two = cell_at(2, 0, 0, edition)

    after = all_own(edition).when(A, a.PlaceStall(two))

    assert after.of(e.StallPlaced, e.StallRemoved) == (e.StallPlaced(A, two),)


def test_yucata_replaces_an_own_marker_for_1_vp() -> None:
    """LG-12.5: opponents' lower neighbours are removed as in any placement."""
    position = all_own("yucata")
    four = e.StallPlaced(B, cell_at(2, 1, 0, "yucata"))
    state = la_granja.evolve(position.state, four)
    six = cell_at(2, 2, 0, "yucata")

    pending = Position(la_granja, state, position.untold).when(A, a.PlaceStall(cell_at(2, 0, 0, "yucata"))).position
    assert len(pending.legal(A)) == 2
    after = pending.when(A, a.PlaceStall(six))

    after.then(
        e.StallRemoved(A, six, A),
        e.GoodGained(A, "vp", 1, "", "market"),
        e.StallPlaced(A, six),
        e.StallRemoved(A, cell_at(2, 1, 0, "yucata"), B),
        e.GoodGained(A, "vp", 1, "", "market"),
    )
    assert after.state.farms[A].markers == pending.state.farms[A].markers


def test_yucata_replaces_an_opponent_s_marker_first() -> None:
    """LG-12.5: an own marker only if the opponents have none."""
    sixes = MARKETS[EDITIONS["yucata"].market["2"]].by_value[6]
    standing = [e.StallPlaced(B if cell == sixes[0] else A, cell) for cell in sixes]
    tasks = step("free_deliveries", StallChoice(A, 2), StallChoice(A, 6))

    after = lay_table(standing, tasks, edition="yucata").when(A, a.PlaceStall(cell_at(2, 0, 0, "yucata")))

    assert after.of(e.StallRemoved) == (e.StallRemoved(A, sixes[0], B),)


def porter(edition: str, *effects: Any) -> Position:
    """Return a position in which A resolves a 6 and has the Porter, which works once per round."""
    die = DieResolution(A, pips=6)
    goods = (lay_cards(A, "helper", 3), lay_cards(A, "barrow", 1), give_goods(A, olive=1, trade_commodity=1))
    return lay_table(*goods, *effects, last_of("first_dice", die, round=2), edition=edition)


@pytest.mark.parametrize(("edition", "markers"), [("original", 1), ("deluxe", 0), ("yucata", 0), ("bga", 0)])
def test_the_mark_of_a_helper_used_once_per_round(edition: str, markers: int) -> None:
    """LG-12.6: a player marker in the original edition, which cannot be taken back (LG-12.2); a token elsewhere."""
    before = porter(edition)

    after = before.when(A, a.UseHelper(3))

    assert after.state.farms[A].markers == before.state.farms[A].markers - markers
    (helper,) = la_granja.view(after.state, B).farms[A].helpers
    assert (helper.is_exhausted, helper.is_marked) == (True, bool(markers))


def test_the_marker_on_a_helper_returns_in_phase_iv_or_with_the_card() -> None:
    """LG-12.6, LG-7.5: no marker is lost."""
    before = porter("original")
    used = before.when(A, a.UseHelper(3)).state

    refreshed = la_granja.evolve(used, e.HelpersRefreshed())
    gone = la_granja.evolve(used, e.CardDiscarded(A, 3, "helper"))

    assert refreshed.farms[A].markers == gone.farms[A].markers == before.state.farms[A].markers
    assert not refreshed.farms[A].helpers[0].exhausted


def test_a_helper_works_without_a_marker_to_put_on_it() -> None:
    """LG-12.6, LG-0.9: using a helper is no gain, so no marker is taken back for it."""
    left = porter("original").state.farms[A].markers
    position = porter("original", give_goods(A, wine=left))

    after = position.when(A, a.UseHelper(3))

    assert after.of(e.HelperMarked) == ()
    assert after.state.farms[A].helpers[0].exhausted


@OTHERS
def test_the_roof_tiles_of_the_other_editions_have_14_effects(edition: str) -> None:
    """LG-12.7: 24 tiles with 14 effects, four per round; the Deluxe edition has all of these effects too."""
    tiles = [tile for round in range(1, 7) for tile in STANDARD.roof_tiles_of(round, edition)]

    assert len(tiles) == len(set(tiles)) == 24
    assert len({ROOF_TILES[tile].effect for tile in tiles}) == 14
    assert {ROOF_TILES[tile].effect for tile in tiles} <= set(ROOF_EFFECTS)


@EDITION
def test_only_roof_tiles_of_the_edition_are_revealed(edition: str) -> None:
    """LG-12.7."""
    kind = "D" if edition == "deluxe" else "O"

    turned = [
        tile
        for _, effects in random_match(3, 2, edition=edition)
        for effect in effects
        if isinstance(effect, e.RoofsRevealed)
        for tile in effect.tiles
    ]

    assert len(turned) == 18
    assert all(tile.startswith(kind) for tile in turned)


@EDITION
def test_phase_iv_has_the_same_content_in_every_edition(edition: str) -> None:
    """LG-12.8: market, siesta, markers back, next tiles; the number of steps is only a matter of counting."""
    begun = [
        (effect.round, effect.step)
        for _, effects in random_match(2, 2, edition=edition)
        for effect in effects
        if isinstance(effect, e.StepBegun)
    ]

    evening = STEPS[STEPS.index("market_scoring") : STEPS.index("sale")]
    assert [step for round, step in begun if round == 2 and step in evening] == list(evening)


TOKENS: Final = {
    "original": (66, (1, 3, 5, 10), 38, 0),
    "deluxe": (54, (1, 5, 20, 50), 42, 10),
    "yucata": (0, (), 0, 0),
    "bga": (0, (), 0, 0),
}


@EDITION
def test_the_tokens_of_an_edition_limit_nothing(edition: str) -> None:
    """LG-12.9, LG-0.8: the component table lists them, but silver and VP are unlimited."""
    row = EDITIONS[edition]

    assert (row.vp_tokens, row.vp_token_values, row.silver_tokens, row.exhaustion_tokens) == TOKENS[edition]
    assert lay_table(give_goods(A, vp=900, silver=900), edition=edition).state.farms[A].vp == 900


@EDITION
def test_every_edition_plays_the_cards_of_2015(edition: str) -> None:
    """LG-12.10: one deck of 66; the printing of 2014 is not included."""
    state, effects = opening(4, edition=edition)

    assert state.deck == "standard"
    assert len(CARD_NUMBERS) == 66
    assert sum(effect.count for effect in effects if isinstance(effect, e.CardsDrawn)) == 16


def test_modules_cannot_be_chosen() -> None:
    """LG-12.12."""
    with pytest.raises(UnknownOption, match="crumbling_roofs"):
        la_granja.options({"edition": "deluxe", "crumbling_roofs": "yes"})


@EDITION
def test_the_service_rolls_the_dice_in_every_edition(edition: str) -> None:
    """LG-12.13: the dice are rolled without an action, before the first die is chosen."""
    rolled = Counter[int]()
    for state, effects in random_match(2, 4, edition=edition):
        rolled[state.round] += sum(isinstance(effect, e.DiceRolled) for effect in effects)
        assert state.step != "roll"

    assert rolled == dict.fromkeys(range(1, 7), 1)


@EDITION
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_invariants_hold_in_random_matches_of_every_edition(edition: str, seats: int) -> None:
    """LG-0.9, LG-12.2: every marker is in the supply or in use, and the match ends."""
    for state, _ in random_match(seats, 9, edition=edition):
        check_state(state, markers=marker_supply(EDITIONS[edition]))

    assert la_granja.ranking(state) is not None


def test_secret_points_are_not_among_the_open_scores() -> None:
    """LG-12.3: the lobby and the replay disclose only open points."""
    for edition, is_open in (("original", False), ("yucata", False), ("deluxe", True), ("bga", True)):
        state = None
        for effect in la_granja.start(la_granja.options({"edition": edition}), 2, SeededChance(bytes(32))):
            state = la_granja.evolve(state, effect)
        assert state is not None

        assert la_granja.open_scores(state) == (la_granja.scores(state) if is_open else ())
        assert la_granja.open_scores(replace(state, step="over")) == la_granja.scores(state)
