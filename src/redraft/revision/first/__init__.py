"""What is done before any search: edits of named sentences, replacements, other forms, listed phrases."""
