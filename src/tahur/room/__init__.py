"""The card room without HTTP: seats, clocks, the event log, recovery."""
