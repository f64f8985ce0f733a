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

$(BUILD)/replay-cernlib-reference: $(addprefix $(REFERENCE)/,replay_cernlib.o cernlib.o)
	$(FC) $(ALL_LDFLAGS) -o $@ $^

$(BUILD)/replay-cernlib-relinked: $(REFERENCE)/replay_cernlib.o $(BUILD)/libgpuranmar.so
	$(FC) $(ALL_LDFLAGS) -o $@ $< $(RELINK)

TESTS += validate/tests/rmmard.t validate/tests/cernlib.t
validate/tests/rmmard.t: $(BUILD)/replay-reference $(BUILD)/replay-relinked
validate/tests/cernlib.t: $(BUILD)/replay-cernlib-reference $(BUILD)/replay-cernlib-relinked

# The shower program. It draws through RMMARD alone (draw.F), or has CORSIKA's inlined copies of the
# generator besides (copies.F), which only the patched source draws from the library.

SHOWER_DIR = examples/shower
SHOWER_OBJ = $(patsubst %,$(BUILD)/shower/%.o,shower cards stack motion atmos electr emproc hadron cerenk output)
SHOWER_INC = $(wildcard $(SHOWER_DIR)/*.inc) fortran/reference/crranma.inc

$(BUILD)/shower/%.o: $(SHOWER_DIR)/%.F $(SHOWER_INC)
	@mkdir -p $(@D)
	$(FC) $(ALL_FFLAGS) -Ifortran/reference -c -o $@ $<

$(BUILD)/shower-reference: $(SHOWER_OBJ) $(BUILD)/shower/draw.o $(REFERENCE)/rmmard.o
	$(FC) $(ALL_LDFLAGS) -o $@ $^

$(BUILD)/shower-relinked: $(SHOWER_OBJ) $(BUILD)/shower/draw.o $(BUILD)/libgpuranmar.so
	$(FC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(RELINK)

$(BUILD)/shower-copies: $(SHOWER_OBJ) $(BUILD)/shower/copies.o $(REFERENCE)/rmmard.o
	$(FC) $(ALL_LDFLAGS) -o $@ $^

PATCHED     = $(BUILD)/shower-patched.src
PATCHED_OBJ = $(patsubst $(BUILD)/shower/%,$(PATCHED)/%,$(SHOWER_OBJ)) $(PATCHED)/copies.o $(PATCHED)/rmmard.o

$(PATCHED)/done: $(wildcard $(SHOWER_DIR)/*) $(addprefix fortran/reference/,rmmard.F crranma.inc) \
                 $(shell find corsika-patch -name '*.py') $(wildcard corsika-patch/gpuranmar*)
	rm -rf $(@D)
	mkdir -p $(@D)
	cp $(SHOWER_DIR)/* fortran/reference/{rmmard.F,crranma.inc} $(@D)
	corsika-patch/gpuranmar-patch apply $(@D)
	touch $@

$(PATCHED)/%.o: $(PATCHED)/done
	$(FC) $(ALL_FFLAGS) -D__GPURANMAR__ -c -o $@ $(@:.o=.F)

$(BUILD)/shower-patched: $(PATCHED_OBJ) $(BUILD)/libgpuranmar.so
	$(FC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(RELINK)

TESTS += validate/tests/shower.t
validate/tests/shower.t: $(addprefix $(BUILD)/shower-,reference relinked copies patched)

# For gprof, which sees only what lies in the executable: the library is linked in.

$(BUILD)/shower-pg/%.o: $(SHOWER_DIR)/%.F $(SHOWER_INC)
	@mkdir -p $(@D)
	$(FC) $(ALL_FFLAGS) -pg -Ifortran/reference -c -o $@ $<

$(BUILD)/shower-pg/rmmard.o: fortran/reference/rmmard.F fortran/reference/crranma.inc
	@mkdir -p $(@D)
	$(FC) $(ALL_FFLAGS) -pg -c -o $@ $<

PROFILED_OBJ = $(SHOWER_OBJ:$(BUILD)/shower/%=$(BUILD)/shower-pg/%) $(BUILD)/shower-pg/draw.o

$(BUILD)/shower-reference-pg: $(PROFILED_OBJ) $(BUILD)/shower-pg/rmmard.o
	$(FC) $(ALL_LDFLAGS) -pg -o $@ $^

$(BUILD)/shower-relinked-pg: $(PROFILED_OBJ) $(STATIC)
	$(FC) $(ALL_LDFLAGS) -pg -o $@ $^ $(LIB_LIBS)

DEMO_DEPS += $(addprefix $(BUILD)/shower-,reference relinked reference-pg relinked-pg)

TESTS += validate/tests/compare-profiles.t
validate/tests/compare-profiles.t: $(addprefix $(BUILD)/shower-,reference relinked reference-pg relinked-pg)
