"""Tie-breaks: an integer for each entry, the higher the better.

Averages are in millionths, so that byes and smaller tables compare fairly. There is no floating point, so that
standings are the same on every machine.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final
from uuid import UUID

from domain.kernel.messages import N_
from domain.kernel.values import Value
from domain.standings.contest import TieBreak
from domain.standings.counted import MILLION
from domain.standings.results import PlayedRound

Games = Mapping[str, Sequence[PlayedRound]]


class RoundField(Value, frozen=True):
    """The data of tie-breaks: rounds, points and seeding of all entries."""

    id: UUID
    games: dict[str, tuple[PlayedRound, ...]]
    points: dict[str, int]
    seeding: dict[str, int]


def average(total: int, count: int) -> int:
    """Return the average in millionths, rounded down; 0 for a count of 0."""
    return total * MILLION // count if count else 0


def paired_rounds(field: RoundField, name: str) -> list[PlayedRound]:
    """Return the rounds in which the entry was paired to a table."""
    return [game for game in field.games[name] if not game.is_bye]


def rounds_present(field: RoundField, name: str) -> list[PlayedRound]:
    """Return the rounds played at a table by the entry or its substitute."""
    return [game for game in paired_rounds(field, name) if not game.is_absent]


def victory_points(field: RoundField) -> dict[str, int]:
    """Return the sum of the game's points."""
    return {name: sum(game.scores for game in games) for name, games in field.games.items()}


def share(field: RoundField) -> dict[str, int]:
    """Return each entry's average share of the table's best score, in millionths; byes do not count."""
    return {
        name: sum(game.share for game in paired_rounds(field, name)) // max(1, len(paired_rounds(field, name)))
        for name in field.games
    }


def margin(field: RoundField) -> dict[str, int]:
    """Return the sum of leads over the best other score, negative if behind."""
    return {name: sum(game.margin for game in paired_rounds(field, name)) for name in field.games}


def wins(field: RoundField) -> dict[str, int]:
    """Return the number of tables won; a shared first place is a win."""
    return {name: sum(game.place == 1 for game in paired_rounds(field, name)) for name in field.games}


def opponents(field: RoundField) -> dict[str, int]:
    """Return the average points of opponents, once per meeting, in millionths of a sixtieth; 0 without any."""
    averages = {}
    for name in field.games:
        names = [other for game in field.games[name] for other in game.opponents]
        averages[name] = average(sum(field.points[other] for other in names), len(names))
    return averages


def seat_adjusted(field: RoundField) -> dict[str, int]:
    """Return the sum of points above the average of the same seat at tables of that size in this tournament.

    In millionths of a sixtieth. Byes do not count, and rows of absent entries are excluded from the average.
    """
    by_seat: dict[tuple[int, int], list[int]] = defaultdict(list)
    for name in field.games:
        for game in rounds_present(field, name):
            by_seat[game.size, game.seat].append(game.points)
    averages = {seat: average(sum(points), len(points)) for seat, points in by_seat.items()}
    return {
        name: sum(
            game.points * MILLION - averages.get((game.size, game.seat), 0) for game in paired_rounds(field, name)
        )
        for name in field.games
    }


def seeding(field: RoundField) -> dict[str, int]:
    """Return the organiser's seeding: the first seed is best, unseeded entries last."""
    last = max(field.seeding.values(), default=0) + 1
    return {name: -(seed or last) for name, seed in field.seeding.items()}


def lot(field: RoundField) -> dict[str, int]:
    """Return a constant lot from the ids of event and entry."""
    return {
        name: int.from_bytes(hashlib.sha256(field.id.bytes + name.encode()).digest()[:6], "big") for name in field.games
    }


def head_to_head(field: RoundField, tied: Sequence[str]) -> dict[str, int]:
    """Return the average points at shared tables of tied entries, in millionths of a sixtieth.

    All are 0 unless each has met all others.
    """
    tied_names = set(tied)
    for name in tied:
        opponents = {other for game in field.games[name] for other in game.opponents}
        if not tied_names - {name} <= opponents:
            return dict.fromkeys(tied, 0)
    averages = {}
    for name in tied:
        shared = [game for game in field.games[name] if tied_names & set(game.opponents)]
        averages[name] = average(sum(game.points for game in shared), len(shared))
    return averages


INDEPENDENT_TIE_BREAKS: Final[Mapping[TieBreak, Callable[[RoundField], dict[str, int]]]] = {
    "victory_points": victory_points,
    "share": share,
    "margin": margin,
    "wins": wins,
    "opponents": opponents,
    "seat_adjusted": seat_adjusted,
    "seeding": seeding,
    "lot": lot,
}
"""Every tie-break but `head_to_head`, which depends on the group of tied entries."""

NAMES: Final[Mapping[TieBreak, str]] = {
    "victory_points": N_("Victory points"),
    "share": N_("Share of the winner's points"),
    "margin": N_("Margin"),
    "wins": N_("Tables won"),
    "opponents": N_("Opponents' points"),
    "seat_adjusted": N_("Above seat average"),
    "head_to_head": N_("Head-to-head"),
    "seeding": N_("Seeding"),
    "lot": N_("Random draw"),
}

EXPLANATIONS: Final[Mapping[TieBreak, str]] = {
    "victory_points": N_("The sum of the victory points from all matches."),
    "share": N_("The player's points as a share of the best score at the table, averaged over all tables."),
    "margin": N_("Points ahead of the best opponent at the table, added up; points behind count as negative."),
    "wins": N_("The number of tables won; a shared first place counts as a win."),
    "opponents": N_("The average tournament points of the opponents; an opponent met twice counts twice."),
    "seat_adjusted": N_("Points above the average of the same seat in this tournament, added up."),
    "head_to_head": N_("Points at common tables, if all tied players have met each other."),
    "seeding": N_("The seeding set by the organiser."),
    "lot": N_("A fixed random order, computed from the tournament and the entry."),
}
