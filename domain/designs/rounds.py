"""The arrangement of tables into few, full rounds; a player sits at one table of a round."""

from collections.abc import Sequence

from domain.designs.shapes import Round, Table


def arrange_in_rounds(tables: Sequence[Table]) -> tuple[Round, ...]:
    """Arrange tables in rounds without a player twice, by the greedy DSATUR colouring; the fullest rounds first."""
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
    # Put the fullest rounds first, so that most is played if a season ends early.
    return tuple(sorted(rounds, key=lambda those: (-len(those), those)))
