"""The modules of the language."""

from __future__ import annotations

from typing import Any

FUNCTIONS: dict[str, Any] = {}
CONSTANTS: dict[str, Any] = {}
METHODS: dict[tuple[str, str], Any] = {}
ATTRIBUTES: dict[tuple[str, str], Any] = {}
