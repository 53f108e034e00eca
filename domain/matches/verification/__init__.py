"""The audit of a log."""
