"""Building preference data for a policy: `redraft simplify build-preferences`."""
