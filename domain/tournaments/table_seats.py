"""Who sits at the tables of a round: absent players, bots, substitutes and new seatings."""

from collections.abc import Sequence

from domain.kernel.values import replace
from domain.matches.facts import Actor
from domain.standings.contest import GivenResult, RoundTable, StandIn
from domain.tournaments.fact_base import SeatedAnew


def absent_at(table: RoundTable, entry: str, bot: Actor) -> RoundTable:
    """Return the table with an absent entry, and a bot, if named, in its seat; an earlier bot leaves it."""
    after = present_at(table, entry)
    bots = (*after.bots, StandIn(entry, bot)) if bot else after.bots
    return replace(after, absent=tuple(sorted({*after.absent, entry})), bots=bots)


def present_at(table: RoundTable, entry: str) -> RoundTable:
    """Return the table without the no-show of an entry."""
    absent = tuple(name for name in table.absent if name != entry)
    return replace(table, absent=absent, bots=tuple(each for each in table.bots if each.entry != entry))


def with_substitute_at(table: RoundTable, entry: str, actor: Actor) -> RoundTable:
    """Return the table with a substitute for an entry, or with its own player if `actor` is empty."""
    after = present_at(table, entry)
    others = tuple(each for each in after.stand_ins if each.entry != entry)
    added = (StandIn(entry, actor),) if actor else ()
    return replace(after, stand_ins=(*others, *added))


def reseated_tables(tables: Sequence[RoundTable], seatings: Sequence[SeatedAnew]) -> tuple[RoundTable, ...]:
    """Return the tables of a round after a new seating; absences, bots and substitutes move with players."""
    new = {each.table: each for each in seatings}
    absent = {name for table in tables for name in table.absent}
    stand_ins = [each for table in tables for each in table.stand_ins]
    bots = [each for table in tables for each in table.bots]

    def reseat_table(number: int, table: RoundTable) -> RoundTable:
        if (reseated := new.get(number)) is None:
            return table
        return RoundTable(
            reseated.entries,
            reseated.match,
            reasons=reseated.reasons,
            absent=tuple(sorted(absent & {*reseated.entries})),
            stand_ins=tuple(each for each in stand_ins if each.entry in reseated.entries),
            bots=tuple(each for each in bots if each.entry in reseated.entries),
        )

    return tuple(reseat_table(number, table) for number, table in enumerate(tables, start=1))


def with_result(table: RoundTable, result: GivenResult, *, keeps_claims: bool) -> RoundTable:
    """Return a table with an entered or ruled result; bots no longer play on at it."""
    return replace(table, given=result, claims=table.claims if keeps_claims else (), left_to_bots=None)
