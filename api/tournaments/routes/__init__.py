"""The HTTP routes of tournaments."""
