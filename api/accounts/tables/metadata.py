"""Shared parts of the tables in the accounts database."""

from typing import Any, Final

from sqlalchemy import Column, ForeignKey, MetaData

from projections.platform.tables import KEY

METADATA: Final = MetaData()


def key(name: str) -> Column[Any]:
    """Return a column of the primary key."""
    return Column(name, KEY, primary_key=True)


def of_person(name: str = "person", *, is_key: bool = False, is_optional: bool = False) -> Column[Any]:
    """Return a column with the id of a person. The row is deleted with the person."""
    person = ForeignKey("people.id", ondelete="CASCADE")
    return Column(name, KEY, person, primary_key=is_key, nullable=is_optional)
