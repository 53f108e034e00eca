"""Tournaments on the wire: what is asked and shown, files that come in and go out."""
