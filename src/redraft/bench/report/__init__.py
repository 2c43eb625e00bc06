"""Reports of runs: a page that opens offline, Markdown, CSV, and the figures of the papers."""
