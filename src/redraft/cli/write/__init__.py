"""The commands that write: revise, simplify and compose."""
