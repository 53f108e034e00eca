"""Block designs: schedules in which everybody meets everybody equally often."""
