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
from domain.titles.el_grande.words_scoring import parts_of_sums

Told = tuple[Message, ...]

GOES, GO = plural(
    "{caballeros} of {player} goes from {source} to {target}",
    "{caballeros} of {player} go from {source} to {target}",
)


def narrate(view: View, effects: tuple[Effect, ...]) -> tuple[Message, ...]:
    """Return the sentences for these effects, in order; internal effects have none."""
    happens_now = any(isinstance(effect, e.CaballerosMoved) for effect in effects)
    told: list[Message] = []
    for index, effect in enumerate(effects):
        if isinstance(effect, e.SpecialAnnounced) and not happens_now:
            told += _announced_lines(view, effect)
        if isinstance(effect, e.AreaScored):
            added, shared = parts_of_sums(view, effects, index)
            told += (*_scored(view, effect, added), *shared)
        else:
            told += NARRATE[type(effect)](view, effect)
    return tuple(told)


def _may_see(view: View, hidden: Hidden[Any]) -> bool:
    """Return whether the reader is in the audience, even if the log at hand holds all values."""
    return view.seat is not None and view.seat in hidden.audience


def _untold(_: View, __: Effect) -> Told:
    """Return no sentence for an internal effect; the surrounding effects describe the change."""
    return ()


def _laid(_: View, effect: e.BoardLaid) -> Told:
    return (Message("A match of El Grande begins with {seats} players", {"seats": effect.setting.seats}),)


def _king_stood(_: View, effect: e.KingStood) -> Told:
    return (Message("The king stands in {region}", {"region": terms.place(effect.region)}),)


def _home(view: View, effect: e.HomeTaken) -> Told:
    args: terms.Args = {"player": terms.player(view.setting, effect.seat), "region": terms.place(effect.region)}
    return (Message("{player} has the home region {region}", args),)


def _first(view: View, effect: e.FirstPlayerSet) -> Told:
    return (Message("{player} has the first-player marker", {"player": terms.player(view.setting, effect.seat)}),)


def _dealt(view: View, effect: e.GreyCardsDealt) -> Told:
    args: terms.Args = {"player": terms.player(view.setting, effect.seat)}
    if not _may_see(view, effect.cards):
        return (Message("{player} is dealt 3 grey cards", args),)
    args["cards"] = join_terms(map(terms.grey, effect.cards.value))
    return (Message("{player} is dealt the {cards}", args),)


def _set_aside(view: View, effect: e.GreyCardSetAside) -> Told:
    return (Message("{player} has chosen the grey card to pass", {"player": terms.player(view.setting, effect.seat)}),)


def _passed(view: View, effect: e.GreyCardPassed) -> Told:
    args: terms.Args = {
        "player": terms.player(view.setting, effect.seat),
        "neighbour": terms.player(view.setting, effect.to),
    }
    if not _may_see(view, effect.card):
        return (Message("{player} passes a grey card to {neighbour}", args),)
    args["card"] = terms.grey(effect.card.value)
    return (Message("{player} passes the {card} to {neighbour}", args),)


def _step(_: View, effect: e.StepBegun) -> Told:
    return (Message("The general scoring begins"),) if effect.step == "scoring" else ()


def _round(_: View, effect: e.RoundBegun) -> Told:
    return (Message("Round {round} begins", {"round": effect.round}),)


def _dummy_region(_: View, effect: e.DummyRegionDrawn) -> Told:
    args: terms.Args = {"region": terms.place(effect.region), "caballeros": terms.caballeros(effect.count)}
    if not effect.count:
        return (Message("The dummy draws {region} and places nobody", args),)
    return (Message("The dummy places {caballeros} in {region}", args),)


def _dummy_power(_: View, effect: e.DummyPowerTurned) -> Told:
    return (Message("The dummy plays power card {power}", {"power": effect.power}),)


def _turned(view: View, effect: e.ActionCardTurned) -> Told:
    return (Message("{card} is on offer", {"card": terms.action_card(view, effect.card)}),)


def _played(view: View, effect: e.PowerCardPlayed) -> Told:
    args: terms.Args = {"player": terms.player(view.setting, effect.seat), "power": effect.power}
    if effect.grey is None:
        return (Message("{player} plays power card {power}", args),)
    args |= {"grey": terms.grey(effect.grey), "result": effect.result}
    return (Message("{player} plays power card {power} with the {grey}: {result} in all", args),)


def _order(view: View, effect: e.TurnOrderSet) -> Told:
    players = join_terms(terms.player(view.setting, colour) for colour in effect.order)
    return (Message("The turn order is: {players}", {"players": players}),)


def _turn(view: View, effect: e.TurnBegun) -> Told:
    return (Message("The turn goes to {player}", {"player": terms.player(view.setting, effect.colour)}),)


def _taken(view: View, effect: e.ActionCardTaken) -> Told:
    args: terms.Args = {
        "player": terms.player(view.setting, effect.seat),
        "card": terms.action_card(view, effect.card),
    }
    return (Message("{player} takes {card}", args),)


def _moved(view: View, effect: e.CaballerosMoved) -> Told:
    return tuple(_line(view, effect.seat, each) for each in effect.lines)


def _line(view: View, seat: int, told: DraftLine) -> Message:
    """Return a line in the wording of the rule behind it."""
    args = terms.line(view, told)
    if (told.source, told.target) == ("province", "court"):
        return Message("{player} calls {caballeros} to the Court", args)
    if told.source == "court" and told.target == "castillo":
        return Message("{player} puts {caballeros} into the Castillo", args)
    if told.source == "court" and told.target != "province":
        return Message("{player} places {caballeros} in {target}", args)
    if seat in {told.colour, -1}:
        return Message(GOES, args, plural=GO, count=told.count)
    args["mover"] = terms.player(view.setting, seat)
    return Message("{mover} moves {caballeros} of {player} from {source} to {target}", args)


def _announced(view: View, effect: e.SpecialAnnounced) -> Told:
    args: terms.Args = {
        "player": terms.player(view.setting, effect.seat),
        "card": terms.card_name(view, effect.card),
    }
    told = effect.announcement
    if told.board is not None:
        args |= {"scoreboard": terms.scoreboard(told.board), "area": terms.place(told.place)}
        return (Message("{player} uses {card}: the {scoreboard} at {area}", args),)
    if told.place:
        args["area"] = terms.place(told.place)
        return (Message("{player} uses {card}: {area}", args),)
    if effect.taken_back is not None and _may_see(view, effect.taken_back):
        args["back"] = terms.hand_card(effect.taken_back.value)
        return (Message("{player} uses {card} for the {back}", args),)
    return (Message("{player} uses {card}", args),)


def _announced_lines(view: View, effect: e.SpecialAnnounced) -> Told:
    """Return the lines of a move that others may still veto."""
    return tuple(
        Message("Announced: {caballeros} of {player} from {source} to {target}", terms.line(view, each))
        for each in effect.announcement.lines
    )


def _vetoed(view: View, effect: e.SpecialVetoed) -> Told:
    args: terms.Args = {
        "player": terms.player(view.setting, effect.by),
        "other": terms.player(view.setting, effect.seat),
    }
    return (Message("{player} vetoes the special action of {other}", args),)


def _secret(view: View, effect: e.SecretChosen) -> Told:
    args: terms.Args = {"player": terms.player(view.setting, effect.seat)}
    if not _may_see(view, effect.region):
        return (Message("{player} has chosen secretly", args),)
    if effect.region.value is None:
        return (Message("{player} leaves the disc unclear", args),)
    args["region"] = terms.place(effect.region.value)
    return (Message("{player} secretly chooses {region}", args),)


def _revealed(view: View, effect: e.SecretsRevealed) -> Told:
    told = []
    for seat, region in zip(effect.seats, effect.regions, strict=True):
        args: terms.Args = {"player": terms.player(view.setting, seat)}
        if region is None:
            told.append(Message("{player} had left the disc unclear", args))
        else:
            told.append(Message("{player} had chosen {region}", {**args, "region": terms.place(region)}))
    return tuple(told)


def _king_moved(_: View, effect: e.KingMoved) -> Told:
    if effect.place == "castillo":
        return (Message("The king stands beside the Castillo"),)
    return (Message("The king moves to {place}", {"place": terms.place(effect.place)}),)


def _grande_moved(view: View, effect: e.GrandeMoved) -> Told:
    args: terms.Args = {"player": terms.player(view.setting, effect.seat), "area": terms.place(effect.area)}
    return (Message("The Grande of {player} moves to {area}", args),)


def _board_placed(_: View, effect: e.ScoreboardPlaced) -> Told:
    args: terms.Args = {"scoreboard": terms.scoreboard(effect.board), "area": terms.place(effect.area)}
    return (Message("The {scoreboard} lies at {area}", args),)


def _taken_back(view: View, effect: e.CardTakenBack) -> Told:
    args: terms.Args = {"player": terms.player(view.setting, effect.seat)}
    if not _may_see(view, effect.card):
        return (Message("{player} takes a card back to the hand unseen", args),)
    args["card"] = terms.hand_card(effect.card.value)
    return (Message("{player} takes back the {card}", args),)


def _veto_laid(view: View, effect: e.VetoLaid) -> Told:
    return (Message("{player} lays down a Veto", {"player": terms.player(view.setting, effect.seat)}),)


def _veto_discarded(view: View, effect: e.VetoDiscarded) -> Told:
    return (Message("The Veto of {player} is discarded unused", {"player": terms.player(view.setting, effect.seat)}),)


def _infiltration(view: View, effect: e.InfiltrationAllowed) -> Told:
    args: terms.Args = {"player": terms.player(view.setting, effect.seat)}
    return (Message("{player} may place in the king's region in this turn", args),)


def _opened(view: View, effect: e.CastilloOpened) -> Told:
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


def _scored(view: View, effect: e.AreaScored, added: Mapping[int, Message] = {}) -> Told:
    """Return a sentence for a scored area; `added` holds the wording for seats with bonus points."""
    points = [
        added.get(seat)
        or Message("{points} for {player}", {"player": terms.player(view.setting, seat), "points": count})
        for seat, count in enumerate(effect.points)
        if count
    ]
    args: terms.Args = {"points": join_terms(points) if points else Message("nobody gets points")}
    if effect.area == "castillo":
        return (Message("The Castillo is scored: {points}", args),)
    args["area"] = terms.place(effect.area)
    return (Message("{area} is scored: {points}", args),)


NARRATE: Final[Mapping[type[Effect], Callable[[View, Any], Told]]] = {
    e.BoardLaid: _laid,
    e.KingStood: _king_stood,
    e.HomeTaken: _home,
    e.FirstPlayerSet: _first,
    e.GreyCardsDealt: _dealt,
    e.GreyCardSetAside: _set_aside,
    e.GreyCardPassed: _passed,
    e.StepBegun: _step,
    e.RoundBegun: _round,
    e.DummyRegionDrawn: _dummy_region,
    e.DummyRegionsShuffled: _untold,
    e.DummyPowerTurned: _dummy_power,
    e.ActionCardTurned: _turned,
    e.PowerCardPlayed: _played,
    e.TurnOrderSet: _order,
    e.TurnBegun: _turn,
    e.ActionCardTaken: _taken,
    e.CaballerosMoved: _moved,
    e.SourceChosen: _untold,
    e.LineDrafted: _untold,
    e.DraftCorrected: _untold,
    e.DraftDropped: _untold,
    e.SpecialAnnounced: _announced,
    e.SpecialVetoed: _vetoed,
    e.SpecialEnded: _untold,
    e.GreyUsed: _untold,
    e.SecretChosen: _secret,
    e.SecretsRevealed: _revealed,
    e.KingMoved: _king_moved,
    e.GrandeMoved: _grande_moved,
    e.ScoreboardPlaced: _board_placed,
    e.CardTakenBack: _taken_back,
    e.VetoLaid: _veto_laid,
    e.VetoDiscarded: _veto_discarded,
    e.InfiltrationAllowed: _infiltration,
    e.CastilloOpened: _opened,
    e.AreaScored: _scored,
    e.TurnEnded: _untold,
    e.RoundEnded: _untold,
}
