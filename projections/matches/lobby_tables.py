"""The tables of the list of matches, and of the matches of each player."""

from typing import Final

from sqlalchemy import Column, Index

from projections.platform.tables import BYTES, NUMBER, TEXT, partial_index, read_model

LOBBY: Final = read_model(
    "lobby",
    Column("match_id", TEXT, primary_key=True),
    Column("opened", NUMBER, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("public", NUMBER, nullable=False),
    Column("counting", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
    Column("bots_of", TEXT, nullable=False),
    Column("waits_of", TEXT, nullable=False),
    Column("with_bots_of", TEXT, nullable=False),
)
LOBBY_PLAYERS: Final = read_model(
    "lobby_players",
    Column("player", TEXT, primary_key=True),
    Column("match_id", TEXT, primary_key=True),
    Column("place", NUMBER, nullable=False),
    Column("since", NUMBER, nullable=False),
)
LOBBY_HISTORIES: Final = read_model(
    "lobby_histories",
    Column("player", TEXT, primary_key=True),
    Column("opened", NUMBER, primary_key=True),
    Column("match_id", TEXT, nullable=False),
    sqlite_with_rowid=False,
)
"""The matches of each player in the order of their list."""
# `bots_of` is the opener of a running match that only bots play, else "", which its index leaves out. `waits_of` is the
# same for a listed table that waits for players, `with_bots_of` for an unrated table with bots that has not ended.
Index("lobby_listed", LOBBY.c.public, LOBBY.c.opened)
Index("lobby_listed_by_status", LOBBY.c.public, LOBBY.c.status, LOBBY.c.opened)
Index("lobby_of_player", LOBBY_PLAYERS.c.player, LOBBY_PLAYERS.c.place)
Index("lobby_players_of_match", LOBBY_PLAYERS.c.match_id)
partial_index("lobby_of_bots", LOBBY.c.bots_of, where=LOBBY.c.bots_of != "")
partial_index("lobby_that_waits", LOBBY.c.waits_of, where=LOBBY.c.waits_of != "")
partial_index("lobby_with_bots", LOBBY.c.with_bots_of, where=LOBBY.c.with_bots_of != "")
