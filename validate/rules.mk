# The tests of the core. C tests are linked statically, to reach what the library does not export.

CORE_TESTS = definition fill jump stream registry settings cernlib
CORE_BINARIES = $(CORE_TESTS:%=$(BUILD)/test_%)
TESTS += $(CORE_BINARIES)
TESTS_LONG += validate/tests/valgrind.t validate/tests/tsan.t

$(CORE_BINARIES): $(BUILD)/test_%: validate/tests/test_%.c validate/tests/random.h $(STATIC)
	$(CC) $(ALL_CFLAGS) $(INCLUDES) $(ALL_LDFLAGS) -o $@ $< $(STATIC) -lcmocka $(LIB_LIBS) $(OPENMP)

# The library as Fortran programs see it.
ifneq ($(FORTRAN),)
TESTS += validate/tests/module.t validate/tests/misuse.t validate/tests/install.t
validate/tests/module.t: $(BUILD)/module-use $(BUILD)/reference-numbers
validate/tests/misuse.t: $(addprefix $(BUILD)/replay-,reference relinked cernlib-relinked)
endif

$(BUILD)/module-use: validate/tests/module.f90 $(BUILD)/libgpuranmar.so
	$(FC) $(ALL_FFLAGS) -Wall -Wextra -I$(BUILD)/mod $(ALL_LDFLAGS) -o $@ $< $(RELINK)

include $(wildcard validate/*/rules.mk)
