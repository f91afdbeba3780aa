"""The inner loops: strength on a river, histograms, the nearest centre."""
