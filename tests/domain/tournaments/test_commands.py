"""Tournament commands in the store: idempotent opening, ordered changes, tables opened with seated players."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.values import replace
from domain.matches.aggregate import seats_to_act
from domain.matches.errors import BotCannotPlay, MatchExists, NoSuchStream, StaleVersion
from domain.matches.facts import Table
from domain.matches.seats.event_tables import seat_player
from domain.pairing.methods import pair_round
from domain.standings.contest import Stage
from domain.standings.results import TableResult
from domain.tournaments import commands, facts, no_shows, registration, rounds
from domain.tournaments.duties import duty_of
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.plan import Plan
from domain.tournaments.state import TOURNAMENT, Tournament
from domain.tournaments.steps import take_step
from tests.domain.matches.match_helpers import ALL_TITLES, resume_match
from tests.domain.tournaments.building import (
    AT,
    BY,
    EVENT,
    Story,
    plan_with,
    seat_substitute_for,
    stated_plan,
    taking_part,
)
from tests.projections.tables import take_action
from tests.seeding import entropy

NOON = AT + timedelta(hours=12)
BOT = "bot:random@1"


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"), entropy=entropy())
    yield matches
    matches.close()


def start_event(matches: Matches, *actors: str, **plan: object) -> commands.TournamentStream:
    """Return an event whose first round is published."""
    commands.open_tournament(matches, EVENT, plan_with(**{"size": 2, "bot": BOT, **plan}), BY, at=AT)
    return publish_first(matches, *actors)


def publish_first(matches: Matches, *actors: str) -> commands.TournamentStream:
    """Enter people, then pair and publish the first round."""
    for actor in actors:
        name = {"name": actor[5:]} if actor.startswith("name:") else {"actor": actor}
        commands.change(matches, EVENT, lambda state, n=name: taking_part(state, **n), at=AT)  # type: ignore[misc]
    event = commands.change(matches, EVENT, lambda state: rounds.ask_pairing(state, {}, BY), at=AT)
    last = event.state.rounds[0]
    pairing, why = pair_round(last.problem, last.way)
    commands.change(matches, EVENT, lambda state: rounds.answer_pairing(state, 1, pairing, why), at=AT)
    return commands.change(matches, EVENT, lambda state: rounds.publish(state, 1, {}, BY), at=AT)


def test_an_event_is_opened_once(matches: Matches) -> None:
    first = commands.open_tournament(matches, EVENT, plan_with(), BY, at=AT)
    again = commands.open_tournament(matches, EVENT, plan_with(), BY, at=NOON)

    assert first == again
    with pytest.raises(MatchExists):
        commands.open_tournament(matches, EVENT, plan_with(name="Other"), BY, at=NOON)
    with pytest.raises(NoSuchStream):
        commands.get_tournament(matches, UUID(int=9))


def test_an_old_event_is_found_by_the_same_request(matches: Matches) -> None:
    """The old plan was stored as sent; the same request finds the event, and its tables keep the meaning."""
    asked = plan_with(title="el_grande", size=2, bot=BOT)
    matches.transact(lambda batch: batch.record(TOURNAMENT, EVENT, facts.TournamentOpened(BY, asked)).state, at=AT)
    again = commands.open_tournament(matches, EVENT, asked, BY, at=NOON)
    publish_first(matches, "ann", "ben")
    match = commands.open_table(matches, EVENT, 1, 1, at=NOON)

    assert again.version == 1
    assert match is not None
    assert match.options["cards"] == "2006"


def test_a_change_checks_the_expected_version(matches: Matches) -> None:
    commands.open_tournament(matches, EVENT, plan_with(), BY, at=AT)
    changed = commands.change(matches, EVENT, lambda _: facts.Announced(BY, "Noon."), at=AT, expected_version=1)

    assert changed.version == 2
    with pytest.raises(StaleVersion):
        commands.change(matches, EVENT, lambda _: facts.Announced(BY, "One."), at=AT, expected_version=1)
    assert commands.change(matches, EVENT, lambda _: (), at=AT).version == 2


def test_the_plan_is_changed(matches: Matches) -> None:
    commands.open_tournament(matches, EVENT, plan_with(), BY, at=AT)
    plan = stated_plan(name="Winter cup")

    assert commands.change_plan(matches, EVENT, plan, BY, at=AT).state.plan == plan


def test_a_plan_with_a_bot_that_cannot_play_its_title_is_refused(tmp_path: Path) -> None:
    toy, refusal = plan_with(title="toy", size=2), pytest.raises(BotCannotPlay, match="'greedy' cannot play toy")
    matches = open_store(store_env(tmp_path / "log.db"), titles=ALL_TITLES)
    with closing(matches):
        with refusal:
            commands.open_tournament(matches, EVENT, replace(toy, bot="bot:greedy@2"), BY, at=AT)
        commands.open_tournament(matches, EVENT, plan_with(), BY, at=AT)
        commands.change(matches, EVENT, lambda state: registration.enter(state, BY, actor="bot:greedy@2"), at=AT)
        with refusal:
            commands.change_plan(matches, EVENT, toy, BY, at=AT)


def test_a_table_is_opened_once_with_all_players_seated(matches: Matches) -> None:
    event = start_event(matches, "ann", "ben")
    seated = event.state.rounds[0].tables[0]
    match = commands.open_table(matches, EVENT, 1, 1, at=AT)
    again = commands.open_table(matches, EVENT, 1, 1, at=NOON)

    assert match is not None
    assert again is not None
    assert match.version == again.version
    assert match.id == seated.match
    assert match.table.event_id == str(EVENT)
    players = [event.state.entry(name).actor for name in seated.entries]  # type: ignore[union-attr]
    assert [info.actor for info in match.seats] == players
    assert match.status == "open"


def test_a_table_of_bots_starts_at_once_and_one_of_names_has_no_match(matches: Matches) -> None:
    start_event(matches, BOT, BOT)
    match = commands.open_table(matches, EVENT, 1, 1, at=AT)
    assert match is not None
    assert match.status == "running"
    commands.open_table(matches, EVENT, 1, 1, at=NOON)


def test_opening_a_table_checks_the_expected_version(matches: Matches) -> None:
    event = start_event(matches, BOT, BOT)

    with pytest.raises(StaleVersion, match=f"is at version {event.version}, not 3"):
        commands.open_table(matches, EVENT, 1, 1, at=AT, expected_version=3)
    assert commands.open_table(matches, EVENT, 1, 1, at=AT, expected_version=event.version) is not None


def test_an_interrupted_opening_by_older_versions_is_completed(matches: Matches) -> None:
    """The match existed with one of its seats taken."""
    event = start_event(matches, "ann", "ben")
    seated = event.state.rounds[0].tables[0]
    assert seated.match is not None
    players = [event.state.entry(name).actor for name in seated.entries]  # type: ignore[union-attr]
    matches.open(seated.match, title="la_granja", seats=2, by="service", at=AT, table=Table(event=str(EVENT)))
    matches.transact(lambda batch: seat_player(batch, batch.match(seated.match), 0, players[0], ""), at=AT)  # type: ignore[arg-type]
    match = commands.open_table(matches, EVENT, 1, 1, at=NOON)

    assert match is not None
    assert [info.actor for info in match.seats] == players


def test_an_unrelated_match_with_the_id_of_a_table_is_refused(matches: Matches) -> None:
    match_id = start_event(matches, "ann", "ben").state.rounds[0].tables[0].match
    assert match_id is not None
    matches.open(match_id, title="la_granja", seats=2, by="ann", at=AT)

    with pytest.raises(MatchExists, match="is already in use"):
        commands.open_table(matches, EVENT, 1, 1, at=AT)


def test_a_table_face_to_face_has_no_match(matches: Matches) -> None:
    start_event(matches, "name:Jana", "name:Petr")

    assert commands.open_table(matches, EVENT, 1, 1, at=AT) is None
    commands.rule_table(
        matches, EVENT, lambda state: rounds.rule_table(state, 1, 1, (1, 0), (1, 2), "nobody came", BY), at=AT
    )


def test_a_ruling_voids_a_running_match_and_keeps_an_ended_one(matches: Matches) -> None:
    event = start_event(matches, "ann", "ben")
    table = event.state.rounds[0].tables[0]
    assert table.match is not None
    commands.open_table(matches, EVENT, 1, 1, at=AT)

    def rule_first_table(state: Tournament) -> facts.ResultRuled:
        return rounds.rule_table(state, 1, 1, (1, 0), (1, 2), "gone home", BY)

    commands.rule_table(matches, EVENT, rule_first_table, at=AT)
    assert matches.get(table.match).status == "void"
    again = commands.rule_table(matches, EVENT, rule_first_table, at=NOON)
    assert again.state.rounds[0].tables[0].given is not None


def test_no_shows_and_results_follow_the_line_that_replaced_the_match(
    matches: Matches,
) -> None:
    event = start_event(matches, "ann", "ben")
    table = event.state.rounds[0].tables[0]
    began_as, goes_on_as = table.match, UUID(int=8)
    assert began_as is not None
    match = commands.open_table(matches, EVENT, 1, 1, at=AT)
    assert match is not None
    for seat, info in enumerate(match.seats):
        assert info.actor is not None
        match = matches.ready(began_as, seat, info.actor, at=AT)
    take_action(matches, match, seats_to_act(match)[0], 4)
    resume_match(matches, began_as, match.version, goes_on_as)

    with pytest.raises(TournamentRefused, match="table 1 of round 1 has started"):
        no_shows.record_no_show(matches, EVENT, 1, table.entries[0], BOT, "not seen", BY, at=AT)
    seat_substitute_for(matches, table.entries[0])
    assert matches.get(goes_on_as).seats[0].actor == "sue"
    commands.rule_table(matches, EVENT, lambda state: rounds.rule_table(state, 1, 1, (1, 0), (1, 2), "late", BY), at=AT)
    assert (matches.get(began_as).status, matches.get(goes_on_as).status) == ("superseded", "void")


def auto(**plan: object) -> Story:
    return Story(4, auto=True, stages=(Stage("swiss", 2),), **plan)


def test_an_automatic_event_takes_its_steps_in_order() -> None:
    story = auto()
    assert duty_of(story.state, {}) is None
    story.take(rounds.ask_pairing(story.state, {}, BY))
    assert duty_of(story.state, {}) == "pair"
    with pytest.raises(TournamentRefused, match="the next step of the event is 'pair', not 'open"):
        take_step(story.state, {}, "open")
    last = story.state.rounds[0]
    pairing, why = pair_round(last.problem, last.way)
    story.take(rounds.answer_pairing(story.state, 1, pairing, why))

    steps = []
    for _ in range(3):
        step = duty_of(story.state, {})
        assert step is not None
        story.take(*take_step(story.state, {}, step))
        steps.append(step)
    assert duty_of(story.state, {}) is None
    story.result(1, 4, 3, 2, 1)
    for _ in range(2):
        step = duty_of(story.state, story.results)
        assert step is not None
        story.take(*take_step(story.state, story.results, step))
        steps.append(step)

    assert steps == ["publish", "open", "start", "close", "ask"]
    assert story.state.rounds[-1].status == "asked"


def test_edited_tables_are_published_by_the_organiser() -> None:
    story = auto().pair()
    proposed = duty_of(story.state, {})
    story.take(rounds.swap(story.state, 1, "e1", "e2", "They asked for it.", BY))

    assert (proposed, duty_of(story.state, {})) == ("publish", None)
    with pytest.raises(TournamentRefused, match="the next step of the event is 'nothing', not 'publish"):
        take_step(story.state, {}, "publish")
    again = story.pair()
    assert duty_of(again.state, {}) == "publish"


def test_a_failed_pairing_waits_for_the_organiser() -> None:
    story = auto()
    story.take(rounds.ask_pairing(story.state, {}, BY))
    story.take(rounds.fail_pairing(story.state, 1, "there is no such round"))

    assert duty_of(story.state, {}) is None


def test_a_manual_event_waits_for_the_organiser() -> None:
    story = Story(4).pair()
    assert duty_of(story.state, {}) is None
    story.take(rounds.publish(story.state, 1, {}, BY))
    assert duty_of(story.state, {}) == "open"
    story.take(*take_step(story.state, {}, "open"))
    assert duty_of(story.state, {}) == "start"
    story.take(*take_step(story.state, {}, "start"))
    assert duty_of(story.state, {}) is None


def test_face_to_face_tables_are_not_started() -> None:
    assert duty_of(Story(4, face_to_face=True).pair().publish().state, {}) is None


def test_an_ended_event_has_no_duties() -> None:
    story = Story(2, size=2, auto=True, stages=(Stage("swiss", 1),)).play()

    assert duty_of(story.state, story.results) is None
    assert duty_of(auto().pair().publish().state, {UUID(int=1): TableResult((), ())}) == "start"
    assert isinstance(story.state.plan, Plan)
