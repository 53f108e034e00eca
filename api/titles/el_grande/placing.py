"""The positions of names, scoring tables and pieces on the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

Kind = Literal["king", "grande", "caballeros"]

SIZES: Final[Mapping[Kind, float]] = {"king": 36, "grande": 27, "caballeros": 33}
"""The width of a piece."""
ROW: Final = 35
SCALES: Final = (1.15, 1.0, 0.88, 0.76, 0.64, 0.54)
"""The scales of pieces; crowded lands use smaller ones."""


class Spot(msgspec.Struct, frozen=True):
    """A place on the map: the positions of its name and table, and the box for its pieces."""

    name: tuple[int, int]
    table: tuple[int, int]
    box: tuple[int, int, int, int]
    """Left, top, width, height."""

    @property
    def centre(self) -> tuple[float, float]:
        """Return the centre of the box."""
        left, top, width, height = self.box
        return left + width / 2, top + height / 2


SPOTS: Final[Mapping[str, Spot]] = {
    "galicia": Spot((92, 68), (158, 52), (26, 76, 196, 70)),
    "navarra": Spot((273, 74), (350, 59), (238, 81, 144, 70)),
    "aragon": Spot((436, 104), (436, 110), (376, 136, 106, 130)),
    "cataluna": Spot((550, 104), (550, 110), (490, 132, 106, 106)),
    "castilla": Spot((190, 174), (270, 158), (108, 184, 240, 74)),
    "toledo": Spot((206, 312), (278, 296), (110, 322, 286, 72)),
    "valencia": Spot((482, 268), (482, 274), (418, 300, 106, 92)),
    "sevilla": Spot((148, 426), (222, 410), (90, 434, 174, 70)),
    "granada": Spot((346, 428), (424, 412), (284, 435, 188, 70)),
    "castillo": Spot((560, 449), (560, 454), (504, 477, 112, 46)),
    "france": Spot((500, 46), (0, 0), (388, 16, 60, 40)),
    "portugal": Spot((58, 240), (0, 0), (28, 330, 60, 40)),
}
KING_BESIDE_CASTILLO: Final = (506, 392)
"""The king is drawn next to the Castillo, not inside (EG-18.8)."""
COURT_SPOT: Final = (34, 504)
"""The end of arrows from and to a Court or a Province."""


class Piece(msgspec.Struct, frozen=True):
    """A piece to be placed; `count` caballeros share a marker."""

    kind: Kind
    colour: int = -1
    count: int = 0


class Placed(msgspec.Struct, frozen=True):
    """A placed piece: its centre and scale."""

    piece: Piece
    x: float
    y: float
    scale: float


def lay_out(spot: Spot, pieces: Sequence[Piece]) -> tuple[Placed, ...]:
    """Return the pieces in centred rows, at the largest scale that fits the box, otherwise at the smallest."""
    left, top, width, height = spot.box
    for scale in SCALES:
        rows = _rows(pieces, width / scale)
        if len(rows) * ROW * scale <= height:
            break
    placed = list[Placed]()
    for number, row in enumerate(rows):
        x = left + (width - scale * sum(SIZES[piece.kind] for piece in row)) / 2
        y = top + ROW * scale * (number + 0.5)
        for piece in row:
            piece_width = SIZES[piece.kind] * scale
            placed.append(Placed(piece, round(x + piece_width / 2, 1), round(y, 1), scale))
            x += piece_width
    return tuple(placed)


def _rows(pieces: Sequence[Piece], width: float) -> list[list[Piece]]:
    """Return the pieces split into rows of at most this width, in order; at least one piece in each."""
    rows: list[list[Piece]] = [[]]
    used_width = 0.0
    for piece in pieces:
        piece_width = SIZES[piece.kind]
        if rows[-1] and used_width + piece_width > width:
            rows.append([])
            used_width = 0.0
        rows[-1].append(piece)
        used_width += piece_width
    return rows


def arrow(start: tuple[float, float], end: tuple[float, float]) -> tuple[str, tuple[float, float]]:
    """Return a curved line between two points as an SVG path, and its midpoint."""
    (x0, y0), (x1, y1) = start, end
    control = (x0 + x1) / 2 + (y1 - y0) * 0.16, (y0 + y1) / 2 - (x1 - x0) * 0.16
    middle = (x0 + 2 * control[0] + x1) / 4, (y0 + 2 * control[1] + y1) / 4
    return f"M{x0:.0f} {y0:.0f}Q{control[0]:.0f} {control[1]:.0f} {x1:.0f} {y1:.0f}", middle


def spot_of(place: str) -> tuple[float, float]:
    """Return the end of arrows from and to a place."""
    return SPOTS[place].centre if place in SPOTS else COURT_SPOT
