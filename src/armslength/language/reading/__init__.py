"""Before the run: the text becomes a tree that is checked, with its scopes, classes, names and effects (W, N, E)."""
