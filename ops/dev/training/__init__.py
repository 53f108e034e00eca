"""What the judgement of bots that search is made from: matches of bots, positions at the ends of rounds, a ridge."""
