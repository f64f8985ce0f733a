# The sequential reference; the programs that are built both with it and relinked with the library;
# and the library for 64-bit INTEGERs.

REFERENCE = $(BUILD)/reference
RELINK    = -L$(BUILD) -lgpuranmar -Wl,-rpath,'$$ORIGIN'
LINK_FC   = $(FC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^)

$(REFERENCE)/%.o: fortran/reference/%.F fortran/reference/crranma.inc FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -c -o $@ $<)

$(REFERENCE)/%.o: fortran/reference/%.f90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -J$(@D) -c -o $@ $<)

$(BUILD)/reference-numbers: $(addprefix $(REFERENCE)/,numbers.o rmmard.o cernlib/family.o) FORCE
	$(call run,LD,$(LINK_FC))

$(BUILD)/replay-reference: $(addprefix $(REFERENCE)/,replay.o rmmard.o) FORCE
	$(call run,LD,$(LINK_FC))

$(BUILD)/replay-relinked: $(REFERENCE)/replay.o $(BUILD)/libgpuranmar.so FORCE
	$(call run,LD,$(LINK_FC) $(RELINK))

# The families (csrc/families): for each a program with the reference, and two with its
# library, shared and static.
FAMILIES_TESTED = $(filter-out gsl multinest ompmc,$(FAMILIES))
REPLAYED        = $(FAMILIES_TESTED:%=$(BUILD)/replay-%)
FAMILY_PROGRAMS = $(foreach how,reference relinked static,$(REPLAYED:%=%-$(how)))
FAMILY_FFLAGS   = -fimplicit-none -Wall -Wextra -Wno-compare-reals -Wno-unused-dummy-argument \
                  -J$(@D)

define family_programs
$(REFERENCE)/$1/%.o: fortran/reference/%.F90 fortran/reference/family.inc FORCE
	$$(call run,FC,$(FC) $$(ALL_FFLAGS) $$(FAMILY_FFLAGS) -DFAMILY_$1 -c -o $$@ $$<)
$(BUILD)/replay-$1-reference: $(addprefix $(REFERENCE)/$1/,replay_family.o family.o) FORCE
	$$(call run,LD,$$(LINK_FC))
$(BUILD)/replay-$1-relinked: $(REFERENCE)/$1/replay_family.o $(BUILD)/libgpuranmar_$1.so FORCE
	$$(call run,LD,$$(LINK_FC) $$(RELINK) -lgpuranmar_$1)
$(BUILD)/replay-$1-static: $(REFERENCE)/$1/replay_family.o $(BUILD)/libgpuranmar_$1.a $(STATIC) \
                           FORCE
	$$(call run,LD,$$(LINK_FC) $(BUILD)/libgpuranmar_$1.a $$(LINK_STATIC))
endef
$(foreach f,$(FAMILIES_TESTED),$(eval $(call family_programs,$f)))

# libgpuranmar_ilp64 is in place of libgpuranmar for programs whose INTEGER has 64 bits by a flag of
# the compiler. RMMARD, RMMAQD and the hooks take such arguments there; the C interface is the same;
# there is no module.
INTEGER_8       ?= -fdefault-integer-8
ILP64_SHARED     = $(BUILD)/libgpuranmar_ilp64.so.$(VERSION)
ILP64_STATIC     = $(BUILD)/libgpuranmar_ilp64.a
ILP64_OBJ        = $(addprefix $(BUILD)/shared/,$(filter-out fortran/%,$(LIB_OBJ))) \
                   $(addprefix $(BUILD)/ilp64/,$(filter fortran/%,$(LIB_OBJ)) fortran/rmmaqd.o)
ILP64_SONAME     = -Wl,-soname,libgpuranmar_ilp64.so.$(MAJOR)
ILP64_RELINK     = -L$(BUILD) -lgpuranmar_ilp64 -Wl,-rpath,'$$ORIGIN'
ifneq ($(FORTRAN),)
LIBRARIES      += $(addprefix $(BUILD)/libgpuranmar_ilp64.,so.$(VERSION) so.$(MAJOR) so a)
INSTALL_STATIC += $(ILP64_STATIC)
INSTALL_SHARED += $(ILP64_SHARED)
INSTALL_PC     += $(BUILD)/install/gpuranmar-ilp64.pc
endif

$(BUILD)/ilp64/%.o: csrc/%.c FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) $(INCLUDES) -DRANMAR_ILP64 -fPIC -c -o $@ $<)
$(addsuffix /fortran/rmmaqd.o,$(addprefix $(BUILD)/,shared static ilp64)): \
    csrc/fortran/unit_is_known.inc
$(BUILD)/ilp64/%.o: csrc/%.f90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra $(INTEGER_8) -fPIC -J$(@D) -c -o $@ $<)
$(ILP64_SHARED): $(ILP64_OBJ) csrc/libgpuranmar.map FORCE
	$(call run,LD,$(CC) -shared $(ALL_LDFLAGS) $(ILP64_SONAME) $(EXPORTS) -o $@ \
	              $(filter %.o,$^) $(LIB_LIBS))
$(ILP64_STATIC): $(ILP64_OBJ) FORCE
	$(call run,AR,$(ARCHIVE))
$(BUILD)/install/gpuranmar-ilp64.pc: $(BUILD)/install/gpuranmar.pc FORCE
	$(call run,GEN,sed -e 's/^Name:.*/&-ilp64/' -e '/^Libs:/s/-lgpuranmar/&_ilp64/' $< >$@)

# The program that replays the calls of rmmard.t, with INTEGER and REAL of 64 bits. DOUBLE PRECISION
# stays at 64 bits.
REAL_8 ?= -fdefault-real-8 -fdefault-double-8
$(REFERENCE)/ilp64/replay.o: fortran/reference/replay.f90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) $(INTEGER_8) $(REAL_8) -J$(@D) -c -o $@ $<)
$(BUILD)/replay-ilp64-relinked: $(REFERENCE)/ilp64/replay.o $(BUILD)/libgpuranmar_ilp64.so FORCE
	$(call run,LD,$(LINK_FC) $(ILP64_RELINK))
$(BUILD)/replay-ilp64-static: $(REFERENCE)/ilp64/replay.o $(ILP64_STATIC) FORCE
	$(call run,LD,$(LINK_FC) -fno-lto $(ILP64_STATIC) $(LIB_LIBS))
