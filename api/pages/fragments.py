"""A match as fragments of a page: what is composed for one reader, and the pieces of HTML that change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final
from uuid import UUID

import msgspec

from api.guards import Caller
from api.pages.drawing import Drawing, drawing_of
from api.reading import described
from api.schemas import LegalAction, MatchShown
from api.showing import seat_names
from api.tables import PROJECTION_LOOK_SECONDS, PROJECTION_WAIT_SECONDS, Tables
from domain.kernel.messages import Message, say
from domain.match.aggregate import Match
from domain.match.application import Matches
from projections import replay

Render = Callable[[str, Mapping[str, Any]], str]
"""Template name and context -> HTML."""

LINES_SHOWN: Final = 30
PLAYER: Final = "Player {number}"
"""The message id by which games name a seat; the page puts the name of whoever sits there."""


class Button(msgspec.Struct, frozen=True):
    """An action as a button: its place among the legal actions, its wire form, its sentence."""

    index: int
    action: str
    text: str


class Group(msgspec.Struct, frozen=True):
    heading: str
    buttons: tuple[Button, ...]


class Told(msgspec.Struct, frozen=True):
    """What an entry did, in sentences."""

    version: int
    sentences: tuple[str, ...]


class Composed(msgspec.Struct, frozen=True):
    """All that a page shows of a match to one reader."""

    shown: MatchShown
    view: Any
    names: tuple[str, ...]
    groups: tuple[Group, ...]
    told: tuple[Told, ...]
    is_told: bool
    """The words have caught up with the match."""
    take_back_to: int | None
    is_opener: bool
    commitment: str | None
    """What the reader's seat has committed to, while it is not ready."""

    @property
    def waits_for_reader(self) -> bool:
        """There are only bots beside the reader: the match can begin at once."""
        others = [seat.player for seat in self.shown.seats if seat.seat != self.shown.seat]
        return all(player is not None and player.kind == "bot" for player in others)

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Seat and place of everybody, the winner first."""
        return tuple(sorted(enumerate(self.shown.ranking or ()), key=lambda pair: pair[1]))

    @property
    def drawing(self) -> Drawing:
        return drawing_of(self.shown.title)


async def compose_read(tables: Tables, match_id: UUID, caller: Caller) -> Composed:
    """The match as the read models have it, which may be a moment ago; the stream of the page brings the rest."""
    shown = await tables.show(match_id, caller)
    match = await tables.look(Matches.at, match_id, shown.version)
    return await asyncio.to_thread(composed, match, shown, await told_lines(tables, match), caller)


async def compose_folded(tables: Tables, match_id: UUID, caller: Caller) -> Composed:
    """The match as it stands; what it is told in words may follow."""
    match = await tables.get(match_id)
    lines, shown = await told_lines(tables, match), await tables.shown(match, caller)
    return await asyncio.to_thread(composed, match, shown, lines, caller)


def composed(match: Match, shown: MatchShown, lines: Sequence[replay.Line], caller: Caller) -> Composed:
    names = seat_names(shown.seats)
    legal = described(match, shown.seat) if shown.seat is not None else ()
    view = shown.view
    if isinstance(view, msgspec.Raw):
        view = msgspec.json.decode(view, type=match.game.codec.view | None)
    info = match.seats[shown.seat] if shown.seat is not None else None
    return Composed(
        shown=shown,
        view=view,
        names=names,
        groups=grouped(legal, drawing_of(shown.title)),
        told=tuple(Told(line.version, sentences(line.narration, names)) for line in lines if line.narration),
        is_told=bool(lines) and lines[0].version >= match.version,
        take_back_to=take_back_version(match, shown.seat),
        is_opener=caller.person is not None and caller.person.id == match.opened_by,
        commitment=info.share_commitment if info and not info.ready and match.status == "open" else None,
    )


def take_back_version(match: Match, seat: int | None) -> int | None:
    """The version before the reader's last action, while that may be taken back."""
    turn = match.turn
    may = match.status == "running" and seat is not None and turn.seat == seat and len(turn.marks) > 1
    return turn.marks[-2].version if may and turn.taken_back_count < match.table.take_backs else None


async def told_lines(tables: Tables, match: Match) -> Sequence[replay.Line]:
    """The last entries in words, the newest first."""
    return (await tables.read(replay.lines, match.id, max(0, match.version - LINES_SHOWN), LINES_SHOWN))[::-1]


async def until_told(tables: Tables, page: Composed) -> None:
    """Give the words a moment to catch up with the match."""
    loop, version = asyncio.get_running_loop(), page.shown.version
    until = loop.time() + PROJECTION_WAIT_SECONDS
    while loop.time() < until and not await tables.read(replay.lines, page.shown.match_id, version - 1, 1):
        await asyncio.sleep(PROJECTION_LOOK_SECONDS)


def sentences(narration: Sequence[Message], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(say(named(message, names)) for message in narration)


def named(message: Message, names: Sequence[str]) -> Message:
    """The message with the names of people in the places of their seats' numbers."""
    number = message.args.get("number")
    if message.id == PLAYER and isinstance(number, int) and 1 <= number <= len(names):
        return Message("{name}", {"name": names[number - 1]})
    args = {name: named(value, names) if isinstance(value, Message) else value for name, value in message.args.items()}
    return msgspec.structs.replace(message, args=args)


def grouped(legal: Sequence[LegalAction], drawing: Drawing) -> tuple[Group, ...]:
    """The buttons under their headings, in the order in which the legal actions come."""
    groups: dict[str, list[Button]] = {}
    for index, choice in enumerate(legal):
        wire = msgspec.json.encode(choice.action).decode()
        groups.setdefault(drawing.heading(choice.action), []).append(Button(index, wire, choice.text))
    return tuple(Group(heading, tuple(buttons)) for heading, buttons in groups.items())


def fragments(render: Render, page: Composed, csrf: str) -> dict[str, str]:
    """Every piece of the page that changes while the match goes on, by the id of its place."""
    drawing = page.drawing
    picture = drawing.picture(page.view) if page.view is not None else {}
    context: dict[str, Any] = {"page": page, "match": page.shown, "names": page.names, "view": page.view, "csrf": csrf}
    context |= picture
    made = {name: render(f"table/{name}.html", context) for name in ("status", "actions", "scores", "narration")}
    if page.view is not None:
        made |= {name: render(template, context) for name, template in drawing.templates}
    return made


def digests(made: Mapping[str, str], csrf: str) -> dict[str, str]:
    """A short word for every piece a reader has, so that a stream sends only what is new.

    The words stand in an address, so they are keyed with the reader's token: they tell nobody what a hand holds.
    """
    return {
        name: blake2b(html.encode(), digest_size=4, key=csrf[:64].encode()).hexdigest() for name, html in made.items()
    }


def spoken(digests: Mapping[str, str]) -> str:
    """The digests in one word; `known` reads it."""
    return ".".join(f"{name}-{value}" for name, value in digests.items())


def known(word: str) -> dict[str, str]:
    """The digests in such a word."""
    pairs = (part.partition("-") for part in word.split("."))
    return {name: value for name, _, value in pairs}


def news(made: Mapping[str, str], have: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """What the reader does not have yet."""
    return {name: html for name, html in made.items() if have.get(name) != now[name]}


def out_of_band(made: Mapping[str, str]) -> str:
    """The fragments as htmx takes them: each into the place that has its id."""
    return "".join(f'<div id="{name}" hx-swap-oob="innerHTML">{html}</div>' for name, html in made.items())
