"""What the developers' tools know of each title."""
