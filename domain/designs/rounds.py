"""Tables laid into rounds, in which nobody sits twice: as few as a careful greedy finds, and as full as can be."""

from collections.abc import Sequence

from domain.designs.shapes import Round, Table


def in_rounds(tables: Sequence[Table]) -> tuple[Round, ...]:
    """The tables in few rounds: always next the table with the fewest rounds left to it (DSATUR)."""
    clashes = [
        {other for other, those in enumerate(tables) if other != here and not set(those).isdisjoint(these)}
        for here, these in enumerate(tables)
    ]
    round_of: dict[int, int] = {}
    closed: list[set[int]] = [set() for _ in tables]
    left = set(range(len(tables)))
    while left:
        chosen = min(left, key=lambda here: (-len(closed[here]), -len(clashes[here]), here))
        number = next(number for number in range(len(tables)) if number not in closed[chosen])
        round_of[chosen] = number
        left.discard(chosen)
        for other in clashes[chosen]:
            closed[other].add(number)
    count = max(round_of.values()) + 1
    rounds = tuple(
        tuple(table for here, table in enumerate(tables) if round_of[here] == number) for number in range(count)
    )
    # The fullest first: should a season be broken off, most has been played.
    return tuple(sorted(rounds, key=lambda those: (-len(those), those)))
