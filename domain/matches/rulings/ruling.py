"""Rulings in the log of a match: permitted measures and their effect on the result."""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from domain.matches.aggregate import Match, Result, info_of
from domain.matches.errors import NotAllowed, RulingRefused
from domain.matches.facts import RulingGiven, is_bot
from domain.matches.rulings.measures import (
    LineResumed,
    MatchVoided,
    Measure,
    PointsTaken,
    ResultSet,
    SeatWarned,
    TimeTaken,
)
from domain.matches.seats.opening import check_player

RULE_MAX: Final = 200
REASONS_MAX: Final = 4_000
POINTS_MAX: Final = 1_000
SECONDS_MAX: Final = 86_400
MEASURES_MAX: Final = 16
DECISIVE: Final = (LineResumed, ResultSet, MatchVoided)
"""Measures that decide the whole match; a ruling has at most one of them."""


def check_ruling(match: Match, fact: RulingGiven) -> RulingGiven:
    """Return the ruling if it can be given on this line now.

    Raise `NotAllowed` for a bot or anyone who has sat there, `UnknownActor`, `UnknownSeat`, otherwise `RulingRefused`:
    for example before the start, on a superseded line, for an unknown entry or appealed ruling, or for the same ruling
    again.
    """
    check_player(fact.by)
    if is_bot(fact.by):
        raise NotAllowed(f"{fact.by!r} is a bot and cannot give rulings")
    if fact.by in match.docket.sat:
        raise NotAllowed(f"{fact.by!r} plays in match {match.id} and cannot rule on it")
    if match.started_version is None:
        raise RulingRefused(f"match {match.id} has not started; there is nothing to rule on")
    if match.status == "superseded":
        raise RulingRefused(
            f"match {match.id} was superseded from entry {match.docket.superseded_from};"
            f" it continues as {match.docket.superseded_by}"
        )
    # A line that replaces another repeats its rulings, which may refer to entries that it does not have.
    if fact.at < 1 or (fact.at > match.version and not match.docket.ruling):
        raise RulingRefused(f"match {match.id} has entries 1 to {match.version}, not {fact.at}")
    check_authority(match, fact)
    check_words(fact.rule, fact.reasons)
    if not (fact.ruling.strip() and fact.dispute.strip()):
        raise RulingRefused("a ruling names itself and its dispute")
    if fact.upheld and (fact.measures or not fact.appeal_of):
        raise RulingRefused("only a ruling on appeal can uphold another, and one that upholds cannot have measures")
    check_appeal(match, fact)
    if len(fact.measures) > MEASURES_MAX:
        raise RulingRefused(f"a ruling has at most {MEASURES_MAX} measures, not {len(fact.measures)}")
    for measure in fact.measures:
        check_measure(match, measure)
        if isinstance(measure, LineResumed) and measure.line == str(match.id) and match.docket.ruling != fact.ruling:
            raise RulingRefused(f"the ruling {fact.ruling} does not resume match {match.id}")
    check_decision(match, fact)
    resumes = any(isinstance(measure, LineResumed) and measure.line == str(match.id) for measure in fact.measures)
    if match.docket.ruling == fact.ruling and not resumes:
        raise RulingRefused(f"the ruling {fact.ruling} does not resume match {match.id}")
    if any(each.ruling == fact.ruling for each in match.docket.rulings):
        raise RulingRefused(f"match {match.id} already has the ruling {fact.ruling}")
    return fact


def check_appeal(match: Match, fact: RulingGiven) -> None:
    """Raise `RulingRefused` for an appeal of a ruling that is unknown or about another dispute.

    A replacing line may repeat a ruling on appeal without the ruling it overturned.
    """
    appealed = next((each for each in match.docket.rulings if each.ruling == fact.appeal_of), None)
    is_valid = match.docket.ruling != "" if appealed is None else appealed.dispute == fact.dispute
    if fact.appeal_of and not is_valid:
        raise RulingRefused(f"match {match.id} has no ruling {fact.appeal_of} to appeal in the dispute {fact.dispute}")


def check_authority(match: Match, fact: RulingGiven) -> None:
    """Raise `RulingRefused` for an authority in a log whose format does not have that field."""
    if fact.authority and match.format < 3:
        raise RulingRefused(f"rulings in a log of format {match.format} do not state the authority of their author")


def check_words(rule: str, reasons: str) -> None:
    """Raise `RulingRefused` for a blank rule or reasons, or more than `RULE_MAX` or `REASONS_MAX` characters."""
    for name, text, length_max in (("rule", rule, RULE_MAX), ("reasons", reasons, REASONS_MAX)):
        if not text.strip():
            raise RulingRefused(f"a ruling requires its {name}")
        if len(text) > length_max:
            raise RulingRefused(f"the {name} of a ruling has at most {length_max} characters, not {len(text)}")


def check_measure(match: Match, measure: Measure) -> None:
    """Raise `UnknownSeat` or `RulingRefused` for a measure that does not fit the match.

    A penalty takes 1 to `POINTS_MAX` points or `SECONDS_MAX` seconds. Time can only be taken while the match is clocked
    and not over, and a line only be resumed from an entry since the start.
    """
    if isinstance(measure, SeatWarned | PointsTaken | TimeTaken):
        info_of(match, measure.seat)
    if isinstance(measure, PointsTaken) and not 1 <= measure.points <= POINTS_MAX:
        raise RulingRefused(f"a penalty deducts 1 to {POINTS_MAX} points, not {measure.points}")
    if isinstance(measure, TimeTaken):
        if not 1 <= measure.seconds <= SECONDS_MAX:
            raise RulingRefused(f"a penalty deducts 1 to {SECONDS_MAX} seconds, not {measure.seconds}")
        if match.table.clock.kind == "none" or match.is_over:
            raise RulingRefused(f"match {match.id} has no clock to deduct time from")
    if isinstance(measure, LineResumed):
        assert match.started_version is not None
        if measure.line == str(match.id) and (match.origin is None or measure.version != match.origin.version):
            raise RulingRefused(f"match {match.id} does not continue from entry {measure.version}")
        if str(UUID(measure.line)) != measure.line:
            raise RulingRefused(f"{measure.line!r} is not the id of a line")
        if measure.line != str(match.id) and not match.started_version <= measure.version < match.version:
            raise RulingRefused(
                f"match {match.id} can be resumed from the entries {match.started_version} to {match.version - 1},"
                f" not from {measure.version}"
            )
    if isinstance(measure, ResultSet):
        check_result(match, measure)


def check_result(match: Match, result: ResultSet) -> None:
    """Raise `RulingRefused` unless every seat has points up to `POINTS_MAX` and a valid place; ties share a place."""
    seats, ranking = len(match.seats), result.ranking
    if len(result.scores) != seats or len(ranking) != seats:
        counts = f"{len(result.scores)} and {len(result.ranking)}"
        raise RulingRefused(f"a result needs points and places for {seats} seats, not {counts}")
    if any(abs(points) > POINTS_MAX for points in result.scores):
        raise RulingRefused(f"a result has at most {POINTS_MAX} points per seat, not {result.scores}")
    if any(place != 1 + sum(other < place for other in ranking) for place in ranking):
        raise RulingRefused(f"{ranking} are not valid places for {seats} seats")


def check_decision(match: Match, fact: RulingGiven) -> None:
    """Raise `RulingRefused` for several decisive measures, or on a void match unless on appeal.

    An appeal against a ruling that stopped the match must decide or uphold it.
    """
    decisive = [measure for measure in fact.measures if isinstance(measure, DECISIVE)]
    if len(decisive) > 1:
        raise RulingRefused("a ruling can only do one of: resume the match, set its result, void it")
    if decisive and match.docket.ruling != fact.ruling and is_owed_a_ruling(match):
        raise RulingRefused(f"the ruling {match.docket.ruling} resumes match {match.id}; no other may decide it first")
    if match.status == "void" and not fact.appeal_of:
        raise RulingRefused(f"match {match.id} is void")
    replaced = next((each for each in match.docket.rulings if each.ruling == fact.appeal_of), None)
    stopped = match.docket.is_cut_short and replaced is not None and decides(replaced)
    if stopped and not decisive and not fact.upheld:
        raise RulingRefused(
            f"match {match.id} was stopped by the ruling {fact.appeal_of}: uphold it, resume, set a result or void"
        )


def is_owed_a_ruling(match: Match) -> bool:
    """Return whether a line created by a ruling does not contain that ruling yet.

    Such a line first repeats the earlier rulings that still apply, then its own.
    """
    rulings = match.docket.rulings
    return match.docket.ruling != "" and not any(each.ruling == match.docket.ruling for each in rulings)


def decides(fact: RulingGiven) -> bool:
    """Return whether a ruling has a decisive measure."""
    return any(isinstance(measure, DECISIVE) for measure in fact.measures)


def rulings_in_force(rulings: Iterable[RulingGiven]) -> tuple[RulingGiven, ...]:
    """Return the rulings that were not overturned on appeal, in order; an upholding ruling overturns none."""
    all_rulings = tuple(rulings)
    replaced = {fact.appeal_of for fact in all_rulings if fact.appeal_of and not fact.upheld}
    return tuple(fact for fact in all_rulings if fact.ruling not in replaced)


def measures_in_force(match: Match) -> tuple[Measure, ...]:
    """Return all measures in force, in order."""
    return tuple(measure for fact in rulings_in_force(match.docket.rulings) for measure in fact.measures)


def points_taken(match: Match) -> tuple[int, ...]:
    """Return the penalty points of each seat by rulings in force."""
    penalties = [0] * len(match.seats)
    for measure in measures_in_force(match):
        if isinstance(measure, PointsTaken):
            penalties[measure.seat] += measure.points
    return tuple(penalties)


def seconds_taken(match: Match, fact: RulingGiven) -> tuple[int, ...]:
    """Return the seconds that a ruling takes from each seat, less the seconds taken by a ruling it overturns."""
    replaces = fact.appeal_of != "" and not fact.upheld
    replaced = [each for each in match.docket.rulings if replaces and each.ruling == fact.appeal_of]
    penalties = [0] * len(match.seats)
    for source, sign in ((fact, 1), *((each, -1) for each in replaced)):
        for measure in source.measures:
            if isinstance(measure, TimeTaken):
                penalties[measure.seat] += sign * measure.seconds
    return tuple(penalties)


def find_set_result(match: Match) -> Result | None:
    """Return the result set by a ruling, or None."""
    set_results = [measure for measure in measures_in_force(match) if isinstance(measure, ResultSet)]
    return Result(set_results[-1].scores, set_results[-1].ranking) if set_results else None


def is_settled_by_service(match: Match) -> bool:
    """Return whether an arbiter of the service set the result that counts, or upheld it on appeal."""
    setting_rulings = [
        fact for fact in rulings_in_force(match.docket.rulings) if any(isinstance(m, ResultSet) for m in fact.measures)
    ]
    if not setting_rulings:
        return False
    upholding_rulings = [
        fact for fact in match.docket.rulings if fact.upheld and fact.appeal_of == setting_rulings[-1].ruling
    ]
    return any(fact.authority == "service" for fact in (setting_rulings[-1], *upholding_rulings))


def is_voided(match: Match) -> bool:
    """Return whether a ruling has voided the match."""
    return any(isinstance(measure, MatchVoided) for measure in measures_in_force(match))


def counted_result(match: Match) -> Result | None:
    """Return the result after rulings and penalties; None for a void match or one without a result yet.

    A set result replaces the played one; penalties lower its scores and places.
    """
    if match.status == "void":
        return None
    result, penalties = find_set_result(match) or match.result, points_taken(match)
    if result is None or not any(penalties):
        return result
    scores = tuple(points - penalty for points, penalty in zip(result.scores, penalties, strict=True))
    return Result(scores, places_after(match, result, scores, penalties))


def places_after(match: Match, result: Result, scores: tuple[int, ...], penalties: tuple[int, ...]) -> tuple[int, ...]:
    """Return the places by points after penalties.

    A penalised seat loses ties, and a resigned seat stays behind the others. Seats that were level and had equal
    penalties stay level.
    """

    def rank(seat: int) -> tuple[int, int, int, int]:
        resigned = match.seats[seat].resigned
        return int(resigned), 0 if resigned else -scores[seat], penalties[seat], result.ranking[seat]

    ranks = [rank(seat) for seat in range(len(scores))]
    return tuple(1 + sum(other < key for other in ranks) for key in ranks)
