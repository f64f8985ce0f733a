# The library: shared, and static with objects that link-time optimisation can use too.

CSRC     = $(wildcard csrc/*/*.c)
LIB_OBJ  = $(CSRC:csrc/%.c=%.o)
INCLUDES = -Icsrc -Icsrc/include
LIB_FOBJ = $(if $(FORTRAN),rmmaqd.o rmmaq.o rm48in.o gpuranmar.o)

# On a machine without a Fortran compiler (a GPU node, say) the library has no Fortran in it.
FORTRAN := $(shell command -v $(FC))

SHARED    = $(BUILD)/libgpuranmar.so.$(VERSION)
STATIC    = $(BUILD)/libgpuranmar.a
LIBRARIES = $(SHARED) $(BUILD)/libgpuranmar.so $(BUILD)/libgpuranmar.so.$(MAJOR) $(STATIC)
# For what is measured beside the library, and the tests: the library itself does without OpenMP.
OPENMP    = $(if $(findstring clang,$(CC)),-fopenmp,-lgomp)
LIB_LIBS  = $(if $(FORTRAN),-lgfortran) -lpthread -ldl -lm

INSTALL_HEADERS = csrc/include/gpuranmar.h $(if $(FORTRAN),$(BUILD)/mod/gpuranmar.mod)
INSTALL_STATIC  = $(STATIC)
INSTALL_SHARED  = $(SHARED)

$(BUILD)/shared/%.o: csrc/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(INCLUDES) -fPIC -c -o $@ $<

LTO = $(if $(SANITIZE),,$(if $(findstring clang,$(CC)),,-flto -ffat-lto-objects))
$(BUILD)/static/%.o: csrc/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(INCLUDES) $(LTO) -c -o $@ $<

$(BUILD)/shared/%.o: fortran/%.f90
	@mkdir -p $(@D) $(BUILD)/mod
	$(FC) $(ALL_FFLAGS) -Wall -Wextra -fPIC -J$(BUILD)/mod -c -o $@ $<

$(BUILD)/static/%.o: fortran/%.f90
	@mkdir -p $(@D)/mod
	$(FC) $(ALL_FFLAGS) -J$(@D)/mod -c -o $@ $<

# Only what csrc/libgpuranmar.map names is exported.
$(SHARED): $(addprefix $(BUILD)/shared/,$(LIB_OBJ) $(LIB_FOBJ)) csrc/libgpuranmar.map
	$(CC) -shared $(ALL_LDFLAGS) -Wl,-soname,libgpuranmar.so.$(MAJOR) \
	  -Wl,--version-script=csrc/libgpuranmar.map -Wl,-z,defs -o $@ $(filter %.o,$^) $(LIB_LIBS)

$(BUILD)/libgpuranmar.so.$(MAJOR): $(SHARED)
	ln -sf $(<F) $@
$(BUILD)/libgpuranmar.so: $(BUILD)/libgpuranmar.so.$(MAJOR)
	ln -sf $(<F) $@

$(STATIC): $(addprefix $(BUILD)/static/,$(LIB_OBJ) $(LIB_FOBJ))
	rm -f $@
	ar rcs $@ $^
