"""Opponents with character: a rule engine writes a short menu of defensible actions, a chooser picks from it."""
