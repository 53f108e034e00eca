"""Matches as encoded in responses, built from the folded match or from rows of the read models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import UnsetType

from api.accounts.display_names import Names, shown_bot_name
from api.http.languages import _
from api.matches.schemas import MatchListed, MatchShown, ParentShown, PlayerShown, SeatHoliday, SeatShown
from domain.kernel.values import replace
from domain.matches.aggregate import Match, seats_to_act, view
from domain.matches.facts import Actor, Table, is_bot, is_local
from domain.matches.play.absences import latest_absence
from projections.follow import moment
from projections.matches.boards import Board, phase_of, ranking_of, scores_of
from projections.matches.lobby import LobbyRow
from projections.matches.seat_views import SeatView


def show_player_or_empty(actor: Actor | None, names: Names) -> PlayerShown | None:
    """Return the player for a response: a person, local guest or bot with id and displayed name.

    None for an empty seat.
    """
    if actor is None:
        return None
    if is_bot(actor):
        return PlayerShown("bot", actor, shown_bot_name(actor))
    return PlayerShown("local" if is_local(actor) else "person", actor, names[actor])


def show_player(actor: Actor, names: Names) -> PlayerShown:
    """Return the wire structure of an existing player."""
    player = show_player_or_empty(actor, names)
    assert player is not None
    return player


def seat_names(seats: Iterable[SeatShown]) -> tuple[str, ...]:
    """Return the displayed names of seats; equal names are followed by the seat number, from 1.

    An empty seat is "Seat n" in the request's language.
    """
    shown_seats = tuple(seats)
    plain_names = [
        seat.player.name if seat.player else _("Seat {number}", number=seat.seat + 1) for seat in shown_seats
    ]
    return tuple(
        f"{name} {seat.seat + 1}" if plain_names.count(name) > 1 else name
        for seat, name in zip(shown_seats, plain_names, strict=True)
    )


def show_table(table: Table, imported: bool) -> Table:
    """Return the table options; an imported match is shown as unrated (DESIGN §7)."""
    return replace(table, rated=False) if imported else table


def seats_of(match: Match, names: Names) -> tuple[SeatShown, ...]:
    """Return the wire structures of the seats of a match."""
    return tuple(
        SeatShown(
            index,
            show_player_or_empty(info.actor, names),
            info.ready,
            info.resigned,
            show_holiday(latest_absence(match.absences, index)),
        )
        for index, info in enumerate(match.seats)
    )


def show_holiday(away: tuple[int, int] | UnsetType | None) -> SeatHoliday | None:
    """Return an absence (microseconds) for a response."""
    return SeatHoliday(moment(away[0]), moment(away[1])) if away else None


def show_fold(match: Match, seat: int | None, names: Names, imported: bool) -> MatchShown:
    """Return the response for a folded match as a seat or, with `seat` None, a spectator sees it."""
    return MatchShown(
        match_id=match.id,
        title=match.title,
        status=match.status,
        version=match.version,
        head=match.head,
        phase=phase_of(match),
        options=match.options,
        table=show_table(match.table, imported),
        seats=seats_of(match, names),
        to_act=seats_to_act(match),
        seat=seat,
        view=view(match, seat),
        scores=scores_of(match),
        ranking=ranking_of(match),
        parent=ParentShown(match.origin.match_id, match.origin.version) if match.origin else None,
        replaced_by=match.docket.superseded_by,
        imported=imported,
        retired=match.is_retired,
    )


def show_rows(
    row: LobbyRow, board: Board, seat_view: SeatView | None, names: Names, *, imported: bool, retired: bool
) -> MatchShown:
    """Return the response for rows of the read models with equal versions.

    `seat_view` is the view of the caller's seat, if any.
    """
    shown_view: Any = seat_view.view if seat_view else board.view
    return MatchShown(
        match_id=row.match_id,
        title=row.title,
        status=board.status,
        version=board.version,
        head=board.head,
        phase=board.phase,
        options=row.options,
        table=show_table(row.table, imported),
        seats=show_seats(row, names),
        to_act=board.to_act,
        seat=seat_view.seat if seat_view else None,
        view=shown_view,
        scores=board.scores,
        ranking=board.ranking,
        parent=ParentShown(row.parent, row.parent_version or 0) if row.parent else None,
        replaced_by=row.replaced_by,
        imported=imported,
        retired=retired,
    )


def show_seats(row: LobbyRow, names: Names) -> tuple[SeatShown, ...]:
    """Return the wire structures of the seats of a lobby row."""
    return tuple(
        SeatShown(index, show_player_or_empty(seat.actor, names), seat.ready, seat.resigned, show_holiday(seat.away))
        for index, seat in enumerate(row.seats)
    )


def show_listed(row: LobbyRow, names: Names, imported: bool) -> MatchListed:
    """Return the wire structure of a lobby row."""
    return MatchListed(
        match_id=row.match_id,
        title=row.title,
        status=row.status,
        version=row.version,
        head=row.head,
        phase=row.phase,
        options=row.options,
        table=show_table(row.table, imported),
        seats=show_seats(row, names),
        to_act=tuple(number for number, seat in enumerate(row.seats) if seat.to_act),
        scores=row.scores,
        ranking=row.ranking,
        imported=imported,
        opened_at=row.opened_at,
    )
