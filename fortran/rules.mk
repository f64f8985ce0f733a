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

$(BUILD)/replay-cernlib-relinked: $(REFERENCE)/replay_cernlib.o $(BUILD)/libgpuranmar_cernlib.so FORCE
	$(call run,LD,$(LINK_FC) $(RELINK) -lgpuranmar_cernlib)

# The other families, each a program with the reference and two with its library (csrc/families).
FAMILIES_TESTED = $(filter-out cernlib,$(FAMILIES))
FAMILY_PROGRAMS = $(foreach f,$(FAMILIES_TESTED),$(addprefix $(BUILD)/replay-$f-,reference relinked static)) \
                  $(BUILD)/replay-cernlib-reference $(BUILD)/replay-cernlib-relinked
FAMILY_FFLAGS   = -Wall -Wextra -Wno-compare-reals -Wno-unused-dummy-argument -J$(@D)

define family_programs
$(REFERENCE)/$1/%.o: fortran/reference/%.F90 FORCE
	$$(call run,FC,$(FC) $$(ALL_FFLAGS) $$(FAMILY_FFLAGS) -DFAMILY_$1 -c -o $$@ $$<)
$(BUILD)/replay-$1-reference: $(addprefix $(REFERENCE)/$1/,replay_family.o family.o) FORCE
	$$(call run,LD,$$(LINK_FC))
$(BUILD)/replay-$1-relinked: $(REFERENCE)/$1/replay_family.o $(BUILD)/libgpuranmar_$1.so FORCE
	$$(call run,LD,$$(LINK_FC) $$(RELINK) -lgpuranmar_$1)
$(BUILD)/replay-$1-static: $(REFERENCE)/$1/replay_family.o $(BUILD)/libgpuranmar_$1.a $(STATIC) FORCE
	$$(call run,LD,$$(LINK_FC) $$(filter %.a,$$^) $$(LIB_LIBS))
endef
$(foreach f,$(FAMILIES_TESTED),$(eval $(call family_programs,$f)))

FAMILY_TESTS = $(addprefix validate/tests/,families.t families-misuse.t which.t)
TESTS += $(call if_has,$(FC),$(FORTRAN),$(FAMILY_TESTS))
$(FAMILY_TESTS): $(FAMILY_PROGRAMS) $(LIBRARIES)

TESTS += $(call if_has,$(FC),$(FORTRAN),validate/tests/rmmard.t validate/tests/cernlib.t)
validate/tests/rmmard.t: $(BUILD)/replay-reference $(BUILD)/replay-relinked
validate/tests/cernlib.t: $(BUILD)/replay-cernlib-reference $(BUILD)/replay-cernlib-relinked
