"""A match as HTML fragments: the data for one reader, and the fragments that change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

import msgspec
from babel.lists import format_list

from api.accounts.display_names import Names
from api.accounts.service import AccountService
from api.disputes.table_disputes import TableDisputes, read_table_disputes
from api.http.guards import Caller
from api.http.languages import _, current_language, current_locale, say
from api.http.parts import SEPARATE_PARTS
from api.lessons.guide_panel import LessonShown, show_lesson
from api.matches.pages.narration import NarratedEntry, has_content, narrate_entries
from api.matches.pages.replaced_starters import ReplacedStarter, replaced_starters
from api.matches.pages.shares import OwnShare, ShareShown, own_share_of, shares_of
from api.matches.pages.signing import OwnSigning, own_signing_of, signs
from api.matches.pages.terms import describe_duration, terms_of
from api.matches.queries import describe_legal
from api.matches.responses import seat_names
from api.matches.schemas import LegalAction, MatchShown
from api.matches.score_analysis import ScoreAnalysis
from api.matches.service import MatchService
from api.titles.drawing import Drawing, Drawings
from api.titles.sentences import with_names
from domain.lessons.guidance import Guidance
from domain.matches.aggregate import Match, has_pauses_left, open_take_backs, pauses_alone
from domain.matches.facts import Actor
from domain.matches.log.entries import microseconds
from domain.matches.seats.luck_shares import has_player_shares
from domain.matches.seats.one_device import device_token, find_local_seat_to_act
from domain.matches.seats.opening import ready_deadline, ready_span
from projections.matches import clocks, replay
from projections.platform.store import ReadStore

Render = Callable[[str, Mapping[str, Any]], str]
"""Template name and context -> HTML."""

LINES_SHOWN: Final = 30
LINES_READ: Final = 50
"""More than `LINES_SHOWN`, because some lines are dropped if another follows."""
PAGE_FRAGMENTS: Final = ("status", "seats", "actions", "narration", "trust")
"""Fragments of every table, whatever the title; their templates are in `api/site/templates/table/`."""
NARRATION_FRAGMENTS: Final = ("seats", "narration")
"""Fragments that change when narration and clocks have caught up with the match."""


class Button(msgspec.Struct, frozen=True):
    """An action as a button: index among the legal actions, JSON, text, and part of the board."""

    index: int
    action: str
    text: str
    target: str = ""
    key: str = ""
    """The digit key that presses the button."""
    detail: str = ""
    """Explanation to read before pressing."""
    of: str = ""
    how: str = ""
    """Replace the text; buttons with the same `of` share a line."""
    shown: str = ""
    """URL of the enlarged picture."""


class ButtonGroup(msgspec.Struct, frozen=True):
    """Buttons with a common heading."""

    heading: str
    buttons: tuple[Button, ...]
    is_closing: bool = False
    """Whether the buttons end a turn or step; these come last and stay visible, so that none is pressed by habit."""


class ClockShown(msgspec.Struct, frozen=True):
    """A clock of the page: time left when it last stopped, and its end if it runs."""

    left_ms: int
    deadline_ms: int | None

    @property
    def words(self) -> str:
        """The time left as `m:ss`, from one hour on as `h:mm:ss`."""
        minutes, seconds = divmod(self.left_ms // 1000, 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class DeviceShown(msgspec.Struct, frozen=True):
    """On a shared device: the seat to pass the device to next, and the word of the current one."""

    asked: int | None
    held: str


class TablePageData(msgspec.Struct, frozen=True):
    """Everything that a page shows of a match to one reader."""

    shown: MatchShown
    view: Any
    names: tuple[str, ...]
    prompt: str
    """A sentence about the reader's choices."""
    groups: tuple[ButtonGroup, ...]
    told: tuple[NarratedEntry, ...]
    clocks: tuple[ClockShown, ...]
    shares: tuple[ShareShown, ...]
    terms: tuple[str, ...]
    """Short texts about the agreements of the table."""
    pause_asked_by: tuple[int, ...]
    may_pause: bool
    """Whether a pause is left to agree on, with another player if needed."""
    pauses_alone: bool
    """Whether no other player could agree to a pause of a rated match."""
    ready_within: str
    """Text about the time for getting ready; empty without a limit."""
    waits_until: datetime | None
    """Time at which an event table starts without absent players."""
    own_actions: int
    """Number of actions of the reader's seat."""
    is_told: bool
    """Whether the narration has caught up with the match."""
    take_back_to: int | None
    is_opener: bool
    drawing: Drawing
    own_share: OwnShare | None
    """The reader's share of randomness, until ready."""
    signing: OwnSigning | None
    """Keys and signatures of the reader's browser."""
    signs: tuple[bool, ...]
    """By seat: whether its actions are signed."""
    ending: ScoreAnalysis | None
    """Explanation of the final scores, if the title has one."""
    played_on: tuple[ReplacedStarter | None, ...]
    """By seat, once the match has ended."""
    desk: TableDisputes | None
    """The call for an arbiter and the disputes, for players."""
    is_practice: bool
    """Whether it is a practice match, which is unlisted and has no result."""
    lesson: LessonShown | None
    """The guidance for a learner."""
    device: DeviceShown | None
    """The current seat of a shared device."""
    has_own_luck: bool
    """Whether a player contributes randomness, so that it is not the server's alone."""

    @property
    def rule(self) -> str:
        """Anchor of the rule about the reader's choice; empty if unknown."""
        paragraph_of = self.drawing.paragraph
        return paragraph_of(self.view) if paragraph_of is not None and self.view is not None else ""

    @property
    def waits_for_reader(self) -> bool:
        """Whether all other seats have bots, so that the match can start at once."""
        others = [seat.player for seat in self.shown.seats if seat.seat != self.shown.seat]
        return all(player is not None and player.kind == "bot" for player in others)

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Pairs of seat and rank, the winner first."""
        return tuple(sorted(enumerate(self.shown.ranking or ()), key=lambda pair: pair[1]))


async def load_page_data(
    matches: MatchService, accounts: AccountService, match_id: UUID, caller: Caller
) -> TablePageData:
    """Return the data for a page at the current version; the narration may follow.

    Disputes are included for callers with a seat, but not on a shared device.
    """
    match = await matches.reading.get(match_id)
    narration, shown = await load_narration(matches, match, caller), await matches.reading.encode(match, caller)
    bot = matches.reading.default_bot(match)
    ending = await matches.reading.score_analysis(match)
    has_desk = shown.seat is not None and not match.table.is_one_device
    disputes = await read_table_disputes(matches.writer, match, accounts) if has_desk else None
    people = await matches.reading.names_at(match)
    arguments = (match, shown, narration, matches.drawings, bot)
    compose = partial(
        compose_page_data,
        *arguments,
        is_opener=is_opened_by(match, caller),
        ending=ending,
        disputes=disputes,
        people=people,
    )
    return await asyncio.to_thread(compose, guidance=await matches.reading.guidance(match))


async def update_narration(matches: MatchService, page: TablePageData, caller: Caller) -> TablePageData:
    """Return the data with current narration and clocks, for the same version."""
    narration = await load_narration(matches, page.shown, caller)
    return msgspec.structs.replace(page, **narration_fields(narration, page.shown, page.names, page.drawing))


def is_opened_by(match: Match, caller: Caller) -> bool:
    """Return whether the caller opened the match."""
    return caller.person is not None and caller.person.id == match.opened_by


def compose_page_data(
    match: Match,
    shown: MatchShown,
    narration: NarrationAndClocks,
    drawings: Drawings,
    bot: Actor,
    *,
    is_opener: bool,
    ending: ScoreAnalysis | None,
    people: Names,
    disputes: TableDisputes | None,
    guidance: Guidance | None,
) -> TablePageData:
    """Return the data for a page; without a seat there are no buttons, and a lesson limits them to its choices."""
    names = seat_names(shown.seats)
    legal = (
        describe_legal(match, shown.seat, lambda message: say(with_names(message, names)))
        if shown.seat is not None
        else ()
    )
    if guidance is not None:
        legal = tuple(choice for choice in legal if guidance.is_sensible(choice.action))
    view = shown.view
    if isinstance(view, msgspec.Raw):
        view = msgspec.json.decode(view, type=match.definition.codec.view | None)
    drawing = drawings[shown.title]
    groups, back_to = group_buttons(legal, drawing, view), take_back_version(match, shown.seat)
    return TablePageData(
        shown=shown,
        view=view,
        names=names,
        prompt=prompt_of(drawing, view, legal, groups, names),
        groups=groups,
        **narration_fields(narration, shown, names, drawing),
        shares=shares_of(match),
        terms=terms_of(match.definition, shown.options, shown.table),
        pause_asked_by=match.pause_asked_by,
        may_pause=has_pauses_left(match) and not pauses_alone(match),
        pauses_alone=pauses_alone(match),
        ready_within="" if match.table.event_id else describe_duration(int(ready_span(match.table).total_seconds())),
        waits_until=ready_deadline(match) if match.table.event_id else None,
        own_actions=actions_of(match, shown.seat),
        take_back_to=back_to,
        is_opener=is_opener,
        drawing=drawing,
        own_share=own_share_of(match, shown.seat),
        signing=own_signing_of(match, shown.seat, bot, back_to),
        signs=signs(match),
        ending=ending,
        played_on=replaced_starters(match, people),
        desk=disputes,
        is_practice=match.practice != "",
        lesson=show_lesson(guidance, current_language(), ending, shown.ranking)
        if guidance is not None and shown.seat is not None
        else None,
        device=show_device(match, shown.seat),
        has_own_luck=has_player_shares(match),
    )


def show_device(match: Match, seat: int | None) -> DeviceShown | None:
    """Return the local seat to act and the caller's token on a shared device; None for other tables."""
    if not match.table.is_one_device:
        return None
    return DeviceShown(find_local_seat_to_act(match), "" if seat is None else device_token(match, seat))


def actions_of(match: Match, seat: int | None) -> int:
    """Return the number of actions of a seat."""
    return match.action_counts[seat] if seat is not None and match.action_counts else 0


def take_back_version(match: Match, seat: int | None) -> int | None:
    """Return the version before the reader's last action if it may be taken back, otherwise None."""
    versions = () if seat is None else open_take_backs(match, seat)
    return versions[-1] if versions else None


class NarrationAndClocks(msgspec.Struct, frozen=True):
    """Data from the read models: the latest entries as text, latest first, and the clocks."""

    lines: Sequence[replay.ReplayLine]
    clocks: Sequence[clocks.Clock]
    last: int
    """The last entry that the reader may see; earlier than the version where a ruling replaced entries."""


async def load_narration(matches: MatchService, match: Match | MatchShown, caller: Caller) -> NarrationAndClocks:
    """Read narration and clocks of a match for a caller; of a superseded match only up to the last readable entry."""
    match_id = match.id if isinstance(match, Match) else match.match_id
    is_superseded = match.status == "superseded"
    last_version = await matches.reading.readable_until(match_id, caller) if is_superseded else match.version
    return await matches.writer.read_model(
        query_narration, match_id, last_version, has_clocks=match.table.clock.kind != "none"
    )


def query_narration(store: ReadStore, match_id: UUID, last_version: int, *, has_clocks: bool) -> NarrationAndClocks:
    """Return the last `LINES_READ` lines up to a version, latest first, and the clocks if the match has any."""
    after = max(0, last_version - LINES_READ)
    lines = replay.lines(store, match_id, after, last_version - after)[::-1]
    return NarrationAndClocks(lines, clocks.get(store, match_id) if has_clocks else (), last_version)


def narration_fields(
    narration: NarrationAndClocks, shown: MatchShown, names: Sequence[str], drawing: Drawing
) -> dict[str, Any]:
    """Return the fields of `TablePageData` that follow the log with a delay: told, clocks, is_told.

    Entries without content are left out, except for the latest; `told` has at most `LINES_SHOWN`.
    """
    lines = narration.lines
    narrated = [line for line in lines if line.narration and (line is lines[0] or has_content(line.narration))]
    return {
        "told": narrate_entries(narrated[:LINES_SHOWN], names, drawing),
        "clocks": tuple(map(show_clock, narration.clocks)),
        "is_told": bool(lines) and lines[0].version >= min(shown.version, narration.last),
    }


def show_clock(clock: clocks.Clock) -> ClockShown:
    """Convert a clock."""
    return ClockShown(clock.left_ms, microseconds(clock.deadline) // 1000 if clock.deadline else None)


def prompt_of(
    drawing: Drawing, view: object, legal: Sequence[LegalAction], groups: Sequence[ButtonGroup], names: Sequence[str]
) -> str:
    """Return the title's prompt, or "Your turn: a or b." with the headings; empty without button groups."""
    if not groups:
        return ""
    if drawing.prompt is not None:
        return say(with_names(drawing.prompt(view, tuple(choice.action for choice in legal)), names))
    choices = format_list([_(group.heading) for group in groups], style="or", locale=current_locale())
    return _("Your turn: {choices}.", choices=choices)


async def with_narration(matches: MatchService, page: TablePageData, caller: Caller) -> TablePageData:
    """Return the page with its narration, waiting a moment for it; unchanged if it does not arrive."""

    async def find_narrated() -> TablePageData | None:
        updated = await update_narration(matches, page, caller)
        return updated if updated.is_told else None

    if page.is_told:
        return page
    return await matches.reading.wait_for(find_narrated, page.shown.match_id, (replay.NAME,)) or page


def group_buttons(legal: Sequence[LegalAction], drawing: Drawing, view: object = None) -> tuple[ButtonGroup, ...]:
    """Return buttons by heading, in the order of the legal actions, groups of closing ones last.

    The first nine others have the keys 1 to 9, and the first closing one has 0. Without a `view` they have no details.
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
            label, target = brief.label
            button = msgspec.structs.replace(button, how=label, of=target, shown=brief.shown)
        groups.setdefault((is_closing, drawing.heading(choice.action)), []).append(button)
    ordered = sorted(groups.items(), key=lambda pair: pair[0][0])
    return tuple(ButtonGroup(heading, tuple(buttons), is_closing) for (is_closing, heading), buttons in ordered)


def render_fragments(render: Render, page: TablePageData, csrf: str) -> dict[str, str]:
    """Render the changing fragments and their parts, by element id; board fragments only with a view."""
    drawing, separate_parts = page.drawing, dict[str, str]()
    picture = drawing.picture(page.view) if page.view is not None else {}
    context = {**context_of(page, csrf), **picture, SEPARATE_PARTS: separate_parts}
    fragments = {name: render(f"site/table/{name}.html", context) for name in PAGE_FRAGMENTS}
    if page.view is not None:
        fragments |= {name: render(template, context) for name, template in drawing.templates}
    return fragments | separate_parts


def context_of(page: TablePageData, csrf: str) -> dict[str, Any]:
    """Return the context for all fragments."""
    strips = page.drawing.strips(page.view) if page.drawing.strips and page.view is not None else ()
    return {"page": page, "match": page.shown, "names": page.names, "view": page.view, "csrf": csrf, "strips": strips}


def narration_fragments(render: Render, page: TablePageData, csrf: str) -> dict[str, str]:
    """Render the fragments that depend on narration and clocks."""
    return {name: render(f"site/table/{name}.html", context_of(page, csrf)) for name in NARRATION_FRAGMENTS}
