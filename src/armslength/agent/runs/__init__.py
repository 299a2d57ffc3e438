"""One request, carried to its end: the controller, its queue of effects, and taking back what it did."""
