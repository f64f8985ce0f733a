# Tests by simulations whose results are known.

TESTS_LONG += validate/physics/wolff.t
validate/physics/wolff.t: $(BUILD)/wolff
$(BUILD)/wolff: validate/physics/wolff.c $(STATIC) FORCE
	$(call run,CC,$(TEST_CC) $(LINK_STATIC))
