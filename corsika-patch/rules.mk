# The patch tool is run from where it stands.

TESTS += validate/tests/patch.t
validate/tests/patch.t: $(LIBRARIES)
