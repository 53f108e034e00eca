"""Ranking lists by API: live, frozen each month, counted again after rulings, and administered with reasons."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest

from api.matches.service import MATCHES
from domain.matches.errors import StaleVersion
from domain.rankings.duties import FREEZE
from domain.rankings.errors import MonthNotReady, RankingRefused
from domain.rankings.rule import ranking_id
from domain.roles.commands import trail_record
from tests.api.rankings.ranked_site import KEY, RankedSite, open_site
from tests.api.service import catch_up

FEBRUARY: Final = datetime(2027, 2, 1, 0, 5, tzinfo=UTC)
MARCH: Final = datetime(2027, 3, 1, 0, 5, tzinfo=UTC)
RULE: Final[dict[str, Any]] = {
    "name": "Winter cup",
    "results": {"title": "el_grande", "seats": 3, "since": "2027-01", "until": "2027-02"},
    "terms": {"minimumMatches": 1, "inactiveMonths": 2},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RankedSite]:
    """Start a service whose list of three players has two closed months, after which a ruling took a result back."""
    with open_site(tmp_path_factory.mktemp("rankings")) as site:
        for number in range(1, 13):
            site.plays(number, ("Ann", "Ben", "Cleo"), days=number)
        site.plays(20, ("Dora", "Ann", "Ben"), days=12.5, public=False)
        site.defines_standard_lists()
        site.freezes(FEBRUARY)
        site.plays(30, ("Cleo", "Ben", "bot:greedy@1"), days=30)
        site.freezes(MARCH)
        site.voids(20)
        yield site


def names(lines: list[Any]) -> list[str]:
    return [line["player"]["name"] for line in lines]


def test_standard_lists_exist_before_results_count_for_them(site: RankedSite) -> None:
    lists = {each["key"]: each for each in site.get("/lists")["lists"]}

    assert {"el-grande", "el-grande-2", "el-grande-5", "la-granja", "la-granja-4"} <= set(lists)
    assert all(each["standard"] for key, each in lists.items() if not key.startswith("cup"))
    assert (lists[KEY]["months"], lists[KEY]["lastMonth"]) == (2, "2027-02")
    assert site.get("/lists/la-granja-4")["version"] == 0
    assert site.get("/lists/la-granja-4/lines")["lines"] == []
    assert site.get("/lists/el-grande")["version"] == 1


def test_a_closed_month_stays_as_it_is_beside_the_live_list(site: RankedSite) -> None:
    january = site.get(f"/lists/{KEY}/lines?month=2027-01")
    february = site.get(f"/lists/{KEY}/lines?month=2027-02")
    live = site.get(f"/lists/{KEY}/lines")

    assert names(january["lines"]) == ["Ann", "Ben", "Cleo", "Dora"]
    assert [line["place"] for line in january["lines"]] == [1, 2, 3, None]
    assert [line["part"] for line in january["lines"]] == ["placed"] * 3 + ["provisional"]
    assert february["lines"][0]["placeBefore"] == 1
    assert [line["matches"] for line in january["lines"]] == [13, 13, 12, 1]
    assert "Dora" not in names(live["lines"])
    assert live["lines"][0]["matches"] == 12
    assert live["lines"][-1]["player"]["kind"] == "bot"


def test_a_list_is_read_in_pages_and_by_part(site: RankedSite) -> None:
    whole = site.get(f"/lists/{KEY}/lines")["lines"]
    first = site.get(f"/lists/{KEY}/lines?limit=2")
    rest = site.get(f"/lists/{KEY}/lines?limit=2&before={first['next']}")

    assert first["lines"] + rest["lines"] == whole
    assert site.get(f"/lists/{KEY}/lines?part=provisional")["total"] == 1
    month = site.get(f"/lists/{KEY}/lines?month=2027-01&limit=3")
    assert (month["next"], month["total"]) == (3, 4)
    assert names(site.get(f"/lists/{KEY}/lines?month=2027-01&limit=3&before=3")["lines"]) == ["Dora"]


def test_a_closed_month_shows_what_it_was_counted_from(site: RankedSite) -> None:
    shown = site.get(f"/lists/{KEY}")
    january, february = shown["months"]

    assert (january["number"], january["lines"], january["results"], january["rule"]) == (1, 4, 13, 1)
    assert (february["results"], february["revised"], shown["due"]) == (14, [], "2027-03")
    lines = site.client.get(f"/api/rankings/lists/{KEY}/files/list.jsonl?month=2027-01").content
    assert sha256(lines).hexdigest() == january["listDigest"]
    results = site.client.get(f"/api/rankings/lists/{KEY}/files/results.jsonl?month=2027-01").content
    assert len(results.splitlines()) == 13
    assert b"private:" in results


def test_a_list_is_exported_with_names(site: RankedSite) -> None:
    response = site.client.get(f"/api/rankings/lists/{KEY}/files/list.csv?month=2027-01")
    rows = list(csv.DictReader(StringIO(response.text)))

    assert [row["name"] for row in rows] == ["Ann", "Ben", "Cleo", "Dora"]
    assert f'filename="{KEY}-2027-01-list.csv"' in response.headers["content-disposition"]
    assert site.get(f"/lists/{KEY}/files/list.json") == site.get(f"/lists/{KEY}/lines")["lines"]
    assert site.get("/lists/la-granja-4/files/list.json") == []


def test_a_recount_after_a_ruling_shows_who_moved_and_why(site: RankedSite) -> None:
    recount = site.get(f"/lists/{KEY}/months/2027-01/recount")

    assert recount["resultCount"] == 1
    (changed,) = recount["results"]
    assert (changed["cause"], changed["now"]) == ("removed", None)
    assert [player["name"] for player in changed["before"]["players"]] == ["Dora", "Ann", "Ben"]
    moved = {each["player"]["name"]: each for each in recount["moved"]}
    assert set(moved) == {"Ann", "Ben", "Dora"}
    assert moved["Ann"]["matches"] == [changed["before"]["match"]]
    assert (moved["Dora"]["now"], moved["Dora"]["before"]["row"]) == (None, 4)
    assert len(site.get(f"/lists/{KEY}/months/2027-01/recount?limit=2&before=2")["moved"]) == 1


def test_the_page_of_a_month_names_the_earlier_months_that_changed(tmp_path: Path) -> None:
    with open_site(tmp_path) as site:
        site.plays(1, ("Ann", "Ben", "Cleo"))
        site.defines_standard_lists()
        site.freezes(FEBRUARY)
        site.voids(1)
        site.freezes(MARCH)

        assert site.get(f"/lists/{KEY}")["months"][1]["revised"] == ["2027-01"]
        page = site.client.get(f"/rankings/lists/{KEY}/months/2027-02").text
        assert f'Earlier months that changed</dt><dd><a href="/rankings/lists/{KEY}/months/2027-01">' in page


def test_a_recount_is_exported(site: RankedSite) -> None:
    moved, changed = (
        list(csv.DictReader(StringIO(site.client.get(f"/api/rankings/lists/{KEY}/files/{name}?month=2027-01").text)))
        for name in ("moved.csv", "changed.csv")
    )
    private = site.get(f"/lists/{KEY}/months/2027-01/recount")["results"][0]["before"]["match"]

    reasons = {row["name"]: row["reasons"] for row in moved}
    assert reasons == dict.fromkeys(("Ann", "Ben", "Dora"), f"{private}:removed")
    (dora,) = (row for row in moved if row["name"] == "Dora")
    assert (dora["part_frozen"], dora["matches_frozen"], dora["place_today"], dora["part_today"]) == (
        "provisional",
        "1",
        "",
        "",
    )
    (result,) = changed
    assert (result["cause"], result["names"], result["places_frozen"]) == ("removed", "Dora, Ann, Ben", "1 2 3")
    assert (result["places_today"], result["weights_today"]) == ("", "")
    assert site.refusal_of(f"/lists/{KEY}/files/moved.csv") == (404, "ranking/unknown_list")


def test_the_history_of_a_person_explains_the_line(site: RankedSite) -> None:
    ann, dora = (site.get(f"/lists/{KEY}/players/{name}") for name in ("Ann", "Dora"))

    assert [month["month"] for month in ann["months"]] == ["2027-01", "2027-02"]
    assert (ann["standing"]["missingMatches"], ann["standing"]["inactiveFrom"]) == (0, "2027-08")
    assert ann["standing"]["lostPoints"] >= 0
    assert (dora["now"], dora["standing"]) == (None, None)
    assert [month["line"]["row"] for month in dora["months"]] == [4, 4]


def test_the_calibration_compares_predictions_with_results(site: RankedSite) -> None:
    shown = site.get(f"/lists/{KEY}/calibration")

    assert shown["matches"] == 13
    assert shown["winnerLogLoss"] < shown["equalLogLoss"]
    assert sum(band["pairs"] for band in shown["bands"]) == shown["pairs"] == 39


def test_an_administrator_defines_changes_and_retires_a_list_with_reasons(site: RankedSite) -> None:
    status, shown = site.admin.post("/rankings/lists", {"key": "cup", "rule": RULE})
    assert (status, shown["version"], shown["rules"][0]["by"]["name"]) == (201, 1, "Olga")
    assert site.admin.post("/rankings/lists", {"key": "cup", "rule": RULE})[1]["version"] == 1
    lines = site.get("/lists/cup/lines")["lines"]
    assert all(line["part"] == "placed" for line in lines)

    again = {"rule": {**RULE, "name": "Cup of winter"}, "reason": "a better name", "expectedVersion": 1}
    status, shown = site.admin.post("/rankings/lists/cup/rules", again)
    assert (status, [each["reason"] for each in shown["rules"]]) == (200, ["", "a better name"])
    assert site.admin.post("/rankings/lists/cup/rules", again)[0] == 200, "the same rule is no change"
    other = {"rule": RULE, "reason": "back", "expectedVersion": 1}
    assert site.admin.post("/rankings/lists/cup/rules", other)[0] == 409

    assert site.admin.post("/rankings/lists/cup/retirement", {"retired": True, "reason": "over"})[1]["retired"]
    status, refusal = site.admin.post("/rankings/lists/cup/retirement", {"retired": True, "reason": "over"})
    assert (status, refusal["code"]) == (409, "ranking/refused")
    acts = bytes(trail_record(MATCHES.of(site.client).writer.matches, 3).body)
    assert b"list_retired" in acts
    assert b"over" in acts


def test_a_standard_list_is_defined_by_its_first_change(site: RankedSite) -> None:
    rule = {"name": "Two", "results": {"title": "la_granja", "seats": 2}}

    status, shown = site.admin.post("/rankings/lists/la-granja-2/rules", {"rule": rule, "reason": "short name"})

    assert (status, shown["version"], [each["version"] for each in shown["rules"]]) == (200, 2, [1, 2])


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"name": "X", "results": {"title": "chess"}}, "there is no title 'chess'"),
        ({"name": "X", "results": {"title": "el_grande", "seats": 9}}, "has no tables with 9 seats"),
        ({**RULE, "results": {**RULE["results"], "until": "2026-12"}}, "the last month, 2026-12, is before the first"),
        ({**RULE, "people": {"country": "XX"}}, "there is no country 'XX'"),
        ({**RULE, "people": {"club": "00000000-0000-0000-0000-000000000009"}}, "there is no club"),
    ],
)
def test_a_rule_that_contradicts_itself_is_refused_with_its_value(
    site: RankedSite, rule: dict[str, Any], message: str
) -> None:
    status, refusal = site.admin.post("/rankings/lists", {"key": "bad", "rule": rule})

    assert (status, refusal["code"]) == (409, "ranking/refused")
    assert message in refusal["detail"]


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ({"name": "X"}, "rule"),
        ({**RULE, "terms": {"minimumMatches": 0}}, "rule.terms.minimumMatches"),
        ({**RULE, "terms": {"inactiveMonths": -1}}, "rule.terms.inactiveMonths"),
        ({**RULE, "weights": [-1]}, "rule"),
    ],
)
def test_a_malformed_rule_is_refused_by_its_field(site: RankedSite, rule: dict[str, Any], path: str) -> None:
    status, refusal = site.admin.post("/rankings/lists", {"key": "bad", "rule": rule})

    assert (status, refusal["code"], refusal["errors"][0]["path"]) == (400, "request/malformed", path)


def test_others_than_administrators_change_nothing(site: RankedSite) -> None:
    ann = site.people["Ann"]

    assert ann.post("/rankings/lists", {"key": "mine", "rule": RULE})[0] == 403
    assert ann.post(f"/rankings/lists/{KEY}/rules", {"rule": RULE, "reason": "mine"})[0] == 403
    assert ann.post(f"/rankings/lists/{KEY}/retirement", {"retired": True, "reason": "mine"})[0] == 403
    assert ann.post("/rankings/steps/00000000-0000-0000-0000-000000000009", {"step": "freeze"})[0] == 403
    assert site.admin.post("/rankings/lists", {"key": KEY, "rule": RULE})[1]["code"] == "ranking/refused"


@pytest.mark.parametrize(
    "path",
    [
        "/lists/chess",
        "/lists/chess/lines",
        f"/lists/{KEY}/lines?month=2026-12",
        f"/lists/{KEY}/files/list.pdf",
        f"/lists/{KEY}/files/list.jsonl",
        f"/lists/{KEY}/months/2026-12/recount",
        f"/lists/{KEY}/players/Olga",
    ],
)
def test_unknown_lists_months_files_and_players_are_not_found(site: RankedSite, path: str) -> None:
    assert site.refusal_of(path) == (404, "ranking/unknown_list")


def test_a_list_of_a_country_lists_the_people_who_state_it(site: RankedSite) -> None:
    for name, country in (("Ben", "ES"), ("Cleo", "ES"), ("Ann", "FR")):
        site.states_country(name, country)
    results = {"title": "el_grande", "seats": 3}
    rule = {"name": "Spain", "results": results, "terms": RULE["terms"], "people": {"country": "ES"}}
    assert site.admin.post("/rankings/lists", {"key": "spain", "rule": rule})[0] == 201
    assert names(site.get("/lists/spain/lines")["lines"]) == ["Ben", "Cleo"]

    site.freezes(datetime(2027, 4, 1, tzinfo=UTC), "spain")
    site.states_country("Ben", "FR")

    (closing,) = site.get("/lists/spain")["months"]
    ids = sorted(site.people[name].id for name in ("Ben", "Cleo"))
    assert closing["membersDigest"] == sha256("".join(f'"{each}"\n' for each in ids).encode()).hexdigest()
    assert names(site.get("/lists/spain/lines?month=2027-03")["lines"]) == ["Ben", "Cleo"]
    assert site.get("/lists/spain/months/2027-03/recount")["movedCount"] == 0


def test_a_step_taken_twice_late_or_too_early_changes_nothing(site: RankedSite) -> None:
    version = site.version()
    with pytest.raises(StaleVersion):
        site.calls(lambda duties: duties.take_step(ranking_id(KEY), FREEZE, version - 1))
    with pytest.raises(MonthNotReady):
        site.freezes(datetime(2027, 3, 31, tzinfo=UTC))
    with pytest.raises(RankingRefused):
        site.calls(lambda duties: duties.take_step(ranking_id(KEY), "shuffle", version))

    assert site.version() == version


def test_a_list_of_a_club_lists_its_members(site: RankedSite) -> None:
    ben, cleo = site.people["Ben"], site.people["Cleo"]
    club = ben.post("/clubs", {"name": "Els Amics", "admission": "open"})[1]["id"]
    assert cleo.post(f"/clubs/{club}/membership", {})[0] == 200
    catch_up(site.client)
    rule = {"name": "Amics", "results": {"title": "el_grande", "seats": 3}, "terms": RULE["terms"]}
    assert site.admin.post("/rankings/lists", {"key": "amics", "rule": {**rule, "people": {"club": club}}})[0] == 201

    shown = site.get("/lists/amics")
    assert (shown["rule"]["club"], shown["rule"]["clubName"]) == (club, "Els Amics")
    assert names(site.get("/lists/amics/lines")["lines"]) == ["Ben", "Cleo"]
    assert cleo.delete(f"/clubs/{club}/membership")[0] == 200
    catch_up(site.client)
    assert names(site.get("/lists/amics/lines")["lines"]) == ["Ben"]
