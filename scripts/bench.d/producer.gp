# Caches filled in line, or ahead by a thread or a GPU.
load "prefetch.gp"
