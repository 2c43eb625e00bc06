"""Building C3EBench records out of professional texts, by reverse construction (the RAVEL paper, §4.2)."""
