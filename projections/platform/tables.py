"""Column types and DDL for tables declared once for SQLite and PostgreSQL.

Use only these types: driver connections do not convert values (`statements.py`), and both drivers accept and return
them unchanged.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    create_mock_engine,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import CreateColumn, CreateIndex, CreateTable, ExecutableDDLElement
from sqlalchemy.sql.compiler import DDLCompiler
from sqlalchemy.sql.elements import quoted_name

from projections.platform.statements import POSTGRES_DIALECT, ROWID, SQLITE_DIALECT

WORDS: Final = Text()
"""Text for people. No statement compares or orders it."""
KEY: Final = Text(collation="C").with_variant(Text(), "sqlite")
"""Text that statements compare or order: by its bytes, whatever the language of a server is."""
NUMBER: Final = BigInteger().with_variant(Integer(), "sqlite")
"""A number below 2**63."""
BYTES: Final = LargeBinary()

TEXT: Final = Text()
"""Text in read models, compared and ordered as the database does. One collation for all of them, so that they join."""

READ_MODELS: Final = MetaData()

IS_NEVER_REUSED: Final = "is_never_reused"
CONDITION: Final = "condition"
MOCKS: Final = {SQLITE_DIALECT: "sqlite://", POSTGRES_DIALECT: "postgresql+psycopg://"}
"""The names by which SQLAlchemy finds a dialect when nothing is connected."""


def row_number(*, is_never_reused: bool = False) -> tuple[Column[Any], UniqueConstraint]:
    """Return the column by which lists of rows are ordered, which the database itself numbers.

    In an SQLite file it is the implicit one. With `is_never_reused` it is the primary key there, and the key that the
    table declares is unique: otherwise SQLite gives the number of a deleted row to a new one.
    """
    column = Column(ROWID, NUMBER, Identity(), nullable=False, info={IS_NEVER_REUSED: is_never_reused})
    return column, UniqueConstraint(ROWID).ddl_if(dialect="postgresql")


def has_own_number(column: Any) -> bool:
    """Return whether a column is a row number that is never reused."""
    return bool(column.info.get(IS_NEVER_REUSED))


@compiles(CreateColumn, "sqlite")
def create_column(create: CreateColumn, compiler: DDLCompiler, **options: object) -> str | None:
    """Return the definition of a column in an SQLite file, or None for a column that SQLite adds itself."""
    if create.element.name != ROWID:
        return str(compiler.visit_create_column(create, **options))  # type: ignore[no-untyped-call]  # untyped in SQLAlchemy
    return f"{ROWID} INTEGER PRIMARY KEY AUTOINCREMENT" if has_own_number(create.element) else None


@compiles(PrimaryKeyConstraint, "sqlite")
def create_key(key: PrimaryKeyConstraint, compiler: DDLCompiler, **options: object) -> str:
    """Return the definition of a primary key in an SQLite file; UNIQUE if row numbers are never reused."""
    if any(map(has_own_number, key.table.columns)):
        return f"UNIQUE ({', '.join(compiler.preparer.quote(column.name) for column in key.columns)})"
    return str(compiler.visit_primary_key_constraint(key, **options))


def definitions(metadata: MetaData, dialect: str) -> list[str]:
    """Return the texts of the statements that create all tables and indexes, referenced tables first."""
    found = list[str]()

    def note(definition: ExecutableDDLElement, *_: object) -> None:
        found.append(str(definition.compile(dialect=engine.dialect)).strip())

    engine = create_mock_engine(MOCKS[dialect], note)
    metadata.create_all(engine, checkfirst=False)
    return found


def read_model(name: str, *columns: Column[Any], sqlite_with_rowid: bool = True) -> Table:
    """Return a table of the read models. Its name is in braces, so that a rebuild can add a suffix."""
    for column in columns:
        # The log gives the numbers; PostgreSQL would create a sequence for the only column of a key.
        column.autoincrement = False
    braced = quoted_name(f"{{{name}}}", quote=False)
    return Table(braced, READ_MODELS, *columns, sqlite_with_rowid=sqlite_with_rowid)


def partial_index(name: str, *columns: Column[Any], where: ColumnElement[bool]) -> Index:
    """Return an index on the rows that fulfil a condition."""
    return Index(name, *columns, sqlite_where=where, info={CONDITION: where})


@compiles(CreateIndex, POSTGRES_DIALECT)
def create_index(create: CreateIndex, compiler: DDLCompiler, **options: Any) -> str:
    """Return the definition of an index in PostgreSQL, with its condition.

    `postgresql_where` at the declaration would load the dialect of PostgreSQL into every process, which takes 2 MB.
    """
    index = create.element
    if CONDITION in index.info:
        index.dialect_kwargs["postgresql_where"] = index.info[CONDITION]
    return str(compiler.visit_create_index(create, **options))  # type: ignore[no-untyped-call]  # untyped in SQLAlchemy


def by_name(*tables: Table) -> Mapping[str, Table]:
    """Return tables of read models by their names without braces."""
    return {table.name.strip("{}"): table for table in tables}


def indexes_of(table: Table) -> Sequence[Index]:
    """Return the indexes of a table in a fixed order."""
    return sorted(table.indexes, key=lambda index: str(index.name))


def creation_of(table: Table, *, if_not_exists: bool = False) -> list[ExecutableDDLElement]:
    """Return the statements that create a table and its indexes."""
    indexes = (CreateIndex(index, if_not_exists=if_not_exists) for index in indexes_of(table))
    return [CreateTable(table, if_not_exists=if_not_exists), *indexes]
