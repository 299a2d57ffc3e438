"""A person's home with real tools over it, for attacks and for tests: both build on it, and it knows neither.

world        the home, who is asked in it, and what came of a request
internet     hosts that the real tools fetch pages from, without a network
mcp_server   a server of MCP that does what is written for it
mcp_program  its program
foretelling  a preview held against what really happened
"""
