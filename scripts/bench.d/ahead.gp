# Caches filled in line, or ahead by a GPU.
load "prefetch.gp"
