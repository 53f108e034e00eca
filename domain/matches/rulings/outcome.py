"""The outcome of a match after rulings, shared by all its lines.

Tournaments, leagues and ratings count outcomes. An outcome is computed from facts of the log alone, so a ruling that
voids a match or sets its result changes all data derived from it.
"""

from datetime import datetime
from typing import Literal
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.aggregate import HowLeft, Match
from domain.matches.facts import FORMAT, Actor, Clock, FormatNumber, Standing
from domain.matches.rulings.ruling import counted_result, find_set_result, is_settled_by_service, points_taken
from domain.matches.seats.starters import never_came

OutcomeStatus = Literal["open", "waiting", "running", "paused", "ended", "void", "superseded"]


class StarterRounds(Value, frozen=True):
    """The starter of a seat, and the number of rounds in which they acted.

    `substituted`: a player named by an organiser has played there, so the seat is not rated. `never_came`: the match
    began without the starter, and no person ever acted there; `left`: how the starter left the seat.
    """

    actor: Actor | None
    standing: Standing
    rounds: int
    substituted: bool
    never_came: bool = False
    left: HowLeft = ""


class Outcome(Value, frozen=True, kw_only=True):
    """The outcome of a match; `match_id` is its original line, `line_id` the current one.

    `scores` and `ranking` (places, possibly shared) are set once it has ended; `penalties` are points taken by rulings.
    A fork that no ruling made official is a separate match, and never rated.
    """

    match_id: UUID
    line_id: UUID
    title: str
    options: dict[str, str]
    players: tuple[Actor | None, ...]
    began: tuple[StarterRounds, ...]
    clocked: bool
    rated: bool
    imported: bool
    forked: bool
    public: bool
    event: str
    status: OutcomeStatus
    scores: tuple[int, ...]
    ranking: tuple[int, ...] | None
    penalties: tuple[int, ...]
    resigned: tuple[int, ...]
    started_at: datetime | None
    ended_at: datetime | None
    ruled: bool
    format: FormatNumber = FORMAT
    """The format of the log."""
    settled_by_service: bool = False
    """An arbiter of the service set the result, or upheld it on appeal."""
    gave_up: tuple[int, ...] = ()
    """Seats that resigned or that their player handed over to a bot, in order; empty once a ruling set the result."""
    is_taken_over: bool = False
    """The service gave a seat to another player without an explanation (`Match.taken_over`)."""
    no_shows: tuple[int, ...] = ()
    """Seats whose player never joined and where no person ever acted; empty once a ruling set the result."""
    clock: Clock = Clock()
    head: str = ""
    """The digest (hex) of the last entry of the current line."""

    @property
    def handed_over_seats(self) -> tuple[int, ...]:
        """Seats that their player handed over to a bot by choice."""
        return tuple(seat for seat in self.gave_up if seat not in self.resigned)

    @property
    def adjusted_places(self) -> tuple[int, ...] | None:
        """Places with voluntarily handed-over seats behind the others, ordered together with resigned seats.

        None before the end; the ranking itself if no seat was handed over.
        """
        if self.ranking is None or not self.handed_over_seats:
            return self.ranking
        return places_with_last(self.ranking, self.gave_up)


class Times(Value, frozen=True):
    """When a match started and when it ended, according to its entries so far."""

    started_at: datetime | None = None
    ended_at: datetime | None = None

    def after(self, match: Match) -> "Times":
        """Return the times after one more entry; the end is unset again if a ruling reopens the match."""
        is_over = match.status in ("ended", "void")
        if is_over == (self.ended_at is not None) and (self.started_at is not None or match.state is None):
            return self
        started_at = match.timestamp if self.started_at is None and match.state is not None else self.started_at
        return Times(started_at, (self.ended_at or match.timestamp) if is_over else None)


def places_with_last(ranking: tuple[int, ...], last: tuple[int, ...]) -> tuple[int, ...]:
    """Return the places with these seats behind all others, the first of them last."""
    count = len(ranking)
    behind = {seat: count - index for index, seat in enumerate(last)}
    before = [place for seat, place in enumerate(ranking) if seat not in behind]
    return tuple(
        behind[seat] if seat in behind else 1 + sum(other < place for other in before)
        for seat, place in enumerate(ranking)
    )


def outcome_of(match: Match, root: UUID, line_id: UUID, times: Times, *, imported: bool = False) -> Outcome:
    """Return the outcome of a match whose original line is `root` and whose current one is `line_id`.

    Scores and places are those after rulings; () and None for a match that is void or not over. An imported match is
    never rated.
    """
    result = counted_result(match) if match.is_over else None
    is_set = find_set_result(match) is not None
    return Outcome(
        match_id=root,
        line_id=line_id,
        title=match.title,
        options=match.options,
        players=tuple(info.actor for info in match.seats),
        began=tuple(
            StarterRounds(
                starter.actor,
                starter.standing,
                starter.rounds,
                info.stands_in_for != "",
                never_came(starter),
                starter.left,
            )
            for starter, info in zip(match.starters, match.seats, strict=True)
        )
        if match.starters
        else (),
        clocked=match.table.clock.kind != "none",
        rated=match.table.rated and not imported,
        imported=imported,
        forked=match.is_fork,
        public=match.table.public,
        event="" if match.is_fork else match.table.event_id,
        status=match.status,
        scores=() if result is None else result.scores,
        ranking=None if result is None else result.ranking,
        penalties=points_taken(match),
        resigned=match.resigned,
        started_at=times.started_at,
        ended_at=times.ended_at,
        ruled=bool(match.docket.rulings),
        format=match.format,
        settled_by_service=is_settled_by_service(match),
        gave_up=() if is_set else match.gave_up,
        is_taken_over=bool(match.taken_over),
        no_shows=() if is_set else tuple(seat for seat, each in enumerate(match.starters) if never_came(each)),
        clock=match.table.clock,
        head=match.head,
    )
