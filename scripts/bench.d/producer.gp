# Caches filled in line, or ahead by a thread or a GPU.
load "scripts/bench.d/prefetch.gp"
