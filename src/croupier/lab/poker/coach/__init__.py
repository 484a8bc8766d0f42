"""The coach: what the solver plays in a hand that was played, and what each choice gave away."""
