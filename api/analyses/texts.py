"""Texts of analyses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from babel.numbers import format_decimal

from api.http.languages import _, current_locale, say
from domain.analyses.report import POINT, WHOLE, Analysis, Decision, Grade
from domain.kernel.messages import N_

GRADE_WORDS: Final[Mapping[Grade, str]] = {
    "best": N_("best"),
    "good": N_("good"),
    "inaccuracy": N_("inaccuracy"),
    "mistake": N_("mistake"),
    "blunder": N_("blunder"),
}


def percent(chance: int, *, places: int = 1) -> str:
    """Format a chance as percent with at most one decimal, without a line break before the sign."""
    return with_no_break_spaces(_("{number} %", number=percentage(chance, places=places)))


def format_difference(difference: int, *, signed: bool = False) -> str:
    """Format a difference of chances in percentage points, with a sign if `signed`, without line breaks."""
    return with_no_break_spaces(
        _("{number} pp", number=sign_of(difference, signed=signed) + percentage(abs(difference)))
    )


def percentage(chance: int, *, places: int = 1) -> str:
    """Format the number of percent or percentage points, without a sign."""
    return format_decimal(100 * chance / WHOLE, format="0.0" if places else "0", locale=current_locale())


def with_no_break_spaces(text: str) -> str:
    """Replace spaces by no-break spaces."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def format_points(margin: int, *, signed: bool = False) -> str:
    """Format a margin in points, with one decimal."""
    return sign_of(margin, signed=signed) + format_decimal(abs(margin / POINT), format="0.0", locale=current_locale())


def sign_of(value: int, *, signed: bool) -> str:
    """Return the sign of a value; `signed` adds a plus."""
    return "−" if value < 0 else "+" if signed and value > 0 else ""


def comment_on(decision: Decision) -> str:
    """Return the comment of a study on a costly decision, as Markdown: loss, played and better action."""
    lost = _(
        "{grade}: the winning chance dropped by {lost} percentage points.",
        grade=_(GRADE_WORDS[decision.grade]),
        lost=percentage(decision.loss),
    )
    best = _("Better: {action}.", action=say(decision.best.told))
    played = _("Played: {action}.", action=say(decision.played.told))
    return f"**{lost}** {played} {best}"


def describe_analysis(analysis: Analysis) -> str:
    """Describe the budget and reliability of an analysis."""
    return _(
        "An engine analysed every decision with about {tries} roll-outs, using only what the player could see. It "
        "plays each choice out to the end of the round and evaluates the position there; it does not look further "
        "ahead. Losses within the sampling error count as zero.",
        tries=analysis.budget.tries,
    )
