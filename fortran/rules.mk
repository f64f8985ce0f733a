# The sequential reference, and the programs that are built twice: with it, and relinked.

REFERENCE = $(BUILD)/reference
RELINK    = -L$(BUILD) -lgpuranmar -Wl,-rpath,'$$ORIGIN'
LINK_FC   = $(FC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^)

$(REFERENCE)/%.o: fortran/reference/%.F fortran/reference/crranma.inc FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -c -o $@ $<)

$(REFERENCE)/cernlib.o: fortran/reference/cernlib.f $(addprefix fortran/reference/,ranma24.inc rm48.inc) FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -c -o $@ $<)

$(REFERENCE)/%.o: fortran/reference/%.f90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -J$(@D) -c -o $@ $<)

$(BUILD)/reference-numbers: $(addprefix $(REFERENCE)/,numbers.o rmmard.o cernlib.o) FORCE
	$(call run,LD,$(LINK_FC))

$(BUILD)/replay-reference: $(addprefix $(REFERENCE)/,replay.o rmmard.o) FORCE
	$(call run,LD,$(LINK_FC))

$(BUILD)/replay-relinked: $(REFERENCE)/replay.o $(BUILD)/libgpuranmar.so FORCE
	$(call run,LD,$(LINK_FC) $(RELINK))

$(BUILD)/replay-cernlib-reference: $(addprefix $(REFERENCE)/,replay_cernlib.o cernlib.o) FORCE
	$(call run,LD,$(LINK_FC))

$(BUILD)/replay-cernlib-relinked: $(REFERENCE)/replay_cernlib.o $(BUILD)/libgpuranmar.so FORCE
	$(call run,LD,$(LINK_FC) $(RELINK))

TESTS += $(call if_has,$(FC),$(FORTRAN),validate/tests/rmmard.t validate/tests/cernlib.t)
validate/tests/rmmard.t: $(BUILD)/replay-reference $(BUILD)/replay-relinked
validate/tests/cernlib.t: $(BUILD)/replay-cernlib-reference $(BUILD)/replay-cernlib-relinked
