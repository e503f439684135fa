project = "Boats of the coast"
extensions = []
