"""Measurements. They stand beside the package and use its public face."""
