"""A person's home with real tools over it, for attacks and for tests: both build on it, and it knows neither.

world        the home, who is asked in it, and what came of a request
internet     hosts that the real tools fetch pages from, without a network
foretelling  a preview held against what really happened
"""
