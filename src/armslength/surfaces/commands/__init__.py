"""The commands and their options. Each imports what it needs when it is called, so that `--help` stays light.

Files:
    tree         the commands as a tree, and the options that several have
    requests     what is asked of the assistant
    runs         runs that are kept
    kept         grants and memory
    mcp          servers of MCP
    setting_up   what is configured, and the demo
"""

from __future__ import annotations

from armslength.surfaces.commands import kept, mcp, requests, runs, setting_up  # each adds its commands to the tree
from armslength.surfaces.commands.tree import app

__all__ = ["app", "kept", "mcp", "requests", "runs", "setting_up"]
