"""Helpers for tests of disputes and studies."""

from datetime import datetime
from random import Random
from typing import Any
from uuid import UUID

from domain.disputes import commands
from domain.disputes.rulings import Ruling, rule_on
from domain.disputes.state import Dispute
from domain.eventstore.application import Matches
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.log.records import Stream
from domain.matches.rulings.measures import Measure
from domain.matches.seats.event_tables import seat_match
from domain.roles.commands import change_role
from domain.roles.state import Role
from domain.studies import commands as study_commands
from domain.studies.commands import StoredStudyMatch
from domain.studies.errors import StudyRefused
from domain.studies.facts import (
    GLYPH_SIGNS,
    ChapterNamed,
    PlaceMarked,
    Shape,
    StudyPlace,
    VariationCut,
    VariationPromoted,
    Visibility,
)
from domain.studies.rules import Wish, position_at
from domain.studies.state import STUDY, Study
from tests.domain.matches.match_helpers import BOT, START, TOY, act_once, play_out, start_match, uuid

M, R, S, D, E, W = (uuid(number) for number in (1, 2, 3, 50, 51, 60))
PEOPLE = ("anna", "bea", "carl")
HOLDING = Table(pause_on_dispute=True, clock=Clock("per_move", 60), rated=True)
PLAIN = Table(rated=True)
CLOCKS = (30_000, 40_000, 50_000)
CUP = str(uuid(700))
"""The event of a table."""


def appoint_arbiters(matches: Matches) -> None:
    """Appoint two arbiters and a head arbiter."""
    staff: tuple[tuple[str, Role], ...] = (("art", "arbiter"), ("ada", "arbiter"), ("hella", "head_arbiter"))
    for person, role in staff:
        change_role(matches, person, role, by=SERVICE, granted=True, at=START)


def start_running_match(matches: Matches, table: Table = PLAIN, actions: int = 6) -> Match:
    appoint_arbiters(matches)
    match = start_match(matches, M, PEOPLE, table=table)
    for _ in range(actions):
        match = act_once(matches, match)
    return match


def at_table_of_cup(matches: Matches) -> Match:
    """Start a table of an event and play some actions."""
    appoint_arbiters(matches)
    terms: dict[str, Any] = {"table": Table(rated=True), "options": {}, "seed": bytes(32)}
    terms |= {"players": PEOPLE, "entrants": PEOPLE}
    matches.transact(lambda batch: seat_match(batch, TOY, M, of=uuid(700), **terms), at=START)
    for seat, player in enumerate(PEOPLE):
        matches.ready(M, seat, player, at=START)
    return act_once(matches, act_once(matches, matches.get(M)))


def end_match(matches: Matches) -> Match:
    return play_out(matches, start_running_match(matches))


def raise_dispute(
    matches: Matches, entry: int, by: str = "anna", id: UUID = D, line: UUID = M, at: datetime = START
) -> Stream[Dispute]:
    return commands.open_dispute(
        matches, id, line, entry=entry, by=by, reason="That was wrong.", at=at, players=frozenset()
    )


def give_ruling(
    matches: Matches,
    number: int,
    *measures: Measure,
    by: str = "art",
    id: UUID = D,
    upheld: bool = False,
    line: UUID | None = None,
) -> Stream[Dispute]:
    wanted = Ruling(uuid(number), "4.2", "So it is.", measures, upheld, line)
    return rule_on(matches, id, wanted, by=by, clocks=lambda _line, _entry: CLOCKS, at=START, players=frozenset())


def file_appeal(matches: Matches, by: str = "bea", id: UUID = D) -> Stream[Dispute]:
    return commands.appeal_ruling(matches, id, by=by, reason="No.", at=START)


T, U = uuid(80), uuid(81)
TEXTS = ("Good.", "**No!** <b>", "See [this](https://example.org)\n\n- a\n- b", "ž ✓")


def play_to_last_entry(matches: Matches, title: str = "toy") -> int:
    """Play a match to its end and return its last entry."""
    return play_out(matches, start_match(matches, M, (BOT, BOT, BOT), title=title)).version


def open_study(matches: Matches, by: str = "anna", id: UUID = T, visibility: Visibility = "private") -> Stream[Study]:
    return study_commands.open_study(
        matches,
        id,
        M,
        title="A close one",
        visibility=visibility,
        by=by,
        at=START,
    )


def add_comment(matches: Matches, place: StudyPlace, text: str = "*Well* played", by: str = "anna") -> Stream[Study]:
    return study_commands.add_comment(matches, T, place, text, by=by, at=START)


def choices(matches: Matches, place: StudyPlace) -> list[Wish]:
    """Return the actions that could be played from a place of the study."""
    study = matches.streams.get(STUDY, T).state
    position = position_at(study, place, StoredStudyMatch(matches, M))
    rules = position.match.definition.rules
    seats = [seat for seat in rules.seats_to_act(position.state) if seat != SERVICE_SEAT]
    return [Wish(action, seat) for seat in seats for action in rules.legal_actions(position.state, seat)]


def add_variation(matches: Matches, place: StudyPlace, count: int, random: Random, by: str = "anna") -> Stream[Study]:
    """Add a variation of random legal steps."""
    study = None
    for number in range(count):
        wishes = choices(matches, place)
        if not wishes:
            break
        study = study_commands.add_variation(matches, T, place, [random.choice(wishes)], by=by, at=START)
        variation = study.state.variations[-1] if number == 0 else study.state.variation(place.variation)
        assert variation is not None
        place = StudyPlace(place.entry, variation.number, len(variation.steps))
    return study or matches.streams.get(STUDY, T)


def annotate(matches: Matches, random: Random, actions: int) -> Stream[Study]:
    """Make this many random changes to a study."""
    last = matches.get(M).version
    for _ in range(actions):
        study = matches.streams.get(STUDY, T).state
        places = [StudyPlace(entry) for entry in range(9, last)]
        places += [
            StudyPlace(each.at.entry, each.number, step)
            for each in study.variations
            for step in range(len(each.steps) + 1)
        ]
        place = random.choice(places)
        match random.randrange(7):
            case 0 | 1:
                add_comment(
                    matches,
                    place,
                    random.choice(("Good.", "**No!** <b>", "See [this](https://example.org)\n\n- a\n- b", "ž ✓")),
                )
            case 2:
                glyphs = tuple(random.sample(sorted(GLYPH_SIGNS), random.randrange(3)))
                shapes = (Shape("region-3"), Shape("a", "b", "blue"))[: random.randrange(3)]
                fact = PlaceMarked(by="anna", at=place, glyphs=glyphs, shapes=shapes)  # type: ignore[arg-type]
                study_commands.add_fact(matches, T, fact, at=START)
            case 3:
                try:
                    add_variation(matches, place, random.randrange(1, 4), random)
                except StudyRefused:
                    continue
            case 4:
                title = random.choice(("Opening", ""))
                if title or study.chapter(place.entry):
                    study_commands.add_fact(
                        matches, T, ChapterNamed(by="anna", entry=place.entry, title=title), at=START
                    )
            case 5:
                for each in random.sample(study.variations, min(1, len(study.variations))):
                    try:
                        study_commands.add_fact(
                            matches, T, VariationPromoted(by="anna", variation=each.number), at=START
                        )
                    except StudyRefused:
                        continue
            case _:
                cut = [each for each in study.variations if random.random() < 0.3]
                for each in cut[:1]:
                    wanted = VariationCut(by="anna", variation=each.number, steps=random.randrange(len(each.steps)))
                    study_commands.add_fact(matches, T, wanted, at=START)
    return matches.streams.get(STUDY, T)
