"""Leagues in a store: commands are transactions, and an opened round opens each match once."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

import pytest
from eventsourcing.persistence import PersistenceError

from domain.contests.duties import DueStep
from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.values import replace
from domain.leagues import commands, invitations, seasons, substitutes
from domain.leagues.duties import SeasonTables, duty_of, tables_to_open
from domain.leagues.face_to_face import enter_result
from domain.leagues.facts import Fact, FixtureRuled, PlayerEntered
from domain.leagues.invitation_facts import PlayerInvited
from domain.leagues.plan import Division, LeaguePlan, LeagueRefused
from domain.leagues.state import LEAGUE, League, match_of
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.errors import BotCannotPlay, NotAllowed, StaleVersion, UnknownActor, UnknownTitle, WrongSeatCount
from domain.matches.facts import SERVICE, Clock, SeatReady, Table, is_bot
from domain.matches.forks.lineage import official_line
from domain.matches.log.log_files import log_of
from domain.matches.play.deadlines import deadline, pass_deadline
from domain.matches.seats.event_tables import seat_player
from domain.matches.seats.luck_shares import seats_with_own_luck
from domain.matches.seats.opening import require_waited
from domain.matches.verification.verify import verify
from domain.roles.audit import AUDIT, AUDIT_STREAM, EventActed
from domain.roles.commands import change_role
from tests.domain.matches.match_helpers import commit, facts, resume_match, show
from tests.domain.tournaments.test_transactions import open_brittle
from tests.projections.tables import TITLES, at, matches_in, take_action

ID = UUID(int=9)
PLAN = LeaguePlan(
    name="Toy league", title="toy", size=2, table=Table(rated=True), divisions=(Division("All", 0, 4),), bot="bot:x@1"
)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


def running_league(matches: Matches, players: tuple[str, ...] = ("ann", "ben", "bot:x@1")) -> League:
    """Draw a season."""
    commands.open_league(matches, ID, "org", PLAN, at=at(0))
    commands.execute(matches, ID, lambda league: seasons.open_season(league, "org", "One"), at=at(1))
    for player in players:
        commands.execute(matches, ID, entering(player), at=at(2))
    return commands.execute(matches, ID, lambda league: seasons.draw(league, "org", {}), at=at(3)).state


def open_round(matches: Matches) -> League:
    """Open the next round without its matches."""
    return commands.execute(matches, ID, lambda league: seasons.open_round(league, "org", at(4)), at=at(4)).state


def open_tables(matches: Matches, league: League) -> int:
    """Open all waiting tables and return their number."""
    tables = tuple(commands.waiting_tables(matches, league, ()))
    for table in tables:
        commands.open_table(matches, ID, table, at=at(5))
    return len(tables)


def start_late(matches: Matches, match_id: UUID) -> Match:
    """Start the match of a table without its players, after the waiting time."""
    late = at(5) + commands.WAIT
    return pass_deadline(matches, match_id, expected_version=matches.get(match_id).version, at=late)


def next_round(matches: Matches) -> League:
    """Open the next round and its matches."""
    league = open_round(matches)
    open_tables(matches, league)
    return league


def entering(player: str) -> Callable[[League], PlayerEntered | PlayerInvited]:
    """Enter an account by its own act, or a bot by the organiser's."""
    by = "org" if is_bot(player) else player
    return lambda league: seasons.enter(league, by, player, 0, is_organiser=True)


def inviting_sue(from_round: int) -> Callable[[League], Fact]:
    return lambda league: substitutes.substitute(league, "org", 0, "ann", "sue", from_round, "Ill.")


def accepting(actor: str) -> Callable[[League], Fact]:
    return lambda league: invitations.accept(league, actor, league.invitations.open[-1].fact.to, 0)


def test_opening_a_league_is_idempotent(matches: Matches) -> None:
    first = commands.open_league(matches, ID, "org", replace(PLAN, bot=""), at=at(0))
    again = commands.open_league(matches, ID, "org", replace(PLAN, name="Other"), at=at(5))

    assert again == first
    changed = commands.change_plan(matches, ID, "org", replace(PLAN, name="Other"), at=at(6))
    assert changed.state.plan.name == "Other"


def test_a_plan_states_every_option(tmp_path: Path) -> None:
    """EG-26.2: as for matches, so that the meaning never changes."""
    plan = replace(PLAN, title="el_grande", bot="")
    with closing(open_store(store_env(tmp_path / "grande.db"))) as matches:
        league = commands.open_league(matches, ID, "org", plan, at=at(0)).state
        changed = commands.change_plan(matches, ID, "org", replace(plan, options={"short": "yes"}), at=at(1)).state

    assert league.plan.options["cards"] == "2023"
    assert (changed.plan.options["cards"], changed.plan.options["short"]) == ("2023", "yes")


def test_plans_that_cannot_be_played_here_are_refused(matches: Matches) -> None:
    for plan, error in (
        (replace(PLAN, title="chess"), UnknownTitle),
        (replace(PLAN, size=5), WrongSeatCount),
        (replace(PLAN, bot="bot:greedy@2"), BotCannotPlay),
        (replace(PLAN, bot="somebody"), LeagueRefused),
        (replace(PLAN, table=Table(hints=True)), LeagueRefused),
        (replace(PLAN, table=Table(event="x")), LeagueRefused),
        (replace(PLAN, table=Table(clock=Clock("per_move"))), LeagueRefused),
        (replace(PLAN, bot="bot:?"), UnknownActor),
    ):
        with pytest.raises(error):
            commands.open_league(matches, ID, "org", plan, at=at(0))


def test_an_opened_round_has_its_matches_with_all_players_seated(matches: Matches) -> None:
    change_role(matches, "org", "organiser", by=SERVICE, granted=True, at=at(0))
    running_league(matches)
    league = open_round(matches)
    group = league.seasons[0].groups[0]
    before = matches.lines.has(match_of(ID, 1, 0, 1, 1))
    assert open_tables(matches, league) == 1
    match = matches.get(match_of(ID, 1, 0, 1, 1))

    assert not before
    assert (match.status, deadline(match)) == ("open", at(5) + commands.WAIT)
    assert {info.share_by for info in match.seats if info.is_person} == {"awaited"}
    assert tuple(seat.actor for seat in match.seats) == group.players_at(1, 1)
    assert (match.table.event, match.table.rated) == (str(ID), True)
    assert open_tables(matches, league) == 0
    assert commands.open_table(matches, ID, (0, 1, 1), at=at(6)) == match


def test_the_tables_of_a_rated_league_are_unrated_unless_its_opener_organises_for_the_service(matches: Matches) -> None:
    """Plans older than this rule and roles withdrawn since are checked too."""
    change = partial(change_role, matches, "org", "organiser", by=SERVICE, at=at(0))
    change(granted=True)
    running_league(matches)
    open_round(matches)
    change(granted=False)
    change_role(matches, "org", "organiser", by=SERVICE, granted=True, at=at(0), scope=str(ID))

    assert commands.open_table(matches, ID, (0, 1, 1), at=at(6)).table.rated is False


def test_opening_a_table_checks_the_expected_version(matches: Matches) -> None:
    running_league(matches)
    open_round(matches)
    version = matches.streams.get(LEAGUE, ID).version

    with pytest.raises(StaleVersion, match=f"is at version {version}, not 1"):
        commands.open_table(matches, ID, (0, 1, 1), at=at(6), expected_version=1)
    assert not matches.lines.has(match_of(ID, 1, 0, 1, 1))
    commands.open_table(matches, ID, (0, 1, 1), at=at(6), expected_version=version)
    assert matches.lines.has(match_of(ID, 1, 0, 1, 1))


def test_players_are_entrants_and_holders_of_places(matches: Matches) -> None:
    opened = commands.open_league(matches, ID, "org", PLAN, at=at(0)).state
    assert opened.players == frozenset()

    running_league(matches)
    commands.execute(
        matches, ID, lambda league: substitutes.substitute(league, "org", 0, "ann", "sue", 1, "Ill."), at=at(4)
    )
    substituted = commands.execute(matches, ID, accepting("sue"), at=at(4)).state
    assert substituted.players == {"ann", "ben", "sue"}


def test_a_substitute_in_a_league_is_marked_in_the_log(matches: Matches) -> None:
    running_league(matches, ("ann", "ben", "cleo"))
    next_round(matches)
    commands.execute(
        matches, ID, lambda league: substitutes.substitute(league, "org", 0, "ann", "sue", 2, "Ill."), at=at(4)
    )
    commands.execute(matches, ID, accepting("sue"), at=at(4))
    next_round(matches)
    group = next_round(matches).seasons[0].groups[0]

    turn = next(turn for turn in (2, 3) if "sue" in group.players_at(turn, 1))
    match = start_late(matches, match_of(ID, 1, 0, turn, 1))
    marked = {info.stands_in_for for info in match.seats if info.actor == "sue"}
    ready = [fact.by for fact in facts(matches, match.id) if isinstance(fact, SeatReady)]
    assert (match.status, marked, ready) == ("running", {"ann"}, [SERVICE, SERVICE])


def test_an_interrupted_opening_is_completed(matches: Matches) -> None:
    """The round was recorded, but its matches were missing, or one was half open as in older versions."""
    league = running_league(matches, ("ann", "ben", "cleo", "dora"))
    opened = open_round(matches)
    half = match_of(ID, 1, 0, 1, 1)
    first, second = opened.seasons[0].groups[0].players_at(1, 1)
    matches.open(half, title="toy", seats=2, by="service", at=at(4), table=Table(rated=True, event=str(ID)))
    matches.transact(lambda batch: seat_player(batch, batch.match(half), 0, first, ""), at=at(4))
    matches.ready(half, 0, first, at=at(4))

    assert open_tables(matches, league) == 0
    assert open_tables(matches, opened) == 2
    assert matches.get(half).status == "running"
    assert [seat.actor for seat in matches.get(half).seats] == [first, second]


@pytest.mark.parametrize("left", range(3))
def test_a_table_is_opened_in_one_transaction(tmp_path: Path, left: int) -> None:
    matches = open_brittle(tmp_path, TITLES)
    running_league(matches)
    open_round(matches)
    matches.left = left
    if left == 0:
        with pytest.raises(PersistenceError):
            commands.open_table(matches, ID, (0, 1, 1), at=at(5))
    else:
        commands.open_table(matches, ID, (0, 1, 1), at=at(5))

    assert matches.lines.has(match_of(ID, 1, 0, 1, 1)) == (left > 0)
    assert left == 0 or all(info.actor for info in matches.get(match_of(ID, 1, 0, 1, 1)).seats)
    matches.close()


def test_players_of_a_league_bring_their_own_luck(matches: Matches) -> None:
    """The table starts once all are ready; the service's share, marked, replaces late ones."""
    running_league(matches, ("ann", "ben", "cleo", "dora"))
    next_round(matches)
    own, late = (matches.get(match_of(ID, 1, 0, 1, table)) for table in (1, 2))
    for match in (own, late):
        for seat, info in enumerate(match.seats[: 2 if match is own else 1]):
            commit(matches, match.id, seat, info.actor or "", seat)
    for seat, info in enumerate(own.seats):
        show(matches, own.id, seat, info.actor or "", seat)
    with pytest.raises(NotAllowed, match="seat 1 has until 2026-05-02T12:00:05"):
        require_waited(matches.get(late.id), 1, at(6))
    start_late(matches, late.id)
    show(matches, late.id, 0, late.seats[0].actor or "", 0)

    assert [seats_with_own_luck(matches.get(match.id)) for match in (own, late)] == [(0, 1), (0,)]
    assert {matches.get(match.id).status for match in (own, late)} == {"running"}
    assert next(fact for fact in facts(matches, late.id) if isinstance(fact, SeatReady)).by == SERVICE
    for match in (own, late):
        assert verify(log_of(matches.entries(match.id)), titles=TITLES).is_good


def test_a_table_of_bots_begins_at_once(matches: Matches) -> None:
    running_league(matches, ("bot:x@1", "bot:y@1"))
    next_round(matches)

    assert matches.get(match_of(ID, 1, 0, 1, 1)).status == "running"


def test_the_only_duty_of_a_league_without_a_schedule_is_to_open_tables(matches: Matches) -> None:
    league_drawn = running_league(matches, ("ann", "ben", "cleo", "dora"))
    opened = open_round(matches)
    begun = {match_of(ID, 1, 0, 1, table) for table in (1, 2)}

    nothing = SeasonTables((), ())
    assert [duty_of(league, nothing) for league in (replace(league_drawn, seasons=()), league_drawn, opened)] == [
        None,
        None,
        DueStep("open"),
    ]
    assert list(tables_to_open(opened, {match_of(ID, 1, 0, 1, 1)})) == [(0, 1, 2)]
    assert duty_of(opened, SeasonTables(begun, begun)) is None
    rule_table(matches, table=1)
    assert list(tables_to_open(rule_table(matches, table=2), ())) == []


def test_a_table_with_a_ruling_needs_no_match(matches: Matches) -> None:
    running_league(matches, ("ann", "ben"))
    league = open_round(matches)
    decided = rule_table(matches)

    assert open_tables(matches, replace(league, seasons=())) == 0
    assert open_tables(matches, decided) == 0
    assert matches.streams.get(LEAGUE, ID).state == decided
    with pytest.raises(
        LeagueRefused, match="the organiser has already decided the result of group 1, round 1, table 1"
    ):
        commands.open_table(matches, ID, (0, 1, 1), at=at(6))
    with pytest.raises(LeagueRefused, match="round 2 of group 1 is not open"):
        commands.open_table(matches, ID, (0, 2, 1), at=at(6))


def rule_table(matches: Matches, *, table: int = 1) -> League:
    """Rule on a table of the first round, with no results known."""
    ruling = FixtureRuled("org", 1, 0, table, (1, 2), (1, 0), reason="So.")
    return commands.execute(matches, ID, lambda known: seasons.rule(known, ruling, {}), at=at(5)).state


def test_a_ruling_voids_the_running_match_and_ends_its_duties(matches: Matches) -> None:
    running_league(matches, ("ann", "ben"))
    next_round(matches)
    league = rule_table(matches)
    match = matches.get(match_of(ID, 1, 0, 1, 1))

    assert league.seasons[0].groups[0].ruling(1, 1) is not None
    assert (match.status, seats_to_act(match)) == ("void", ())
    assert rule_table(matches).seasons[0].groups[0].ruled[1:], "the last word counts, and the match is over already"


def test_a_face_to_face_result_voids_the_match(matches: Matches) -> None:
    running_league(matches, ("ann", "ben"))
    next_round(matches)
    league = commands.execute(
        matches, ID, lambda known: enter_result(known, "org", (0, 1, 1), (5, 7), (2, 1), {}), at=at(5)
    ).state
    match = matches.get(match_of(ID, 1, 0, 1, 1))

    assert league.seasons[0].groups[0].ruled[0].unverified
    assert (match.status, seats_to_act(match)) == ("void", ())
    assert open_tables(matches, league) == 0


def test_a_ruling_voids_the_line_that_replaced_the_match(matches: Matches) -> None:
    running_league(matches, ("ann", "ben"))
    next_round(matches)
    began_as = match_of(ID, 1, 0, 1, 1)
    before = start_late(matches, began_as)
    take_action(matches, before, seats_to_act(before)[0], 4)
    resume_match(matches, began_as, before.version, UUID(int=8))
    rule_table(matches)

    assert matches.get(began_as).status == "superseded"
    assert official_line(matches, began_as).status == "void"


def test_a_table_whose_match_has_just_ended_cannot_be_ruled_on(matches: Matches) -> None:
    """The results read before do not include the end of the match; the log does."""
    running_league(matches, ("ann", "ben"))
    next_round(matches)
    match = start_late(matches, match_of(ID, 1, 0, 1, 1))
    matches.resign(match.id, 0, match.seats[0].actor or "", at=at(4))

    with pytest.raises(LeagueRefused, match="group 1, round 1, table 1 was played on this server"):
        rule_table(matches)
    assert matches.get(match.id).status == "ended"


def test_an_organisers_decision_needs_a_reason_and_is_audited(matches: Matches) -> None:
    running_league(matches)
    open_round(matches)
    later = at(5) + timedelta(days=99)
    before = len(acts(matches))
    with pytest.raises(LeagueRefused, match="a new deadline needs a reason"):
        commands.execute(matches, ID, lambda league: seasons.move_deadline(league, "org", 1, later, at(5)), at=at(5))
    with pytest.raises(LeagueRefused, match="a ruling needs a reason"):
        commands.execute(matches, ID, lambda _: FixtureRuled("org", 1, 0, 1, (1, 2), (1, 0)), at=at(5))
    moved = commands.execute(
        matches, ID, lambda league: seasons.move_deadline(league, "org", 1, later, at(5), "Snow."), at=at(5)
    )

    with pytest.raises(LeagueRefused, match="is after the year 2199"):
        seasons.move_deadline(moved.state, "org", 1, later.replace(year=9999), at(5), "Never.")
    (fact,) = acts(matches)[before:]
    assert (fact.act, fact.record, fact.reason, fact.event) == ("deadline_moved", moved.version, "Snow.", str(ID))
    assert (fact.by, fact.role) == ("org", "organiser")


def acts(matches: Matches) -> list[EventActed]:
    found = [AUDIT.read(record) for record in matches.streams.records(AUDIT_STREAM)]
    return [fact for fact in found if isinstance(fact, EventActed)]
