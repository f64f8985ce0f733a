# What delivers the numbers of GPUs, above a table of calls; the plugins have it in them.
