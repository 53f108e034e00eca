"""The keys that people sign with: a stream of records for each person. `docs/specifications/signatures.md` tells of
them."""
