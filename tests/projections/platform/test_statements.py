"""Core statements on driver connections, on SQLite and on PostgreSQL."""

import gc
from collections.abc import Iterator
from typing import Any, Final
from weakref import ref

import pytest
from sqlalchemy import Column, MetaData, Select, Table, bindparam, delete, insert, or_, select, update
from sqlalchemy.exc import InvalidRequestError
from sqlalchemy.schema import CreateTable
from sqlalchemy.sql import quoted_name

from projections.platform.statements import any_of, compile_statement, insert_new, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, KEY, NUMBER

METADATA: Final = MetaData()
BOARDS: Final = Table(
    quoted_name("{boards}", quote=False),
    METADATA,
    Column("id", KEY, primary_key=True),
    Column("seen", NUMBER, nullable=False),
    Column("many", NUMBER),
    Column("mark", BYTES),
)
ALL: Final = select(BOARDS.c.id, BOARDS.c.seen, BOARDS.c.many).order_by(BOARDS.c.id)
NAMED: Final = ALL.where(BOARDS.c.id.in_(any_of("ids")))
PUT: Final = upsert(BOARDS)
ADD: Final = upsert(BOARDS, added=("many",), kept=("seen",))
ADD_NEW: Final = insert_new(BOARDS)


@pytest.fixture
def store(any_store: ReadStore) -> ReadStore:
    any_store.ensure_tables("boards", "1", (BOARDS,))
    with any_store.transaction("_next") as transaction:
        transaction.change(CreateTable(BOARDS))
    return any_store


@pytest.fixture
def transaction(store: ReadStore) -> Iterator[Transaction]:
    with store.transaction() as transaction:
        yield transaction


def put(transaction: Transaction, statement: Any, *rows: tuple[str, int, int]) -> None:
    transaction.change_all(statement, ({"id": id, "seen": seen, "many": many, "mark": b"x"} for id, seen, many in rows))


def test_an_upsert_replaces_adds_and_keeps(transaction: Transaction) -> None:
    put(transaction, insert(BOARDS), ("a", 1, 1), ("b", 1, 1), ("c", 1, 1))

    put(transaction, PUT, ("a", 2**40, 5), ("d", 4, 4))
    put(transaction, ADD, ("b", 9, 5))
    put(transaction, ADD_NEW, ("c", 9, 9), ("e", 5, 5))

    assert transaction.rows(ALL) == [("a", 2**40, 5), ("b", 1, 6), ("c", 1, 1), ("d", 4, 4), ("e", 5, 5)]


def test_a_list_has_any_length(transaction: Transaction) -> None:
    put(transaction, PUT, *((id, 1, 1) for id in "abcd"))

    found = [[row[0] for row in transaction.rows(NAMED, ids=ids)] for ids in ([], ["c"], ["d", "x", "a"], ["b"])]

    assert found == [[], ["c"], ["a", "d"], ["b"]]


def test_values_of_statement_and_call_are_bound_correctly(transaction: Transaction) -> None:
    put(transaction, PUT, ("a", 1, 1), ("b", 2, 2), ("c", 3, 3))
    least = bindparam("least", type_=NUMBER)
    either = select(BOARDS.c.id).where(or_(BOARDS.c.seen >= least, BOARDS.c.id == "a", BOARDS.c.many > least))

    assert sorted(transaction.rows(either.limit(bindparam("limit")), least=3, limit=5)) == [("a",), ("c",)]
    assert transaction.change(update(BOARDS).where(BOARDS.c.id == bindparam("id")).values(many=None), id="a") == 1
    assert transaction.change(delete(BOARDS).where(BOARDS.c.many.is_(None))) == 1


def test_a_name_that_is_missing_or_unknown_is_an_error(transaction: Transaction) -> None:
    one = ALL.where(BOARDS.c.id == bindparam("id"))
    for statement, values in ((one, {}), (one, {"id": "a", "ids": "b"}), (one, {"ids": "a"}), (NAMED, {"id": ["a"]})):
        with pytest.raises((KeyError, TypeError, InvalidRequestError)):
            transaction.rows(statement, **values)


def test_tables_with_a_suffix_are_separate(store: ReadStore) -> None:
    with store.transaction("_next") as transaction:
        put(transaction, PUT, ("a", 1, 1))
        assert transaction.rows(NAMED, ids=["a"]) == transaction.rows(ALL) == [("a", 1, 1)]

    assert store.rows(ALL) == store.rows(NAMED, ids=["a"]) == []


def test_a_statement_is_compiled_once_for_each_dialect() -> None:
    statement: Select[Any] = ALL.where(BOARDS.c.id == bindparam("id"))

    texts = [compile_statement(statement, dialect) for dialect in ("sqlite", "postgresql")]

    assert texts[0].text != texts[1].text
    assert compile_statement(statement, "sqlite") is texts[0]
    assert compile_statement(statement, "postgresql") is texts[1]


@pytest.mark.parametrize("names", [["a", "b"], bindparam("names", expanding=True)])
def test_a_statement_with_a_list_is_freed_with_its_compiled_forms(names: Any) -> None:
    statement = select(BOARDS.c.id).where(BOARDS.c.id.in_(names))
    given = {} if isinstance(names, list) else {"names": ["a", "b"]}
    text, values = compile_statement(statement, "sqlite").bind(given)

    assert (text.count("?"), list(values)) == (2, ["a", "b"])
    left = ref(statement)
    del statement
    gc.collect()
    assert left() is None
