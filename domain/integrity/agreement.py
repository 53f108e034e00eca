"""Agreement of a seat's decisions with the analysis of its match, compared with other people; bots separately."""

from collections.abc import Iterable, Mapping, Sequence

from domain.analyses.report import Analysis
from domain.integrity.base_rates import MATCHES_MIN, BaseRate, Comparison, Figures, Measure, bases_of, compare_figures
from domain.integrity.measured_matches import MeasuredMatch
from domain.integrity.thinking import DECISIONS_MIN, PER_MILLE
from domain.kernel.values import Value
from domain.matches.aggregate import Match
from domain.matches.facts import ActionTaken, Actor, is_bot
from domain.matches.log.entries import Entry
from domain.matches.titles import read_fact
from domain.ratings.ladder import Pool


class Tally(Value, frozen=True):
    """Counts of analysed decisions: all, best and good ones.

    `lost`: the winning chances lost in all of them, in ten-thousandths.
    """

    decisions: int = 0
    best: int = 0
    good: int = 0
    lost: int = 0

    @property
    def figures(self) -> Figures:
        """The shares `best` and `good` (good or best) per mille, and `lost` per decision in ten-thousandths.

        Empty below `DECISIONS_MIN` decisions.
        """
        if self.decisions < DECISIONS_MIN:
            return {}
        return {
            "best": self.best * PER_MILLE // self.decisions,
            "good": (self.best + self.good) * PER_MILLE // self.decisions,
            "lost": self.lost // self.decisions,
        }


class SeatAgreement(Value, frozen=True):
    """The analysed decisions of a seat by its original player."""

    bot: bool
    tally: Tally


class AnalysedMatch(Value, frozen=True):
    """A match with the analysed decisions by seat."""

    played: MeasuredMatch
    seats: tuple[SeatAgreement, ...]

    @property
    def pool(self) -> Pool:
        """The kind of match."""
        return Pool(self.played.title, len(self.played.seats))

    @property
    def people(self) -> tuple[tuple[Actor, Tally], ...]:
        """The people who started the match, with their own decisions."""
        pairs = zip(self.played.seats, self.seats, strict=True)
        return tuple((seat.person, agreed.tally) for seat, agreed in pairs if seat.person is not None)


class Agreement(Value, frozen=True):
    """A person's decisions in one match, compared with all other people in matches of its kind."""

    person: Actor
    played: MeasuredMatch
    tally: Tally
    standings: tuple[Comparison, ...]


class Habit(Value, frozen=True):
    """A person's decisions in all analysed matches of a kind, compared with everyone else's."""

    person: Actor
    pool: Pool
    matches: int
    tally: Tally
    standings: tuple[Comparison, ...]


class Rate(Value, frozen=True):
    """All analysed decisions of people, or of bots, in matches of a kind."""

    pool: Pool
    bots: bool
    seats: int
    tally: Tally


def seat_agreements(match: Match, entries: Iterable[Entry], analysis: Analysis) -> tuple[SeatAgreement, ...]:
    """Return one agreement per seat with its original player, counting only decisions of that player.

    Moves by a bot after a hand-over, a substitute or the service are left out.
    """
    facts = ((entry.version, read_fact(match.definition, entry)) for entry in entries)
    actors = {version: fact.by for version, fact in facts if isinstance(fact, ActionTaken)}
    by_seat: list[SeatAgreement] = []
    for seat, starter in enumerate(match.starters):
        decisions = [
            each for each in analysis.decisions if each.seat == seat and actors.get(each.entry) == starter.actor
        ]
        grades = [each.grade for each in decisions]
        tally = Tally(len(decisions), grades.count("best"), grades.count("good"), sum(each.loss for each in decisions))
        by_seat.append(SeatAgreement(is_bot(starter.actor), tally))
    return tuple(by_seat)


def total(tallies: Sequence[Tally]) -> Tally:
    """Return the sum of tallies, field by field."""
    return Tally(
        sum(each.decisions for each in tallies),
        sum(each.best for each in tallies),
        sum(each.good for each in tallies),
        sum(each.lost for each in tallies),
    )


def tallies_by_person(analysed: Iterable[AnalysedMatch]) -> dict[Pool, dict[Actor, list[Tally]]]:
    """Return the tallies of matches with at least `DECISIONS_MIN` decisions, by kind and person."""
    by_pool: dict[Pool, dict[Actor, list[Tally]]] = {}
    for each in analysed:
        people = by_pool.setdefault(each.pool, {})
        for person, tally in each.people:
            if tally.figures:
                people.setdefault(person, []).append(tally)
    return by_pool


def agreements(analysed: Sequence[AnalysedMatch]) -> tuple[Agreement, ...]:
    """Return the agreement of every person in every match, compared with the other people's matches of its kind.

    The comparison is empty where decisions or others are too few.
    """
    tallies = tallies_by_person(analysed)
    figures = {
        pool: {person: figures_of(values) for person, values in people.items()} for pool, people in tallies.items()
    }
    base_rates: Mapping[Pool, Mapping[Measure, BaseRate]] = {
        pool: bases_of(each for values in people.values() for each in values) for pool, people in figures.items()
    }
    return tuple(
        Agreement(
            person,
            each.played,
            tally,
            compare_figures(base_rates[each.pool], tally.figures, figures[each.pool].get(person, ())),
        )
        for each in analysed
        for person, tally in each.people
    )


def figures_of(tallies: Iterable[Tally]) -> tuple[Figures, ...]:
    """Return the figures of each tally."""
    return tuple(each.figures for each in tallies)


def habits(analysed: Iterable[AnalysedMatch]) -> tuple[Habit, ...]:
    """Return the habits of people with `MATCHES_MIN` analysed matches of a kind, if enough others have them."""
    rows: list[Habit] = []
    for pool, people in tallies_by_person(analysed).items():
        totals = {person: total(tallies) for person, tallies in people.items() if len(tallies) >= MATCHES_MIN}
        base_rates = bases_of(tally.figures for tally in totals.values())
        for person, tally in totals.items():
            if standings := compare_figures(base_rates, tally.figures, (tally.figures,)):
                rows.append(Habit(person, pool, len(people[person]), tally, standings))
    return tuple(rows)


def rates(analysed: Iterable[AnalysedMatch]) -> tuple[Rate, ...]:
    """Return the base rates: all seats of people together, and all seats of bots, by kind.

    Sorted by title, seats, then people before bots; seats with too few decisions are left out.
    """
    by_kind: dict[tuple[Pool, bool], list[Tally]] = {}
    for each in analysed:
        for seat, agreed in zip(each.played.seats, each.seats, strict=True):
            if agreed.tally.figures and (agreed.bot or seat.person is not None):
                by_kind.setdefault((each.pool, agreed.bot), []).append(agreed.tally)
    sorted_tallies = sorted(by_kind.items(), key=lambda item: (item[0][0].title, item[0][0].seats, item[0][1]))
    return tuple(Rate(pool, bots, len(tallies), total(tallies)) for (pool, bots), tallies in sorted_tallies)
