"""Outcomes of matches by any of their lines, and after rulings."""

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import export_log, import_log
from domain.kernel.values import replace
from domain.matches.facts import Table
from domain.matches.log.entries import ALL
from domain.matches.rulings.measures import MatchVoided, PointsTaken, ResultSet
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.matches import outcomes
from projections.platform.store import ReadStore
from projections.rebuild import rebuild
from tests.domain.matches.match_helpers import apply_ruling, build_ruling, resume_match
from tests.domain.tournaments.building import seat_entrants
from tests.projections.tables import BOT, at, match_id, matches_in, open_started_match, play_match

RATED = Table(rated=True)


def catch_up(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()


def test_an_outcome_exists_from_the_opening(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, (BOT, "ann"), RATED)
    catch_up(matches, store)
    begun = outcomes.get(store, match.id)
    match = play_match(matches, match)
    catch_up(matches, store)

    outcome = outcomes.get(store, match.id)

    assert begun is not None
    assert (begun.status, begun.ended_at, begun.scores, begun.ranking) == ("running", None, (), None)
    assert outcome is not None
    assert match.result is not None
    assert (outcome.scores, outcome.ranking) == (match.result.scores, match.result.ranking)
    assert (outcome.players, outcome.rated, outcome.ruled, outcome.forked) == ((BOT, "ann"), True, False, False)
    assert (outcome.started_at, outcome.ended_at) == (begun.started_at, match.timestamp)
    assert outcomes.list_ended(store) == (outcome,)
    assert outcomes.get(store, match_id(77)) is None


def test_rulings_change_what_a_match_counts_as(matches: Matches, store: ReadStore) -> None:
    match = play_match(matches, open_started_match(matches, 1, (BOT, BOT), RATED))
    apply_ruling(matches, match.id, build_ruling("set", ResultSet((4, 2), (1, 2))))
    apply_ruling(matches, match.id, build_ruling("less", PointsTaken(0, 3)))
    catch_up(matches, store)
    penalised = outcomes.get(store, match.id)
    apply_ruling(matches, match.id, build_ruling("void", MatchVoided()))
    catch_up(matches, store)
    void = outcomes.get(store, match.id)
    apply_ruling(matches, match.id, build_ruling("not", appeal_of="void"))
    catch_up(matches, store)

    assert penalised is not None
    assert (penalised.scores, penalised.ranking, penalised.penalties) == ((1, 2), (2, 1), (3, 0))
    assert penalised.ruled
    assert void is not None
    assert (void.status, void.scores, void.ranking) == ("void", (), None)
    restored = outcomes.get(store, match.id)
    assert restored is not None
    assert restored.head != penalised.head
    assert replace(restored, head="") == replace(penalised, head="")


def test_a_match_that_was_resumed_counts_once_by_its_official_line(matches: Matches, store: ReadStore) -> None:
    match = play_match(matches, open_started_match(matches, 1, (BOT, BOT), RATED))
    line = resume_match(matches, match.id, 10, match_id(2))
    catch_up(matches, store)
    meanwhile = outcomes.get(store, match.id)
    again = resume_match(matches, line.id, 8, match_id(3), "again")
    again = play_match(matches, again)
    catch_up(matches, store)

    outcome = outcomes.get(store, match.id)

    assert meanwhile is not None
    assert (meanwhile.line_id, meanwhile.status, meanwhile.ended_at) == (line.id, "running", None)
    assert outcome is not None
    assert again.result is not None
    assert (outcome.match_id, outcome.line_id) == (match.id, again.id)
    assert (outcome.scores, outcome.rated, outcome.forked) == (again.result.scores, True, False)
    assert outcomes.list_ended(store) == (outcome,)
    assert outcomes.many(store, (match.id, line.id, again.id, match_id(9))) == dict.fromkeys(
        (match.id, line.id, again.id), outcome
    )


def test_a_fork_without_a_ruling_is_a_separate_unrated_match(matches: Matches, store: ReadStore) -> None:
    match = play_match(matches, open_started_match(matches, 1, (BOT, BOT), RATED))
    fork = fork_match(matches, match.id, at_version=10, new_id=match_id(2), luck="same", by="ann", at=at(0))
    play_match(matches, fork)
    catch_up(matches, store)

    both = outcomes.list_ended(store)

    assert {outcome.match_id: (outcome.rated, outcome.forked) for outcome in both} == {
        match.id: (True, False),
        fork.id: (False, True),
    }
    assert both == tuple(sorted(both, key=lambda outcome: (outcome.ended_at, str(outcome.match_id))))
    assert outcomes.list_ended(store, limit=1) == both[:1]
    first = both[0]
    assert first.ended_at is not None
    assert outcomes.list_ended(store, after=(first.ended_at, first.match_id)) == both[1:]


def test_imported_matches_are_unrated_and_found_by_event(matches: Matches, store: ReadStore) -> None:
    with matches_in(":memory:") as elsewhere:
        elsewhere.open(match_id(5), title="toy", seats=2, by="service", at=at(0), table=Table(rated=True, event="cup"))
        seat_entrants(elsewhere, match_id(5), BOT, BOT, at=at(0))
        play_match(elsewhere, elsewhere.get(match_id(5)))
        log = export_log(elsewhere, match_id(5), ALL)
    import_log(matches, log, by="ann", at=at(10_000))
    catch_up(matches, store)

    (outcome,) = outcomes.of_tournament(store, "cup")

    assert (outcome.imported, outcome.rated, outcome.status) == (True, False, "ended")
    before = outcomes.list_ended(store)
    rebuild(["outcomes"], matches, store, entries=1)
    assert outcomes.list_ended(store) == before
