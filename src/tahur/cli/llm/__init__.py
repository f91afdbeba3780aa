"""Language models on the command line: endpoint and cost options, the log of requests, a local model."""
