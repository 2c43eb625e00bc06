"""The embedded editor at work: which sentences it is asked about, how, and what is kept of it."""
