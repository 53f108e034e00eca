"""What players like to choose, as their title says it; counted once a match has ended, until then it can be secret."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Column

from domain.kernel.values import Value
from domain.matches.facts import ActionTaken, Actor, MatchEnded, TakenBack, Voided, action_of
from projections.follow import FollowedStep
from projections.platform.merging import Merge
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

MERGED: Final = {"habits": Merge(("player", "title", "kind", "thing"), added=("times",))}

ADD: Final = (
    "INSERT INTO {habits} (player, title, kind, thing, times) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (player, title, kind, thing) DO UPDATE SET times = {habits}.times + excluded.times"
)
READ: Final = "SELECT title, kind, thing, times FROM habits WHERE player = ? ORDER BY title, kind, times DESC, thing"


class Habit(Value, frozen=True):
    title: str
    kind: str
    thing: str
    times: int


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Notes choices while a match is played; when it has ended they count for the players who made them. Files,
    forks and matches on one device say nothing about anybody."""
    for step in steps:
        if step.imported or step.match.is_fork or step.match.table.is_one_device:
            continue
        line_id, fact = str(step.line_id), step.fact
        if isinstance(fact, ActionTaken):
            note(transaction, step, fact)
        elif isinstance(fact, TakenBack):
            forget = "DELETE FROM {habit_actions} WHERE line_id = ? AND version > ?"
            transaction.change(forget, line_id, fact.to_version)
        elif isinstance(fact, MatchEnded):
            count(transaction, line_id, step.match.title)
        elif isinstance(fact, Voided):
            transaction.change("DELETE FROM {habit_actions} WHERE line_id = ?", line_id)


def note(transaction: Transaction, step: FollowedStep, fact: ActionTaken[Any, Any]) -> None:
    """What an action says of the player, if its title counts it."""
    action = action_of(fact)
    choice = step.match.definition.habits.choices.get(getattr(getattr(action, "__struct_config__", None), "tag", ""))
    if choice is not None:
        transaction.change(
            "INSERT INTO {habit_actions} (line_id, version, player, kind, thing, times) VALUES (?, ?, ?, ?, ?, ?)",
            str(step.line_id),
            step.version,
            fact.by,
            *choice(msgspec.to_builtins(action)),
        )


def count(transaction: Transaction, line_id: str, title: str) -> None:
    rows = transaction.rows(
        "SELECT player, kind, thing, SUM(times) FROM {habit_actions} WHERE line_id = ?"
        " GROUP BY player, kind, thing ORDER BY player, kind, thing",
        line_id,
    )
    for player, kind, thing, times in rows:
        transaction.change(ADD, player, title, kind, thing, int(times))
    transaction.change("DELETE FROM {habit_actions} WHERE line_id = ?", line_id)


def of_player(store: ReadStore, player: Actor) -> tuple[Habit, ...]:
    """What somebody chose, of each kind the most frequent first."""
    return tuple(Habit(title, kind, thing, times) for title, kind, thing, times in store.rows(READ, player))
