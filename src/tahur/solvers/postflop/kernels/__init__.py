"""The inner loops of the postflop solver, vectorised over eight hands or sixteen rows of reach."""
