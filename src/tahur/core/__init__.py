"""What every room shares: the errors, and how kernels are compiled. Imports no other room."""
