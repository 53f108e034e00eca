"""The tables of ratings.

Players of a pool and changes by results have numbers, changes in rating order. Tables with several rows per result use
only these numbers.
"""

from typing import Final

from sqlalchemy import Column, Index

from projections.matches import outcomes
from projections.platform.tables import BYTES, NUMBER, TEXT, read_model

RATING_OUTCOMES: Final = outcomes.outcome_table("rating_outcomes")
RATING_LINES: Final = outcomes.line_table("rating_lines")
RATING_RULES: Final = read_model(
    "rating_rules",
    Column("fair_since", NUMBER),
    Column("revised_since", NUMBER),
)
RATING_RESULTS: Final = read_model(
    "rating_results",
    Column("match_id", TEXT, primary_key=True),
    Column("title", TEXT, nullable=False),
    Column("seats", NUMBER, nullable=False),
    Column("ended", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
    Column("head", TEXT, nullable=False),
    Column("clock", TEXT, nullable=False),
)
"""The results that count. `head` is the digest of the last entry of the line, `clock` the class of the clock."""
RATING_POOLS: Final = read_model(
    "rating_pools",
    Column("title", TEXT, primary_key=True),
    Column("seats", NUMBER, primary_key=True),
    Column("ended", NUMBER, nullable=False),
    Column("match_id", TEXT, nullable=False),
    Column("results", NUMBER, nullable=False),
    Column("back_ended", NUMBER),
    Column("back_match", TEXT),
)
RATING_PLAYERS: Final = read_model(
    "rating_players",
    Column("title", TEXT, primary_key=True),
    Column("seats", NUMBER, primary_key=True),
    Column("player", TEXT, primary_key=True),
    Column("number", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
)
RATING_CHANGES: Final = read_model(
    "rating_changes",
    Column("number", NUMBER, primary_key=True),
    Column("title", TEXT, nullable=False),
    Column("seats", NUMBER, nullable=False),
    Column("ended", NUMBER, nullable=False),
    Column("match_id", TEXT, nullable=False),
    Column("best", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
)
"""The changes by each result; `best` is the highest rating of its players afterwards."""
RATING_MOVES: Final = read_model(
    "rating_moves",
    Column("player", NUMBER, primary_key=True),
    Column("change", NUMBER, primary_key=True),
    sqlite_with_rowid=False,
)
RATING_MEETINGS: Final = read_model(
    "rating_meetings",
    Column("player", NUMBER, primary_key=True),
    Column("other", NUMBER, primary_key=True),
    Column("detail", BYTES, nullable=False),
    sqlite_with_rowid=False,
)
RATING_MONTHS: Final = read_model(
    "rating_months",
    Column("title", TEXT, primary_key=True),
    Column("seats", NUMBER, primary_key=True),
    Column("player", TEXT, primary_key=True),
    Column("period", NUMBER, primary_key=True),
    Column("part", NUMBER, nullable=False),
    Column("below", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)
"""A line of each person in the list of each month in which the person is active.

`part` is `PLACED` or `PROVISIONAL`; `below` is the number of points below zero, so that the best is first.
"""
RATING_COUNTS: Final = read_model(
    "rating_counts",
    Column("title", TEXT, primary_key=True),
    Column("seats", NUMBER, primary_key=True),
    Column("period", NUMBER, primary_key=True),
    Column("level", NUMBER, primary_key=True),
    Column("cell", NUMBER, primary_key=True),
    Column("people", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)
"""The number of people with a place in a month, by points: a cell of level n has 16ⁿ values."""
RATING_RESTS: Final = read_model(
    "rating_rests",
    Column("title", TEXT, primary_key=True),
    Column("seats", NUMBER, primary_key=True),
    Column("player", TEXT, primary_key=True),
    Column("since", NUMBER, primary_key=True),
    Column("until", NUMBER, nullable=False),
    Column("before", NUMBER, nullable=False),
    Column("below", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)
"""The inactivities of each person; `before` is -`since`, so that the latest is first."""
Index(
    "rating_months_in_order",
    *(RATING_MONTHS.c[name] for name in ("title", "seats", "period", "part", "below", "player")),
)
Index("rating_rests_now", *(RATING_RESTS.c[name] for name in ("title", "seats", "until", "before", "below", "player")))
Index("rating_rests_in_order", *(RATING_RESTS.c[name] for name in ("title", "seats", "before", "below", "player")))
Index(
    "rating_results_in_order",
    RATING_RESULTS.c.title,
    RATING_RESULTS.c.seats,
    RATING_RESULTS.c.ended,
    RATING_RESULTS.c.match_id,
)
Index(
    "rating_changes_in_order",
    RATING_CHANGES.c.title,
    RATING_CHANGES.c.seats,
    RATING_CHANGES.c.ended,
    RATING_CHANGES.c.match_id,
    unique=True,
)
Index("rating_players_by_number", RATING_PLAYERS.c.number, unique=True)
Index("rating_players_by_name", RATING_PLAYERS.c.player)
