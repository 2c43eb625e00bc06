"""The active voice and the passive: who acts, where a sentence says it, or the text, or nobody."""
