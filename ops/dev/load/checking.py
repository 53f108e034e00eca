"""Compare a journal with the logs: every acknowledged action must occur exactly once, and no other action may occur."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from domain.matches.errors import LogFault
from domain.matches.facts import SERVICE, is_bot
from domain.matches.log.entries import NO_DIGEST, Entry, peek_fact_type
from domain.matches.log.log_files import LogLine, entry_of_line
from ops.dev.load.client import Client
from ops.dev.load.journal import (
    Acked,
    Broken,
    Followed,
    Heard,
    Opened,
    OpenedEvent,
    Refused,
    Sent,
    Told,
    read_journal,
)

PAGE: Final = 500
FAULTS_MAX: Final = 50
"""Limit of reported faults."""
AT_ONCE: Final = 8


class Act(msgspec.Struct):
    """An action of the load: the request, and its response if one arrived."""

    seat: int
    expected: int
    action: bytes
    answer: Acked | Refused | None = None


class Match(msgspec.Struct):
    """A match's lines in a journal."""

    acts: list[Act] = msgspec.field(default_factory=list)
    followed: list[Followed] = msgspec.field(default_factory=list)
    bots: bool = False


class Event(msgspec.Struct):
    """An event's announcements in a journal: texts sent, and texts acknowledged."""

    told: list[str] = msgspec.field(default_factory=list)
    heard: set[str] = msgspec.field(default_factory=set)


class JournalContent(msgspec.Struct):
    """A journal by match and event, with stream faults."""

    matches: dict[str, Match] = msgspec.field(default_factory=dict)
    events: dict[str, Event] = msgspec.field(default_factory=dict)
    broken: list[str] = msgspec.field(default_factory=list)


class Comparison(msgspec.Struct, frozen=True, rename="camel"):
    """The result of a comparison; `faults` is empty if all is well."""

    matches: int
    entries: int
    acknowledged: int
    unknown: int
    unknown_taken: int
    """Actions in the logs whose responses were lost."""
    announced: int
    streams: int
    heads: str
    """A digest over all matches' last digests."""
    faults: tuple[str, ...]


def collect(path: Path) -> JournalContent:
    """Collect the lines of a journal by match and event; retries of the same action at the same version count once.

    An acknowledgement is not replaced by a later refusal.
    """
    content = JournalContent()
    for line in read_journal(path):
        match line:
            case Opened(match_id, bots):
                content.matches.setdefault(match_id, Match()).bots = bots
            case Sent(match_id, seat, expected, action):
                acts = content.matches.setdefault(match_id, Match()).acts
                sent = Act(seat, expected, bytes(action))
                if not acts or (acts[-1].seat, acts[-1].expected, acts[-1].action) != (seat, expected, sent.action):
                    acts.append(sent)
            case Acked(match_id, expected) | Refused(match_id, expected):
                act = content.matches[match_id].acts[-1]
                assert act.expected == expected
                if not isinstance(act.answer, Acked):
                    act.answer = line
            case Followed(match_id):
                content.matches.setdefault(match_id, Match()).followed.append(line)
            case Broken(match_id, fault):
                content.broken.append(f"match {match_id}: on a stream {fault}")
            case OpenedEvent(event):
                content.events.setdefault(event, Event())
            case Told(event, text):
                content.events.setdefault(event, Event()).told.append(text)
            case Heard(event, text):
                content.events[event].heard.add(text)
    return content


async def entries_of(client: Client, match_id: str) -> list[Entry]:
    """Read a public log in pages and check its chain and head; raise `LogFault` at the first wrong entry.

    Also raises it if the log cannot be read, `NoResponse` without a response.
    """
    entries: list[Entry] = []
    while True:
        path = f"/api/matches/{match_id}/entries?after={len(entries)}&limit={PAGE}"
        status, content = await client.ask("GET", path, decode=False)
        if status != 200:
            raise LogFault(None, "file", f"its entries returned {status}")
        page = msgspec.json.decode(content, type=Page)
        for line in page.entries:
            previous = entries[-1] if entries else None
            entry = entry_of_line(line, previous.digest if previous else NO_DIGEST, previous)
            if entry.version != len(entries) + 1:
                raise LogFault(len(entries) + 1, "chain", f"found entry {entry.version} instead")
            if entry.previous != (previous.digest if previous else NO_DIGEST) or entry.digest.hex() != line.digest:
                raise LogFault(entry.version, "chain", "its digest or the previous digest differs")
            entries.append(entry)
        if not page.more:
            if entries and page.version == len(entries) and page.head != entries[-1].digest.hex():
                raise LogFault(None, "header", f"reported head {page.head}")
            return entries


class Page(msgspec.Struct, rename="camel"):
    """A page of entries, as the API returns it."""

    version: int
    head: str
    entries: tuple[LogLine, ...]
    more: bool


class Commitment(msgspec.Struct):
    """A commitment to a secret action."""

    commitment: str


class Body(msgspec.Struct, tag="action_taken", rename="camel"):
    """The needed fields of an action's entry."""

    seat: int
    by: str
    action: msgspec.Raw = msgspec.Raw()
    hidden_action: Commitment | None = None


class LoggedAction(msgspec.Struct):
    """An action of a person in a log; `action` is None if it is still secret."""

    version: int
    seat: int
    action: bytes | None


def actions_in(entries: Sequence[Entry]) -> list[LoggedAction]:
    """Return the actions of people in a log, in order; actions of bots and the service are left out."""
    actions = []
    for entry in entries:
        if peek_fact_type(entry).type != "action_taken":
            continue
        body = msgspec.json.decode(entry.body, type=Body)
        if body.by == SERVICE or is_bot(body.by):
            continue
        action = bytes(body.action) or None
        if body.hidden_action is not None:
            opened_values = {opening.commitment: bytes(opening.value) for opening in entry.secrets}
            action = opened_values.get(body.hidden_action.commitment)
        actions.append(LoggedAction(entry.version, body.seat, action))
    return actions


def is_same(logged: LoggedAction, act: Act) -> bool:
    """Return whether an entry matches an action; a secret action is matched by its seat only."""
    if logged.seat != act.seat or logged.action is None:
        return logged.seat == act.seat
    return logged.action == act.action or msgspec.json.decode(logged.action) == msgspec.json.decode(act.action)


def compare(journaled: Match, entries: Sequence[Entry]) -> tuple[list[str], int]:
    """Return the faults of a match's actions, and the number of actions in the log whose responses were lost.

    The load plays one action at a time per match, so that log and journal have the same order. An action whose response
    was lost may be missing; if it is in the log, it precedes every action sent at a later version.
    """
    faults, lost_count, logged_actions = list[str](), 0, actions_in(entries)
    index = 0
    for number, act in enumerate(journaled.acts):
        candidate = logged_actions[index] if index < len(logged_actions) else None
        is_logged = candidate is not None and is_same(candidate, act)
        if is_logged and candidate is not None and not isinstance(act.answer, Acked):
            later = journaled.acts[number + 1].expected if number + 1 < len(journaled.acts) else len(entries)
            is_logged = act.expected < candidate.version <= later
        label = f"the action of seat {act.seat} at version {act.expected}"
        if isinstance(act.answer, Acked):
            if not is_logged:
                faults.append(f"{label} was acknowledged and is not in the log")
                continue
            if not 0 < act.answer.version <= len(entries):
                faults.append(f"{label} was acknowledged at version {act.answer.version}, which does not exist")
            elif entries[act.answer.version - 1].digest.hex() != act.answer.head:
                faults.append(f"{label} was acknowledged with a head that differs from version {act.answer.version}")
            elif candidate is not None and act.answer.version < candidate.version:
                faults.append(
                    f"{label} was acknowledged at version {act.answer.version} but stored at {candidate.version}"
                )
        elif is_logged and act.answer is not None:
            faults.append(f"{label} was refused with {act.answer.status} but is in the log")
        lost_count += is_logged and act.answer is None
        index += is_logged
    faults += [
        f"seat {each.seat} acted at version {each.version} without a response" for each in logged_actions[index:]
    ]
    return faults, lost_count


def compare_streams(journaled: Match, entries: Sequence[Entry]) -> list[str]:
    """Compare the last digest that each reader saw with the log, which covers all earlier entries.

    Returns the faults.
    """
    return [
        f"a stream read up to version {each.last}, {each.digest}, which differs from the log"
        for each in journaled.followed
        if each.last > len(entries) or entries[each.last - 1].digest.hex() != each.digest
    ]


async def check_match(client: Client, match_id: str, journaled: Match) -> tuple[list[str], int, list[Entry]]:
    """Compare one match's log with its journal; return faults, number of lost responses, and entries.

    A false log is a fault without entries.
    """
    try:
        entries = await entries_of(client, match_id)
    except LogFault as fault:
        return [f"match {match_id}: invalid log: {fault}"], 0, []
    faults, lost_count = compare(journaled, entries)
    faults += compare_streams(journaled, entries)
    return [f"match {match_id}: {fault}" for fault in faults], lost_count, entries


async def check_event(client: Client, event_id: str, journaled: Event) -> list[str]:
    """Check that each acknowledged announcement occurs once, each other at most once, and no unknown ones exist.

    Returns the faults, also for an event that is not found; announcements that are not of the load are ignored.
    """
    status, event = await client.ask("GET", f"/api/tournaments/{event_id}")
    if status != 200:
        return [f"event {event_id}: it was opened, but returned {status}"]
    texts = [notice["text"] for notice in event["notices"] if notice["text"].startswith("load ")]
    faults = [f"{text!r} appears {texts.count(text)} times" for text in set(texts) if texts.count(text) > 1]
    faults += [f"{text!r} was acknowledged but is missing" for text in sorted(journaled.heard - set(texts))]
    faults += [f"{text!r} appears but was never sent" for text in sorted(set(texts) - set(journaled.told))]
    return [f"event {event_id}: {fault}" for fault in faults]


async def check(urls: Sequence[str], path: Path, patience: float = 0.0) -> Comparison:
    """Compare a whole journal with the service's logs; faults are in the result, sorted, at most `FAULTS_MAX`.

    `patience` is the time in seconds for which a request is retried.
    """
    content = collect(path)
    clients = [Client(urls, number, patience=patience) for number in range(AT_ONCE)]
    pending = list(content.matches.items())
    faults, heads = list(content.broken), dict[str, str]()
    counts = {"entries": 0, "lost": 0}

    async def work(client: Client) -> None:
        while pending:
            match_id, journaled = pending.pop()
            faults_of_match, lost_count, entries = await check_match(client, match_id, journaled)
            faults.extend(faults_of_match)
            counts["entries"] += len(entries)
            counts["lost"] += lost_count
            heads[match_id] = entries[-1].digest.hex() if entries else ""

    await asyncio.gather(*(work(client) for client in clients))
    for event_id, journaled in content.events.items():
        faults.extend(await check_event(clients[0], event_id, journaled))
    for client in clients:
        client.close()
    acts = [act for match in content.matches.values() for act in match.acts]
    return Comparison(
        matches=len(content.matches),
        entries=counts["entries"],
        acknowledged=sum(isinstance(act.answer, Acked) for act in acts),
        unknown=sum(act.answer is None for act in acts),
        unknown_taken=counts["lost"],
        announced=sum(len(event.heard) for event in content.events.values()),
        streams=sum(len(match.followed) for match in content.matches.values()),
        heads=digest_of(heads),
        faults=tuple(sorted(faults)[:FAULTS_MAX]),
    )


def digest_of(heads: Mapping[str, Any]) -> str:
    """Return a digest over all heads."""
    return hashlib.sha256(msgspec.json.encode(sorted(heads.items()))).hexdigest()
