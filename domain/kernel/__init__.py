"""Types and functions shared by all games; imports only msgspec and the pure standard library."""
