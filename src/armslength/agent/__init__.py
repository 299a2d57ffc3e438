"""The controller and its two models: planner, reader, the effects between them, and what a person sees."""
