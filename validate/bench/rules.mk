# The programs that scripts/bench runs: each measures one thing and prints it.

BENCH          = $(BUILD)/bench
BENCH_STYLES   = reference shared static inline empty
BENCH_FORTRAN  = $(addprefix $(BENCH)/,$(BENCH_STYLES:%=calls-%) \
                   $(foreach kind,reference relinked prepared,mix-$(kind)) shower-prepared) \
                 $(addprefix $(BUILD)/shower-,reference relinked)
BENCH_EMPTY    = -L$(BENCH) -lempty -Wl,-rpath,'$$ORIGIN'
BENCH_PREPARED = -L$(BENCH) -lprepared -Wl,-rpath,'$$ORIGIN' -Wl,-rpath-link,$(BUILD)
BENCH_RELINK   = -L$(BUILD) -lgpuranmar -Wl,-rpath,'$$ORIGIN/..'

.PHONY: bench-programs
bench-programs: $(BENCH)/arrays $(if $(FORTRAN),$(BENCH_FORTRAN))

# The peers that are found are linked statically, so that the program runs where they are not
# installed.
DSFMT := $(if $(call has_header,dSFMT.h),-Wl$(comma)-Bstatic -ldSFMT-19937 -Wl$(comma)-Bdynamic)
$(BENCH)/arrays: validate/bench/arrays.c $(BUILD)/libgpuranmar.so FORCE
	$(call run,CC,$(TEST_CC) $(BENCH_RELINK) $(DSFMT) -lm)

$(BENCH)/libempty.so: validate/bench/empty.c FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) -fvisibility=default -fPIC -shared -o $@ $<)

$(BENCH)/calls.o: validate/bench/calls.F90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -flto -ffat-lto-objects -c -o $@ $<)
$(BENCH)/calls-inline.o: validate/bench/calls.F90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -DINLINE -c -o $@ $<)

$(BENCH)/calls-reference: $(BENCH)/calls.o $(REFERENCE)/rmmard.o FORCE
	$(call run,LD,$(FC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^))
$(BENCH)/calls-shared: $(BENCH)/calls.o $(BUILD)/libgpuranmar.so FORCE
	$(call run,LD,$(FC) $(ALL_LDFLAGS) -o $@ $< $(BENCH_RELINK))
$(BENCH)/calls-static: $(BENCH)/calls.o $(STATIC) FORCE
	$(call run,LD,$(LINK_FC) $(STATIC) -O2 -flto=auto $(LIB_LIBS))
$(BENCH)/calls-inline: $(BENCH)/calls-inline.o $(BUILD)/libgpuranmar.so FORCE
	$(call run,LD,$(FC) $(ALL_LDFLAGS) -o $@ $< $(BENCH_RELINK))
$(BENCH)/calls-empty: $(BENCH)/calls.o $(BENCH)/libempty.so FORCE
	$(call run,LD,$(FC) $(ALL_LDFLAGS) -o $@ $< $(BENCH_EMPTY))


# Whole programs: with the sequential reference, relinked, and with numbers prepared in memory.
$(BENCH)/mix.o: validate/bench/mix.f90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -c -o $@ $<)
$(BENCH)/libprepared.so: validate/bench/prepared.c $(BUILD)/libgpuranmar.so FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) $(INCLUDES) -fPIC -shared -o $@ $< $(BENCH_RELINK))
$(BENCH)/mix-reference: $(BENCH)/mix.o $(REFERENCE)/rmmard.o FORCE
	$(call run,LD,$(LINK_FC))
$(BENCH)/mix-relinked: $(BENCH)/mix.o $(BUILD)/libgpuranmar.so FORCE
	$(call run,LD,$(LINK_FC) $(BENCH_RELINK))
$(BENCH)/mix-prepared: $(BENCH)/mix.o $(BENCH)/libprepared.so FORCE
	$(call run,LD,$(LINK_FC) $(BENCH_PREPARED))
$(BENCH)/shower-prepared: $(SHOWER_OBJ) $(BUILD)/shower/draw.o $(BENCH)/libprepared.so FORCE
	$(call run,LD,$(LINK_FC) $(BENCH_PREPARED))

bench-programs: $(COMMAND) $(if $(WITH_CUDA),$(CUDA_MEASURING))

validate/bench/compare-profiles.long.t: $(if $(FORTRAN),$(PROFILED_SHOWERS))
validate/bench/bench.long.t: $(if $(FORTRAN),bench-programs)
