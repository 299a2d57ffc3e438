"""The forty everyday requests, run and compared with what they expect: `python -m bench.everyday`.

cases       the requests, and the home that they are asked in
people      the quarantined model, and whoever is asked
running     one request with one reader and one person
world       the home before and after
ends        whether it is as the case expects
"""
