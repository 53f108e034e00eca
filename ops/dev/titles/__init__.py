"""Parts of the titles for the developers' tools."""
