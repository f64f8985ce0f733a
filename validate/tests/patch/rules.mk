# The patch tool, which is run from its folder and needs no building.

$(wildcard validate/tests/patch/*.t): $(LIBRARIES)
