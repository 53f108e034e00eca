"""Ed25519 signatures of people and of the service; specified in `docs/specifications/signatures.md`."""
