"""Hold'em for thousands of hands at once: dealing, betting, the menus, showdowns and what learners see.

The rules are those of `table.py`, `pots.py` and `fourteen.py`, said again for records; the tests play the same hands
through both. All but `steps` and `features` speak of one row, one hand. Nothing is allocated after the batch is made.
"""
