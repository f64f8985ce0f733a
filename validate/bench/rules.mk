# The programs that scripts/bench runs: each measures one thing and prints one number.

BENCH          = $(BUILD)/bench
BENCH_STYLES   = reference shared static inline empty
BENCH_PROGRAMS = $(BENCH)/bulk $(BENCH)/requests $(BENCH_STYLES:%=$(BENCH)/calls-%) \
                 $(BENCH)/skip-reference $(BENCH)/skip-shared
BENCH_RELINK   = -L$(BUILD) -lgpuranmar -Wl,-rpath,'$$ORIGIN/..'

.PHONY: bench-programs
bench-programs: $(BENCH_PROGRAMS)

# The peers come along, so that the programs run where they are not installed.
$(BENCH)/%: validate/bench/%.c validate/bench/timing.h $(BUILD)/libgpuranmar.so
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Icsrc $(ALL_LDFLAGS) -o $@ $< $(BENCH_RELINK) $(BENCH_PEERS) $(OPENMP) -lm
$(BENCH)/bulk: BENCH_PEERS = -Wl,-Bstatic -ldSFMT-19937 -lgsl -lgslcblas -Wl,-Bdynamic

$(BENCH)/libempty.so: validate/bench/empty.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -fvisibility=default -fPIC -shared -o $@ $<

$(BENCH)/calls.o: validate/bench/calls.F90
	@mkdir -p $(@D)
	$(FC) $(ALL_FFLAGS) -Wall -Wextra -flto -ffat-lto-objects -c -o $@ $<
$(BENCH)/calls-inline.o: validate/bench/calls.F90
	@mkdir -p $(@D)
	$(FC) $(ALL_FFLAGS) -Wall -Wextra -DINLINE -c -o $@ $<
$(BENCH)/skip.o: validate/bench/skip.f90
	@mkdir -p $(@D)
	$(FC) $(ALL_FFLAGS) -Wall -Wextra -c -o $@ $<

$(BENCH)/calls-reference: $(BENCH)/calls.o $(REFERENCE)/rmmard.o
	$(FC) $(ALL_LDFLAGS) -o $@ $^
$(BENCH)/calls-shared: $(BENCH)/calls.o $(BUILD)/libgpuranmar.so
	$(FC) $(ALL_LDFLAGS) -o $@ $< $(BENCH_RELINK)
$(BENCH)/calls-static: $(BENCH)/calls.o $(STATIC)
	$(FC) $(ALL_LDFLAGS) -O2 -flto=auto -o $@ $^ $(LIB_LIBS)
$(BENCH)/calls-inline: $(BENCH)/calls-inline.o $(BUILD)/libgpuranmar.so
	$(FC) $(ALL_LDFLAGS) -o $@ $< $(BENCH_RELINK)
$(BENCH)/calls-empty: $(BENCH)/calls.o $(BENCH)/libempty.so
	$(FC) $(ALL_LDFLAGS) -o $@ $< -L$(BENCH) -lempty -Wl,-rpath,'$$ORIGIN'
$(BENCH)/skip-reference: $(BENCH)/skip.o $(REFERENCE)/rmmard.o
	$(FC) $(ALL_LDFLAGS) -o $@ $^
$(BENCH)/skip-shared: $(BENCH)/skip.o $(BUILD)/libgpuranmar.so
	$(FC) $(ALL_LDFLAGS) -o $@ $< $(BENCH_RELINK)
