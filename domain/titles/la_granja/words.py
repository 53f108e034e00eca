"""Description of every action as a sentence for its seat; `words_effects` narrates effects."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.kernel.messages import N_, Message, join_terms
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja import words_terms as terms
from domain.titles.la_granja.actions import Action
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.phases.playing import needs_replacement
from domain.titles.la_granja.tables import BOXES, DECKS
from domain.titles.la_granja.view import Farm, View
from domain.titles.la_granja.words_terms import Args

PASS: Final[Mapping[type, str]] = {
    t.CardStep: N_("Play no more cards; draw up to the hand limit or discard down to it"),
    t.GrowthStep: N_("Finish the growth step"),
    t.RoofStep: N_("Finish the roof tile step"),
    t.DieWindow: N_("Finish this die"),
    t.DeliveryStep: N_("Make no more deliveries"),
    t.DeliveryPurchase: N_("Buy no extra deliveries"),
    t.BoughtDeliveries: N_("Make no more deliveries"),
    t.UpgradeChoice: N_("Make no more upgrades"),
    t.RoofPayment: N_("Pay the rest of the roof tile in silver"),
}

DECLINE: Final[Mapping[type, str]] = {
    t.DieResolution: N_("Take nothing from this revenue space"),
    t.DeliveryChoice: N_("Make no delivery"),
    t.RoofPlacement: N_("Take the printed victory points once and keep the doubling tile"),
}


def describe(view: View, action: Action) -> Message:
    """Return the action as a sentence in the imperative."""
    return DESCRIBE[type(action)](view, action)


def task_of(view: View) -> AnyTask | None:
    """Return the reader's active task, for a spectator the last task of all; None if there is none."""
    own_tasks = [task for task in view.agenda if view.seat is None or task.seat == view.seat]
    return own_tasks[-1] if own_tasks else None


def _farm(view: View) -> Farm:
    """Return the farm of the reader or, for a spectator, of the seat that decides; the first farm if none does."""
    task = task_of(view)
    seat = view.seat if view.seat is not None else (0 if task is None else max(task.seat, 0))
    return view.farms[seat]


def _roofs(view: View) -> tuple[str, ...]:
    """Return the roof tiles that the deciding seat can choose from: tiles on offer and its own."""
    return (*(offer.tile for offer in view.roofs), *(roof.tile for roof in _farm(view).roofs))


def _pass(view: View, _: a.Pass) -> Message:
    """Describe passing by the task it ends."""
    task = task_of(view)
    if isinstance(task, t.GrowthStep) and not (task.grown and task.bred):
        return Message("Finish the growth step: the rest grows and breeds automatically")
    if isinstance(task, t.RoofStep) and not task.bought:
        return Message("Buy no roof tile")
    if isinstance(task, t.DeliveryStep) and task.paid:
        return Message("Buy no more extra deliveries")
    return Message(PASS.get(type(task), N_("Pass")))


def _decline(view: View, _: a.Decline) -> Message:
    """Describe declining by the task: the helper not used, or the good given up."""
    task = task_of(view)
    if isinstance(task, t.HelperOffer):
        return Message("Do not use the {helper}", {"helper": terms.helper(task.helper, view.deck)})
    if isinstance(task, t.MarkerShortage):
        return Message("Give up {good}: no marker is left for it", {"good": terms.goods(task.good)})
    return Message(DECLINE.get(type(task), N_("Decline")))


def _play_card(view: View, action: a.PlayCard) -> Message:
    """Describe a card played by its side: crop, barrow, extension or helper, and whether it replaces another card."""
    card, card_name, farm = DECKS[view.deck][action.card], terms.card(action.card, view.deck), _farm(view)
    replaces = needs_replacement(BOXES[view.deck], action.side, len(farm.barrows), len(farm.helpers))
    match action.side:
        case "field":
            return Message("Play card {card} as a field: {crop}", {"card": card_name, "crop": terms.kind(card.crop)})
        case "barrow":
            goods = join_terms(map(terms.kind, card.barrow.goods))
            barrow: Args = {"card": card_name, "goods": goods, "vp": terms.goods("vp", card.barrow.vp)}
            if replaces:
                return Message("Play card {card} as a market barrow in place of another: {goods} for {vp}", barrow)
            return Message("Play card {card} as a market barrow: {goods} for {vp}", barrow)
        case "extension":
            return Message(
                "Play card {card} as a farm extension for {count} good: {gains}",
                {"card": card_name, "count": farm.extension_price, "gains": terms.extension(card.extension)},
                plural="Play card {card} as a farm extension for {count} goods of different kinds: {gains}",
                count=farm.extension_price,
            )
        case _:
            helper: Args = {"helper": terms.helper(card.number, view.deck)}
            if replaces:
                return Message("Play the {helper} as a helper in place of another", helper)
            return Message("Play the {helper} as a helper", helper)


def _draw_card(_: View, __: a.DrawCard) -> Message:
    return Message("Draw 1 card")


def _discard_card(view: View, action: a.DiscardCard) -> Message:
    """Describe a discard, from the hand or from the cards just drawn."""
    args: Args = {"card": terms.card(action.card, view.deck)}
    if isinstance(task_of(view), t.CardKeeping):
        return Message("Discard the drawn card {card}", args)
    return Message("Discard card {card}", args)


def _replace_card(view: View, action: a.ReplaceCard) -> Message:
    """Describe the helper or barrow that is discarded to make room."""
    if any(helper.card == action.card for helper in _farm(view).helpers):
        return Message("Discard the {helper} to make room", {"helper": terms.helper(action.card, view.deck)})
    args: Args = {"card": terms.card(action.card, view.deck)}
    return Message("Discard the market barrow of card {card} to make room; goods on it are lost", args)


def _pay_good(view: View, action: a.PayGood) -> Message:
    """Describe a payment for a helper, a roof tile or a farm extension."""
    task = task_of(view)
    if isinstance(task, t.HelperChoice):
        helper = terms.helper(task.helper, view.deck)
        helper_args: Args = {"good": terms.kind(action.good), "place": terms.place(action.place), "helper": helper}
        return Message("Pay the {helper} with {good} {place}", helper_args)
    if isinstance(task, t.RoofPayment):
        parts: Args = {"good": terms.goods(action.good), "place": terms.place(action.place)}
        parts["tile"] = terms.roof_tile(task.tile, view.deck, _roofs(view))
        return Message("Pay {good} {place} for the roof tile {tile}", parts)
    if not action.place:
        return Message("Pay {good} for the farm extension", {"good": terms.goods(action.good)})
    args: Args = {"good": terms.goods(action.good), "place": terms.place(action.place)}
    return Message("Pay {good} {place} for the farm extension", args)


def _pass_over(_: View, action: a.PassOver) -> Message:
    return Message("Do not pay with {good}", {"good": terms.kind(action.good)})


def _grow_crops(_: View, __: a.GrowCrops) -> Message:
    return Message("Let a crop grow on every empty field")


def _breed_pig(_: View, __: a.BreedPig) -> Message:
    return Message("Take the newborn pig")


def _buy_roof(view: View, action: a.BuyRoof) -> Message:
    """Describe a roof tile with the price that the reader's farm pays."""
    args: Args = {"tile": terms.roof_tile(action.tile, view.deck, _roofs(view))}
    if isinstance(task_of(view), t.HelperChoice):
        return Message("Buy the roof tile {tile} with resources", args)
    prices = {tile.tile: price for tile, price in zip(view.roofs, _farm(view).roof_prices, strict=True)}
    args["silver"] = terms.goods("silver", prices.get(action.tile, BOXES[view.deck].roof_tiles[action.tile].cost))
    return Message("Buy the roof tile {tile} for {silver}", args)


def _take_die(_: View, action: a.TakeDie) -> Message:
    space = Message(terms.SPACES[action.pips])
    return Message("Take the die showing {pips}: {space}", {"pips": action.pips, "space": space})


def _take_option(view: View, action: a.TakeOption) -> Message:
    """Describe an option of a revenue space or of the helper in use."""
    task = task_of(view)
    if isinstance(task, t.HelperChoice):
        option = Message(terms.OPTIONS[action.option])
        return Message(
            "Choose {option} from the {helper}", {"helper": terms.helper(task.helper, view.deck), "option": option}
        )
    return Message("Choose: {option}", {"option": Message(terms.OPTIONS[action.option])})


def _change_die(_: View, action: a.ChangeDie) -> Message:
    space = Message(terms.SPACES[action.pips])
    return Message("Change the die to {pips}: {space}", {"pips": action.pips, "space": space})


def _reserve_space(_: View, action: a.ReserveSpace) -> Message:
    return Message("Mark revenue space {space}: only you may take its last die", {"space": action.space})


def _choose_donkey(view: View, action: a.ChooseDonkey) -> Message:
    tile = BOXES[view.deck].donkey_tiles[action.tile]
    args: Args = {"donkeys": terms.donkeys(tile.donkeys), "hats": terms.hats(tile.hats)}
    return Message("Choose the donkey tile with {donkeys} and {hats}", args)


def _deliver_to_building(view: View, action: a.DeliverToBuilding) -> Message:
    """Describe a delivery, with its place if that is a field or a helper, and the good that it replaces if any."""
    args: Args = {"good": terms.goods(action.good), "building": terms.building(action.building, view.deck)}
    if action.asked:
        args |= {"asked": terms.kind(action.asked), "place": terms.place(action.place)}
        return Message("Deliver {good} {place} in place of {asked} to the {building}", args)
    if action.place == "field":
        return Message("Deliver {good} from a field to the {building}", args)
    if action.place == "helper_field":
        return Message("Deliver {good} from a helper's field to the {building}", args)
    if action.place == "helper":
        return Message("Deliver {good} from a helper to the {building}", args)
    return Message("Deliver {good} to the {building}", args)


def _deliver_to_barrow(view: View, action: a.DeliverToBarrow) -> Message:
    """Describe a delivery, with its place if that is a field or a helper, and the good that it replaces if any."""
    args: Args = {"good": terms.goods(action.good), "card": terms.card(action.card, view.deck)}
    if action.asked:
        args |= {"asked": terms.kind(action.asked), "place": terms.place(action.place)}
        return Message("Deliver {good} {place} in place of {asked} to the market barrow of card {card}", args)
    if action.place == "field":
        return Message("Deliver {good} from a field to the market barrow of card {card}", args)
    if action.place == "helper_field":
        return Message("Deliver {good} from a helper's field to the market barrow of card {card}", args)
    if action.place == "helper":
        return Message("Deliver {good} from a helper to the market barrow of card {card}", args)
    return Message("Deliver {good} to the market barrow of card {card}", args)


def _buy_deliveries(view: View, action: a.BuyDeliveries) -> Message:
    silver = terms.goods("silver", action.count * _farm(view).delivery_price)
    return Message(
        "Buy {count} extra delivery for {silver}",
        {"count": action.count, "silver": silver},
        plural="Buy {count} extra deliveries for {silver}",
        count=action.count,
    )


def _place_stall(view: View, action: a.PlaceStall) -> Message:
    """Describe a stall by value, row and place of its space, and the player whose marker it replaces."""
    space = view.market[action.cell]
    args = terms.market_space(view.market, action.cell)
    if space.owner is None:
        return Message("Place a marker on the market space of value {value} (row {row}, place {place})", args)
    args["player"] = terms.player(space.owner)
    return Message(
        "Replace the marker of {player} on the market space of value {value} (row {row}, place {place})", args
    )


def _move_stall(view: View, action: a.MoveStall) -> Message:
    origin = terms.market_space(view.market, action.cell)
    args = terms.market_space(view.market, action.to) | {"from_row": origin["row"], "from_place": origin["place"]}
    return Message(
        "Move the marker from row {from_row}, place {from_place} to the market space of value {value}"
        " (row {row}, place {place})",
        args,
    )


def _remove_stall(view: View, action: a.RemoveStall) -> Message:
    space = view.market[action.cell]
    assert space.owner is not None, "a marker stands there"
    args = terms.market_space(view.market, action.cell) | {"player": terms.player(space.owner)}
    return Message(
        "Remove the marker of {player} from the market space of value {value} (row {row}, place {place})", args
    )


def _recover_donkey(_: View, action: a.RecoverDonkey) -> Message:
    return Message("Take back the donkey tile with {donkeys}", {"donkeys": terms.donkeys(action.tile)})


def _take_good(_: View, action: a.TakeGood) -> Message:
    return Message("Take {good}", {"good": terms.goods(action.good)})


def _spend_commodity(view: View, action: a.SpendCommodity) -> Message:
    """Describe the option; it only plays a card in step III.1, where none can be drawn (LG-2.1.1)."""
    option = "play_card" if (view.step, action.option) == ("donkeys", "play_or_draw_card") else action.option
    return Message("Spend a trade commodity: {option}", {"option": Message(terms.OPTIONS[option])})


def _price(view: View, resource: str) -> Any:
    return next(price for price in _farm(view).prices if price.resource == resource)


def _buy_resource(view: View, action: a.BuyResource) -> Message:
    silver = terms.goods("silver", _price(view, action.resource).buy)
    return Message("Buy {good} for {silver}", {"good": terms.goods(action.resource), "silver": silver})


def _sell_resource(view: View, action: a.SellResource) -> Message:
    """Describe a sale with its price: the helper's while one is in use, otherwise the farm's."""
    task = task_of(view)
    if isinstance(task, t.HelperChoice):
        price = DECKS[view.deck][task.helper].helper.params[action.resource]
    else:
        price = _price(view, action.resource).sell
    silver = terms.goods("silver", price)
    args: Args = {"good": terms.goods(action.resource), "place": terms.place(action.place), "silver": silver}
    return Message("Sell {good} {place} for {silver}", args)


def _upgrade_resource(view: View, action: a.UpgradeResource) -> Message:
    """Describe an upgrade, free of charge or with the farm's price."""
    args: Args = {
        "good": terms.goods(action.resource),
        "place": terms.place(action.place),
        "upgraded": terms.kind(BOXES[view.deck].upgrades_to[action.resource]),
    }
    if isinstance(task_of(view), t.UpgradeChoice):
        return Message("Upgrade {good} {place} to {upgraded} free of charge", args)
    args["silver"] = terms.goods("silver", _price(view, action.resource).upgrade)
    return Message("Upgrade {good} {place} to {upgraded} for {silver}", args)


def _use_roof(view: View, action: a.UseRoof) -> Message:
    return Message("Use the roof tile {tile}", {"tile": terms.roof_tile(action.tile, view.deck, _roofs(view))})


def _turn_roof(view: View, action: a.TurnRoof) -> Message:
    return Message(
        "Turn the roof tile {tile} face up again", {"tile": terms.roof_tile(action.tile, view.deck, _roofs(view))}
    )


def _use_helper(view: View, action: a.UseHelper) -> Message:
    """Name the helper and its effect."""
    args: Args = {
        "helper": terms.helper(action.card, view.deck),
        "effect": Message(DECKS[view.deck][action.card].helper.effect),
    }
    return Message("Use the {helper}: {effect}", args)


def _take_back_marker(view: View, action: a.TakeBackMarker) -> Message:
    """Describe the place from which a marker is taken back."""
    args: Args
    match action.place:
        case "barrow":
            args = {"good": terms.kind(action.good), "card": terms.card(action.number, view.deck)}
            return Message("Take back the marker of {good} from the market barrow of card {card}", args)
        case "row":
            args = {"good": terms.kind(action.good), "building": terms.building(action.number, view.deck)}
            return Message("Take back the marker of {good} from the row at the {building}", args)
        case "mark":
            return Message(
                "Take back the completion marker from the {building}",
                {"building": terms.building(action.number, view.deck)},
            )
        case "market":
            args = terms.market_space(view.market, action.number)
            return Message(
                "Take back the marker from the market space of value {value} (row {row}, place {place})", args
            )
        case _:
            args = {"good": terms.goods(action.good), "place": terms.place(action.place)}
            return Message("Return {good} {place} to get its marker back", args)


def _final_sale(_: View, __: a.FinalSale) -> Message:
    return Message("Sell all resources and trade commodities and turn silver into victory points")


DESCRIBE: Final[Mapping[type, Callable[[View, Any], Message]]] = {
    a.Pass: _pass,
    a.Decline: _decline,
    a.PlayCard: _play_card,
    a.DrawCard: _draw_card,
    a.DiscardCard: _discard_card,
    a.ReplaceCard: _replace_card,
    a.PayGood: _pay_good,
    a.PassOver: _pass_over,
    a.GrowCrops: _grow_crops,
    a.BreedPig: _breed_pig,
    a.BuyRoof: _buy_roof,
    a.TakeDie: _take_die,
    a.TakeOption: _take_option,
    a.ChangeDie: _change_die,
    a.ReserveSpace: _reserve_space,
    a.ChooseDonkey: _choose_donkey,
    a.DeliverToBuilding: _deliver_to_building,
    a.DeliverToBarrow: _deliver_to_barrow,
    a.BuyDeliveries: _buy_deliveries,
    a.PlaceStall: _place_stall,
    a.MoveStall: _move_stall,
    a.RemoveStall: _remove_stall,
    a.RecoverDonkey: _recover_donkey,
    a.TakeGood: _take_good,
    a.SpendCommodity: _spend_commodity,
    a.BuyResource: _buy_resource,
    a.SellResource: _sell_resource,
    a.UpgradeResource: _upgrade_resource,
    a.UseRoof: _use_roof,
    a.TurnRoof: _turn_roof,
    a.UseHelper: _use_helper,
    a.TakeBackMarker: _take_back_marker,
    a.FinalSale: _final_sale,
}
