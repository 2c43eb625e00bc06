"""A sentence in other words: its tone, synonyms, keywords, contractions, marks, and how it opens."""
