"""The HTTP routes of leagues."""
