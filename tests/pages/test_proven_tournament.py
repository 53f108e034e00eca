"""A whole tournament of bots and two people at browsers, watched by two witnesses.

Its proof is one file, which both verifiers check offline by the policy that the service publishes: a quorum of both.
They count its tie-breaks and ratings again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple, TypeVar
from urllib.request import urlopen

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from domain.kernel.values import replace
from domain.proofs.event_file import ClaimedResults, event_bytes, parse_event, parts_of
from domain.transparency.policy import Policy, parse_policy
from ops.cli import main
from tests.api.transparency.test_witnesses import ORIGIN, key_of, run_witnesses
from tests.pages.browsing import DESK, PHONE, Player
from tests.pages.test_verify import gives
from tests.workers.serving import DEADLINE_SECONDS, Client, serving

pytestmark = [pytest.mark.chromium, pytest.mark.walk("tournament")]

T = TypeVar("T")
ROUNDS: Final = 2
PHONE_SIZE: Final[Any] = PHONE
PLAN: Final[dict[str, Any]] = {
    "name": "Copa provada",
    "title": "el_grande",
    "size": 2,
    "auto": True,
    "stages": [{"kind": "swiss", "rounds": ROUNDS}],
    "table": {"clock": {"kind": "per_move", "seconds": 600}, "public": True, "rated": True},
}

RATED: Final = 2
"""The ratings after the match of the two bots in the last round; guests are not rated."""
COUNTED: Final = (
    "The standings follow from the results, tie-breaks included. Players: 4.",
    f"The ratings after each match follow from its result. Ratings: {RATED}.",
)


class Proved(NamedTuple):
    """The proof and the trust policy as downloaded."""

    content: bytes
    policy: Policy
    address: str
    """The verifier page that loads this proof."""


def until(read: Callable[[], T], condition: Callable[[T], Any]) -> T:
    """Poll until the condition holds and return the value."""
    deadline = monotonic() + DEADLINE_SECONDS
    while not condition(value := read()):
        assert monotonic() < deadline, value
    return value


def comes(player: Player, event: str, number: int) -> None:
    """Follow the link to the table of the round, where the browser brings a share of chance."""
    player.goes(event)
    link = player.page.locator(f"section[aria-labelledby=round-{number}] .yours a:has-text('Go to your table')")
    link.wait_for()
    player.follows("text=Go to your table")


def gives_up(player: Player) -> None:
    """Resign once all players are present, unless the opponent has; the browser signs the resignation."""
    page = player.page
    page.wait_for_selector(".more > details > summary, #actions .result")
    if page.locator("#actions .result").count() == 0:
        page.evaluate("document.querySelector(\"form[action$='/resign']\")?.requestSubmit()")
    page.wait_for_selector("#actions .result")


def play_tournament(browser: Browser, url: str, organiser: Client) -> str:
    """Play a tournament of two people at browsers and two bots to its end; return its id."""
    event: str = organiser.post("/tournaments", {"plan": PLAN})["eventId"]
    for bot in ("random", "greedy"):
        organiser.post(f"/tournaments/{event}/entries", {"bot": bot, "count": 1})
    players = [Player(browser, url, size) for size in (DESK, PHONE)]
    try:
        for player in players:
            player.sign_in_as_guest()
            player.goes(f"/events/{event}")
            player.follows("#take-part")
        organiser.post(f"/tournaments/{event}/pairings", {})
        for number in range(1, ROUNDS + 1):
            until(lambda: organiser.get(f"/tournaments/{event}")["rounds"], lambda rounds: len(rounds) == number)  # noqa: B023
            for player in players:
                comes(player, f"/events/{event}", number)
            for player in players:
                gives_up(player)
        until(lambda: organiser.get(f"/tournaments/{event}")["status"], lambda status: status == "ended")
        assert [complaint for player in players for complaint in player.complaints] == []
    finally:
        for player in players:
            player.page.context.close()
    return event


@pytest.fixture(scope="module")
def proved_tournament(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proved]:
    with run_witnesses(tmp_path_factory.mktemp("proved"), "one", "two") as (data, witnesses, servers):
        settings = {
            "ESPORLES_LOG_ORIGIN": ORIGIN,
            "ESPORLES_WITNESSES": "\n".join(f"{each.key} {each.url}" for each in servers),
        }
        keys = (key_of(data), *(each.key for each in witnesses))
        with serving(data, 2, **settings) as service:
            organiser = service.operator()
            event = play_tournament(browser, service.started.url, organiser)

            def proof() -> bytes:
                status, content = organiser.fetch("GET", f"/tournaments/{event}/proof")
                return content if status == 200 else b""

            content = until(proof, lambda proof_bytes: proof_bytes and len(parse_event(proof_bytes).keys) == len(keys))
            policy = parse_policy(urlopen(f"{service.started.url}tlog/policy").read())
            assert (*policy.log_keys, *policy.witness_keys) == keys
            yield Proved(content, policy, f"{service.started.url}verify?event={event}")


@pytest.fixture
def trust(tmp_path: Path, proved_tournament: Proved) -> Path:
    path = tmp_path / "policy"
    path.write_bytes(bytes(proved_tournament.policy))
    return path


def run_verify(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, Any]:
    """Return exit status and report of `esporles verify`."""
    status = main(["verify", "--json", *map(str, args)])
    return status, msgspec.json.decode(capsys.readouterr().out)


def test_the_console_verifies_the_proof(
    proved_tournament: Proved, trust: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "copa.proof"
    file.write_bytes(proved_tournament.content)
    status, report = run_verify(capsys, "--policy", trust, file)

    assert (status, report["fault"]) == (0, None)
    assert (report["name"], report["matches"], len(report["standings"])) == ("Copa provada", 2 * ROUNDS, 4)
    assert [each["isTrusted"] for each in report["proof"]["cosigned"]] == [True, True]
    assert report["ratingsChecked"] == RATED
    assert not any("no witness" in each or "trust" in each for each in report["unchecked"])
    assert main(["verify", "--policy", str(trust), str(file)]) == 0
    output = capsys.readouterr().out
    assert "standings   4 players recomputed" in output
    _, folder_report = run_verify(capsys, "--policy", trust, tmp_path)
    assert (folder_report["good"], folder_report["files"][0]["report"]["name"]) == (1, "Copa provada")


def test_the_console_rejects_altered_points_tie_breaks_ratings_and_a_removed_cosignature(
    proved_tournament: Proved, trust: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "altered.proof"
    for kind, change in ALTERED:
        file.write_bytes(alter(proved_tournament.content, change))
        status, report = run_verify(capsys, "--policy", trust, file)
        assert (status, report["fault"]["kind"]) == (1, kind)
    file.write_bytes(remove_cosignature(proved_tournament.content))
    status, report = run_verify(capsys, "--policy", trust, file)
    assert status == 1
    assert "the checkpoint is below the quorum: it needs a cosignature of 2 of (" in report["fault"]["why"]


def remove_cosignature(content: bytes) -> bytes:
    """Remove the last cosignature of the tournament's checkpoint."""
    event = parse_event(content)
    note = event.note._replace(signatures=event.note.signatures[:-1])
    start = next((start for start, _ in parts_of(content, event.header)), len(content))
    return event_bytes(event._replace(note=note, keys=event.keys[:-1])) + content[start:]


def alter(content: bytes, change: Callable[[ClaimedResults], ClaimedResults]) -> bytes:
    """Change the results that the service states, which nothing signs."""
    event = parse_event(content)
    start = next((start for start, _ in parts_of(content, event.header)), len(content))
    return event_bytes(event._replace(said=change(event.said))) + content[start:]


def alter_points(said: ClaimedResults) -> ClaimedResults:
    """Give the winner an additional point."""
    first, *others = said.standings
    return replace(said, standings=(replace(first, points=first.points + 60), *others))


def alter_tie_break(said: ClaimedResults) -> ClaimedResults:
    """Raise the last tie-break of the last player, which decides nothing."""
    *others, last = said.standings
    tie_breaks = (*last.tie_breaks[:-1], last.tie_breaks[-1] + 1)
    return replace(said, standings=(*others, replace(last, tie_breaks=tie_breaks)))


def alter_rating(said: ClaimedResults) -> ClaimedResults:
    """Raise a rating after a match by a millionth."""
    *others, last = said.ratings
    first, *opponents = last.after
    raised = replace(first, skill=replace(first.skill, mean=first.skill.mean + 1e-6))
    return replace(said, ratings=(*others, replace(last, after=(raised, *opponents))))


ALTERED: Final = (("standings", alter_points), ("standings", alter_tie_break), ("ratings", alter_rating))


def test_an_offline_browser_verifies_the_proof(
    proved_tournament: Proved, browser: Browser, tmp_path: Path, verifier_file: Path
) -> None:
    context = browser.new_context(viewport=PHONE_SIZE)
    try:
        page = context.new_page()
        context.set_offline(True)
        page.goto(verifier_file.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        page.fill("#trust", bytes(proved_tournament.policy).decode())
        gives(page, proved_tournament.content)
        expect(page.locator("#report")).to_contain_text("No problems found.")
        for counted in COUNTED:
            expect(page.locator("#report")).to_contain_text(counted)
        expect(page.locator("#report")).to_contain_text("Enough of the witnesses you trust have cosigned: 2 of (")
        gives(page, remove_cosignature(proved_tournament.content))
        expect(page.locator("#report")).to_contain_text("the checkpoint is below the quorum")
        for kind, change in ALTERED:
            gives(page, alter(proved_tournament.content, change))
            expect(page.locator("#report")).to_contain_text(f"Verification failed: {kind}.")
    finally:
        context.close()


def test_the_verifier_page_loads_the_proof_from_its_address(proved_tournament: Proved, browser: Browser) -> None:
    context = browser.new_context(viewport=PHONE_SIZE)
    try:
        page = context.new_page()
        page.goto(proved_tournament.address)
        expect(page.locator("#found")).to_contain_text(".event.jsonl")
        expect(page.locator("#report")).to_contain_text("No problems found.")
        expect(page.locator("#report tbody tr")).to_have_count(4)
        expect(page.locator("#report > details")).to_have_count(2 * ROUNDS)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    finally:
        context.close()


@pytest.fixture
def verifier_file(browser: Browser, service: Any, tmp_path: Path) -> Path:
    """Download the second verifier."""
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(f"{service.started.url}verify")
        with page.expect_download() as download:
            page.click("a[download='esporles-verify.html']")
        path = tmp_path / "esporles-verify.html"
        download.value.save_as(path)
        return path
    finally:
        context.close()
