"""The twenty requests in two homes, by any planner, checked in the world: `python -m bench.requests`.

checks, oracles     the requests with what must have become of the world; programs and answers written by hand
homes, home_a, home_b  what the homes hold; `state` reads them without the package's own readers
running             one request in one home
"""
