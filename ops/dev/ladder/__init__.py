"""Strength of bots: matches with rotated seats and shared chance, shares of wins, margins, times, ratings."""
