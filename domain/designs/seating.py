"""The assignment of seats: every player in every seat equally often, up to a difference of one.

Players and tables form a bipartite graph whose edges are coloured by seats. Each player's edges are cut into pieces of
`size`, so that every table has each seat once and every player each seat once per piece (de Werra).
"""

from collections.abc import Sequence
from typing import Final

from domain.designs.shapes import Round

FREE: Final = -1


def balance_seats(rounds: Sequence[Round], size: int) -> tuple[Round, ...]:
    """Return the same tables, ordered so that a player's counts of seats differ by at most one.

    Each run of `size` tables of a player holds each seat at most once. If all tables have that size and a player plays
    a multiple of it, the seats are exactly equal.
    """
    colours = Colouring(size)
    count: dict[int, int] = {}
    index = 0
    for tables in rounds:
        for table in tables:
            for player in table:
                earlier_count = count[player] = count.get(player, -1) + 1
                colours.add((player, earlier_count // size), index)
            index += 1
    balanced, index = [], 0
    for tables in rounds:
        seats_of = []
        for table in tables:
            seats = colours.at_table(index)
            seats_of.append(tuple(seats[seat] for seat in sorted(seats)))
            assert len(seats_of[-1]) == len(table)
            index += 1
        balanced.append(tuple(seats_of))
    return tuple(balanced)


Piece = tuple[int, int]


class Colouring:
    """A proper edge colouring of a growing bipartite graph; alternating paths free a common colour."""

    def __init__(self, colours: int) -> None:
        self._colours = colours
        self._pieces: dict[Piece, list[int]] = {}
        self._tables: dict[int, list[Piece | None]] = {}

    def at_table(self, table: int) -> dict[int, int]:
        """Return the player in each seat of a table."""
        return {seat: piece[0] for seat, piece in enumerate(self._tables[table]) if piece is not None}

    def add(self, piece: Piece, table: int) -> None:
        """Add an edge and colour it with the lowest free seat of the table, recolouring other edges if needed."""
        tables_of = self._pieces.setdefault(piece, [FREE] * self._colours)
        pieces_of = self._tables.setdefault(table, [None] * self._colours)
        # Use the lowest free seats of a table, so that a short table has no gap.
        piece_colour = tables_of.index(FREE)
        table_colour = pieces_of.index(None)
        if pieces_of[piece_colour] is not None:
            self._swap(table, piece_colour, table_colour)
        tables_of[piece_colour] = table
        pieces_of[piece_colour] = piece

    def _swap(self, table: int, occupied: int, free: int) -> None:
        """Swap two colours along the alternating path from the table, so that `occupied` becomes free there."""
        path: list[tuple[Piece, int, int]] = []
        at, colour, other = table, occupied, free
        while (piece := self._tables[at][colour]) is not None:
            path.append((piece, at, colour))
            at = self._pieces[piece][other]
            if at == FREE:
                break
            path.append((piece, at, other))
        for piece, at, colour in path:
            self._pieces[piece][colour] = FREE
            self._tables[at][colour] = None
        for piece, at, colour in path:
            new = free if colour == occupied else occupied
            self._pieces[piece][new] = at
            self._tables[at][new] = piece
