"""Frequent choices of players by title, counted when a match ends, because they may be secret until then."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Column, bindparam, delete, func, insert, select

from domain.kernel.values import Value
from domain.matches.facts import ActionTaken, Actor, MatchEnded, TakenBack, Voided, action_of
from projections.follow import FollowedStep
from projections.platform.merging import Merge
from projections.platform.statements import upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import NUMBER, TEXT, by_name, read_model

NAME: Final = "habits"
SHAPE: Final = "2"
HABITS: Final = read_model(
    "habits",
    Column("player", TEXT, primary_key=True),
    Column("title", TEXT, primary_key=True),
    Column("kind", TEXT, primary_key=True),
    Column("thing", TEXT, primary_key=True),
    Column("times", NUMBER, nullable=False),
)
HABIT_ACTIONS: Final = read_model(
    "habit_actions",
    Column("line_id", TEXT, primary_key=True),
    Column("version", NUMBER, primary_key=True),
    Column("player", TEXT, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("thing", TEXT, nullable=False),
    Column("times", NUMBER, nullable=False),
)
TABLES: Final = by_name(HABITS, HABIT_ACTIONS)

MERGED: Final = {"habits": Merge(added=("times",))}

COLUMNS: Final = HABITS.c
ACTIONS: Final = HABIT_ACTIONS.c
OF_LINE: Final = ACTIONS.line_id == bindparam("line_id")
ADD: Final = upsert(HABITS, added=("times",))
READ: Final = (
    select(COLUMNS.title, COLUMNS.kind, COLUMNS.thing, COLUMNS.times)
    .where(COLUMNS.player == bindparam("player"))
    .order_by(COLUMNS.title, COLUMNS.kind, COLUMNS.times.desc(), COLUMNS.thing)
)
NOTE: Final = insert(HABIT_ACTIONS)
SUMS: Final = (
    select(ACTIONS.player, ACTIONS.kind, ACTIONS.thing, func.sum(ACTIONS.times))
    .where(OF_LINE)
    .group_by(ACTIONS.player, ACTIONS.kind, ACTIONS.thing)
    .order_by(ACTIONS.player, ACTIONS.kind, ACTIONS.thing)
)
FORGET: Final = delete(HABIT_ACTIONS).where(OF_LINE)
FORGET_LATER: Final = FORGET.where(ACTIONS.version > bindparam("version"))


class Habit(Value, frozen=True):
    """The number of times a player made a choice."""

    title: str
    kind: str
    thing: str
    times: int


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Note choices during a match and count them for their players at its end.

    Imported matches, forks and matches on one device are ignored; choices taken back and void matches do not
    count.
    """
    for step in steps:
        if step.imported or step.match.is_fork or step.match.table.is_one_device:
            continue
        line_id, fact = str(step.line_id), step.fact
        if isinstance(fact, ActionTaken):
            note(transaction, step, fact)
        elif isinstance(fact, TakenBack):
            transaction.change(FORGET_LATER, line_id=line_id, version=fact.to_version)
        elif isinstance(fact, MatchEnded):
            count(transaction, line_id, step.match.title)
        elif isinstance(fact, Voided):
            transaction.change(FORGET, line_id=line_id)


def note(transaction: Transaction, step: FollowedStep, fact: ActionTaken[Any, Any]) -> None:
    """Note the choice of an action if its title counts it."""
    action = action_of(fact)
    choice = step.match.definition.habits.choices.get(getattr(getattr(action, "__struct_config__", None), "tag", ""))
    if choice is not None:
        kind, thing, times = choice(msgspec.to_builtins(action))
        transaction.change(
            NOTE,
            line_id=str(step.line_id),
            version=step.version,
            player=fact.by,
            kind=kind,
            thing=thing,
            times=times,
        )


def count(transaction: Transaction, line_id: str, title: str) -> None:
    """Add the noted choices of an ended match to the counts of its players, and delete the notes."""
    for player, kind, thing, times in transaction.rows(SUMS, line_id=line_id):
        transaction.change(ADD, player=player, title=title, kind=kind, thing=thing, times=int(times))
    transaction.change(FORGET, line_id=line_id)


def of_player(store: ReadStore, player: Actor) -> tuple[Habit, ...]:
    """Return the choices of a player, by kind and frequency."""
    return tuple(Habit(title, kind, thing, times) for title, kind, thing, times in store.rows(READ, player=player))
