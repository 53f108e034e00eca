"""Acts of league organisers are recorded with the reasons they need."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from domain.contests.absences import Absences
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.leagues import commands, facts, invitations, seasons, substitutes
from domain.leagues.acts import LeagueAct, act_of
from domain.leagues.availability import state_absences
from domain.leagues.face_to_face import enter_result
from domain.leagues.invitation_facts import InvitedTo
from domain.leagues.plan import LeagueRefused
from domain.leagues.standings import group_table
from domain.leagues.state import LEAGUE, League
from domain.matches.facts import SERVICE
from domain.roles.audit import AUDIT, AUDIT_STREAM, EventActed
from tests.domain.leagues.test_league_matches import ID, PLAN, open_round, running_league
from tests.domain.leagues.test_leagues import Story
from tests.projections.tables import at, matches_in

TOO_LATE = at(6) + timedelta(days=PLAN.round_days)


def acts_of(matches: Matches) -> list[LeagueAct]:
    state, acts = None, list[LeagueAct]()
    for record in matches.streams.records(ID):
        fact = LEAGUE.read(record)
        if state is not None and (act := act_of(state, record, fact)) is not None:
            acts.append(act)
        state = LEAGUE.evolve(state, record, fact)
    return acts


def trail_of(matches: Matches) -> list[tuple[str, str, int]]:
    found = [AUDIT.read(record) for record in matches.streams.records(AUDIT_STREAM)]
    return [(fact.act, fact.reason, fact.record) for fact in found if isinstance(fact, EventActed)]


def does(
    matches: Matches, decide: Callable[[League], facts.Fact | Sequence[facts.Fact]], when: datetime | None = None
) -> League:
    return commands.execute(matches, ID, decide, at=when or at(6)).state


def entering(league: League, scores: tuple[int, int], reason: str = "") -> facts.ResultEntered:
    return enter_result(league, "org", (0, 1, 1), scores, (1, 2) if scores[0] > scores[1] else (2, 1), {}, reason)


def test_every_act_of_an_organiser_is_recorded_with_its_changes_and_audited(tmp_path: Path) -> None:
    later = at(9) + timedelta(days=99)
    with matches_in(tmp_path / "log.db") as matches:
        running_league(matches, ("ann", "ben", "cleo"))
        does(matches, lambda league: seasons.leave(league, "org", "cleo", "Moved away."))
        does(
            matches, lambda league: substitutes.substitute(league, "org", 0, "cleo", "dora", 1, "She lives there now.")
        )
        does(matches, lambda league: invitations.accept(league, "dora", InvitedTo(1, 0, 2, 1), 0))
        open_round(matches)
        players = matches.streams.get(LEAGUE, ID).state.seasons[0].groups[0].players_at(1, 1)
        does(matches, lambda league: entering(league, (9, 4)))
        does(matches, lambda league: entering(league, (4, 9), "Read the wrong way round."))
        does(matches, lambda league: seasons.move_deadline(league, "org", 1, later, at(6), "Snow."))
        ruling = facts.FixtureRuled("org", 1, 0, 1, void=True, reason="Nobody came.")
        does(matches, lambda league: seasons.rule(league, ruling, {}))
        does(matches, lambda league: seasons.penalise(league, "org", "ann", 120, "Left without a word."))
        does(matches, lambda league: seasons.change_plan(league, "org", replace(PLAN, size=3), "Larger tables."))
        acts, trail = acts_of(matches), trail_of(matches)

    assert [(act.kind, act.reason) for act in acts] == [
        ("season_drawn", ""),
        ("entry_withdrawn", "Moved away."),
        ("person_invited", "She lives there now."),
        ("substitute_named", "She lives there now."),
        ("round_opened", ""),
        ("result_entered", "Read the wrong way round."),
        ("deadline_moved", "Snow."),
        ("result_ruled", "Nobody came."),
        ("penalty_given", "Left without a word."),
        ("plan_changed", "Larger tables."),
    ]
    own = "substitute_named"  # The account accepts, which uses no role.
    assert [(act.kind, act.reason, act.version) for act in acts if act.kind != own] == trail
    _, gone, invited, substitute, opened, second, moved, void, penalty, plan = acts
    assert (gone.players, gone.season) == (("cleo",), 1)
    for act in (invited, substitute):
        assert (act.players, act.actor, act.group, act.round) == (("cleo",), "dora", 1, 1)
    assert (moved.was_deadline, moved.deadline) == (opened.deadline, later)
    assert (second.players, second.scores, second.places, second.late) == (players, (4, 9), (2, 1), False)
    assert second.was is not None
    assert (second.was.scores, second.was.reason) == ((9, 4), "")
    assert void.void
    assert void.was is not None
    assert (void.was.scores, void.was.reason) == ((4, 9), "Read the wrong way round.")
    assert (penalty.players, penalty.sixtieths, penalty.group) == (("ann",), 120, 1)
    assert plan.season == 0


def test_changes_of_an_own_place_and_automatic_steps_are_no_acts(tmp_path: Path) -> None:
    with matches_in(tmp_path / "log.db") as matches:
        running_league(matches)
        does(matches, lambda league: seasons.leave(league, "ben", "ben"))
        does(matches, lambda _: facts.LeagueAnnounced("org", "Welcome."))
        does(matches, lambda league: invitations.invite(league, "org", "dora"))
        does(matches, lambda _: facts.SeasonClosed(SERVICE))

        assert [act.kind for act in acts_of(matches)] == ["season_drawn"]


def test_a_penalty_from_the_console_is_an_act_with_its_reason(tmp_path: Path) -> None:
    with matches_in(tmp_path / "log.db") as matches:
        running_league(matches)
        with pytest.raises(LeagueRefused, match="a penalty needs a reason"):
            does(matches, lambda league: seasons.penalise(league, SERVICE, "ben", 60, ""))
        does(matches, lambda league: seasons.penalise(league, SERVICE, "ben", 60, "A slow clock."))
        *_, act = acts_of(matches)

    assert (act.kind, act.by, act.reason) == ("penalty_given", SERVICE, "A slow clock.")


def test_a_result_after_the_deadline_has_a_reason_and_is_marked(tmp_path: Path) -> None:
    with matches_in(tmp_path / "log.db") as matches:
        running_league(matches)
        open_round(matches)
        with pytest.raises(LeagueRefused, match="a late or corrected result needs a reason"):
            does(matches, lambda league: entering(league, (9, 4)), TOO_LATE)
        does(matches, lambda league: entering(league, (9, 4), "The letter came late."), TOO_LATE)
        *_, act = acts_of(matches)

    assert (act.kind, act.late, act.was) == ("result_entered", True, None)


def test_acts_about_others_need_a_reason(tmp_path: Path) -> None:
    with matches_in(tmp_path / "log.db") as matches:
        commands.open_league(matches, ID, "org", PLAN, at=at(0))
        commands.change_plan(matches, ID, "org", replace(PLAN, text="Not drawn yet: no reason."), at=at(0))
        running_league(matches, ("ann", "ben", "cleo"))
        open_round(matches)
        does(matches, lambda league: entering(league, (9, 4)))
        before = matches.streams.get(LEAGUE, ID).version
        for decide, message in (
            (lambda league: seasons.leave(league, "org", "ben", " "), "the withdrawal of another player needs"),
            (lambda league: substitutes.substitute(league, "org", 0, "ben", "eva", 2, ""), "a substitute needs"),
            (lambda league: seasons.penalise(league, "org", "ann", 60, " "), "a penalty needs"),
            (lambda league: entering(league, (4, 9)), "a late or corrected result needs"),
            (lambda league: seasons.change_plan(league, "org", PLAN), "a change of the plan after the draw needs"),
        ):
            with pytest.raises(LeagueRefused, match=message):
                does(matches, decide)

        assert matches.streams.get(LEAGUE, ID).version == before


def test_a_penalty_stays_with_the_place_and_can_be_given_back() -> None:
    story = Story()
    story.season("Spring", "abcdefg")
    before = points(story)
    story.adds(seasons.penalise(story.league, "org", "c", 90, "Left without a word."))
    story.substitutes("c", "z", 2)
    story.adds(seasons.penalise(story.league, "org", "z", -30, "It was less."))

    assert before == dict.fromkeys("abcdefg", 0)
    assert points(story) == dict.fromkeys("abdefg", 0) | {"z": -60}
    with pytest.raises(LeagueRefused, match="q has no place in season 1"):
        seasons.penalise(story.league, "org", "q", 60, "Who?")


def points(story: Story) -> dict[str, int]:
    season = story.league.seasons[0]
    return {line.actor: line.standing.points for line in group_table(story.league, season, 0, {})}


def test_an_absence_that_an_organiser_states_is_an_act_and_an_own_absence_is_none(tmp_path: Path) -> None:
    away = Absences((2,))
    with matches_in(tmp_path / "log.db") as matches:
        running_league(matches, ("ann", "ben", "cleo"))
        does(matches, lambda league: state_absences(league, "ann", "ann", away, at(6)))
        does(matches, lambda league: state_absences(league, "org", "ben", away, at(6), "He travels."))
        acts = acts_of(matches)

    assert [(act.kind, act.players, act.reason) for act in acts[1:]] == [("absences_stated", ("ben",), "He travels.")]
