"""Values that no record of a tournament has, which a replay would not notice (docs/specifications/standings.md)."""

from collections.abc import Sequence
from typing import Any, Final

from domain.matches.errors import LogFault
from domain.tournaments import facts
from domain.tournaments.availability import ONE_SEASON
from domain.tournaments.claim_facts import ResultClaimed, ResultConfirmed
from domain.tournaments.contest_facts import AbsencesStated, OfferAnswered, OfferLapsed, PlaceOffered
from domain.tournaments.state import Tournament

KIND: Final = "tournament"
OF_ENTRIES: Final = (facts.EntryPromoted, facts.EntryWithdrawn, facts.EntryReturned, facts.PenaltyGiven)
OF_RESULTS: Final = (facts.ResultEntered, facts.ResultRuled)
OF_TABLES: Final = (*OF_RESULTS, facts.ResultWithdrawn, ResultClaimed, ResultConfirmed)
OF_ROUNDS: Final = (
    *OF_TABLES,
    facts.PairingProposed,
    facts.PairingEdited,
    facts.RoundPublished,
    facts.RoundOpened,
    facts.RoundClosed,
    facts.NoShowNoted,
    facts.NoShowWithdrawn,
    facts.SubstituteNamed,
    facts.TablesReseated,
)


def require_form(state: Tournament, fact: Any) -> None:
    """Raise `LogFault` for an unknown or repeated entry, and an impossible round, stage, table, place or absence."""
    if isinstance(fact, facts.EntryMade) and state.entry(fact.entry) is not None:
        raise LogFault(None, KIND, f"the entry {fact.entry!r} is made twice")
    if isinstance(fact, OF_ENTRIES) and state.entry(fact.entry) is None:
        raise LogFault(None, KIND, f"there is no entry {fact.entry!r}")
    if isinstance(fact, OF_ROUNDS) and fact.round not in {each.number for each in state.rounds}:
        raise LogFault(None, KIND, f"there is no round {fact.round}")
    if isinstance(fact, facts.PairingAsked) and fact.round < 1:
        raise LogFault(None, KIND, f"there is no round {fact.round}")
    if isinstance(fact, OF_TABLES):
        require_tables(state, fact.round, fact.table)
    if isinstance(fact, OF_RESULTS) and min(fact.places, default=1) < 1:
        raise LogFault(None, KIND, f"there is no place {min(fact.places)}")
    if isinstance(fact, AbsencesStated):
        require_absences(state, fact)
    if isinstance(fact, PlaceOffered | OfferAnswered | OfferLapsed) and state.entry(fact.place) is None:
        raise LogFault(None, KIND, f"there is no entry {fact.place!r}")
    if isinstance(fact, facts.PairingAsked) and fact.stage < 0:
        raise LogFault(None, KIND, f"there is no stage {fact.stage}")
    if isinstance(fact, facts.PairingProposed | facts.PairingEdited):
        require_entries(state, *fact.tables, fact.byes)
    if isinstance(fact, facts.TablesReseated):
        require_entries(state, *(each.entries for each in fact.tables), fact.byes)
        require_tables(state, fact.round, *(each.table for each in fact.tables))


def require_absences(state: Tournament, fact: AbsencesStated) -> None:
    """Raise `LogFault` for absences of an unknown entry, of a season, or in a period without length."""
    if state.entry(fact.player) is None:
        raise LogFault(None, KIND, f"there is no entry {fact.player!r}")
    if fact.season != ONE_SEASON:
        raise LogFault(None, KIND, f"a tournament has no season {fact.season}")
    if any(period.starts >= period.ends for period in fact.periods):
        raise LogFault(None, KIND, "a period of absence does not end after its start")


def require_entries(state: Tournament, *groups: Sequence[str]) -> None:
    """Raise `LogFault` for an entry at a table, or with a bye, that does not exist."""
    names = {entry.id for entry in state.entries}
    unknown = next((name for group in groups for name in group if name not in names), None)
    if unknown is not None:
        raise LogFault(None, KIND, f"there is no entry {unknown!r}")


def require_tables(state: Tournament, number: int, *tables: int) -> None:
    """Raise `LogFault` for a table that the round does not have."""
    count = next(len(each.tables) for each in state.rounds if each.number == number)
    for table in tables:
        if not 1 <= table <= count:
            raise LogFault(None, KIND, f"round {number} has no table {table}")
