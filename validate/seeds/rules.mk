# What the tests of seeds need built.

validate/seeds/command.t: $(COMMAND)
validate/seeds/production.t: $(COMMAND) $(if $(FORTRAN),$(BUILD)/shower-relinked)

# The program of start.t calls RMMAQD, which is in Fortran.
validate/seeds/start.t: $(COMMAND) $(if $(FORTRAN),$(BUILD)/start)
$(BUILD)/start: validate/seeds/start.c $(STATIC) FORCE
	$(call run,CC,$(TEST_CC) $(LINK_STATIC))
