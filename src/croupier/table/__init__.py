"""A round at a table: rules and shoe together, its record, and the proof that the record is true.

Still pure: seeds come from above, and nothing here waits, stores or sends.
"""
