"""The counters of a log audit and a summary of its signatures."""

from collections import deque
from typing import Any, Final

from domain.kernel.values import Value
from domain.matches.aggregate import Match
from domain.matches.errors import LogFault
from domain.matches.facts import (
    ActionTaken,
    Fact,
    MatchForked,
    MatchOpened,
    MatchStarted,
    RulingGiven,
    is_bot,
)
from domain.matches.log.entries import Entry
from domain.matches.rulings.outcome import Times
from domain.matches.signatures.signing import signature_of, signing_seat
from domain.matches.verification.service_acts import ServiceAct, overtime_of, service_acts
from domain.signatures.acts import SEEN_MAX

PARENT: Final = "whether the parent had ended when the match was forked: its end is not in the log"


class SeatSigned(Value, frozen=True):
    """Counts of a seat's acts by people: signed, unsigned, and hidden from the reader (`closed`).

    `by_sign_in` counts the `keys` that are vouched for by sign-in only. `unsigned_from` is the entry of the first
    unsigned act, 0 without one.
    """

    seat: int
    signed: int = 0
    unsigned: int = 0
    closed: int = 0
    keys: int = 0
    by_sign_in: int = 0
    unsigned_from: int = 0


class SignaturesShown(Value, frozen=True):
    """Signature counts: per seat held by a person, and per service key (hex)."""

    seats: tuple[SeatSigned, ...] = ()
    services: tuple[tuple[str, int], ...] = ()
    services_from: tuple[tuple[str, int], ...] = ()
    """Each service key and the first entry signed with it."""
    services_to: tuple[tuple[str, int], ...] = ()
    """Each service key and the last entry signed with it."""
    rulings: tuple[tuple[str, str], ...] = ()
    """The id of each ruling and the key (hex) that signed it, or "" if unsigned."""
    service_acts: tuple[ServiceAct, ...] = ()
    house: str = ""
    """The key (hex) of the service that opened the match, or "" if the opening names none."""

    @property
    def verified_count(self) -> int:
        """The number of valid signatures; an invalid one is a fault."""
        of_rulings = sum(key != "" for _, key in self.rulings)
        return sum(seat.signed for seat in self.seats) + sum(count for _, count in self.services) + of_rulings


class VerifyTally:
    """The running counters of an audit."""

    def __init__(self) -> None:
        self.draws = self.openings = self.actions = 0
        self.unchecked: dict[str, None] = {}
        self.labels: set[str] = set()
        self.times = Times()
        self._acts: dict[int, list[int]] = {}
        self._unsigned_from: dict[int, int] = {}
        self._services: dict[str, int] = {}
        self._services_from: dict[str, int] = {}
        self._services_to: dict[str, int] = {}
        self._keys: dict[int, dict[str, bool]] = {}
        self._rulings: dict[str, str] = {}
        self._service_acts: list[ServiceAct] = []
        self._overtime: dict[int, ServiceAct] = {}
        """The longest overtime of each seat."""
        self._house = ""

    def count(self, entry: Entry, before: Match | None, fact: Fact) -> None:
        """Count a verified entry, its draws and its signature; `before` is the position before it (None: the first).

        Raise `LogFault` if a draw's label was used earlier. A fork with the same luck is noted as unchecked.
        """
        self.openings += len(entry.secrets)
        if isinstance(fact, ActionTaken):
            self.actions += 1
            self.count_draws(entry, fact)
        elif isinstance(fact, MatchStarted):
            self.count_draws(entry, fact)
        elif isinstance(fact, MatchOpened):
            self._house = fact.house
        elif isinstance(fact, MatchForked) and fact.luck == "same":
            self.unchecked[PARENT] = None
        if before is not None:
            self.count_signature(before, fact)
            self._service_acts += service_acts(before, fact)
            self.count_overtime(overtime_of(entry, before, fact))

    def count_overtime(self, overtime: ServiceAct | None) -> None:
        """Record an overtime if it is the longest of its seat."""
        if overtime is None or overtime.seat is None:
            return
        longest = self._overtime.setdefault(overtime.seat, overtime)
        if overtime.seconds > longest.seconds:
            self._overtime[overtime.seat] = overtime

    def count_draws(self, entry: Entry, fact: ActionTaken[Any, Any] | MatchStarted[Any]) -> None:
        """Count draws; raise `LogFault` if a label was used earlier in the line."""
        self.draws += len(fact.draws)
        for draw in fact.draws:
            if draw.label in self.labels:
                raise LogFault(entry.version, "chance", f"the label {draw.label!r} of its draw was already used")
            self.labels.add(draw.label)

    def count_signature(self, before: Match, fact: object) -> None:
        """Record the signer of a fact: seat, service or arbiter, and whether it is signed; bots are left out."""
        if isinstance(fact, RulingGiven):
            self._rulings[fact.ruling] = "" if fact.signed is None else fact.signed.key
            return
        signer = signing_seat(before, fact)
        if signer is not None and is_bot(signer[1].actor):
            return
        signed = signature_of(fact)
        if signer is None:
            if signed is not None:
                self._services[signed.key] = self._services.get(signed.key, 0) + 1
                self._services_from.setdefault(signed.key, before.version + 1)
                self._services_to[signed.key] = before.version + 1
            return
        seat, info = signer
        is_closed = signed is None and isinstance(fact, ActionTaken) and fact.hidden_act is not None
        if signed is None and not is_closed:
            self._unsigned_from.setdefault(seat, before.version + 1)
        self._acts.setdefault(seat, [0, 0, 0])[2 if is_closed else int(signed is None)] += 1
        self._keys.setdefault(seat, {}).update({each.key: each.by == "" for each in info.keys})

    @property
    def signatures(self) -> SignaturesShown:
        """A summary of the signatures counted so far: by seat, services by key, rulings."""
        seats = (
            SeatSigned(
                seat,
                signed=acts[0],
                unsigned=acts[1],
                closed=acts[2],
                keys=len(self._keys[seat]),
                by_sign_in=sum(self._keys[seat].values()),
                unsigned_from=self._unsigned_from.get(seat, 0),
            )
            for seat, acts in sorted(self._acts.items())
        )
        return SignaturesShown(
            tuple(seats),
            tuple(sorted(self._services.items())),
            tuple(sorted(self._services_from.items())),
            tuple(sorted(self._services_to.items())),
            tuple(self._rulings.items()),
            (*self._service_acts, *self._overtime.values()),
            self._house,
        )

    def unchecked_acts(self) -> list[str]:
        """List, in words, the claims that the signatures leave unproven."""
        seats = self.signatures.seats
        unsigned = [
            f"{seat.unsigned} of seat {seat.seat} from entry {seat.unsigned_from}" for seat in seats if seat.unsigned
        ]
        closed = sum(seat.closed for seat in seats)
        by_sign_in = [str(seat.seat) for seat in seats if seat.by_sign_in]
        unsigned_rulings = sum(key == "" for key in self._rulings.values())
        claims = []
        if unsigned:
            claims.append(f"who acted: unsigned, stated by the service only: {', '.join(unsigned)}")
        claims += map(str, self.signatures.service_acts)
        if closed:
            claims.append(f"who acted: {closed} signatures of secret actions are hidden from this reader")
        if unsigned_rulings:
            claims.append(f"who ruled: {unsigned_rulings} unsigned rulings, stated by the service only")
        if by_sign_in:
            claims.append(
                f"owners of the keys: the keys of seats {', '.join(by_sign_in)} were registered by sign-in only"
            )
        return claims


class ReadPast:
    """The latest positions of a log read from its start, as far back as a signature may refer."""

    def __init__(self) -> None:
        self._recent: deque[tuple[Match, Fact]] = deque(maxlen=SEEN_MAX + 1)

    def keep(self, after: Match, fact: Fact) -> None:
        """Append the position after a fact."""
        self._recent.append((after, fact))

    def at(self, version: int) -> Match:
        """Return the position after an earlier entry; raise `LookupError` if it is too old."""
        return {match.version: match for match, _ in self._recent}[version]

    def since(self, version: int) -> list[Fact]:
        """Return the facts after a version."""
        return [fact for match, fact in self._recent if match.version > version]
