"""The steps that bring a database up to date: numbered SQL files, a folder a kind of database.

A step that was released never changes; a change is a new step.
"""
