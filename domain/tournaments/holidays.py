"""The tables that share the days of holiday of an entry of a tournament."""

from uuid import UUID

from domain.contests.holidays import PlaceTable, PlaceTables
from domain.tournaments.state import Tournament


def tables_of_place(state: Tournament, match_id: UUID, seat: int) -> PlaceTables | None:
    """Return the tables of the entry that has a seat of a match; None for other matches."""
    tables = [table for each in state.rounds for table in each.tables if table.match is not None]
    own = next((table.entries[seat] for table in tables if table.match == match_id), None)
    if own is None:
        return None
    rule = state.plan.holidays
    found = tuple(
        PlaceTable(table.match, table.entries.index(own))
        for table in tables
        if table.match is not None and own in table.entries
    )
    return PlaceTables(None if rule is None else rule.days, found)
