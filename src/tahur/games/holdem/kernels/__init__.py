"""Hold'em for thousands of hands at once: dealing, betting, menus, showdowns and features.

The rules are those of `table.py` and `fourteen.py`, written again for records; the tests play the same hands
through both. All but `steps` and `features` work on one row, one hand. Nothing is allocated after the batch is created.
"""
