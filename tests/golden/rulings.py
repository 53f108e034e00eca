"""Golden matches with arbiters, with signatures, and with the additions of log format 3.

`python -m tests.golden.rulings el_grande` records the matches with arbiters of that title.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final
from uuid import UUID

import msgspec

from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.matches.aggregate import Match, legal_actions, seats_to_act, take_back_versions
from domain.matches.apply import apply, fold
from domain.matches.consequences import fork_line, open_line
from domain.matches.facts import SERVICE, Clock, RulingGiven, Table
from domain.matches.forks import forking
from domain.matches.log.log_files import write_log
from domain.matches.play import absence_commands, commands
from domain.matches.play.absences import DAY
from domain.matches.play.in_memory import InMemoryMatch, bot_action, play_to_end, seeded_origins, table_of_bots
from domain.matches.rulings import ruling
from domain.matches.rulings.measures import LineResumed, Measure, PointsTaken, ResultSet, SeatWarned, TimeTaken
from domain.matches.rulings.orders import StreamHead, act_of_order, sign_order
from domain.matches.seats import opening
from domain.matches.signatures import signing_keys
from domain.matches.signatures.signing import sign
from domain.matches.titles import read_fact
from domain.matches.verification.tally import ReadPast
from domain.signatures.acts import Signed, order_text
from domain.titles import TITLES
from tests.golden.coverage import commitment_of, share_and_salt
from tests.signing import Pen
from workers.bots import BOTS

RANDOM: Final = BOTS["random"]
OPTIONS: Final = {"el_grande": {"cards": "2006", "short": "yes"}, "la_granja": {}}


def table(title: str, seed: str) -> InMemoryMatch:
    asked = Table(clock=Clock("increment", 600, 10), pause_on_dispute=True, event="the open of Esporles", rated=True)
    return table_of_bots(TITLES[title], (RANDOM.actor,) * 3, OPTIONS[title], seeded_origins(seed.encode()), asked)


def play_actions(play: InMemoryMatch, count: int) -> None:
    """Play `count` more actions."""
    for _ in range(count):
        seat = seats_to_act(play.match)[0]
        legal = legal_actions(play.match, seat)
        by = SERVICE if seat == SERVICE_SEAT else RANDOM.actor
        play.act(seat, by, legal[play.match.version % len(legal)])


def ruling_given_at(number: int, at: int, *measures: Measure, appeal_of: str = "", upheld: bool = False) -> RulingGiven:
    return RulingGiven(
        ruling=f"ruling-{number}",
        dispute="dispute-1",
        by="arbiter" if not appeal_of else "head",
        at=at,
        rule="4.2",
        reasons="The seat acted after its time had run out.",
        measures=measures,
        appeal_of=appeal_of,
        upheld=upheld,
        authority="service",
    )


def play_ruled(title: str) -> InMemoryMatch:
    """Play with a dispute, a warning and penalties; then a result set, upheld on appeal, and points taken."""
    play = table(title, "ruled")
    play_actions(play, 30)
    play.append(partial(commands.pause, by=SERVICE, dispute="dispute-1"))
    first = ruling_given_at(1, 12, SeatWarned(1), PointsTaken(1, 3), TimeTaken(1, 60))
    play.append(lambda match: ruling.check_ruling(match, first))
    play_actions(play, 10)
    set_ = ruling_given_at(2, 40, ResultSet((9, 5, 5), (1, 2, 2)))
    play.append(lambda match: ruling.check_ruling(match, set_))
    play.append(lambda match: ruling.check_ruling(match, ruling_given_at(3, 40, appeal_of="ruling-2", upheld=True)))
    play.append(lambda match: ruling.check_ruling(match, ruling_given_at(4, 40, PointsTaken(2, 1))))
    return play


def play_resumed(title: str) -> InMemoryMatch:
    """Play the line that replaced another after a ruling, to the end."""
    parent = table(title, "resumed")
    play_actions(parent, 60)
    origins = seeded_origins(b"resumed line")
    prefix = tuple(parent.entries[:45])
    base = fold(TITLES, prefix)
    fact = forking.build_replacement(base, ruling="ruling-1", clocks=(100_000, 200_000, 300_000), seed=origins.seed)
    match, entries = fork_line(base, fact, origins.match_id, origins.now(), origins.step)
    play = InMemoryMatch(match, (*prefix, *entries), origins)
    again = ruling_given_at(1, 50, LineResumed(45, str(origins.match_id)), SeatWarned(0))
    play.append(lambda match: ruling.check_ruling(match, again))
    play_to_end(play, {RANDOM.actor: RANDOM.choose})
    return play


SCENES: Final[dict[str, Callable[[str], InMemoryMatch]]] = {"ruled": play_ruled, "resumed": play_resumed}


def main(titles: list[str]) -> None:
    for title in titles:
        for name, scene in SCENES.items():
            write_log(Path(__file__).parent / f"{title}-{name}.jsonl", scene(title).entries)


PEOPLE: Final = ("anna", "bea", "cleo")
ACTIONS: Final = 160
"""The number of actions of people before bots play to the end."""


def table_of_people(title: str, seed: str, table: Table) -> InMemoryMatch:
    """Begin a match of three people, with a second after every entry."""
    origins = seeded_origins(f"{title} {seed}".encode())
    fact = opening.open_match(TITLES[title], seats=3, options=OPTIONS[title], table=table, by="anna", seed=origins.seed)
    play = InMemoryMatch(*open_line(TITLES[title], fact, origins.match_id, origins.now(), origins.step), origins)
    for seat, person in enumerate(PEOPLE):
        play.append(partial(opening.take_seat, seat=seat, by=person))
    for seat, person in enumerate(PEOPLE):
        play.append(partial(opening.ready, seat=seat, by=person))
    return play


def acts(play: InMemoryMatch, rng: Random, wait: float = 1) -> None:
    """Let the next seat act at random, after `wait` seconds."""
    match = play.match
    seat = rng.choice(seats_to_act(match))
    legal = legal_actions(match, seat)
    by = SERVICE if seat == SERVICE_SEAT else match.seats[seat].actor or ""
    action = rng.choice(legal[1:] or legal)
    play.append(partial(commands.act, seat=seat, by=by, action=action), at=match.timestamp + timedelta(seconds=wait))


def to_the_end(play: InMemoryMatch) -> InMemoryMatch:
    """Let bots take all seats and play to the end."""
    for seat, info in enumerate(play.match.seats):
        if info.is_person and not play.match.is_over:
            play.append(partial(commands.replace_seat, seat=seat, by=info.actor or "", actor=RANDOM.actor))
    play_to_end(play, {RANDOM.actor: RANDOM.choose})
    return play


def taken_back(title: str) -> InMemoryMatch:
    """Play with take-backs wherever they are allowed, also to the version of an earlier one; clocks always run."""
    play = table_of_people(title, "taken back", Table(clock=Clock("increment", 3_600, 5), take_backs=3))
    rng = Random(f"{title} taken back")
    while not play.match.is_over and play.match.version < ACTIONS:
        acts(play, rng, 3)
        own = play.match.turn.seat
        while own is not None and rng.random() < 0.5 and (versions := take_back_versions(play.match, own)):
            if play.match.turn.taken_back_count >= 3 or play.match.seats[own].actor is None:
                break
            by, at = play.match.seats[own].actor or "", play.match.timestamp + timedelta(seconds=40)
            play.append(partial(commands.take_back, seat=own, by=by, to_version=rng.choice(versions)), at=at)
            if rng.random() < 0.5:
                acts(play, rng)
    return to_the_end(play)


def play_absent(title: str) -> InMemoryMatch:
    """Play with absences: announced, ended early, cancelled, one by the service, and one before a timeout."""
    play = table_of_people(title, "absent", Table(clock=Clock("correspondence", 3 * DAY), time_out="skip"))
    rng = Random(f"{title} absent")
    for number in range(3):
        seat = next(each for each in seats_to_act(play.match) if each >= 0)
        person, now = play.match.seats[seat].actor or "", play.match.timestamp
        by, first = (SERVICE if number == 1 else person), int(now.timestamp()) + 1 + number * DAY
        play.append(
            partial(absence_commands.announce_absence, seat=seat, by=by, first=first, last=first + 5 * DAY, at=now),
            at=now,
        )
        back = now + timedelta(days=(4, 0.5, 9)[number])
        if number < 2:
            play.append(partial(absence_commands.end_absence, seat=seat, by=person, at=back), at=back)
        else:
            play.append(partial(commands.time_out, seat=seat, by=SERVICE, at=back), at=back)
        for _ in range(20):
            acts(play, rng)
    play.append(partial(commands.replace_seat, seat=0, by=SERVICE, actor="dora"))
    play.append(partial(commands.replace_seat, seat=0, by=SERVICE, actor=RANDOM.actor, reason="erased"))
    return to_the_end(play)


THIRD_FORMAT_SCENES: Final[dict[str, Callable[[str], InMemoryMatch]]] = {
    "taken-back": taken_back,
    "absent": play_absent,
}


FOLDER: Final = Path(__file__).with_name("contests")


def no_show_file() -> bytes:
    """Return the proof of a tournament in format 1 in which a bot won the final for an absent entrant."""
    return (FOLDER / "no-show-format-1.event").read_bytes()


def load_recorded(name: str) -> dict[str, Any]:
    """Return the values that were recorded with a contest."""
    found: dict[str, Any] = msgspec.json.decode((FOLDER / f"{name}.json").read_bytes())
    return found


HOUSE_PEN: Final = Pen("house")
RULED_AT: Final = 60
DISPUTE: Final = UUID(int=5)
STOPS_AT: Final = 90
"""The entry after which one of the two players stops signing."""


class SignedPlay:
    """A match in memory whose people sign their actions."""

    def __init__(self, play: InMemoryMatch) -> None:
        self.play = play
        self.pens: dict[str, Pen] = {}
        self._past = ReadPast()
        self._before: Match | None = None

    def do(
        self, decide: Callable[[Match], Any], by: str = "", seen: Match | None = None, at: datetime | None = None
    ) -> None:
        """Record the decided fact, signed by the service and the player if they have a key."""
        before, after = self.play.match, len(self.play.entries)

        def sign_fact(match: Match) -> Any:
            fact, pen = decide(match), self.pens.get(by)
            return sign(match, fact, pen.signs(match, fact, seen) if pen else None, HOUSE_PEN, self._past)

        self.play.append(sign_fact, at=at)
        for entry in self.play.entries[after:]:
            before = apply(before, entry)
            self._past.keep(before, read_fact(before.definition, entry))

    def show(self, seat: int, actor: str) -> None:
        """Report the player ready, with the share committed earlier."""
        share, salt = share_and_salt(actor)
        self.do(partial(opening.ready, seat=seat, by=actor, share=share.hex(), salt=salt.hex()), actor)

    def play_next(self) -> None:
        """Perform a random action of the next seat to act."""
        match = self.play.match
        seat = seats_to_act(match)[0]
        if seat == SERVICE_SEAT:
            action = legal_actions(match, SERVICE_SEAT)[0]
            return self.do(partial(commands.act, seat=SERVICE_SEAT, by=SERVICE, action=action))
        actor = match.seats[seat].actor or ""
        action = bot_action(match, Seat(seat), RANDOM.choose)
        # A seat that chooses simultaneously with another has not seen the other's choice.
        was, self._before = self._before, match
        is_alike = (
            was is not None and was.status == "running" and legal_actions(was, seat) == legal_actions(match, seat)
        )
        seen = was if is_alike and match.turn.seat != seat else None
        return self.do(partial(commands.act, seat=seat, by=actor, action=action), actor, seen)


def is_ruled_on(table: SignedPlay) -> None:
    """Pause the match for a dispute and let an arbiter warn a seat."""
    table.do(partial(commands.pause, by=SERVICE, dispute=str(DISPUTE)))
    fact = RulingGiven("ruling-1", str(DISPUTE), "arbiter", 40, "4.2", "So it is.", (SeatWarned(1),))
    place, arbiter = (
        StreamHead(DISPUTE, 1, sha256(b"the dispute was raised").digest(), is_elsewhere=True),
        Pen("arbiter"),
    )
    text = order_text(place.stream, place.version, place.digest, act_of_order(fact))
    offered = Signed(arbiter.key, arbiter.sign(text))
    order = sign_order(fact, place, offered, (arbiter.key,), HOUSE_PEN)
    table.play.append(lambda match: ruling.check_ruling(match, order))


def play_signed(title: str) -> InMemoryMatch:
    """Play with a bot and two signing people: Anna signs with two keys, Bea stops signing halfway."""
    origins, asked = seeded_origins(f"{title} signed".encode()), Table(clock=Clock("increment", 600, 10))
    fact = opening.open_match(
        TITLES[title], seats=3, options=OPTIONS[title], table=asked, by="anna", seed=origins.seed, house=HOUSE_PEN.key
    )
    match, entries = open_line(TITLES[title], fact, origins.match_id, origins.now(), origins.step)
    table = SignedPlay(InMemoryMatch(match, entries, origins))
    anna, second, bea = Pen("anna"), Pen("anna's telephone"), Pen("bea")
    take = partial(opening.take_seat, seat=0, by="anna", committed=commitment_of(table.play, 0, "anna", "anna"))
    table.do(partial(take, keys=(anna.named_key, anna.vouches_for(second, "anna"))))
    table.do(partial(opening.take_seat, seat=1, by=RANDOM.actor))
    table.do(partial(opening.take_seat, seat=2, by="bea", committed=commitment_of(table.play, 2, "bea", "bea")))
    table.do(partial(signing_keys.name_key, seat=2, by="bea", key=bea.named_key))
    table.pens |= {"anna": anna, "bea": bea}
    table.show(0, "anna")
    table.show(2, "bea")
    while not table.play.match.is_over:
        table.play_next()
        if table.play.match.version > RULED_AT and not table.play.match.docket.rulings:
            is_ruled_on(table)
        if "bea" in table.pens and table.play.match.version > STOPS_AT and not table.play.match.is_over:
            table.do(partial(signing_keys.stop_signing, seat=2, by="bea"), "bea")
            del table.pens["bea"]
            table.pens["anna"] = second
    return table.play


SIGNED_SCENES: Final[dict[str, Callable[[str], InMemoryMatch]]] = {"signed": play_signed}


if __name__ == "__main__":
    main(sys.argv[1:])
