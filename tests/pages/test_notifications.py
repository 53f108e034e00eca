"""The page of notifications in a browser: stored choices, axe, and the service worker's display of pushes."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

import pytest
from playwright.sync_api import Browser

from projections.platform.clock import now
from tests.notifications.away import Away, away_in
from tests.pages.page_checks import Reader, violations
from tests.workers.serving import DEADLINE_SECONDS

pytestmark = pytest.mark.chromium
PATH = "/account/notifications"
NOTED = """() => {
  self.shown = [];
  self.registration.showNotification = async (title, options) => {
    self.shown.push([title, options.body, options.data.url]);
  };
}"""
"""The headless browser cannot display notifications, so calls of `showNotification` are recorded."""
SHOWN = """async () => {
  for (;;) {
    if (self.shown.length) return self.shown;
    await new Promise((go) => setTimeout(go, 10));
  }
}"""


@pytest.fixture(scope="module")
def away(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Away]:
    with away_in(tmp_path_factory.mktemp("away")) as away:
        yield away


@pytest.fixture(scope="module")
def reader(browser: Browser, away: Away) -> Iterator[Reader]:
    """Ann, signed in by her session."""
    url = f"http://localhost:{away.sockets.port}"
    reader = Reader(browser, url)
    people = away.sockets.people
    ann = people.create("Anna Page", "correct horse battery", now())
    secret = people.access.start_session(ann, now())
    reader.page.context.add_cookies([{"name": "esporles", "value": secret, "url": url}])
    yield reader
    reader.page.context.close()


def test_axe_finds_nothing_on_the_page_with_everything_on_it(reader: Reader, away: Away) -> None:
    reader.goes(PATH)
    reader.page.fill("input[name=address]", "anna@players.example")
    reader.page.click("text=Send confirmation email")
    reader.page.wait_for_selector("text=not confirmed yet")
    away.hand_over()
    assert len(away.mails.to("anna@players.example")) == 1

    assert violations(reader, PATH) == {}


def test_a_choice_is_stored(reader: Reader) -> None:
    reader.speaks("en")
    reader.goes(PATH)
    reader.page.select_option("select[name='mail.turn']", "hourly")
    reader.page.click("button:text-is('Save')")

    reader.page.wait_for_selector("text=Settings saved.")

    assert reader.page.input_value("select[name='mail.turn']") == "hourly"


def test_the_service_worker_shows_pushes_and_an_offline_page(reader: Reader) -> None:
    page, context = reader.page, reader.page.context
    context.grant_permissions(["notifications"])
    reader.goes(PATH)
    page.evaluate("navigator.serviceWorker.register('/worker.js')")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    session = context.new_cdp_session(page)
    registrations: list[dict[str, str]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    workers = context.service_workers
    worker = workers[-1] if workers else context.wait_for_event("serviceworker")
    worker.evaluate(NOTED)
    deadline = monotonic() + DEADLINE_SECONDS
    while not registrations:
        assert monotonic() < deadline, "the browser never told of the worker that is registered"
        worker.evaluate("null")
    payload = '{"title":"Esporles","body":"Your turn: La Granja","url":"/tables/1","tag":"turn"}'
    origin = page.evaluate("location.origin")

    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": registrations[-1]["registrationId"], "data": payload},
    )

    assert worker.evaluate(SHOWN) == [["Esporles", "Your turn: La Granja", "/tables/1"]]
    context.set_offline(True)
    page.goto(f"{origin}/tables")
    assert page.inner_text("h1") == "No connection"
    context.set_offline(False)
