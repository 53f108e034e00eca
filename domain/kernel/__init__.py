"""What every game needs and no game owns; imports msgspec and the pure standard library only."""
