"""What can be told of a program before it runs: whose words may reach which name, and so what the planner may be told of names."""
