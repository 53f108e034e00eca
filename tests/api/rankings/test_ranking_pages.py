"""Pages of ranking lists: everyone reads them, administrators change lists there with reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape

import pytest

from api.http.cookies import SESSION
from api.rankings.pages.calibration_chart import draw_calibration
from api.rankings.schemas import BandShown
from tests.api.http.forms import Visitor
from tests.api.rankings.ranked_site import KEY, RankedSite, open_site
from tests.api.service import Member

FIELDS = {"key": "fast-cup", "name": "Fast cup", "title": "el_grande", "seats": "3", "clock": "standard"}
TERMS = {"minimumMatches": "1", "inactiveMonths": "3", "text": "All of winter."}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RankedSite]:
    """Start a service whose list has a frozen month, after which a ruling took a result back."""
    with open_site(tmp_path_factory.mktemp("pages")) as site:
        for number in range(1, 13):
            site.plays(number, ("Ann", "Ben", "Cleo"), days=number)
        site.plays(20, ("Dora", "Cleo", "Ben"), days=12.5)
        site.defines_standard_lists()
        site.freezes(datetime(2027, 2, 1, 0, 5, tzinfo=UTC))
        site.voids(20)
        yield site


def visit(site: RankedSite, path: str, person: Member | None = None) -> str:
    """Return a page as text, for a person or without an account."""
    visitor = enter(site, person)
    return unescape(visitor.goes(path))


def enter(site: RankedSite, person: Member | None) -> Visitor:
    site.client.cookies.clear()
    if person is not None:
        site.client.cookies.set(SESSION, site.session_of(person))
    return Visitor(site.client)


def test_all_lists_are_found_from_the_leaderboards(site: RankedSite) -> None:
    assert 'href="/rankings/lists"' in visit(site, "/rankings")
    page = visit(site, "/rankings/lists")

    assert "El Grande, all table sizes" in page
    assert f'href="/rankings/lists/{KEY}"' in page
    assert "2027-01" in page
    assert "Create a ranking list" not in page


def test_a_live_list_and_a_frozen_one_are_shown(site: RankedSite) -> None:
    live = visit(site, f"/rankings/lists/{KEY}")
    frozen = visit(site, f"/rankings/lists/{KEY}?month=2027-01")

    assert "Live list" in live
    assert "Dora" not in live
    assert "List 1, 2027-01" in frozen
    assert "This list was frozen on" in frozen
    digest = site.get(f"/lists/{KEY}")["months"][0]["listDigest"]
    assert f"Its digest begins with {digest[:16]}." in frozen
    assert "Dora" in frozen
    assert "provisional" in frozen
    assert f"/api/rankings/lists/{KEY}/files/list.csv?month=2027-01" in frozen
    assert "Change this list" not in live
    assert "No one is listed here." in visit(site, f"/rankings/lists/{KEY}?part=inactive")


def test_a_person_finds_the_history_and_its_explanation(site: RankedSite) -> None:
    ann, dora = (visit(site, f"/rankings/lists/{KEY}/players/{name}") for name in ("Ann", "Dora"))

    assert "Without a further match, inactive from 2027-08 on." in ann
    assert "<polyline" in ann
    assert "Not in the live list." in dora
    assert "2027-01" in dora


def test_a_recount_names_the_changed_result_and_who_would_move(site: RankedSite) -> None:
    page = visit(site, f"/rankings/lists/{KEY}/months/2027-01")

    assert "1 result counts differently today." in page
    assert "no longer counts" in page
    assert "22 Jan 2027 – no longer counts" in re.sub(r"<[^>]+>", "", page)
    assert f"/api/rankings/lists/{KEY}/files/moved.csv?month=2027-01" in page
    assert "not listed" in page


def test_predictions_are_plotted_with_a_table(site: RankedSite) -> None:
    page = visit(site, f"/rankings/lists/{KEY}/calibration")

    assert "<circle" in page
    assert "Matches compared" in page
    assert "No results count for this list yet." in visit(site, "/rankings/lists/la-granja-2/calibration")


def test_an_exactly_predicted_band_lies_on_the_line() -> None:
    chart = draw_calibration([BandShown(0.5, 0.6, 10, 0.5, 0.5), BandShown(0.9, 1.0, 40, 1.0, 1.0)])

    assert chart is not None
    assert (chart.dots[0].x, chart.dots[0].y, chart.dots[1].x, chart.dots[1].y) == chart.line
    assert chart.dots[0].radius < chart.dots[1].radius
    assert draw_calibration([]) is None


def test_an_administrator_creates_and_changes_a_list(site: RankedSite) -> None:
    visitor = enter(site, site.admin)
    assert "Create a ranking list" in visitor.goes("/rankings/lists")

    created = visitor.sends("/rankings/lists", FIELDS | TERMS)
    assert created.status_code == 200
    assert "All of winter." in created.text
    assert "Change this list" in created.text

    visitor.goes("/rankings/lists/fast-cup/rule")
    rule = {name: value for name, value in FIELDS.items() if name != "key"} | TERMS
    refused = visitor.sends("/rankings/lists/fast-cup/rule", rule | {"seats": "4", "reason": " "})
    assert refused.status_code == 400
    changed = visitor.sends("/rankings/lists/fast-cup/rule", rule | {"seats": "4", "reason": "bigger tables"})
    assert changed.status_code == 200
    assert "bigger tables" in changed.text

    assert "Version 2 of 2" in changed.text
    assert {"3-player tables", "4-player tables"} <= set(re.findall(r"\d-player tables", changed.text))

    visitor.goes("/rankings/lists/fast-cup/rule")
    closed = visitor.sends("/rankings/lists/fast-cup/retirement", {"retired": "true", "reason": "over"})
    assert closed.status_code == 200
    assert "This list is closed." in closed.text
    assert "Reopen" in visitor.goes("/rankings/lists/fast-cup/rule")


def test_a_frozen_month_shows_the_rule_by_which_it_was_counted(site: RankedSite) -> None:
    rule = {"name": "Threes", "results": {"title": "el_grande", "seats": 3}, "terms": {"minimumMatches": 7}}
    site.client.cookies.clear()
    status, _ = site.admin.post(f"/rankings/lists/{KEY}/rules", {"rule": rule, "reason": "shorter"})
    assert status == 200

    frozen, live = (visit(site, f"/rankings/lists/{KEY}{query}") for query in ("?month=2027-01", ""))

    assert "Version 1 of 2" in frozen
    assert "fewer than 10 matches" in frozen
    assert "Version 2 of 2" in live
    assert "fewer than 7 matches" in live


def test_a_month_that_is_over_is_being_frozen(site: RankedSite) -> None:
    assert "The list of 2027-02 is frozen at the end of the month." in visit(site, f"/rankings/lists/{KEY}")
    before, site.clock.at = site.clock.at, datetime(2027, 3, 1, tzinfo=UTC)

    assert "being frozen" in visit(site, "/rankings/lists")
    assert "The list of 2027-02 is being frozen." in visit(site, f"/rankings/lists/{KEY}")
    site.clock.at = before


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("minimumMatches", "-3", "Enter a whole number from 1 to 1000, not “-3”."),
        ("inactiveMonths", "many", "Enter a whole number from 1 to 120, not “many”."),
        ("seats", "-1", "Enter a whole number from 0 to 10, not “-1”."),
        ("since", "2027-13", "“2027-13” is not a valid value."),
        ("key", "Bad key", "“Bad key” is not a valid value."),
        ("title", "chess", "there is no title 'chess'; known: el_grande, la_granja"),
        ("until", "2026-12", "the last month, 2026-12, is before the first, 2027-01"),
    ],
)
def test_a_form_names_the_bad_value(site: RankedSite, name: str, value: str, sentence: str) -> None:
    visitor = enter(site, site.admin)
    visitor.goes("/rankings/lists")

    response = visitor.sends("/rankings/lists", FIELDS | TERMS | {"key": "bad", "since": "2027-01", name: value})

    assert response.status_code in {400, 409}
    assert sentence in unescape(response.text)


def test_the_form_of_a_rule_offers_every_table_size(site: RankedSite) -> None:
    page = enter(site, site.admin).goes("/rankings/lists/la-granja-1/rule")

    assert re.findall(r"<option( selected)?>(\d)</option>", page)[:2] == [(" selected", "1"), ("", "2")]


def test_a_refused_form_is_shown_again_with_its_values(site: RankedSite) -> None:
    visitor = enter(site, site.admin)
    visitor.goes("/rankings/lists")

    response = visitor.sends("/rankings/lists", FIELDS | TERMS | {"key": "other", "club": "Chess club"})

    assert response.status_code == 409
    assert "'Chess club' is not the id of a club" in unescape(response.text)
    assert 'value="other"' in response.text


def test_others_see_no_forms_and_change_nothing(site: RankedSite) -> None:
    ann = enter(site, site.people["Ann"])

    assert "Create a ranking list" not in ann.goes("/rankings/lists")
    assert ann.sends("/rankings/lists", FIELDS | TERMS).status_code == 403
    assert site.client.get(f"/rankings/lists/{KEY}/rule").status_code == 403
    assert site.client.get("/rankings/lists/chess").status_code == 404
