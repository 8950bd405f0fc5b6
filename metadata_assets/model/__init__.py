"""What the product talks about: frozen values on the standard library alone.

Sources return these, destinations accept these; nothing here knows any outside system.
"""
