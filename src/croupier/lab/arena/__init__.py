"""Bots against bots over duplicate deals, with intervals."""
