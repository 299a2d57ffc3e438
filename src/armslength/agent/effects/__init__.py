"""Calls of tools: results with their labels, effects until they are done, and what is counted of them."""
