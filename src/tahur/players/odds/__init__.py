"""The pot-odds player: estimates what the others hold, its equity against that, and the price of a call."""
