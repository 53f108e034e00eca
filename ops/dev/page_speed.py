"""Measure pages in Chromium: the time from a click to the updated board at a table with bots, and the size of pages.

`python -m ops.dev.page_speed` starts a separate service on SQLite, plays in a real browser and reads the page's
performance marks, from the click to the frame that shows its action.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

from api.http.preferences import COOKIE
from domain.titles import TITLES
from ops.console import NEGATIVE, SUCCESS, result_writer
from ops.progress import progress
from ops.supervisor import Started

BUDGET_MS: Final = 150.0
FIRST_PAGE_BYTES: Final = 200_000
TABLE_PAGE_BYTES: Final = 400_000
SHIFT_MAX: Final = 0.05
"""Half of the cumulative layout shift that web.dev calls good."""
SHIFT_GAP_MS: Final = 1000
SHIFT_WINDOW_MS: Final = 5000
PATIENCE_MS: Final = 60_000
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BUTTONS: Final = "#actions:not([inert]) .actions button"
OVER: Final = "#actions .result"

WATCH: Final = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push([entry.startTime, entry.value]);
}).observe({ type: 'layout-shift', buffered: true });
"""


class Responsiveness(msgspec.Struct, frozen=True, rename="camel"):
    """Response times of a title's table in milliseconds, and its layout shift."""

    title: str
    clicks: int
    median: float
    p95: float
    slowest: float
    layout_shift: float


class Measured(msgspec.Struct, frozen=True, rename="camel"):
    """The results of a run."""

    bots: int
    tables: tuple[Responsiveness, ...]
    first_page_bytes: int
    table_page_bytes: dict[str, int]
    is_within_budget: bool


def quantile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -(-int(len(ordered) * share * 1000) // 1000) - 1))]


def cumulative(shifts: Sequence[tuple[float, float]]) -> float:
    """Return the cumulative layout shift: the largest sum of shifts within 5 s whose gaps are below 1 s."""
    highest = window = window_start = last = 0.0
    for time, value in shifts:
        continues = window and time - last < SHIFT_GAP_MS and time - window_start < SHIFT_WINDOW_MS
        window_start, window = (window_start, window + value) if continues else (time, value)
        last, highest = time, max(highest, window)
    return highest


def chromium_path() -> str:
    """Return the path of a Chromium, first from `ESPORLES_CHROMIUM`; exit the process if there is none."""
    found = os.environ.get("ESPORLES_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        sys.exit("no browser found; set ESPORLES_CHROMIUM to a Chromium")
    return found


@contextmanager
def service() -> Iterator[str]:
    """Start a service in a temporary folder, provide its URL without a final slash, and stop it at the end."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "ops.cli", "serve", "--port", "0", "--data", folder, "--json"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
        assert process.stdout is not None
        try:
            yield msgspec.json.decode(process.stdout.readline(), type=Started).url.rstrip("/")
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()


def weight(browser: Browser, url: str, cookies: Any = None) -> int:
    """Return the bytes a page transfers to an empty browser cache, without its stream."""
    context = browser.new_context()
    if cookies:
        context.add_cookies(cookies)
    page, received = context.new_page(), dict[str, int]()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on(
        "Network.loadingFinished", lambda event: received.update({event["requestId"]: event["encodedDataLength"]})
    )
    page.goto(url, wait_until="load")
    page.wait_for_timeout(500)
    context.close()
    return int(sum(received.values()))


def sit_down(page: Page, url: str, title: str, bots: int) -> None:
    """Create a table with this number of bots from the home page, and open it."""
    page.goto(url + "/")
    form = page.locator("form[action='/play']", has=page.locator(f"input[name=title][value={title}]"))
    form.locator("select[name=bots]").select_option(str(bots))
    form.locator("button").click()
    page.wait_for_url("**/tables/*")


def play(page: Page, clicks: int, step: Any) -> None:
    """Click buttons one after the other as soon as they are available; stop when the match ends.

    `step` is called with the number of clicks.
    """
    for click in range(clicks):
        page.wait_for_selector(f"{BUTTONS}, {OVER}", timeout=PATIENCE_MS)
        if page.query_selector(OVER):
            return
        buttons, version_before = page.locator(BUTTONS), int(page.get_attribute(".table", "data-version") or 0)
        buttons.nth(click % buttons.count()).click()
        page.wait_for_function(
            "before => Number(document.querySelector('.table').dataset.version) > before", arg=version_before
        )
        step(click + 1)
    page.wait_for_selector(f"{BUTTONS}, {OVER}", timeout=PATIENCE_MS)


def measure_table(browser: Browser, url: str, title: str, bots: int, clicks: int) -> tuple[Responsiveness, int]:
    """Play at a new table of a title; return the page's measurements, and the bytes of that table's page."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_cookies([{"name": COOKIE, "value": "confirm-never", "url": url}])
    page = context.new_page()
    page.add_init_script(WATCH)
    sit_down(page, url, title, bots)
    with progress(f"clicks at {title}", clicks) as step:
        play(page, clicks, step)
    durations = page.evaluate("performance.getEntriesByName('esporles:act').map(entry => entry.duration)")
    shift = cumulative([(time, value) for time, value in page.evaluate("window.shifts")])
    bytes_ = weight(browser, page.url, context.cookies())
    context.close()
    slowest = max(durations)
    return Responsiveness(
        title, len(durations), statistics.median(durations), quantile(durations, 0.95), slowest, shift
    ), bytes_


def measure(browser: Browser, url: str, bots: int, clicks: int) -> Measured:
    """Measure every title and the home page, and compare them with the budgets."""
    results = [measure_table(browser, url, title, bots, clicks) for title in TITLES]
    tables, weights = tuple(figures for figures, _ in results), {figures.title: bytes_ for figures, bytes_ in results}
    first = weight(browser, url + "/")
    is_quick = all(table.p95 < BUDGET_MS and table.layout_shift < SHIFT_MAX for table in tables)
    is_light = first < FIRST_PAGE_BYTES and max(weights.values()) < TABLE_PAGE_BYTES
    return Measured(bots, tables, first, weights, is_quick and is_light)


def render_measured(measured: Measured) -> str:
    """Format the results."""
    lines = [
        f"{table.title:<10} {table.clicks} clicks with {measured.bots} bots: median {table.median:.0f} ms,"
        f" p95 {table.p95:.0f} ms (budget {BUDGET_MS:.0f}), slowest {table.slowest:.0f} ms;"
        f" layout shift {table.layout_shift:.3f}"
        for table in measured.tables
    ]
    lines.append(f"first page {measured.first_page_bytes / 1000:.0f} kB (budget {FIRST_PAGE_BYTES / 1000:.0f})")
    lines += [
        f"table of {title} {bytes_ / 1000:.0f} kB (budget {TABLE_PAGE_BYTES / 1000:.0f})"
        for title, bytes_ in measured.table_page_bytes.items()
    ]
    return "\n".join(lines)


def run(arguments: Namespace) -> int:
    """Measure a given or a temporary service and print the results; return `NEGATIVE` if a budget is missed."""
    with sync_playwright() as playwright:
        # Chromium's sandbox refuses to run as root, and only trusted pages are opened here.
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        if arguments.url:
            measured = measure(browser, arguments.url.rstrip("/"), arguments.bots, arguments.clicks)
        else:
            with service() as url:
                measured = measure(browser, url, arguments.bots, arguments.clicks)
        browser.close()
    result_writer(arguments.json)(measured, render_measured(measured))
    return SUCCESS if measured.is_within_budget else NEGATIVE


def main() -> int:
    """Parse the arguments (`--url`, `--clicks`, `--bots`, `--json`) and run."""
    parser = ArgumentParser("python -m ops.dev.page_speed", description=__doc__)
    parser.add_argument("--url", help="URL of a running service (default: start a temporary one)")
    parser.add_argument("--clicks", type=int, default=100, help="clicks per game (default: 100)")
    parser.add_argument("--bots", type=int, default=3, help="bots at the table (default: 3)")
    parser.add_argument("--json", action="store_true", help="print one JSON document to stdout")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
