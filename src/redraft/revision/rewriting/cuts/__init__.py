"""Shorter versions of a sentence: without what says nothing, without words, phrases or clauses."""
