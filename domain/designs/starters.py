"""Base rounds and base tables found by search (`ops/dev/design_search.py`), developed by their cyclic groups."""

import tomllib
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Final, Literal

import msgspec

from domain.designs.constructions import Rounds, Tables, develop
from domain.kernel.values import Value

FILE: Final = files("domain.designs") / "data" / "starters.toml"


class Starter(Value, frozen=True):
    """Base rounds or tables; players are numbered by cycle, fixed ones last.

    The shifts of a `steady` table form a round.
    """

    kind: Literal["rounds", "tables"]
    players: int
    size: int
    meetings: int
    modulus: int
    copies: int
    base: tuple[tuple[tuple[int, ...], ...], ...]
    steady: tuple[tuple[int, ...], ...] = ()


@cache
def starters() -> tuple[Starter, ...]:
    """Return all base rounds and tables of the data file; the base of kind "tables" is a single round."""
    rows = []
    for row in tomllib.loads(FILE.read_text())["starter"]:
        base = row["base"] if row["kind"] == "rounds" else [row["base"]]
        rows.append(msgspec.convert({**row, "base": base}, Starter))
    return tuple(rows)


def starter_rounds(starter: Starter) -> Rounds:
    """Return the shifts of every base round, and a round for the shifts of each steady table."""
    shifted = chain.from_iterable(develop(base, starter.modulus, starter.copies) for base in starter.base)
    steady_rounds = (
        tuple(chain.from_iterable(develop((table,), starter.modulus, starter.copies))) for table in starter.steady
    )
    return (*shifted, *steady_rounds)


def starter_tables(starter: Starter) -> Tables:
    """Return the tables to which the cyclic group moves each base table, sorted within each, each table once."""
    tables: list[tuple[int, ...]] = []
    for table in starter.base[0]:
        orbit = {tuple(sorted(shifted)) for (shifted,) in develop((table,), starter.modulus, starter.copies)}
        tables += sorted(orbit)
    return tuple(tables)
