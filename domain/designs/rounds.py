"""The arrangement of tables into few, full rounds; a player sits at one table of a round."""

from collections.abc import Sequence

from domain.designs.shapes import Round, Table


def arrange_in_rounds(tables: Sequence[Table]) -> tuple[Round, ...]:
    """Arrange tables in rounds without a player twice, by the greedy DSATUR colouring; the fullest rounds first."""
    clashes = [
        {other for other, others in enumerate(tables) if other != index and not set(others).isdisjoint(table)}
        for index, table in enumerate(tables)
    ]
    round_of: dict[int, int] = {}
    closed: list[set[int]] = [set() for _ in tables]
    remaining = set(range(len(tables)))
    while remaining:
        chosen = min(remaining, key=lambda index: (-len(closed[index]), -len(clashes[index]), index))
        number = next(number for number in range(len(tables)) if number not in closed[chosen])
        round_of[chosen] = number
        remaining.discard(chosen)
        for other in clashes[chosen]:
            closed[other].add(number)
    count = max(round_of.values()) + 1
    rounds = tuple(
        tuple(table for index, table in enumerate(tables) if round_of[index] == number) for number in range(count)
    )
    # Put the fullest rounds first, so that most is played if a season ends early.
    return tuple(sorted(rounds, key=lambda each: (-len(each), each)))
