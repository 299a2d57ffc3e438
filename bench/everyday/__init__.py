"""The forty everyday requests, run and compared with what they expect: `python -m bench.everyday`."""
