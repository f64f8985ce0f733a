# The programs that scripts/bench runs: each measures one thing and prints it.

BENCH          = $(BUILD)/bench
BENCH_STYLES   = reference shared static inline empty empty-static
BENCH_PROGRAMS = $(addprefix $(BENCH)/,bulk clock neighbour requests $(BENCH_STYLES:%=calls-%) \
                   skip-reference skip-shared skip-empty start-reference start-relinked \
                   $(foreach kind,reference relinked prepared,mix-$(kind)) shower-prepared) \
                 $(addprefix $(BUILD)/shower-,reference relinked)
BENCH_EMPTY    = -L$(BENCH) -lempty -Wl,-rpath,'$$ORIGIN'
BENCH_PREPARED = -L$(BENCH) -lprepared -Wl,-rpath,'$$ORIGIN' -Wl,-rpath-link,$(BUILD)
BENCH_RELINK   = -L$(BUILD) -lgpuranmar -Wl,-rpath,'$$ORIGIN/..'

.PHONY: bench-programs
bench-programs: $(BENCH_PROGRAMS)

# The peers are linked statically, so that the programs run where they are not installed.
$(BENCH)/%: validate/bench/%.c validate/bench/timing.h $(BUILD)/libgpuranmar.so FORCE
	$(call run,CC,$(TEST_CC) $(BENCH_RELINK) $(BENCH_PEERS) -lm)
$(BENCH)/bulk: BENCH_PEERS = -Wl,-Bstatic -ldSFMT-19937 -lgsl -lgslcblas -Wl,-Bdynamic

# neighbour is linked statically: it calls loops that the shared library does not export.
$(BENCH)/neighbour: validate/bench/neighbour.c validate/bench/timing.h $(STATIC) FORCE
	$(call run,CC,$(TEST_CC) $(LINK_STATIC))

$(BENCH)/libempty.so: validate/bench/empty.c FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) -fvisibility=default -fPIC -shared -o $@ $<)

$(BENCH)/calls.o: validate/bench/calls.F90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -flto -ffat-lto-objects -c -o $@ $<)
$(BENCH)/calls-inline.o: validate/bench/calls.F90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -DINLINE -c -o $@ $<)
$(BENCH)/skip.o: validate/bench/skip.f90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -c -o $@ $<)

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
$(BENCH)/empty.o: validate/bench/empty.c FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) -c -o $@ $<)
$(BENCH)/calls-empty-static: $(BENCH)/calls.o $(BENCH)/empty.o FORCE
	$(call run,LD,$(FC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^))
$(BENCH)/skip-reference: $(BENCH)/skip.o $(REFERENCE)/rmmard.o FORCE
	$(call run,LD,$(FC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^))
$(BENCH)/skip-shared: $(BENCH)/skip.o $(BUILD)/libgpuranmar.so FORCE
	$(call run,LD,$(FC) $(ALL_LDFLAGS) -o $@ $< $(BENCH_RELINK))
$(BENCH)/skip-empty: $(BENCH)/skip.o $(BENCH)/libempty.so FORCE
	$(call run,LD,$(FC) $(ALL_LDFLAGS) -o $@ $< $(BENCH_EMPTY))

# Whole programs: with the sequential reference, relinked, and with numbers prepared in memory.
$(BENCH)/mix.o $(BENCH)/start.o: $(BENCH)/%.o: validate/bench/%.f90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -c -o $@ $<)
$(BENCH)/libprepared.so: validate/bench/prepared.c $(BUILD)/libgpuranmar.so FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) $(INCLUDES) -fPIC -shared -o $@ $< $(BENCH_RELINK))
$(BENCH)/mix-reference $(BENCH)/start-reference: %-reference: %.o $(REFERENCE)/rmmard.o FORCE
	$(call run,LD,$(LINK_FC))
$(BENCH)/mix-relinked $(BENCH)/start-relinked: %-relinked: %.o $(BUILD)/libgpuranmar.so FORCE
	$(call run,LD,$(LINK_FC) $(BENCH_RELINK))
$(BENCH)/mix-prepared: $(BENCH)/mix.o $(BENCH)/libprepared.so FORCE
	$(call run,LD,$(LINK_FC) $(BENCH_PREPARED))
$(BENCH)/shower-prepared: $(SHOWER_OBJ) $(BUILD)/shower/draw.o $(BENCH)/libprepared.so FORCE
	$(call run,LD,$(LINK_FC) $(BENCH_PREPARED))

# On a GPU: the plugin with one warp a thread block in place of four, beside a library of its own.
ifneq ($(WITH_CUDA),)
ONE_WARP = $(BENCH)/one-warp
bench-programs: $(CUDA_PLUGIN) $(BUILD)/cuda/measure-all \
                $(addprefix $(ONE_WARP)/libgpuranmar,.so.$(MAJOR) _cuda.so)
$(ONE_WARP)/device_stream.o: cuda/device_stream.cu FORCE
	$(call run,NVCC,$(NVCC) $(NVCCFLAGS) -DRANMAR_WARPS_A_BLOCK=1 -c -o $@ $<)
$(ONE_WARP)/libgpuranmar_cuda.so: $(ONE_WARP)/device_stream.o \
                                  $(filter-out %/device_stream.o,$(CUDA_OBJ)) \
                                  cuda/libgpuranmar_cuda.map FORCE
	$(call run,LD,$(CUDA_LINK_PLUGIN))
$(ONE_WARP)/libgpuranmar.so.$(MAJOR): $(SHARED) FORCE
	$(call run,CP,cp $< $@)
endif

validate/bench/compare-profiles.t: $(if $(FORTRAN),$(PROFILED_SHOWERS))
PEERS := $(call has_header,dSFMT.h gsl/gsl_rng.h Random123/philox.h)
validate/bench/bench.long.t: $(if $(and $(PEERS),$(FORTRAN)),bench-programs)
