"""People of an event as organisers type them: by name, or by the number of their entry where a name is not enough."""

from __future__ import annotations

from collections.abc import Mapping

from api.http.form_lists import Called, key_of


def called_in(names: Mapping[str, str]) -> Called:
    """Who is called how; the number of an entry is always that entry."""
    found = dict[str, tuple[str, ...]]()
    for entry, name in names.items():
        found[key_of(name)] = (*found.get(key_of(name), ()), entry)
    return found | {entry: (entry,) for entry in names}


def typed_names(names: Mapping[str, str]) -> dict[str, str]:
    """How a field has everybody: by name, or by the number of the entry where the name would not be read as theirs."""
    called = called_in(names)
    return {
        entry: name if called[key_of(name)] == (entry,) and "," not in name else entry for entry, name in names.items()
    }


def entry_called(names: Mapping[str, str], typed: str) -> str:
    """The entry that is called so; what was typed where that is nobody, or several."""
    meant = called_in(names).get(key_of(typed), ())
    return meant[0] if len(meant) == 1 else typed
