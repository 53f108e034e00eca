"""The consumer that turns notices from the log into outbox rows: recipients, channels and times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from api.notifications.outbox import Outbox, OutboxRow
from api.notifications.recipients import PersonChannels, Recipients
from domain.clubs.state import CLUB
from domain.disputes.state import DISPUTE, Dispute
from domain.eventstore.application import Matches
from domain.leagues.state import LEAGUE
from domain.matches.aggregate import Match
from domain.matches.errors import MatchError
from domain.matches.facts import Actor
from domain.matches.log.entries import microseconds
from domain.notifications.kinds import Channel, Frequency
from domain.notifications.records import club_recipients, league_recipients, people_among, tournament_recipients
from domain.roles.state import ROLES, ROLES_STREAM, holds
from domain.tournaments.state import TOURNAMENT
from projections import notifications
from projections.follow import MICROSECOND, moment
from projections.notifications import NotedNotice
from projections.platform.store import ReadStore

BATCH: Final = 500
"""Notices processed in one transaction."""
STALE_AGE: Final = timedelta(days=7)
"""Age at which notices are skipped, after a long downtime."""
DIGEST_HOUR: Final = 7
"""Hour of daily digests, in UTC."""
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)


class NoticeConsumer:
    """Processes notices since the last position; use on a thread, because it reads databases."""

    def __init__(
        self, matches: Matches, reads: ReadStore, outbox: Outbox, recipients: Recipients, channels: tuple[Channel, ...]
    ) -> None:
        self._matches = matches
        self._reads = reads
        self._outbox = outbox
        self._recipients = recipients
        self._channels = channels

    def consume(self, at: datetime) -> None:
        """Process all new notices: add their rows to the outbox. Notices older than `STALE_AGE` are skipped.

        Concurrent calls are safe: each batch is processed once.
        """
        while True:
            position = self._outbox.position()
            notices, last_position = notifications.list_notices_after(self._reads, position, BATCH)
            if last_position == position:
                return
            rows = self.rows_of([each for each in notices if moment(each.due) > at - STALE_AGE], at)
            if not self._outbox.add_and_advance(rows, position, last_position, at) or len(notices) < BATCH // 2:
                return

    def rows_of(self, notices: Iterable[NotedNotice], at: datetime) -> list[OutboxRow]:
        """Return the outbox rows of notices, for recipients with an address or device."""
        addressed = [(notice, people, about) for notice in notices for people, about in [self._recipients_of(notice)]]
        channels = self._recipients.load_channels(person for _, people, _ in addressed for person in people)
        return [
            row
            for notice, people, about in addressed
            for person in people
            if person in channels
            for row in rows_for(notice, person, about, channels[person], self._channels, at)
        ]

    def _recipients_of(self, notice: NotedNotice) -> tuple[tuple[Actor, ...], str]:
        """Return the recipients of a notice and the path of its page; no recipients if its stream is unreadable."""
        if notice.kind in {"turn", "clock", "hour", "result"}:
            return (notice.person,), f"/tables/{notice.stream_id}"
        try:
            return self._recipients_of_record(notice)
        except MatchError:
            # The stream is deleted or tampered with: no one is notified.
            return (), ""

    def _recipients_of_record(self, notice: NotedNotice) -> tuple[tuple[Actor, ...], str]:
        """Return the recipients of a notice about a dispute, event or club, and the path of its page.

        A notice that names a person goes only to that person.
        """
        streams, stream_id = self._matches.streams, notice.stream_id
        recipients = (notice.person,) if notice.person else ()
        if notice.kind == "dispute":
            dispute = streams.get(DISPUTE, stream_id).state
            return recipients or self._recipients_of_dispute(dispute, notice.what), f"/disputes/{stream_id}"
        record = streams.records(stream_id, notice.version - 1, 1)[0]
        if notice.what == "offer":
            return recipients, f"/contests/{stream_id}/alternates"
        finished = FinishedMatches(self._matches)
        if (event := streams.find(TOURNAMENT, stream_id)) is not None:
            return recipients or tournament_recipients(
                event.state, TOURNAMENT.read(record), finished
            ), f"/events/{stream_id}"
        if (club := streams.find(CLUB, stream_id)) is not None:
            return recipients or club_recipients(club.state, CLUB.read(record)), f"/clubs/{stream_id}"
        league = streams.get(LEAGUE, stream_id).state
        return recipients or league_recipients(league, LEAGUE.read(record), finished), f"/leagues/{stream_id}"

    def _recipients_of_dispute(self, dispute: Dispute, what: str) -> tuple[Actor, ...]:
        """Return the people to notify: after a ruling all players, of a new dispute only the others.

        For a pending decision, these are all players and the arbiters.
        """
        match = self._matches.get(dispute.line)
        people = {seat.actor for seat in match.seats if seat.actor is not None}
        if what == "ruled":
            return people_among(people)
        return people_among(people - {dispute.by} if what == "raised" else people | self._arbiters(dispute))

    def _arbiters(self, dispute: Dispute) -> set[Actor]:
        """Return the dispute's arbiter, or without one all arbiters and head arbiters who may rule in its event."""
        if dispute.arbiter:
            return {dispute.arbiter}
        stream = self._matches.streams.find(ROLES, ROLES_STREAM)
        grants = () if stream is None else stream.state.grants
        arbiters = {grant.person for grant in grants if grant.role in {"arbiter", "head_arbiter"}}
        return {person for person in arbiters if stream and holds(stream.state, person, "arbiter", dispute.event)}


class FinishedMatches:
    """A container of finished matches, loaded one by one."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    def __contains__(self, match_id: object) -> bool:
        """Return whether a match exists and is over; an unreadable match is not."""
        try:
            found: Match = self._matches.get(UUID(str(match_id)))
        except MatchError:
            return False
        return found.is_over


def rows_for(
    notice: NotedNotice,
    person: Actor,
    about: str,
    person_channels: PersonChannels,
    channels: tuple[Channel, ...],
    at: datetime,
) -> Iterator[OutboxRow]:
    """Yield a row for mail, if the address is confirmed, and one per device, by the person's preferences.

    Turns of live matches are not mailed, because mails would be too late.
    """
    is_of_a_live_turn = notice.live and notice.kind in {"turn", "clock"}
    pace = person_channels.pace("mail", notice.kind)
    has_address = person_channels.address is not None and person_channels.address.state == "good"
    if "mail" in channels and has_address and pace != "off" and not is_of_a_live_turn:
        yield row_of(notice, person, about, "mail", pace, at)
    if "push" in channels and person_channels.pace("push", notice.kind) != "off":
        for device in person_channels.devices:
            yield row_of(notice, person, about, "push", "once", at, device.id)


def row_of(
    notice: NotedNotice, person: Actor, about: str, channel: Channel, pace: Frequency, at: datetime, device: str = ""
) -> OutboxRow:
    """Return the row of a notice, due with its digest if it belongs to one."""
    due = max(notice.due, microseconds(at) if pace != "once" else 0)
    return OutboxRow(
        notice.fact,
        person,
        notice.kind,
        channel,
        due=due_of_pace(pace, due),
        about=about,
        what=notice.what,
        number=notice.number,
        pace=pace,
        device=device,
    )


def due_of_pace(pace: Frequency, due: int) -> int:
    """Return the time of the digest that contains a row due at the given time; the same time without a digest."""
    if pace not in {"hourly", "daily"}:
        return due
    span = HOUR if pace == "hourly" else DAY
    offset = timedelta() if pace == "hourly" else DIGEST_HOUR * HOUR
    elapsed = due * MICROSECOND - offset
    return microseconds(moment(0) + offset + (elapsed // span + 1) * span)
