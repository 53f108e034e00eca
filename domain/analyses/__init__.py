"""What an analysis says of a match that has ended: documents and bounds, no facts."""
