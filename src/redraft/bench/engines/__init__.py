"""Where workers live: in this process, or on a Ray cluster."""
