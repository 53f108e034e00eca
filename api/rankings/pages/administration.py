"""Pages and forms of the administrators of ranking lists."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.http.countries import country_names
from api.http.form_pages import forms_of, handle_form
from api.http.forms import Form
from api.http.guards import requires_person
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.http.structs import RequestStruct, Short, ShortGiven
from api.rankings.pages.lists import LISTS, describe_list
from api.rankings.pages.names import CLOCK_WORDS, describe_months, describe_people, is_over, name_of_list, title_names
from api.rankings.schemas import ReasonOfAdministrator, RetireList
from api.rankings.service import RankingService
from domain.kernel.bounds import TEXT_MAX
from domain.rankings.rule import Key, PeopleFilter, RankingRule
from domain.ratings.clock_classes import ClockClass
from domain.ratings.filters import MonthText, ResultFilter
from domain.ratings.terms import STANDARD, Terms
from domain.roles.errors import RoleMissing
from projections.platform.clock import now

SEATS_MAX: Final = 10
"""The largest table size that a rule can name; the forms offer the sizes of the titles."""


class RuleFields(RequestStruct, frozen=True, kw_only=True):
    """The fields of a rule; `club` is the id or the address of the page of a club."""

    name: ShortGiven
    title: Short
    bots: bool = False
    seats: Annotated[int, msgspec.Meta(ge=0, le=SEATS_MAX)] = 0
    clock: ClockClass = ""
    since: MonthText = ""
    until: MonthText = ""
    club: Short = ""
    country: Annotated[str, msgspec.Meta(max_length=2, pattern="^([A-Z]{2})?$")] = ""
    minimum_matches: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = STANDARD.minimum_matches
    inactive_months: Annotated[int, msgspec.Meta(ge=1, le=120)] = STANDARD.inactive_months
    text: Annotated[str, msgspec.Meta(max_length=TEXT_MAX)] = ""

    @property
    def rule(self) -> RankingRule:
        """The rule."""
        results = ResultFilter(self.title, self.bots, self.seats, self.clock, self.since, self.until)
        people = PeopleFilter(self.club.rstrip("/").rpartition("/")[2], self.country)
        terms = Terms(self.minimum_matches, self.inactive_months)
        return RankingRule(self.name, results, people, terms, self.text)


class DefineForm(RuleFields, frozen=True, kw_only=True):
    """A new list."""

    key: Key


class RuleForm(RuleFields, frozen=True, kw_only=True):
    """A new version of a rule; `expected_version` is the version of the list on the page."""

    reason: ReasonOfAdministrator
    expected_version: Annotated[int, msgspec.Meta(ge=0)] = 0


DEFINE: Final = Form("define", DefineForm)
RULE: Final = Form("rule", RuleForm)
RETIRE: Final = Form("retire", RetireList)


def form_choices(lists: RankingService) -> dict[str, Any]:
    """Return the choices of the forms."""
    return {
        "titles": title_names(lists.matches.titles),
        "seats_offered": sorted({seats for sizes in lists.sizes.values() for seats in sizes}),
        "clock_words": CLOCK_WORDS,
        "countries": country_names(),
        "terms": STANDARD,
    }


@get("/rankings/lists")
async def lists_page(request: PageRequest, lists: NamedDependency[RankingService]) -> Response[Any]:
    """List all ranking lists, with a form for administrators."""
    return await show_lists(request, lists)


async def show_lists(request: PageRequest, lists: RankingService) -> Response[Any]:
    """Render the page of all lists."""
    shown, standard, titles = (await lists.lists()).lists, lists.standard(), title_names(lists.matches.titles)
    rows = [
        (
            each,
            name_of_list(each.key, each.rule, standard, titles),
            describe_people(each.rule),
            describe_months(each.rule),
            is_over(each.due, now()),
        )
        for each in shown
    ]
    context = form_choices(lists) | {
        "rows": rows,
        "forms": forms_of(request, DEFINE),
        "is_administrator": await lists.is_administrator(),
    }
    return render_page(request, "rankings/lists.html", context)


@post("/rankings/lists", guards=[requires_person], status_code=200)
async def define(request: PageRequest, lists: NamedDependency[RankingService]) -> Response[Any]:
    """Define a list and show it; refused with `RoleMissing` for others than administrators, or `RankingRefused`."""

    async def do(form: DefineForm) -> Response[Any]:
        kept = await lists.define(form.key, form.rule)
        return redirect_after_form(f"/rankings/lists/{kept.ranking.key}", request)

    return await handle_form(request, DEFINE, do, lambda: show_lists(request, lists))


@get("/rankings/lists/{key:str}/rule", guards=[requires_person])
async def rule_page(request: PageRequest, key: FromPath[str], lists: NamedDependency[RankingService]) -> Response[Any]:
    """Show the forms that change the rule of a list; raise `RoleMissing` for others than administrators."""
    return await show_rule_forms(request, lists, key)


async def show_rule_forms(request: PageRequest, lists: RankingService, key: str) -> Response[Any]:
    """Render the page of the rule of a list."""
    if not await lists.is_administrator():
        raise RoleMissing("only organisers of the service can change ranking lists")
    described = await describe_list(lists, await lists.find(key))
    context = described | form_choices(lists) | {"forms": forms_of(request, RULE, RETIRE)}
    return render_page(request, "rankings/rule.html", context)


@post("/rankings/lists/{key:str}/rule", guards=[requires_person], status_code=200)
async def change_rule(
    request: PageRequest, key: FromPath[str], lists: NamedDependency[RankingService]
) -> Response[Any]:
    """Change the rule of a list and show the list; refused as `RankingService.change_rule`."""

    async def do(form: RuleForm) -> Response[Any]:
        await lists.change_rule(key, form.rule, form.reason, form.expected_version)
        return redirect_after_form(f"/rankings/lists/{key}", request)

    return await handle_form(request, RULE, do, lambda: show_rule_forms(request, lists, key))


@post("/rankings/lists/{key:str}/retirement", guards=[requires_person], status_code=200)
async def retire(request: PageRequest, key: FromPath[str], lists: NamedDependency[RankingService]) -> Response[Any]:
    """Retire a list or resume it, and show it; refused as `RankingService.retire`."""

    async def do(form: RetireList) -> Response[Any]:
        await lists.retire(key, form.reason, is_retired=form.retired)
        return redirect_after_form(f"/rankings/lists/{key}", request)

    return await handle_form(request, RETIRE, do, lambda: show_rule_forms(request, lists, key))


HANDLERS: Final = (
    Router("/", route_handlers=[lists_page, define, rule_page, change_rule, retire], dependencies=LISTS),
)
