# The tests of the patch tool, which is run from its folder and needs no building.

TESTS += validate/tests/patch.t validate/tests/patch-refused.t
TESTS_LONG += validate/tests/patch-blind.t
$(filter validate/tests/patch%.t,$(TESTS) $(TESTS_LONG)): $(LIBRARIES)
