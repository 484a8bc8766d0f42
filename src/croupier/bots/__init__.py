"""Players that are programs: policies that choose from the menu, knowing only what their seat may see.

Here belongs how to play well or badly. What is legal belongs to the rules; who sits where belongs to the table.
"""
