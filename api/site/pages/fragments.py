"""A match as fragments of a page: what is composed for one reader, and the pieces of HTML that change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

import msgspec
from babel.lists import format_list

from api.accounts.naming import Names
from api.accounts.service import AccountService
from api.disputes.at_table import AtTable, read_at_table
from api.http.guards import Caller
from api.http.languages import _, current_language, locale, say
from api.http.parts import APART
from api.lessons.showing import LessonShown, show_lesson
from api.matches.ending import Ending
from api.matches.pages.played_on import PlayedOn, played_on_at
from api.matches.pages.shares import OwnShare, ShareShown, own_share_of, shares_of
from api.matches.pages.signing import OwnSigning, own_signing_of, signs
from api.matches.pages.telling import ToldEntry, tells, told_entries
from api.matches.pages.terms import span, terms_of
from api.matches.reading import describe_legal
from api.matches.service import MatchService
from api.matches.showing import seat_names
from api.matches.wire import LegalAction, MatchShown
from api.titles.drawing import Drawing, Drawings
from api.titles.sentences import with_names
from domain.lessons.guiding import Guidance
from domain.matches.aggregate import Match, has_pauses_left, open_take_backs, pauses_alone
from domain.matches.facts import Actor
from domain.matches.log.entries import microseconds
from domain.matches.seats.one_device import asked_seat, held_word
from domain.matches.seats.opening import ready_deadline, ready_span
from domain.matches.seats.sharing import brings_luck
from projections.matches import clocks, replay
from projections.platform.store import ReadStore

Render = Callable[[str, Mapping[str, Any]], str]
"""Template name and context -> HTML."""

LINES_SHOWN: Final = 30
LINES_READ: Final = 50
"""More than are shown: a line that says only that somebody goes on is left out when another has followed."""
SHELL: Final = ("status", "seats", "actions", "narration", "trust")
"""The parts of every table, whatever is played; their templates are in `api/site/templates/table/`."""
TOLD: Final = ("seats", "narration")
"""Those of them that change when words and clocks have caught up with the match."""


class Button(msgspec.Struct, frozen=True):
    """An action as a button: its place among the legal actions, its wire form, its sentence, its part of the board."""

    index: int
    action: str
    text: str
    target: str = ""
    key: str = ""
    """The digit that presses it."""
    detail: str = ""
    """What is read before it is pressed."""
    of: str = ""
    how: str = ""
    """Both stand for the sentence; buttons of the same thing share a line."""
    shown: str = ""
    """The address at which the thing is shown in large."""


class ButtonGroup(msgspec.Struct, frozen=True):
    heading: str
    buttons: tuple[Button, ...]
    is_closing: bool = False
    """These end what the reader is doing: they stand last, always in sight, so that none is pressed by habit."""


class ClockShown(msgspec.Struct, frozen=True):
    """A clock as the page ticks it: what was left when it last stood, and when it is over if it runs."""

    left_ms: int
    deadline_ms: int | None

    @property
    def words(self) -> str:
        """What was left, as a clock shows it."""
        minutes, seconds = divmod(self.left_ms // 1000, 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class DeviceShown(msgspec.Struct, frozen=True):
    """Of a table on one device: to which seat the device is passed next, and the word of the seat that has it."""

    asked: int | None
    held: str


class Composed(msgspec.Struct, frozen=True):
    """All that a page shows of a match to one reader."""

    shown: MatchShown
    view: Any
    names: tuple[str, ...]
    prompt: str
    """What the reader can do now, in one sentence."""
    groups: tuple[ButtonGroup, ...]
    told: tuple[ToldEntry, ...]
    clocks: tuple[ClockShown, ...]
    shares: tuple[ShareShown, ...]
    terms: tuple[str, ...]
    """What was agreed on for this table, in a few words each."""
    pause_asked_by: tuple[int, ...]
    may_pause: bool
    """There is a pause left to agree on, and somebody to agree with where that is needed."""
    pauses_alone: bool
    """Nobody else could agree to a pause of a rated match."""
    ready_within: str
    """How long the players of a full table have to get ready; nothing where seats are not freed."""
    waits_until: datetime | None
    """When a table of a tournament or league begins without those who have not come."""
    own_actions: int
    """How often the reader's seat has acted."""
    is_told: bool
    """The words have caught up with the match."""
    take_back_to: int | None
    is_opener: bool
    drawing: Drawing
    own_share: OwnShare | None
    """What the reader's seat adds to luck, while it is not ready."""
    signing: OwnSigning | None
    """What the reader's browser signs."""
    signs: tuple[bool, ...]
    """By seat: whether it signs what it does."""
    ending: Ending | None
    """How everybody came to the final score, where the title says so."""
    played_on: tuple[PlayedOn | None, ...]
    """By seat, once the match has ended."""
    desk: AtTable | None
    """The call for an arbiter and the disputes, for players."""
    is_practice: bool
    """Somebody learns by this match: it is in no list, and nobody's result."""
    lesson: LessonShown | None
    """What the guide says to a learner."""
    device: DeviceShown | None
    """With whom the device is, at a table on one."""
    has_own_luck: bool
    """Somebody has brought a share of luck, or is going to: it is not the house's alone."""

    @property
    def rule(self) -> str:
        """Where the rules tell of what the reader is asked; "" where they do not."""
        tells = self.drawing.paragraph
        return tells(self.view) if tells is not None and self.view is not None else ""

    @property
    def waits_for_reader(self) -> bool:
        """There are only bots beside the reader: the match can begin at once."""
        others = [seat.player for seat in self.shown.seats if seat.seat != self.shown.seat]
        return all(player is not None and player.kind == "bot" for player in others)

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Seat and place of everybody, the winner first."""
        return tuple(sorted(enumerate(self.shown.ranking or ()), key=lambda pair: pair[1]))


async def compose_folded(matches: MatchService, accounts: AccountService, match_id: UUID, caller: Caller) -> Composed:
    """The match as it stands; its narration may follow."""
    match = await matches.reading.get(match_id)
    known, shown = await read_followed(matches, match, caller), await matches.reading.encode(match, caller)
    bot = matches.reading.usual_bot(match)
    ending = await matches.reading.ending(match)
    has_desk = shown.seat is not None and not match.table.is_one_device
    desk = await read_at_table(matches.writer, match, accounts) if has_desk else None
    people = await matches.reading.names_at(match)
    parts = (match, shown, known, matches.drawings, bot)
    made = partial(compose, *parts, is_opener=opened_by(match, caller), ending=ending, desk=desk, people=people)
    return await asyncio.to_thread(made, guidance=await matches.reading.guidance(match))


async def retold(matches: MatchService, page: Composed, caller: Caller) -> Composed:
    """The same position, with words and clocks as they are by now."""
    known = await read_followed(matches, page.shown, caller)
    return msgspec.structs.replace(page, **told_of(known, page.shown, page.names, page.drawing))


def opened_by(match: Match, caller: Caller) -> bool:
    return caller.person is not None and caller.person.id == match.opened_by


def compose(
    match: Match,
    shown: MatchShown,
    known: Followed,
    drawings: Drawings,
    bot: Actor,
    *,
    is_opener: bool,
    ending: Ending | None,
    people: Names,
    desk: AtTable | None,
    guidance: Guidance | None,
) -> Composed:
    names = seat_names(shown.seats)
    legal = (
        describe_legal(match, shown.seat, lambda told: say(with_names(told, names))) if shown.seat is not None else ()
    )
    if guidance is not None:
        legal = tuple(choice for choice in legal if guidance.is_sensible(choice.action))
    view = shown.view
    if isinstance(view, msgspec.Raw):
        view = msgspec.json.decode(view, type=match.definition.codec.view | None)
    drawing = drawings[shown.title]
    groups, back_to = group_buttons(legal, drawing, view), take_back_version(match, shown.seat)
    return Composed(
        shown=shown,
        view=view,
        names=names,
        prompt=prompt_of(drawing, view, legal, groups, names),
        groups=groups,
        **told_of(known, shown, names, drawing),
        shares=shares_of(match),
        terms=terms_of(match.definition, shown.options, shown.table),
        pause_asked_by=match.pause_asked_by,
        may_pause=has_pauses_left(match) and not pauses_alone(match),
        pauses_alone=pauses_alone(match),
        ready_within="" if match.table.event_id else span(int(ready_span(match.table).total_seconds())),
        waits_until=ready_deadline(match) if match.table.event_id else None,
        own_actions=actions_of(match, shown.seat),
        take_back_to=back_to,
        is_opener=is_opener,
        drawing=drawing,
        own_share=own_share_of(match, shown.seat),
        signing=own_signing_of(match, shown.seat, bot, back_to),
        signs=signs(match),
        ending=ending,
        played_on=played_on_at(match, people),
        desk=desk,
        is_practice=match.practice != "",
        lesson=show_lesson(guidance, current_language(), ending, shown.ranking)
        if guidance is not None and shown.seat is not None
        else None,
        device=show_device(match, shown.seat),
        has_own_luck=brings_luck(match),
    )


def show_device(match: Match, seat: int | None) -> DeviceShown | None:
    if not match.table.is_one_device:
        return None
    return DeviceShown(asked_seat(match), "" if seat is None else held_word(match, seat))


def actions_of(match: Match, seat: int | None) -> int:
    """How often a seat has acted so far."""
    return match.action_counts[seat] if seat is not None and match.action_counts else 0


def take_back_version(match: Match, seat: int | None) -> int | None:
    """The version before the reader's last action, while that may be taken back."""
    versions = () if seat is None else open_take_backs(match, seat)
    return versions[-1] if versions else None


class Followed(msgspec.Struct, frozen=True):
    """What the read models add to a position: the last entries in words, the newest first, and the clocks."""

    lines: Sequence[replay.ReplayLine]
    clocks: Sequence[clocks.Clock]
    last: int
    """The last entry the reader may see: less than the match has where a ruling replaced a part of it."""


async def read_followed(matches: MatchService, match: Match | MatchShown, caller: Caller) -> Followed:
    match_id = match.id if isinstance(match, Match) else match.match_id
    replaced = match.status == "superseded"
    last = await matches.reading.readable_until(match_id, caller) if replaced else match.version
    return await matches.writer.read_model(follow, match_id, last, has_clocks=match.table.clock.kind != "none")


def follow(store: ReadStore, match_id: UUID, last: int, *, has_clocks: bool) -> Followed:
    """Words and clocks as they have been followed by now."""
    after = max(0, last - LINES_READ)
    lines = replay.lines(store, match_id, after, last - after)[::-1]
    return Followed(lines, clocks.get(store, match_id) if has_clocks else (), last)


def told_of(known: Followed, shown: MatchShown, names: Sequence[str], drawing: Drawing) -> dict[str, Any]:
    """The fields of a page that follow the log a moment later."""
    lines = known.lines
    telling = [line for line in lines if line.narration and (line is lines[0] or tells(line.narration))]
    return {
        "told": told_entries(telling[:LINES_SHOWN], names, drawing),
        "clocks": tuple(map(clock_shown, known.clocks)),
        "is_told": bool(lines) and lines[0].version >= min(shown.version, known.last),
    }


def clock_shown(clock: clocks.Clock) -> ClockShown:
    return ClockShown(clock.left_ms, microseconds(clock.deadline) // 1000 if clock.deadline else None)


def prompt_of(
    drawing: Drawing, view: object, legal: Sequence[LegalAction], groups: Sequence[ButtonGroup], names: Sequence[str]
) -> str:
    """What the reader can do now: as the title says it, else the headings of the buttons."""
    if not groups:
        return ""
    if drawing.prompt is not None:
        return say(with_names(drawing.prompt(view, tuple(choice.action for choice in legal)), names))
    choices = format_list([_(group.heading) for group in groups], style="or", locale=locale())
    return _("It is your turn: {choices}.", choices=choices)


async def with_words(matches: MatchService, page: Composed, caller: Caller) -> Composed:
    """The same position with its words; they have a moment to catch up with the match."""

    async def is_told() -> Composed | None:
        told = await retold(matches, page, caller)
        return told if told.is_told else None

    if page.is_told:
        return page
    return await matches.reading.until(is_told, page.shown.match_id, (replay.NAME,)) or page


def group_buttons(legal: Sequence[LegalAction], drawing: Drawing, view: object = None) -> tuple[ButtonGroup, ...]:
    """The buttons under their headings, in the order in which the legal actions come; what closes comes last.

    The first nine have the keys 1 to 9, the first that closes has 0, whatever else there is.
    """
    groups: dict[tuple[bool, str], list[Button]] = {}
    keys, closing_keys = iter("123456789"), iter("0")
    for index, choice in enumerate(legal):
        is_closing = drawing.closes(choice.action)
        key = next(closing_keys if is_closing else keys, "")
        wire = msgspec.json.encode(choice.action).decode()
        detail = drawing.detail(view, choice.action) if view is not None and drawing.detail is not None else None
        button = Button(index, wire, choice.text, drawing.target(choice.action), key, say(detail) if detail else "")
        if view is not None and drawing.brief is not None and (brief := drawing.brief(view, choice.action)):
            how, of = brief.said
            button = msgspec.structs.replace(button, how=how, of=of, shown=brief.shown)
        groups.setdefault((is_closing, drawing.heading(choice.action)), []).append(button)
    ordered = sorted(groups.items(), key=lambda pair: pair[0][0])
    return tuple(ButtonGroup(heading, tuple(buttons), is_closing) for (is_closing, heading), buttons in ordered)


def fragments(render: Render, page: Composed, csrf: str) -> dict[str, str]:
    """Every piece of the page that changes while the match goes on, and their parts, by the ids of their places."""
    drawing, apart = page.drawing, dict[str, str]()
    picture = drawing.picture(page.view) if page.view is not None else {}
    context = {**context_of(page, csrf), **picture, APART: apart}
    made = {name: render(f"site/table/{name}.html", context) for name in SHELL}
    if page.view is not None:
        made |= {name: render(template, context) for name, template in drawing.templates}
    return made | apart


def context_of(page: Composed, csrf: str) -> dict[str, Any]:
    """What every piece is drawn from."""
    strips = page.drawing.strips(page.view) if page.drawing.strips and page.view is not None else ()
    return {"page": page, "match": page.shown, "names": page.names, "view": page.view, "csrf": csrf, "strips": strips}


def told_fragments(render: Render, page: Composed, csrf: str) -> dict[str, str]:
    """The pieces that change when words and clocks have caught up."""
    return {name: render(f"site/table/{name}.html", context_of(page, csrf)) for name in TOLD}
