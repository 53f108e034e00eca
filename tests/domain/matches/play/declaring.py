"""A correspondence match whose players sign, and their declarations of absences."""

from __future__ import annotations

from functools import partial
from typing import Final

from domain.matches.consequences import open_line
from domain.matches.facts import Clock, Table
from domain.matches.play.absences import DAY, Declared
from domain.matches.play.declared_absences import declaration_text
from domain.matches.play.in_memory import InMemoryMatch, seeded_origins
from domain.matches.seats import opening
from domain.titles import TITLES
from tests.golden.coverage import commitment_of
from tests.golden.rulings import HOUSE_PEN, SignedPlay
from tests.signing import Pen

PEOPLE: Final = ("anna", "bea")
CORRESPONDENCE: Final = Table(clock=Clock("correspondence", 3 * DAY), time_out="skip")


def signed_play(table: Table = CORRESPONDENCE, house: str = HOUSE_PEN.key) -> SignedPlay:
    """Return a started match of Anna and Bea, who sign with one key each, as the service does with `house`."""
    title, origins = TITLES["la_granja"], seeded_origins(b"declared absences")
    fact = opening.open_match(title, seats=2, options={}, table=table, by="anna", seed=origins.seed, house=house)
    match, entries = open_line(title, fact, origins.match_id, origins.now(), origins.step)
    play = SignedPlay(InMemoryMatch(match, entries, origins))
    for seat, actor in enumerate(PEOPLE):
        committed = commitment_of(play.play, seat, actor, actor)
        play.do(partial(opening.take_seat, seat=seat, by=actor, committed=committed, keys=(Pen(actor).named_key,)))
        play.pens[actor] = Pen(actor)
    for seat, actor in enumerate(PEOPLE):
        play.show(seat, actor)
    return play


def declare(person: str, first: int, last: int, at: int = 0, pen: Pen | None = None) -> Declared:
    """Return the declaration of a person, signed with their key or with another one."""
    signer = pen or Pen(person)
    return Declared(signer.key, signer.sign(declaration_text(person, first, last, at)), first, last, at)
