"""Signatures of facts, and signing keys of seats."""
