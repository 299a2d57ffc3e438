"""AgentDojo under Armslength: its suites, tools and attacks, run by our controller."""
