"""A sentence in another form: its tense, who speaks in it and to whom, commands and lists."""
