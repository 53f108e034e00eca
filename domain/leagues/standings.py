"""Group tables of a league, counted like a tournament of places, with promotion and champions."""

from collections.abc import Sequence
from uuid import UUID

from domain.kernel.values import Value
from domain.leagues.plan import LeaguePlan
from domain.leagues.season_state import LeagueGroup, Season
from domain.leagues.state import League, match_of
from domain.matches.facts import Actor
from domain.standings.contest import GivenResult, RoundTable, Scoring, Stage, StandIn, StandingsRule
from domain.standings.counted import CountedTable, counted_table
from domain.standings.ranking import Standing, standings
from domain.standings.results import Results


class LeagueLine(Value, frozen=True):
    """A row of a group table; `moves`: -1 promoted, 1 relegated, 0 stays, if the season ended now."""

    place: int
    actor: Actor
    first: Actor
    standing: Standing
    moves: int


class Fixture(Value, frozen=True):
    """A table of the schedule; numbers count from 1, groups from 0.

    `unverified`: played face to face, entered by hand.
    """

    group: int
    round: int
    table: int
    players: tuple[Actor, ...]
    match: UUID
    is_open: bool
    is_over: bool
    ruled: bool
    places: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    void: bool = False
    unverified: bool = False
    absent: tuple[int, ...] = ()
    """Seats of absent players, by rule 2."""
    handed_over: tuple[int, ...] = ()
    """Seats that were handed over to a bot by choice, by rule 2."""
    counted_scores: tuple[int, ...] = ()
    """The points that count, by seat: points of a bot for an absent player do not, by rule 2."""


class Champion(Value, frozen=True):
    """The medallists of a season, by the current results."""

    season: int
    name: str
    champions: tuple[Actor, ...]
    seconds: tuple[Actor, ...]
    thirds: tuple[Actor, ...]


def plan_of(league: League, season: Season) -> LeaguePlan:
    """Return the plan of a season."""
    return season.plan or league.plan


class GroupPlan(Value, frozen=True):
    """A group as a plan for the standings: one round robin with the league's scoring."""

    scoring: Scoring
    standings: StandingsRule
    stages: tuple[Stage, ...] = (Stage("round_robin"),)


class GroupEntry(Value, frozen=True):
    """A place of a group; its results stay when its holder changes."""

    id: str
    seeding: int = 0
    penalty: int = 0
    status: str = "in"


class GroupRound(Value, frozen=True):
    """An opened round of the schedule."""

    number: int
    tables: tuple[RoundTable, ...]
    stage: int = 0
    byes: tuple[str, ...] = ()

    @property
    def people(self) -> tuple[str, ...]:
        """The entries of the round."""
        return tuple(name for table in self.tables for name in table.entries)


class GroupContest(Value, frozen=True):
    """A group as a contest for the standings; its entries are its places."""

    id: UUID
    plan: GroupPlan
    entries: tuple[GroupEntry, ...]
    played_rounds: tuple[GroupRound, ...]


def contest_of(league: League, season: Season, number: int) -> GroupContest:
    """Return group `number` (from 0) as a contest: its places, named by index, with penalties, and opened rounds."""
    group = season.groups[number]
    return GroupContest(
        id=league.id,
        plan=GroupPlan(plan_of(league, season).scoring, plan_of(league, season).standings),
        entries=tuple(GroupEntry(str(at), penalty=place.penalty) for at, place in enumerate(group.places)),
        played_rounds=tuple(
            GroupRound(
                round_number,
                tuple(seated_table(league, season, number, round_number, at) for at in range(1, len(tables) + 1)),
            )
            for round_number, tables in enumerate(group.rounds[: season.rounds_opened], start=1)
        ),
    )


def seated_table(league: League, season: Season, number: int, round_number: int, at: int) -> RoundTable:
    """Return a table of the schedule with its manual result, or else with its substitute bots.

    A voided table has no match. Under the first rule of standings no bots are named, as their results count.
    """
    group = season.groups[number]
    places = group.rounds[round_number - 1][at - 1]
    entries = tuple(map(str, places))
    ruling, match = group.ruling(round_number, at), match_of(league.id, season.number, number, round_number, at)
    # By rule 1 the results of a substitute bot count for the place.
    is_newer = plan_of(league, season).standings > 1
    bots = absent_seats(group, round_number, places) if is_newer else ()
    if ruling is None:
        return RoundTable(entries, match, bots=bots)
    if ruling.void:
        return RoundTable(entries, None)
    result = GivenResult(ruling.places, ruling.scores, ruling.by, ruling.reason, not ruling.unverified)
    return RoundTable(entries, match, result, absent=tuple(each.entry for each in bots))


def absent_seats(group: LeagueGroup, round_number: int, places: Sequence[int]) -> tuple[StandIn, ...]:
    """Return the places at a table that count for no one, with their players: substitute bots, and annulled places."""
    return tuple(
        StandIn(str(place), group.places[place].in_round(round_number))
        for place in places
        if place in group.annulled or group.places[place].bot_in(round_number)
    )


def group_table(league: League, season: Season, number: int, results: Results) -> tuple[LeagueLine, ...]:
    """Return the table of a group, best first, with the current holders of the places."""
    group = season.groups[number]
    rows = standings(contest_of(league, season, number), results)
    lines = []
    for row in rows:
        place = group.places[int(row.entry)]
        lines.append(
            LeagueLine(int(row.entry), place.actor, place.first, row, promotion_of(league, season, number, row.rank))
        )
    return tuple(lines)


def promotion_of(league: League, season: Season, number: int, rank: int) -> int:
    """Return -1 if a rank of a group is promoted, 1 if it is relegated, else 0.

    No one is promoted from the first division, or relegated from the last division with groups.
    """
    group, divisions = season.groups[number], plan_of(league, season).divisions
    division = divisions[group.division]
    last = max(each.division for each in season.groups)
    if group.division > 0 and rank <= division.up:
        return -1
    return 1 if group.division < last and rank > len(group.places) - division.down else 0


def fixtures(league: League, season: Season, results: Results) -> tuple[Fixture, ...]:
    """Return all tables of a season, unopened rounds included, round by round, then by group and number."""
    all_fixtures = []
    for round_number in range(1, season.rounds + 1):
        for number, group in enumerate(season.groups):
            tables = group.rounds[round_number - 1] if round_number <= len(group.rounds) else ()
            all_fixtures += [
                fixture(league, season, (number, round_number, at), results) for at in range(1, len(tables) + 1)
            ]
    return tuple(all_fixtures)


def fixture(league: League, season: Season, at: tuple[int, int, int], results: Results) -> Fixture:
    """Return the table at (group, round, number) with its result; a manual result goes first.

    Places and scores are empty without a result or if it is void.
    """
    number, round_number, table = at
    group, match = season.groups[number], match_of(league.id, season.number, *at)
    ruling = group.ruling(round_number, table)
    # A void match at which bots play on has no result yet.
    result = None if season.bots_until(at) is not None else results.get(match)
    places: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    void = ruling.void if ruling is not None else result is not None and result.void
    counted: CountedTable | None = None
    if ruling is not None:
        places, scores = ruling.places, ruling.scores
    elif result is not None and not void:
        rule = plan_of(league, season).standings
        counted = counted_table(seated_table(league, season, *at), result, rule)
        places, scores = counted.places, result.scores
    return Fixture(
        group=number,
        round=round_number,
        table=table,
        players=group.players_at(round_number, table),
        match=match,
        is_open=round_number <= season.rounds_opened,
        is_over=ruling is not None or result is not None,
        ruled=ruling is not None and not ruling.unverified,
        places=places,
        scores=scores,
        void=void,
        unverified=ruling is not None and ruling.unverified,
        absent=tuple(seat for seat in range(len(places)) if counted is not None and seat not in counted.present),
        handed_over=counted.handed_over if counted is not None else (),
        counted_scores=counted.scores if counted is not None else scores,
    )


def unfinished_tables(league: League, season: Season, results: Results) -> tuple[Fixture, ...]:
    """Return the tables without a result or ruling."""
    return tuple(each for each in fixtures(league, season, results) if not each.is_over)


def hall_of_fame(league: League, results: Results) -> tuple[Champion, ...]:
    """Return the medallists of the first division in every closed season, latest first."""
    champions = []
    for season in reversed(league.seasons):
        if season.status != "closed":
            continue
        best: dict[int, list[Actor]] = {1: [], 2: [], 3: []}
        for number, group in enumerate(season.groups):
            if group.division == 0:
                for line in group_table(league, season, number, results):
                    best.get(line.standing.rank, []).append(line.actor)
        champions.append(Champion(season.number, season.name, tuple(best[1]), tuple(best[2]), tuple(best[3])))
    return tuple(champions)


def titles_won(fame: Sequence[Champion]) -> tuple[tuple[Actor, int, int, int], ...]:
    """Return (player, firsts, seconds, thirds), most firsts first, then seconds, thirds and the player's id."""
    counts: dict[Actor, list[int]] = {}
    for champion in fame:
        for rank, actors in enumerate((champion.champions, champion.seconds, champion.thirds)):
            for actor in actors:
                counts.setdefault(actor, [0, 0, 0])[rank] += 1
    sorted_counts = sorted(counts.items(), key=lambda item: ([-count for count in item[1]], item[0]))
    return tuple((actor, gold, silver, bronze) for actor, (gold, silver, bronze) in sorted_counts)
