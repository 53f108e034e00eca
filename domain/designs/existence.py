"""The existence of exact designs: counting conditions, and proofs for tables of two to five (Hanani)."""

from math import gcd
from typing import Final

from domain.designs.shapes import BadSize

SIZE_MIN: Final = 2
SIZE_MAX: Final = 5
PLAYERS_MAX: Final = 200


def require_size(players: int, size: int) -> None:
    """Raise `BadSize` unless tables have 2 to 5 seats and the players are at least a table and at most 200."""
    if not SIZE_MIN <= size <= SIZE_MAX:
        raise BadSize(f"tables have {SIZE_MIN} to {SIZE_MAX} seats, not {size}")
    if not size <= players <= PLAYERS_MAX:
        raise BadSize(f"a schedule with tables of {size} needs {size} to {PLAYERS_MAX} players, not {players}")


def meetings_unit(players: int, size: int) -> int:
    """Return the number whose multiples are the possible numbers of meetings.

    A player has meetings × (players - 1) neighbours in all, size - 1 at each table; the number of tables is meetings ×
    players × (players - 1) / (size × (size - 1)).
    """
    by_player = (size - 1) // gcd(size - 1, players - 1)
    pairs = size * (size - 1)
    by_table = pairs // gcd(pairs, players * (players - 1))
    return by_player * by_table // gcd(by_player, by_table)


def why_none(players: int, size: int, meetings: int) -> str:
    """Return why no design has this number of meetings, or an empty string if one exists."""
    unit = meetings_unit(players, size)
    if meetings < 1:
        return f"every pair must meet at least once, not {meetings} times"
    if meetings % unit:
        return (
            f"with {players} players at tables of {size} each pair can meet only {unit}, {2 * unit}, … times, "
            f"not {meetings}"
        )
    if (players, size, meetings) == (15, 5, 2):
        return "15 players at tables of 5 cannot all meet exactly twice (Nandi 1945)"
    return ""


def why_none_in_rounds(players: int, size: int, meetings: int) -> str:
    """Return why no design has every player at a table in every round, or "" if no reason is known."""
    if reason := why_none(players, size, meetings):
        return reason
    if players % size:
        remainder = players % size
        return f"{players} players do not fill tables of {size}: {remainder} would sit out every round"
    if players == 2 * size and meetings == size - 1 and size % 2:
        # Such a design would be a 3-design: a Hadamard matrix of order 2 × players / … needs players divisible by 4.
        return f"{players} players in two tables of {size} cannot all meet exactly {meetings} times in full rounds"
    return ""
