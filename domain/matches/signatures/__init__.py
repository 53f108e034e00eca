"""Signatures of facts, and the keys of a seat."""
