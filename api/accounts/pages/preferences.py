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
            Choice("language", N_("Language"), {"": N_("Browser language"), **LANGUAGES}),
            Choice(
                "hours",
                N_("Time format"),
                {"usual": N_("Default for the language"), "24": N_("24-hour clock"), "12": N_("12-hour clock")},
            ),
        ),
    ),
    (
        N_("Appearance"),
        (
            Choice(
                "theme",
                N_("Theme"),
                {"auto": N_("Same as device"), "light": N_("Light"), "dark": N_("Dark")},
            ),
            Choice(
                "colours",
                N_("Player colours"),
                {
                    "usual": N_("Default"),
                    "red-green": N_("Safe for red-green colour blindness"),
                    "blue-yellow": N_("Safe for blue-yellow colour blindness"),
                },
            ),
            Choice("patterns", N_("Patterns on pieces"), OFF_AND_ON),
            Choice(
                "density",
                N_("Display size"),
                {"compact": N_("Compact"), "usual": N_("Default"), "roomy": N_("Large")},
            ),
            Choice("motion", N_("Animations"), {"auto": N_("Same as device"), "off": N_("Off")}),
        ),
    ),
    (
        N_("At the table"),
        (
            Choice(
                "clicks",
                N_("Making a move"),
                {"one": N_("One click"), "two": N_("Two clicks: select, then confirm")},
            ),
            Choice(
                "confirm",
                N_("Moves that involve chance and cannot be taken back"),
                {"ask": N_("Ask first"), "never": N_("Do not ask")},
            ),
            Choice("numbers", N_("Entry numbers in the log"), OFF_AND_ON),
            Choice(
                "presence",
                N_("Show others that I am at the table"),
                {
                    "usual": N_("When I play"),
                    "named": N_("When I play and, by name, when I watch"),
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
                N_("Play sounds"),
                {
                    "off": N_("None"),
                    "turn": N_("When it is my turn"),
                    "all": N_("My turn, dice, pieces and end of match"),
                },
                N_("Browsers play sounds only after you have clicked or tapped the page."),
            ),
        ),
    ),
)
SOUNDS: Final[Mapping[str, str]] = {
    "turn": N_("My turn"),
    "dice": N_("Dice"),
    "piece": N_("Piece"),
    "end": N_("End of match"),
}


async def render_preferences(request: PageRequest, *, is_kept: bool = False) -> Response[str]:
    """Render the form with the current preferences; with `is_kept`, confirm that they were stored."""
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
    """Store the preferences, in the account (if signed in) and in this browser, and show the form again.

    An unsupported language is rejected: the form shows the fault, and nothing is stored.
    """

    async def do(form: PreferencesForm) -> Response[Any]:
        if form.language and form.language not in LANGUAGES:
            raise FormRejected([FieldFault("language", Message(CHOICE, {"value": excerpt(form.language)}))])
        response = Redirect(f"{PREFERENCES_PATH}?kept=true", status_code=SEE_OTHER)
        return await store_preferences(request, response, **msgspec.structs.asdict(form))

    return await handle_form(request, PREFERENCES, do, lambda: render_preferences(request))


HANDLERS: Final = (preferences_page, choose_preferences)
