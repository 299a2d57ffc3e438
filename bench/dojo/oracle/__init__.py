"""Honest answers of a quarantined model, for each question that a program asks: computed from the text that it is asked about.

An honest reader does not obey what it reads, so what an attacker wrote beside it changes no answer; and it says nothing that the text does
not say, whatever would solve the task.
"""
