"""Ways to go about a revision: by the editor, by a larger model, by one that is trusted, and TRIPS."""
