# The tests of the core. C tests are linked statically, to reach what the library does not export.

CORE_TESTS = definition fill jump stream registry settings cernlib
CORE_BINARIES = $(CORE_TESTS:%=$(BUILD)/test_%)
TESTS += $(CORE_BINARIES) validate/producer.t
TESTS_LONG += validate/valgrind.t validate/tsan.t

$(CORE_BINARIES): $(BUILD)/test_%: validate/test_%.c validate/random.h $(STATIC)
	$(CC) $(ALL_CFLAGS) -Icsrc $(ALL_LDFLAGS) -o $@ $< $(STATIC) -lcmocka $(LIB_LIBS)

validate/producer.t: $(BUILD)/test_stream

# The library as Fortran programs see it.
ifneq ($(FORTRAN),)
TESTS += validate/module.t validate/misuse.t validate/install.t
validate/module.t: $(BUILD)/module-use $(BUILD)/reference-numbers
validate/misuse.t: $(addprefix $(BUILD)/replay-,reference relinked cernlib-relinked)
endif

$(BUILD)/module-use: validate/module.f90 $(BUILD)/libgpuranmar.so
	$(FC) $(ALL_FFLAGS) -Wall -Wextra -I$(BUILD)/mod $(ALL_LDFLAGS) -o $@ $< $(RELINK)

include $(wildcard validate/*/rules.mk)
