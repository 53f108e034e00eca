"""How strong bots are: matches with rotated seats and shared luck, win shares, margins, times, ratings."""
