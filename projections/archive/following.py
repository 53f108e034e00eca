"""The read model of archive and explorer: what ended matches are found by, and what they come to together.

Choices are noted while a match goes on and count when it has ended: until then they can be secret. A match that is
voided, or whose line a ruling replaces, takes back what it added.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import Column, Index

from domain.kernel.traits import Trait
from domain.matches.facts import TakenBack
from projections.archive.kept import KEPT, OF_OPENING, OPENING, Kept, KeptSeat, Note, kept_of, may_be_kept, notes_of
from projections.follow import FollowedStep
from projections.platform.merging import Merge
from projections.platform.store import Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "archive"
SHAPE: Final = "2"
ARCHIVE_LINES: Final = read_model(
    "archive_lines",
    Column("place", NUMBER, primary_key=True),
    Column("line_id", TEXT, nullable=False),
    Column("title", TEXT, nullable=False),
    Column("seats", NUMBER, nullable=False),
    Column("people", NUMBER, nullable=False),
    Column("edition", TEXT, nullable=False),
    Column("event", TEXT, nullable=False),
    Column("rated", NUMBER, nullable=False),
    Column("score", NUMBER, nullable=False),
    Column("entries", NUMBER, nullable=False),
    Column("ended_at", NUMBER, nullable=False),
    Column("how", TEXT, nullable=False),
)
ARCHIVE_KEPT: Final = read_model(
    "archive_kept",
    Column("line_id", TEXT, primary_key=True),
    Column("place", NUMBER, nullable=False),
    Column("notes", BYTES, nullable=False),
    Column("detail", BYTES),
)
ARCHIVE_PLAYERS: Final = read_model(
    "archive_players",
    Column("player", TEXT, primary_key=True),
    Column("place", NUMBER, primary_key=True),
)
ARCHIVE_THINGS: Final = read_model(
    "archive_things",
    Column("title", TEXT, primary_key=True),
    Column("thing", TEXT, primary_key=True),
    Column("place", NUMBER, primary_key=True),
)
ARCHIVE_OPENINGS: Final = read_model(
    "archive_openings",
    Column("path", TEXT, primary_key=True),
    Column("place", NUMBER, primary_key=True),
    Column("version", NUMBER, nullable=False),
    Column("seat", NUMBER, nullable=False),
)
ARCHIVE_NOTES: Final = read_model(
    "archive_notes",
    Column("line_id", TEXT, primary_key=True),
    Column("version", NUMBER, primary_key=True),
    Column("number", NUMBER, primary_key=True),
    Column("seat", NUMBER, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("thing", TEXT, nullable=False),
    Column("round", NUMBER, nullable=False),
)
EXPLORER_THINGS: Final = read_model(
    "explorer_things",
    Column("title", TEXT, primary_key=True),
    Column("seats", NUMBER, primary_key=True),
    Column("who", TEXT, primary_key=True),
    Column("kind", TEXT, primary_key=True),
    Column("number", NUMBER, primary_key=True),
    Column("thing", TEXT, primary_key=True),
    Column("times", NUMBER, nullable=False),
    Column("wins", NUMBER, nullable=False),
    Column("margin", NUMBER, nullable=False),
)
EXPLORER_OPENINGS: Final = read_model(
    "explorer_openings",
    Column("path", TEXT, primary_key=True),
    Column("who", TEXT, primary_key=True),
    Column("action", TEXT, primary_key=True),
    Column("next", TEXT, nullable=False),
    Column("times", NUMBER, nullable=False),
    Column("wins", NUMBER, nullable=False),
    Column("margin", NUMBER, nullable=False),
)
TABLES: Final = by_name(
    ARCHIVE_LINES,
    ARCHIVE_KEPT,
    ARCHIVE_PLAYERS,
    ARCHIVE_THINGS,
    ARCHIVE_OPENINGS,
    ARCHIVE_NOTES,
    EXPLORER_THINGS,
    EXPLORER_OPENINGS,
)
Index("archive_by_event", ARCHIVE_LINES.c.event, ARCHIVE_LINES.c.place)
Index("archive_by_line", ARCHIVE_LINES.c.line_id)
COUNTED: Final = ("times", "wins", "margin")
MERGED: Final = {
    "explorer_things": Merge(("title", "seats", "who", "kind", "number", "thing"), added=COUNTED),
    "explorer_openings": Merge(("path", "who", "action"), added=COUNTED),
}

ADD_THING: Final = (
    "INSERT INTO {explorer_things} (title, seats, who, kind, number, thing, times, wins, margin)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (title, seats, who, kind, number, thing) DO UPDATE SET"
    " times = {explorer_things}.times + excluded.times, wins = {explorer_things}.wins + excluded.wins,"
    " margin = {explorer_things}.margin + excluded.margin"
)
ADD_OPENING: Final = (
    "INSERT INTO {explorer_openings} (path, who, action, next, times, wins, margin) VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (path, who, action) DO UPDATE SET times = {explorer_openings}.times + excluded.times,"
    " wins = {explorer_openings}.wins + excluded.wins, margin = {explorer_openings}.margin + excluded.margin"
)
NONE_LEFT: Final = (
    "DELETE FROM {explorer_things} WHERE title = ? AND seats = ? AND times = 0",
    "DELETE FROM {explorer_openings} WHERE path = ? AND times = 0",
)
WRITE_NOTE: Final = (
    "INSERT INTO {archive_notes} (line_id, version, number, seat, kind, thing, round) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
READ_NOTES: Final = (
    "SELECT version, seat, kind, thing, round FROM {archive_notes} WHERE line_id = ? ORDER BY version, number"
)
FORGET_NOTES: Final = "DELETE FROM {archive_notes} WHERE line_id = ? AND version > ?"
COUNT_OPENING: Final = f"SELECT COUNT(*) FROM {{archive_notes}} WHERE line_id = ? AND kind = '{OF_OPENING}'"  # noqa: S608
READ_KEPT: Final = "SELECT place, notes, detail FROM {archive_kept} WHERE line_id = ?"
WRITE_KEPT: Final = (
    "INSERT INTO {archive_kept} (line_id, place, notes, detail) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (line_id) DO UPDATE SET detail = excluded.detail"
)
WRITE_LINE: Final = (
    "INSERT INTO {archive_lines} (place, line_id, title, seats, people, edition, event, rated, score, entries,"
    " ended_at, how) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
REMOVED: Final = (
    "DELETE FROM {archive_lines} WHERE place = ?",
    "DELETE FROM {archive_players} WHERE player = ? AND place = ?",
    "DELETE FROM {archive_things} WHERE title = ? AND thing = ? AND place = ?",
    "DELETE FROM {archive_openings} WHERE path = ? AND place = ?",
)
LOOKED_AT: Final = 8 * OPENING
"""After so many actions nobody looks for an opening any more, however much was taken back."""
NOTES: Final = msgspec.json.Decoder(tuple[Note, ...])


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Notes what is chosen, and keeps what a match came to when it is over; again, when a ruling changes that."""
    for step in steps:
        if not may_be_kept(step.match, imported=step.imported):
            continue
        if step.match.is_over:
            close(transaction, step)
        else:
            note(transaction, step)


def note(transaction: Transaction, step: FollowedStep) -> None:
    """What an entry says while the match goes on."""
    line_id = str(step.line_id)
    if isinstance(step.fact, TakenBack):
        transaction.change(FORGET_NOTES, line_id, step.fact.to_version)
        return
    known = OPENING
    if sum(step.match.action_counts) <= LOOKED_AT:
        known = int(transaction.rows(COUNT_OPENING, line_id)[0][0])
    for number, found in enumerate(notes_of(step, known)):
        trait = found.trait
        parts = (trait.seat, trait.kind, trait.thing, trait.number)
        transaction.change(WRITE_NOTE, line_id, found.version, number, *parts)


def close(transaction: Transaction, step: FollowedStep) -> None:
    """The match is over, or is over still and counts as something else now."""
    line_id = str(step.line_id)
    rows = transaction.rows(READ_KEPT, line_id)
    if rows:
        place, notes = int(rows[0][0]), NOTES.decode(rows[0][1])
        before = None if rows[0][2] is None else KEPT.decode(rows[0][2])
    else:
        place, before = step.position, None
        notes = tuple(
            Note(version, Trait(seat, kind, thing, round_))
            for version, seat, kind, thing, round_ in transaction.rows(READ_NOTES, line_id)
        )
        transaction.change(FORGET_NOTES, line_id, 0)
    kept = kept_of(step, place, notes)
    if kept is not None and before is not None:
        # Later entries of a match that is over are about it, and not of its play.
        kept = msgspec.structs.replace(kept, entries=before.entries, ended_at=before.ended_at)
    if before is not None and before != kept:
        remove(transaction, before)
    if kept is not None and before != kept:
        add(transaction, kept)
    detail = None if kept is None else encoded(kept)
    transaction.change(WRITE_KEPT, line_id, place, encoded(notes), detail)


def encoded(value: object) -> bytes:
    return msgspec.json.encode(value, order="deterministic")


def add(transaction: Transaction, kept: Kept) -> None:
    """The match can be found, and counts."""
    place = kept.place
    transaction.change(
        WRITE_LINE,
        place,
        str(kept.line_id),
        kept.title,
        len(kept.seats),
        int(kept.is_of_people),
        kept.edition,
        kept.event,
        int(kept.rated),
        max(seat.score for seat in kept.seats),
        kept.entries,
        kept.ended_at,
        kept.end,
    )
    for player in players_of(kept):
        transaction.change("INSERT INTO {archive_players} (player, place) VALUES (?, ?)", player, place)
    for thing in kept.things:
        sql = "INSERT INTO {archive_things} (title, thing, place) VALUES (?, ?, ?)"
        transaction.change(sql, kept.title, thing, place)
    for move in kept.opening:
        sql = "INSERT INTO {archive_openings} (path, place, version, seat) VALUES (?, ?, ?, ?)"
        transaction.change(sql, move.next, place, move.version, move.seat)
    count(transaction, kept, 1)


def remove(transaction: Transaction, kept: Kept) -> None:
    """It cannot be found any more, and takes back what it added."""
    of_line, of_player, of_thing, of_opening = REMOVED
    transaction.change(of_line, kept.place)
    for player in players_of(kept):
        transaction.change(of_player, player, kept.place)
    for thing in kept.things:
        transaction.change(of_thing, kept.title, thing, kept.place)
    for move in kept.opening:
        transaction.change(of_opening, move.next, kept.place)
    count(transaction, kept, -1)
    of_things, of_openings = NONE_LEFT
    transaction.change(of_things, kept.title, len(kept.seats))
    for move in kept.opening:
        transaction.change(of_openings, move.path)


def players_of(kept: Kept) -> list[str]:
    return sorted({seat.actor for seat in kept.seats})


def count(transaction: Transaction, kept: Kept, sign: int) -> None:
    """Adds what every seat chose and what came of it, once for each thing, or takes it back."""
    if not kept.is_counted:
        return
    for trait in sorted(set(kept.traits), key=trait_order):
        seat = kept.seats[trait.seat]
        key = (kept.title, len(kept.seats), seat.who, trait.kind, trait.number, trait.thing)
        transaction.change(ADD_THING, *key, *came_to(seat, sign))
    for move in kept.opening:
        seat = kept.seats[move.seat]
        transaction.change(ADD_OPENING, move.path, seat.who, move.action, move.next, *came_to(seat, sign))


def trait_order(trait: Trait) -> tuple[int, str, int, str]:
    return trait.seat, trait.kind, trait.number, trait.thing


def came_to(seat: KeptSeat, sign: int) -> tuple[int, int, int]:
    """Once, a win or none, the margin."""
    return sign, sign * (seat.place == 1), sign * seat.margin
