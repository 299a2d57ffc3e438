"""What comes from outside: the one boundary that it passes, recorded, and who waits for it or watches."""
