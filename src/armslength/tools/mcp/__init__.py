"""Servers of the Model Context Protocol: their tools, which a person accepted as they describe themselves."""
