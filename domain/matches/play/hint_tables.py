"""Tables with hints: one person against bots of the service, never rated and in no event."""

from collections.abc import Sequence

from domain.matches.aggregate import Match
from domain.matches.errors import HintsRefused
from domain.matches.facts import Actor, Table, is_bot


def check_hints(table: Table) -> None:
    """Raise `HintsRefused` for a rated table or an event table with hints."""
    if table.has_hints and table.rated:
        raise HintsRefused("a match with hints cannot be rated: rated=true and hints=true cannot be combined")
    if table.has_hints and table.event_id:
        raise HintsRefused(f"tables of the event {table.event_id} have no hints")


def require_alone(match: Match, seat: int, actor: Actor) -> None:
    """Raise `HintsRefused` for a second person at a table with hints.

    Before the start only the opener may sit there.
    """
    if not match.table.has_hints or is_bot(actor):
        return
    if match.status == "open" and actor != match.opened_by:
        raise HintsRefused(
            f"the table was created with hints by {match.opened_by!r}: {actor!r} cannot take seat {seat}"
        )
    for index, info in enumerate(match.seats):
        if info.is_person and index != seat and info.actor != actor:
            raise HintsRefused(f"{info.actor!r} plays with hints, against bots only: {actor!r} cannot take seat {seat}")


def check_alone(table: Table, people: Sequence[Actor]) -> None:
    """Raise `HintsRefused` if several people are to be seated at a table with hints."""
    if table.has_hints and len(people) > 1:
        raise HintsRefused(f"a table with hints has one person and bots, not {len(people)} people")
