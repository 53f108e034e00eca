"""Take screenshots of every page in two sizes, light and dark: `python -m ops.dev.screenshots FOLDER`.

It starts a demonstration, signs in as an operator, takes a seat at a table of each title, and follows links until every
kind of page was visited. `--readme` updates the seven pictures of `docs/screenshots`.
"""

import secrets
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import msgspec
from litestar.routes import HTTPRoute
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from api import pages as site_pages
from api.http.preferences import COOKIE
from api.titles.drawing import load_drawings
from domain.titles import TITLES
from ops.accounts import open_people
from ops.console import SUCCESS, Finding, result_writer
from ops.demo.folder import find_mark
from ops.dev.page_speed import chromium_path, play, sit_down
from ops.progress import progress
from ops.stores import settings_for
from ops.temporary_service import SERVE, service_in

NAME: Final = "Ramon"
SIZES: Final = {"desk": (1440, 900), "laptop": (1280, 800), "phone": (390, 844)}
THEMES: Final = ("light", "dark")
PEOPLE: Final = ("Margalida", "Tomeu")
"""Players of the table on one device."""
CLICKS: Final = 12
"""Number of actions at each table before pictures are taken, so that boards are not empty."""
BOTS: Final = 3
MAKING_SECONDS: Final = 600.0
LOOK_SECONDS: Final = 1.0
SETTLED_MS: Final = 400
LONGEST: Final = 6000
"""Pixels at which long pages are cut."""
QUALITY: Final = 82
COVER_WIDTH, COVER_HEIGHT, COVER_SCALE, COVER_QUALITY = 576, 324, 2.0, 60
TITLES_FOLDER: Final = Path(__file__).parents[2] / "api" / "titles"
README: Final = Path(__file__).parents[2] / "docs" / "screenshots"
NO_PAGES: Final = frozenset({"text/event-stream", "text/plain"})
EXCLUDED_PATHS: Final = ("/verify/", "/studies/{study_id:uuid}/report", "/tlog")


class Made(msgspec.Struct, frozen=True, rename="camel"):
    """Number of pictures, kinds of pages shown, and kinds to which no link leads."""

    pictures: int
    pages: tuple[str, ...]
    not_found: tuple[str, ...]


def kinds() -> dict[str, tuple[str, ...]]:
    """Return the path segments of every page by its path pattern; a segment in braces matches anything.

    Streams, plain text and `EXCLUDED_PATHS` are left out.
    """
    routes = (route for route in site_pages.ROUTER.routes if isinstance(route, HTTPRoute))
    paths = (
        route.path
        for route in routes
        if any("GET" in each.http_methods and each.media_type not in NO_PAGES for each in route.route_handlers)
    )
    return {path: tuple(path.strip("/").split("/")) for path in sorted(paths) if not path.startswith(EXCLUDED_PATHS)}


def kind_of(path: str, kinds_by_name: dict[str, tuple[str, ...]]) -> str | None:
    """Return the page kind of a path, or None; each title is a separate kind.

    Of several matching kinds the one with the fewest placeholders is returned.
    """
    parts = tuple(path.strip("/").split("/"))
    fitting = [
        kind
        for kind, pattern in kinds_by_name.items()
        if len(pattern) == len(parts)
        and all(
            pattern_part.startswith("{") or pattern_part == part
            for pattern_part, part in zip(pattern, parts, strict=True)
        )
    ]
    if not fitting:
        return None
    kind = min(fitting, key=lambda each: each.count("{"))
    title = next((each for each in parts if each in TITLES), "")
    return kind.replace("{title:str}", title) if title else kind


def find_pages(page: Page, url: str, first: Iterable[str]) -> dict[str, str]:
    """Follow links from the first paths below `url`; return a path for each kind of page that can be shown."""
    known_kinds, found, pending = kinds(), dict[str, str](), list(first)
    while pending:
        address = pending.pop(0)
        kind = kind_of(urlsplit(address).path, known_kinds)
        if kind is None or kind in found:
            continue
        response = page.goto(url + address, wait_until="load")
        # Fragments that pages include have no frame.
        if response is None or not response.ok or not page.locator("main").count():
            continue
        found[kind] = address
        links = page.eval_on_selector_all("a[href]", "all => all.map(each => each.getAttribute('href'))")
        pending += [
            urlsplit(target)._replace(scheme="", netloc="", fragment="").geturl()
            for target in (urljoin(url + address, link) for link in links)
            if target.startswith(url + "/")
        ]
    return found


def sign_in(page: Page, url: str, name: str, password: str) -> None:
    """Sign in through the form; a refusal raises nothing."""
    page.goto(url + "/sign-in")
    form = page.locator("form", has=page.locator("input[autocomplete=current-password]")).first
    form.locator("input[name=name]").fill(name)
    form.locator("input[name=password]").fill(password)
    form.locator("button").first.click()
    page.wait_for_load_state("load")


def sit_at_every_title(page: Page, url: str) -> list[str]:
    """Play at a table of each title and return the tables' paths."""
    tables = []
    for title in TITLES:
        sit_down(page, url, title, BOTS)
        with progress(f"playing {title}", CLICKS) as step:
            play(page, CLICKS, step)
        tables.append(urlsplit(page.url).path)
    return tables


def open_on_one_device(page: Page, url: str) -> str:
    """Create a table on one device and return its path, before the first player takes the device.

    Its title is the first one.
    """
    page.goto(f"{url}/open/{next(iter(TITLES))}?oneDevice=true")
    form = page.locator("form.set-up")
    for number, name in enumerate(PEOPLE, 1):
        form.locator(f"input[name=name_{number}]").fill(name)
    with page.expect_navigation(url="**/tables/*"):
        form.locator("button.primary").click()
    return urlsplit(page.url).path


@contextmanager
def open_context(
    browser: Browser, size: str, theme: Any, cookies: Any, url: str, *, scale: float = 1.0
) -> Iterator[BrowserContext]:
    """Open a browser context of that size and theme, and close it at the end.

    It has these cookies and, for `url`, the preference to confirm nothing.
    """
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        color_scheme=theme,
        reduced_motion="reduce",
    )
    context.add_cookies([*cookies, {"name": COOKIE, "value": "confirm-never", "url": url}])
    try:
        yield context
    finally:
        context.close()


def take(page: Page, address: str, *, is_full_page: bool) -> Image.Image:
    """Take a screenshot of the loaded page, of the viewport or the whole page, cut at `LONGEST` pixels."""
    page.goto(address, wait_until="load")
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(SETTLED_MS)
    image = Image.open(BytesIO(page.screenshot(full_page=is_full_page)))
    return image.crop((0, 0, image.width, min(image.height, LONGEST)))


def file_name(kind: str) -> str:
    """Return the base name of a page's pictures: its path without ids, with `-one` at the end if it has any."""
    parts = [part for part in kind.strip("/").split("/") if not part.startswith("{")]
    number = kind.count("{")
    return ("-".join(parts) or "first") + ("-one" * min(1, number))


def take_all(
    browser: Browser, url: str, cookies: object, pages: dict[str, str], folder: Path, sizes: Sequence[str]
) -> int:
    """Take every page at every size in both themes, as WebP files in the folder; return the number of pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with progress("pictures", len(pages) * len(sizes) * len(THEMES)) as step:
        count = 0
        for size in sizes:
            for theme in THEMES:
                with open_context(browser, size, theme, cookies, url) as context:
                    page = context.new_page()
                    for kind, address in pages.items():
                        picture = take(page, url + address, is_full_page=True)
                        picture.convert("RGB").save(folder / f"{file_name(kind)}.{size}.{theme}.webp", quality=QUALITY)
                        step(count := count + 1)
    return count


def take_covers(browser: Browser, url: str) -> int:
    """Take the cover picture of every title that has one, from the board in its rules; return their number."""
    drawings, count = load_drawings(TITLES), 0
    with open_context(browser, "phone", "light", [], url, scale=COVER_SCALE) as context:
        page = context.new_page()
        for title, drawing in drawings.items():
            if not drawing.cover:
                continue
            page.goto(f"{url}/rules/{title}", wait_until="load")
            page.evaluate("document.fonts.ready")
            outer = page.locator("[data-cover]").first
            inner = outer.get_attribute("data-cover")
            image = Image.open(BytesIO((outer.locator(inner) if inner else outer).screenshot()))
            high = image.width * COVER_HEIGHT // COVER_WIDTH
            cover = image.crop((0, 0, image.width, high)).resize((COVER_WIDTH, COVER_HEIGHT), Image.Resampling.LANCZOS)
            cover_path = TITLES_FOLDER / title / "static" / Path(drawing.cover).name
            cover.convert("RGB").save(cover_path, quality=COVER_QUALITY, method=6)
            count += 1
    return count


def take_for_readme(browser: Browser, url: str, cookies: object, tables: Sequence[str], shared_table: str) -> int:
    """Take the pictures of the README and of the page on one device, all in the light theme; return their number."""
    pictures = [
        ("lobby", "desk", "/"),
        ("replay", "desk", f"{tables[0]}/replay"),
        ("one-device", "phone", shared_table),
    ]
    for title, table in zip(TITLES, tables, strict=True):
        pictures += [(f"{title.replace('_', '-')}-{size}", size, table) for size in ("desk", "phone")]
    for name, size, address in pictures:
        with open_context(browser, size, "light", [] if name == "lobby" else cookies, url) as context:
            picture = take(context.new_page(), url + address, is_full_page=False)
            picture.convert("RGB").save(README / f"{name}.webp", quality=QUALITY, method=6)
    return len(pictures)


@contextmanager
def demonstration() -> Iterator[tuple[str, str]]:
    """Start a complete demonstration with an operator; provide its URL and the operator's password.

    Raises `Finding` if it does not start or is not complete after `MAKING_SECONDS`.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder, password = Path(scratch) / "demo", secrets.token_urlsafe()
        with service_in(folder, program=(*SERVE, "--demo"), log=Path(scratch) / "service.log", demo=1) as started:
            deadline = time.monotonic() + MAKING_SECONDS
            while (mark := find_mark(folder)) is None or not mark.is_whole:
                if time.monotonic() > deadline:
                    raise Finding(f"the demo is not complete after {MAKING_SECONDS:.0f} seconds")
                time.sleep(LOOK_SECONDS)
            with open_people(settings_for(folder)) as people:
                people.create(NAME, password, datetime.now(UTC), role="operator")
            yield started.url.rstrip("/"), password


def take_pictures(url: str, name: str, password: str, arguments: Namespace) -> Made:
    """Take the pictures that the arguments select: covers, those of the README, or all kinds of pages.

    Except for covers it signs in and plays at tables of the service. Returns their number and, for pages only, the
    kinds taken and not found. Exits without a Chromium.
    """
    with sync_playwright() as playwright:
        # Chromium's sandbox refuses to run as root, and only trusted pages are opened here.
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_cookies([{"name": COOKIE, "value": "confirm-never", "url": url}])
        page = context.new_page()
        if arguments.covers:
            return Made(take_covers(browser, url), (), ())
        sign_in(page, url, name, password)
        tables = sit_at_every_title(page, url)
        if arguments.readme:
            shared_table = open_on_one_device(page, url)
            return Made(take_for_readme(browser, url, context.cookies(), tables, shared_table), (), ())
        replays = [f"{table}/replay" for table in tables]
        found = find_pages(page, url, ["/", *tables[-1:], *replays[-1:], "/offline", "/desk", *tables])
        found |= {f"{title}-table": table for title, table in zip(TITLES, tables, strict=True)}
        selected = {kind: address for kind, address in found.items() if arguments.only in kind}
        count = take_all(browser, url, context.cookies(), selected, arguments.folder, arguments.sizes)
        browser.close()
    return Made(count, tuple(selected), tuple(sorted({*kinds()} - {*found})))


def run(arguments: Namespace) -> int:
    """Take pictures of a given service or a demonstration, print their number and pages not found; return `SUCCESS`.

    For a given service the password is the first line of stdin.
    """
    if arguments.url:
        password = sys.stdin.readline().rstrip("\n")
        pictures = take_pictures(arguments.url.rstrip("/"), arguments.name, password, arguments)
    else:
        with demonstration() as (url, password):
            pictures = take_pictures(url, NAME, password, arguments)
    missing = "".join(f"\nno link to {kind}" for kind in pictures.not_found)
    result_writer(arguments.json)(pictures, f"{pictures.pictures} pictures of {len(pictures.pages)} pages{missing}")
    return SUCCESS


def main() -> int:
    """Parse FOLDER, `--readme`, `--covers`, `--only`, `--sizes`, `--url`, `--name` and `--json`, and run."""
    parser = ArgumentParser("python -m ops.dev.screenshots", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("var/pictures"), help="folder for the pictures")
    parser.add_argument("--readme", action="store_true", help="only the seven pictures of docs/screenshots")
    parser.add_argument("--covers", action="store_true", help="only the boards of the home page")
    parser.add_argument("--only", default="", metavar="WORD", help="only pages whose path contains this word")
    parser.add_argument("--sizes", nargs="+", choices=tuple(SIZES), default=["desk", "phone"], help="desktop and phone")
    parser.add_argument("--url", help="URL of a running service; the password of NAME is the first line of stdin")
    parser.add_argument("--name", default=NAME, help="account to sign in with")
    parser.add_argument("--json", action="store_true", help="print one JSON document to stdout")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
