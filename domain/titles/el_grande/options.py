"""The options of a match: card sets (EG-26), variants, and the combinations that are refused."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.rules import Options, UnknownOption
from domain.titles.el_grande.cards import DATA_DIGEST
from domain.titles.el_grande.decks import VETERANS
from domain.titles.el_grande.state import SEATS_MAX, Setting

SEATS_MIN: Final = 2
NO_YES: Final = ("no", "yes")

ALLOWED: Final[Mapping[str, tuple[str, ...]]] = {
    "cards": ("2023", "2006"),
    "castillo": ("remembered", "open"),
    "merged_stacks": NO_YES,
    "new_regency": NO_YES,
    "shift_of_power": NO_YES,
    "short": NO_YES,
    "start_seat": ("random", "0", "1", "2", "3", "4"),
    "veterans": ("none", "all"),
}
"""Option to its values, the default first; `veterans` also accepts a list of card ids."""


def options(chosen: Mapping[str, str]) -> Options:
    """Return the options with defaults filled in, and the limits of seats.

    Raise `UnknownOption` for an unknown name, value or combination.
    """
    for name in chosen:
        if name not in ALLOWED:
            raise UnknownOption(f"el_grande has no option {name!r}; it has {', '.join(ALLOWED)}")
    values = {name: chosen.get(name, allowed[0]) for name, allowed in ALLOWED.items()}
    for name, value in values.items():
        if name == "veterans":
            veterans_of(value)
        elif value not in ALLOWED[name]:
            raise UnknownOption(f"{name}={value!r} is not one of: {', '.join(ALLOWED[name])}")
    if values["cards"] == "2006" and veterans_of(values["veterans"]):
        raise UnknownOption(f"veterans={values['veterans']!r} needs cards='2023': the 2006 set contains these cards")
    seats_max = 3 if values["merged_stacks"] == "yes" else SEATS_MAX
    seats_min = SEATS_MIN if values["start_seat"] == "random" else max(SEATS_MIN, int(values["start_seat"]) + 1)
    if seats_min > seats_max:
        raise UnknownOption(f"start_seat={values['start_seat']!r} cannot be combined with merged_stacks='yes'")
    return Options(values, seats_min, seats_max)


def veterans_of(value: str) -> tuple[str, ...]:
    """Return the veteran cards, in their order, for `none`, `all` or comma-separated ids (EG-19.1).

    Raise `UnknownOption` for an unknown or repeated id.
    """
    if value in {"none", "all"}:
        return VETERANS if value == "all" else ()
    ids = value.split(",")
    for id in ids:
        if id not in VETERANS or ids.count(id) > 1:
            raise UnknownOption(f"veterans={value!r}: {id!r} is not one of none, all, {', '.join(VETERANS)}, each once")
    return tuple(id for id in VETERANS if id in ids)


def setting_of(options: Options, seats: int) -> Setting:
    """Return the setting of a match; raise `UnknownOption` if the options do not allow this number of players."""
    if not options.seats_min <= seats <= options.seats_max:
        allowed = f"{options.seats_min} to {options.seats_max}"
        raise UnknownOption(f"{seats} players cannot play with these options: {allowed} can")
    chosen = options.chosen
    return Setting(
        seats=seats,
        cards=chosen["cards"],
        new_regency=chosen["new_regency"] == "yes",
        veterans=veterans_of(chosen["veterans"]),
        shift_of_power=chosen["shift_of_power"] == "yes",
        short=chosen["short"] == "yes",
        castillo=chosen["castillo"],
        merged_stacks=chosen["merged_stacks"] == "yes",
    )


def data_digest(options: Options) -> str:  # noqa: ARG001  # every table of this version plays with the same data
    """Return the digest of the component data, which does not depend on the options."""
    return DATA_DIGEST
