"""The keys that people sign with."""
