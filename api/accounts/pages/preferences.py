"""The page of display preferences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromQuery
from litestar.response import Redirect

from api.http.form_faults import CHOICE, FieldFault, excerpt
from api.http.form_pages import forms_of, handle_form
from api.http.forms import Form, FormRejected
from api.http.languages import LANGUAGES
from api.http.page_responses import SEE_OTHER, PageRequest, render_page
from api.http.preference_storage import store_preferences
from api.http.preferences import (
    Clicks,
    Colours,
    Confirm,
    Density,
    Hours,
    Motion,
    Numbers,
    Patterns,
    Presence,
    Sound,
    Theme,
    preferences_of,
)
from api.http.structs import RequestStruct, Short
from domain.kernel.messages import N_, Message

PREFERENCES_PATH: Final = "/preferences"


class PreferencesForm(RequestStruct, frozen=True):
    """All preferences; missing ones have their defaults."""

    language: Short = ""
    hours: Hours = "usual"
    theme: Theme = "auto"
    colours: Colours = "usual"
    patterns: Patterns = "off"
    density: Density = "usual"
    motion: Motion = "auto"
    confirm: Confirm = "ask"
    clicks: Clicks = "one"
    numbers: Numbers = "off"
    sound: Sound = "off"
    presence: Presence = "usual"


PREFERENCES: Final = Form("preferences", PreferencesForm)
OFF_AND_ON: Final = {"off": N_("Off"), "on": N_("On")}


class Choice(msgspec.Struct, frozen=True):
    """A field of the form: label, options and hint."""

    name: str
    label: str
    options: Mapping[str, str]
    hint: str = ""


SECTIONS: Final[tuple[tuple[str, tuple[Choice, ...]], ...]] = (
    (
        N_("Language and time"),
        (
            Choice("language", N_("Language"), {"": N_("As the browser asks for"), **LANGUAGES}),
            Choice(
                "hours",
                N_("Time of day"),
                {"usual": N_("As the language has it"), "24": N_("24 hours"), "12": N_("12 hours")},
            ),
        ),
    ),
    (
        N_("Looks"),
        (
            Choice(
                "theme",
                N_("Light or dark"),
                {"auto": N_("As the device"), "light": N_("Light"), "dark": N_("Dark")},
            ),
            Choice(
                "colours",
                N_("Colours of the players"),
                {
                    "usual": N_("Usual"),
                    "red-green": N_("Told apart without red and green"),
                    "blue-yellow": N_("Told apart without blue and yellow"),
                },
            ),
            Choice("patterns", N_("Patterns on the players' pieces"), OFF_AND_ON),
            Choice(
                "density",
                N_("Size of everything"),
                {"compact": N_("Smaller: more fits on the screen"), "usual": N_("Usual"), "roomy": N_("Larger")},
            ),
            Choice("motion", N_("Motion"), {"auto": N_("As the device"), "off": N_("Nothing moves")}),
        ),
    ),
    (
        N_("At the table"),
        (
            Choice(
                "clicks",
                N_("Choosing an action"),
                {"one": N_("One press does it"), "two": N_("The first press marks it, the second does it")},
            ),
            Choice(
                "confirm",
                N_("Actions that bring in chance and cannot be taken back"),
                {"ask": N_("Ask me first"), "never": N_("Do them without asking")},
            ),
            Choice("numbers", N_("Numbers of entries in the log"), OFF_AND_ON),
            Choice(
                "presence",
                N_("Others see that I am at the table"),
                {
                    "usual": N_("When I play there"),
                    "named": N_("When I play, and by name when I watch"),
                    "hidden": N_("Never"),
                },
            ),
        ),
    ),
    (
        N_("Sounds"),
        (
            Choice(
                "sound",
                N_("Sounds"),
                {
                    "off": N_("None"),
                    "turn": N_("When it is my turn"),
                    "all": N_("My turn, dice, pieces and the end of the match"),
                },
                N_("A browser plays sounds once you have pressed something on the page."),
            ),
        ),
    ),
)
SOUNDS: Final[Mapping[str, str]] = {
    "turn": N_("My turn"),
    "dice": N_("Dice"),
    "piece": N_("A piece"),
    "end": N_("The end of the match"),
}


async def render_preferences(request: PageRequest, *, is_kept: bool = False) -> Response[str]:
    """Render the form with the current preferences."""
    context = {
        "sections": SECTIONS,
        "sounds": SOUNDS,
        "is_kept": is_kept,
        "forms": forms_of(request, PREFERENCES),
        "chosen": msgspec.structs.asdict(preferences_of(request)),
    }
    return render_page(request, "accounts/preferences.html", context)


@get(PREFERENCES_PATH)
async def preferences_page(request: PageRequest, kept: FromQuery[bool] = False) -> Response[str]:
    """Show the preferences of the reader."""
    return await render_preferences(request, is_kept=kept)


@post(PREFERENCES_PATH, status_code=SEE_OTHER)
async def choose_preferences(request: PageRequest) -> Response[Any]:
    """Store the preferences, in the account and in this browser."""

    async def do(wanted: PreferencesForm) -> Response[Any]:
        if wanted.language and wanted.language not in LANGUAGES:
            raise FormRejected([FieldFault("language", Message(CHOICE, {"value": excerpt(wanted.language)}))])
        answer = Redirect(f"{PREFERENCES_PATH}?kept=true", status_code=SEE_OTHER)
        return await store_preferences(request, answer, **msgspec.structs.asdict(wanted))

    return await handle_form(request, PREFERENCES, do, lambda: render_preferences(request))


HANDLERS: Final = (preferences_page, choose_preferences)
