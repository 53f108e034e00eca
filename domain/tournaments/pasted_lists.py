"""Lists of people pasted as text, one per line, from a mail or a spreadsheet."""

import csv
from typing import Final

from domain.standings.errors import ImportRefused
from domain.tournaments.imports import ROWS_MAX, PlayerRow, check_count, check_length, row_of, rows_of

COLUMNS: Final = ("name", "club", "family", "seeding")
ACCOUNT: Final = "@"
"""Prefix of an account name."""


def pasted_rows(text: str) -> tuple[PlayerRow, ...]:
    """Return the people in a text, one per line: name, then optional club, family and seed.

    Cells are separated by tabs, semicolons or commas; `@name` is an account. CSV with a heading and JSON are
    read as files. Raise `ImportRefused` for an empty or invalid text, or more than `ROWS_MAX` people.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise ImportRefused("the text has no names")
    first = lines[0][1]
    if first.startswith("[") or "name" in [cell.strip().lower() for cell in cells_of(*lines[0])]:
        return tuple(rows_of(text.encode(), PlayerRow))
    return check_count(tuple(person_of(number, line) for number, line in lines[: ROWS_MAX + 1]))


def cells_of(number: int, line: str) -> list[str]:
    """Split a line at tabs, else semicolons, else commas, and strip the cells.

    Raise `ImportRefused` if the line is too long.
    """
    check_length(number, line)
    separator = next((separator for separator in "\t;," if separator in line), ",")
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator))]


def person_of(number: int, line: str) -> PlayerRow:
    """Return the player on a line; a name after `@` is an account.

    Raise `ImportRefused`, naming the line, for more cells than columns or invalid ones.
    """
    cells = cells_of(number, line)
    if len(cells) > len(COLUMNS):
        raise ImportRefused(f"line {number}: {len(cells)} columns instead of at most {len(COLUMNS)}")
    values = {name: cell for name, cell in zip(COLUMNS, cells, strict=False) if cell}
    name = values.get("name", "")
    if name.startswith(ACCOUNT):
        values |= {"name": name.removeprefix(ACCOUNT), "person": name.removeprefix(ACCOUNT)}
    row: PlayerRow = row_of(f"line {number}", values, PlayerRow)
    return row
