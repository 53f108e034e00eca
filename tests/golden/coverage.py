"""What of a title occurs in a log: actions, effects, working helpers, ways to end, numbers of seats."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, get_args

from domain import la_granja
from domain.la_granja.cards import CARDS
from domain.match.apply import fold
from domain.match.facts import ActionTaken, MatchStarted, action_of
from domain.match.log import Entry
from domain.match.registry import GAMES


def union_names(kind: str, union: Any) -> set[str]:
    return {f"{kind} {each.__name__}" for each in get_args(union)}


def la_granja_things() -> set[str]:
    """Everything of La Granja that must occur in some golden match."""
    return (
        union_names("action", la_granja.Action)
        | union_names("effect", la_granja.Effect)
        | {f"helper {card}" for card in CARDS if la_granja.helper_has_effect(card)}
        | {f"seats {count}" for count in (2, 3, 4)}
    )


TITLE_THINGS: Final[Mapping[str, Callable[[], set[str]]]] = {la_granja.TITLE: la_granja_things}


def things_of(title: str, entries: Iterable[Entry]) -> set[str]:
    """What occurs in a line."""
    found: set[str] = set()
    line = tuple(entries)
    for entry in line:
        fact = GAMES[title].read(entry)
        if isinstance(fact, MatchStarted | ActionTaken):
            found |= {f"effect {type(effect).__name__}" for effect in fact.effects}
        if isinstance(fact, ActionTaken) and (action := action_of(fact)) is not None:
            found.add(f"action {type(action).__name__}")
    match = fold(GAMES, line)
    helpers = {helper.card for farm in match.state.farms for helper in farm.helpers}
    return found | {f"helper {card}" for card in helpers} | {f"seats {len(match.seats)}"}
