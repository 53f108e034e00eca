"""The steps of a two-day tournament, as its people take them in their browsers, with checks of the pages."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from PIL import Image
from playwright.sync_api import ViewportSize, expect

from tests.pages.browsing import RESULT, Player
from tests.pages.conftest import OPERATOR

ZONE: Final = "Europe/Madrid"
NAME: Final = "Fira de Nadal"
PASSWORD: Final = "two days at Palma"
ABSENT: Final = "Not seen, and the telephone is off."
BACK: Final = "She can come on Sunday after all."
EARLIER: Final = "The hall is free from nine."
CAPTION: Final = "The last position, just before the final count."
TALL: Final[ViewportSize] = {"width": 960, "height": 1060}
"""A window that shows a board and its photo in the report."""
WOOD: Final = "#8a5a33"
PageCheck = Callable[[Player, str], None]
"""Called with a page worth a screenshot, and the screenshot's name."""


@dataclass(frozen=True)
class Cast:
    """The people at browsers: organiser, arbiter, appeal arbiter, and four players."""

    organiser: Player
    arbiter: Player
    head: Player
    bel: Player
    cosme: Player
    dina: Player
    eloi: Player

    @property
    def players(self) -> tuple[Player, ...]:
        return self.bel, self.cosme, self.dina, self.eloi


NAMES: Final = {
    "organiser": "Aina Coll",
    "arbiter": "Toni Ferrer",
    "bel": "Bel Serra",
    "cosme": "Cosme Vidal",
    "dina": "Dina Pons",
    "eloi": "Eloi Mas",
}


def sign_up_all(cast: Cast) -> None:
    """Sign everyone up except the head arbiter, who has an account."""
    for role, name in NAMES.items():
        player: Player = getattr(cast, role)
        player.goes("/sign-in")
        form = player.page.locator("form[action='/sign-up']")
        form.locator("input[name=name]").fill(name)
        form.locator("input[name=password]").fill(PASSWORD)
        player.follows(form.locator("button"))


def clock(hours: float = 0) -> str:
    """Return the time some hours from now, in the format of the form's time fields."""
    return (datetime.now(UTC) + timedelta(hours=hours)).astimezone(ZoneInfo(ZONE)).strftime("%Y-%m-%dT%H:%M")


def presses(player: Player, button: str, url: str = "**") -> None:
    """Press a button that leads to a page, by its text."""
    player.follows(player.page.get_by_role("button", name=button, exact=True), url)


def signs(player: Player, button: str) -> None:
    """Press a button whose statement must be signed; the page asks again with an error status."""
    presses(player, button)
    presses(player, "Sign and send", "**/disputes/*")
    player.complaints.clear()


# Before the first day.


def announces(organiser: Player, rounds: int, check_page: PageCheck) -> str:
    """Announce the tournament and return its path."""
    page = organiser.page
    organiser.goes("/events")
    organiser.follows(page.get_by_role("link", name="Create a tournament"), "**/events/new")
    page.fill("input[name=name]", NAME)
    page.fill("textarea[name=text]", "Two days, a table of two each day. Prizes on Sunday.")
    page.select_option("select[name=size]", "2")
    page.fill("input[name=rounds]", str(rounds))
    page.select_option("select[name=bot]", "random")
    page.check("input[name=lateEntry]")
    check_page(organiser, "plan")
    organiser.follows("#open-event", "**/desk")
    return "/events/" + page.url.split("/")[-2]


def sets_dates(organiser: Player, event: str, reason: str = "", **times: str) -> None:
    page = organiser.page
    organiser.goes(f"{event}/dates")
    page.fill("input[name=zone]", ZONE)
    for name, value in times.items():
        page.fill(f"input[name='{name.replace('__', '.')}']", value)
    if reason:
        page.fill("input[name=reason]", reason)


def plans_two_days(organiser: Player, event: str, check_page: PageCheck) -> None:
    """Plan a round each day, a night between, and a check-in on the first morning."""
    sets_dates(
        organiser,
        event,
        place="Palma, Casal de Barri",
        fee="10 €",
        checkInOpens=clock(-1),
        checkInCloses=clock(0.5),
        rounds__0__starts=clock(1),
        rounds__0__deadline=clock(5),
        rounds__1__starts=clock(24),
        rounds__1__deadline=clock(28),
        reminders="30",
        breaks__0__name="Night",
        breaks__0__starts=clock(6),
        breaks__0__ends=clock(22),
    )
    check_page(organiser, "dates")
    organiser.follows("#set-dates", "**/schedule?entry=all")
    expect(organiser.page.locator("main")).to_contain_text("Night")


def promises_prizes(organiser: Player, event: str, check_page: PageCheck) -> None:
    page = organiser.page
    organiser.goes(f"{event}/desk/prizes")
    for row, amount in enumerate(("100", "50")):
        page.fill(f"input[name='places.{row}.amount']", amount)
    page.fill("input[name='places.2.name']", "A ham")
    page.fill("input[name=currency]", "EUR")
    page.select_option("select[name=split]", "shared")
    check_page(organiser, "prizes")
    organiser.follows("#set-prizes", "**/desk/prizes")


def names_the_arbiter(organiser: Player, event: str) -> None:
    page = organiser.page
    organiser.goes(f"{event}/desk/word")
    organiser.follows(page.get_by_role("link", name="Organisers and arbiters"), "**/desk/roles?event=*")
    page.fill("#role-person", NAMES["arbiter"])
    page.select_option("#role-role", "arbiter")
    presses(organiser, "Grant role")
    expect(page.locator("main table")).to_contain_text(NAMES["arbiter"])


def gather(cast: Cast, event: str, check_page: PageCheck) -> None:
    """Enter two bots and three people, check in, and forbid a pair."""
    page = cast.organiser.page
    cast.organiser.goes(f"{event}/desk/people")
    page.select_option("select[name=bot]", "random")
    page.fill("input[name=count]", "2")
    cast.organiser.follows("#enter-bots", "**/desk/people")
    for player in (cast.bel, cast.cosme, cast.dina):
        player.goes(event)
        player.follows("#take-part")
        expect(player.page.locator("main")).to_contain_text("You are registered.")
        if player is not cast.dina:
            player.follows("#check-in")
            expect(player.page.locator("main")).to_contain_text("You have checked in.")
    cast.organiser.goes(f"{event}/desk")
    expect(page.locator("#needs")).to_contain_text("1 player has not checked in")
    expect(page.locator("#needs")).to_contain_text(NAMES["dina"])
    cast.organiser.goes(f"{event}/people")
    cast.organiser.follows(page.locator("li.card", has_text=NAMES["dina"]).get_by_role("button", name="Check in"))
    cast.organiser.goes(f"{event}/desk/people")
    page.get_by_text("Pairing rules").click()
    page.fill("textarea[name=forbidden]", f"{NAMES['bel']}, {NAMES['cosme']}")
    check_page(cast.organiser, "people")
    presses(cast.organiser, "Save", "**/desk/people")


# The first day.


def begin_the_first_day(cast: Cast, event: str, check_page: PageCheck) -> None:
    """Pair, invalidate the proposal by a withdrawal, pair again and publish."""
    page = cast.organiser.page
    cast.organiser.goes(f"{event}/desk")
    cast.organiser.follows("#pair", "**/desk")
    cast.organiser.looks_until("#publish")
    cast.dina.goes(event)
    presses(cast.dina, "Withdraw")
    cast.organiser.goes(f"{event}/desk")
    cast.organiser.page.locator("#misfits").scroll_into_view_if_needed()
    expect(page.locator("#misfits")).to_contain_text(f"{NAMES['dina']} has withdrawn.")
    expect(page.locator("#publish")).to_be_disabled()
    check_page(cast.organiser, "proposal")
    presses(cast.organiser, "Re-pair other tables", "**/desk")
    cast.organiser.looks_until("#publish:not([disabled])")
    presses(cast.organiser, "Publish the round", "**/desk")
    cast.organiser.looks_until(".bench-row >> nth=1")


def notes_who_did_not_come(cast: Cast, event: str) -> None:
    """Record a no-show, whose seat a bot takes."""
    page = cast.organiser.page
    row = page.locator(".bench-row", has_text=NAMES["cosme"])
    cast.organiser.follows(row.locator("h3 a"), "**/desk/tables/*")
    form = page.locator("form[action$='/desk/no-show']")
    form.locator("select[name=entry]").select_option("e4")
    form.locator("input[name=reason]").fill(ABSENT)
    form.locator("input[name=bot]").check()
    presses(cast.organiser, "Record no-show")
    expect(form).to_contain_text(f"Record {NAMES['cosme']} as a no-show?")
    presses(cast.organiser, "Yes, record it", f"**{event}/desk")
    expect(page.locator(".bench-row", has_text=NAMES["cosme"])).to_contain_text("no-show")


def comes_late(cast: Cast, event: str) -> None:
    cast.eloi.goes(event)
    cast.eloi.follows("#take-part")
    expect(cast.eloi.page.locator("main")).to_contain_text("You are registered.")


def sits_down(player: Player, event: str) -> None:
    """Follow the link to the table of the round."""
    player.goes(event)
    player.looks_until("text=Go to your table")
    player.follows(player.page.get_by_role("link", name="Go to your table").first, "**/tables/*")


def raises_a_dispute(player: Player) -> str:
    """Raise a dispute in the middle of a match and return its path."""
    for index in range(2):
        player.has_choice()
        player.presses(index)
    player.has_choice()
    player.goes(f"{player.here}/replay")
    player.page.locator("#beside-dispute summary").click()
    player.page.locator("#beside-reason").fill("My press was taken twice.")
    signs(player, "Raise dispute")
    return player.here


def rules(official: Player, dispute: str, decision: str, reasons: str) -> None:
    """Take a dispute, inspect the position, and fill in a ruling."""
    page = official.page
    official.goes(dispute)
    presses(official, "Accept dispute")
    presses(official, "Show")
    page.wait_for_selector("text=The log is valid")
    page.locator(f"input[name=decision][value={decision}]").check()
    page.fill("#rule", "LG-2.1")
    page.fill("#reasons", reasons)


def is_settled(cast: Cast, event: str, check_page: PageCheck) -> None:
    """Dispute, ruling, appeal, decision by the head arbiter, and continuation of the match."""
    dispute = raises_a_dispute(cast.bel)
    cast.organiser.goes(f"{event}/desk")
    expect(cast.organiser.page.locator("#needs")).to_contain_text("1 table is disputed")
    check_page(cast.organiser, "round")
    cast.arbiter.goes("/disputes/queue")
    expect(cast.arbiter.page.locator("main")).to_contain_text(NAME)
    rules(cast.arbiter, dispute, "none", "The log has each press once.")
    check_page(cast.arbiter, "dispute")
    presses(cast.arbiter, "Give ruling", "**/disputes/*")
    cast.bel.goes(dispute)
    expect(cast.bel.page.locator("main")).to_contain_text("The log has each press once.")
    cast.bel.page.fill("form[action$='/appeal'] textarea", "The second press was not mine.")
    presses(cast.bel, "Appeal", "**/disputes/*")
    cast.head.signs_in(**OPERATOR)
    rules(cast.head, dispute, "resume", "In doubt for the player: the last press is taken back.")
    presses(cast.head, "Give ruling", "**/disputes/*")
    cast.bel.goes(dispute)
    main = cast.bel.page.locator("main")
    for text in (NAMES["arbiter"], "The second press was not mine.", "In doubt for the player"):
        expect(main).to_contain_text(text)
    cast.bel.follows(cast.bel.page.get_by_role("link", name="Open resumed match"), "**/tables/*")
    cast.bel.has_choice()


def gives_up(player: Player) -> None:
    player.page.evaluate("document.querySelector(\"form[action$='/resign']\").requestSubmit()")
    player.page.wait_for_selector(RESULT)


def closes(organiser: Player, event: str, tables: int) -> None:
    organiser.goes(f"{event}/desk")
    organiser.looks_until(f"text={tables} of {tables} tables finished")
    organiser.follows("#close", "**/desk")


# The second day.


def play_the_second_day(cast: Cast, event: str) -> None:
    """Readmit a withdrawn player, start the day earlier than planned, and play a round of all four people."""
    page = cast.organiser.page
    cast.organiser.goes(f"{event}/people")
    withdrawn = page.locator("#people-withdrawn ~ ul li", has_text=NAMES["dina"])
    withdrawn.locator("summary").click()
    withdrawn.locator("input[name=reason]").fill(BACK)
    cast.organiser.follows(withdrawn.locator("form button"))
    sets_dates(cast.organiser, event, EARLIER, rounds__1__starts=clock(23))
    cast.organiser.follows("#set-dates", "**/schedule?entry=all")
    cast.organiser.goes(f"{event}/desk")
    cast.organiser.follows("#pair", "**/desk")
    cast.organiser.looks_until("#publish")
    presses(cast.organiser, "Publish the round", "**/desk")
    for player in cast.players:
        sits_down(player, event)
    ended_tables = set[str]()
    for player in cast.players:
        if player.here not in ended_tables:
            player.awaits_the_start()
            gives_up(player)
            ended_tables.add(player.here)


def adds_a_photo(organiser: Player, event: str) -> None:
    """Add a photo of the first table's final position; the report must show it."""
    page, jpeg = organiser.page, io.BytesIO()
    organiser.goes(f"{event}/report?round=1")
    picture = Image.open(io.BytesIO(page.locator(".event-report .miniature").first.screenshot())).convert("RGBA")
    photo = Image.new("RGBA", (picture.width * 4, picture.height * 4), WOOD)
    rotated = picture.resize((picture.width * 3, picture.height * 3)).rotate(4, Image.Resampling.BICUBIC, expand=True)
    photo.paste(rotated, ((photo.width - rotated.width) // 2, (photo.height - rotated.height) // 2), rotated)
    photo.convert("RGB").save(jpeg, "JPEG")
    organiser.goes(f"{event}/tables/1/1")
    page.set_input_files(
        "input[name=photo]", {"name": "board.jpg", "mimeType": "image/jpeg", "buffer": jpeg.getvalue()}
    )
    page.fill("input[name=caption]", CAPTION)
    presses(organiser, "Upload photo", "**/tables/1/1#photos")
    organiser.goes(f"{event}/report?round=1")
    expect(page.locator(".event-photo").first).to_contain_text(CAPTION)
    page.locator(".event-photo img").first.scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('.event-photo img').complete")


def find_out(cast: Cast, event: str, acts: tuple[str, ...], check_page: PageCheck) -> None:
    """Check the standings with prizes, and the record with these acts, after the end."""
    page, reader = cast.organiser.page, cast.eloi
    expect(page.locator("main")).to_contain_text("The tournament is over.")
    cast.organiser.goes(f"{event}/archive")
    table = page.locator(".event-standings")
    expect(table).to_contain_text("EUR")
    check_page(cast.organiser, "archive")
    adds_a_photo(cast.organiser, event)
    before = page.viewport_size
    page.set_viewport_size(TALL)
    check_page(cast.organiser, "report")
    if before is not None:
        page.set_viewport_size(before)
    reader.goes(f"{event}/record")
    for act in (ABSENT, "changed the pairing rules", "closed the round", *acts):
        expect(reader.page.locator("main")).to_contain_text(act)
    assert not reader.is_wider_than_the_window
    cast.organiser.goes(f"{event}/record")
    check_page(cast.organiser, "record")
