"""What an instruction wishes for that no constraint says, and which of it is understood."""
