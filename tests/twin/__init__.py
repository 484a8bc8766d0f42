"""The checker in Python and the one in JavaScript are twins: the same states lead to the same findings."""
