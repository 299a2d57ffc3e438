"""The demo: a small home with attacks in its mail, and three requests carried out in it."""

from __future__ import annotations

from armslength.demo.home import build_home
from armslength.demo.run import run_demo

__all__ = ["build_home", "run_demo"]
