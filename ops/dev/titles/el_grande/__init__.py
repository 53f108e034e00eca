"""El Grande in the developers' tools."""
