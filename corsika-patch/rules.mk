# The patch tool is run from where it stands.

TESTS += validate/patch.t
validate/patch.t: $(LIBRARIES)
