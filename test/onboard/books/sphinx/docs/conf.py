project = "Boats of the coast"
extensions = []
bibtex_bibfiles = ["refs.bib"]
