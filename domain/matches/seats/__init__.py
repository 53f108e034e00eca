"""Seats before and after the start: opening, taking and leaving them, shares of luck, tables of events."""
