"""AgentDojo's tasks planned and read by two real models: `python -m bench.dojo model`.

command     what is asked of them, and what is printed
sides       the two models, what their tokens cost, and the names of what is kept of them
cost        what it will cost, said before anything is asked
carried     one task or one attacked pair, and what came of it
sums        what came of all, and the file of the result
"""
