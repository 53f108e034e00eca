"""Who chose what: Ed25519 keys of people and of the service, and what they sign. `docs/specifications/signatures.md`
specifies it."""
