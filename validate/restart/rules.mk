# Programs that are killed and restarted: a few times in make check, a thousand times each in
# check-long.

$(BUILD)/restart: validate/restart/restart.c $(STATIC) FORCE
	$(call run,CC,$(PLAIN_CC) $(LINK_STATIC))

$(BUILD)/restart_fortran.o: validate/restart/restart_fortran.f90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -c -o $@ $<)
$(BUILD)/restart-reference: $(BUILD)/restart_fortran.o $(REFERENCE)/rmmard.o FORCE
	$(call run,LD,$(LINK_FC))
$(BUILD)/restart-relinked: $(BUILD)/restart_fortran.o $(BUILD)/libgpuranmar.so FORCE
	$(call run,LD,$(LINK_FC) $(RELINK))

RESTARTED = $(BUILD)/restart $(if $(FORTRAN),$(BUILD)/restart-reference $(BUILD)/restart-relinked)
validate/restart/restart.t validate/restart/thousand.long.t: $(RESTARTED)
