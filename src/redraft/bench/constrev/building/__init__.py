"""Building ConsTRev from texts: `redraft bench build constrev`."""
