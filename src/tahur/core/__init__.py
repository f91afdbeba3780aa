"""What all packages share: game and player protocols, the referee, records, errors, files and kernel compilation."""
