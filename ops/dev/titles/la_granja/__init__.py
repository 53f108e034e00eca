"""La Granja in the developers' tools."""
