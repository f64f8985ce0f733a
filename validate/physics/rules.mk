# Tests by simulations whose results are known.

validate/physics/wolff.long.t: $(BUILD)/wolff
$(BUILD)/wolff: validate/physics/wolff.c $(STATIC) FORCE
	$(call run,CC,$(TEST_CC) $(LINK_STATIC))
