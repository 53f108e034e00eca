"""The second verifier in a browser: on its page, and as a file that works offline."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from domain.matches.log.log_files import log_bytes
from domain.proofs.match import verify_content
from domain.proofs.match_file import proof_bytes
from tests.domain.matches.match_helpers import ALL_TITLES, toy_log
from tests.domain.proofs.match_proofs import HOUSE, STRANGER, WITNESS, proof_of
from tests.domain.transparency.test_vrf import OUTPUT, PUBLIC, TEXT
from tests.domain.transparency.test_vrf import PROOF as PROVEN
from tests.pages.browsing import DESK, PHONE, Player
from tests.pages.conftest import GOLDEN
from tests.pages.page_checks import AXE, FIND
from tests.seeding import IS_EXPLORING, SEED, one_in
from tests.transparency.damaged import LOGS, damaged_files
from tests.transparency.logs import rechain
from tests.transparency.second import HOSTILE, SECONDS_MAX, Second, compare
from tests.transparency.whole import cup, file_of
from tests.workers.serving import Serving

pytestmark = [pytest.mark.chromium, pytest.mark.walk(one_in=2)]

NewPlayer = Callable[..., Player]
PROOF: Final = proof_bytes(proof_of(toy_log(), WITNESS))
EXAMINE: Final = """async ([content, trust]) => {
  const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
  const { examine, readTrust } = { ...modules.examine, ...modules.policy };
  const began = performance.now();
  const report = await examine(bytes, trust === null ? null : readTrust(trust));
  return JSON.stringify({ ...report, seconds: (performance.now() - began) / 1000 });
}"""
DROP: Final = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
LABELLED: Final = proof_bytes(proof_of(toy_log(), WITNESS, labelled_from=3))
"""A proof of format 3, whose first two entries have no labels."""
OUTPUT_OF: Final = """async ([key, text, proof]) => {
  const { loadGroup, outputOf } = modules.vrf, { unhex, hex } = modules.sha256;
  await loadGroup();
  return hex(outputOf(unhex(key), unhex(text), unhex(proof)));
}"""
DAMAGED: Final = 400 if IS_EXPLORING else 30


def log_file(name: str) -> Path:
    return GOLDEN / f"{name}.jsonl"


def gives(page: Page, content: bytes) -> None:
    """Choose a file and wait for its report."""
    name = f"{sha256(content).hexdigest()[:12]}.jsonl"
    page.set_input_files("#file", {"name": name, "mimeType": "application/jsonl", "buffer": content})
    expect(page.locator("#found")).to_contain_text(name)
    expect(page.locator("#found")).to_be_focused()


@pytest.fixture(scope="module")
def offline_verifier(browser: Browser, service: Serving, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Return the downloaded verifier, opened from disk without a network."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{service.started.url}verify")
    with page.expect_download() as download:
        page.click("a[download='esporles-verify.html']")
    path = tmp_path_factory.mktemp("kept") / "esporles-verify.html"
    download.value.save_as(path)
    context.set_offline(True)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    yield page
    context.close()
    assert complaints == []


def test_the_downloaded_verifier_makes_no_requests(offline_verifier: Page) -> None:
    content = offline_verifier.content()

    assert 'src="' not in content.replace('src="data:', "")
    assert "<link" not in content
    assert offline_verifier.url.startswith("file://")


LONG_READS: Final = ("a line of 10 MB", "a depth of a million", "a count of 10^12", "60,000 pauses")
"""Hostile files to try in the browser; `tests/transparency/test_second_verifier.py` tries all of them in Node."""


def examine(page: Page, content: bytes, trust: str | None = None) -> Second:
    report = page.evaluate(EXAMINE, [base64.b64encode(content).decode(), trust])
    return msgspec.json.decode(report, type=Second)


@pytest.mark.parametrize("path", LOGS[::16], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_downloaded_verifier_accepts_a_valid_log(offline_verifier: Page, path: Path) -> None:
    assert examine(offline_verifier, path.read_bytes()).fault is None


def test_both_verifiers_agree_on_damaged_logs(offline_verifier: Page) -> None:
    for damaged in damaged_files(f"{SEED}/chromium", DAMAGED):
        comparison = compare(verify_content(damaged.content).fault, examine(offline_verifier, damaged.content).fault)
        assert comparison.verdict != "disagreed", (damaged.name, damaged.change, comparison.why)


@pytest.mark.parametrize("name", one_in(len(LONG_READS), LONG_READS, "hostile files"))
def test_a_hostile_file_gets_an_error_message(offline_verifier: Page, name: str) -> None:
    report = examine(offline_verifier, HOSTILE[name]())

    assert report.fault is not None
    assert report.fault.why
    assert report.seconds < SECONDS_MAX


def test_the_downloaded_verifier_checks_signatures_and_trusted_keys(offline_verifier: Page) -> None:
    assert verify_content(PROOF, titles=ALL_TITLES).is_good
    report = examine(offline_verifier, PROOF)
    assert report.fault is None, report.fault
    if "no_ed25519" not in report.unchecked_ids:
        assert {"house_signed", "cosigned", "included"} <= report.checked_ids
    assert examine(offline_verifier, PROOF, f"# house\n{HOUSE.key}\n{WITNESS.key}\n").fault is None
    untrusted = examine(offline_verifier, PROOF, str(STRANGER.key))
    assert untrusted.fault is not None
    assert "is not trusted" in untrusted.fault.why


def test_the_downloaded_verifier_checks_labels(offline_verifier: Page) -> None:
    report = examine(offline_verifier, LABELLED)

    assert report.fault is None, report.fault
    assert "labels" in report.checked_ids
    assert "two_histories_entries" in report.unchecked_ids
    assert offline_verifier.evaluate(OUTPUT_OF, [PUBLIC, TEXT.hex(), PROVEN]) == OUTPUT


def test_labels_are_checked_under_the_policy_of_the_page(new_player: NewPlayer) -> None:
    """The group is loaded for a file with labels only."""
    player = new_player(PHONE)
    player.goes("/verify")
    page, loaded = player.page, list[str]()
    page.on("request", lambda request: loaded.append(request.url))
    gives(page, PROOF)
    assert not any("noble" in url for url in loaded)
    gives(page, LABELLED)

    assert any("noble" in url for url in loaded)
    report = page.locator("#report")
    expect(report).to_contain_text("Leaves with a label: ")
    expect(report).to_contain_text("Entries 1–2: two histories cannot be excluded")


def test_a_chosen_file_gets_a_report(new_player: NewPlayer) -> None:
    player = new_player()
    player.goes("/verify")
    page = player.page
    gives(page, log_file("el_grande-ruled").read_bytes())

    report = page.locator("#report")
    expect(report).to_contain_text("No problems found.")
    expect(report).to_contain_text("Legality of actions")
    expect(report).to_contain_text("Official result")
    assert page.evaluate("document.activeElement.id") == "found"
    page.locator("#report summary", has_text="Disputes and rulings").click()
    expect(page.locator("#report details[open] li").first).to_be_visible()

    content = log_file("el_grande-ruled").read_bytes().replace(b'"points":3', b'"points":9')
    gives(page, content)
    expect(report).to_contain_text("Verification failed at entry 40: chain of entries.")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_report_has_no_axe_violation_and_is_operable_by_keyboard(new_player: NewPlayer, size: Any) -> None:
    player = new_player(size)
    player.goes("/verify")
    page = player.page
    for content in (log_file("la_granja-signed").read_bytes(), b"{}\n"):
        gives(page, content)
        page.evaluate(AXE)
        assert page.evaluate(FIND) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    gives(page, log_file("la_granja-signed").read_bytes())
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#report details[open]")).to_have_count(1)


def test_a_dropped_file_is_verified(new_player: NewPlayer) -> None:
    player = new_player(PHONE)
    player.goes("/verify")
    player.page.evaluate(DROP, ["toy.jsonl", log_bytes(toy_log()).decode()])

    expect(player.page.locator("#report")).to_contain_text("Results for toy.jsonl")
    expect(player.page.locator("#report")).to_contain_text("No problems found.")
    assert player.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_dropped_tournament_shows_standings_and_matches(new_player: NewPlayer, size: Any) -> None:
    player = new_player(size)
    player.goes("/verify")
    page, report = player.page, player.page.locator("#report")
    page.evaluate(DROP, ["cup.proof", file_of(cup().lines()).decode()])

    expect(page.locator("#found")).to_contain_text("cup.proof")
    expect(report).to_contain_text("No problems found.")
    expect(report).to_contain_text("The standings follow from the results, tie-breaks included. Players: 3.")
    expect(report.locator("tbody tr")).to_have_count(3)
    expect(report.locator("tbody tr").first).to_have_text("1cyril241 2 1".replace(" ", ""))
    expect(report.locator("details")).to_have_count(2)
    report.locator("summary", has_text="Round 2, table 1: no problems").click()
    expect(report.locator("details[open]")).to_contain_text("Result as played")
    page.evaluate(AXE)
    assert page.evaluate(FIND) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_first_fault_of_a_tournament_names_its_match_and_entry(new_player: NewPlayer) -> None:
    player = new_player(PHONE)
    player.goes("/verify")
    tournament = cup()
    log = tournament.matches[1]
    log.body(20)["by"] = "zoe"
    rechain(log)
    gives(player.page, file_of(tournament.lines()))

    report = player.page.locator("#report")
    expect(report).to_contain_text("Round 2, table 1. Verification failed at entry 21: who may act, and when.")
    expect(report.locator("details[open] summary")).to_have_text("Round 2, table 1: failed")
    expect(report.locator("details:not([open]) summary")).to_have_text("Round 1, table 1: no problems")


def test_the_downloaded_verifier_checks_a_tournament(offline_verifier: Page) -> None:
    gives(offline_verifier, file_of(cup().lines()))

    expect(offline_verifier.locator("#report")).to_contain_text("No problems found.")
    expect(offline_verifier.locator("#report tbody tr")).to_have_count(3)


def test_pasted_keys_are_used_and_an_invalid_one_is_reported(new_player: NewPlayer) -> None:
    player = new_player()
    player.goes("/verify")
    page = player.page
    page.locator("summary", has_text="Trusted keys").click()
    gives(page, PROOF)
    page.fill("#trust", "not a key")
    page.click("#again")
    expect(page.locator("#report")).to_contain_text("Not a valid key")
    assert page.get_attribute("#trust", "aria-invalid") == "true"

    page.fill("#trust", str(HOUSE.key))
    page.click("#again")
    expect(page.locator("#report")).to_contain_text("Checked")
    page.fill("#trust", str(STRANGER.key))
    page.click("#again")
    expect(page.locator("#report")).to_contain_text("Verification failed: proof and tree.")


def test_the_link_of_an_ended_table_verifies_its_proof(
    new_player: NewPlayer, import_golden: Callable[[str], str]
) -> None:
    match_id = import_golden("la_granja-2-eager-12")
    player = new_player()
    player.goes(f"/tables/{match_id}")
    player.page.click("text=Verify match")

    report = player.page.locator("#report")
    expect(report).to_contain_text(f"Results for {match_id}.proof.jsonl")
    expect(report).to_contain_text("No problems found.")
    expect(report).to_contain_text("Every entry is in the tree of")


def test_an_unknown_match_is_reported(browser: Browser, service: Serving) -> None:
    page = browser.new_page()
    for match_id in ("00000000-0000-4000-8000-000000000000", "x"):
        page.goto(f"{service.started.url}verify?match={match_id}")
        expect(page.locator("#report")).to_contain_text("No log is available for this match")
        page.goto(f"{service.started.url}verify?event={match_id}")
        expect(page.locator("#report")).to_contain_text("No proof is available for this tournament")
    page.context.close()
