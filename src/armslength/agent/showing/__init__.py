"""Texts that are shown: made safe to print, compared with how they were, warned about."""
