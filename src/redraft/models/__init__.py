"""Models that write, score and embed; see `base` for what they promise."""
