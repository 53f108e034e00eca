"""Effects as sentences; hidden values appear only for the seats that may see them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.kernel.hidden import Hidden
from domain.kernel.messages import Message, join_terms, plural
from domain.titles.el_grande import effects as e
from domain.titles.el_grande import words_terms as terms
from domain.titles.el_grande.effects import Effect
from domain.titles.el_grande.state import DraftLine
from domain.titles.el_grande.view import View
from domain.titles.el_grande.words_scoring import explain_points

Sentences = tuple[Message, ...]

GOES, GO = plural(
    "{caballeros} of {player} goes from {source} to {target}",
    "{caballeros} of {player} go from {source} to {target}",
)


def narrate(view: View, effects: tuple[Effect, ...]) -> tuple[Message, ...]:
    """Return the sentences for these effects, in order; internal effects have none.

    The lines of an announced move have sentences only if it is not carried out in the same entry.
    """
    is_performed = any(isinstance(effect, e.CaballerosMoved) for effect in effects)
    messages: list[Message] = []
    for index, effect in enumerate(effects):
        if isinstance(effect, e.SpecialAnnounced) and not is_performed:
            messages += _announced_lines(view, effect)
        if isinstance(effect, e.AreaScored):
            added, rank_messages = explain_points(view, effects, index)
            messages += (*_area_scored(view, effect, added), *rank_messages)
        else:
            messages += NARRATE[type(effect)](view, effect)
    return tuple(messages)


def _may_see(view: View, hidden: Hidden[Any]) -> bool:
    """Return whether the reader is in the audience, even if the log at hand holds all values."""
    return view.seat is not None and view.seat in hidden.audience


def _no_sentence(_: View, __: Effect) -> Sentences:
    """Return no sentence for an internal effect; the surrounding effects describe the change."""
    return ()


def _board_laid(_: View, effect: e.BoardLaid) -> Sentences:
    return (Message("A match of El Grande begins with {seats} players", {"seats": effect.setting.seats}),)


def _king_stood(_: View, effect: e.KingStood) -> Sentences:
    return (Message("The king is in {region}", {"region": terms.place(effect.region)}),)


def _home_taken(view: View, effect: e.HomeTaken) -> Sentences:
    args: terms.Args = {"player": terms.player(view.setting, effect.seat), "region": terms.place(effect.region)}
    return (Message("{player} has the home region {region}", args),)


def _first_player_set(view: View, effect: e.FirstPlayerSet) -> Sentences:
    return (Message("{player} has the first-player marker", {"player": terms.player(view.setting, effect.seat)}),)


def _grey_cards_dealt(view: View, effect: e.GreyCardsDealt) -> Sentences:
    """State that a player is dealt grey cards; name them for their audience only."""
    args: terms.Args = {"player": terms.player(view.setting, effect.seat)}
    if not _may_see(view, effect.cards):
        return (Message("{player} is dealt 3 grey cards", args),)
    args["cards"] = join_terms(map(terms.grey, effect.cards.value))
    return (Message("{player} is dealt the {cards}", args),)


def _grey_card_set_aside(view: View, effect: e.GreyCardSetAside) -> Sentences:
    return (Message("{player} has chosen a grey card to pass", {"player": terms.player(view.setting, effect.seat)}),)


def _grey_card_passed(view: View, effect: e.GreyCardPassed) -> Sentences:
    """State that a player passes a grey card to the neighbour; name it for its audience only."""
    args: terms.Args = {
        "player": terms.player(view.setting, effect.seat),
        "neighbour": terms.player(view.setting, effect.to),
    }
    if not _may_see(view, effect.card):
        return (Message("{player} passes a grey card to {neighbour}", args),)
    args["card"] = terms.grey(effect.card.value)
    return (Message("{player} passes the {card} to {neighbour}", args),)


def _step_begun(_: View, effect: e.StepBegun) -> Sentences:
    return (Message("The general scoring begins"),) if effect.step == "scoring" else ()


def _round_begun(_: View, effect: e.RoundBegun) -> Sentences:
    return (Message("Round {round} begins", {"round": effect.round}),)


def _dummy_region_drawn(_: View, effect: e.DummyRegionDrawn) -> Sentences:
    """State the region the dummy draws, and how many caballeros it places there if any."""
    args: terms.Args = {"region": terms.place(effect.region), "caballeros": terms.caballeros(effect.count)}
    if not effect.count:
        return (Message("The dummy draws {region} and places no caballeros", args),)
    return (Message("The dummy places {caballeros} in {region}", args),)


def _dummy_power_turned(_: View, effect: e.DummyPowerTurned) -> Sentences:
    return (Message("The dummy plays power card {power}", {"power": effect.power}),)


def _action_card_turned(view: View, effect: e.ActionCardTurned) -> Sentences:
    return (Message("{card} is on offer", {"card": terms.action_card(view, effect.card)}),)


def _power_card_played(view: View, effect: e.PowerCardPlayed) -> Sentences:
    """State the power card played, and the grey card with the sum if any."""
    args: terms.Args = {"player": terms.player(view.setting, effect.seat), "power": effect.power}
    if effect.grey is None:
        return (Message("{player} plays power card {power}", args),)
    args |= {"grey": terms.grey(effect.grey), "result": effect.result}
    return (Message("{player} plays power card {power} with the {grey}: {result} in all", args),)


def _turn_order_set(view: View, effect: e.TurnOrderSet) -> Sentences:
    players = join_terms(terms.player(view.setting, colour) for colour in effect.order)
    return (Message("The turn order is: {players}", {"players": players}),)


def _turn_begun(view: View, effect: e.TurnBegun) -> Sentences:
    return (Message("It is {player}'s turn", {"player": terms.player(view.setting, effect.colour)}),)


def _action_card_taken(view: View, effect: e.ActionCardTaken) -> Sentences:
    """State the action card that a player or the dummy takes."""
    args: terms.Args = {
        "player": terms.player(view.setting, effect.seat),
        "card": terms.action_card(view, effect.card),
    }
    return (Message("{player} takes {card}", args),)


def _caballeros_moved(view: View, effect: e.CaballerosMoved) -> Sentences:
    return tuple(_line(view, effect.seat, each) for each in effect.lines)


def _line(view: View, seat: int, line: DraftLine) -> Message:
    """Return a line in the wording of its rule: called, put, placed, sent by its owner, or moved by another."""
    args = terms.line(view, line)
    if (line.source, line.target) == ("province", "court"):
        return Message("{player} calls {caballeros} to the Court", args)
    if line.source == "court" and line.target == "castillo":
        return Message("{player} puts {caballeros} into the Castillo", args)
    if line.source == "court" and line.target != "province":
        return Message("{player} places {caballeros} in {target}", args)
    if seat in {line.colour, -1}:
        return Message(GOES, args, plural=GO, count=line.count)
    args["mover"] = terms.player(view.setting, seat)
    return Message("{mover} moves {caballeros} of {player} from {source} to {target}", args)


def _special_announced(view: View, effect: e.SpecialAnnounced) -> Sentences:
    """State the card used, with the scoreboard, place or (for its audience only) card taken back."""
    args: terms.Args = {
        "player": terms.player(view.setting, effect.seat),
        "card": terms.card_name(view, effect.card),
    }
    announcement = effect.announcement
    if announcement.board is not None:
        args |= {"scoreboard": terms.scoreboard(announcement.board), "area": terms.place(announcement.place)}
        return (Message("{player} uses {card}: the {scoreboard} at {area}", args),)
    if announcement.place:
        args["area"] = terms.place(announcement.place)
        return (Message("{player} uses {card}: {area}", args),)
    if effect.taken_back is not None and _may_see(view, effect.taken_back):
        args["back"] = terms.hand_card(effect.taken_back.value)
        return (Message("{player} uses {card} to take back the {back}", args),)
    return (Message("{player} uses {card}", args),)


def _announced_lines(view: View, effect: e.SpecialAnnounced) -> Sentences:
    """Return the lines of a move that others may still veto."""
    return tuple(
        Message("Announced: {caballeros} of {player} from {source} to {target}", terms.line(view, each))
        for each in effect.announcement.lines
    )


def _special_vetoed(view: View, effect: e.SpecialVetoed) -> Sentences:
    """State the vetoing player and the player whose special action is cancelled."""
    args: terms.Args = {
        "player": terms.player(view.setting, effect.by),
        "other": terms.player(view.setting, effect.seat),
    }
    return (Message("{player} vetoes {other}'s special action", args),)


def _secret_chosen(view: View, effect: e.SecretChosen) -> Sentences:
    """State that a player has chosen secretly; name the region, or the unclear disc, for its audience only."""
    args: terms.Args = {"player": terms.player(view.setting, effect.seat)}
    if not _may_see(view, effect.region):
        return (Message("{player} has made a secret choice", args),)
    if effect.region.value is None:
        return (Message("{player} leaves the disc unclear", args),)
    args["region"] = terms.place(effect.region.value)
    return (Message("{player} secretly chooses {region}", args),)


def _secrets_revealed(view: View, effect: e.SecretsRevealed) -> Sentences:
    """State each player's region, or that the disc was unclear, in a sentence each."""
    messages = []
    for seat, region in zip(effect.seats, effect.regions, strict=True):
        args: terms.Args = {"player": terms.player(view.setting, seat)}
        if region is None:
            messages.append(Message("{player} left the disc unclear", args))
        else:
            messages.append(Message("{player} chose {region}", {**args, "region": terms.place(region)}))
    return tuple(messages)


def _king_moved(_: View, effect: e.KingMoved) -> Sentences:
    if effect.place == "castillo":
        return (Message("The king is next to the Castillo"),)
    return (Message("The king moves to {place}", {"place": terms.place(effect.place)}),)


def _grande_moved(view: View, effect: e.GrandeMoved) -> Sentences:
    args: terms.Args = {"player": terms.player(view.setting, effect.seat), "area": terms.place(effect.area)}
    return (Message("{player}'s Grande moves to {area}", args),)


def _scoreboard_placed(_: View, effect: e.ScoreboardPlaced) -> Sentences:
    args: terms.Args = {"scoreboard": terms.scoreboard(effect.board), "area": terms.place(effect.area)}
    return (Message("The {scoreboard} is placed at {area}", args),)


def _card_taken_back(view: View, effect: e.CardTakenBack) -> Sentences:
    """State that a player takes a card back; name it for its audience only."""
    args: terms.Args = {"player": terms.player(view.setting, effect.seat)}
    if not _may_see(view, effect.card):
        return (Message("{player} takes a card back into their hand unseen", args),)
    args["card"] = terms.hand_card(effect.card.value)
    return (Message("{player} takes back the {card}", args),)


def _veto_laid(view: View, effect: e.VetoLaid) -> Sentences:
    return (Message("{player} lays down a Veto", {"player": terms.player(view.setting, effect.seat)}),)


def _veto_discarded(view: View, effect: e.VetoDiscarded) -> Sentences:
    return (Message("{player}'s Veto is discarded unused", {"player": terms.player(view.setting, effect.seat)}),)


def _infiltration_allowed(view: View, effect: e.InfiltrationAllowed) -> Sentences:
    args: terms.Args = {"player": terms.player(view.setting, effect.seat)}
    return (Message("{player} may also place in the king's region this turn", args),)


def _castillo_opened(view: View, effect: e.CastilloOpened) -> Sentences:
    """State the caballeros of each player in the Castillo, or that it is empty."""
    contents = [
        Message(
            "{player} with {caballeros}",
            {"player": terms.player(view.setting, colour), "caballeros": terms.caballeros(count)},
        )
        for colour, count in enumerate(effect.counts)
        if count
    ]
    if not contents:
        return (Message("The Castillo is opened: it is empty"),)
    return (Message("The Castillo is opened: {contents}", {"contents": join_terms(contents)}),)


def _area_scored(view: View, effect: e.AreaScored, added: Mapping[int, Message] = {}) -> Sentences:
    """Return a sentence for a scored area; `added` holds the wording for seats with bonus points."""
    points = [
        added.get(seat)
        or Message("{points} for {player}", {"player": terms.player(view.setting, seat), "points": count})
        for seat, count in enumerate(effect.points)
        if count
    ]
    args: terms.Args = {"points": join_terms(points) if points else Message("no one gets points")}
    if effect.area == "castillo":
        return (Message("The Castillo is scored: {points}", args),)
    args["area"] = terms.place(effect.area)
    return (Message("{area} is scored: {points}", args),)


NARRATE: Final[Mapping[type[Effect], Callable[[View, Any], Sentences]]] = {
    e.BoardLaid: _board_laid,
    e.KingStood: _king_stood,
    e.HomeTaken: _home_taken,
    e.FirstPlayerSet: _first_player_set,
    e.GreyCardsDealt: _grey_cards_dealt,
    e.GreyCardSetAside: _grey_card_set_aside,
    e.GreyCardPassed: _grey_card_passed,
    e.StepBegun: _step_begun,
    e.RoundBegun: _round_begun,
    e.DummyRegionDrawn: _dummy_region_drawn,
    e.DummyRegionsShuffled: _no_sentence,
    e.DummyPowerTurned: _dummy_power_turned,
    e.ActionCardTurned: _action_card_turned,
    e.PowerCardPlayed: _power_card_played,
    e.TurnOrderSet: _turn_order_set,
    e.TurnBegun: _turn_begun,
    e.ActionCardTaken: _action_card_taken,
    e.CaballerosMoved: _caballeros_moved,
    e.SourceChosen: _no_sentence,
    e.LineDrafted: _no_sentence,
    e.DraftCorrected: _no_sentence,
    e.DraftDropped: _no_sentence,
    e.SpecialAnnounced: _special_announced,
    e.SpecialVetoed: _special_vetoed,
    e.SpecialEnded: _no_sentence,
    e.GreyUsed: _no_sentence,
    e.SecretChosen: _secret_chosen,
    e.SecretsRevealed: _secrets_revealed,
    e.KingMoved: _king_moved,
    e.GrandeMoved: _grande_moved,
    e.ScoreboardPlaced: _scoreboard_placed,
    e.CardTakenBack: _card_taken_back,
    e.VetoLaid: _veto_laid,
    e.VetoDiscarded: _veto_discarded,
    e.InfiltrationAllowed: _infiltration_allowed,
    e.CastilloOpened: _castillo_opened,
    e.AreaScored: _area_scored,
    e.TurnEnded: _no_sentence,
    e.RoundEnded: _no_sentence,
}
