"""The stacks of a setting and the drawing of their cards (EG-1.2, EG-3, EG-19.1, EG-26)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from domain.kernel.chance import Chance
from domain.kernel.component_data import demand
from domain.kernel.values import Value, replace
from domain.titles.el_grande import data
from domain.titles.el_grande.cards import BOX, Card, ChooseOne
from domain.titles.el_grande.components import FILE, TABLE
from domain.titles.el_grande.state import Setting, State
from domain.titles.el_grande.texts import TEXTS, check_texts, text_in

KING_CARD: Final = "s5-majesty"
EXCHANGED: Final = "exchanged"
"""A placeholder in the pool of a draw for a card that veteran cards may have replaced; a second draw picks the card."""

OLDER_CHANGES: Final[Mapping[str, Mapping[str, Any]]] = {
    "s1-militia": {"to": "regions+castillo"},
    "vet-either-or": {"to": "regions+castillo"},
    "s2-choose-region": {"castillo": True},
    "s2-choose-region-4": {"castillo": True, "stack": 3, "caballeros": 3},
    "s2-secret-return-two": {"who": "all"},
    "s2-civil-war": {"who": "all"},
}
"""The entries of `older_differs` as parameters; the Veto follows EG-19.4 instead (EG-26.1)."""


class OlderEntry(data.Record, frozen=True):
    """A stack of the 2006 edition."""

    stack: int
    size: int
    caballeros: int
    cards: tuple["OlderCopies", ...]


class OlderCopies(Value, frozen=True):
    """The number of copies of a 2023 card."""

    id: str
    copies: int


class Stack(Value, frozen=True):
    """A face-down stack: `cards` are certainly in it, and `kept` of the `exchanged` cards."""

    name: str
    cards: tuple[str, ...]
    exchanged: tuple[str, ...] = ()
    kept: int = 0


def copies_of(entry: OlderCopies, location: str) -> tuple[str, ...]:
    """Return the ids of the copies: the id itself, or the id with the suffixes -1, -2 and so on.

    Raise `DataFault` if a card is unknown or the number of copies is wrong.
    """
    ids = (entry.id,) if entry.id in BOX else tuple(f"{entry.id}-{number + 1}" for number in range(entry.copies))
    demand(len(ids) == entry.copies, location, f"key `cards`: card `{entry.id}` has 1 copy, not {entry.copies}")
    for id in ids:
        demand(id in BOX, location, f"key `cards`: unknown card `{id}`")
    return ids


def as_older(card: Card, base_id: str, texts: Mapping[str, str]) -> Card:
    """Return a card with the differences and the text of the 2006 edition."""
    changes = dict(OLDER_CHANGES.get(base_id, {}))
    values: dict[str, Any] = {key: changes.pop(key) for key in ("stack", "caballeros") if key in changes}
    values["text"] = text_in(texts, card.id, card.text)
    if not changes:
        return replace(card, **values)
    params = card.params
    if isinstance(params, ChooseOne):
        options = tuple(
            replace(option, params=replace(option.params, **changes)) if option.kind == "place_from_court" else option
            for option in params.options
        )
        return replace(card, params=ChooseOne(options), **values)
    return replace(card, params=replace(params, **changes), **values)


def load_older(table: Mapping[str, Any], file: str, texts: Mapping[str, str] = TEXTS.older) -> dict[str, Card]:
    """Load the 45 cards of the 2006 edition by id, as differences to the 2023 cards.

    Raise `DataFault` unless the stated stacks, their sizes and the list of differences agree.
    """
    cards = {}
    for entry in data.records(OlderEntry, table, "older_stack", file, "stack"):
        location = f"{file}, older_stack {entry.stack}"
        count = 0
        for copies in entry.cards:
            for id in copies_of(copies, location):
                cards[id] = as_older(BOX[id], copies.id, texts)
                count += 1
                actual, stated = (cards[id].stack, cards[id].caballeros), (entry.stack, entry.caballeros)
                fault = f"key `cards`: `{id}` has stack and caballeros {actual}, but is listed under {stated}"
                demand(actual == stated, location, fault)
        demand(count == entry.size, location, f"key `size`: it states {entry.size} cards, but the stack has {count}")
    changed_ids = set(data.part(table, "older_differs", file)) - {"prov", "vet-veto"}
    is_known = changed_ids == set(OLDER_CHANGES)
    fault = f"file and rules differ in {sorted(changed_ids ^ set(OLDER_CHANGES))}"
    demand(is_known, f"{file}, older_differs", fault)
    check_texts(texts, cards, "older")
    return cards


_NEW_REGENCY: Final = {id: card for id, card in BOX.items() if card.set == "new_regency"}
OLDER: Final = load_older(TABLE, FILE)
CARDS: Final[Mapping[str, Mapping[str, Card]]] = {"2006": {**OLDER, **_NEW_REGENCY}, "2023": BOX}
"""Card set to card id to the card in that set."""
VETERANS: Final = tuple(id for id, card in BOX.items() if card.set == "veteran")


def card_of(state: State, id: str) -> Card:
    """Return the card with this id in the card set of the match."""
    return CARDS[state.setting.cards][id]


def _stack(setting: Setting, number: int) -> Stack:
    """Return a stack of the setting's card set; veteran cards exchange as many unseen cards (EG-19.1)."""
    if setting.cards == "2006":
        return Stack(str(number), tuple(id for id, card in OLDER.items() if card.stack == number))
    base_ids = tuple(id for id, card in BOX.items() if card.set == "base" and card.stack == number)
    veteran_ids = tuple(id for id in setting.veterans if BOX[id].stack == number)
    if not veteran_ids:
        return Stack(str(number), base_ids)
    return Stack(str(number), veteran_ids, base_ids, len(base_ids) - len(veteran_ids))


def _merge(first: Stack, second: Stack) -> Stack:
    """Return two stacks as one, after the exchange of each (EG-16.3, EG-19.2); at most one may have exchanged cards."""
    assert not (first.kept and second.kept)
    name = f"{first.name}+{second.name}"
    return Stack(name, first.cards + second.cards, first.exchanged + second.exchanged, first.kept + second.kept)


@lru_cache(maxsize=256)
def stacks_of(setting: Setting) -> tuple[Stack, ...]:
    """Return the stacks of a setting, in order; the king card is never drawn and not included (EG-3.2, EG-18.1)."""
    stacks = [_stack(setting, number) for number in (1, 2, 3, 4)]
    if setting.merged_stacks or setting.seats == 2:
        stacks[1:3] = [_merge(stacks[1], stacks[2])]
    if setting.new_regency:
        stacks.append(Stack("5", tuple(_NEW_REGENCY)))
    return tuple(stacks)


def turn_up(stack: Stack, turned: frozenset[str], round: int, chance: Chance) -> str:
    """Draw the id of the top card of a stack, at random among cards not turned up yet.

    The order of a stack, and the cards exchanged for veteran cards, are only decided when its cards are turned up.
    """
    pool = tuple(id for id in stack.cards if id not in turned)
    exchanged_ids = tuple(id for id in stack.exchanged if id not in turned)
    kept_count = stack.kept - (len(stack.exchanged) - len(exchanged_ids))
    label = f"stack/{stack.name}/{round}"
    (card,) = chance.draw(label, pool + (EXCHANGED,) * kept_count, 1)
    if card == EXCHANGED:
        (card,) = chance.draw(f"{label}/exchanged", exchanged_ids, 1)
    return card
