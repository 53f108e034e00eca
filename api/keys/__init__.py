"""Signing keys of people."""
