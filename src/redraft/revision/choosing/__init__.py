"""From a draft to one that obeys: candidates for each unit, the choice, and repair of the whole."""
