"""Surfaces: the ways in which a person or a program reaches the assistant. Thin; they call the app."""
