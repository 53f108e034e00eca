"""The event-sourced match: what happens to a table of any title, as an ever-growing chain of entries."""
