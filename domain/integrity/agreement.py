"""Agreement with analyses: how often a seat's own decisions were what the analysis of its match found best, beside
those of other people; bots apart."""

from collections.abc import Iterable, Mapping, Sequence

from domain.analyses.report import Analysis
from domain.integrity.base import MATCHES_MIN, Base, Figures, Measure, Standing, bases_of, standings_of
from domain.integrity.played import Played
from domain.integrity.thinking import DECISIONS_MIN, PER_MILLE
from domain.kernel.values import Value
from domain.matches.aggregate import Match
from domain.matches.facts import ActionTaken, Actor, is_bot
from domain.matches.log.entries import Entry
from domain.matches.titles import read_fact
from domain.ratings.ladder import Pool


class Tally(Value, frozen=True):
    """Decisions that an analysis looked at: how many, those graded best, those graded good, and the chances to win that
    were given away in all of them together, in ten-thousandths."""

    decisions: int = 0
    best: int = 0
    good: int = 0
    lost: int = 0

    @property
    def figures(self) -> Figures:
        """`best`, and `good` or best, per mille; `lost`: per decision, in ten-thousandths. Nothing of too few."""
        if self.decisions < DECISIONS_MIN:
            return {}
        return {
            "best": self.best * PER_MILLE // self.decisions,
            "good": (self.best + self.good) * PER_MILLE // self.decisions,
            "lost": self.lost // self.decisions,
        }


class Agreed(Value, frozen=True):
    """What of a match its analysis says about one seat, as long as whoever began there played it."""

    bot: bool
    tally: Tally


class Compared(Value, frozen=True):
    """A match with what its analysis says, by seat."""

    played: Played
    seats: tuple[Agreed, ...]

    @property
    def pool(self) -> Pool:
        return Pool(self.played.title, len(self.played.seats))

    @property
    def people(self) -> tuple[tuple[Actor, Tally], ...]:
        """The people who began it, and their own decisions."""
        pairs = zip(self.played.seats, self.seats, strict=True)
        return tuple((seat.person, agreed.tally) for seat, agreed in pairs if seat.person is not None)


class Agreement(Value, frozen=True):
    """Somebody's decisions in one match, beside those of all other people at tables of its kind."""

    person: Actor
    played: Played
    tally: Tally
    standings: tuple[Standing, ...]


class Habit(Value, frozen=True):
    """Somebody's decisions over all their analysed matches of a kind, beside everybody else's."""

    person: Actor
    pool: Pool
    matches: int
    tally: Tally
    standings: tuple[Standing, ...]


class Rate(Value, frozen=True):
    """All decisions of people, or of bots, that were looked at in matches of a kind."""

    pool: Pool
    bots: bool
    seats: int
    tally: Tally


def agreed_of(match: Match, entries: Iterable[Entry], analysis: Analysis) -> tuple[Agreed, ...]:
    """By seat; what others decided for it (a bot after a hand-over, a substitute, the service) is left out."""
    facts = ((entry.version, read_fact(match.definition, entry)) for entry in entries)
    acted = {version: fact.by for version, fact in facts if isinstance(fact, ActionTaken)}
    found: list[Agreed] = []
    for seat, starter in enumerate(match.starters):
        own = [each for each in analysis.decisions if each.seat == seat and acted.get(each.entry) == starter.actor]
        grades = [each.grade for each in own]
        tally = Tally(len(own), grades.count("best"), grades.count("good"), sum(each.loss for each in own))
        found.append(Agreed(is_bot(starter.actor), tally))
    return tuple(found)


def total(tallies: Sequence[Tally]) -> Tally:
    return Tally(
        sum(each.decisions for each in tallies),
        sum(each.best for each in tallies),
        sum(each.good for each in tallies),
        sum(each.lost for each in tallies),
    )


def tallies_by_person(compared: Iterable[Compared]) -> dict[Pool, dict[Actor, list[Tally]]]:
    """Of every match in which somebody decided often enough."""
    found: dict[Pool, dict[Actor, list[Tally]]] = {}
    for each in compared:
        people = found.setdefault(each.pool, {})
        for person, tally in each.people:
            if tally.figures:
                people.setdefault(person, []).append(tally)
    return found


def agreements(compared: Sequence[Compared]) -> tuple[Agreement, ...]:
    """Everybody who began one of these matches, match by match; of too few decisions only their number is known."""
    known = tallies_by_person(compared)
    figures = {pool: {who: figures_of(own) for who, own in people.items()} for pool, people in known.items()}
    bases: Mapping[Pool, Mapping[Measure, Base]] = {
        pool: bases_of(each for own in people.values() for each in own) for pool, people in figures.items()
    }
    return tuple(
        Agreement(
            person,
            each.played,
            tally,
            standings_of(bases[each.pool], tally.figures, figures[each.pool].get(person, ())),
        )
        for each in compared
        for person, tally in each.people
    )


def figures_of(tallies: Iterable[Tally]) -> tuple[Figures, ...]:
    return tuple(each.figures for each in tallies)


def habits(compared: Iterable[Compared]) -> tuple[Habit, ...]:
    """Everybody of whom enough matches of a kind are analysed, where enough others are."""
    found: list[Habit] = []
    for pool, people in tallies_by_person(compared).items():
        known = {person: total(tallies) for person, tallies in people.items() if len(tallies) >= MATCHES_MIN}
        bases = bases_of(tally.figures for tally in known.values())
        for person, tally in known.items():
            if standings := standings_of(bases, tally.figures, (tally.figures,)):
                found.append(Habit(person, pool, len(people[person]), tally, standings))
    return tuple(found)


def rates(compared: Iterable[Compared]) -> tuple[Rate, ...]:
    """How often anybody agrees: all seats of people of a kind together, and all seats of bots."""
    found: dict[tuple[Pool, bool], list[Tally]] = {}
    for each in compared:
        for seat, agreed in zip(each.played.seats, each.seats, strict=True):
            if agreed.tally.figures and (agreed.bot or seat.person is not None):
                found.setdefault((each.pool, agreed.bot), []).append(agreed.tally)
    ordered = sorted(found.items(), key=lambda item: (item[0][0].title, item[0][0].seats, item[0][1]))
    return tuple(Rate(pool, bots, len(tallies), total(tallies)) for (pool, bots), tallies in ordered)
