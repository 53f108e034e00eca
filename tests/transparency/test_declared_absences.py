"""Both verifiers check the declarations behind absences by the service, and list the absences without one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, Final

import pytest

from domain.matches.errors import BadSignature
from domain.matches.facts import SERVICE
from domain.matches.log.log_files import LogFile, log_bytes, log_of
from domain.matches.play.absence_commands import announce_absence, end_absence
from domain.matches.play.absences import DAY, AbsenceAnnounced, Declared
from domain.matches.verification.verify import verify
from domain.proofs.match import verify_content
from tests.domain.matches.play.declaring import declare, signed_play
from tests.golden.rulings import HOUSE_PEN
from tests.signing import Pen
from tests.transparency.logs import Log, content, rechain
from tests.transparency.second import SecondVerifier

DAYS: Final = timedelta(days=1)
Change = Callable[[dict[str, Any]], None]


def log_with_absence(*, is_declared: bool, house: str = HOUSE_PEN.key) -> LogFile:
    """Let the service announce an absence of Anna from tomorrow on, and end it after two days."""
    play = signed_play(house=house)
    now = play.play.match.timestamp
    first = int(now.timestamp()) + DAY
    last, back = first + 5 * DAY, now + 3 * DAYS
    announced = declare("anna", first, last) if is_declared else None
    ended = declare("anna", first, last, int(back.timestamp())) if is_declared else None
    play.do(partial(announce_absence, seat=0, by=SERVICE, first=first, last=last, declared=announced, at=now), at=now)
    play.do(partial(end_absence, seat=0, by=SERVICE, declared=ended, at=back), at=back)
    return log_of(play.play.entries)


def test_declared_absences_need_no_trust_and_others_are_listed(second_verifier: SecondVerifier) -> None:
    declared, undeclared = log_with_absence(is_declared=True), log_with_absence(is_declared=False)
    first, second = verify(declared), second_verifier.examine(log_bytes(declared))
    assert (first.fault, second.fault) == (None, None)
    assert not any("absence" in each for each in first.unchecked)
    assert second.unchecked_ids.isdisjoint({"absent_by_service", "returned_by_service"})

    first, second = verify(undeclared), second_verifier.examine(log_bytes(undeclared))
    assert (first.fault, second.fault) == (None, None)
    assert [each.kind for each in first.signatures.service_acts] == ["absence_announced", "absence_ended"]
    assert {each["id"]: each["values"] for each in second.unchecked if each["id"].endswith("_by_service")} == {
        "absent_by_service": {"entry": first.entries - 1, "seat": 1},
        "returned_by_service": {"entry": first.entries, "seat": 1},
    }


def change_fields(**fields: Any) -> Change:
    def change(body: dict[str, Any]) -> None:
        body["declared"].update(fields)

    return change


def by_another_key(body: dict[str, Any]) -> None:
    first, last = body["declared"]["first"], body["declared"]["last"]
    body["declared"] = fields_of(declare("anna", first, last, body["declared"].get("at", 0), Pen("mallory")))


def of_another_person(body: dict[str, Any]) -> None:
    first, last = body["declared"]["first"], body["declared"]["last"]
    body["declared"] = fields_of(declare("bea", first, last, body["declared"].get("at", 0), Pen("anna")))


def fields_of(declared: Declared) -> dict[str, Any]:
    pairs = {name: getattr(declared, name) for name in ("key", "signature", "first", "last", "at")}
    return {name: value for name, value in pairs.items() if name != "at" or value}


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("absence_announced", change_fields(signature="00" * 64)),
        ("absence_announced", change_fields(signature="00" * 63)),
        ("absence_announced", change_fields(last=2**41)),
        ("absence_announced", change_fields(at=0)),
        ("absence_announced", by_another_key),
        ("absence_announced", of_another_person),
        ("absence_announced", lambda body: body["declared"].update(first=body["first"] + 1)),
        ("absence_announced", lambda body: body.update(fields_of(declare("anna", 1, 2)))),
        ("absence_ended", by_another_key),
        ("absence_ended", of_another_person),
        ("absence_ended", lambda body: body["declared"].pop("at")),
        ("absence_ended", lambda body: body["declared"].update(at=body["declared"]["at"] + DAY)),
        ("absence_ended", lambda body: body["declared"].update(last=body["declared"]["last"] - 1)),
        ("absence_ended", lambda body: body["declared"].update(first=body["declared"]["first"] + 1)),
    ],
)
def test_both_reject_a_false_declaration(second_verifier: SecondVerifier, kind: str, change: Change) -> None:
    """The service does not sign there, so that the declaration is the only fault."""
    log = Log(log_bytes(log_with_absence(is_declared=True, house="")))
    (index,) = log.indices(kind)
    rechain(log)
    assert verify_content(content(log)).fault is None
    assert second_verifier.examine(content(log)).fault is None
    change(log.body(index))
    rechain(log)
    found = verify_content(content(log)).fault, second_verifier.examine(content(log)).fault

    assert [fault and fault.entry for fault in found] == [index + 1, index + 1]


@pytest.mark.parametrize("is_by_service", [True, False], ids=["ended by the service", "ended by the player"])
@pytest.mark.parametrize("shift", [-1, 0], ids=["a wider declaration", "the same declaration"])
def test_both_refuse_a_declaration_whose_absence_was_ended(
    second_verifier: SecondVerifier, shift: int, *, is_by_service: bool
) -> None:
    """Anna is away, returns early, and the service applies her old declaration again, which it could do for ever."""
    play = signed_play(house="")
    now = play.play.match.timestamp
    first = int(now.timestamp()) + DAY
    declared, back = declare("anna", first, first + 20 * DAY), now + 3 * DAYS
    begin = partial(announce_absence, seat=0, by=SERVICE, first=first, last=first + 9 * DAY, declared=declared, at=now)
    play.do(begin, at=now)
    if is_by_service:
        returned = declare("anna", first, first + 20 * DAY, int(back.timestamp()))
        play.do(partial(end_absence, seat=0, by=SERVICE, declared=returned, at=back), at=back)
    else:
        play.do(partial(end_absence, seat=0, by="anna", at=back), "anna", at=back)
    again = first + 6 * DAY
    used = AbsenceAnnounced(0, SERVICE, again, again + DAY, declare("anna", first + shift, first + 20 * DAY))
    with pytest.raises(BadSignature, match="was ended, so it is declared anew"):
        announce_absence(play.play.match, 0, SERVICE, again, again + DAY, used.declared, at=back)
    play.play.append(lambda _: used, at=back)
    content = log_bytes(log_of(play.play.entries))
    found = verify_content(content).fault, second_verifier.examine(content).fault

    assert [fault and fault.entry for fault in found] == [play.play.match.version] * 2


def test_both_accept_a_new_declaration_after_an_early_return(second_verifier: SecondVerifier) -> None:
    play = signed_play()
    now = play.play.match.timestamp
    first, back = int(now.timestamp()) + DAY, now + 3 * DAYS
    for begins, length, at in ((first, 9 * DAY, now), (first + 5 * DAY, 2 * DAY, back)):
        declared = declare("anna", begins, begins + length)
        begin = partial(announce_absence, seat=0, by=SERVICE, first=begins, last=begins + length)
        play.do(partial(begin, declared=declared, at=at), at=at)
        if at == now:
            returned = declare("anna", begins, begins + length, int(back.timestamp()))
            play.do(partial(end_absence, seat=0, by=SERVICE, declared=returned, at=back), at=back)
    content = log_bytes(log_of(play.play.entries))

    assert (verify_content(content).fault, second_verifier.examine(content).fault) == (None, None)
