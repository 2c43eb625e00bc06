"""One sentence as several, and several as one: where it can be cut, and how what comes after begins."""
