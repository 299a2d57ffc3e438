"""Models: one protocol, and the ways to a model behind it."""
