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
)
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
