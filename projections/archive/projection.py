"""The read model of archive and explorer: search columns of ended matches, and statistics of their choices.

Choices are noted during a match and counted at its end, because they may be secret until then. A voided match, or a
match whose line a ruling replaces, is subtracted again.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import BindParameter, Column, Index, bindparam, delete, func, insert, select

from domain.kernel.traits import Trait
from domain.matches.facts import TakenBack
from projections.archive.archived_matches import (
    KEPT,
    OF_OPENING,
    OPENING,
    ArchiveRecord,
    ArchiveSeat,
    Note,
    archive_match,
    may_be_archived,
    notes_of,
)
from projections.follow import FollowedStep
from projections.platform.merging import Merge
from projections.platform.statements import upsert
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
Index("archive_by_end", ARCHIVE_LINES.c.ended_at, ARCHIVE_LINES.c.place)
COUNTED: Final = ("times", "wins", "margin")
MERGED: Final = {
    "explorer_things": Merge(added=COUNTED),
    "explorer_openings": Merge(added=COUNTED),
}

LINES: Final = ARCHIVE_LINES.c
PLAYERS: Final = ARCHIVE_PLAYERS.c
THINGS: Final = ARCHIVE_THINGS.c
OPENINGS: Final = ARCHIVE_OPENINGS.c
NOTED: Final = ARCHIVE_NOTES.c
AT_PLACE: Final[BindParameter[int]] = bindparam("place")
OF_LINE: Final = NOTED.line_id == bindparam("line_id")

ADD_THING: Final = upsert(EXPLORER_THINGS, added=COUNTED)
ADD_OPENING: Final = upsert(EXPLORER_OPENINGS, added=COUNTED, kept=("next",))
FORGET_THINGS: Final = delete(EXPLORER_THINGS).where(
    EXPLORER_THINGS.c.title == bindparam("title"),
    EXPLORER_THINGS.c.seats == bindparam("seats"),
    EXPLORER_THINGS.c.times == 0,
)
FORGET_OPENING: Final = delete(EXPLORER_OPENINGS).where(
    EXPLORER_OPENINGS.c.path == bindparam("path"), EXPLORER_OPENINGS.c.times == 0
)
WRITE_NOTE: Final = insert(ARCHIVE_NOTES)
READ_NOTES: Final = (
    select(NOTED.version, NOTED.seat, NOTED.kind, NOTED.thing, NOTED.round)
    .where(OF_LINE)
    .order_by(NOTED.version, NOTED.number)
)
FORGET_NOTES: Final = delete(ARCHIVE_NOTES).where(OF_LINE, NOTED.version > bindparam("version"))
COUNT_OPENING: Final = select(func.count()).select_from(ARCHIVE_NOTES).where(OF_LINE, NOTED.kind == OF_OPENING)
READ_KEPT: Final = select(ARCHIVE_KEPT.c.place, ARCHIVE_KEPT.c.notes, ARCHIVE_KEPT.c.detail).where(
    ARCHIVE_KEPT.c.line_id == bindparam("line_id")
)
WRITE_KEPT: Final = upsert(ARCHIVE_KEPT, kept=("place", "notes"))
WRITE_LINE: Final = insert(ARCHIVE_LINES)
WRITE_PLAYER: Final = insert(ARCHIVE_PLAYERS)
WRITE_THING: Final = insert(ARCHIVE_THINGS)
WRITE_OPENING: Final = insert(ARCHIVE_OPENINGS)
REMOVE_LINE: Final = delete(ARCHIVE_LINES).where(LINES.place == AT_PLACE)
REMOVE_PLAYER: Final = delete(ARCHIVE_PLAYERS).where(PLAYERS.player == bindparam("player"), PLAYERS.place == AT_PLACE)
REMOVE_THING: Final = delete(ARCHIVE_THINGS).where(
    THINGS.title == bindparam("title"), THINGS.thing == bindparam("thing"), THINGS.place == AT_PLACE
)
REMOVE_OPENING: Final = delete(ARCHIVE_OPENINGS).where(OPENINGS.path == bindparam("path"), OPENINGS.place == AT_PLACE)
OPENING_LOOKUPS_MAX: Final = 8 * OPENING
"""Actions after which no opening is looked up, even if many were taken back."""
NOTES: Final = msgspec.json.Decoder(tuple[Note, ...])


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Note choices of running matches and add ended ones; update a match when a ruling changes its result.

    Imported matches, demonstrations, forks and matches on one device are ignored.
    """
    for step in steps:
        if not may_be_archived(step.match, imported=step.imported):
            continue
        if step.match.is_over:
            close(transaction, step)
        else:
            note(transaction, step)


def note(transaction: Transaction, step: FollowedStep) -> None:
    """Note the choices of an entry in a running match; a take-back deletes the notes after the entry it returns to."""
    line_id = str(step.line_id)
    if isinstance(step.fact, TakenBack):
        transaction.change(FORGET_NOTES, line_id=line_id, version=step.fact.to_version)
        return
    noted_count = OPENING
    if sum(step.match.action_counts) <= OPENING_LOOKUPS_MAX:
        noted_count = int(transaction.rows(COUNT_OPENING, line_id=line_id)[0][0])
    for number, found in enumerate(notes_of(step, noted_count)):
        trait = found.trait
        transaction.change(
            WRITE_NOTE,
            line_id=line_id,
            version=found.version,
            number=number,
            seat=trait.seat,
            kind=trait.kind,
            thing=trait.thing,
            round=trait.number,
        )


def close(transaction: Transaction, step: FollowedStep) -> None:
    """Add, update or remove a match that is over, and delete its notes.

    It keeps the length and time of its first end.
    """
    line_id = str(step.line_id)
    rows = transaction.rows(READ_KEPT, line_id=line_id)
    if rows:
        place, notes = int(rows[0][0]), NOTES.decode(rows[0][1])
        previous = None if rows[0][2] is None else KEPT.decode(rows[0][2])
    else:
        place, previous = step.position, None
        notes = tuple(
            Note(version, Trait(seat, kind, thing, round_))
            for version, seat, kind, thing, round_ in transaction.rows(READ_NOTES, line_id=line_id)
        )
        transaction.change(FORGET_NOTES, line_id=line_id, version=0)
    record = archive_match(step, place, notes)
    if record is not None and previous is not None:
        # Later entries of a finished match are not part of its play.
        record = msgspec.structs.replace(record, entries=previous.entries, ended_at=previous.ended_at)
    if previous is not None and previous != record:
        remove(transaction, previous)
    if record is not None and previous != record:
        add(transaction, record)
    detail = None if record is None else encode_json(record)
    transaction.change(WRITE_KEPT, line_id=line_id, place=place, notes=encode_json(notes), detail=detail)


def encode_json(value: object) -> bytes:
    """Encode a value as JSON with sorted keys."""
    return msgspec.json.encode(value, order="deterministic")


def add(transaction: Transaction, record: ArchiveRecord) -> None:
    """Add a match to the archive and the statistics."""
    place = record.place
    transaction.change(
        WRITE_LINE,
        place=place,
        line_id=str(record.line_id),
        title=record.title,
        seats=len(record.seats),
        people=int(record.is_of_people),
        edition=record.edition,
        event=record.event,
        rated=int(record.rated),
        score=max(seat.score for seat in record.seats),
        entries=record.entries,
        ended_at=record.ended_at,
        how=record.end,
    )
    for player in players_of(record):
        transaction.change(WRITE_PLAYER, player=player, place=place)
    for thing in record.things:
        transaction.change(WRITE_THING, title=record.title, thing=thing, place=place)
    for move in record.opening:
        transaction.change(WRITE_OPENING, path=move.next, place=place, version=move.version, seat=move.seat)
    count(transaction, record, 1)


def remove(transaction: Transaction, record: ArchiveRecord) -> None:
    """Remove a match from the archive and subtract it from the statistics."""
    place = record.place
    transaction.change(REMOVE_LINE, place=place)
    for player in players_of(record):
        transaction.change(REMOVE_PLAYER, player=player, place=place)
    for thing in record.things:
        transaction.change(REMOVE_THING, title=record.title, thing=thing, place=place)
    for move in record.opening:
        transaction.change(REMOVE_OPENING, path=move.next, place=place)
    count(transaction, record, -1)
    transaction.change(FORGET_THINGS, title=record.title, seats=len(record.seats))
    for move in record.opening:
        transaction.change(FORGET_OPENING, path=move.path)


def players_of(record: ArchiveRecord) -> list[str]:
    """Return the players of a match, sorted."""
    return sorted({seat.actor for seat in record.seats})


def count(transaction: Transaction, record: ArchiveRecord, sign: int) -> None:
    """Add the choices of every seat to the statistics, each once, or subtract them (`sign` -1).

    Matches that continue from another line are not counted.
    """
    if not record.is_counted:
        return
    for trait in sorted(set(record.traits), key=trait_order):
        seat = record.seats[trait.seat]
        transaction.change(
            ADD_THING,
            title=record.title,
            seats=len(record.seats),
            who=seat.who,
            kind=trait.kind,
            number=trait.number,
            thing=trait.thing,
            **choice_increments(seat, sign),
        )
    for move in record.opening:
        seat = record.seats[move.seat]
        transaction.change(
            ADD_OPENING,
            path=move.path,
            who=seat.who,
            action=move.action,
            next=move.next,
            **choice_increments(seat, sign),
        )


def trait_order(trait: Trait) -> tuple[int, str, int, str]:
    """Return the sort key of a trait."""
    return trait.seat, trait.kind, trait.number, trait.thing


def choice_increments(seat: ArchiveSeat, sign: int) -> dict[str, int]:
    """Return the increments of a choice: frequency, win and margin."""
    return {"times": sign, "wins": sign * (seat.place == 1), "margin": sign * seat.margin}
