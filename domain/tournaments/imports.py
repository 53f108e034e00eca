"""Import and export of players and results as CSV or JSON; importing a file again changes nothing."""

import csv
import hashlib
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, Final, Literal

import msgspec

from domain.kernel.texts import fault_of_line, name_key
from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.matches.seats.acceptance import needs_acceptance
from domain.standings.errors import ImportRefused, PlacesContradict
from domain.tournaments import facts, registration, rounds
from domain.tournaments.entries import EntryIndex, TournamentEntry
from domain.tournaments.errors import EnteredAlready
from domain.tournaments.invitation_facts import SCOPES, PersonInvited
from domain.tournaments.state import Tournament

ROWS_MAX: Final = 10_000
LINE_MAX: Final = 10_000


Cell = Annotated[str, msgspec.Meta(max_length=200)]
"""A cell of a file, at most as long as a form field."""


class PlayerRow(Value, frozen=True, omit_defaults=True):
    """A player to enter.

    `person` names an account by id or name, or a bot by its full name; without it the player plays face to face.
    `entry` and `status` occur in exported files: an entry that exists stays as it is, and a withdrawn one is imported
    as withdrawn.
    """

    name: Cell
    person: Cell = ""
    club: Cell = ""
    family: Cell = ""
    seeding: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    entry: str = ""
    status: Literal["in", "waiting", "withdrawn"] = "in"


class ResultRow(Value, frozen=True, omit_defaults=True):
    """The result of one player at a table; `player` is the name or the id of the entry."""

    round: Annotated[int, msgspec.Meta(ge=1, le=1_000)]
    table: Annotated[int, msgspec.Meta(ge=1, le=2_000)]
    player: str
    score: Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)]
    place: Annotated[int, msgspec.Meta(ge=1, le=5)]


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of a file, by which a repeated import is recognised."""
    return hashlib.sha256(content).hexdigest()


def rows_of(content: bytes, kind: Any) -> tuple[Any, ...]:
    """Return the rows of a JSON list or a CSV file; the heading may leave out optional columns.

    Raise `ImportRefused`, naming the line, if the file is invalid, or if it has no row or more than `ROWS_MAX`.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportRefused(f"the file is not UTF-8 text: invalid byte at position {error.start}") from error
    if text.lstrip().startswith("["):
        try:
            decoded: tuple[Any, ...] = msgspec.json.decode(text, type=tuple[kind, ...])
        except msgspec.MsgspecError as error:
            raise ImportRefused(f"the file is not a list of such rows: {error}") from error
        rows = check_count(decoded)
        return tuple(check_texts(f"row {number}", row) for number, row in enumerate(rows, start=1))
    return check_count(tuple(islice(csv_rows(text, kind), ROWS_MAX + 1)))


def check_count(rows: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the rows; raise `ImportRefused` unless their number is between 1 and `ROWS_MAX`."""
    if not 1 <= len(rows) <= ROWS_MAX:
        raise ImportRefused(f"a file has 1 to {ROWS_MAX} rows, not {'more' if rows else 0}")
    return rows


def check_texts(position: str, row: Value) -> Value:
    """Return the row; raise `ImportRefused` for a text with a line break or a control character, such as NUL."""
    for name in row.__struct_fields__:
        text = getattr(row, name)
        if isinstance(text, str) and (fault := fault_of_line(f"{position}: the column {name!r}", text)):
            raise ImportRefused(fault)
    return row


def csv_rows(text: str, kind: object) -> Iterator[Any]:
    """Yield the rows of CSV, separated by commas or semicolons; empty lines and empty optional cells are left out.

    Raise `ImportRefused`, naming the line, for a bad heading or row. The case of the heading is ignored.
    """
    first = text.split("\n", 1)[0]
    reader = csv.reader(short_lines(text), delimiter=";" if first.count(";") > first.count(",") else ",")
    lines = enumerate(csv_lines(reader), start=1)
    heading = [name.lower() for name in next(lines, (1, list[str]()))[1]]
    needed = check_heading(heading, kind)
    for number, cells in lines:
        if not any(cells):
            continue
        if len(cells) != len(heading):
            raise ImportRefused(f"line {number}: {len(cells)} columns instead of {len(heading)}")
        values = {name: cell for name, cell in zip(heading, cells, strict=True) if cell or name in needed}
        yield row_of(f"line {number}", values, kind)


def short_lines(text: str) -> Iterator[str]:
    """Yield the lines of a file; raise `ImportRefused` for a line that is too long.

    The CSV reader is slow on a line with a million cells.
    """
    for number, line in enumerate(io.StringIO(text), start=1):
        check_length(number, line)
        yield line


def check_length(number: int, line: str) -> None:
    """Raise `ImportRefused` for a line longer than any row can be."""
    if len(line) > LINE_MAX:
        raise ImportRefused(f"line {number}: a line has at most {LINE_MAX} characters")


def csv_lines(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    """Yield lines of cells, stripped of blanks and of the escapes of `csv_of`; raise `ImportRefused` for bad CSV."""
    try:
        for cells in reader:
            yield [unescape_formula(cell.strip()) for cell in cells]
    except csv.Error as error:
        raise ImportRefused(f"cannot read the file as CSV: {error}") from error


def check_heading(heading: Sequence[str], kind: Any) -> set[str]:
    """Return the columns that a file needs; raise `ImportRefused` if one is missing, unknown or repeated."""
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    needed = {name for name, field in fields.items() if field.required}
    if unknown := [name for name in heading if name not in fields]:
        raise ImportRefused(f"line 1: unknown column {unknown[0]!r}; known: {', '.join(fields)}")
    if missing := needed - set(heading):
        raise ImportRefused(f"line 1: the column {min(missing)!r} is missing; required: {', '.join(sorted(needed))}")
    if len(set(heading)) < len(heading):
        raise ImportRefused("line 1: a column appears twice")
    return needed


def row_of(position: str, values: Mapping[str, str], kind: object) -> Any:
    """Convert the cells of a row; raise `ImportRefused` if invalid, naming the row by `position`."""
    try:
        return check_texts(position, msgspec.convert(values, kind, strict=False))
    except msgspec.ValidationError as error:
        raise ImportRefused(f"{position}: {error}") from error


def import_players(
    state: Tournament, rows: Sequence[PlayerRow], actors: dict[str, Actor], digest: str, by: Actor
) -> tuple[facts.Fact, ...]:
    """Enter all people of the file, or none, with a note of the import; a file imported before gives no facts.

    `actors` maps names in the file to accounts, which are invited; rows marked as withdrawn are entered and
    withdrawn. Rows of entries that exist, and of accounts that withdrew or declined, change nothing. Raise
    `ImportRefused` for an unknown account, `EnteredAlready` for a double entry, naming the row, and
    `TournamentRefused` as `enter`.
    """
    if digest in state.imports:
        return ()
    decided: list[facts.Fact] = []
    index = EntryIndex(state.entries, state.invitations.made.values())
    count, entries = 0, {entry.id: entry for entry in state.entries}
    for number, row in enumerate(rows, start=1):
        if is_same(entries.get(row.entry), row, actors):
            continue
        if row.person and row.person not in actors:
            raise ImportRefused(f"row {number}: no account with the id or name {row.person!r}")
        actor = actors.get(row.person, "")
        if needs_acceptance(by, actor) and (
            row.status == "withdrawn" or state.invitations.has_declined(actor, *SCOPES)
        ):
            continue
        try:
            fact = registration.enter(
                state,
                by,
                actor=actor,
                name=row.name,
                club=row.club,
                family=row.family,
                seeding=row.seeding,
                as_organiser=True,
                reason=f"file {digest[:12]}",
                index=index,
            )
        except EnteredAlready as already:
            raise EnteredAlready(f"row {number}: {already}") from already
        decided.append(fact)
        count += 1
        if isinstance(fact, PersonInvited):
            continue
        entries[fact.entry] = TournamentEntry(fact.entry, fact.actor, fact.name)
        if row.status == "withdrawn":
            decided.append(facts.EntryWithdrawn(by, fact.entry, f"file {digest[:12]}"))
            index.in_count -= not fact.waiting
    return (*decided, facts.ImportNoted(by, "players", digest, count))


def is_same(entry: TournamentEntry | None, row: PlayerRow, actors: dict[str, Actor]) -> bool:
    """Return whether a row of an exported file describes this entry: same account or, without one, same name."""
    return (
        entry is not None
        and entry.actor == actors.get(row.person, "")
        and (entry.actor != "" or name_key(entry.name) == name_key(row.name))
    )


def import_results(
    state: Tournament, rows: Sequence[ResultRow], names: dict[str, str], digest: str, by: Actor, *, sure: bool = False
) -> tuple[facts.Fact, ...]:
    """Enter the results of the file by hand, all or none; `names` maps entry ids to names.

    A file imported before gives no facts. Players are named by entry or name. Raise `ImportRefused` for unknown,
    repeated or missing players of a table, `NoSuchRound` for an unknown table, `WrongResult` for invalid results,
    `PlacesContradict` without `sure`, and `TournamentRefused` for a table that is played on this server.
    """
    if digest in state.imports:
        return ()
    entries = {name_key(name): entry for entry, name in names.items()}
    tables: dict[tuple[int, int], dict[str, ResultRow]] = {}
    for number, row in enumerate(rows, start=1):
        entry = row.player if row.player in names else entries.get(name_key(row.player))
        if entry is None:
            raise ImportRefused(f"row {number}: no player named {row.player!r} in this event")
        table_rows = tables.setdefault((row.round, row.table), {})
        if entry in table_rows:
            raise ImportRefused(f"row {number}: {row.player!r} appears twice at table {row.table} of round {row.round}")
        table_rows[entry] = row
    decided: list[facts.Fact] = []
    for (round_, table), by_player in tables.items():
        round_table = rounds.table_of(state, round_, table)
        if misplaced := sorted(set(round_table.entries) ^ set(by_player)):
            problem = "is not seated" if misplaced[0] in by_player else "is missing"
            raise ImportRefused(f"{names[misplaced[0]]!r} {problem} at table {table} of round {round_}")
        scores = [by_player[name].score for name in round_table.entries]
        places = [by_player[name].place for name in round_table.entries]
        try:
            decided.append(
                rounds.enter_result(state, round_, table, scores, places, by, f"file {digest[:12]}", sure=sure)
            )
        except PlacesContradict as contradiction:
            raise PlacesContradict(f"table {table} of round {round_}: {contradiction}") from contradiction
    return (*decided, facts.ImportNoted(by, "results", digest, len(decided)))


def csv_of(heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """Return CSV for spreadsheets, with formulas escaped as text."""
    return csv_of_rows((heading,)) + csv_of_rows(rows)


def csv_of_rows(rows: Iterable[Sequence[Any]]) -> bytes:
    """Return further rows of CSV, with formulas escaped as text."""
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\r\n")
    for row in rows:
        writer.writerow([escape_formula(cell) for cell in row])
    return output.getvalue().encode()


FORMULA: Final = frozenset("=+-@\t\r\n＝＋－＠")
"""First characters that a spreadsheet takes for the start of a formula."""


def escape_formula(cell: object) -> Any:
    """Escape a cell that a spreadsheet would take for a formula; numbers stay as they are."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in FORMULA and not is_number(cell) else cell


def unescape_formula(cell: str) -> str:
    """Undo `harmless` on an imported cell."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in FORMULA else cell


def is_number(cell: str) -> bool:
    """Return whether a cell is a plain decimal number."""
    return cell.lstrip("-").replace(".", "", 1).isdigit()
