"""The whole examination of a log."""
