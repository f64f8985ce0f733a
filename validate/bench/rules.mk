# The programs that scripts/bench runs: each measures one thing and prints it.

BENCH          = $(BUILD)/bench
BENCH_CALLS    = $(addprefix $(BENCH)/calls-,reference shared static inline empty)
BENCH_STARTED  = rmmard cernlib double
BENCH_STARTS   = $(foreach how,original relinked,$(BENCH_STARTED:%=$(BENCH)/starts-%-$(how)))
BENCH_FORTRAN  = $(BENCH_CALLS) $(BENCH_STARTS) $(addprefix $(BUILD)/shower-,reference relinked)
BENCH_EMPTY    = -L$(BENCH) -lempty -Wl,-rpath,'$$ORIGIN'
BENCH_RELINK   = -L$(BUILD) -lgpuranmar -Wl,-rpath,'$$ORIGIN/..'

.PHONY: bench-programs
bench-programs: $(BENCH)/arrays $(if $(HAS_CXX),$(BENCH)/starts) $(if $(FORTRAN),$(BENCH_FORTRAN))

# The peers that are found are linked statically, so that the program runs where they are not
# installed.
DSFMT := $(if $(call has_header,dSFMT.h),-Wl$(comma)-Bstatic -ldSFMT-19937 -Wl$(comma)-Bdynamic)
$(BENCH)/arrays: validate/bench/arrays.c $(BUILD)/libgpuranmar.so FORCE
	$(call run,CC,$(TEST_CC) $(BENCH_RELINK) $(DSFMT) -lm)

$(BENCH)/libempty.so: validate/bench/empty.c FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) -fvisibility=default -fPIC -shared -o $@ $<)

$(BENCH)/calls.o: validate/bench/calls.F90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -c -o $@ $<)
$(BENCH)/calls-inline.o: validate/bench/calls.F90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -DINLINE -c -o $@ $<)

# What each Fortran program is linked from: the object, and what makes its numbers.
$(BENCH)/calls-inline: $(BENCH)/calls-inline.o
$(filter-out %-inline,$(BENCH_CALLS)): $(BENCH)/calls.o
$(BENCH)/calls-reference: $(REFERENCE)/rmmard.o
$(BENCH)/calls-shared $(BENCH)/calls-inline: $(BUILD)/libgpuranmar.so
$(BENCH)/calls-shared $(BENCH)/calls-inline: NUMBERS = $(BENCH_RELINK)
$(BENCH)/calls-static: $(STATIC)
$(BENCH)/calls-static: NUMBERS = $(LINK_STATIC)
$(BENCH)/calls-empty: $(BENCH)/libempty.so
$(BENCH)/calls-empty: NUMBERS = $(BENCH_EMPTY)
$(BENCH_CALLS): FORCE
	$(call run,LD,$(LINK_FC) $(NUMBERS))

# Starts of sequences. A family's library comes before RMMARD's.
$(BENCH)/starts: validate/bench/starts.cc $(BUILD)/libgpuranmar.so FORCE
	$(call run,CXX,$(CXX) -std=c++17 -O3 -Wall -Wextra $(CPPFLAGS) $(sanitize) -Icsrc/include -MMD \
	               -MP -o $@ $< $(BENCH_RELINK))
$(BENCH)/starts-%.o: validate/bench/starts.F90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -DFAMILY_$* -c -o $@ $<)
$(BENCH)/starts-%-original: $(BENCH)/starts-%.o $(REFERENCE)/%/family.o FORCE
	$(call run,LD,$(LINK_FC))
$(BENCH)/starts-rmmard-original: $(BENCH)/starts-rmmard.o $(REFERENCE)/rmmard.o FORCE
	$(call run,LD,$(LINK_FC))
$(BENCH)/starts-%-relinked: $(BENCH)/starts-%.o $(BUILD)/libgpuranmar_%.so FORCE
	$(call run,LD,$(LINK_FC) -L$(BUILD) -lgpuranmar_$* $(BENCH_RELINK))
$(BENCH)/starts-rmmard-relinked: $(BENCH)/starts-rmmard.o $(BUILD)/libgpuranmar.so FORCE
	$(call run,LD,$(LINK_FC) $(BENCH_RELINK))

bench-programs: $(COMMAND) $(if $(WITH_CUDA),$(CUDA_MEASURING))

validate/bench/measure.t: $(COMMAND) $(BENCH)/arrays $(if $(HAS_CXX),$(BENCH)/starts) \
                          $(if $(FORTRAN),$(BENCH_CALLS) $(BENCH_STARTS))
validate/bench/compare-profiles.long.t: $(if $(FORTRAN),$(PROFILED_SHOWERS))
