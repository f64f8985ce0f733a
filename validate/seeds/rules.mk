# Seeds: the tests of gpuranmar_seeds.h and of the command, and the program behind the tables of
# validate/results/neighbouring-seeds.md.

validate/seeds/command.t: $(COMMAND)

# The program of start.t calls RMMAQD, which is in Fortran.
validate/seeds/start.t: $(COMMAND) $(if $(FORTRAN),$(BUILD)/start)
$(BUILD)/start: validate/seeds/start.c $(STATIC) FORCE
	$(call run,CC,$(TEST_CC) $(LINK_STATIC))

.PHONY: neighbours
neighbours: $(BUILD)/neighbours
$(BUILD)/neighbours: validate/seeds/neighbours.c $(STATIC) FORCE
	$(call run,CC,$(TEST_CC) $(LINK_STATIC))
