"""Disputes: raising, ruling and appealing, on the wire and on pages."""
