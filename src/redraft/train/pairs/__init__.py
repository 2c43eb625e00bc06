"""Training pairs for the editor's controls, from human revisions and from rules."""
