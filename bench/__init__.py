"""Measurements. They stand beside the package and run programs through its public face; some build what they measure from its rooms.

What all results have in common:

    subjects    what is measured, by which command, and what its figures depend on
    commit      which sources were measured and when, and where the figures go
    newest      the results that are there, read
    stale       which of them are older than what they speak of
    campaigns   all campaigns one after the other
    server      a PostgreSQL of our own
    models      real models: those of a configuration or the embedded one, each question asked once
    labels_off  the assistant that the safeguard is measured against: its policy allows whatever is asked

What is measured, a room each:

    home        a person's home with real tools over it, for attacks and for tests
    attacks     attacks that were made public, with labels on and off
    dojo        AgentDojo under our controller
    everyday    the forty everyday requests
    requests    the twenty requests in two homes, by any planner
    speed       what things cost, as ratios

    report      the one report of all results
"""
