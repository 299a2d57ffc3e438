"""Documents: bytes from outside, as text with pages and positions, parsed in a process that can do nothing else."""
