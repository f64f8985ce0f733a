# The sequential reference, and the programs that are built twice: with it, and relinked.

REFERENCE = $(BUILD)/reference
RELINK    = -L$(BUILD) -lgpuranmar -Wl,-rpath,'$$ORIGIN'

$(REFERENCE)/%.o: fortran/reference/%.F fortran/reference/crranma.inc
	@mkdir -p $(@D)
	$(FC) $(ALL_FFLAGS) -c -o $@ $<

$(REFERENCE)/cernlib.o: fortran/reference/cernlib.f $(addprefix fortran/reference/,ranma24.inc rm48.inc)
	@mkdir -p $(@D)
	$(FC) $(ALL_FFLAGS) -c -o $@ $<

$(REFERENCE)/%.o: fortran/reference/%.f90
	@mkdir -p $(@D)
	$(FC) $(ALL_FFLAGS) -Wall -Wextra -c -o $@ $<

$(BUILD)/reference-numbers: $(addprefix $(REFERENCE)/,numbers.o rmmard.o cernlib.o)
	$(FC) $(ALL_LDFLAGS) -o $@ $^

$(BUILD)/replay-reference: $(addprefix $(REFERENCE)/,replay.o rmmard.o)
	$(FC) $(ALL_LDFLAGS) -o $@ $^

$(BUILD)/replay-relinked: $(REFERENCE)/replay.o $(BUILD)/libgpuranmar.so
	$(FC) $(ALL_LDFLAGS) -o $@ $< $(RELINK)

TESTS += validate/replay.t
validate/replay.t: $(BUILD)/replay-reference $(BUILD)/replay-relinked
