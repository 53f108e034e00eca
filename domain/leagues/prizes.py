"""The prizes of the divisions of a season, and their distribution by the group tables."""

from collections.abc import Mapping

from domain.contests.prizes import Award, Prizes, awards, check_prizes, decide_prizes
from domain.leagues import facts
from domain.leagues.plan import LeagueRefused
from domain.leagues.season_state import Season
from domain.leagues.seasons import current_season
from domain.leagues.standings import contest_of, group_table, plan_of
from domain.leagues.state import League
from domain.matches.facts import Actor
from domain.standings.results import Results


def set_prizes(league: League, by: Actor, division: int, prizes: Prizes, reason: str) -> tuple[facts.Fact, ...]:
    """Set the prizes of a division (from 0) in each of its groups; the same prizes give no facts.

    Raise `LeagueRefused` without a season or such a division, or without a reason once a round is open, `PlanRefused`
    for bad prizes.
    """
    check_prizes(prizes)
    season = current_season(league)
    count = len(plan_of(league, season).divisions)
    if not 0 <= division < count:
        raise LeagueRefused(f"the season has divisions 1 to {count}, not {division + 1}")
    current, has_started = season.prizes_of(division), season.rounds_opened > 0
    stated_reason = decide_prizes(current, prizes, reason, has_started=has_started, refusal=LeagueRefused)
    return () if stated_reason is None else (facts.PrizesSet(by, division, prizes, stated_reason),)


def group_awards(league: League, season: Season, number: int, results: Results) -> Mapping[int, Award]:
    """Return the awards of a group (from 0) by place, best first, by the current results."""
    prizes = season.prizes_of(season.groups[number].division)
    rows = [line.standing for line in group_table(league, season, number, results)]
    return {int(each.entry): each for each in awards(prizes, contest_of(league, season, number).plan.stages, rows)}
