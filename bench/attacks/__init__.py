"""Public incidents and known techniques as small attacks, run with labels on and off: `python -m bench.attacks`."""
