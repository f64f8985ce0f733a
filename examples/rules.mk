# Example programs: the air shower and its demonstration, those for the GPU, and the small ones.

SHOWER_DIR = examples/shower
SHOWER_PARTS = shower cards electr hadron output
SHOWER_OBJ = $(SHOWER_PARTS:%=$(BUILD)/shower/%.o)
SHOWER_INC = $(wildcard $(SHOWER_DIR)/*.inc)

$(BUILD)/shower/%.o: $(SHOWER_DIR)/%.F $(SHOWER_INC) FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -c -o $@ $<)

$(BUILD)/shower-reference: $(SHOWER_OBJ) $(REFERENCE)/rmmard.o FORCE
	$(call run,LD,$(LINK_FC))

$(BUILD)/shower-relinked: $(SHOWER_OBJ) $(BUILD)/libgpuranmar.so FORCE
	$(call run,LD,$(LINK_FC) $(RELINK))

# The shower with an RMMARD of its own, as CORSIKA has one, after the source has been patched.
# shower.t compares its output with that of the reference, to test the hooks.
PATCHED     = $(BUILD)/shower-patched.src
PATCHED_OBJ = $(patsubst %,$(PATCHED)/%.o,$(SHOWER_PARTS) rmmard)

$(PATCHED)/done: $(wildcard $(SHOWER_DIR)/*.F $(SHOWER_DIR)/*.inc) \
                 $(addprefix fortran/reference/,rmmard.F crranma.inc) \
                 $(shell find corsika-patch -name '*.py') $(wildcard corsika-patch/gpuranmar*) FORCE
	$(call run,PATCH,$(PATCH_SHOWER))
PATCH_SHOWER = rm -rf $(@D)/* && cp $(filter %.F %.inc,$(filter-out corsika-patch/%,$^)) $(@D) && \
               corsika-patch/gpuranmar-patch apply --no-verify $(@D) >/dev/null && touch $@

$(PATCHED)/%.o: $(PATCHED)/done FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -D__GPURANMAR__ -c -o $@ $(@:.o=.F))

$(BUILD)/shower-patched: $(PATCHED_OBJ) $(BUILD)/libgpuranmar.so FORCE
	$(call run,LD,$(LINK_FC) $(RELINK))

# gprof sees only what lies in the executable. So these programs have the library linked in.

$(BUILD)/shower-pg/%.o: $(SHOWER_DIR)/%.F $(SHOWER_INC) FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -pg -c -o $@ $<)

$(BUILD)/shower-pg/rmmard.o: fortran/reference/rmmard.F fortran/reference/crranma.inc FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -pg -c -o $@ $<)

PROFILED_OBJ = $(SHOWER_OBJ:$(BUILD)/shower/%=$(BUILD)/shower-pg/%)

$(BUILD)/shower-reference-pg: $(PROFILED_OBJ) $(BUILD)/shower-pg/rmmard.o FORCE
	$(call run,LD,$(LINK_FC) -pg)

$(BUILD)/shower-relinked-pg: $(PROFILED_OBJ) $(STATIC) FORCE
	$(call run,LD,$(LINK_FC) -pg $(LINK_STATIC))

PROFILED_SHOWERS = $(addprefix $(BUILD)/shower-,reference relinked reference-pg relinked-pg)
# The demonstration.

$(call needs_programs,demo,$(FC) python3 gprof)
demo: $(PROFILED_SHOWERS)
	@BUILD=$(BUILD) examples/shower/demonstrate

# The transport example.

$(BUILD)/examples/cuda/%.o: examples/cuda/%.c FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) $(INCLUDES) -c -o $@ $<)
$(BUILD)/examples/cuda/transport_cpu: %: %.o $(STATIC) FORCE
	$(call run,LD,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(LINK_STATIC))

ifneq ($(WITH_CUDA),)
CUDA_EXAMPLE = $(BUILD)/examples/cuda/transport
$(BUILD)/examples/cuda/%.o: examples/cuda/%.cu FORCE
	$(call run,NVCC,$(NVCC) $(NVCCFLAGS) -c -o $@ $<)
$(CUDA_EXAMPLE): %: %.o $(CUDA_STATIC) $(STATIC) FORCE
	$(call run,LD,$(CUDA_LINK) $(CUDA_LIBS))
endif

TESTS     += cuda/tests/transport.t
TESTS_GPU += cuda/tests/transport.t
cuda/tests/transport.t: $(BUILD)/examples/cuda/transport_cpu $(CUDA_EXAMPLE) $(OFFLOADING)
