"""Tests that need AgentDojo. They run in its environment."""
