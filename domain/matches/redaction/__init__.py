"""Redacted logs, and actions that reveal hidden information."""
