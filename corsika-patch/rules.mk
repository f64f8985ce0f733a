# The patch tool is run from where it stands.

TESTS += validate/tests/patch.t validate/tests/patch-refused.t
TESTS_LONG += validate/tests/patch-blind.t
$(filter validate/tests/patch%.t,$(TESTS) $(TESTS_LONG)): $(LIBRARIES)
