"""The notification service: settings of people, and messages for delivery."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

import structlog
from jinja2 import Environment

from api.accounts.people import People
from api.http.app_state import AppKey
from api.http.digests import digest
from api.http.identity import Person
from api.http.languages import current_language
from api.http.limits import LETTERS_FROM_ONE_PER_HOUR, LETTERS_TO_ONE_PER_DAY, Limits
from api.http.threads import ContextThreads
from api.notifications import tokens, vapid
from api.notifications.addresses import mailbox_of, require_address
from api.notifications.composer import ALL, Composer, find_match
from api.notifications.consumer import NoticeConsumer, due_of_pace
from api.notifications.errors import TooManyLetters
from api.notifications.keys import require_keys
from api.notifications.outbox import ChannelState, Outbox, OutboxRow
from api.notifications.recipients import MailAddress, PersonChannels, Recipients
from api.notifications.schemas import (
    MAILS_LEASED,
    PUSHES_LEASED,
    AddDevice,
    AddressShown,
    ChoosePaces,
    DeviceShown,
    Leased,
    MailToSend,
    NotificationsShown,
    PushToSend,
    SettleOutgoing,
)
from api.notifications.tokens import Tokens
from api.notifications.vapid import Vapid
from domain.eventstore.application import Matches
from domain.matches.log.entries import microseconds
from domain.notifications.endpoints import read_endpoint
from domain.notifications.kinds import KINDS, Channel, Frequency, Kind
from domain.notifications.turns import due_now, is_current
from projections.platform.clock import now
from projections.platform.settings import Settings
from projections.platform.store import ReadStore

HasPageOpen = Callable[[str, str], bool]
P = ParamSpec("P")
R = TypeVar("R")

THREADS: Final = 2
"""Threads: one may compose leased messages while another serves a request."""
PAUSED_DELAY: Final = 300 * 1_000_000
"""Delay until a turn of a paused match is checked again, in microseconds."""
PAGE_OPEN_DELAY: Final = 600 * 1_000_000
"""Delay of a mail while its reader has the page of the table open, in microseconds."""
RECHECK_DELAY: Final = 30 * 1_000_000
SETTLED_AGE: Final = timedelta(days=1)
"""Age from which only an account's letters are limited, so that the owner of a mailbox can always confirm it."""
CONFIRMATIONS_MAX: Final = 5
"""Maximum number of confirmation letters of a person in a day, because they can go to any address."""

log = structlog.get_logger("notifications")


class NotificationService:
    """Notifications to people by mail and push."""

    def __init__(
        self,
        outbox: Outbox,
        recipients: Recipients,
        consumer: NoticeConsumer,
        composer: Composer,
        signers: tuple[Tokens, Vapid],
        settings: Settings,
        has_page_open: HasPageOpen,
        limits: Limits,
    ) -> None:
        """Create the service; `has_page_open` returns whether a person has the page of a match open."""
        self._limits = limits
        self._has_page_open = has_page_open
        self.outbox: Final = outbox
        self.recipients: Final = recipients
        self.consumer: Final = consumer
        self._composer = composer
        self.tokens, self._vapid = signers
        self._settings = settings
        self.ways: Final = settings.outgoing.channels
        self._threads = ContextThreads(THREADS, "outgoing")
        self._forgot_on = ""

    def close(self) -> None:
        """Stop the threads."""
        self._threads.shutdown()

    async def _run_on_thread(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(function, *args, **kwargs))

    async def notify(
        self, kind: Kind, people: Iterable[str], fact: str, about: str, what: str = "", at: datetime | None = None
    ) -> None:
        """Notify people of something without a log record, such as a mention in a chat.

        Each person receives a `fact` once. `about` is the path of a match, tournament or league; `what` selects the
        sentence of the kind. Nothing is stored if no channel is configured.
        """
        if self.ways:
            await self._run_on_thread(self.notify_now, kind, tuple(people), fact, about, what, at or now())

    def notify_now(
        self, kind: Kind, people: Sequence[str], fact: str, about: str, what: str = "", at: datetime | None = None
    ) -> None:
        """Notify people by mail and push, as they prefer, blocking the current thread; each receives a `fact` once.

        Only confirmed addresses receive mails; pushes are due at once, mails with their digest.
        """
        at = at or now()
        channels_by_person, rows = self.recipients.load_channels(people), list[OutboxRow]()
        for person, channels in channels_by_person.items():
            pace, address = channels.pace("mail", kind), channels.address
            if "mail" in self.ways and address is not None and address.state == "good" and pace != "off":
                due = due_of_pace(pace, microseconds(at))
                rows.append(OutboxRow(fact, person, kind, "mail", due=due, about=about, what=what, pace=pace))
            if "push" in self.ways and channels.pace("push", kind) != "off":
                due = microseconds(at)
                rows += [
                    OutboxRow(fact, person, kind, "push", due=due, about=about, what=what, device=device.id)
                    for device in channels.devices
                ]
        self.outbox.add_rows(rows, at)

    async def show(self, person: Person) -> NotificationsShown:
        """Return the settings of a person."""
        return await self._run_on_thread(self._show, person)

    def _show(self, person: Person) -> NotificationsShown:
        """Return a person's channels: address, devices, and the frequency of every kind."""
        address = self.recipients.address_of(person.id)
        channels = PersonChannels(paces=self.recipients.paces(person.id))
        return NotificationsShown(
            ways=self.ways,
            push_key=self._vapid.public_key if "push" in self.ways else "",
            address=None if address is None else AddressShown(address.address, address.state),
            devices=tuple(
                DeviceShown(each.id, each.agent, datetime.fromisoformat(each.created))
                for each in self.recipients.devices(person.id)
            ),
            mail={kind: channels.pace("mail", kind) for kind in KINDS},
            push={kind: channels.pace("push", kind) for kind in KINDS},
        )

    async def endpoint_digests(self, person: Person) -> dict[str, str]:
        """Return digests of the endpoints by device, with which a browser recognises itself."""
        return {
            each.id: digest(each.endpoint) for each in await self._run_on_thread(self.recipients.devices, person.id)
        }

    async def set_paces(self, person: Person, request: ChoosePaces) -> NotificationsShown:
        """Set frequencies by channel and kind, and return the settings; omitted kinds stay unchanged."""
        paces: dict[tuple[Channel, Kind], Frequency] = {("mail", kind): pace for kind, pace in request.mail.items()}
        paces |= {("push", kind): pace for kind, pace in request.push.items()}
        await self._run_on_thread(self.recipients.set_paces, person.id, paces)
        return await self.show(person)

    async def set_address(self, person: Person, address: str, network: str) -> NotificationsShown:
        """Set an unconfirmed mail address, replacing the last one, and send a letter that confirms it.

        Raise `BadAddress` for an invalid address, `TooManyLetters` at a limit. Only sent letters count: for the
        account, the network of the request, and the mailbox if the account is new.
        """
        require_address(address)
        await self._run_on_thread(self._require_letter, person)
        mailbox = digest(f"{mailbox_of(address)}/{network}")
        is_new = not await self._run_on_thread(self.outbox.has_signed_up, person.id, now() - SETTLED_AGE)
        if is_new and await self._limits.find_wait("letter_to_one", mailbox) is not None:
            raise TooManyLetters(f"at most {LETTERS_TO_ONE_PER_DAY} mails a day to one address")
        if await self._limits.spend("letter_from_one", network) is not None:
            count_max = LETTERS_FROM_ONE_PER_HOUR
            raise TooManyLetters(f"at most {count_max} mails an hour from one network address")
        if is_new:
            await self._limits.spend("letter_to_one", mailbox)
        await self._run_on_thread(self._set_address, person, address, current_language())
        return await self.show(person)

    def _require_letter(self, person: Person) -> None:
        """Raise `TooManyLetters` at the limit of the account, before other limits are charged."""
        if self.outbox.count_letters(person.id, microseconds(now()) - 86_400 * 1_000_000) >= CONFIRMATIONS_MAX:
            raise TooManyLetters(f"at most {CONFIRMATIONS_MAX} mails a day for one account")

    def _set_address(self, person: Person, address: str, language: str) -> None:
        """Store the unconfirmed address and a letter to it."""
        at = now()
        added = self.recipients.set_address(person.id, address, language, at)
        row = OutboxRow(f"confirm-{added.id}", person.id, "confirm", "mail", due=microseconds(at), about="/account")
        self.outbox.add_rows([row], at)

    async def remove_address(self, person: Person) -> NotificationsShown:
        """Remove the mail address."""
        await self._run_on_thread(self.recipients.remove_address, person.id)
        return await self.show(person)

    async def add_device(self, person: Person, request: AddDevice, agent: str) -> NotificationsShown:
        """Add a push subscription, replacing one of its endpoint; raise `EndpointRefused` or `BadDevice` if invalid."""
        read_endpoint(request.endpoint, self._settings.outgoing.push_allowed)
        require_keys(request.p256dh, request.auth)
        keys, description = (request.p256dh, request.auth), (agent, current_language())
        await self._run_on_thread(self.recipients.add_device, person.id, request.endpoint, keys, description, now())
        return await self.show(person)

    async def remove_device(self, person: Person, device_id: str) -> NotificationsShown:
        """Remove a device of the person."""
        await self._run_on_thread(self.recipients.remove_device, device_id, person.id)
        return await self.show(person)

    async def find_confirmation(self, token: str) -> MailAddress | None:
        """Return the address that a link would confirm; None if it changed or is removed. `BadToken` if invalid."""
        person, address_id = self.tokens.read("confirm", token)
        address = await self._run_on_thread(self.recipients.address, address_id)
        return address if address is not None and address.person == person else None

    async def confirm(self, token: str) -> bool:
        """Confirm an address; return false if it is no longer current."""
        address = await self.find_confirmation(token)
        return address is not None and await self._run_on_thread(self.recipients.confirm_address, address.id)

    def read_unsubscribe_link(self, token: str) -> str:
        """Return the kind that a link turns off, or all; its person may be deleted."""
        _, kind = self.tokens.read("unsubscribe", token)
        return kind

    async def unsubscribe(self, token: str) -> str:
        """Turn off mails of a kind, or all, and return the kind; idempotent, without effect for erased people.

        Raise `BadToken` for a bad link.
        """
        person, kind = self.tokens.read("unsubscribe", token)
        paces: dict[tuple[Channel, Kind], Frequency] = {("mail", each): "off" for each in KINDS if kind in {ALL, each}}
        await self._run_on_thread(self._disable_mails, person, paces)
        return kind

    def _disable_mails(self, person: str, paces: dict[tuple[Channel, Kind], Frequency]) -> None:
        if self.recipients.is_known(person):
            self.recipients.set_paces(person, paces)

    async def record_bounce(self, address: str) -> bool:
        """Disable the address of a bounced message; return false if unknown, raise `BadToken` if it is forged."""
        stopped = await self._run_on_thread(self.recipients.stop_address, self.tokens.read_bounce_address(address))
        log.info("mail bounced", stopped=stopped)
        return stopped

    async def lease(self, channel: Channel) -> Leased:
        """Process new notices and lease the next messages of a channel."""
        return await self._run_on_thread(self._lease, channel)

    def _lease(self, channel: Channel) -> Leased:
        """Lease messages now, nothing for a channel that is not configured; once a day delete old rows first."""
        if channel not in self.ways:
            return Leased()
        at = now()
        if self._forgot_on != at.date().isoformat():
            self._forgot_on = at.date().isoformat()
            self.outbox.delete_old(at)
        return self.lease_at(channel, at)

    def lease_at(self, channel: Channel, at: datetime) -> Leased:
        """Process new notices and lease messages at the given time, blocking the current thread.

        Outdated messages are left out; `more` is true if the limit was reached.
        """
        self.consumer.consume(at)
        limit = MAILS_LEASED if channel == "mail" else PUSHES_LEASED
        found = self.outbox.lease(channel, at, limit)
        messages = [message for rows in found if (message := self._compose(channel, rows, at)) is not None]
        mails = tuple(message for message in messages if isinstance(message, MailToSend))
        pushes = tuple(message for message in messages if isinstance(message, PushToSend))
        return Leased(mails, pushes, more=len(found) == limit)

    def _compose(self, channel: Channel, rows: Sequence[OutboxRow], at: datetime) -> MailToSend | PushToSend | None:
        """Return the message of the current rows; None if all are outdated or its recipient is gone.

        Rows that give no message are dropped.
        """
        current = self._current_rows(rows, at)
        if not current:
            return None
        try:
            if channel == "push":
                device = self.recipients.device(current[0].device)
                if device is not None:
                    origin = read_endpoint(device.endpoint, self._settings.outgoing.push_allowed).origin
                    return self._composer.push(current[0], device, self._vapid.authorization(origin, at))
            else:
                address = self.recipients.address_of(current[0].person)
                if address is not None and is_for(address, current[0]):
                    return self._composer.mail(current, address)
        except Exception:
            # A message that cannot be composed must not block others.
            log.exception("cannot compose a message", kind=current[0].kind)
        self.outbox.drop(current, at)
        return None

    def _current_rows(self, rows: Sequence[OutboxRow], at: datetime) -> list[OutboxRow]:
        """Return the rows to send now; drop outdated rows, and postpone others that are due later."""
        current, outdated = list[OutboxRow](), list[OutboxRow]()
        for row in rows:
            due_us = self._due_of(row, at)
            if due_us is None:
                outdated.append(row)
            elif due_us > microseconds(at):
                self.outbox.postpone([row], due_us)
            else:
                current.append(row)
        if outdated:
            self.outbox.drop(outdated, at)
        return current

    def _due_of(self, row: OutboxRow, at: datetime) -> int | None:
        """Return the time at which a row is due now; None if it is outdated.

        It is postponed while the match is paused, or a while for a mail whose reader has the table open.
        """
        if row.kind not in {"turn", "clock", "hour", "result"}:
            return row.due
        match = find_match(self._composer.matches, row)
        if match is None:
            return None
        if match.status == "paused" and row.kind != "result":
            return microseconds(at) + PAUSED_DELAY
        kind: Any = row.kind
        if not is_current(match, kind, row.person):
            return None
        if row.way == "mail" and row.pace == "once" and self._has_page_open(row.person, str(match.id)):
            # A reader with the page open sees the change there, unless the page is abandoned.
            delayed_until = min(row.made + PAGE_OPEN_DELAY, microseconds(at) + RECHECK_DELAY)
            if delayed_until > microseconds(at):
                return delayed_until
        due = due_now(match, kind, row.person)
        return row.due if due is None or row.pace != "once" else due

    async def settle(self, request: SettleOutgoing) -> None:
        """Record the result of a delivery."""
        await self._run_on_thread(self.settle_at, request, now())

    def settle_at(self, request: SettleOutgoing, at: datetime) -> None:
        """Record the result at the given time; for "gone", remove the device or disable the mail address."""
        if request.outcome == "gone":
            row = self.outbox.find_first_row(request.message)
            if row is not None and row.way == "push":
                self.recipients.remove_device(row.device)
            elif row is not None and (address := self.recipients.address_of(row.person)) is not None:
                self.recipients.stop_address(address.id)
        self.outbox.settle(request.message, request.way, request.outcome, at)

    def channel_states(self) -> tuple[ChannelState, ...]:
        """Return the number of waiting messages by channel."""
        return tuple(each for each in self.outbox.channel_states(now()) if each.way in self.ways) if self.ways else ()


NOTIFICATIONS: Final = AppKey[NotificationService]("notifications")


def is_for(address: MailAddress, row: OutboxRow) -> bool:
    """Return whether a row may be sent to the address: a confirmation to its address, others to confirmed ones."""
    return row.fact == f"confirm-{address.id}" if row.kind == "confirm" else address.state == "good"


def open_notifications(
    stack: ExitStack,
    settings: Settings,
    log_and_reads: tuple[Matches, ReadStore],
    people: People,
    environment: Environment,
    has_page_open: HasPageOpen,
    limits: Limits,
) -> NotificationService:
    """Open the service with its store and threads; events before the first start with a channel send nothing."""
    matches, reads = log_and_reads
    outbox, recipients = Outbox(settings.people_place), Recipients(settings.people_place)
    stack.callback(outbox.close)
    stack.callback(recipients.close)
    if settings.outgoing.channels:
        outbox.set_first_position(matches.last_position())
    signers = Tokens(people.secret(tokens.SECRET)), Vapid(people.secret(vapid.SECRET), settings.outgoing.push)
    composer = Composer(matches, people, signers[0], settings, environment)
    consumer = NoticeConsumer(matches, reads, outbox, recipients, settings.outgoing.channels)
    service = NotificationService(outbox, recipients, consumer, composer, signers, settings, has_page_open, limits)
    stack.callback(service.close)
    return service
