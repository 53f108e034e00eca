"""Recount the explorer's figures from the bytes of logs.

The code shares nothing with the projection: no fold, no effect types of a title, no traits. It reads players, actions
and results from the entries' JSON and counts rounds by the effects that begin them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, select

from domain.matches.log.entries import Entry, Opening
from projections.archive.archived_matches import BOTS, OPENING, first_key
from projections.archive.projection import EXPLORER_OPENINGS, EXPLORER_THINGS
from projections.platform.store import ReadStore

Key = tuple[str, int, str, int, str]
"""Title, seats, kind, number, thing."""
Path = tuple[str, int, tuple[str, ...]]
"""Title, seats, and the first actions, as JSON of the log."""
ChoiceSums = tuple[int, int, int]
"""Times chosen, wins, sum of the margins."""
Chosen = tuple[int, str, int, str]
"""Seat, kind, number, thing."""

ALL_THINGS: Final = select(
    *(EXPLORER_THINGS.c[name] for name in ("title", "seats", "kind", "number", "thing", "times", "wins", "margin"))
).where(EXPLORER_THINGS.c.who == bindparam("who"))
ALL_MOVES: Final = select(
    *(EXPLORER_OPENINGS.c[name] for name in ("path", "action", "next", "times", "wins", "margin"))
).where(EXPLORER_OPENINGS.c.who == bindparam("who"))


class HiddenAction(msgspec.Struct, frozen=True):
    """A commitment in place of an action that was secret when it was taken."""

    commitment: str


class Body(msgspec.Struct, frozen=True, rename="camel"):
    """The fields of an entry's body that are counted."""

    type: str
    seat: int = -1
    seats: int = 0
    title: str = ""
    action: msgspec.Raw = msgspec.Raw(b"")
    hidden_action: HiddenAction | None = None
    effects: tuple[dict[str, Any], ...] = ()
    scores: tuple[int, ...] = ()
    ranking: tuple[int, ...] = ()


BODY: Final = msgspec.json.Decoder(Body)


class Recount:
    """Sums over whole matches of bots without take-backs."""

    def __init__(self) -> None:
        self.things: dict[Key, Counter[str]] = {}
        self.openings: dict[Path, Counter[str]] = {}

    def add(self, entries: Sequence[Entry]) -> None:
        """Add the choices and the first `OPENING` actions of a whole match, with the results of their seats.

        Raises `AssertionError` if the log is incomplete or has a take-back.
        """
        bodies = [BODY.decode(entry.body) for entry in entries]
        opening, end = bodies[0], bodies[-1]
        assert (opening.type, end.type) == ("match_opened", "match_ended"), "a whole match is counted"
        assert all(body.type != "taken_back" for body in bodies), "bots take nothing back"
        outcomes = [self._worth(end, seat) for seat in range(opening.seats)]
        choices = [each for each in choices_in(opening.title, bodies) if each[0] in range(opening.seats)]
        for seat, kind, number, thing in choices:
            key = (opening.title, opening.seats, kind, number, thing)
            self.things.setdefault(key, Counter()).update(outcomes[seat])
        path = tuple[str, ...]()
        for seat, action in list(first_actions(entries, bodies))[:OPENING]:
            path = (*path, action)
            self.openings.setdefault((opening.title, opening.seats, path), Counter()).update(outcomes[seat])

    @staticmethod
    def _worth(end: Body, seat: int) -> dict[str, int]:
        best_rival = max(score for rival, score in enumerate(end.scores) if rival != seat)
        return {"times": 1, "wins": int(end.ranking[seat] == 1), "margin": end.scores[seat] - best_rival}

    def count_differences(self, store: ReadStore) -> int:
        """Return the number of sums that the read model lacks, has in excess, or has with another value."""
        return count_differences(sums(self.things), things_of(store)) + count_differences(
            sums(self.openings), openings_of(store)
        )


def choices_in(title: str, bodies: Iterable[Body]) -> set[Chosen]:
    """Return each seat's distinct choices, including El Grande's dummy, whose number follows the players'."""
    return set(READS[title](bodies))


def of_la_granja(bodies: Iterable[Body]) -> Iterator[Chosen]:
    """Yield donkey tiles by round, buildings and cards in the order of each seat, and helpers."""
    rounds, order = 0, Counter[tuple[int, str]]()
    for effect in (effect for body in bodies for effect in body.effects):
        match effect:
            case {"type": "la_granja.donkeys_revealed", "tiles": tiles}:
                rounds += 1
                yield from ((seat, "donkey", rounds, str(tile)) for seat, tile in enumerate(tiles))
            case {"type": "la_granja.building_completed", "seat": seat, "building": building}:
                order[seat, "building"] += 1
                yield seat, "building", order[seat, "building"], str(building)
            case {"type": "la_granja.card_played", "seat": seat, "card": card, "side": side}:
                order[seat, "card"] += 1
                yield seat, "card", order[seat, "card"], f"{side}/{card}"
                if side == "helper":
                    yield seat, "helper", 0, str(card)
            case _:
                pass


def of_el_grande(bodies: Iterable[Body]) -> Iterator[Chosen]:
    """Yield home regions, power cards and the Castillo by round, action cards, and the king's destinations.

    Only the seat's own caballeros in the Castillo are counted.
    """
    rounds = 0
    for body in bodies:
        action = msgspec.json.decode(body.action) if body.action else {}
        if action.get("type") == "el_grande.move_king":
            yield body.seat, "king", 0, action["place"]
        for effect in body.effects:
            match effect:
                case {"type": "el_grande.round_begun"}:
                    rounds += 1
                case {"type": "el_grande.home_taken", "seat": seat, "region": region}:
                    yield seat, "home", 0, region
                case {"type": "el_grande.power_card_played", "seat": seat, "power": power}:
                    yield seat, "power", rounds, str(power)
                case {"type": "el_grande.action_card_taken", "seat": seat, "card": card}:
                    yield seat, "action_card", 0, card
                case {"type": "el_grande.caballeros_moved", "seat": seat, "lines": lines}:
                    own_lines = [each for each in lines if (each["target"], each["colour"]) == ("castillo", seat)]
                    if count := sum(each["count"] for each in own_lines):
                        yield seat, "castillo", rounds, str(count)
                case _:
                    pass


READS: Final[dict[str, Callable[[Iterable[Body]], Iterator[Chosen]]]] = {
    "la_granja": of_la_granja,
    "el_grande": of_el_grande,
}


def first_actions(entries: Iterable[Entry], bodies: Iterable[Body]) -> Iterator[tuple[int, str]]:
    """Yield seat and action of each player's action, in order; skip the service's."""
    for entry, body in zip(entries, bodies, strict=True):
        if body.type == "action_taken" and body.seat >= 0:
            yield body.seat, action_in(body, entry.secrets)


def action_in(body: Body, secrets: Iterable[Opening]) -> str:
    """Return the JSON of an action, from the entry's secrets if it was hidden."""
    if body.action:
        return bytes(body.action).decode()
    assert body.hidden_action is not None, "an action stands in the log or is hidden there"
    (value,) = (each.value for each in secrets if each.commitment == body.hidden_action.commitment)
    return bytes(value).decode()


def sums(counters: dict[Any, Counter[str]]) -> dict[Any, ChoiceSums]:
    """Convert counters to triples."""
    return {key: (each["times"], each["wins"], each["margin"]) for key, each in counters.items()}


def count_differences(counted: dict[Any, ChoiceSums], stored: dict[Any, ChoiceSums]) -> int:
    """Return the number of keys whose values differ."""
    return sum(counted.get(key) != stored.get(key) for key in counted.keys() | stored.keys())


def things_of(store: ReadStore) -> dict[Key, ChoiceSums]:
    """Return the read model's sums of things chosen by bots."""
    return {
        (title, seats, kind, number, thing): (times, wins, margin)
        for title, seats, kind, number, thing, times, wins, margin in store.rows(ALL_THINGS, who=BOTS)
    }


def openings_of(store: ReadStore) -> dict[Path, ChoiceSums]:
    """Return the read model's sums of bots' openings by path; moves that no path reaches keep their stored key."""
    moves = dict[str, list[tuple[str, str, ChoiceSums]]]()
    for key, action, after, times, wins, margin in store.rows(ALL_MOVES, who=BOTS):
        moves.setdefault(key, []).append((action, after, (times, wins, margin)))
    sums_by_path = dict[Path, ChoiceSums]()
    sizes = {(title, seats) for title, seats, *_ in things_of(store)}
    pending: list[tuple[Path, str]] = [((title, seats, ()), first_key(title, seats)) for title, seats in sorted(sizes)]
    while pending:
        (title, seats, path), key = pending.pop()
        for action, after, sums_of_action in moves.pop(key, ()):
            sums_by_path[title, seats, (*path, action)] = sums_of_action
            pending.append(((title, seats, (*path, action)), after))
    return sums_by_path | {
        ("", 0, (key, action)): sums_of_action for key, each in moves.items() for action, _, sums_of_action in each
    }
