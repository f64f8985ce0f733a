# Seeds: the tests of gpuranmar_seeds.h and of the command, and the program behind the tables of
# validate/results/neighbouring-seeds.md.

TESTS += $(call if_has,cmocka,$(CMOCKA),$(BUILD)/test_seeds) validate/seeds/command.t
validate/seeds/command.t: $(COMMAND)

# The program of start.t calls RMMAQD, which is in Fortran.
ifneq ($(FORTRAN),)
TESTS += validate/seeds/start.t
validate/seeds/start.t: $(COMMAND) $(BUILD)/start
$(BUILD)/start: validate/seeds/start.c $(STATIC) FORCE
	$(call run,CC,$(TEST_CC) $(LINK_STATIC))
endif

$(BUILD)/test_seeds: validate/seeds/test_seeds.c $(STATIC) FORCE
	$(call run,CC,$(TEST_CC) -lcmocka $(LINK_STATIC))

.PHONY: neighbours
neighbours: $(BUILD)/neighbours
$(BUILD)/neighbours: validate/seeds/neighbours.c $(STATIC) FORCE
	$(call run,CC,$(TEST_CC) $(LINK_STATIC))
