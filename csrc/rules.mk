# The library: shared, and static. A folder of csrc/ that has a rules.mk of its own is no part of it.
# The static objects have no bytecode for link-time optimisation, which one version of gcc alone can
# read; whoever wants it gives CFLAGS='-O3 -g -flto=auto -ffat-lto-objects'.

CSRC     = $(filter-out $(addsuffix %,$(dir $(wildcard csrc/*/rules.mk))),$(sort $(wildcard csrc/*/*.c)))
LIB_OBJ  = $(CSRC:csrc/%.c=%.o)
INCLUDES = -Icsrc -Icsrc/include
LIB_FOBJ = $(if $(FORTRAN),fortran/rmmaqd.o gpuranmar.o)

SHARED    = $(BUILD)/libgpuranmar.so.$(VERSION)
STATIC    = $(BUILD)/libgpuranmar.a
LIBRARIES = $(SHARED) $(BUILD)/libgpuranmar.so $(BUILD)/libgpuranmar.so.$(MAJOR) $(STATIC)
LIB_LIBS  = $(if $(FORTRAN),-lgfortran) -lpthread -ldl -lm

# How our own programs are linked: without link-time optimisation, which would only take long.
LINK_STATIC = -fno-lto $(STATIC) $(LIB_LIBS)

INSTALL_HEADERS  = $(wildcard csrc/include/gpuranmar*.h csrc/include/gpuranmar*.hpp)
INSTALL_HEADERS += $(if $(FORTRAN),$(BUILD)/gpuranmar.f90 $(BUILD)/mod/gpuranmar.mod)
INSTALL_STATIC   = $(STATIC)
INSTALL_SHARED   = $(SHARED)

$(BUILD)/shared/%.o: csrc/%.c FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) $(INCLUDES) -fPIC -c -o $@ $<)

$(BUILD)/static/%.o: csrc/%.c FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) $(INCLUDES) -c -o $@ $<)

$(BUILD)/shared/%.o: csrc/%.f90 FORCE | $(BUILD)/mod
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -fPIC -J$(BUILD)/mod -c -o $@ $<)

$(BUILD)/static/%.o: csrc/%.f90 FORCE | $(BUILD)/static/mod
	$(call run,FC,$(FC) $(ALL_FFLAGS) -J$(BUILD)/static/mod -c -o $@ $<)

$(BUILD)/gpuranmar.f90: fortran/assumed_rank.awk fortran/gpuranmar.f90 FORCE
	$(call run,GEN,$(AWK) -f $< fortran/gpuranmar.f90 >$@)
$(BUILD)/shared/gpuranmar.o: $(BUILD)/gpuranmar.f90 FORCE | $(BUILD)/mod
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -fPIC -J$(BUILD)/mod -c -o $@ $<)
$(BUILD)/static/gpuranmar.o: $(BUILD)/gpuranmar.f90 FORCE | $(BUILD)/static/mod
	$(call run,FC,$(FC) $(ALL_FFLAGS) -J$(BUILD)/static/mod -c -o $@ $<)

$(BUILD)/mod $(BUILD)/static/mod:
	@mkdir -p $@
$(BUILD)/mod/gpuranmar.mod: $(BUILD)/shared/gpuranmar.o ;

# Only what csrc/libgpuranmar.map names is exported.
EXPORTS = -Wl,--version-script=csrc/libgpuranmar.map -Wl,-z,defs
SONAME  = -Wl,-soname,libgpuranmar.so.$(MAJOR)
$(SHARED): $(addprefix $(BUILD)/shared/,$(LIB_OBJ) $(LIB_FOBJ)) csrc/libgpuranmar.map FORCE
	$(call run,LD,$(CC) -shared $(ALL_LDFLAGS) $(SONAME) $(EXPORTS) -o $@ $(filter %.o,$^) $(LIB_LIBS))

# The two links of each library.
$(BUILD)/%.so.$(MAJOR): $(BUILD)/%.so.$(VERSION) FORCE
	$(call run,LN,ln -sf $(<F) $@)
$(BUILD)/%.so: $(BUILD)/%.so.$(MAJOR) FORCE
	$(call run,LN,ln -sf $(<F) $@)

$(STATIC): $(addprefix $(BUILD)/static/,$(LIB_OBJ) $(LIB_FOBJ)) FORCE
	$(call run,AR,$(ARCHIVE))

# An archive is made anew, so that no object stays that is no longer a part of it. D leaves out
# dates and owners.
ARCHIVE = rm -f $@ && $(AR) rcsD $@ $(filter %.o,$^)

include $(wildcard csrc/*/rules.mk)
