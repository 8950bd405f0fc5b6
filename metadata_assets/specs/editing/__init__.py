"""Edits of spec files as text: what is not edited stays as it is."""
