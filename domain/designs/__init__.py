"""Block designs: schedules in which every pair of players meets equally often."""
