"""Export for bracket services."""

from typing import Any

from domain.standings.contest import Stage
from domain.standings.results import TableResult
from domain.tournaments.challonge import bracket_file
from tests.domain.tournaments.building import Story


def file_of(story: Story) -> dict[str, Any]:
    names = {entry.id: f"Name of {entry.id}" for entry in story.state.entries}
    exported: dict[str, Any] = bracket_file(story.state, story.results, names)["tournament"]
    return exported


def test_tables_of_two_have_a_winner_and_a_loser_unless_tied() -> None:
    story = Story(6, size=2, stages=(Stage("swiss", 1),)).set(("e1", "e2"), ("e3", "e4"), ("e5", "e6"))
    story.result(1, 10, 30).result(2, 20, 20, places=(1, 1))
    exported = file_of(story)
    won, shared, open_ = (each["match"] for each in exported["matches"])

    assert (exported["tournament_type"], exported["state"], exported["participants_count"]) == ("swiss", "underway", 6)
    assert (won["winner_id"], won["loser_id"], won["scores_csv"], won["state"]) == (2, 1, "10-30", "complete")
    assert (shared["winner_id"], shared["scores_csv"], shared["places"]) == (None, "20-20", [1, 1])
    assert (open_["state"], open_["scores"], open_["identifier"]) == ("open", None, "1.3")
    first = exported["participants"][0]["participant"]
    assert first == {"id": 1, "name": "Name of e1", "seed": 1, "final_rank": None, "active": True}


def test_larger_tables_list_all_players_and_ended_events_have_ranks() -> None:
    story = Story(4, stages=(Stage("heats", 1),)).set(("e1", "e2", "e3", "e4")).result(1, 40, 30, 20, 10).close()
    exported = file_of(story)

    assert (exported["tournament_type"], exported["state"]) == ("free for all", "complete")
    assert [each["participant"]["final_rank"] for each in exported["participants"]] == [1, 2, 3, 4]
    assert exported["matches"][0]["match"]["player_ids"] == [1, 2, 3, 4]
    assert "winner_id" not in exported["matches"][0]["match"]


def test_a_void_table_is_complete_and_two_lives_are_double_elimination() -> None:
    story = Story(2, size=2, stages=(Stage("elimination", lives=2),)).set(("e1", "e2"))
    match = story.state.rounds[0].tables[0].match
    assert match is not None
    story.results[match] = TableResult((), (), void=True)
    exported = file_of(story)

    assert exported["tournament_type"] == "double elimination"
    assert (exported["matches"][0]["match"]["state"], exported["matches"][0]["match"]["scores"]) == ("complete", None)
