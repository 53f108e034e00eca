"""Seats before and after the start: opening tables, taking and leaving seats, shares of luck, event tables."""
