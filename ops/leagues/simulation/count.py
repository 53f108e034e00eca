"""An independent count of a season: group tables, promotion and the divisions of the next season.

It is written from `docs/specifications/standings.md`. It uses results of tables in responses of the API, but nothing
of `domain.leagues` or `domain.standings`. It knows the plan of the simulation only: points by place, no penalties, no
tables face to face. Lots are not counted again: players who are equal in everything else may be in any order.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

FIRST_PLACE: Final = 720
"""Sixtieths of a point for the first place."""
MILLION: Final = 1_000_000


class Row(msgspec.Struct, frozen=True):
    """A table as it counts for a player: points in sixtieths, score, share of the best score, opponents."""

    points: int
    score: int
    share: int
    is_win: bool
    opponents: tuple[str, ...]


class Total(msgspec.Struct, frozen=True):
    """The sum of a player's tables. `tables`: all with a result, also if another player had the seat."""

    player: str
    points: int
    rows: tuple[Row, ...]
    tables: int

    @property
    def share(self) -> int:
        """The average share."""
        return sum(row.share for row in self.rows) // self.tables if self.tables else 0

    @property
    def wins(self) -> int:
        """The number of tables won."""
        return sum(row.is_win for row in self.rows)

    @property
    def score(self) -> int:
        """The sum of the points of the games."""
        return sum(row.score for row in self.rows)


def rows_of(fixture: Any, ranking: Sequence[int], scores: Sequence[int], people: frozenset[str]) -> dict[str, Row]:
    """Return the rows of the people who were present at a table, closing up the places of all others.

    `people`: the players of the group. Bots that play for them, and seats that the API shows as absent, do not count.
    """
    ids = [player["id"] for player in fixture["players"]]
    present = [seat for seat, id in enumerate(ids) if id in people and seat not in fixture["absent"]]
    handed_over = frozenset(fixture["handedOver"])
    score_of = {seat: 0 if seat in handed_over else scores[seat] for seat in present}
    key_of = {seat: (seat in handed_over, ranking[seat]) for seat in present}
    place_of = {
        seat: 1 + sum(key_of[other] < key_of[seat] for other in present) for seat in present if seat not in handed_over
    }
    place_of |= {
        seat: 1 + sum(other not in handed_over for other in present) for seat in present if seat in handed_over
    }
    best = max(score_of.values(), default=0)
    rows = {}
    for seat in present:
        place = place_of[seat]
        rows[ids[seat]] = Row(
            points_of(place, [*place_of.values()]),
            score_of[seat],
            MILLION * score_of[seat] // best if best > 0 and score_of[seat] > 0 else 0,
            place == 1,
            tuple(ids[other] for other in present if other != seat),
        )
    return rows


def points_of(place: int, places: Sequence[int]) -> int:
    """Return the points of a place; players who share a place share the points of the places they cover."""
    seats, sharing = len(places), places.count(place)
    if seats == 1:
        return FIRST_PLACE
    covered = [FIRST_PLACE * (seats - each) // (seats - 1) for each in range(place, place + sharing)]
    return sum(covered) // sharing


def totals_of(group: Any, fixtures: Sequence[Any], results: Mapping[str, Any]) -> list[Total]:
    """Return the totals of a group from the results of its tables; `results`: matches by id."""
    people = frozenset(line["drawn"]["id"] for line in group["lines"])
    rows = dict[str, list[Row]]((player, []) for player in people)
    for fixture in fixtures:
        if fixture["group"] != group["group"] or fixture["void"] or not fixture["isOver"]:
            continue
        match = None if fixture["ruled"] else results[fixture["matchId"]]
        ranking, scores = (fixture["places"], fixture["scores"]) if match is None else (match.ranking, match.scores)
        for player, row in rows_of(fixture, ranking, scores, people).items():
            rows[player].append(row)
    counted = []
    for line in group["lines"]:
        player = line["drawn"]["id"]
        tables = sum(cell["table"] is not None and cell["place"] is not None for cell in line["cells"])
        counted.append(Total(player, sum(row.points for row in rows[player]), tuple(rows[player]), tables))
    return counted


def head_to_head(total: Total, tied: Sequence[Total]) -> int:
    """Return the average points at tables with tied players, if all tied players have met each other; else 0."""
    others = {each.player for each in tied} - {total.player}
    for each in tied:
        met = {opponent for row in each.rows for opponent in row.opponents}
        if not {other.player for other in tied} - {each.player} <= met:
            return 0
    shared = [row.points for row in total.rows if others & set(row.opponents)]
    return MILLION * sum(shared) // len(shared) if shared else 0


def rank_players(totals: Sequence[Total]) -> list[tuple[tuple[int, ...], str]]:
    """Return the keys and players of a group, the best first; equal keys are decided by lot."""
    keys = []
    for total in totals:
        tied = [other for other in totals if other.points == total.points]
        head = head_to_head(total, tied) if len(tied) > 1 else 0
        keys.append(((-total.points, -head, -total.share, -total.wins, -total.score), total.player))
    return sorted(keys, key=lambda each: each[0])


def moves_of(group: Any, plan: Any, divisions: Sequence[str]) -> list[int]:
    """Return who moves, best first: -1 promoted, 1 relegated, 0 stays; `divisions` have groups, best first."""
    number, count = divisions.index(group["division"]), len(group["lines"])
    division = plan["divisions"][number]
    up = division.get("up", 0) if number > 0 else 0
    down = division.get("down", 0) if number < len(divisions) - 1 else 0
    return [-1 if rank < up else 1 if rank >= count - down else 0 for rank in range(count)]


def faults_of_group(group: Any, season: Any, plan: Any, results: Mapping[str, Any]) -> list[str]:
    """Return the differences between the table of a group and the independent count."""
    where = f"{season['season']['name']}, group {group['group']}"
    totals = totals_of(group, season["fixtures"], results)
    points, faults = {total.player: total.points for total in totals}, []
    for line in group["lines"]:
        counted = points[line["drawn"]["id"]]
        if counted != line["points"]:
            faults.append(f"{where}: {line['drawn']['name']} has {line['points']} sixtieths, counted are {counted}")
    key_of = {player: key for key, player in rank_players(totals)}
    shown = [key_of[line["drawn"]["id"]] for line in group["lines"]]
    if shown != sorted(shown):
        faults.append(f"{where}: the order of the table differs from the independent count")
    divisions = list(dict.fromkeys(each["division"] for each in season["groups"]))
    if [line["moves"] for line in group["lines"]] != moves_of(group, plan, divisions):
        faults.append(f"{where}: promotion and relegation differ from the independent count")
    return faults


def faults_of_draw(before: Any, proposal: Any, entered: Sequence[str], plan: Any) -> list[str]:
    """Return the differences between the proposed divisions and the result of the season before.

    `entered`: the players with a place, in the order of entry. The order is: division after promotion; relegated before
    stayed before promoted; rank; points; then newcomers.
    """
    names, last = [each["name"] for each in plan["divisions"]], len(plan["divisions"]) - 1
    keys = {player: (last, 3, 0, 0, at) for at, player in enumerate(entered)}
    for group in before["groups"]:
        for line in group["lines"]:
            if (player := line["player"]["id"]) in keys:
                division = min(last, names.index(group["division"]) + line["moves"])
                how = {1: 0, 0: 1, -1: 2}[line["moves"]]
                keys[player] = (division, how, line["rank"], -line["points"], keys[player][-1])
    order, faults = sorted(entered, key=lambda player: keys[player]), []
    for number, division in enumerate(plan["divisions"]):
        places = division["groups"] * division["places"] if number < last else len(order)
        expected, order = order[:places], order[places:]
        groups = [each for each in proposal["proposed"] if each["division"] == division["name"]]
        drawn = {player["id"] for each in groups for player in each["players"]}
        if drawn != set(expected):
            faults.append(
                f"{proposal['season']['name']}, {division['name']}: the players differ from the independent count"
            )
    return faults
