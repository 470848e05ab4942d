"""The live page of `parallel-pool watch --serve`: a watched pool in a browser on this machine."""
