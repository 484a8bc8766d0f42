"""Croupier: a provably fair card room, a lab, and a Python API for bots and research."""
