"""AgentDojo's tools as Armslength sees them: the functions are AgentDojo's own, the declarations are ours.

They were written by whoever reads the functions and the environment, not the tasks: as a careful integrator would, who does not know them.
"""
