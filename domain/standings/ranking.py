"""The standings: by stage, by points, then by the tournament's tie-breaks in order."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from domain.kernel.values import Value
from domain.standings.contest import Contest, TieBreak
from domain.standings.counted import rounds_of_entries
from domain.standings.results import PlayedRound, Results
from domain.standings.tie_breaks import INDEPENDENT_TIE_BREAKS, RoundField, head_to_head

BEHIND_ALL: Final = 1_000
"""The place of an absent entry among the tables of a round."""


class Standing(Value, frozen=True):
    """A row of the standings: `points` in sixtieths after penalties; `tie_breaks` in the tournament's order."""

    entry: str
    rank: int
    points: int
    tie_breaks: tuple[int, ...]
    played: int
    byes: int
    wins: int
    penalty: int
    stage: int
    """The index of the last stage the entry was in."""


def standings(tournament: Contest, results: Results) -> tuple[Standing, ...]:
    """Return the rows of all present and former entries, best first; places are shared if nothing decides.

    Entries of later stages precede others. Former entries count if they were paired.
    """
    games = rounds_of_entries(tournament, results)
    rows: list[Standing] = []
    ranked: set[str] = set()
    for stage in reversed(range(len(tournament.plan.stages))):
        people = [name for name in members(tournament, stage) if name not in ranked]
        rows += rank_stage(tournament, stage, people, games, len(rows))
        ranked |= set(people)
    return tuple(rows)


def members(tournament: Contest, stage: int) -> tuple[str, ...]:
    """Return the entries of a stage, in order of entry: all paired in it and, in the first, all with a place."""
    people = {name for each in tournament.played_rounds if each.stage == stage for name in each.people}
    if stage == 0:
        people |= {entry.id for entry in tournament.entries if entry.status == "in"}
    return tuple(entry.id for entry in tournament.entries if entry.id in people)


def counted_stages(tournament: Contest, stage: int) -> set[int]:
    """Return the stages whose points count in this one: earlier ones only if it is Swiss and carries points."""
    first = stage
    while first > 0 and tournament.plan.stages[first].carry and tournament.plan.stages[first].kind == "swiss":
        first -= 1
    return set(range(first, stage + 1))


def rank_stage(
    tournament: Contest, stage: int, people: Sequence[str], games: dict[str, list[PlayedRound]], before: int
) -> list[Standing]:
    """Return the rows of entries whose last stage is this one, best first, placed after `before` others.

    They are ordered by elimination or final, then points less penalties, then the tie-breaks.
    """
    counted, scoring = counted_stages(tournament, stage), tournament.plan.scoring
    entries = {entry.id: entry for entry in tournament.entries}
    stage_games = {name: tuple(game for game in games[name] if game.stage in counted) for name in games}
    # Opponents may be in a later stage, so the points of all entries are needed.
    points = {name: sum(game.points for game in stage_games[name]) - entries[name].penalty for name in stage_games}
    field = RoundField(tournament.id, stage_games, points, {name: entries[name].seeding for name in stage_games})
    values = {
        tie_break: INDEPENDENT_TIE_BREAKS[tie_break](field)
        for tie_break in scoring.tie_breaks
        if tie_break in INDEPENDENT_TIE_BREAKS
    }
    first = elimination_places(tournament, stage, games)
    groups = sorted(([name] for name in people), key=lambda group: order_key(first, points, group[0]))
    tied = [
        [group[0] for group in equal]
        for _, equal in groupby(groups, key=lambda group: order_key(first, points, group[0]))
    ]
    tie_break_values: dict[str, list[int]] = {name: [] for name in people}
    for tie_break in scoring.tie_breaks:
        tied = [smaller for group in tied for smaller in split_tied(tie_break, group, field, values, tie_break_values)]
    rows: list[Standing] = []
    for group in tied:
        rank = before + len(rows) + 1
        for name in group:
            tables = [game for game in stage_games[name] if not game.is_bye and not game.is_absent]
            rows.append(
                Standing(
                    entry=name,
                    rank=rank,
                    points=points[name],
                    tie_breaks=tuple(tie_break_values[name]),
                    played=len(tables),
                    byes=sum(game.is_bye for game in stage_games[name]),
                    wins=sum(game.place == 1 for game in tables),
                    penalty=entries[name].penalty,
                    stage=stage,
                )
            )
    return rows


def order_key(first: dict[str, tuple[int, int]], points: dict[str, int], name: str) -> tuple[int, int, int]:
    """Return the sort key of an entry before tie-breaks."""
    rounds, place = first.get(name, (0, 0))
    return -rounds, place, -points[name]


def elimination_places(
    tournament: Contest, stage: int, games: dict[str, list[PlayedRound]]
) -> dict[str, tuple[int, int]]:
    """Return (last round, place there) of each entry in an elimination or a final; empty for other stages.

    They count before anything else. The place is 0 for a bye or an open table; absent entries are behind all
    others.
    """
    if tournament.plan.stages[stage].kind not in {"elimination", "final"}:
        return {}
    by_entry = {}
    for each in tournament.played_rounds:
        if each.stage == stage:
            for name in each.people:
                last = [game for game in games[name] if game.round == each.number and not game.is_bye]
                by_entry[name] = (each.number, place_in(last[0]) if last else 0)
    return by_entry


def place_in(game: PlayedRound) -> int:
    """Return the place in a round; absent entries come last."""
    return BEHIND_ALL if game.is_absent else game.place


def split_tied(
    tie_break: TieBreak,
    group: Sequence[str],
    field: RoundField,
    values: dict[TieBreak, dict[str, int]],
    tie_break_values: dict[str, list[int]],
) -> list[list[str]]:
    """Return the group of tied entries split by another tie-break, best first; its values go to `tie_break_values`."""
    by_name = values[tie_break] if tie_break in values else head_to_head(field, group)
    for name in group:
        tie_break_values[name].append(by_name[name])
    order = sorted(group, key=lambda name: -by_name[name])
    return [list(equal) for _, equal in groupby(order, key=lambda name: by_name[name])]
