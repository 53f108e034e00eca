"""Shared parts of the tables in the store of people."""

from typing import Any, Final

from sqlalchemy import Column, ForeignKey, MetaData

from projections.platform.tables import KEY

METADATA: Final = MetaData()


def of_person(name: str = "person", *, is_key: bool = False) -> Column[Any]:
    """Return a column with the id of a person. The row is deleted with the person."""
    return Column(name, KEY, ForeignKey("people.id", ondelete="CASCADE"), primary_key=is_key, nullable=False)
