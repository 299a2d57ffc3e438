"""Pages of the web: fetched from hosts that are asked over the network, and searched for."""
