"""Sentences of the report on a tournament about its records: who decided, and why the decision counts."""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.matches.facts import Actor
from domain.proofs.authority import Act, Authority, Ground
from domain.tournaments.state import Tournament

RECORDS_SHOWN: Final = 50
ENTERED: Final = "entries, withdrawals and pairings: not signed"
OWN: Final = "acts of players about their own entries, stated by the service only: {what}"
UNSIGNED: Final = "orders of organisers: {count} of {all} unsigned, stated by the service only"
UNSIGNED_ACT: Final = "not signed: {what}"
CLAIMED: Final = "results claimed by players with their codes, stated by the service only: {count}"
PAIRED: Final = "pairings: whether better ones existed"
BY_RULE: Final = "by the service, as earlier records require: {what}"
BY_CONSOLE: Final = "by the console of the service, which organises this tournament: {what}"
CORRECTION: Final = "correction after the end: {what}"
PLAN: Final = "change of the plan: {what}"
COUNTS: Final = "{entries} entries made, {substitutes} substitutes named"
GROUNDS: Final[dict[Ground, str]] = {
    "signed": "signed",
    "unsigned": "not signed",
    "own": "about the own entry",
    "rule": "by a rule",
    "console": "by the console",
}
Groups = dict[tuple[str, Actor], list[int]]


def noted_acts(acts: Sequence[Act], substitutes: int) -> Iterator[str]:
    """Yield notes about checked acts: changes of the plan, corrections, and orders of the service.

    Also the number of entries and of substitutes.
    """
    entries = sum(act.kind == "entry_made" for act in acts)
    yield COUNTS.format(entries=entries, substitutes=substitutes)
    for text, found in (
        (PLAN, [act for act in acts if act.kind in ("plan_changed", "calendar_set", "deadline_extended")]),
        (CORRECTION, [act for act in acts if act.is_late]),
    ):
        for act in found:
            yield text.format(what=f"{act.kind} by {act.by} in record {act.record}, {GROUNDS[act.ground]}")
    for what in describe_acts(acts, "rule"):
        yield BY_RULE.format(what=what)
    for what in describe_acts(acts, "console"):
        yield BY_CONSOLE.format(what=what)


def unproven_acts(authority: Authority, state: Tournament) -> Iterator[str]:
    """Yield the acts that nothing in the file proves."""
    if state.format == 1:
        yield ENTERED
    if authority.signed < authority.orders:
        yield UNSIGNED.format(count=authority.orders - authority.signed, all=authority.orders)
    for what in describe_acts(authority.acts, "unsigned"):
        yield UNSIGNED_ACT.format(what=what)
    for what in describe_acts([Act(act.record, act.kind, "", act.ground) for act in authority.acts], "own"):
        yield OWN.format(what=what)
    if authority.claims:
        yield CLAIMED.format(count=authority.claims)
    if state.format > 1:
        yield PAIRED


def describe_acts(acts: Sequence[Act], ground: Ground) -> Iterator[str]:
    """Yield a description of the acts on a ground for each kind and author, in the order of their first record."""
    groups: Groups = {}
    for act in acts:
        if act.ground == ground:
            groups.setdefault((act.kind, act.by), []).append(act.record)
    for (kind, by), records in groups.items():
        author = f" by {by}" if by else ""
        yield f"{kind}{author} in {name_records(records)}"


def name_records(records: Sequence[int]) -> str:
    """Return a list of record numbers, at most `RECORDS_SHOWN`: `record 3`, `records 3, 5 and 7 more`."""
    shown = ", ".join(map(str, records[:RECORDS_SHOWN]))
    more = f" and {len(records) - RECORDS_SHOWN} more" if len(records) > RECORDS_SHOWN else ""
    return f"record{'s' if len(records) > 1 else ''} {shown}{more}"
