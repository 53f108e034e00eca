"""Narration of effects in sentences; hidden values appear only for their audience."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.kernel.messages import Message, join_terms, plural
from domain.kernel.rules import Seat
from domain.titles.la_granja import effects as e
from domain.titles.la_granja import words_solo
from domain.titles.la_granja import words_terms as terms
from domain.titles.la_granja.effects import Effect
from domain.titles.la_granja.state import PHASE_OF
from domain.titles.la_granja.tables import BOXES, DECKS
from domain.titles.la_granja.view import View
from domain.titles.la_granja.words_terms import Args


def narrate(view: View, effects: tuple[Effect, ...]) -> tuple[Message, ...]:
    """Return the sentences of the effects in order; bookkeeping effects have none."""
    messages = (NARRATE[type(effect)](view, effect) for effect in effects)
    return tuple(message for message in messages if message is not None)


def _no_sentence(_: View, __: Effect) -> None:
    """Return None, for bookkeeping effects that their neighbours already describe."""


def _match_begun(_: View, effect: e.MatchBegun) -> Message:
    return Message("A match of La Granja begins with {seats} players", {"seats": effect.seats})


def _turn_order_set(_: View, effect: e.TurnOrderSet) -> Message:
    return Message("The turn order is {players}", {"players": join_terms(map(terms.player, effect.order))})


def _building_blocked(view: View, effect: e.BuildingBlocked) -> Message:
    args: Args = {"tile": effect.tile, "building": terms.building(effect.building, view.deck)}
    return Message("Building order tile {tile} blocks the {building}", args)


def _building_opened(view: View, effect: e.BuildingOpened) -> Message:
    """Say which order tile the player removes, and which building it opens."""
    args: Args = {
        "player": terms.player(effect.seat),
        "tile": effect.tile,
        "building": terms.building(effect.building, view.deck),
    }
    return Message("{player} removes building order tile {tile}: the {building} is open to all players", args)


def _step_begun(_: View, effect: e.StepBegun) -> Message:
    args: Args = {"round": effect.round, "phase": PHASE_OF[effect.step], "step": terms.step(effect.step)}
    return Message("Round {round}, phase {phase}: {step}", args)


def _good_gained(_: View, effect: e.GoodGained) -> Message:
    """Say which goods the player gains, and whether on a field or a helper."""
    args: Args = {"player": terms.player(effect.seat), "goods": terms.goods(effect.good, effect.amount)}
    if effect.place == "field":
        return Message("{player} has {goods} on a field", args)
    if effect.place == "helper":
        return Message("{player} has {goods} on a helper", args)
    return Message("{player} takes {goods}", args)


def _good_paid(_: View, effect: e.GoodPaid) -> Message:
    args: Args = {"player": terms.player(effect.seat), "goods": terms.goods(effect.good, effect.amount)}
    return Message("{player} pays {goods}", args)


def _gain_given_up(_: View, effect: e.GainGivenUp) -> Message:
    args: Args = {"player": terms.player(effect.seat), "good": terms.goods(effect.good)}
    return Message("{player} has no marker left and gives up a gain: {good}", args)


def _marker_taken_back(_: View, effect: e.MarkerTakenBack) -> Message:
    args: Args = {"player": terms.player(effect.seat), "place": Message(terms.TAKEN_FROM[effect.place])}
    return Message("{player} takes back a marker {place}", args)


def _resource_sold(_: View, effect: e.ResourceSold) -> Message:
    """State the goods that the player sells, their place and the silver."""
    args: Args = {
        "player": terms.player(effect.seat),
        "goods": terms.goods(effect.resource, effect.amount),
        "place": terms.place(effect.place),
        "silver": terms.goods("silver", effect.silver),
    }
    return Message("{player} sells {goods} {place} for {silver}", args)


def _pig_unhoused(_: View, effect: e.PigUnhoused) -> Message:
    args: Args = {"player": terms.player(effect.seat), "silver": terms.goods("silver", effect.silver)}
    return Message("{player} has no free pen and sells the pig for {silver}", args)


def _resource_upgraded(_: View, effect: e.ResourceUpgraded) -> Message:
    """State the resource that the player upgrades, the upgraded good, and the silver paid if any."""
    args: Args = {
        "player": terms.player(effect.seat),
        "goods": terms.goods(effect.resource),
        "upgraded": terms.kind(effect.good),
    }
    if not effect.silver:
        return Message("{player} upgrades {goods} to {upgraded} free of charge", args)
    args["silver"] = terms.goods("silver", effect.silver)
    return Message("{player} upgrades {goods} to {upgraded} for {silver}", args)


def _cards_drawn(view: View, effect: e.CardsDrawn) -> Message:
    """Say how many cards the player draws; name them for their audience only, even if the effect holds them."""
    args: Args = {"player": terms.player(effect.seat), "count": effect.count}
    cards = effect.cards.known_or(()) if view.seat in effect.cards.audience else ()
    if not cards:
        singular_text, plural_text = plural("{player} draws {count} card", "{player} draws {count} cards")
        return Message(singular_text, args, plural=plural_text, count=effect.count)
    args["cards"] = join_terms(terms.card(card, view.deck) for card in cards)
    singular_text, plural_text = plural("{player} draws card {cards}", "{player} draws cards {cards}")
    return Message(singular_text, args, plural=plural_text, count=effect.count)


def _discard_reshuffled(_: View, __: e.DiscardReshuffled) -> Message:
    return Message("The discard pile is shuffled into a new draw pile")


def _card_played(view: View, effect: e.CardPlayed) -> Message:
    """Say which card the player plays as which side, with its crop, goods, bonuses or helper name."""
    card = DECKS[view.deck][effect.card]
    args: Args = {"player": terms.player(effect.seat), "card": terms.card(effect.card, view.deck)}
    match effect.side:
        case "field":
            return Message("{player} plays card {card} as a field: {crop}", args | {"crop": terms.kind(card.crop)})
        case "barrow":
            goods = join_terms(map(terms.kind, card.barrow.goods))
            return Message("{player} plays card {card} as a market barrow: {goods}", args | {"goods": goods})
        case "extension":
            gains = terms.extension(card.extension)
            return Message("{player} plays card {card} as a farm extension: {gains}", args | {"gains": gains})
        case _:
            helper = terms.helper(effect.card, view.deck)
            return Message("{player} plays the {helper} as a helper", {"player": args["player"], "helper": helper})


def _card_discarded(view: View, effect: e.CardDiscarded) -> Message:
    """Say which card, barrow or helper the player discards."""
    args: Args = {"player": terms.player(effect.seat), "card": terms.card(effect.card, view.deck)}
    match effect.side:
        case "hand" | "aside":
            return Message("{player} discards card {card}", args)
        case "barrow":
            return Message("{player} discards the market barrow of card {card}; the goods on it are lost", args)
        case _:
            helper = terms.helper(effect.card, view.deck)
            return Message("{player} discards the {helper}", {"player": args["player"], "helper": helper})


def _roofs_revealed(view: View, effect: e.RoofsRevealed) -> Message:
    """Name the roof tiles of the round, or say that there are none."""
    if not effect.tiles:
        return Message("No roof tiles are turned up")
    tiles = join_terms(terms.roof_tile(tile, view.deck) for tile in effect.tiles)
    return Message("The roof tiles of the round are {tiles}", {"tiles": tiles})


def _roof_bought(view: View, effect: e.RoofBought) -> Message:
    """Say which roof tile the player buys for how much silver."""
    args: Args = {
        "player": terms.player(effect.seat),
        "tile": terms.roof_tile(effect.tile, view.deck),
        "silver": terms.goods("silver", effect.silver),
    }
    return Message("{player} buys the roof tile {tile} for {silver}", args)


def _roof_used(view: View, effect: e.RoofUsed) -> Message:
    args: Args = {"player": terms.player(effect.seat), "tile": terms.roof_tile(effect.tile, view.deck)}
    return Message("{player} uses the roof tile {tile}", args)


def _roof_turned(view: View, effect: e.RoofTurned) -> Message:
    args: Args = {"player": terms.player(effect.seat), "tile": terms.roof_tile(effect.tile, view.deck)}
    return Message("{player} turns the roof tile {tile} face up again", args)


def _space_reserved(_: View, effect: e.SpaceReserved) -> Message:
    return Message("{player} marks revenue space {space}", {"player": terms.player(effect.seat), "space": effect.space})


def _dice_rolled(_: View, effect: e.DiceRolled) -> Message:
    dice = join_terms(Message("{pips}", {"pips": pips}) for pips in effect.pips)
    return Message("The revenue dice show {dice}", {"dice": dice})


def _die_taken(_: View, effect: e.DieTaken) -> Message:
    return Message("{player} takes the die showing {pips}", {"player": terms.player(effect.seat), "pips": effect.pips})


def _die_changed(_: View, effect: e.DieChanged) -> Message:
    args: Args = {"player": terms.player(effect.seat), "pips": effect.pips, "to": effect.to}
    return Message("{player} changes the die from {pips} to {to}", args)


def _siesta_advanced(_: View, effect: e.SiestaAdvanced) -> Message:
    args: Args = {"player": terms.player(effect.seat), "space": effect.space}
    return Message("{player} advances to space {space} of the siesta track", args)


def _siesta_returned(_: View, __: e.SiestaReturned) -> Message:
    return Message("The siesta markers go back to the start")


def _donkey_chosen(view: View, effect: e.DonkeyChosen) -> Message:
    """Say that the player has chosen a donkey tile; name it for its audience only."""
    args: Args = {"player": terms.player(effect.seat)}
    tile = effect.tile.known_or(0) if view.seat in effect.tile.audience else 0
    if not tile:
        return Message("{player} has chosen a donkey tile", args)
    return Message("{player} has chosen the donkey tile with {donkeys}", args | {"donkeys": terms.donkeys(tile)})


def _donkeys_revealed(view: View, effect: e.DonkeysRevealed) -> Message:
    """Name the donkeys and hats of every player's tile."""
    tiles = join_terms(
        Message(
            "{player} with {donkeys} and {hats}",
            {
                "player": terms.player(Seat(seat)),
                "donkeys": terms.donkeys(tile),
                "hats": terms.hats(BOXES[view.deck].donkey_tiles[tile].hats),
            },
        )
        for seat, tile in enumerate(effect.tiles)
    )
    return Message("The donkey tiles are shown: {tiles}", {"tiles": tiles})


def _donkeys_returned(_: View, __: e.DonkeysReturned) -> Message:
    return Message("All players get their four donkey tiles back")


def _delivered(view: View, effect: e.Delivered) -> Message:
    """Say which good the player delivers to which building or barrow."""
    args: Args = {"player": terms.player(effect.seat), "goods": terms.goods(effect.good)}
    if effect.building:
        args["building"] = terms.building(effect.building, view.deck)
        return Message("{player} delivers {goods} to the {building}", args)
    args["card"] = terms.card(effect.card, view.deck)
    return Message("{player} delivers {goods} to the market barrow of card {card}", args)


def _building_completed(view: View, effect: e.BuildingCompleted) -> Message:
    args: Args = {"player": terms.player(effect.seat), "building": terms.building(effect.building, view.deck)}
    return Message("{player} completes the {building}", args)


def _craft_marker_gained(view: View, effect: e.CraftMarkerGained) -> Message:
    args: Args = {"player": terms.player(effect.seat), "building": terms.building(effect.building, view.deck)}
    return Message("{player} takes a craft marker of the {building}", args)


def _craft_markers_flipped(_: View, __: e.CraftMarkersFlipped) -> Message:
    return Message("New craft markers are turned to their permanent side")


def _barrow_completed(view: View, effect: e.BarrowCompleted) -> Message:
    args: Args = {"player": terms.player(effect.seat), "card": terms.card(effect.card, view.deck)}
    return Message("{player} completes the market barrow of card {card}", args)


def _stall_placed(view: View, effect: e.StallPlaced) -> Message:
    args: Args = {"player": terms.player(effect.seat), **terms.market_space(view.market, effect.cell)}
    return Message("{player} places a marker on the market space of value {value} (row {row}, place {place})", args)


def _stall_removed(view: View, effect: e.StallRemoved) -> Message:
    """Say whose marker the player removes from which market space."""
    args: Args = {
        "player": terms.player(effect.seat),
        "owner": terms.player(effect.owner),
        **terms.market_space(view.market, effect.cell),
    }
    return Message(
        "{player} removes the marker of {owner} from the market space of value {value} (row {row}, place {place})", args
    )


def _helper_used(view: View, effect: e.HelperUsed) -> Message:
    args: Args = {"player": terms.player(effect.seat), "helper": terms.helper(effect.card, view.deck)}
    return Message("{player} uses the {helper}", args)


def _helper_marked(view: View, effect: e.HelperMarked) -> Message:
    args: Args = {"player": terms.player(effect.seat), "helper": terms.helper(effect.card, view.deck)}
    return Message("{player} places a marker on the {helper}", args)


def _helpers_refreshed(_: View, __: e.HelpersRefreshed) -> Message:
    return Message("Exhausted helpers can be used again")


def _cards_kept(_: View, effect: e.CardsKept) -> Message:
    return Message("{player} keeps the remaining drawn cards", {"player": terms.player(effect.seat)})


def _stall_moved(view: View, effect: e.StallMoved) -> Message:
    args: Args = {"player": terms.player(effect.seat), **terms.market_space(view.market, effect.to)}
    return Message("{player} moves a marker to the market space of value {value} (row {row}, place {place})", args)


def _donkey_recovered(_: View, effect: e.DonkeyRecovered) -> Message:
    args: Args = {"player": terms.player(effect.seat), "donkeys": terms.donkeys(effect.tile)}
    return Message("{player} takes back the donkey tile with {donkeys}", args)


def _silver_exchanged(_: View, effect: e.SilverExchanged) -> Message:
    """Say how much silver the player turns into how many VP."""
    args: Args = {
        "player": terms.player(effect.seat),
        "silver": terms.goods("silver", effect.silver),
        "vp": terms.goods("vp", effect.vp),
    }
    return Message("{player} turns {silver} into {vp}", args)


NARRATE: Final[Mapping[type, Callable[[View, Any], Message | None]]] = {
    e.MatchBegun: _match_begun,
    e.TurnOrderSet: _turn_order_set,
    e.BuildingBlocked: _building_blocked,
    e.BuildingOpened: _building_opened,
    e.StepBegun: _step_begun,
    e.Planned: _no_sentence,
    e.GoodGained: _good_gained,
    e.GoodPaid: _good_paid,
    e.GainGivenUp: _gain_given_up,
    e.MarkerTakenBack: _marker_taken_back,
    e.ResourceSold: _resource_sold,
    e.PigUnhoused: _pig_unhoused,
    e.ResourceUpgraded: _resource_upgraded,
    e.CardsDrawn: _cards_drawn,
    e.CardsKept: _cards_kept,
    e.DiscardReshuffled: _discard_reshuffled,
    e.CardPlayed: _card_played,
    e.CardDiscarded: _card_discarded,
    e.RoofsRevealed: _roofs_revealed,
    e.RoofBought: _roof_bought,
    e.RoofUsed: _roof_used,
    e.RoofTurned: _roof_turned,
    e.SpaceReserved: _space_reserved,
    e.DiceRolled: _dice_rolled,
    e.RevenueCleared: _no_sentence,
    e.DieTaken: _die_taken,
    e.DieChanged: _die_changed,
    e.DieResolved: _no_sentence,
    e.SiestaAdvanced: _siesta_advanced,
    e.SiestaReturned: _siesta_returned,
    e.DonkeyChosen: _donkey_chosen,
    e.DonkeysRevealed: _donkeys_revealed,
    e.DonkeyUsed: _no_sentence,
    e.DonkeysReturned: _donkeys_returned,
    e.Delivered: _delivered,
    e.BuildingCompleted: _building_completed,
    e.CraftMarkerGained: _craft_marker_gained,
    e.CraftMarkersFlipped: _craft_markers_flipped,
    e.BarrowCompleted: _barrow_completed,
    e.StallPlaced: _stall_placed,
    e.StallRemoved: _stall_removed,
    e.StallSettled: _no_sentence,
    e.StallMoved: _stall_moved,
    e.DonkeyRecovered: _donkey_recovered,
    e.MomentReached: _no_sentence,
    e.HelperUsed: _helper_used,
    e.HelperMarked: _helper_marked,
    e.HelpersRefreshed: _helpers_refreshed,
    e.SilverExchanged: _silver_exchanged,
    **words_solo.NARRATE,
}
"""Narration of every effect; `_no_sentence` for bookkeeping effects."""
