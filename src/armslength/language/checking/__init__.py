"""Before the run: what types the values will have, and where a program does not fit them. Errors here are free and trusted."""
