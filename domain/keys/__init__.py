"""The signing keys of people, one stream per person; specified in `docs/specifications/signatures.md`."""
