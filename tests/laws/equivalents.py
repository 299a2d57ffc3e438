"""Mutants that no run can tell from the language: what each drops is said a second time elsewhere (decision 0011)."""

from __future__ import annotations

EQUIVALENT: dict[str, str] = {}
"""The name of each, and where it is said again."""
