"""The card room without HTTP: seats, clocks, the event log, recovery.

A *bot* is a seat run by software; requests and stored facts call it `mind`.
"""
