"""Who sits where: every player in every seat equally often, or as nearly as numbers allow.

Players and tables are a bipartite graph whose edges are the places; a colouring of its edges by seats, each player's
edges cut into pieces of `size`, gives every table each seat once and every player each seat once per piece (de Werra).
"""

from collections.abc import Sequence
from typing import Final

from domain.designs.shapes import Round

FREE: Final = -1


def balance_seats(rounds: Sequence[Round], size: int) -> tuple[Round, ...]:
    """The same tables, their players in an order in which nobody's seats differ by more than one in number.

    A player's first `size` tables, the next `size` and so on hold each seat at most once; where all tables are of that
    size and a player plays a multiple of it, each seat comes exactly equally often.
    """
    colours = Colouring(size)
    count: dict[int, int] = {}
    index = 0
    for tables in rounds:
        for table in tables:
            for player in table:
                played = count[player] = count.get(player, -1) + 1
                colours.add((player, played // size), index)
            index += 1
    ordered, index = [], 0
    for tables in rounds:
        seats_of = []
        for table in tables:
            seats = colours.at_table(index)
            seats_of.append(tuple(seats[seat] for seat in sorted(seats)))
            assert len(seats_of[-1]) == len(table)
            index += 1
        ordered.append(tuple(seats_of))
    return tuple(ordered)


Piece = tuple[int, int]


class Colouring:
    """A proper colouring of a growing bipartite graph: an alternating path makes room where none is common."""

    def __init__(self, colours: int) -> None:
        self._colours = colours
        self._pieces: dict[Piece, list[int]] = {}
        self._tables: dict[int, list[Piece | None]] = {}

    def at_table(self, table: int) -> dict[int, int]:
        """Seat -> player."""
        return {seat: piece[0] for seat, piece in enumerate(self._tables[table]) if piece is not None}

    def add(self, piece: Piece, table: int) -> None:
        tables_of = self._pieces.setdefault(piece, [FREE] * self._colours)
        pieces_of = self._tables.setdefault(table, [None] * self._colours)
        # A table takes its lowest free seats, so that a short one has no hole.
        here = tables_of.index(FREE)
        there = pieces_of.index(None)
        if pieces_of[here] is not None:
            self._swap(table, here, there)
        tables_of[here] = table
        pieces_of[here] = piece

    def _swap(self, table: int, taken: int, free: int) -> None:
        """Exchanges two colours along the path that leaves the table by `taken`; afterwards `taken` is free there."""
        path: list[tuple[Piece, int, int]] = []
        at, colour, other = table, taken, free
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
            new = free if colour == taken else taken
            self._pieces[piece][new] = at
            self._tables[at][new] = piece
