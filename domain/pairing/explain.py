"""Explanations of tables: the reasons for each, and the cost of the nearest alternative."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from domain.kernel.messages import N_, Message
from domain.pairing.evaluation import table_costs
from domain.pairing.levels import ALL_LEVELS, CLUBS, FAMILIES, HARD, REPEATS, SCORES, SEATS, SHORT
from domain.pairing.problem import Entrant, Pairing, Problem, pair_of
from domain.standings.points import points_text

COSTS: Final = {
    HARD: N_("a broken pairing rule"),
    REPEATS: N_("a repeated meeting"),
    FAMILIES: N_("two members of one family at a table"),
    CLUBS: N_("two members of one club at a table"),
    SHORT: N_("a second short table for a player"),
    SCORES: N_("larger score differences overall"),
    SEATS: N_("a seat that a player has had more often"),
}
"""The disadvantage of a rejected swap, by the first level at which it is worse."""

NEIGHBOURS: Final = 4
"""The number of tables up and down that are examined for a swap."""


def explain(problem: Problem, pairing: Pairing) -> tuple[tuple[Message, ...], ...]:
    """Return for each table, in order, sentences that explain why its players sit together."""
    entrants = {entrant.id: entrant for entrant in problem.entrants}
    tables = [[entrants[name] for name in table] for table in pairing.tables]
    locked = {frozenset(table) for table in problem.locked}
    return tuple(
        explain_one_table(problem, tables, number, is_locked=frozenset(pairing.tables[number]) in locked)
        for number in range(len(tables))
    )


def explain_table(problem: Problem, tables: Sequence[Sequence[str]], number: int) -> tuple[Message, ...]:
    """Return the explanation of a table (counted from 0) that was set by hand."""
    entrants = {entrant.id: entrant for entrant in problem.entrants}
    return explain_one_table(problem, [[entrants[name] for name in table] for table in tables], number, is_locked=True)


def explain_one_table(
    problem: Problem, tables: Sequence[Sequence[Entrant]], number: int, *, is_locked: bool
) -> tuple[Message, ...]:
    """Return the explanation of a table: lock, scores, earlier meetings, wishes, forbidden pairs, short table, swap.

    Sentences that do not apply are left out; locked tables have no swap.
    """
    table = tables[number]
    messages = [Message(N_("The organiser has set this table."))] if is_locked else []
    messages.append(explain_scores(table))
    messages += explain_meetings(table)
    messages += [
        Message(N_("{first} and {second} must sit together."), {"first": first, "second": second})
        for first, second in problem.wished
        if {first, second} <= {each.id for each in table}
    ]
    messages += [
        Message(N_("{first} and {second} must not meet, but the organiser seated them together."), pair)
        for pair in forbidden_at(problem, table)
    ]
    if len(table) < problem.size:
        messages.append(explain_short_table(problem, table))
    if not is_locked and (other := explain_nearest_swap(problem, tables, number)):
        messages.append(other)
    return tuple(messages)


def forbidden_at(problem: Problem, table: Sequence[Entrant]) -> list[dict[str, int | str | Message]]:
    """Return the forbidden pairs at a table as arguments `first` and `second` of a sentence, sorted."""
    names = {each.id for each in table}
    pairs = sorted({pair_of(*pair) for pair in problem.forbidden})
    return [{"first": first, "second": second} for first, second in pairs if {first, second} <= names]


def explain_scores(table: Sequence[Entrant]) -> Message:
    """Return a sentence with the lowest and highest score, or with the score that all have."""
    scores = sorted(each.score for each in table)
    if scores[0] == scores[-1]:
        return Message(N_("All players here have the same score: {points}."), {"points": points_text(scores[0])})
    return Message(
        N_("Their scores range from {fewest} to {most}."),
        {"fewest": points_text(scores[0]), "most": points_text(scores[-1])},
    )


def explain_meetings(table: Sequence[Entrant]) -> list[Message]:
    """Return one sentence for each pair that has met before; if none has, one for the table."""
    pairs = [(first, second) for first, second in combinations(table, 2) if first.meetings[second.id]]
    if not pairs and not any(each.past for each in table):
        return [Message(N_("First round: seats are drawn by lot."))]
    if not pairs:
        return [Message(N_("None of these players have met before."))]
    return [
        Message(
            N_(
                "{first} and {second} have met before. Keeping them apart would break an aim that matters at least "
                "as much."
            ),
            {"first": first.id, "second": second.id},
        )
        for first, second in pairs
    ]


def explain_short_table(problem: Problem, table: Sequence[Entrant]) -> Message:
    """Return a sentence about why the table is short."""
    if any(each.short_count(problem.size) for each in table):
        return Message(
            N_("A short table is needed. Players who have not had one yet already sit at one or must be kept apart.")
        )
    return Message(N_("A short table is needed, and none of these players has had one yet."))


def explain_nearest_swap(problem: Problem, tables: Sequence[Sequence[Entrant]], number: int) -> Message | None:
    """Return the swap with a table up to `NEIGHBOURS` away that would reduce score differences most, with its cost.

    None if no swap reduces them, or if the first level that the swap changes gets better.
    """
    table, best = tables[number], None
    now = table_costs(problem, table)
    for other in range(max(0, number - NEIGHBOURS), min(len(tables), number + NEIGHBOURS + 1)):
        for mine, theirs in ((m, t) for m in table for t in tables[other] if other != number):
            own_table = [theirs if each is mine else each for each in table]
            gain = now[SCORES] - table_costs(problem, own_table)[SCORES]
            if gain > 0 and (best is None or gain > best[0]):
                best = (gain, mine, theirs, other, own_table)
    if best is None:
        return None
    _, mine, theirs, other, own_table = best
    other_table = [mine if each is theirs else each for each in tables[other]]
    before, after = (
        (now, table_costs(problem, tables[other])),
        (
            table_costs(problem, own_table),
            table_costs(problem, other_table),
        ),
    )
    for level in ALL_LEVELS:
        change = sum(costs[level] for costs in after) - sum(costs[level] for costs in before)
        if change > 0:
            return Message(
                N_(
                    "Swapping {mine} with {theirs} (table {table}) would bring the scores closer, at the cost of "
                    "{cost}."
                ),
                {"theirs": theirs.id, "mine": mine.id, "table": other + 1, "cost": Message(COSTS[level])},
            )
        if change < 0:
            break
    return None
