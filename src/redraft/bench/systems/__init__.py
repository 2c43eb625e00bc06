"""Systems under test: what turns an item of a benchmark into an edited text."""
