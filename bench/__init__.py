"""Measurements. They stand beside the package and run programs through its public face; some build what they measure from its rooms."""
