"""What people are told of when they are not at the page."""
