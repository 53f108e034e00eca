"""Names of people as organisers type them, or entry ids where a name is ambiguous."""

from __future__ import annotations

from collections.abc import Mapping

from api.http.form_lists import IdsByName, key_of


def entries_by_name(names: Mapping[str, str]) -> IdsByName:
    """Return the entry ids by name, compared as `key_of` does, and by entry id; a name may have several."""
    found = dict[str, tuple[str, ...]]()
    for entry, name in names.items():
        found[key_of(name)] = (*found.get(key_of(name), ()), entry)
    return found | {entry: (entry,) for entry in names}


def typed_names(names: Mapping[str, str]) -> dict[str, str]:
    """Return the text for each entry in a field: its name, or its id if the name is ambiguous or has a comma."""
    entries = entries_by_name(names)
    return {
        entry: name if entries[key_of(name)] == (entry,) and "," not in name else entry for entry, name in names.items()
    }


def find_entry(names: Mapping[str, str], typed: str) -> str:
    """Return the entry that a typed text names; the text itself if none or several match."""
    matching = entries_by_name(names).get(key_of(typed), ())
    return matching[0] if len(matching) == 1 else typed
