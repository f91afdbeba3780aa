"""A round that CFR has nearly solved, solved to the end: linear programmes over the few actions that are in use."""
