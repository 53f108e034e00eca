"""SQL statements as SQLAlchemy Core expressions, compiled once per dialect and run on driver connections.

SQLAlchemy's engine and session are not used, because both cost three times the query itself (decision 0067).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar
from weakref import WeakKeyDictionary, ref

from sqlalchemy import (
    BindParameter,
    ClauseElement,
    ColumnElement,
    Dialect,
    Insert,
    Table,
    TableClause,
    bindparam,
    insert,
)
from sqlalchemy.dialects.sqlite import dialect as sqlite_dialect
from sqlalchemy.dialects.sqlite import insert as excluding_insert
from sqlalchemy.dialects.sqlite.dml import OnConflictDoNothing, OnConflictDoUpdate
from sqlalchemy.sql.base import SyntaxExtension
from sqlalchemy.sql.compiler import DDLCompiler, SQLCompiler

from domain.kernel.loading import load

SQLITE_DIALECT: Final = "sqlite"
POSTGRES_DIALECT: Final = "postgresql"
ROWS_MAX: Final = 128
"""The largest number of rows of `Sized`. SQLAlchemy takes 0.1 ms per row to write the text, once in a process."""
KEPT_LENGTH_MAX: Final = 128
"""The longest list of an `IN` for which the text of the statement is kept."""
ROWID: Final = "rowid"
"""The name of the column by which SQLite numbers the rows of a table. PostgreSQL gets a column of that name."""


class Sized(NamedTuple):
    """A statement for a number of rows, whose values are given by position, row by row.

    One statement for many rows takes a third of the time of one statement per row (decision 0067).
    """

    build: Callable[[int], ClauseElement]
    row_count: int


class Suffixed(NamedTuple):
    """A statement for tables whose names have a suffix."""

    statement: ClauseElement | Sized
    suffix: str


Statement = str | ClauseElement | Sized | Suffixed
"""A Core expression with named parameters. Or text, as the driver takes it: settings and checks of one database."""
Row = TypeVar("Row")
Bound = tuple[str, Sequence[Any]]
"""The text of a statement in the dialect of a driver, and its values by position."""


class TableNames(dict[str, str]):
    """The names of tables in braces: `{boards}` is `boards` and the suffix of the tables in use."""

    def __init__(self, suffix: str) -> None:
        self.suffix = suffix

    def __missing__(self, name: str) -> str:
        return name + self.suffix


class Expanding:
    """A statement with lists of any length. Texts for short lists are kept, because writing one takes 0.3 ms."""

    def __init__(self, statement: ClauseElement, dialect: str, order: Sequence[str], lists: Container[str]) -> None:
        # A strong reference would keep the statement, and so its entry among the compiled ones, for ever.
        self._statement: Final = ref(statement)
        self._dialect: Final = dialect
        self.lists: Final = frozenset(name for name in order if name in lists)
        """The names of the values that are lists."""
        self._order: Final = tuple((name, name in self.lists) for name in order)
        self._texts: Final[dict[tuple[int, ...], str]] = {}

    def bind(self, named: Mapping[str, Any], tables: TableNames) -> Bound:
        """Return text and values for lists of these lengths; raise `KeyError` for a wrong name."""
        values: list[Any] = []
        lengths: list[int] = []
        for name, is_list in self._order:
            if is_list:
                values += named[name]
                lengths.append(len(named[name]))
            else:
                values.append(named[name])
        key = tuple(lengths)
        text = self._texts.get(key)
        if text is None:
            text = self._expand(named).format_map(tables)
            if max(key) <= KEPT_LENGTH_MAX:
                self._texts[key] = text
        return text, values

    def _expand(self, named: Mapping[str, Any]) -> str:
        """Compile the statement for lists of these lengths, with its tables in braces."""
        statement = self._statement()
        assert statement is not None, "the caller has the statement"
        compiler = statement.compile(dialect=dialect_of(self._dialect))
        assert isinstance(compiler, SQLCompiler)
        return compiler.construct_expanded_state(named).statement


class Compiled(NamedTuple):
    """A statement in one dialect, for tables with one suffix."""

    text: str
    tables: TableNames
    order: Sequence[str]
    """The name of the value at each position."""
    fixed: Mapping[str, Any]
    """The values that the statement itself contains."""
    named_count: int
    expanding: Expanding | None
    """The lists of a statement with lists of any length (`IN`)."""

    def bind(self, named: Mapping[str, Any]) -> Bound:
        """Return text and values; raise `TypeError` for a wrong number of names, `KeyError` for a wrong name."""
        if len(named) != self.named_count:
            raise TypeError(f"{self.text!r} takes {self.named_count} values, not {sorted(named)}")
        if self.fixed:
            named = {**self.fixed, **named}
        if self.expanding is not None:
            return self.expanding.bind(named, self.tables)
        return self.text, [named[name] for name in self.order]


_compiled: Final = WeakKeyDictionary[ClauseElement, dict[tuple[str, str], Compiled]]()


@cache
def dialect_of(name: str) -> Dialect:
    """Return the dialect of a database, with parameters by position."""
    if name == SQLITE_DIALECT:
        return sqlite_dialect(paramstyle="qmark")
    # A late import saves a tenth of the library, which a service on files does not need.
    dialect: Dialect = load("sqlalchemy.dialects.postgresql.psycopg", "dialect")(paramstyle="format")
    return dialect


def compile_statement(statement: ClauseElement, dialect: str, suffix: str = "") -> Compiled:
    """Return the statement as this dialect writes it, compiled once for each dialect and suffix of tables."""
    variants = _compiled.get(statement)
    if variants is None:
        variants = _compiled[statement] = {}
    compiled = variants.get((dialect, suffix))
    if compiled is None:
        compiled = variants[dialect, suffix] = _compile(statement, dialect, TableNames(suffix))
    return compiled


def _compile(statement: ClauseElement, dialect: str, tables: TableNames) -> Compiled:
    """Compile a statement, with the order of its values, and the values that are fixed or lists of any length."""
    compiler = statement.compile(dialect=dialect_of(dialect))
    if isinstance(compiler, DDLCompiler):
        return Compiled(compiler.string.strip().format_map(tables), tables, (), {}, 0, None)
    assert isinstance(compiler, SQLCompiler)
    order = tuple(compiler.positiontup or ())
    needed = {name for name in order if compiler.binds[name].required}
    fixed = {name: value for name, value in compiler.params.items() if name in order and name not in needed}
    lists = {name for name in order if compiler.binds[name].expanding}
    if lists and not needed:
        # Built for this call, with its lists.
        state = compiler.construct_expanded_state(fixed)
        return Compiled(
            state.statement.format_map(tables), tables, tuple(state.positiontup or ()), state.parameters, 0, None
        )
    text = compiler.string.format_map(tables)
    expanding = Expanding(statement, dialect, order, lists) if lists else None
    return Compiled(text, tables, order, fixed, len(needed), expanding)


@cache
def text_of(statement: Sized, dialect: str, suffix: str) -> str:
    """Return the text of a statement for a number of rows. `in_sizes` has few numbers, so that few texts are kept."""
    return _compile(statement.build(statement.row_count), dialect, TableNames(suffix)).text


def in_sizes(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Yield all rows in order, in groups for `Sized`: as large as possible, each a power of two.

    A group has at most `ROWS_MAX` rows.
    """
    start = 0
    while start < len(rows):
        size = min(ROWS_MAX, 1 << (len(rows) - start).bit_length() - 1)
        yield rows[start : start + size]
        start += size


def bind(statement: Statement, dialect: str, values: Sequence[Any], named: Mapping[str, Any]) -> Bound:
    """Return a statement in a dialect, with its values by position.

    Text takes positional values, an expression named ones; raise `TypeError` or `KeyError` for wrong names.
    """
    if isinstance(statement, str):
        return statement, values
    core, suffix = statement if isinstance(statement, Suffixed) else (statement, "")
    if isinstance(core, Sized):
        return text_of(core, dialect, suffix), values
    assert not values, "values of a Core statement have names"
    return compile_statement(core, dialect, suffix).bind(named)


def bind_all(statement: Statement, dialect: str, rows: Iterable[Any]) -> tuple[str, Iterable[Sequence[Any]]]:
    """Return a statement that runs once for each row, with the values of all rows by position.

    Raise `AssertionError` for a `Sized` statement or a list of any length.
    """
    if isinstance(statement, str):
        return statement, rows
    core, suffix = statement if isinstance(statement, Suffixed) else (statement, "")
    assert not isinstance(core, Sized), "it has its rows already"
    compiled = compile_statement(core, dialect, suffix)
    assert compiled.expanding is None, "a list of any length has one row"
    return compiled.text, [compiled.bind(row)[1] for row in rows]


def any_of(name: str) -> BindParameter[Any]:
    """Return a list of any length for the right side of `column.in_`; an empty list matches nothing."""
    return bindparam(name, expanding=True)


# The two dialects have the same syntax for this; SQLAlchemy declares it once for each.


class _Nothing(OnConflictDoNothing):
    inherit_cache = True
    constraint_target = None


class _Update(OnConflictDoUpdate):
    inherit_cache = True
    constraint_target = None


def insert_row(table: TableClause, *names: str) -> Insert:
    """Return an INSERT of the columns of these names, of all columns by default."""
    column_names = names or [column.name for column in table.columns if column.name != ROWID]
    return insert(table).values({name: bindparam(name) for name in column_names})


def insert_rows(table: TableClause, count: int) -> Insert:
    """Return an INSERT of all columns of `count` rows, for `Sized`."""
    names = [column.name for column in table.columns]
    return insert(table).values([{name: bindparam(f"{name}_{number}") for name in names} for number in range(count)])


def insert_new(table: TableClause, *names: str) -> Insert:
    """Return an INSERT of these columns, of all by default, that ignores a row whose unique values exist."""
    return insert_row(table, *names).ext(_Nothing())


def upsert(table: Table, *, added: Sequence[str] = (), kept: Sequence[str] = ()) -> Insert:
    """Return an INSERT of all columns that replaces an existing row except `kept` columns, and adds to `added`."""
    return insert_row(table).ext(_replace(table, added, kept))


def upsert_rows(table: Table, count: int, *, added: Sequence[str] = (), kept: Sequence[str] = ()) -> Insert:
    """Return the same for `count` rows, for `Sized`; their keys must differ."""
    return insert_rows(table, count).ext(_replace(table, added, kept))


def _replace(table: Table, added: Sequence[str], kept: Sequence[str]) -> SyntaxExtension:
    """Return the clause that overwrites an existing row, adds to `added` columns and leaves `kept` ones."""
    excluded, skipped_names = excluding_insert(table).excluded, (*kept, ROWID)
    overwritten = [column for column in table.columns if not column.primary_key and column.name not in skipped_names]
    changed = {
        each.name: each + excluded[each.name] if each.name in added else excluded[each.name] for each in overwritten
    }
    return _Update(list(table.primary_key), set_=changed)


def add_where_exists(table: Table, added: Sequence[str]) -> SyntaxExtension:
    """Return the clause that adds to these columns of an existing row, or leaves the row alone if there are none."""
    excluded = excluding_insert(table).excluded
    sums = {name: table.c[name] + excluded[name] for name in added}
    return _Update(list(table.primary_key), set_=sums) if sums else _Nothing()


def replace_where(table: Table, key: Sequence[str], replaced: str, condition: ColumnElement[bool]) -> SyntaxExtension:
    """Return the clause that replaces one column of an existing row with this key, if the row fulfils a condition."""
    excluded = excluding_insert(table).excluded
    return _Update([table.c[name] for name in key], set_={replaced: excluded[replaced]}, where=condition)
