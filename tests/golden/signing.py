"""A golden match whose players and service sign: with several keys, over earlier entries, and no longer."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from domain.kernel.rules import HOUSE, Seat
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.apply import apply
from domain.matches.consequences import open_line
from domain.matches.facts import SERVICE, Clock, RulingGiven, Table
from domain.matches.play import playing
from domain.matches.play.in_memory import Play, bot_action, seed_luck
from domain.matches.rulings import ruling
from domain.matches.rulings.measures import SeatWarned
from domain.matches.rulings.orders import Place, act_of_order, sign_order
from domain.matches.seats import opening
from domain.matches.signatures import signing_keys
from domain.matches.signatures.signing import sign
from domain.matches.titles import read_fact
from domain.matches.verification.tally import ReadPast
from domain.signatures.acts import Signed, order_text
from domain.titles import TITLES
from tests.golden.coverage import OPTIONS, RANDOM, committed, share_and_salt
from tests.signing import Pen

HOUSE_PEN: Final = Pen("house")
RULED_AT: Final = 60
DISPUTE: Final = UUID(int=5)
STOPS_AT: Final = 90
"""The entry after which one of the two goes on unsigned."""


class SignedPlay:
    """A match in memory whose people sign what they do."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.pens: dict[str, Pen] = {}
        self._past = ReadPast()
        self._before: Match | None = None

    def do(self, decide: Callable[[Match], Any], by: str = "", seen: Match | None = None) -> None:
        """The fact that is decided on, signed by a player or the service, and what follows."""
        before, after = self.play.match, len(self.play.entries)

        def signed(match: Match) -> Any:
            fact, pen = decide(match), self.pens.get(by)
            return sign(match, fact, pen.signs(match, fact, seen) if pen else None, HOUSE_PEN, self._past)

        self.play.do(signed)
        for entry in self.play.entries[after:]:
            before = apply(before, entry)
            self._past.keep(before, read_fact(before.definition, entry))

    def show(self, seat: int, actor: str) -> None:
        """Ready, with the share that was committed to."""
        share, salt = share_and_salt(actor)
        self.do(partial(opening.ready, seat=seat, by=actor, share=share.hex(), salt=salt.hex()), actor)

    def on(self) -> None:
        """What the next seat to act does, as a random bot would."""
        match = self.play.match
        seat = seats_to_act(match)[0]
        if seat == HOUSE:
            action = legal_actions(match, HOUSE)[0]
            return self.do(partial(playing.act, seat=HOUSE, by=SERVICE, action=action))
        actor = match.seats[seat].actor or ""
        action = bot_action(match, Seat(seat), RANDOM.choose)
        # Who chooses at the same time as another has not seen what that one has done.
        was, self._before = self._before, match
        is_alike = (
            was is not None and was.status == "running" and legal_actions(was, seat) == legal_actions(match, seat)
        )
        seen = was if is_alike and match.turn.seat != seat else None
        return self.do(partial(playing.act, seat=seat, by=actor, action=action), actor, seen)


def ruled(table: SignedPlay) -> None:
    """The match stands still for a dispute, and an arbiter warns a seat."""
    table.do(partial(playing.pause, by=SERVICE, dispute=str(DISPUTE)))
    fact = RulingGiven("ruling-1", str(DISPUTE), "arbiter", 40, "4.2", "So it is.", (SeatWarned(1),))
    place, arbiter = Place(DISPUTE, 1, sha256(b"the dispute was raised").digest(), is_elsewhere=True), Pen("arbiter")
    text = order_text(place.stream, place.version, place.digest, act_of_order(fact))
    offered = Signed(arbiter.key, arbiter.sign(text))
    order = sign_order(fact, place, offered, (arbiter.key,), HOUSE_PEN)
    table.play.do(lambda match: ruling.rule(match, order))


def signed(title: str) -> Play:
    """Anna signs with two keys throughout, Bea until she goes on without; between them sits a bot."""
    origins, asked = seed_luck(f"{title} signed".encode()), Table(clock=Clock("increment", 600, 10))
    fact = opening.open_match(
        TITLES[title], seats=3, options=OPTIONS[title], table=asked, by="anna", seed=origins.seed, house=HOUSE_PEN.key
    )
    match, entries = open_line(TITLES[title], fact, origins.match_id, origins.now(), origins.step)
    table = SignedPlay(Play(match, entries, origins))
    anna, second, bea = Pen("anna"), Pen("anna's telephone"), Pen("bea")
    take = partial(opening.take_seat, seat=0, by="anna", committed=committed(table.play, 0, "anna", "anna"))
    table.do(partial(take, keys=(anna.named, anna.vouches_for(second, "anna"))))
    table.do(partial(opening.take_seat, seat=1, by=RANDOM.actor))
    table.do(partial(opening.take_seat, seat=2, by="bea", committed=committed(table.play, 2, "bea", "bea")))
    table.do(partial(signing_keys.name_key, seat=2, by="bea", key=bea.named))
    table.pens |= {"anna": anna, "bea": bea}
    table.show(0, "anna")
    table.show(2, "bea")
    while not table.play.match.is_over:
        table.on()
        if table.play.match.version > RULED_AT and not table.play.match.docket.rulings:
            ruled(table)
        if "bea" in table.pens and table.play.match.version > STOPS_AT and not table.play.match.is_over:
            table.do(partial(signing_keys.stop_signing, seat=2, by="bea"), "bea")
            del table.pens["bea"]
            table.pens["anna"] = second
    return table.play


SCENES: Final[dict[str, Callable[[str], Play]]] = {"signed": signed}
