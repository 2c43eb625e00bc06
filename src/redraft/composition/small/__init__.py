"""The roles as the embedded model plays them: it proposes sentences, and what can be measured decides."""
