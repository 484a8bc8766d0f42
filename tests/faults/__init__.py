"""Real servers and a real database as processes, which are killed, restarted, cut off and frozen while people play."""
