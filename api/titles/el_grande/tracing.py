"""Narration as events on the map: movements, openings and scorings.

The messages hold their facts as arguments, public facts only. Nothing is parsed from words or computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from api.titles.drawing import Trace
from domain.kernel.messages import PLAYER, Message
from domain.titles.el_grande import parts
from domain.titles.el_grande import words_effects as told
from domain.titles.el_grande import words_terms as terms
from domain.titles.el_grande.components import KING_PLACES, PLACES

NAMED: Final[Mapping[str, str]] = {terms.place(name).id: name for name in (*PLACES, *KING_PLACES, "court", "province")}
"""The message id of a place's name to the place."""


def traces(narration: Sequence[Message]) -> tuple[Trace, ...]:
    """Return the events in order."""
    return tuple(trace for message in narration if message.id in TRACED for trace in TRACED[message.id](message))


def _place(message: Message, name: str) -> str:
    place = message.args[name]
    assert isinstance(place, Message)
    return parts.area(NAMED[place.id])


def _seat(message: Message, name: str = "player") -> int | None:
    """Return the seat of the player in an argument of the message; None for the dummy, or without a player."""
    player = message.args.get(name)
    if not isinstance(player, Message) or player.id != PLAYER:
        return None
    return int(str(player.args["number"])) - 1


def _count(message: Message) -> int:
    caballeros = message.args["caballeros"]
    assert isinstance(caballeros, Message)
    return caballeros.count


def _trace_moved(source: str = "", target: str = "") -> Callable[[Message], tuple[Trace, ...]]:
    """Return a function that traces moved caballeros; `source` or `target` fills in a place that the message omits."""

    def trace(message: Message) -> tuple[Trace, ...]:
        part = parts.area(target) if target else _place(message, "target")
        source_part = parts.area(source) if source else _place(message, "source")
        return (Trace(part, source_part, _seat(message), _count(message)),)

    return trace


def _trace_dummy(message: Message) -> tuple[Trace, ...]:
    return (Trace(_place(message, "region"), count=_count(message)),)


def _trace_king(message: Message) -> tuple[Trace, ...]:
    return (Trace(_place(message, "place"), piece="king"),)


def _trace_king_beside_castillo(_: Message) -> tuple[Trace, ...]:
    return (Trace(parts.area("castillo"), piece="king"),)


def _trace_grande(message: Message) -> tuple[Trace, ...]:
    seat = _seat(message)
    return (Trace(_place(message, "area"), seat=seat, piece=f"grande-{seat}"),)


def _trace_scoreboard(message: Message) -> tuple[Trace, ...]:
    """Return a trace of a scoreboard laid in an area; the piece is named by its three prices."""
    scoreboard = message.args["scoreboard"]
    assert isinstance(scoreboard, Message)
    prices = "-".join(str(scoreboard.args[place]) for place in ("first", "second", "third"))
    return (Trace(_place(message, "area"), piece=f"scoreboard-{prices}"),)


def _trace_opened(message: Message) -> tuple[Trace, ...]:
    return (Trace(parts.area("castillo"), opens=True, inside=tuple(_inside(message))),)


def _inside(message: Message) -> Iterator[tuple[int | None, int]]:
    """Yield owner and count of all nested messages about caballeros, in order; None for the dummy."""
    if "caballeros" in message.args:
        yield _seat(message), _count(message)
        return
    for value in message.args.values():
        if isinstance(value, Message):
            yield from _inside(value)


def _trace_scored(message: Message) -> tuple[Trace, ...]:
    part = _place(message, "area") if "area" in message.args else parts.area("castillo")
    return (Trace(part, points=tuple(_points(message))),)


def _points(message: Message) -> Iterator[tuple[int, int]]:
    """Yield seat and points of all nested messages about points."""
    for value in message.args.values():
        if isinstance(value, Message):
            yield from _points(value)
    points, seat = message.args.get("points"), _seat(message)
    if seat is not None and isinstance(points, int):
        yield seat, points


TRACED: Final[Mapping[str, Callable[[Message], tuple[Trace, ...]]]] = {
    "{player} calls {caballeros} to the Court": _trace_moved("province", "court"),
    "{player} puts {caballeros} into the Castillo": _trace_moved("court", "castillo"),
    "{player} places {caballeros} in {target}": _trace_moved("court"),
    told.GOES: _trace_moved(),
    "{mover} moves {caballeros} of {player} from {source} to {target}": _trace_moved(),
    "The dummy places {caballeros} in {region}": _trace_dummy,
    "The king moves to {place}": _trace_king,
    "The king is next to the Castillo": _trace_king_beside_castillo,
    "{player}'s Grande moves to {area}": _trace_grande,
    "The {scoreboard} is placed at {area}": _trace_scoreboard,
    "The Castillo is opened: it is empty": _trace_opened,
    "The Castillo is opened: {contents}": _trace_opened,
    "The Castillo is scored: {points}": _trace_scored,
    "{area} is scored: {points}": _trace_scored,
}
"""The trace functions by message id."""
